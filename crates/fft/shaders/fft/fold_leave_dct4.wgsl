// For the folds of src/algorithms/smooth/fold.rs: as fold_enter_dct4.wgsl says.

fn leave(layer: u32, line: u32, k: u32, value: Element) {
    let c = times(value, twist(4u * k));
    store_real_point(layer, line, 2u * k, 2.0 * c.x);
    store_real_point(layer, line, REALS - 1u - 2u * k, -2.0 * c.y);
}
