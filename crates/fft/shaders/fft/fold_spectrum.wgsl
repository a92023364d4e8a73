// For the folds of src/algorithms/smooth/fold.rs: half of the spectrum of a real line. What is real by its place,
// whose imaginary part would have to be zero, counts as that.

fn bin_at(layer: u32, line: u32, k: u32) -> Element {
    let value = load_point(layer, line, k);
    return select(value, Element(value.x, 0.0), vec2(k == 0u || 2u * k == REALS));
}
