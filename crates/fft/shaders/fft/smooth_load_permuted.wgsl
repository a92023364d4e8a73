// For smooth_line.wgsl: values in the order of the generator's powers, and zeros after the last.

fn load_value(place: Place, n: u32) -> Element {
    let at = point_at(place, n);
    if (is_none(place) || at >= LENGTH - 1u) {
        return Element();
    }
    return enter(place.layer, place.line, power(at));
}
