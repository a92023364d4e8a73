// A placed puff of spray, written by `place.wgsl` and read by `puff.wgsl`: a square whose first end lies
// upwind.

// The drawn share of a puff's radii: beyond, it absorbs less than 3% of the light.
const SPRAY_DRAWN: f32 = 0.9;

struct SprayPlaced {
    // The middle of each end from the eye, and the height of the water there.
    ends: array<vec4<f32>, 2>,
    // The vector from there to the upper edge. w: e-folds of light that the middle of the puff absorbs, and the
    // level of its noise.
    ups: array<vec4<f32>, 2>,
    // The place of its noise, and the share of a tile along and across.
    noise: vec4<f32>,
    // The exposed light towards the eye: red and green of each end, then blue of both, as 16-bit floats.
    lights: vec4<u32>,
}
