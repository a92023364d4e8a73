// For the folds of src/algorithms/smooth/fold.rs: from results k and M - k of the M = LENGTH complex points
// z(n) = x(2 n) + i x(2 n + 1) to those of the 2 M real ones: with Z = E + i O,
//   E(k) = (Z(k) + conj(Z(M - k))) / 2, O(k) = (Z(k) - conj(Z(M - k))) / (2 i),
//   X(k) = E(k) + w O(k), X(M - k) = conj(E(k) - w O(k)), w = exp(-2 pi i k / (2 M))
// (Cooley, Lewis, Welch, The fast Fourier transform algorithm: programming considerations in the
// calculation of sine, cosine and Laplace transforms, J. Sound Vib. 12, 1970).

// With k = 0 comes the result at M / 2, if there is one, which is its own partner.
fn leave_pair(layer: u32, line: u32, k: u32, a: Element, b: Element) {
    if (k == 0u) {
        put_bin(layer, line, 0u, Element(a.x + a.y, 0.0));
        put_bin(layer, line, LENGTH, Element(a.x - a.y, 0.0));
        if (LENGTH % 2u == 0u) {
            put_bin(layer, line, LENGTH / 2u, Element(b.x, -b.y));
        }
        return;
    }
    let even = Element(a.x + b.x, a.y - b.y) * 0.5;
    let odd = Element(a.y + b.y, b.x - a.x) * 0.5;
    let turned = times(odd, twist(k * TWIST_STEP));
    put_bin(layer, line, k, even + turned);
    put_bin(layer, line, LENGTH - k, Element(even.x - turned.x, turned.y - even.y));
}
