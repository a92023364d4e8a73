// For the folds of src/algorithms/smooth/fold.rs: the parts of a complex point are two neighbours of a real
// sequence.

fn leave(layer: u32, line: u32, n: u32, value: Element) {
    put_real(layer, line, 2u * n, value.x);
    put_real(layer, line, 2u * n + 1u, value.y);
}
