// For kernels of lines (line.wgsl) whose butterflies take four points: the line that has two.

fn transform_two_points(place: Place) {
    let a = load_point(place.layer, place.line, 0u);
    let b = load_point(place.layer, place.line, 1u);
    store_point(place.layer, place.line, 0u, a + b);
    store_point(place.layer, place.line, 1u, a - b);
}
