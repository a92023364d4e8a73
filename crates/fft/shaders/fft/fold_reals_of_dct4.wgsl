// For the folds of src/algorithms/smooth/fold.rs: the real sequence of a cosine transform of type IV of an odd
// number of points N.
//
// With f(2 n + 1) = x(n), continued to all odd arguments by f(-a) = f(a) = -f(4 N - a), the transform
// is y(b) = sum over all odd a below 4 N of f(a) cos(2 pi a b / (8 N)). Of a and -a one is N + 4 m for
// an m below N, so that y(N + 4 l) = 2 (-1)^l sum over m of h(m) cos(pi N / 4 + 2 pi 2 l m / N) with
// h(m) = (-1)^m f(N + 4 m): a transform of N real points, at 2 l.

#import "fft/fold_odd_dct4.wgsl"

fn real_at(layer: u32, line: u32, m: u32) -> Real {
    let at = place_of_odd(REALS + 4u * m);
    let value = load_real_point(layer, line, at.x);
    return select(value, -value, ((at.y + m) & 1u) == 1u);
}
