// Where a kernel's values go: as in store.wgsl, but each layer in tiles.

#import "fft/tiles.wgsl"

#import "fft/destination.wgsl"

fn store(layer: u32, y: u32, x: u32, value: Element) {
    destination[layer * HEIGHT * WIDTH + in_tiles(y, x)] = to_stored(value);
}
