// The surface at points of the world: which water is there at the moment, how high it lies, how it is
// inclined and how fast it moves. Twin: src/query/cpu.rs.

#import "maps/sample.wgsl"

struct QueryParams {
    count: u32,
    // Not 0: query_rate_map is that of the sea's rates.
    has_velocity: u32,
}

struct QueryAnswer {
    // From the request's origin.
    at_rest: vec2<f32>,
    height_m: f32,
    // Horizontally, from the point asked about to the water found.
    residual_m: f32,
    normal: vec3<f32>,
    jacobian: f32,
    velocity_mps: vec3<f32>,
}

@group(0) @binding(0) var<uniform> query_params: QueryParams;
// x and z from the request's origin, footprint.
@group(0) @binding(1) var<storage, read> query_points: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> query_answers: array<QueryAnswer>;
// [cascade]: how fast Dx, Dz, h, dDx/dz change, per second.
@group(0) @binding(3) var query_rate_map: texture_2d_array<f32>;

const QUERY_ITERATIONS: u32 = 24u;
const QUERY_TOLERANCE_M: f32 = 1e-4;
const QUERY_LEAST_STRETCH: f32 = 0.05;

// Of the water that rests at a place: the layers' channels, summed over the cascades as
// ocean_displacement sums them.
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

fn query_surface(fields: QueryFields) -> OceanSurface {
    let stretches = ocean_maps.choppiness
        * vec3(fields.derivatives.zw, fields.displacement.w);
    return OceanSurface(
        fields.derivatives.xy, stretches.x, stretches.y, stretches.z, vec3(0.0));
}

// How far water must move at rest to move by `residual` where it is: Newton's step.
//
// The displacement is a gradient, so the matrix of its derivatives is symmetric, and the water at x
// is where |p - x|^2/2 + choppiness * potential(p) is stationary. The sign of a negative eigenvalue,
// where the surface has folded over, is left out: then the steps lead down to a minimum, which is
// water that lies the right way up, and not to the fold between two of them.
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

@compute @workgroup_size(64)
fn points(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= query_params.count {
        return;
    }
    let point = query_points[id.x];
    let log2_footprint_m = log2(max(point.z, 1e-6));
    // Far from the origin that is finer than a float.
    let tolerance_m = max(QUERY_TOLERANCE_M, 2.4e-7 * max(abs(point.x), abs(point.y)));

    var at_rest = point.xy;
    var fields = query_fields(at_rest, log2_footprint_m);
    var residual = at_rest + ocean_maps.choppiness * fields.displacement.xy - point.xy;
    for (var step = 0u; step < QUERY_ITERATIONS && length(residual) > tolerance_m; step++) {
        at_rest -= query_step(query_surface(fields), residual);
        fields = query_fields(at_rest, log2_footprint_m);
        residual = at_rest + ocean_maps.choppiness * fields.displacement.xy - point.xy;
    }

    let surface = query_surface(fields);
    var velocity = vec3(0.0);
    for (var asked = query_params.has_velocity != 0u; asked; asked = false) {
        velocity = query_velocity(at_rest, log2_footprint_m);
    }
    query_answers[id.x] = QueryAnswer(
        at_rest, fields.displacement.z, length(residual),
        ocean_normal(surface), ocean_jacobian(surface), velocity);
}
