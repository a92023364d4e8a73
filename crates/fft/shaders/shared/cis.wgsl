// e^(i phi) from a phase in integer turns. WGSL promises sin and cos an absolute error of 2^-11
// only, and only on [-pi, pi]; this is within 1.5e-7 everywhere and the same on every device.

// (cos, sin) of `turns` 2^-32 turns.
fn cis_turns(turns: u32) -> vec2<f32> {
    // The nearest quarter turn, and what is left of it: exact in integers.
    let quarter = (turns + 0x20000000u) >> 30u;
    let rest = bitcast<i32>(turns - (quarter << 30u));
    let x = f32(rest) * 1.4629180792671596e-9; // 2 pi 2^-32

    // Taylor's series on [-pi/4, pi/4]; the first terms left out are below 2e-9.
    let x2 = x * x;
    let sin_x = x + x * x2 * (-1.6666666667e-1 + x2 * (8.3333333333e-3
        + x2 * (-1.9841269841e-4 + x2 * 2.7557319224e-6)));
    let cos_x = 1.0 + x2 * (-0.5 + x2 * (4.1666666667e-2
        + x2 * (-1.3888888889e-3 + x2 * (2.4801587302e-5 - x2 * 2.7557319224e-7))));

    // Turn by the quarters: (c, s), (-s, c), (-c, -s), (s, -c).
    let swapped = select(vec2(cos_x, sin_x), vec2(-sin_x, cos_x), (quarter & 1u) == 1u);
    return select(swapped, -swapped, (quarter & 2u) == 2u);
}
