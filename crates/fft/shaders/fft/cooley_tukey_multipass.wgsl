// Radix-2 Cooley-Tukey, decimation in time, in global memory: one dispatch a stage, one butterfly an
// invocation, with the bit reversal on the loads of the first stage.
//
// Mota, High Performance Fourier Transforms on GPUs (2022), section 5.3.1 and listings A.1 and A.2;
// `shift` and `idx` are named as there. Different here: but where `ping-pong` says `image`, the stages
// between the first and the last of an axis write the two points that they have read, in place, where
// the thesis alternates between two images at every stage; in images, too, the first stage loads the
// caller's buffer and the last stores to it; and a column pass does not scale, since a plan here never
// does.

#import "fft/bit_reverse.wgsl"
#import "fft/common.wgsl"

// What changes from stage to stage, so that all stages share one pipeline.
struct Stage {
    // Its number in this axis, from 0.
    number: u32,
    // 1 where the points are to be read in bit-reversed order.
    reverse: u32,
}

@group(0) @binding(3) var<uniform> stage: Stage;

const HALF: u32 = LENGTH / 2u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let index = workgroup_in_layer(workgroup, workgroups) * WORKGROUP_SIZE + invocation;
    if (index >= IMAGE_LINES * HALF) {
        return;
    }
    // Neighbouring invocations touch neighbouring memory: along a row, or across columns.
    var j = index % HALF;
    var line = index / HALF;
    if (!ROWS) {
        j = index / IMAGE_LINES;
        line = index % IMAGE_LINES;
    }
    let layer = workgroup.y;

    // The distance between the two points of a butterfly.
    let shift = 1u << stage.number;
    let within = j & (shift - 1u);
    let idx = within + 2u * (j - within);
    var from_a = idx;
    var from_b = idx + shift;
    if (stage.reverse == 1u) {
        from_a = bit_reverse(from_a);
        from_b = bit_reverse(from_b);
    }
    let a = load_point(layer, line, from_a);
    let b = load_point(layer, line, from_b);
    // The angle 2 pi within / (2 shift), as a fraction of N.
    let wb = times(b, twiddle(within * (HALF >> stage.number)));
    store_point(layer, line, idx, a + wb);
    store_point(layer, line, idx + shift, a - wb);
}
