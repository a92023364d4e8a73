// The height of the water at a few fixed points, for the time series of a measurement.
//
// A point is a texel of each cascade. The cascades' texels do not meet at one place of the drawn sea, but
// belong to a sea with the same statistics, since cascades are independent. Without interpolation, no waves are
// lost.

#import "maps/sample.wgsl"

@group(0) @binding(0) var<storage, read_write> heights: array<f32, 64>;

const POINTS_A_SIDE: u32 = 8u;

@compute @workgroup_size(8, 8)
fn points(@builtin(local_invocation_id) id: vec3<u32>) {
    // The middle of a texel, where a spline has the surface's own value.
    let place = vec2<f32>(id.xy) / f32(POINTS_A_SIDE) + 0.5 / ocean_maps.texels;
    var height = 0.0;
    for (var cascade = 0u; cascade < ocean_maps.cascade_count; cascade++) {
        height += ocean_blend(
            ocean_displacement_map, cascade, place, OCEAN_NO_TILES, 0.0).z;
    }
    heights[id.y * POINTS_A_SIDE + id.x] = height;
}
