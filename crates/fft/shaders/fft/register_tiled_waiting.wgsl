// For columns that wait for each of their values. The rows of another workgroup store it in the same dispatch
// (store_passed.wgsl), and only one invocation reads it. Each word counts by itself, so that neither a barrier
// nor the order of the stores matters.

// The bits of value m, which may be missing.
fn look(layer: u32, place: Place, m: u32) -> Words {
    let at = value_at(place, m);
    return passed[passed_index(layer, at.y, at.x)];
}
