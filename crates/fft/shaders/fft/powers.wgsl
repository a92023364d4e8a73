// Rader's permutation and filter, which the plan computed in double precision.
//
// Rader, Discrete Fourier transforms when the number of data samples is prime (Proc. IEEE 56, 1968):
// with a generator g of the prime p = LENGTH every point but the first is a power of g, and
//   X(g^-m) = x(0) + sum over q of x(g^q) exp(SIGN 2 pi i g^-(m - q) / p)
// is a cyclic convolution of p - 1 points, or one in at least 2 p - 3 that wraps its kernel around.
// X(0) is the sum of all points.

@group(0) @binding(4) var<storage, read> convolution: array<vec2<Real>>;

// g^n mod p for n < p - 1: numbers up to 2^22, which are exact in 32-bit floats.
fn power(n: u32) -> u32 {
    return u32(convolution[n].x);
}

// g^-n mod p.
fn inverse_power(n: u32) -> u32 {
    return u32(convolution[n].y);
}
