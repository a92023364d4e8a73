// Where a kernel's real numbers come from: the first component of what the plan's load hook gives.

fn load_real(layer: u32, y: u32, x: u32) -> Real {
    return load(layer, y, x).x;
}
