// For kernels that load one layer at a time, from a hook that prepares several.

fn load(layer: u32, y: u32, x: u32) -> Element {
    return load_prepared(prepare(layer / LAYERS_PER_PREPARE, y, x), layer, y, x);
}
