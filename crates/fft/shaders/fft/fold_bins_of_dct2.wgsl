// For the folds of src/algorithms/smooth/fold.rs: from the spectrum V of a sequence in Makhoul's order to the
// cosine transform of type II of the line, two values at a time: with c = V(k) exp(-pi i k / (2 N)),
// y(k) = 2 Re c and y(N - k) = -2 Im c.

fn put_bin(layer: u32, line: u32, k: u32, value: Element) {
    if (k == 0u) {
        store_real_point(layer, line, 0u, 2.0 * EDGE_OUT * value.x);
        return;
    }
    let c = times(value, twist(k));
    store_real_point(layer, line, k, 2.0 * c.x);
    if (2u * k != REALS) {
        store_real_point(layer, line, REALS - k, -2.0 * c.y);
    }
}
