// The view. "Relative" space has the world's axes and its origin at the eye.

struct ViewUniform {
    clip_from_relative: mat4x4<f32>,
    // `right` goes from the middle of the picture to its right edge, at distance 1; `up` to its top edge.
    right: vec3<f32>,
    // The angle between neighbouring pixels at the middle of the picture.
    pixel_angle_rad: f32,
    up: vec3<f32>,
    // The height of the eye over still water.
    height_m: f32,
    // The vector through the middle of the picture.
    forward: vec3<f32>,
    // The share of a pixel's side over which waves are averaged, which is smaller for several samples a pixel.
    footprint_px: f32,
    resolution: vec2<f32>,
}

@group(0) @binding(0) var<uniform> view: ViewUniform;

// `View::NEAR_M`: the reversed depth is this over the distance along the view's axis.
const NEAR_M: f32 = 0.05;

// The direction of sight (not normalised) through a point of the picture, both coordinates in -1..1.
fn view_ray(ndc: vec2<f32>) -> vec3<f32> {
    return view.forward + ndc.x * view.right + ndc.y * view.up;
}
