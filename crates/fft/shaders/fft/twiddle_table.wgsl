// Twiddle factors from a table that the plan computed in double precision: exp(SIGN 2 pi i k / L),
// where L = PERIOD * TABLE_STEP is the longest of several, which then share one table.

@group(0) @binding(2) var<storage, read> twiddles: array<vec2<Real>>;

// exp(SIGN 2 pi i k / PERIOD), for k < PERIOD.
fn twiddle(k: u32) -> vec2<Real> {
    return twiddles[k * TABLE_STEP];
}
