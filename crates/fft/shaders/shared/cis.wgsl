// e^(i phi) from a phase in integer turns. WGSL promises sin and cos an absolute error of 2^-11
// only, and only on [-pi, pi]; this is within 1.5e-7 everywhere and the same on every device.

// (cos, sin) of `turns` 2^-32 turns.
fn cis_turns(turns: u32) -> vec2<f32> {
    // The nearest quarter turn in the upper two bits, and what is left of it: exact in integers.
    let quarters = turns + 0x20000000u;
    let rest = bitcast<i32>(turns - (quarters & 0xc0000000u));
    let x = f32(rest) * 1.4629180792671596e-9; // 2 pi 2^-32

    // The polynomials of least error on [-pi/4, pi/4]: below 3e-9.
    let x2 = x * x;
    let sin_x = x + x * x2 * (-1.6666650669e-1 + x2 * (8.3319786592e-3 - x2 * 1.9495635737e-4));
    let cos_x = 1.0 + x2 * (-0.5 + x2 * (4.1666623324e-2
        + x2 * (-1.3886763788e-3 + x2 * 2.4390450134e-5)));

    // Turn by the quarters: (c, s), (-s, c), (-c, -s), (s, -c).
    let swapped = select(vec2(cos_x, sin_x), vec2(sin_x, cos_x), (quarters & 0x40000000u) != 0u);
    let signs = vec2(quarters + 0x40000000u, quarters) & vec2(0x80000000u);
    return bitcast<vec2<f32>>(bitcast<vec2<u32>>(swapped) ^ signs);
}
