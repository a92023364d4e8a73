// The vertices of the frame's tiles as `shading/displace.wgsl` has placed them, once for all passes.

struct DisplacedVertex {
    // From the eye.
    relative: vec3<f32>,
    // Two 16-bit floats: how much of the mean foam of the sea there is (`foam_gathered`), and the mean over
    // the channels of the light through the crest (`crest_light`).
    gathered_and_crest: u32,
}
