// Lights the objects that samples see. Groups: 0 view, grid, visible triangles, and lights, 2 the sky, 3 the
// objects.
#import "objects/shade.wgsl"
#import "shading/lights.wgsl"
#import "mesh/displaced.wgsl"

@group(0) @binding(2) var<storage, read> displaced_vertices: array<DisplacedVertex>;

// Returns the turn of the normal from a pixel to the one at `offset`, if that sees the same part.
fn turned_to(pixel: vec2<u32>, offset: vec2<u32>, first: u32, seen: vec2<u32>) -> vec3<f32> {
    let other = visible_at(pixel + offset, first);
    let is_same = textureLoad(depth, pixel + offset, i32(first)).x > 0.0 && (other.x >> 7u) == (seen.x >> 7u);
    return select(vec3(0.0), object_of(other).normal - object_of(seen).normal, is_same);
}

@compute @workgroup_size(8, 8)
fn light(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_id) lane: vec3<u32>,
) {
    for (var i = group.x; i < light_tiles.counts[VISIBLE_OBJECT]; i += groups.x) {
        light_pixel(light_tile(VISIBLE_OBJECT, i) + lane.xy);
    }
}

fn light_pixel(pixel: vec2<u32>) {
    var samples = samples_of_kind(pixel, VISIBLE_OBJECT);
    for (; samples != 0u;) {
        // Samples that see the same part are lit as one.
        let first = countTrailingZeros(samples);
        let number = visible_at(pixel, first);
        let seen = object_of(number);
        var alike = 0u;
        var normal = vec3(0.0);
        var openness = 0.0;
        var relative = vec3(0.0);
        for (var sample = first; sample < SAMPLES; sample++) {
            let other = visible_at(pixel, sample);
            if ((samples >> sample) & 1u) != 0u && (other.x >> 7u) == (number.x >> 7u) {
                alike |= 1u << sample;
                let here = object_of(other);
                normal += here.normal;
                openness += here.openness;
                let ray = ray_through(vec2<f32>(pixel) + 0.5 + sample_offset(sample));
                relative += ray * (NEAR_M / textureLoad(depth, pixel, i32(sample)).x);
            }
        }
        samples &= ~alike;
        let count = f32(countOneBits(alike));
        // The turn of the normal within a pixel is roughness (Tokuyoshi and Kaplanyan 2019).
        let turn_x = turned_to(pixel, vec2(1u, 0u), first, number);
        let turn_y = turned_to(pixel, vec2(0u, 1u), first, number);
        let turned = min(0.5 * (dot(turn_x, turn_x) + dot(turn_y, turn_y)), 0.18);
        let pose = posed[seen.object];
        let place = relative / count;
        let local = (place - object_foot(pose)) * object_axes(pose);
        let light = object_seen_light(
            place, local, normalize(normal), ObjectSeen(seen.object, seen.material, openness / count, normal), turned);
        keep_light(pixel, alike, light);
    }
}

// The exposed light from the object to the eye.
fn object_seen_light(
    relative: vec3<f32>, local: vec3<f32>, normal: vec3<f32>, seen: ObjectSeen, turned: f32,
) -> vec3<f32> {
    let distance_m = length(relative);
    let direction = relative / distance_m;
    let radiance =
        object_light(relative, local, normal, seen, turned, direction, distance_m * view.pixel_angle_rad);
    if begins_in_water(local.y - posed[seen.object].waterline_m) {
        shade_by_clouds(vec3(0.0), 1.0);
        let path = water_path(max(-view.height_m, 0.0), direction, distance_m);
        return expose(radiance * path.transmittance + path.added);
    }
    return expose(aerial_perspective(radiance, direction, distance_m));
}

// Returns whether there is water between the eye and a place of an object, at that height over its
// waterline, which tells where the surface crosses the picture.
fn begins_in_water(over_water_m: f32) -> bool {
    if mesh.eye_vertex == NO_EYE_VERTEX {
        return false;
    }
    let side = eye_side(displaced_vertices[mesh.eye_vertex]);
    return side == EYE_BELOW || (side == EYE_AT_SURFACE && over_water_m < 0.0);
}

