// The motion of one wave vector: the one place where h0 becomes the eight fields' spectra. Knows
// no bindings, so that any kernel can call it. Twin: src/spectrum/cpu.rs.

#import "shared/complex.wgsl"
#import "shared/cis.wgsl"

// h(k, t). omega is in multiples of 2 pi/T0 and time_ticks in T0/2^32, so their product modulo 2^32
// is the phase in 2^-32 turns, exact at any time.
fn wave_height(h0: vec2<f32>, h0_mirrored: vec2<f32>, omega: u32, time_ticks: u32) -> vec2<f32> {
    // h(k, t) = h0(k) e^(-i omega t) + conj(h0(-k)) e^(+i omega t): the wave at k goes towards +k
    // under the inverse transform's e^(+i k x), and h is real.
    let rotation = cis_turns(omega * time_ticks);
    return complex_mul(h0, complex_conj(rotation))
        + complex_mul(complex_conj(h0_mirrored), rotation);
}

// Two real fields a, b travel as X(a) + i X(b): X(Dx) + i X(Dz), X(h) + i X(dDx/dz).
// D(k) = +i (k/|k|) h(k): crests sharpen for positive choppiness. d/dx is a factor i kx.
fn displacement_spectra(h: vec2<f32>, k: vec2<f32>) -> vec4<f32> {
    let direction = wave_direction(k);
    let displacement = complex_mul(complex_mul_i(h), direction);
    return vec4(displacement, complex_mul(h, vec2(1.0, -k.x * direction.y)));
}

// X(dh/dx) + i X(dh/dz), X(dDx/dx) + i X(dDz/dz)
fn derivative_spectra(h: vec2<f32>, k: vec2<f32>) -> vec4<f32> {
    let direction = wave_direction(k);
    return vec4(complex_mul(complex_mul_i(h), k), complex_mul(h, -k * direction));
}

// k/|k|, and 0 for still water.
fn wave_direction(k: vec2<f32>) -> vec2<f32> {
    let k_squared = dot(k, k);
    return k * select(0.0, inverseSqrt(k_squared), k_squared > 0.0);
}
