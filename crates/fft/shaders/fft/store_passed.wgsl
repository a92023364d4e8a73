// Stores values for which another workgroup waits, for each by itself.

fn store(layer: u32, y: u32, x: u32, value: Element) {
    let words = bitcast<Words>(value);
    // A zero becomes a negative one, which has a bit.
    passed[store_index(layer, y, x)] = select(words, Words(1u << 31u), words == Words());
}
