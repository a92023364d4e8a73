// For columns that wait for each of their values. The rows of another workgroup store it in the same dispatch
// (store_passed.wgsl), and only one invocation reads it. Each word counts by itself, so that neither a barrier
// nor the order of the stores matters.

// The bits of value m, of which a word that has not been stored is 0.
fn look(layer: u32, place: Place, m: u32) -> Words {
    let at = value_at(place, m);
    return passed[load_index(layer, at.y, at.x)];
}

fn is_missing(words: Words) -> bool {
    return any(words == Words());
}

// Makes value m 0 for the next transform.
fn clear(layer: u32, place: Place, m: u32) {
    let at = value_at(place, m);
    passed[load_index(layer, at.y, at.x)] = Words();
}
