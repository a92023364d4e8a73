// The store hook of a Fourier transform for the maps: it stores value by value what store.wgsl copies from
// memory.

#import "maps/store_texel.wgsl"

// `layer` counts [cascade][s].
fn store(layer: u32, z: u32, x: u32, value: Element) {
    store_texel(layer, vec2(x, z), value);
}
