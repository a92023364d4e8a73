// The mean of a frame's samples in 32-bit floats: in 16-bit floats, one of 4096 samples would be lost.

struct AccumulateUniform {
    // One over the number of samples so far, this one included.
    share: f32,
}

@group(0) @binding(0) var<uniform> accumulate: AccumulateUniform;
// The mean of the samples before.
@group(0) @binding(1) var mean: texture_2d<f32>;
// The light of this sample.
@group(0) @binding(2) var hdr: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2(f32((index << 1u) & 2u), f32(index & 2u));
    return vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn add(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<u32>(position.xy);
    let light = textureLoad(hdr, pixel, 0);
    // Remnants of another frame in the textures are not multiplied by 0, since they may be NaN.
    if accumulate.share == 1.0 {
        return light;
    }
    return mix(textureLoad(mean, pixel, 0), light, accumulate.share);
}

@fragment
fn copy_mean(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    return textureLoad(mean, vec2<u32>(position.xy), 0);
}
