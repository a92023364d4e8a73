// A torn puff of spray, written by `tear.wgsl` and read by `place.wgsl`, which determines its flight.

struct SpraySlot {
    // The place (x, y, z) in metres: x and z in a tile of SPRAY_TILE_M that repeats, y over still water.
    place: vec3<f32>,
    // The radius, 0 for empty slots.
    radius_m: f32,
    // The initial velocity.
    velocity_mps: vec3<f32>,
    // The seed of its traits, from 0 to 1.
    seed: f32,
}

const SPRAY_TILE_M: f32 = 8192.0;
