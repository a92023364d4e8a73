// The filtered pixels, with their old opacity.

#import "filter/pass_band.wgsl"

@group(2) @binding(0) var<uniform> filter_band: FilterBand;
@group(2) @binding(1) var<storage, read> filter_pixels: array<Element>;
@group(2) @binding(2) var<storage, read_write> filter_result: array<Element>;

fn store(layer: u32, y: u32, x: u32, value: Element) {
    let place = y * FILTER_WIDTH + x;
    let opacity = filter_pixels[place] * (Element(1.0) - FILTER_CHANNELS);
    filter_result[place] = (value + filter_band.offset) * FILTER_CHANNELS + opacity;
}
