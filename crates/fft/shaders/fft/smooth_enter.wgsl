// For smooth_line.wgsl: the complex line is what is loaded.

// Its n-th point.
fn enter(layer: u32, line: u32, n: u32) -> Element {
    return load_point(layer, line, n);
}
