// The points of all lines between stages, in two images of which one is read while the other is
// written: Mota, High Performance Fourier Transforms on GPUs (2022), listings 5.1 and A.3 to A.8. As
// in line_in_storage.wgsl, one barrier a stage is enough. Different here: the first stage loads the
// caller's buffer and the last stores to it, where the thesis has its data in the images.

#import "fft/line.wgsl"

@group(0) @binding(6) var pingpong0: Image;
@group(0) @binding(7) var pingpong1: Image;

// Point n of what was written as step `step`.
fn read_point(place: Place, step: u32, n: u32) -> Element {
    let at = place_of(place.line, n, HEIGHT);
    if ((step & 1u) == 0u) {
        return from_texel(textureLoad(pingpong0, at, place.layer));
    }
    return from_texel(textureLoad(pingpong1, at, place.layer));
}

fn write_point(place: Place, step: u32, n: u32, value: Element) {
    let at = place_of(place.line, n, HEIGHT);
    if ((step & 1u) == 0u) {
        textureStore(pingpong0, at, place.layer, to_texel(value));
    } else {
        textureStore(pingpong1, at, place.layer, to_texel(value));
    }
}

// All that was written before may be read after it.
fn all_is_written() {
    textureBarrier();
}

// The next step stores to the other image, so that nothing is written over before it is read.
fn all_is_read() {
}
