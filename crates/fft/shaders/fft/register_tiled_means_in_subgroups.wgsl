// The means of squares of values, for a store hook that takes them: pairs of invocations that are `distance` apart add
// up values of theirs. Both are in one subgroup, which the plan makes sure of. Level l has the means of 2^l x 2^l values.

// This invocation sums up the second of two values if `is_second`, else the first. The other invocation sums up
// the other one.
fn sum_of_one(first: Element, second: Element, is_second: bool, distance: u32) -> Element {
    let given = select(second, first, is_second);
    return select(first, second, is_second) + subgroupShuffleXor(given, distance);
}

fn sum_of_both(value: Element, distance: u32) -> Element {
    return value + subgroupShuffleXor(value, distance);
}

fn store_mean_value(layer: u32, level: u32, at: vec2<u32>, value: Element) {
    store_mean(level, layer, at.y, at.x, value * SCALE);
}
