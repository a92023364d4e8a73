// Stores one texel of the maps, in the plain path from its own pass, in the fused path from the FFT's store
// hook.

// Level 0 of the maps, with layer [s * cascades + cascade], in the group of a store hook.
@group(2) @binding(0) var maps_level_0: texture_storage_2d_array<rgba16float, write>;

// 16-bit floats are infinite beyond this, and one infinite texel spoils every mip above it.
const MAPS_LARGEST: f32 = 65504.0;

// `image` counts the transformed images, [cascade][s]; `texel` is (x, z).
fn store_texel(image: u32, texel: vec2<u32>, value: vec4<f32>) {
    textureStore(maps_level_0, texel, maps_layer(image), value);
}

fn maps_layer(image: u32) -> u32 {
    return (image % 2u) * (textureNumLayers(maps_level_0) / 2u) + image / 2u;
}

fn maps_finite(value: vec4<f32>) -> vec4<f32> {
    return clamp(value, vec4(-MAPS_LARGEST), vec4(MAPS_LARGEST));
}
