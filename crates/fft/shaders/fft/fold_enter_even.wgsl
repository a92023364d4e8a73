// For the folds of src/algorithms/smooth/fold.rs: of a real sequence of even length, value 2 n is the real and
// value 2 n + 1 the imaginary part of point n.

fn enter(layer: u32, line: u32, n: u32) -> Element {
    return Element(real_at(layer, line, 2u * n), real_at(layer, line, 2u * n + 1u));
}
