// For the folds of src/algorithms/smooth/fold.rs: the real sequence is the line.

fn real_at(layer: u32, line: u32, m: u32) -> Real {
    return load_real_point(layer, line, m);
}
