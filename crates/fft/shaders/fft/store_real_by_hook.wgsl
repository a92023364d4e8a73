// Where a kernel's real numbers go: to the plan's store hook, as complex ones.

fn store_real(layer: u32, y: u32, x: u32, value: Real) {
    store(layer, y, x, Element(value, 0.0));
}
