// Where what is stored lies: so many elements apart along x, y, z and from layer to
// layer, after those before the first.

fn store_index(layer: u32, y: u32, x: u32) -> u32 {
    let z = y / STORE_SLICE;
    return STORE_OFFSET + layer * STORE_STRIDE_LAYER + z * STORE_STRIDE_Z
        + (y - z * STORE_SLICE) * STORE_STRIDE_Y + x * STORE_STRIDE_X;
}
