// One channel of one cascade's maps along its patch's axes, the first to the right, the second down: texel for
// texel in large squares, and by mips in smaller ones.
#import "maps/sample.wgsl"
#import "debug_view/flat.wgsl"

@fragment
fn map(in: FlatPoint) -> @location(0) vec4<f32> {
    let size = f32(textureDimensions(ocean_displacement_map).x);
    let uv = clamp(in.place_px / flat.side_px, vec2(0.0), vec2(0.99999));
    let lod = max(log2(size / flat.side_px), 0.0);
    // A spline has the surface's own value at the middle of a texel.
    let place = select(uv, (floor(uv * size) + 0.5) / size, lod == 0.0);
    let fields = ocean_fields(flat.cascade, place, OCEAN_NO_TILES, lod);
    let texels = select(fields.displacement, fields.derivatives, flat.channel >= 4u);
    let value = texels[flat.channel % 4u];
    return flat_colour(in.place_px, debug_diverging(value / flat.high));
}
