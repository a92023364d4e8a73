// For the folds of src/algorithms/smooth/fold.rs: fold_leave_pair.wgsl in reverse, with the spectrum twice:
//   Z(k) = X(k) + conj(X(M - k)) + i w (X(k) - conj(X(M - k))), w = exp(2 pi i k / (2 M)).

fn enter(layer: u32, line: u32, k: u32) -> Element {
    let a = bin_at(layer, line, k);
    let b = bin_at(layer, line, LENGTH - k);
    let even = Element(a.x + b.x, a.y - b.y);
    let odd = Element(a.x - b.x, a.y + b.y);
    let w = twist(k * TWIST_STEP);
    return even + times_i(times(odd, vec2(w.x, -w.y)));
}
