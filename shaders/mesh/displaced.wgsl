// The vertices of the frame's tiles, which `shading/displace.wgsl` has placed once for all passes.

struct DisplacedVertex {
    // The position from the eye.
    relative: vec3<f32>,
    // Two 16-bit floats: the foam relative to the mean of the sea (`foam_gathered`), and the light through the
    // crest, averaged over the channels (`crest_light`).
    gathered_and_crest: u32,
}

// The sides of the water's surface that lines of sight from the eye meet first.
const EYE_ABOVE: u32 = 0u;
const EYE_BELOW: u32 = 1u;
// The surface is so near that it crosses the picture: each line of sight has its own side.
const EYE_AT_SURFACE: u32 = 2u;

// The distance in metres from the surface beyond which no wave crosses the near plane before the eye.
const EYE_CLEAR_M: f32 = 0.3;

// The side on which the eye is, from the water over or under it, relative to the eye (`mesh.eye_vertex`).
fn eye_side(water: DisplacedVertex) -> u32 {
    let above_m = -water.relative.y;
    return select(select(EYE_AT_SURFACE, EYE_BELOW, above_m < -EYE_CLEAR_M), EYE_ABOVE, above_m > EYE_CLEAR_M);
}
