// Where a kernel's real numbers go when it works in place and loads complex ones.

#import "fft/destination.wgsl"

fn store_real(layer: u32, y: u32, x: u32, value: Real) {
    let index = store_index(layer, y, x);
    destination[index / 2u][index % 2u] = to_stored_real(value);
}
