// The points of all lines of a workgroup between stages, in one array of workgroup memory.

#import "fft/line.wgsl"

var<workgroup> points: array<Element, LINES * LENGTH>;

// Where point n of a line is kept in `points`.
fn slot(local_line: u32, n: u32) -> u32 {
    if (ROWS) {
        return local_line * LENGTH + n;
    }
    return n * LINES + local_line;
}

// Point n of what was written as step `step`; there is room for one step.
fn read_point(place: Place, step: u32, n: u32) -> Element {
    return points[slot(place.local_line, n)];
}

fn write_point(place: Place, step: u32, n: u32, value: Element) {
    points[slot(place.local_line, n)] = value;
}

// All that was written before may be read after it.
fn all_is_written() {
    workgroupBarrier();
}

// All that was read before may be written over after it.
fn all_is_read() {
    workgroupBarrier();
}
