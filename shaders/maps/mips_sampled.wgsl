// A texel of the first mip level by one bilinear sample: at the corner that 2 x 2 texels share each has the
// weight 1/4, which is exact at any precision of a sampler. It is WebGPU's widest load from a texture, and a
// quarter of the loads, for formats that can be filtered.

@group(0) @binding(0) var source: texture_2d_array<f32>;
@group(0) @binding(1) var source_sampler: sampler;

fn mean_of_source(at: vec2<u32>, layer: u32) -> vec4<f32> {
    // The sides are powers of two: ldexp divides by them exactly, where `/` need not.
    let log2_sides = vec2<i32>(firstTrailingBit(textureDimensions(source)));
    let corner = ldexp(vec2<f32>(2u * at + 1u), -log2_sides);
    return textureSampleLevel(source, source_sampler, corner, layer, 0.0);
}
