// Products in GF(2^m) by shifts: Horner's rule in x, with a reduction by the primitive polynomial in each step.

fn times(a: u32, b: u32) -> u32 {
    var product = 0u;
    for (var i = 1u; i <= DEGREE; i++) {
        product <<= 1u;
        product ^= MODULUS * (product >> DEGREE);
        product ^= a * ((b >> (DEGREE - i)) & 1u);
    }
    return product;
}
