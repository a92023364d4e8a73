// Lights what an eye in the water sees: the surface from below, and the water where nothing else is. An eye near
// the surface has water before some samples and air before others. What a sample sees tells which: the side of
// the first triangle that a line of sight meets is the one on which it begins, and a line of sight that meets
// none begins in the water if it goes down.
#import "shading/surface.wgsl"
#import "shading/underside.wgsl"
#import "shading/sun_shafts.wgsl"

// The depth of the eye under still water.
fn eye_depth_m() -> f32 {
    return max(-view.height_m, 0.0);
}

// Follows the shafts of a tile. All threads of a workgroup call it.
fn follow_shafts(tile: vec2<u32>, thread: u32) {
    workgroupBarrier();
    if thread < SHAFT_SIDE * SHAFT_SIDE * SHAFT_THREADS {
        let line = thread / SHAFT_THREADS;
        let pixel = tile + SHAFT_PIXELS * vec2(line % SHAFT_SIDE, line / SHAFT_SIDE);
        let direction = normalize(ray_through(vec2<f32>(pixel) + 0.5));
        shade_by_clouds(vec3(0.0), 1.0);
        shaft_parts[thread] = shaft_part(mesh.eye_m, direction, thread % SHAFT_THREADS);
    }
    workgroupBarrier();
}

@compute @workgroup_size(8, 8)
fn surface(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_id) lane: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let list = select(VISIBLE_UNDERSIDE, VISIBLE_UNDERSIDE_NEAR_OBJECTS, NEAR_OBJECTS);
    for (var i = group.x; i < light_tiles.counts[list]; i += groups.x) {
        let tile = light_tile(list, i);
        look_for_objects_of(tile);
        var shafts = vec3(0.0);
        if SHAFT_STEPS > 0u {
            follow_shafts(tile, thread);
            shafts = shafts_at(lane.xy);
        }
        let pixel = tile + lane.xy;
        for (var samples = samples_of_kind(pixel, VISIBLE_UNDERSIDE); samples != 0u;) {
            let piece = first_piece(pixel, samples);
            samples &= ~piece.samples;
            keep_light(pixel, piece.samples, expose(max(underside_light(piece.seen) + shafts, vec3(0.0))));
        }
    }
}

@compute @workgroup_size(8, 8)
fn open_water(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_id) lane: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let side = eye_side(displaced_vertices[mesh.eye_vertex]);
    let count = select(light_tiles.counts[VISIBLE_NOTHING], 0u, side == EYE_ABOVE);
    for (var i = group.x; i < count; i += groups.x) {
        let tile = light_tile(VISIBLE_NOTHING, i);
        var shafts = vec3(0.0);
        if SHAFT_STEPS > 0u {
            follow_shafts(tile, thread);
            shafts = shafts_at(lane.xy);
        }
        let pixel = tile + lane.xy;
        let direction = normalize(ray_through(vec2<f32>(pixel) + 0.5));
        let samples = samples_of_nothing(pixel);
        if samples != 0u && begins_in_water(pixel, direction, side) {
            shade_by_clouds(vec3(0.0), 1.0);
            let down = vec3(direction.x, min(direction.y, 0.0), direction.z);
            let light = water_seen_down(mesh.eye_m, normalize(down), view.pixel_angle_rad) + shafts;
            keep_light(pixel, samples, expose(max(light, vec3(0.0))));
        }
    }
}

// The light of the surface from below, through the water to the eye.
fn underside_light(seen: SurfaceSeen) -> vec3<f32> {
    let distance_m = length(seen.relative);
    let direction = seen.relative / distance_m;
    let surface = ocean_surface(seen.position, seen.ddx, seen.ddy);
    let footprint_m = sqrt(max(length(seen.ddx) * length(seen.ddy), 1e-8));
    shade_by_clouds(seen.relative, footprint_m);

    let normal = ocean_normal(surface);
    let slope = -normal.xz / max(normal.y, 0.05);
    let covariance = surface.lost + water.base_covariance;
    let to_eye = upside_down(-direction);
    let visible = facets_visible(Facets(-slope, covariance), to_eye);
    let place_m = mesh.eye_m + seen.relative;
    let mean = underside_facet(facet_normal(visible.slope), to_eye, sqrt(visible.variance));
    var objects: UndersideObjects;
    if NEAR_OBJECTS {
        // The facets all together blur them enough.
        objects = underside_objects(mean, place_m, view.pixel_angle_rad * distance_m);
    }
    var radiance = vec3(0.0);
    if SKY_NODES {
        let nodes = facets_nodes(visible, to_eye);
        let azimuth = to_eye.xz / max(length(to_eye.xz), 1e-4);
        let along = dot(visible.slope, azimuth);
        let deviation = NODE_DEVIATION * sqrt(visible.variance);
        for (var i = 0u; i < 3u; i++) {
            let turned = visible.slope + (nodes.slopes[i] - along) * azimuth;
            let facet = underside_facet(facet_normal(turned), to_eye, deviation);
            radiance += nodes.weights[i] * underside_radiance(facet, objects, place_m);
        }
    } else {
        radiance = underside_radiance(mean, objects, place_m);
    }
    radiance += sun_radiance()
        * refracted_glitter(Facets(slope, covariance), visible, -direction, sun_direction());

    // Foam lets some of the light through, in all directions.
    let whitecaps = foam_seen(seen.position, footprint_m, seen.gathered);
    let foam = foam_broken_up(whitecaps, seen.position, footprint_m);
    let through = (1.0 - foam_thick_albedo(whitecaps.albedo, foam.relief)) * light_entering() * (1.0 / PI);
    radiance = mix(radiance, through, foam.cover);
    // The water on the way has the light at the eye, which sees no farther than that changes.
    shade_by_clouds(vec3(0.0), 1.0);
    let path = water_path(eye_depth_m(), direction, distance_m);
    return radiance * path.transmittance + path.added;
}
