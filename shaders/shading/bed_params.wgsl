// The parameters of the kernels that make the map of the bed. Positions are in metres from the anchor.

struct BedLevel {
    // The place at rest of the first corner of the mesh that sunlight carries to the bed.
    first_m: vec2<f32>,
    spacing_m: f32,
    // The number of corners along a side.
    corners: u32,
    // The corner of the level, and of its caustics.
    origin_m: vec2<f32>,
    // The side of a cell of the caustics, and their number along a side.
    cell_m: f32,
    cells: u32,
    // The corner of the level in the period of the bed (`BED_PERIOD_M`).
    origin_in_period_m: vec2<f32>,
    texel_m: f32,
    // The deviation by which caustics are blurred, in cells.
    blur_cells: f32,
}

struct BedParams {
    to_sun: vec3<f32>,
    // The depth at which caustics are shown.
    caustics_depth_m: f32,
    // The wave vector of ripples, in ripples per metre.
    ripples: vec2<f32>,
    // The depth of the bed under still water; 0 where there is none.
    depth_m: f32,
    // Texels along a side of each level.
    texels: u32,
    // 1 for a reef, 0 for sand.
    reef: f32,
    // The number of levels with caustics.
    caustic_levels: u32,
    @align(16) levels: array<BedLevel, 4>,
}

// The light in a cell for a mean of 1.
const CAUSTIC_UNIT: f32 = 65536.0;

@group(0) @binding(0) var<uniform> bed_params: BedParams;
