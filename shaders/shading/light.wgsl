// Lights the water, once for each piece of it that a pixel sees.
#import "shading/surface.wgsl"

@compute @workgroup_size(8, 8)
fn light(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_id) lane: vec3<u32>,
) {
    let near = select(VISIBLE_WATER_MIRRORING, VISIBLE_WATER_NEAR_OBJECTS, NEAR_OBJECTS);
    let list = select(VISIBLE_WATER, near, MIRRORS_OBJECTS);
    for (var i = group.x; i < light_tiles.counts[list]; i += groups.x) {
        let tile = light_tile(list, i);
        look_for_objects_of(tile);
        light_pixel(tile + lane.xy);
    }
}

fn light_pixel(pixel: vec2<u32>) {
    var samples = samples_of_kind(pixel, VISIBLE_WATER);
    for (; samples != 0u;) {
        let piece = first_piece(pixel, samples);
        samples &= ~piece.samples;
        keep_light(pixel, piece.samples, water_light(piece.seen));
    }
}
