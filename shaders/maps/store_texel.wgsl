// Stores one texel of the maps. The plain path calls it from a pass of its own; an FFT that
// writes the maps itself takes it as its store hook.

// Level 0 of the maps; layer [s * cascades + cascade]. In the group of a store hook.
@group(2) @binding(0) var maps_level_0: texture_storage_2d_array<rgba16float, write>;

// Beyond this a 16-bit float is infinite, and one infinite texel spoils every mip above it.
const MAPS_LARGEST: f32 = 65504.0;

// `image` counts the transformed images, [cascade][s]; `texel` is (x, z).
fn store_texel(image: u32, texel: vec2<u32>, value: vec4<f32>) {
    let cascades = textureNumLayers(maps_level_0) / 2u;
    let layer = (image % 2u) * cascades + image / 2u;
    textureStore(
        maps_level_0, texel, layer, clamp(value, vec4(-MAPS_LARGEST), vec4(MAPS_LARGEST)));
}
