// One puff of spray as it was torn off, from `tear.wgsl` to `place.wgsl`: how it flies follows from that.

struct SpraySlot {
    // Where, (x, y, z) in metres: x and z in a tile of SPRAY_TILE_M that repeats, y over still water.
    place: vec3<f32>,
    // 0: there is none.
    radius_m: f32,
    // How fast it leaves.
    velocity_mps: vec3<f32>,
    // From 0 to 1: what it is like.
    seed: f32,
}

const SPRAY_TILE_M: f32 = 8192.0;
