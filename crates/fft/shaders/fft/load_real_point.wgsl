// The points of the lines of real numbers that are loaded.

// The n-th point of a line.
fn load_real_point(layer: u32, line: u32, n: u32) -> Real {
    if (LOAD_IS_CLIPPED && n >= LOAD_EXTENT) {
        return Real();
    }
    let at = place_of(line, n, LOAD_SLICE);
    return load_real(layer, at.y, at.x);
}
