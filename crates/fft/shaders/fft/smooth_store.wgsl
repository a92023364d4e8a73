// For smooth_line.wgsl: results as they are.

fn store_value(place: Place, n: u32, value: Element) {
    if (!is_none(place)) {
        leave(place.layer, place.line, point_at(place, n), value);
    }
}
