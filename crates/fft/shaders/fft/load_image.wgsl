// Loads the kernel's values from a scratch image.

@group(0) @binding(0) var source: LoadedImage;

fn load(layer: u32, y: u32, x: u32) -> Element {
    return from_texel(textureLoad(source, vec2(x, y), layer, 0));
}
