// The poses of the visible buoys, written by `float.wgsl` and read by `buoy.wgsl`.

struct BuoyPose {
    // The middle of the waterline, from the anchor.
    position: vec3<f32>,
    // The number of the `Mark`.
    mark: u32,
    // The direction of its mast.
    up: vec3<f32>,
    // The heading, from +X towards +Z.
    heading_rad: f32,
    // The brightness of its lantern, 0 to 1.
    lamp: f32,
}
