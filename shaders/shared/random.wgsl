// Random numbers from whole ones: the same on every device.

// PCG (Jarzynski and Olano 2020, "Hash functions for GPU rendering").
fn random_hash(value: u32) -> u32 {
    let state = value * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

// From a hash: more than 0, and at most 1.
fn random_uniform(hash: u32) -> f32 {
    return (f32(hash >> 8u) + 0.5) * (1.0 / 16777216.0);
}
