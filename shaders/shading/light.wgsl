// Lights the water: once for each piece of it that a pixel sees.
#import "shading/surface.wgsl"

@compute @workgroup_size(8, 8)
fn light(@builtin(global_invocation_id) id: vec3<u32>) {
    if any(id.xy >= vec2<u32>(view.resolution)) {
        return;
    }
    var samples = samples_of_kind(id.xy, VISIBLE_WATER);
    for (; samples != 0u;) {
        let piece = first_piece(id.xy, samples);
        samples &= ~piece.samples;
        keep_light(id.xy, piece.samples, water_light(piece.seen));
    }
}
