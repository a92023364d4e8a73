// Where a kernel's values go: as in store.wgsl, but each layer in tiles.

#import "fft/tiles.wgsl"

@group(0) @binding(1) var<storage, read_write> destination: array<Stored>;

fn store(layer: u32, y: u32, x: u32, value: Element) {
    destination[layer * HEIGHT * WIDTH + in_tiles(y, x)] = to_stored(value);
}
