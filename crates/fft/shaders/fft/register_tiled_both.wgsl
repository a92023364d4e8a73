// One dispatch for both axes: a workgroup transforms rows, and then as many columns. Each of its invocations waits
// for the values of its column by itself (register_tiled_waiting.wgsl). The functions of the columns bear the name of
// their axis. With rows of LAYERS_IN_TURN layers, a workgroup has the columns of these layers.

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    begin_turn(workgroup.y * LAYER_WORKGROUPS + workgroup.x);
    transform_line(workgroup.y, find_place(workgroup.x, invocation));
    let place = column_find_place(workgroup.x, invocation);
    for (var n = 0u; n < LAYERS_IN_TURN; n += 1u) {
        // Until then the rows, or the columns of the layer before, use the workgroup's memory.
        workgroupBarrier();
        column_transform_line(workgroup.y * LAYERS_IN_TURN + n, place);
    }
    if (invocation == 0u) {
        end_turn();
    }
}
