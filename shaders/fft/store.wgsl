// Where a kernel's values go: `[layer][y][x]`, as in load.wgsl. STORE_WIDTH is WIDTH, or HEIGHT
// where a kernel transposes.

@group(0) @binding(1) var<storage, read_write> destination: array<Stored>;

fn store(layer: u32, y: u32, x: u32, value: Element) {
    destination[layer * HEIGHT * WIDTH + y * STORE_WIDTH + x] = to_stored(value);
}
