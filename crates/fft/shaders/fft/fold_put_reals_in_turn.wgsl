// For the folds of src/algorithms/smooth/fold.rs: fold_reals_in_turn.wgsl in reverse.

fn put_real(layer: u32, line: u32, m: u32, value: Real) {
    let n = 2u * m;
    store_real_point(layer, line, select(2u * REALS - 1u - n, n, n < REALS), value);
}
