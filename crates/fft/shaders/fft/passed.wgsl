// The memory by which the workgroups of a dispatch pass values to each other. Those for the columns of one workgroup
// lie side by side. The file that imports this one says what Words are.

#import "fft/tiles.wgsl"
#import "fft/turns.wgsl"

@group(0) @binding(9) var<storage, read_write> passed: array<Words>;

fn passed_index(layer: u32, y: u32, x: u32) -> u32 {
    return layer * HEIGHT * WIDTH + in_tiles(y, x);
}

// Bit 0 is set unless the words have been stored.
fn missing(words: Words) -> u32 {
    return any_of(words ^ Words(turn_bit));
}
