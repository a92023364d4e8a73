// For the folds of src/algorithms/smooth/fold.rs: half of the spectrum of a real line, as it is.

fn put_bin(layer: u32, line: u32, k: u32, value: Element) {
    store_point(layer, line, k, value);
}
