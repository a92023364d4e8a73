// For smooth_line.wgsl: results at the inverse powers of the generator, without those that only the
// padding has.

fn store_value(place: Place, k: u32, value: Element) {
    let at = point_at(place, k);
    if (!is_none(place) && at < LENGTH - 1u) {
        leave(place.layer, place.line, inverse_power(at), value);
    }
}
