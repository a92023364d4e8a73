// For smooth_line.wgsl: the transform of the kernel of a convolution over its number of points, in
// the order in which the passes before leave their results. In the table it follows LENGTH others.

// Of result k of a part. Beyond the last part there is nothing, and nothing comes of it.
fn filter_at(place: Place, k: u32) -> vec2<Real> {
    let before = select(place.before, 0u, is_none(place));
    return convolution[LENGTH + before * PART + k];
}
