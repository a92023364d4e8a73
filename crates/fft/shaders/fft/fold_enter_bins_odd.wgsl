// For the folds of src/algorithms/smooth/fold.rs: the second half of a spectrum follows from the first.

fn enter(layer: u32, line: u32, k: u32) -> Element {
    if (2u * k < LENGTH) {
        return bin_at(layer, line, k);
    }
    let value = bin_at(layer, line, LENGTH - k);
    return Element(value.x, -value.y);
}
