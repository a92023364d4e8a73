// The height of the water at a few fixed points, for the time series of a measurement.
//
// A point is a texel of each cascade: not one place of the sea that is drawn, where the cascades'
// texels do not meet, but one of a sea with the same statistics, since cascades know nothing of each
// other. Nothing is interpolated, so nothing of the shortest waves is lost.

// [cascade]: Dx, Dz, h, dDx/dz.
@group(0) @binding(0) var displacement: texture_2d_array<f32>;
@group(0) @binding(1) var<storage, read_write> heights: array<f32, 64>;

const POINTS_A_SIDE: u32 = 8u;

// The surface's height at a texel. Whatever level 0 comes to hold in place of the surface's own
// values is undone here, as `texel_response` in src/measurement/waves.rs undoes it for whole layers.
fn height_at(texel: vec2<u32>, cascade: u32) -> f32 {
    return textureLoad(displacement, texel, cascade, 0).z;
}

@compute @workgroup_size(8, 8)
fn points(@builtin(local_invocation_id) id: vec3<u32>) {
    let texel = id.xy * (textureDimensions(displacement).x / POINTS_A_SIDE);
    var height = 0.0;
    for (var cascade = 0u; cascade < textureNumLayers(displacement); cascade++) {
        height += height_at(texel, cascade);
    }
    heights[id.y * POINTS_A_SIDE + id.x] = height;
}
