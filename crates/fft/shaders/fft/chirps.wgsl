// Bluestein's chirp and filter, which the plan computed in double precision.
//
// Bluestein, A linear filtering approach to the computation of discrete Fourier transform (IEEE
// Trans. Audio Electroacoust. 18, 1970): with 2 n k = n^2 + k^2 - (k - n)^2 a transform of N =
// LENGTH points is a convolution,
//   X(k) = c(k) sum over n of (x(n) c(n)) conj(c(k - n)), c(n) = exp(SIGN pi i n^2 / N),
// which transforms of at least 2 N - 1 points compute.

@group(0) @binding(4) var<storage, read> convolution: array<vec2<Real>>;

// c(n) for n < LENGTH.
fn chirp(n: u32) -> vec2<Real> {
    return convolution[n];
}
