// One dispatch for both axes, like register_tiled_both.wgsl: a workgroup transforms rows, and then columns,
// each of whose invocations waits for its own values (register_tiled_waiting.wgsl).

#import "fft/arrivals.wgsl"

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    transform_line(workgroup.y, find_place(workgroup.x, invocation));
    // The columns exchange values where the rows have read theirs.
    workgroupBarrier();
    column_transform_line(workgroup.y, column_find_place(workgroup.x, invocation));
}
