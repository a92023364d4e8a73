// The light of each sample of the picture: that of what it sees, with what flies drawn over it.

// In layers by sample.
@group(1) @binding(0) var lights: texture_2d_array<f32>;
// Premultiplied, the same for all samples of a pixel.
@group(1) @binding(1) var overlay: texture_2d<f32>;

fn light_of_sample(pixel: vec2<u32>, sample: u32) -> vec3<f32> {
    let over = textureLoad(overlay, pixel, 0);
    return over.rgb + (1.0 - over.a) * textureLoad(lights, pixel, sample, 0).rgb;
}
