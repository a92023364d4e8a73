// Twiddle factors from a texture of rg32float, TABLE_ROW of them in a row of texels: exp(SIGN 2 pi i k / L), which
// the plan computed in double precision, with L = PERIOD * TABLE_STEP as in twiddle_table.

@group(0) @binding(2) var twiddles: texture_2d_array<f32>;

// exp(SIGN 2 pi i k / PERIOD), for k < PERIOD.
fn twiddle(k: u32) -> vec2<f32> {
    let at = k * TABLE_STEP;
    return textureLoad(twiddles, vec2(at % TABLE_ROW, at / TABLE_ROW), 0, 0).xy;
}
