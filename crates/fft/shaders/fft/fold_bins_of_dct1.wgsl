// For the folds of src/algorithms/smooth/fold.rs: the spectrum of a line and its mirror image is real, and the
// cosine transform of type I of the line.

fn put_bin(layer: u32, line: u32, k: u32, value: Element) {
    let is_edge = k == 0u || k == REALS / 2u;
    store_real_point(layer, line, k, select(value.x, value.x * EDGE_OUT, is_edge));
}
