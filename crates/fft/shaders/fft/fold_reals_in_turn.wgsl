// For the folds of src/algorithms/smooth/fold.rs: the real sequence of a cosine transform of type II is every
// second value there and the others back (Makhoul, A fast cosine transform in one and two dimensions,
// IEEE Trans. Acoust. Speech Signal Process. 28, 1980).

fn real_at(layer: u32, line: u32, m: u32) -> Real {
    let n = 2u * m;
    return load_real_point(layer, line, select(2u * REALS - 1u - n, n, n < REALS));
}
