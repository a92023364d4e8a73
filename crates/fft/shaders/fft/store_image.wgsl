// Stores the kernel's values in a scratch image.

@group(0) @binding(1) var destination: StoredImage;

fn store(layer: u32, y: u32, x: u32, value: Element) {
    textureStore(destination, vec2(x, y), layer, to_texel(value));
}
