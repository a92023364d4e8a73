// For smooth_line.wgsl: Rader's first point, or X(0), on its way between scratch memory and another
// pass. It is no part's, and the first invocation of the first part takes it along.

fn carry_first(place: Place) {
    if (!is_none(place) && place.part == 0u && place.lane == 0u) {
        let first = load_point(place.layer, place.line, FIRST_LOADED);
        store_point(place.layer, place.line, FIRST_STORED, first);
    }
}
