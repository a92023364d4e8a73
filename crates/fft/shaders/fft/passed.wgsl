// The places of the values that the workgroups of a dispatch pass to each other. Those for the columns of one
// workgroup lie together.

#import "fft/tiles.wgsl"
#import "fft/turns.wgsl"

fn passed_index(layer: u32, y: u32, x: u32) -> u32 {
    return layer * HEIGHT * WIDTH + in_tiles(y, x);
}
