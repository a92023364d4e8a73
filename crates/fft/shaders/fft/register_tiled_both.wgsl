// One dispatch for both axes: a workgroup transforms rows, waits until all rows of the image have been
// stored, and transforms as many columns. The functions of the columns bear the name of their axis. With rows of
// LAYERS_IN_TURN layers, it has the columns of these layers.

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    transform_line(workgroup.y, find_place(workgroup.x, invocation));
    if (has_layer_arrived(workgroup.y, LAYER_WORKGROUPS, invocation)) {
        let place = column_find_place(workgroup.x, invocation);
        for (var n = 0u; n < LAYERS_IN_TURN; n += 1u) {
            if (n > 0u) {
                // The values that the layer before has exchanged have been read.
                workgroupBarrier();
            }
            column_transform_line(workgroup.y * LAYERS_IN_TURN + n, place);
        }
    }
}
