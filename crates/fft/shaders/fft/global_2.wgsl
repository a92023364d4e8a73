// The 2-point kernel, FFT_MS_2 of Ukidave et al. (global_stage.wgsl has the source).

#import "fft/global_stage.wgsl"

fn transform_points(thread: Thread) {
    let a = load_point(thread.layer, thread.line, thread.gid);
    let b = load_twiddled(thread, 1u);
    store_result(thread, 0u, a + b);
    store_result(thread, 1u, a - b);
}
