// Twiddle factors from the device's own sine and cosine, of which WGSL promises no more than an
// absolute error of 2^-11; the accuracy of the transform is the device's.

// exp(SIGN 2 pi i k / PERIOD), for k < PERIOD.
fn twiddle(k: u32) -> vec2<f32> {
    let angle = SIGN * (6.283185307179586 / f32(PERIOD)) * f32(k);
    return vec2(cos(angle), sin(angle));
}
