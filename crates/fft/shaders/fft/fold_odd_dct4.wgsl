// For fold_reals_of_dct4.wgsl, which has the formula.

// Where f takes the value for an odd argument, and the sign of it.
fn place_of_odd(argument: u32) -> vec2<u32> {
    var a = argument % (8u * REALS);
    a = min(a, 8u * REALS - a);
    let is_negative = a > 2u * REALS;
    a = select(a, 4u * REALS - a, is_negative);
    return vec2(a / 2u, u32(is_negative));
}
