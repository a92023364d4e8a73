// Where a kernel's real numbers come from when it works in place and stores complex ones.

fn load_real(layer: u32, y: u32, x: u32) -> Real {
    let index = load_index(layer, y, x);
    let pair = from_stored(destination[index / 2u]);
    return select(pair.x, pair.y, index % 2u == 1u);
}
