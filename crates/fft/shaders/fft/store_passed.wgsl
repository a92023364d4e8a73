// Stores values for which another workgroup waits, for each by itself.

fn store(layer: u32, y: u32, x: u32, value: Element) {
    passed[passed_index(layer, y, x)] = to_words(value);
}
