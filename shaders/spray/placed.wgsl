// One puff of spray as a frame shows it, from `place.wgsl` to `puff.wgsl`: a square whose first end lies
// upwind.

// Share of a puff's radii that is drawn: beyond, it takes away less than 3% of the light.
const SPRAY_DRAWN: f32 = 0.9;

struct SprayPlaced {
    // The middle of each end from the eye, and the height of the water there.
    ends: array<vec4<f32>, 2>,
    // From there to the upper edge. w: e-folds of light that the middle of the puff takes away, and the level
    // of its noise.
    ups: array<vec4<f32>, 2>,
    // The place of its noise, and the share of a tile that it shows along and across.
    noise: vec4<f32>,
    // Light towards the eye, exposed: red and green of each end, then blue of both, in halves.
    lights: vec4<u32>,
}
