// The vertices of the frame's tiles, which `shading/displace.wgsl` has placed once for all passes.

struct DisplacedVertex {
    // The position from the eye.
    relative: vec3<f32>,
    // Two 16-bit floats: the foam relative to the mean of the sea (`foam_gathered`), and the light through the
    // crest, averaged over the channels (`crest_light`).
    gathered_and_crest: u32,
}
