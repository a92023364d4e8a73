// For the folds of src/algorithms/smooth/fold.rs: the real sequence is the line.

fn put_real(layer: u32, line: u32, m: u32, value: Real) {
    store_real_point(layer, line, m, value);
}
