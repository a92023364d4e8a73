// Where a kernel's real numbers go.

@group(0) @binding(1) var<storage, read_write> destination: array<StoredReal>;

fn store_real(layer: u32, y: u32, x: u32, value: Real) {
    destination[store_index(layer, y, x)] = to_stored_real(value);
}
