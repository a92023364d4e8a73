// For the folds of src/algorithms/smooth/fold.rs: the imaginary part of a real sequence is none.

fn leave(layer: u32, line: u32, n: u32, value: Element) {
    put_real(layer, line, n, value.x);
}
