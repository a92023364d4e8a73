// Values painted on the water in place of light, piece by piece. The target takes sRGB-encoded colours, shown
// as they are.
#import "shading/surface.wgsl"
#import "debug_view/colours.wgsl"

// The ends of the scales (src/debug_view/legend.rs).
const DEBUG_JACOBIAN_REACH: f32 = 1.0;
const DEBUG_ROUGHNESS_MOST: f32 = 0.3;
const DEBUG_CAUSTICS_MOST: f32 = 3.0;

// The background is one dark colour, since a sky could be mistaken for a value.
const DEBUG_BACKGROUND: vec3<f32> = vec3(0.115, 0.13, 0.145);

// The samples of a pixel that see water. The others get the background.
fn debug_samples(pixel: vec2<u32>) -> u32 {
    keep_light(pixel, samples_of_nothing(pixel), DEBUG_BACKGROUND);
    return samples_of_kind(pixel, VISIBLE_WATER) | samples_of_kind(pixel, VISIBLE_UNDERSIDE);
}

// The area relative to that at rest: red is compressed, blue is stretched, the mark has folded over.
@compute @workgroup_size(8, 8)
fn jacobian(@builtin(global_invocation_id) id: vec3<u32>) {
    var samples = debug_samples(id.xy);
    for (; samples != 0u;) {
        let piece = first_piece(id.xy, samples);
        samples &= ~piece.samples;
        let seen = piece.seen;
        let j = ocean_jacobian(ocean_surface(seen.position, seen.ddx, seen.ddy));
        let colour = debug_diverging((1.0 - j) / DEBUG_JACOBIAN_REACH);
        keep_light(id.xy, piece.samples, select(colour, DEBUG_MARK, j < 0.0));
    }
}

// The root mean square of the slopes that the pixel averages away.
@compute @workgroup_size(8, 8)
fn roughness(@builtin(global_invocation_id) id: vec3<u32>) {
    var samples = debug_samples(id.xy);
    for (; samples != 0u;) {
        let piece = first_piece(id.xy, samples);
        samples &= ~piece.samples;
        let lost = ocean_surface(piece.seen.position, piece.seen.ddx, piece.seen.ddy).lost;
        let rough = sqrt(max(lost.x + lost.y, 0.0));
        keep_light(id.xy, piece.samples, debug_sequential(rough / DEBUG_ROUGHNESS_MOST));
    }
}

// The foam's share of the water, before its pattern.
@compute @workgroup_size(8, 8)
fn foam(@builtin(global_invocation_id) id: vec3<u32>) {
    var samples = debug_samples(id.xy);
    for (; samples != 0u;) {
        let piece = first_piece(id.xy, samples);
        samples &= ~piece.samples;
        let seen = piece.seen;
        let footprint_m = sqrt(max(length(seen.ddx) * length(seen.ddy), 1e-8));
        let share = foam_seen(seen.position, footprint_m, seen.gathered).share;
        keep_light(id.xy, piece.samples, debug_sequential(share));
    }
}

// The samples of a pixel that see nothing, through water.
fn debug_open_water(pixel: vec2<u32>) -> u32 {
    let side = select(eye_side(displaced_vertices[mesh.eye_vertex]), EYE_ABOVE, mesh.eye_vertex == NO_EYE_VERTEX);
    let direction = normalize(ray_through(vec2<f32>(pixel) + 0.5));
    return select(0u, samples_of_nothing(pixel), begins_in_water(pixel, direction, side));
}

// The light that has come through the surface at a place, relative to its mean, where the sun's way through the
// water leads, and on the level at which waves focus it.
@compute @workgroup_size(8, 8)
fn caustics(@builtin(global_invocation_id) id: vec3<u32>) {
    let direction = normalize(ray_through(vec2<f32>(id.xy) + 0.5));
    let level_m = max(mesh.eye_m.y + sky.bed.caustics_depth_m, 0.0) / max(-direction.y, 0.01);
    let open = debug_open_water(id.xy);
    var samples = debug_samples(id.xy) | open;
    for (; samples != 0u;) {
        var these = samples & open;
        var under = mesh.eye_m.xz + direction.xz * level_m;
        var footprint_m = view.pixel_angle_rad * level_m;
        for (var on_surface = these == 0u; on_surface; on_surface = false) {
            let piece = first_piece(id.xy, samples);
            let seen = piece.seen;
            let place_m = mesh.eye_m + seen.relative;
            these = piece.samples;
            under = place_m.xz + sky.bed.sun_shift * (sky.bed.caustics_depth_m + place_m.y);
            footprint_m = sqrt(max(length(seen.ddx) * length(seen.ddy), 1e-8));
        }
        samples &= ~these;
        keep_light(id.xy, these, debug_sequential(bed_at(under, footprint_m).x / DEBUG_CAUSTICS_MOST));
    }
}

