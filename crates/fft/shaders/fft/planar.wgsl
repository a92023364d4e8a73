// Layout `Planar`: one element is one complex value, (re, im).

alias Element = vec2<Real>;

// z w
fn times(z: Element, w: vec2<Real>) -> Element {
    return z * w.x + vec2(-z.y, z.x) * w.y;
}

// z w + a
fn times_add(z: Element, w: vec2<Real>, a: Element) -> Element {
    return fma(z, vec2(w.x), fma(vec2(-z.y, z.x), vec2(w.y), a));
}

// i z
fn times_i(z: Element) -> Element {
    return vec2(-z.y, z.x);
}
