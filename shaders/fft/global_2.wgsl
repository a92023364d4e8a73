// The 2-point kernel, FFT_MS_2 of Ukidave et al. (global_stage.wgsl has the source).

#import "fft/global_stage.wgsl"

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let index = workgroup_in_layer(workgroup, workgroups) * WORKGROUP_SIZE + invocation;
    if (index >= IMAGE_LINES * GBL_SIZE) {
        return;
    }
    let thread = find_thread(workgroup.y, index);
    // Loaded before anything is stored: the last stage may work in place.
    let a = load_point(thread.layer, thread.line, thread.gid);
    let b = load_twiddled(thread, 1u);
    store_result(thread, 0u, a + b);
    store_result(thread, 1u, a - b);
}
