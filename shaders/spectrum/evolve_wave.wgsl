// The motion of one wave vector: the one place where a wave becomes the eight fields' spectra. Knows
// no bindings, so that any kernel can call it. src/spectrum/waves.rs makes the waves of h0. Twin:
// src/spectrum/cpu.rs.

#import "shared/complex.wgsl"
#import "shared/cis.wgsl"

// One wave vector k of a cascade.
struct Wave {
    // h0(k) + conj(h0(-k)) and h0(k) - conj(h0(-k)), in metres.
    sum: vec2<f32>,
    difference: vec2<f32>,
    // In multiples of 2 pi/T0.
    omega: u32,
    // Times k the horizontal axis of the water's orbits for a height of 1 (src/spectrum/orbits.rs).
    axis_over_k_m: f32,
}

// A wave from where it is kept, in vectors that are loaded at once.
fn wave_of(amplitudes: vec4<f32>, motion: vec2<u32>) -> Wave {
    return Wave(amplitudes.xy, amplitudes.zw, motion.x, bitcast<f32>(motion.y));
}

// h(k, t). omega is in multiples of 2 pi/T0 and time_ticks in T0/2^32, so their product modulo 2^32
// is the phase in 2^-32 turns, exact at any time.
fn wave_height(wave: Wave, time_ticks: u32) -> vec2<f32> {
    // h(k, t) = h0(k) e^(-i omega t) + conj(h0(-k)) e^(+i omega t): the wave at k goes towards +k
    // under the inverse transform's e^(+i k x), and h is real. That is sum cos - i difference sin.
    let rotation = cis_turns(wave.omega * time_ticks);
    return wave.sum * rotation.x - complex_mul_i(wave.difference) * rotation.y;
}

// Two real fields a, b travel as X(a) + i X(b): X(Dx) + i X(Dz), X(h) + i X(dh/dx).
// D(k) = +i axis h(k), with the orbits' horizontal axis: crests sharpen for positive choppiness. d/dx is a
// factor i kx.
fn displacement_spectra(h: vec2<f32>, k: vec2<f32>, axis: vec2<f32>) -> vec4<f32> {
    let displacement = complex_mul(complex_mul_i(h), axis);
    return vec4(displacement, (1.0 - k.x) * h);
}

// X(dh/dz) + i X(dDx/dz), X(dDx/dx) + i X(dDz/dz): all that the Jacobian is made of is in one texture.
fn derivative_spectra(h: vec2<f32>, k: vec2<f32>, axis: vec2<f32>) -> vec4<f32> {
    return vec4((k.y - k.x * axis.y) * complex_mul_i(h), complex_mul(h, -k * axis));
}
