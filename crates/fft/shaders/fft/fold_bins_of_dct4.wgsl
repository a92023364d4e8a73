// For the folds of src/algorithms/smooth/fold.rs: from the spectrum H of fold_reals_of_dct4.wgsl to the cosine
// transform of type IV: y(N + 4 l) = 2 (-1)^l (cos(pi N / 4) Re H(2 l) + sin(pi N / 4) Im H(2 l)).

#import "fft/fold_odd_dct4.wgsl"

fn put_odd(layer: u32, line: u32, k: u32, value: Element) {
    // 2 l = k modulo N.
    let l = select(k, k + REALS, k % 2u == 1u) / 2u;
    let at = place_of_odd(REALS + 4u * l);
    let y = (value.x * COSINE + value.y * SINE) * 2.0;
    store_real_point(layer, line, at.x, select(y, -y, ((at.y + l) & 1u) == 1u));
}

fn put_bin(layer: u32, line: u32, k: u32, value: Element) {
    put_odd(layer, line, k, value);
    if (k > 0u) {
        put_odd(layer, line, REALS - k, Element(value.x, -value.y));
    }
}
