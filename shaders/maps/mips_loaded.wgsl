// A texel of the first mip level by four loads: exact, and possible in any format.

@group(0) @binding(0) var source: texture_2d_array<f32>;

fn mean_of_source(at: vec2<u32>, layer: u32) -> vec4<f32> {
    return 0.25 * (
        textureLoad(source, 2u * at, layer, 0)
        + textureLoad(source, 2u * at + vec2(1u, 0u), layer, 0)
        + textureLoad(source, 2u * at + vec2(0u, 1u), layer, 0)
        + textureLoad(source, 2u * at + vec2(1u, 1u), layer, 0)
    );
}
