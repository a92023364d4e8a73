// The points of the lines of real numbers that are stored.

fn store_real_point(layer: u32, line: u32, n: u32, value: Real) {
    if (STORE_IS_CLIPPED && n >= STORE_EXTENT) {
        return;
    }
    let at = place_of(line, n, STORE_SLICE);
    store_real(layer, at.y, at.x, value * SCALE);
}
