// For smooth_line.wgsl: results times the chirp, without those that only the padding has.

fn store_value(place: Place, k: u32, value: Element) {
    let at = point_at(place, k);
    if (!is_none(place) && at < LENGTH) {
        leave(place.layer, place.line, at, times(value, chirp(at)));
    }
}
