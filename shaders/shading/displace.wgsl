// Places the vertices of the frame's tiles on the waves, once for all passes that draw them. Each workgroup
// takes 64 vertices of a tile (x), for each tile (y).
#import "mesh/grid.wgsl"
#import "mesh/displaced.wgsl"
#import "shading/crest.wgsl"

@group(0) @binding(2) var<storage, read_write> displaced: array<DisplacedVertex>;
// The tiles in the layout of `grid_vertex`.
@group(0) @binding(3) var<storage, read> tiles: array<vec4<f32>>;

// Finds the water over or under the eye: the vertex whose displacement brings it there, by fixed-point iteration.
fn place_eye_vertex() {
    var place = mesh.eye_m.xz;
    var displacement = vec3(0.0);
    for (var i = 0u; i < EYE_STEPS; i++) {
        displacement = ocean_displacement(place, mesh.finest_spacing_m);
        place = mesh.eye_m.xz - displacement.xz;
    }
    displaced[mesh.eye_vertex] = DisplacedVertex(vec3(0.0, displacement.y - mesh.eye_m.y, 0.0), 0u);
}

const EYE_STEPS: u32 = 8u;

@compute @workgroup_size(64)
fn displace(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let vertices = (mesh.tile_cells + 1u) * (mesh.tile_cells + 1u);
    let index = 64u * workgroup.x + lane;
    for (var places = index + workgroup.y == 0u && mesh.eye_vertex != NO_EYE_VERTEX; places; places = false) {
        place_eye_vertex();
    }
    if index >= vertices {
        return;
    }
    let grid = grid_vertex(tiles[workgroup.y], grid_cell(index));
    let offset = grid.position - mesh.eye_m.xz;
    let fade = wave_fade(length(vec3(offset.x, mesh.eye_m.y, offset.y)));
    var displacement = vec3(0.0);
    for (var near = fade > 0.0; near; near = false) {
        displacement = fade * ocean_displacement(grid.position, grid.spacing_m);
    }
    let relative = vec3(offset.x, -mesh.eye_m.y - earth_drop(offset), offset.y) + displacement;

    let beyond = foam_is_mean(grid.position);
    // The height over still water.
    let height_m = displacement.y;
    let above = crest_height(height_m);
    var gathered = 1.0;
    var through_crest = 0.0;
    // A loop and no branch: a software adapter works on both sides of a branch.
    for (var looks = beyond || above > 0.0; looks; looks = false) {
        let coarsest_m = foam_map.windows[max(foam_map.level_count, 1u) - 1u].texel_m;
        let shortest_m = select(CREST_SHORTEST * water.height_deviation_m, coarsest_m, beyond);
        let side_m = max(grid.spacing_m, shortest_m);
        let full = ocean_full_surface(grid.position, vec2(side_m, 0.0), vec2(0.0, side_m));
        let surface = ocean_with_choppiness(full, ocean_maps.choppiness);
        gathered = select(1.0, foam_gathered(surface), beyond);
        through_crest = above * dot(crest_light(full, height_m, relative), vec3(1.0 / 3.0));
    }
    displaced[workgroup.y * vertices + index] =
        DisplacedVertex(relative, pack2x16float(vec2(gathered, through_crest)));
}
