// The factors between real lines and complex ones, as in twiddle_computed.wgsl.

#import "shared/cis.wgsl"

// exp(-2 pi i k / TWISTS), for k < TWISTS.
fn twist(k: u32) -> vec2<Real> {
    var turns = k * TWIST_TURN;
    if (TWIST_REST > 0.0) {
        turns += u32(f32(k) * TWIST_REST);
    }
    let w = cis_turns(turns);
    return vec2(w.x, -w.y);
}
