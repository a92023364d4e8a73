// The water over a point of the world: where it rests, by Newton's method on the maps. The twin is
// src/query/cpu.rs.
#import "maps/sample.wgsl"

const QUERY_ITERATIONS: u32 = 24u;
const QUERY_TOLERANCE_M: f32 = 1e-4;
const QUERY_LEAST_STRETCH: f32 = 0.05;

// The maps at a place of the water at rest: the layers' channels, summed over the cascades as in
// ocean_displacement.
struct QueryFields {
    displacement: vec4<f32>,
    derivatives: vec4<f32>,
}

fn query_fields(position: vec2<f32>, log2_footprint_m: f32) -> QueryFields {
    var sum = QueryFields(vec4(0.0), vec4(0.0));
    for (var i = 0u; i < ocean_maps.cascade_count; i++) {
        let lod = max(log2_footprint_m - ocean_maps.cascades[i].log2_texel_m, 0.0);
        let weight = ocean_cascade_weight(i, lod);
        if weight > 0.0 {
            let uv = ocean_cascade_uv(i, position);
            let tiles = ocean_tiles(i, position);
            sum.displacement += weight * ocean_blend(ocean_displacement_map, i, uv, tiles, lod);
            sum.derivatives += weight * ocean_blend(ocean_derivative_map, i, uv, tiles, lod);
        }
    }
    return sum;
}

fn query_surface(fields: QueryFields) -> OceanSurface {
    let slope = vec2(fields.displacement.w, fields.derivatives.x);
    let stretches = ocean_maps.choppiness * fields.derivatives.zwy;
    return OceanSurface(slope, stretches.x, stretches.y, stretches.z, vec3(0.0), 0.0);
}

// The move of water at rest that moves the displaced water by `residual`: Newton's step.
//
// The displacement is a gradient, so the matrix of its derivatives is symmetric, and the water at x is where |p
// - x|^2/2 + choppiness * potential(p) is stationary. The step ignores the sign of negative eigenvalues, where
// the surface has folded over: it then leads down to a minimum, where water is upright, and not to the fold
// between two.
fn query_step(surface: OceanSurface, residual: vec2<f32>) -> vec2<f32> {
    let middle = 1.0 + 0.5 * (surface.dxx + surface.dzz);
    let half = 0.5 * (surface.dxx - surface.dzz);
    let radius = sqrt(half * half + surface.dxz * surface.dxz);
    let stretches = max(abs(vec2(middle + radius, middle - radius)), vec2(QUERY_LEAST_STRETCH));
    let inverse = 1.0 / stretches;
    let spread = 0.5 * (inverse.x - inverse.y) / max(radius, 1e-9);
    return 0.5 * (inverse.x + inverse.y) * residual
        + spread * vec2(
            half * residual.x + surface.dxz * residual.y,
            surface.dxz * residual.x - half * residual.y);
}

// The water over a point.
struct QueryFound {
    at_rest: vec2<f32>,
    // The horizontal distance from the point to the water found.
    residual_m: f32,
    fields: QueryFields,
}

// `point` is (x, z) from the maps' origin.
fn query_find(point: vec2<f32>, log2_footprint_m: f32) -> QueryFound {
    return query_find_from(point, log2_footprint_m, QUERY_ITERATIONS);
}

// The same by so many steps at most: with none, it is the water that rests there.
fn query_find_from(point: vec2<f32>, log2_footprint_m: f32, steps: u32) -> QueryFound {
    // Far from the origin the tolerance is coarser, by the precision of f32.
    let tolerance_m = max(QUERY_TOLERANCE_M, 2.4e-7 * max(abs(point.x), abs(point.y)));

    var at_rest = point;
    var fields = query_fields(at_rest, log2_footprint_m);
    var residual = at_rest + ocean_maps.choppiness * fields.displacement.xy - point;
    for (var step = 0u; step < steps && length(residual) > tolerance_m; step++) {
        at_rest -= query_step(query_surface(fields), residual);
        fields = query_fields(at_rest, log2_footprint_m);
        residual = at_rest + ocean_maps.choppiness * fields.displacement.xy - point;
    }
    return QueryFound(at_rest, length(residual), fields);
}
