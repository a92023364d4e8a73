// One channel of one cascade's maps: x to the right, z down, texel for texel where the square is as
// large; smaller, the mips.
#import "maps/sample.wgsl"
#import "debug_view/flat.wgsl"

@fragment
fn map(in: FlatPoint) -> @location(0) vec4<f32> {
    let size = f32(textureDimensions(ocean_displacement_map).x);
    let uv = clamp(in.place_px / flat.side_px, vec2(0.0), vec2(0.99999));
    let lod = max(log2(size / flat.side_px), 0.0);
    let texel = vec2<u32>(uv * size);
    var displacement = textureLoad(ocean_displacement_map, texel, flat.cascade, 0);
    var derivatives = textureLoad(ocean_derivative_map, texel, flat.cascade, 0);
    if lod > 0.0 {
        displacement =
            textureSampleLevel(ocean_displacement_map, ocean_sampler, uv, flat.cascade, lod);
        derivatives =
            textureSampleLevel(ocean_derivative_map, ocean_sampler, uv, flat.cascade, lod);
    }
    let texels = select(displacement, derivatives, flat.channel >= 4u);
    let value = texels[flat.channel % 4u];
    return flat_colour(in.place_px, debug_diverging(value / flat.high));
}
