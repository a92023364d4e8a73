// The pixels of an image as complex numbers: two channels in each, without its opacity.

@group(1) @binding(0) var<storage, read> filter_pixels: array<Element>;

fn load(layer: u32, y: u32, x: u32) -> Element {
    return filter_pixels[y * PICTURE_WIDTH + x] * PICTURE_CHANNELS;
}
