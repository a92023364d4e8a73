// For smooth_line.wgsl: results of the last pass, in natural order. Parts are numbered by that.

fn store_value(place: Place, k: u32, value: Element) {
    if (!is_none(place)) {
        leave(place.layer, place.line, k * BEFORE + place.part, value);
    }
}
