// For kernels that transform whole lines. A workgroup transforms LINES adjacent lines, LANES
// invocations to a line, and each invocation computes BUTTERFLIES butterflies of every stage:
// butterfly number `lane + i * LANES` for i in 0..BUTTERFLIES.
//
// Between stages the points are in workgroup memory, in storage or in images: line_in_workgroup.wgsl,
// line_in_storage.wgsl and line_in_image.wgsl have `read_point`, `write_point` and the barriers
// between them.

#import "fft/common.wgsl"

// What one invocation works on.
struct Place {
    // Layer of the buffer.
    layer: u32,
    // Line within the image.
    line: u32,
    // The same line among those of this workgroup.
    local_line: u32,
    // Invocation among those of this line.
    lane: u32,
}

// Neighbouring invocations touch neighbouring memory: along a row, or across adjacent columns.
fn find_place(layer: u32, tile: u32, invocation: u32) -> Place {
    var local_line = invocation / LANES;
    var lane = invocation % LANES;
    if (!ROWS) {
        local_line = invocation % LINES;
        lane = invocation / LINES;
    }
    return Place(layer, tile * LINES + local_line, local_line, lane);
}
