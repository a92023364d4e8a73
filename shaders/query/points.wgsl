// The surface at points of the world: the rest of the water there, its height, normal and velocity. The twin is
// src/query/cpu.rs.

#import "query/solve.wgsl"

struct QueryParams {
    count: u32,
    // Not 0 where query_rate_map holds the sea's rates.
    has_velocity: u32,
}

struct QueryAnswer {
    // The place at rest, from the request's origin.
    at_rest: vec2<f32>,
    height_m: f32,
    // The horizontal distance from the point to the water found.
    residual_m: f32,
    normal: vec3<f32>,
    jacobian: f32,
    velocity_mps: vec3<f32>,
    // The place of the water that rests there, from the request's origin.
    position: vec2<f32>,
}

@group(0) @binding(0) var<uniform> query_params: QueryParams;
// x and z from the request's origin, footprint, and 1 where this is the place of water at rest.
@group(0) @binding(1) var<storage, read> query_points: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> query_answers: array<QueryAnswer>;
// [cascade]: the rates of Dx, Dz, h, dh/dx, per second.
@group(0) @binding(3) var query_rate_map: texture_2d_array<f32>;

fn query_velocity(position: vec2<f32>, log2_footprint_m: f32) -> vec3<f32> {
    var sum = vec3(0.0);
    for (var i = 0u; i < ocean_maps.cascade_count; i++) {
        let lod = max(log2_footprint_m - ocean_maps.cascades[i].log2_texel_m, 0.0);
        let weight = ocean_cascade_weight(i, lod);
        if weight > 0.0 {
            let uv = ocean_cascade_uv(i, position);
            let tiles = ocean_tiles(i, position);
            sum += weight * ocean_blend(query_rate_map, i, uv, tiles, lod).xyz;
        }
    }
    return vec3(ocean_maps.choppiness * sum.x, sum.z, ocean_maps.choppiness * sum.y);
}

@compute @workgroup_size(64)
fn points(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= query_params.count {
        return;
    }
    let point = query_points[id.x];
    let log2_footprint_m = log2(max(point.z, 1e-6));
    let is_at_rest = point.w != 0.0;
    let found = query_find_from(point.xy, log2_footprint_m, select(QUERY_ITERATIONS, 0u, is_at_rest));

    let surface = query_surface(found.fields);
    var velocity = vec3(0.0);
    for (var asked = query_params.has_velocity != 0u; asked; asked = false) {
        velocity = query_velocity(found.at_rest, log2_footprint_m);
    }
    query_answers[id.x] = QueryAnswer(
        found.at_rest, found.fields.displacement.z, select(found.residual_m, 0.0, is_at_rest),
        ocean_normal(surface), ocean_jacobian(surface), velocity,
        found.at_rest + ocean_maps.choppiness * found.fields.displacement.xy);
}
