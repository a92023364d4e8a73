// Where a kernel's values go: `[layer][y][x]`, as in load.wgsl.

@group(0) @binding(1) var<storage, read_write> destination: array<Element>;

fn store(layer: u32, y: u32, x: u32, value: Element) {
    destination[(layer * HEIGHT + y) * WIDTH + x] = value;
}
