// Where what is loaded lies: so many elements apart along x, y, z and from layer to
// layer, after those before the first.

fn load_index(layer: u32, y: u32, x: u32) -> u32 {
    let z = y / LOAD_SLICE;
    return LOAD_OFFSET + layer * LOAD_STRIDE_LAYER + z * LOAD_STRIDE_Z
        + (y - z * LOAD_SLICE) * LOAD_STRIDE_Y + x * LOAD_STRIDE_X;
}
