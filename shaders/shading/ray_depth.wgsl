// The distance of the sea: metres along the ray through the middle of each pixel. It uses the vertices of the
// picture, so that both show the same waves.
#import "mesh/view.wgsl"
#import "mesh/grid.wgsl"
#import "mesh/displaced.wgsl"
#import "shading/bed.wgsl"

@group(0) @binding(2) var<storage, read> displaced_vertices: array<DisplacedVertex>;

// Distance along the unit vector `direction` to still water `below_m` under the eye, which curves away by
// `earth_drop`. A ray that passes over it touches it at its horizon.
fn still_distance(direction: vec3<f32>, below_m: f32) -> f32 {
    // The nearer root of t sin = below + (t cos)^2 / 2R, in a form without cancellation.
    let sine = -direction.y;
    let cosine_squared = max(1.0 - sine * sine, 0.0);
    let discriminant = sine * sine - 2.0 * below_m * cosine_squared / EARTH_RADIUS_M;
    if sine <= 0.0 || discriminant <= 0.0 {
        return sqrt(2.0 * EARTH_RADIUS_M * below_m);
    }
    return 2.0 * below_m / (sine + sqrt(discriminant));
}

// The nearest and the farthest distance for water that waves raise and lower by up to `reach_m`.
fn sea_distances(direction: vec3<f32>, below_m: f32, reach_m: f32) -> vec2<f32> {
    let lowest_m = below_m + reach_m;
    let sine = -direction.y;
    let misses = sine <= 0.0
        || sine * sine * EARTH_RADIUS_M <= 2.0 * lowest_m * (1.0 - sine * sine);
    // Crests show over the horizon.
    let beyond_m = sqrt(2.0 * EARTH_RADIUS_M) * (sqrt(below_m) + sqrt(reach_m));
    return vec2(
        still_distance(direction, max(below_m - reach_m, 0.0)),
        select(still_distance(direction, lowest_m), beyond_m, misses),
    );
}

@vertex
fn placed(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) tile: u32,
) -> @builtin(position) vec4<f32> {
    let row = mesh.tile_cells + 1u;
    let relative = displaced_vertices[tile * row * row + index].relative;
    return view.clip_from_relative * vec4(relative, 1.0);
}

@fragment
fn ray_depth(
    @builtin(position) position: vec4<f32>,
    @builtin(front_facing) is_front: bool,
) -> @location(0) f32 {
    let ray = view_ray(vec2(2.0, -2.0) * position.xy / view.resolution + vec2(-1.0, 1.0));
    let length_m = length(ray);
    let found_m = NEAR_M / position.z * length_m;
    if !is_front && mesh.eye_vertex != NO_EYE_VERTEX {
        return found_m;
    }
    // Far triangles are seen edge-on, and 32 bits cannot interpolate a pixel's place on them. But the waves
    // bound the water's height; and where they have faded, that leaves the exact distance. (Fading begins a
    // little later at the near end of a triangle.)
    let reach_m = mesh.fade_start_m * view.pixel_angle_rad * wave_fade(0.8 * found_m);
    // In a trough the eye is below still water, without farther sight.
    let bounds_m = sea_distances(ray / length_m, max(view.height_m, 0.0), reach_m);
    return clamp(found_m, bounds_m.x, bounds_m.y);
}

// A triangle over the whole picture, behind everything.
@vertex
fn everywhere(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2(f32(index & 1u), f32(index >> 1u));
    return vec4(4.0 * corner - 1.0, 1e-9, 1.0);
}

// The distance of the bed from an eye in the water, where no water surface is in between.
@fragment
fn bed_depth(@builtin(position) position: vec4<f32>) -> @location(0) f32 {
    let ray = view_ray(vec2(2.0, -2.0) * position.xy / view.resolution + vec2(-1.0, 1.0));
    let direction = normalize(ray);
    let is_below = mesh.eye_vertex != NO_EYE_VERTEX
        && eye_side(displaced_vertices[mesh.eye_vertex]) != EYE_ABOVE;
    if !is_below || sky.bed.depth_m <= 0.0 || direction.y >= -BED_LEAST_SLOPE {
        discard;
    }
    return bed_met_from_below(mesh.eye_m, direction, view.pixel_angle_rad).distance_m;
}
