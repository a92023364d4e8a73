// Where a kernel's values come from: a buffer of its own, each layer of which is in tiles.

#import "fft/tiles.wgsl"

@group(0) @binding(0) var<storage, read> source: array<Stored>;

fn load(layer: u32, y: u32, x: u32) -> Element {
    return from_stored(source[layer * HEIGHT * WIDTH + in_tiles(y, x)]);
}
