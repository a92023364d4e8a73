// The first stages of radix-2 Cooley-Tukey, decimation in time: a workgroup takes one block of POINTS
// points through its LOG2_POINTS stages in workgroup memory, with the bit reversal on its loads. The
// stages after them combine points of several blocks (cooley_tukey_multipass.wgsl).
//
// Zhang, Shen, Xu and Wang, Design and Implementation of Parallel FFT on CUDA, section 3.3.3 and
// figure 5: there 128 threads take 256 points through 8 stages.

#import "fft/bit_reverse.wgsl"
#import "fft/common.wgsl"

const BLOCKS: u32 = LENGTH / POINTS;
const HALF: u32 = POINTS / 2u;

var<workgroup> points: array<Element, POINTS>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let tile = workgroup_in_layer(workgroup, workgroups);
    if (tile >= IMAGE_LINES * BLOCKS) {
        return;
    }
    // Neighbouring workgroups touch neighbouring memory: along a row, or across columns.
    var line = tile / BLOCKS;
    var first = tile % BLOCKS * POINTS;
    if (!ROWS) {
        line = tile % IMAGE_LINES;
        first = tile / IMAGE_LINES * POINTS;
    }
    let layer = workgroup.y;

    let j = invocation;
    points[j] = load_point(layer, line, bit_reverse(first + j));
    points[j + HALF] = load_point(layer, line, bit_reverse(first + j + HALF));
    workgroupBarrier();

    // All stages but the last, which goes to global memory.
    for (var stage = 0u; stage < LOG2_POINTS - 1u; stage++) {
        let shift = 1u << stage;
        let within = j & (shift - 1u);
        let idx = within + 2u * (j - within);
        // The angle 2 pi within / (2 shift), as a fraction of N.
        let a = points[idx];
        let wb = times(points[idx + shift], twiddle(within * (LENGTH / 2u >> stage)));
        points[idx] = a + wb;
        points[idx + shift] = a - wb;
        workgroupBarrier();
    }

    let a = points[j];
    let wb = times(points[j + HALF], twiddle(j * BLOCKS));
    store_point(layer, line, first + j, a + wb);
    store_point(layer, line, first + j + HALF, a - wb);
}
