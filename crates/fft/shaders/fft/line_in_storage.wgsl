// The points of all lines between stages, in two arrays in storage of which one is read while the
// other is written, like the two images of Mota, High Performance Fourier Transforms on GPUs (2022),
// section 5.3 and listings A.3 to A.8. Nobody writes over what another still reads, so that one
// barrier a stage is enough. line_in_image.wgsl has the images.

#import "fft/line.wgsl"

@group(0) @binding(6) var<storage, read_write> pingpong0: array<Element>;
@group(0) @binding(7) var<storage, read_write> pingpong1: array<Element>;

// Where point n of a line is kept: neighbours as they are in the images.
fn slot(place: Place, n: u32) -> u32 {
    if (ROWS) {
        return (place.layer * IMAGE_LINES + place.line) * LENGTH + n;
    }
    return (place.layer * LENGTH + n) * IMAGE_LINES + place.line;
}

// Point n of what was written as step `step`.
fn read_point(place: Place, step: u32, n: u32) -> Element {
    if ((step & 1u) == 0u) {
        return pingpong0[slot(place, n)];
    }
    return pingpong1[slot(place, n)];
}

fn write_point(place: Place, step: u32, n: u32, value: Element) {
    if ((step & 1u) == 0u) {
        pingpong0[slot(place, n)] = value;
    } else {
        pingpong1[slot(place, n)] = value;
    }
}

// All that was written before may be read after it.
fn all_is_written() {
    storageBarrier();
}

// What was read is not written over: the next step goes to the other array.
fn all_is_read() {
}
