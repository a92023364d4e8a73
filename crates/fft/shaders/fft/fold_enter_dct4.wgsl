// For the folds of src/algorithms/smooth/fold.rs: a cosine transform of type IV of N = REALS points, an even
// number, as a transform of half as many complex ones: with w(j) = exp(-2 pi i j / (8 N)),
//   T = transform of (x(2 n) + i x(N - 1 - 2 n)) w(4 n + 1), c(k) = T(k) w(4 k),
//   y(2 k) = 2 Re c(k), y(N - 1 - 2 k) = -2 Im c(k).

fn enter(layer: u32, line: u32, n: u32) -> Element {
    let re = load_real_point(layer, line, 2u * n);
    let im = load_real_point(layer, line, REALS - 1u - 2u * n);
    return times(Element(re, im), twist(4u * n + 1u));
}
