// The parameters of the sea and of a frame, and the wave vector of a point.

struct EvolveParams {
    // The first two are the wave vector of index (1, 0) of each cascade: 2 pi/L long, turned as the
    // cascade's lattice is.
    lattice_rad_per_m: array<vec4<f32>, 4>,
    size: u32,
    // How far water moves sideways as a wave passes (orbit_axis).
    depth_m: f32,
    breaking_rad_per_m: f32,
}

// The time in ticks of T0/2^32, from its bytes, the lowest first: each a binding of its own, so that
// the time is part of the commands (crates/core/src/gpu/recorded.rs).
fn time_ticks(byte_0: u32, byte_1: u32, byte_2: u32, byte_3: u32) -> u32 {
    return byte_0 | (byte_1 << 8u) | (byte_2 << 16u) | (byte_3 << 24u);
}

// In rad/m along X and Z, of `place`, (x, z) in FFT order.
fn wave_vector(place: vec2<u32>, size: u32, lattice_rad_per_m: vec4<f32>) -> vec2<f32> {
    let index = vec2<i32>(place) - select(vec2(0i), vec2(i32(size)), place >= vec2(size / 2u));
    let first = lattice_rad_per_m.xy;
    return f32(index.x) * first + f32(index.y) * vec2(-first.y, first.x);
}

// The place of -k; a power of two makes the remainder a mask.
fn mirrored_place(place: vec2<u32>, size: u32) -> vec2<u32> {
    return (vec2(size) - place) & vec2(size - 1u);
}
