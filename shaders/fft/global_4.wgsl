// The 4-point kernel, FFT_MS_4 of Ukidave et al. (global_stage.wgsl has the source).

#import "fft/global_stage.wgsl"
#import "fft/radix4.wgsl"

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
    let v = butterfly(Four(
        load_point(thread.layer, thread.line, thread.gid),
        load_twiddled(thread, 1u),
        load_twiddled(thread, 2u),
        load_twiddled(thread, 3u),
    ));
    store_result(thread, 0u, v.a);
    store_result(thread, 1u, v.b);
    store_result(thread, 2u, v.c);
    store_result(thread, 3u, v.d);
}
