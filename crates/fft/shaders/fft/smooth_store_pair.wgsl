// For smooth_line.wgsl: results k and LENGTH - k of a line, which only together give what is stored.

fn store_pair(place: Place, k: u32, a: Element, b: Element) {
    if (!is_none(place)) {
        leave_pair(place.layer, place.line, k, a, b);
    }
}
