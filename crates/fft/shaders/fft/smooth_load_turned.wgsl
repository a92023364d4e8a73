// For smooth_line.wgsl: on the way back, values with the factors between this pass and the one
// before, the conjugates of those in smooth_store_turned.wgsl.

fn load_value(place: Place, n: u32) -> Element {
    if (is_none(place)) {
        return Element();
    }
    let value = load_point(place.layer, place.line, point_at(place, n));
    return times(value, conjugate(twiddle(n * place.after * BEFORE)));
}
