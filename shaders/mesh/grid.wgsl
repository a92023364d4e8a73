// The grid with level of detail: continuous distance-dependent level of detail (Strugar,
// "Continuous Distance-Dependent Level of Detail for Rendering Heightmaps", 2010). Tiles of one
// square mesh; every vertex slides onto the coarser grid before its tile is replaced by one of
// twice the spacing. CPU twin: mesh/grid.rs.

struct MeshUniform {
    // The eye from the anchor, a point of the lattice beneath it at still water.
    eye_m: vec3<f32>,
    // Metres between points of the lattice: the finest level's spacing.
    finest_spacing_m: f32,
    // Cells along one side of a tile, even.
    tile_cells: u32,
    // Waves fade between these distances, where they grow smaller than a pixel.
    fade_start_m: f32,
    fade_end_m: f32,
    // The vertex after those of all tiles, which holds the water over or under the eye; NO_EYE_VERTEX where no
    // wave can cover the eye.
    eye_vertex: u32,
}

@group(0) @binding(1) var<uniform> mesh: MeshUniform;

const NO_EYE_VERTEX: u32 = 0xffffffffu;

const EARTH_RADIUS_M: f32 = 6371000.0;

// The shares of a level's range at which its vertices start and end to slide. They end a little early, against
// rounding.
const MORPH_START: f32 = 0.75;
const MORPH_END: f32 = 0.98;

struct GridVertex {
    // On still water, in metres from the anchor.
    position: vec2<f32>,
    // Spacing of the vertices around it; grows continuously with distance.
    spacing_m: f32,
}

fn grid_morph(distance_m: f32, range_m: f32) -> f32 {
    return saturate((distance_m / range_m - MORPH_START) / (MORPH_END - MORPH_START));
}

// The cell of a tile whose first corner a vertex is.
fn grid_cell(vertex_index: u32) -> vec2<u32> {
    let row = mesh.tile_cells + 1u;
    let z = vertex_index / row;
    return vec2(vertex_index - z * row, z);
}

// `tile` is (x and z of its corner, spacing), in units of the lattice, and the range of its level in
// metres. The first three are whole numbers that f32 holds exactly, so that two tiles agree to the last
// bit on the vertices they share.
fn grid_vertex(tile: vec4<f32>, cell: vec2<u32>) -> GridVertex {
    let lattice = tile.xy + vec2<f32>(cell) * tile.z;
    let offset = lattice * mesh.finest_spacing_m - mesh.eye_m.xz;
    let spacing_m = tile.z * mesh.finest_spacing_m;
    let morph = grid_morph(length(vec3(offset.x, mesh.eye_m.y, offset.y)), tile.w);
    let odd = vec2<f32>(cell & vec2(1u));
    var out: GridVertex;
    out.position = (lattice - odd * (tile.z * morph)) * mesh.finest_spacing_m;
    out.spacing_m = spacing_m * (1.0 + morph);
    return out;
}

// The depth of the sea below the plane that touches it at the anchor, at a horizontal offset from there.
fn earth_drop(offset: vec2<f32>) -> f32 {
    return dot(offset, offset) / (2.0 * EARTH_RADIUS_M);
}

// The drawn share of the waves' displacement at a distance.
fn wave_fade(distance_m: f32) -> f32 {
    return 1.0 - smoothstep(mesh.fade_start_m, mesh.fade_end_m, distance_m);
}
