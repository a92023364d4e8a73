// For smooth_line.wgsl: results with the factors between this pass and the next,
// exp(SIGN 2 pi i k after / (PART AFTER)).

fn store_value(place: Place, k: u32, value: Element) {
    if (!is_none(place)) {
        let turned = times(value, twiddle(k * place.after * BEFORE));
        store_point(place.layer, place.line, point_at(place, k), turned);
    }
}
