// The light of each sample of the picture, composed with airborne spray.

// The lights, one layer a sample.
@group(1) @binding(0) var lights: texture_2d_array<f32>;
// Premultiplied spray, the same for all samples of a pixel, in half of the resolution.
@group(1) @binding(1) var overlay: texture_2d<f32>;

// Returns the light and the cover of the spray before a pixel.
fn overlay_at(pixel: vec2<u32>) -> vec4<f32> {
    let size = vec2<f32>(textureDimensions(overlay));
    let scale = size / vec2<f32>(textureDimensions(lights));
    let at = clamp((vec2<f32>(pixel) + 0.5) * scale - 0.5, vec2(0.0), size - 1.0);
    let low = vec2<u32>(at);
    let high = min(low + 1u, vec2<u32>(size) - 1u);
    let share = fract(at);
    return mix(
        mix(textureLoad(overlay, low, 0), textureLoad(overlay, vec2(high.x, low.y), 0), share.x),
        mix(textureLoad(overlay, vec2(low.x, high.y), 0), textureLoad(overlay, high, 0), share.x),
        share.y,
    );
}

// The light of a sample behind the spray before its pixel.
fn light_of_sample(pixel: vec2<u32>, sample: u32, over: vec4<f32>) -> vec3<f32> {
    return over.rgb + (1.0 - over.a) * textureLoad(lights, pixel, sample, 0).rgb;
}
