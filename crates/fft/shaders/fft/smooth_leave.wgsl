// For smooth_line.wgsl: what is stored is the complex line.

fn leave(layer: u32, line: u32, k: u32, value: Element) {
    store_point(layer, line, k, value);
}
