// The 8-point kernel, FFT_MS_8 of Ukidave et al. (global_stage.wgsl has the source), as two
// four-point transforms and four butterflies between them.

#import "fft/global_stage.wgsl"
#import "fft/radix4.wgsl"

// sqrt(1/2), the real part of an eighth of a turn.
const EIGHTH: f32 = 0.7071067811865476;

fn transform_points(thread: Thread) {
    let even = butterfly(Four(
        load_point(thread.layer, thread.line, thread.gid),
        load_twiddled(thread, 2u),
        load_twiddled(thread, 4u),
        load_twiddled(thread, 6u),
    ));
    let odd = butterfly(Four(
        load_twiddled(thread, 1u),
        load_twiddled(thread, 3u),
        load_twiddled(thread, 5u),
        load_twiddled(thread, 7u),
    ));
    // The odd half turned by 0, 1, 2 and 3 eighths.
    let b = times(odd.b, vec2(EIGHTH, SIGN * EIGHTH));
    let c = SIGN * times_i(odd.c);
    let d = times(odd.d, vec2(-EIGHTH, SIGN * EIGHTH));
    store_result(thread, 0u, even.a + odd.a);
    store_result(thread, 1u, even.b + b);
    store_result(thread, 2u, even.c + c);
    store_result(thread, 3u, even.d + d);
    store_result(thread, 4u, even.a - odd.a);
    store_result(thread, 5u, even.b - b);
    store_result(thread, 6u, even.c - c);
    store_result(thread, 7u, even.d - d);
}