// Whether lines of sight begin in the air or in the water.
@compute @workgroup_size(8, 8)
fn medium(@builtin(global_invocation_id) id: vec3<u32>) {
    let pixel = id.xy;
    keep_light(pixel, samples_of_nothing(pixel), DEBUG_BACKGROUND);
    keep_light(pixel, debug_open_water(pixel), debug_category(2u));
    keep_light(pixel, samples_of_kind(pixel, VISIBLE_OBJECT), DEBUG_BACKGROUND);
    keep_light(pixel, samples_of_kind(pixel, VISIBLE_WATER), debug_category(0u));
    keep_light(pixel, samples_of_kind(pixel, VISIBLE_UNDERSIDE), debug_category(1u));
}

// A triangle of the grid where a pixel sees it.
struct GridSeen {
    // The place in cells from the tile's corner, with whole numbers at the vertices, and its change per pixel.
    cell: vec2<f32>,
    dx: vec2<f32>,
    dy: vec2<f32>,
    level: u32,
    // Light from a fixed direction on the triangle itself.
    shade: f32,
}

fn grid_seen(pixel: vec2<u32>, these: Alike) -> GridSeen {
    let met = meet(these.visible, point_at(pixel, these.offset));
    let others = vec4<f32>(visible_others(these.visible));
    let cells = mat2x2(others.xy, others.zw);
    let across = cross(met.b.relative - met.a.relative, met.c.relative - met.a.relative);
    let normal = across / max(length(across), 1e-20);
    let upwards = select(normal, -normal, normal.y < 0.0);
    var out: GridSeen;
    out.cell = vec2<f32>(grid_cell(visible_corner(these.visible))) + cells * met.share;
    out.dx = cells * met.share_dx;
    out.dy = cells * met.share_dy;
    out.level = u32(round(log2(tiles[visible_tile(these.visible)].z)));
    out.shade = 0.45 + 0.55 * abs(dot(upwards, vec3(0.48, 0.8, 0.36)));
    return out;
}

// Returns 1 where the pixel lies on a whole number of `along`, which changes by `step` a pixel.
fn line_at(along: f32, step: f32) -> f32 {
    return saturate(1.2 - abs(fract(along + 0.5) - 0.5) / max(step, 1e-6));
}

// The coarseness of the grid, with the tiles' edges.
@compute @workgroup_size(8, 8)
fn lod(@builtin(global_invocation_id) id: vec3<u32>) {
    var samples = debug_samples(id.xy);
    for (; samples != 0u;) {
        let these = alike(id.xy, samples);
        samples &= ~these.samples;
        let grid = grid_seen(id.xy, these);
        let cells = f32(mesh.tile_cells);
        let step = (abs(grid.dx) + abs(grid.dy)) / cells;
        let edges =
            vec2(line_at(grid.cell.x / cells, step.x), line_at(grid.cell.y / cells, step.y));
        // Tiles of a few pixels are all edge.
        let edge = max(edges.x, edges.y) * saturate(0.08 / max(step.x, step.y));
        let colour = debug_category(grid.level) * grid.shade;
        keep_light(id.xy, these.samples, mix(colour, vec3(0.04), 0.75 * edge));
    }
}

// The triangles' edges: a cell's own, and its diagonal from corner to corner, where both coordinates are
// equally far. The rates of change give a pixel's distance to each, without line primitives or polygon modes,
// which WebGPU lacks.
@compute @workgroup_size(8, 8)
fn wireframe(@builtin(global_invocation_id) id: vec3<u32>) {
    var samples = debug_samples(id.xy);
    for (; samples != 0u;) {
        let these = alike(id.xy, samples);
        samples &= ~these.samples;
        let grid = grid_seen(id.xy, these);
        let step = abs(grid.dx) + abs(grid.dy);
        let diagonal_step = abs(grid.dx.x - grid.dx.y) + abs(grid.dy.x - grid.dy.y);
        let lines = max(
            max(line_at(grid.cell.x, step.x), line_at(grid.cell.y, step.y)),
            line_at(grid.cell.x - grid.cell.y, diagonal_step),
        );
        // Cells as small as lines are filled by them, and their mean has no moire.
        let line = mix(0.6, lines, saturate(2.0 - 4.0 * max(step.x, step.y)));
        let colour = mix(vec3(0.10, 0.13, 0.16), debug_category(grid.level), 0.9 * line);
        keep_light(id.xy, these.samples, colour * grid.shade);
    }
}
