// Transposes each layer, tile by tile through workgroup memory, so that both the loads and the
// stores of neighbouring invocations touch neighbouring memory.
//
// Ukidave, Schirner, Kaeli, Fast Fourier Transform (FFT) on GPUs, section 16.3 and figure 16.6.
// Different here: rows of a tile lie PITCH = TILE + 1 slots apart, against bank conflicts; tiles at
// the edges may be cut off; an invocation takes several points where a tile has more.

#import "fft/common.wgsl"

const TILES_ACROSS: u32 = (WIDTH + TILE - 1u) / TILE;
const TILES_DOWN: u32 = (HEIGHT + TILE - 1u) / TILE;

var<workgroup> points: array<Element, TILE * PITCH>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let tile = workgroup_in_layer(workgroup, workgroups);
    if (tile >= TILES_ACROSS * TILES_DOWN) {
        return;
    }
    let layer = workgroup.y;
    let first_x = (tile % TILES_ACROSS) * TILE;
    let first_y = (tile / TILES_ACROSS) * TILE;

    for (var i = invocation; i < TILE * TILE; i += WORKGROUP_SIZE) {
        let x = i % TILE;
        let y = i / TILE;
        if (first_x + x < WIDTH && first_y + y < HEIGHT) {
            points[y * PITCH + x] = load(layer, first_y + y, first_x + x);
        }
    }
    workgroupBarrier();
    for (var i = invocation; i < TILE * TILE; i += WORKGROUP_SIZE) {
        let y = i % TILE;
        let x = i / TILE;
        if (first_x + x < WIDTH && first_y + y < HEIGHT) {
            // Row x of the transposed image has HEIGHT points.
            store(layer, first_x + x, first_y + y, points[y * PITCH + x]);
        }
    }
}
