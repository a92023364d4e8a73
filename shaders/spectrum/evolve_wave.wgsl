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

// Two real fields a, b travel as X(a) + i X(b): X(Dx) + i X(Dz), X(h) + i X(dh/dx).
// D(k) = +i axis h(k): crests sharpen for positive choppiness. d/dx is a factor i kx.
fn displacement_spectra(h: vec2<f32>, k: vec2<f32>, axis: vec2<f32>) -> vec4<f32> {
    let displacement = complex_mul(complex_mul_i(h), axis);
    return vec4(displacement, (1.0 - k.x) * h);
}

// X(dh/dz) + i X(dDx/dz), X(dDx/dx) + i X(dDz/dz): all that the Jacobian is made of is in one texture.
fn derivative_spectra(h: vec2<f32>, k: vec2<f32>, axis: vec2<f32>) -> vec4<f32> {
    return vec4((k.y - k.x * axis.y) * complex_mul_i(h), complex_mul(h, -k * axis));
}

// The water's orbits at the surface (src/spectrum/orbits.rs).
struct Orbits {
    depth_m: f32,
    // The wavenumber at which waves as high as the sea break in deep water.
    breaking_rad_per_m: f32,
}

// k/|k| times the horizontal over the vertical semi-axis of the orbits, coth(k d) within Miche's
// limit; 0 for still water.
fn orbit_axis(k: vec2<f32>, orbits: Orbits) -> vec2<f32> {
    let k_squared = dot(k, k);
    let inverse_k = select(0.0, inverseSqrt(k_squared), k_squared > 0.0);
    let relative_depth = clamp(k_squared * inverse_k * orbits.depth_m, 1e-3, 20.0);
    let flat = min(coth(relative_depth), orbits.breaking_rad_per_m * inverse_k);
    return k * (inverse_k * max(flat, 1.0));
}

// To 3e-7 for 0 < x <= 20. Below 0.5, where 1 - e^-2x loses digits, by its Laurent series.
fn coth(x: f32) -> f32 {
    let decay = exp(-2.0 * x);
    let squared = x * x;
    let series = 1.0 / x
        + x * (1.0 / 3.0 - squared * (1.0 / 45.0 - squared * (2.0 / 945.0 - squared / 4725.0)));
    return select((1.0 + decay) / (1.0 - decay), series, x < 0.5);
}
