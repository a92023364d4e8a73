// The store hook of a Fourier transform for the maps: it stores value by value what store.wgsl copies from
// memory, and the first mips where the transform has their means.

#import "maps/store_texel.wgsl"

@group(2) @binding(1) var maps_level_1: texture_storage_2d_array<rgba16float, write>;
@group(2) @binding(2) var maps_level_2: texture_storage_2d_array<rgba16float, write>;

// `layer` counts [cascade][s].
fn store(layer: u32, z: u32, x: u32, value: Element) {
    store_texel(layer, vec2(x, z), maps_value(value));
}

fn store_mean(level: u32, layer: u32, z: u32, x: u32, mean: Element) {
    if level == 1u {
        textureStore(maps_level_1, vec2(x, z), maps_layer(layer), maps_value(mean));
    } else {
        textureStore(maps_level_2, vec2(x, z), maps_layer(layer), maps_value(mean));
    }
}

// The clamp costs 0.5 us of a step of 512 x 512 points and four cascades on an H200.
fn maps_value(value: Element) -> Element {
    if WITHIN_HALVES {
        return value;
    }
    return maps_finite(value);
}
