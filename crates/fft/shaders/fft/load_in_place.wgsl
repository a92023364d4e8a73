// Where a kernel's values come from when it works in place: the buffer that it stores to.

#import "fft/destination.wgsl"

fn load(layer: u32, y: u32, x: u32) -> Element {
    return from_stored(destination[load_index(layer, y, x)]);
}
