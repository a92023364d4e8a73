// The poses of the visible objects, written by `float.wgsl` and read by `object.wgsl`.

struct ObjectPose {
    // The origin of the object's own frame, from the anchor.
    position: vec3<f32>,
    // The heading, from +X towards +Z.
    heading_rad: f32,
    // The direction of its mast.
    up: vec3<f32>,
    // The height in its frame of the water at its mast, and of still water when it floats at rest.
    waterline_m: f32,
    rest_m: f32,
    // Its number in the scene.
    number: u32,
}
