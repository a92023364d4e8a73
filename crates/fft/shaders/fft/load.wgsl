// Where a kernel's values come from: a buffer of its own. A layer is one image or volume, or two
// where an element holds two.

@group(0) @binding(0) var<storage, read> source: array<Stored>;

fn load(layer: u32, y: u32, x: u32) -> Element {
    return from_stored(source[load_index(layer, y, x)]);
}
