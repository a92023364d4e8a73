// For the folds of src/algorithms/smooth/fold.rs: of the results of a real sequence of odd length, the first half
// has all.

fn leave(layer: u32, line: u32, k: u32, value: Element) {
    if (k <= LENGTH / 2u) {
        put_bin(layer, line, k, value);
    }
}
