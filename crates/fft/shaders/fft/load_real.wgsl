// Where a kernel's real numbers come from: a buffer of its own.

@group(0) @binding(0) var<storage, read> source: array<StoredReal>;

fn load_real(layer: u32, y: u32, x: u32) -> Real {
    return from_stored_real(source[load_index(layer, y, x)]);
}
