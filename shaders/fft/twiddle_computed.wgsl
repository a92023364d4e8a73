// Twiddle factors from a polynomial whose error WGSL cannot change: the angle is exact, in units of
// 2^-32 turns.

#import "shared/cis.wgsl"

// exp(SIGN 2 pi i k / LENGTH), for k < LENGTH.
fn twiddle(k: u32) -> vec2<f32> {
    let w = cis_turns(k << (32u - LOG2_LENGTH));
    return vec2(w.x, SIGN * w.y);
}
