// For the folds of src/algorithms/smooth/fold.rs: the real sequence of a cosine transform of type I is the line
// and its mirror image, of which the ends are shared.

fn real_at(layer: u32, line: u32, m: u32) -> Real {
    let n = select(m, REALS - m, m > REALS / 2u);
    let value = load_real_point(layer, line, n);
    return select(value, value * EDGE_IN, n == 0u || n == REALS / 2u);
}
