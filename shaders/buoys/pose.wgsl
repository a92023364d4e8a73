// How the buoys lie that a frame shows, from `float.wgsl` to `buoy.wgsl`.

struct BuoyPose {
    // The middle of its waterline, from the anchor.
    position: vec3<f32>,
    // `Mark`, as it counts them.
    mark: u32,
    // Along its mast.
    up: vec3<f32>,
    // Which way it faces, from +X towards +Z.
    heading_rad: f32,
    // Of its lantern, 0 to 1.
    lamp: f32,
}
