// Keeps the passing frequencies of a spectrum. The gain is real and the same for a frequency and its negative,
// so that two real images in one complex one stay separate.

#import "filter/pass_band.wgsl"

@group(2) @binding(0) var<uniform> filter_band: FilterBand;
@group(2) @binding(1) var<storage, read_write> filter_spectrum: array<Element>;

fn store(layer: u32, y: u32, x: u32, value: Element) {
    let cycles = filter_cycles(vec2(x, y), vec2(FILTER_WIDTH, FILTER_HEIGHT));
    filter_spectrum[y * FILTER_WIDTH + x] = value * filter_gain(filter_band, cycles);
}
