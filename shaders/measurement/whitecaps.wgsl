// The share of the sea that drawn foam covers: points all over a square count by the area of their water, block
// by block.

#import "maps/sample.wgsl"
#import "foam/sample.wgsl"

struct WhitecapSquare {
    // The middle of the square, from the ocean's origin.
    middle_m: vec2<f32>,
    half_m: f32,
    // The footprint of a pixel there.
    footprint_m: f32,
}

@group(0) @binding(0) var<uniform> square: WhitecapSquare;
// [block]: the covered area of the points, and their area.
@group(0) @binding(1) var<storage, read_write> blocks: array<vec2<f32>>;

const BLOCKS_A_SIDE: u32 = 16u;
const POINTS_A_SIDE: u32 = 8u;
const POINTS: u32 = POINTS_A_SIDE * POINTS_A_SIDE;

var<workgroup> sums: array<vec2<f32>, POINTS>;

@compute @workgroup_size(8, 8)
fn whitecaps(
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    let along = (vec2<f32>(id.xy) + 0.5) / f32(BLOCKS_A_SIDE * POINTS_A_SIDE);
    let position = square.middle_m + square.half_m * (2.0 * along - 1.0);
    let surface = ocean_surface(
        position, vec2(square.footprint_m, 0.0), vec2(0.0, square.footprint_m));
    // Folded water has no visible area.
    let area = max(ocean_jacobian(surface), 0.0);
    sums[index] = vec2(area * foam_share(foam_at(position, square.footprint_m)), area);
    workgroupBarrier();
    for (var half = POINTS / 2u; half > 0u; half /= 2u) {
        if index < half {
            sums[index] += sums[index + half];
        }
        workgroupBarrier();
    }
    if index == 0u {
        blocks[block.y * BLOCKS_A_SIDE + block.x] = sums[0];
    }
}
