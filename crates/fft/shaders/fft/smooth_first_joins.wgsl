// For smooth_line.wgsl: Rader's first point, where the sum of the others is known.

// `value` is the filtered result k of a part, and `sum` the result. Result 0 of the line, `sum` of all
// other points, makes with the first one X(0); what is added to it here, is added to all results.
fn join_first(place: Place, k: u32, sum: Element, value: Element) -> Element {
    if (is_none(place) || place.before * PART + k > 0u) {
        return value;
    }
    let first = load_point(place.layer, place.line, FIRST_LOADED);
    store_point(place.layer, place.line, FIRST_STORED, first + sum);
    return value + first;
}
