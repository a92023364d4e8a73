// Layout `Pair`: one element holds the same point of two images, (re, im) of the first and (re, im)
// of the second. Both go through the same butterflies with the same twiddle factors.

alias Element = vec4<Real>;

// z w, for both images.
fn times(z: Element, w: vec2<Real>) -> Element {
    return z * w.x + vec4(-z.y, z.x, -z.w, z.z) * w.y;
}

// z w + a, for both images.
fn times_add(z: Element, w: vec2<Real>, a: Element) -> Element {
    return fma(z, vec4(w.x), fma(vec4(-z.y, z.x, -z.w, z.z), vec4(w.y), a));
}

// i z, for both images.
fn times_i(z: Element) -> Element {
    return vec4(-z.y, z.x, -z.w, z.z);
}
