// Where a kernel's real numbers come from when it works in place: the buffer that it stores real
// numbers to.

fn load_real(layer: u32, y: u32, x: u32) -> Real {
    return from_stored_real(destination[load_index(layer, y, x)]);
}
