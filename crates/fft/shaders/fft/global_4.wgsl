// The 4-point kernel, FFT_MS_4 of Ukidave et al. (global_stage.wgsl has the source).

#import "fft/global_stage.wgsl"
#import "fft/radix4.wgsl"

fn transform_points(thread: Thread) {
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
