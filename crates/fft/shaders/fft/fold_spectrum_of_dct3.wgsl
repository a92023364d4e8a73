// For the folds of src/algorithms/smooth/fold.rs: the spectrum of what a cosine transform of type III gives, in
// Makhoul's order: V(k) = (x(k) - i x(N - k)) exp(pi i k / (2 N)).

fn bin_at(layer: u32, line: u32, k: u32) -> Element {
    if (k == 0u) {
        return Element(load_real_point(layer, line, 0u) * EDGE_IN, 0.0);
    }
    let w = twist(k);
    let value = Element(load_real_point(layer, line, k), -load_real_point(layer, line, REALS - k));
    return times(value, vec2(w.x, -w.y));
}
