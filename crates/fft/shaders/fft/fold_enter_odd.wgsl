// For the folds of src/algorithms/smooth/fold.rs: a real sequence of odd length is taken as complex.

fn enter(layer: u32, line: u32, n: u32) -> Element {
    return Element(real_at(layer, line, n), 0.0);
}
