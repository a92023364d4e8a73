// For smooth_line.wgsl: values as they are.

fn load_value(place: Place, n: u32) -> Element {
    if (is_none(place)) {
        return Element();
    }
    return enter(place.layer, place.line, point_at(place, n));
}
