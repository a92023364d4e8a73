// For smooth_line.wgsl: the transform of conj(c(n)), wrapped around, over its number of points; in
// the order in which the passes before leave their results. In the table it follows the chirp.

// Of result k of a part.
fn filter_at(place: Place, k: u32) -> vec2<f32> {
    return chirps[LENGTH + place.before * PART + k];
}
