// Where the values lie that the workgroups of a dispatch pass to each other: what the columns of a workgroup need,
// lies together.

#import "fft/tiles.wgsl"
#import "fft/turns.wgsl"

fn passed_index(layer: u32, y: u32, x: u32) -> u32 {
    return layer * HEIGHT * WIDTH + in_tiles(y, x);
}
