// Loads values that another workgroup stores in the same dispatch.

fn load(layer: u32, y: u32, x: u32) -> Element {
    return from_words(passed[passed_index(layer, y, x)]);
}
