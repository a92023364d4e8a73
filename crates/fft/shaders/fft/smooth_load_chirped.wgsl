// For smooth_line.wgsl: values times the chirp, and zeros after the last.

fn load_value(place: Place, n: u32) -> Element {
    let at = point_at(place, n);
    if (is_none(place) || at >= LENGTH) {
        return Element();
    }
    return times(enter(place.layer, place.line, at), chirp(at));
}
