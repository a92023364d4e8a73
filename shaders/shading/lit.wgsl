// Puts the light that was found for each sample into the picture.
#import "shading/visible.wgsl"

// One sample a pixel: texture_2d.
@group(0) @binding(0) var visible: texture_multisampled_2d<u32>;
@group(0) @binding(1) var lights: texture_2d_array<f32>;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2(f32((index << 1u) & 2u), f32(index & 2u));
    return vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}

fn light_of(pixel: vec2<u32>, sample: u32) -> vec4<f32> {
    if visible_kind(textureLoad(visible, pixel, i32(sample)).xy) == VISIBLE_NOTHING {
        discard;
    }
    return textureLoad(lights, pixel, sample, 0);
}

@fragment
fn fragment(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    return light_of(vec2<u32>(position.xy), 0u);
}

@fragment
fn of_sample(
    @builtin(position) position: vec4<f32>,
    @builtin(sample_index) sample: u32,
) -> @location(0) vec4<f32> {
    return light_of(vec2<u32>(position.xy), sample);
}
