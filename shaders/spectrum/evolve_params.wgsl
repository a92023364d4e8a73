// What changes with the sea and from frame to frame, and the wave vector of a point.

struct EvolveParams {
    // Spacing of the wave vectors of each cascade, 2 pi/L.
    dk_rad_per_m: vec4<f32>,
    size: u32,
}

// The time in ticks of T0/2^32, from its bytes, the lowest first: each a binding of its own, so that
// the time is part of the commands (src/gpu/recorded.rs).
fn time_ticks(byte_0: u32, byte_1: u32, byte_2: u32, byte_3: u32) -> u32 {
    return byte_0 | (byte_1 << 8u) | (byte_2 << 16u) | (byte_3 << 24u);
}

// Of `place`, (x, z) in FFT order.
fn wave_vector(place: vec2<u32>, size: u32, dk_rad_per_m: f32) -> vec2<f32> {
    let index = vec2<i32>(place) - select(vec2(0i), vec2(i32(size)), place >= vec2(size / 2u));
    return vec2<f32>(index) * dk_rad_per_m;
}

// The place of -k; a power of two makes the remainder a mask.
fn mirrored_place(place: vec2<u32>, size: u32) -> vec2<u32> {
    return (vec2(size) - place) & vec2(size - 1u);
}
