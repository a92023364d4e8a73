// A pass of its own for what smooth_store_pair.wgsl does within a line's kernel, where no workgroup
// holds a whole line: an invocation takes a pair of results from scratch memory. The plan puts in
// front PAIRS, their number in a line, and LINES_OF_IMAGE.

#import "fft/common.wgsl"

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let index = workgroup_in_layer(workgroup, workgroups) * WORKGROUP_SIZE + invocation;
    if (index >= LINES_OF_IMAGE * PAIRS) {
        return;
    }
    // Neighbouring invocations touch neighbouring memory.
    var k = index % PAIRS;
    var line = index / PAIRS;
    if (!ROWS) {
        k = index / LINES_OF_IMAGE;
        line = index % LINES_OF_IMAGE;
    }
    let layer = workgroup.y;
    let other = select(LENGTH - k, LENGTH / 2u, k == 0u);
    leave_pair(layer, line, k, load_point(layer, line, k), load_point(layer, line, other));
}
