// The means of squares of values, for a store hook that takes them: the values of a workgroup's columns lie in
// `exchange`, and each invocation sums up a block of them. Level l has the means of 2^l x 2^l values.
//
// The plan puts in front
//   BLOCK_SIDE  the values along one side of a block: 2 or 4.

const BLOCKS_ABREAST: u32 = LINES / BLOCK_SIDE;
const BLOCKS: u32 = BLOCKS_ABREAST * (LENGTH / BLOCK_SIDE);

struct Block {
    // Its number among those of the workgroup: only those below BLOCKS exist.
    number: u32,
    // The slot of its first value, and the place (x, y) of that value in the layer.
    slot: u32,
    at: vec2<u32>,
}

// Block m of an invocation.
fn find_block(place: Place, m: u32) -> Block {
    let number = place.lane * LINES + place.local_line + m * WORKGROUP_SIZE;
    let line = number % BLOCKS_ABREAST * BLOCK_SIDE;
    let n = number / BLOCKS_ABREAST * BLOCK_SIDE;
    return Block(number, line + padded(n) * LINES, vec2(place.line - place.local_line + line, n));
}

// The mean of the 2 x 2 values from (x, y) of a block.
fn mean_of_four(block: Block, x: u32, y: u32) -> Exchanged {
    let here = slot_after(block.slot + x, y);
    let below = slot_after(block.slot + x, y + 1u);
    return 0.25 * (exchange[here] + exchange[here + 1u] + exchange[below] + exchange[below + 1u]);
}

fn store_mean_value(layer: u32, level: u32, at: vec2<u32>, value: Element) {
    store_mean(level, layer, at.y, at.x, value * SCALE);
}
