// The parameters of a sea's lattices and of a frame, and the wave vector of a point.

struct EvolveParams {
    // The first two are the wave vector of index (1, 0) of each cascade: 2 pi/L long, turned as the
    // cascade's lattice is.
    lattice_rad_per_m: array<vec4<f32>, 4>,
    size: u32,
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

// Waves are stored for z from 0 to N/2 only, [cascade][z][x] in FFT order, since h(-k) = conj(h(k)). Other
// places take the wave of -k, and conjugate its height.
fn has_wave_of_minus_k(z: u32, size: u32) -> bool {
    return z > size / 2u;
}

// The index of the wave of k, or of -k.
fn wave_index(cascade: u32, place: vec2<u32>, size: u32) -> u32 {
    // A power of two makes the remainder a mask.
    let mirrored = (vec2(size) - place) & vec2(size - 1u);
    let at = select(place, mirrored, has_wave_of_minus_k(place.y, size));
    return (cascade * (size / 2u + 1u) + at.y) * size + at.x;
}

// h(k, t) from that of the stored wave.
fn height_of_wave(height: vec2<f32>, z: u32, size: u32) -> vec2<f32> {
    return vec2(height.x, select(height.y, -height.y, has_wave_of_minus_k(z, size)));
}
