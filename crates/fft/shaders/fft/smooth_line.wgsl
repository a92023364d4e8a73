// Register-tiled transforms of any smooth length: whole lines, or the parts of lines that the
// four-step algorithm and Bluestein's take for themselves. A workgroup transforms LINES of them,
// LANES invocations to each. What depends on the stages, `transform_line` with its unrolled
// butterflies, is generated (src/algorithms/smooth/emit.rs) and follows below.
//
// A part is PART points of a line, AFTER apart: point n of it is point (before PART + n) AFTER +
// after of the line, with `before` below BEFORE and `after` below AFTER. A whole line is its only
// part. Between neighbouring passes one's AFTER is the next one's PART times AFTER.
//
// Besides, the plan puts in front
//   LINES    parts of a workgroup,
//   LANES    invocations of a part,
//   COUNT    parts in a layer; RAGGED is 1 where LINES does not divide it, and the last workgroup
//            has some that are none,
//   PARTS    parts of a line, BEFORE times AFTER,
// and one file each that says how values are loaded (smooth_load, smooth_load_turned,
// smooth_load_chirped) and stored (smooth_store, smooth_store_turned, smooth_store_reversed,
// smooth_store_chirped).

#import "fft/common.wgsl"

// What one invocation works on.
struct Place {
    layer: u32,
    // Number of the part among those of the layer: none from COUNT on.
    number: u32,
    line: u32,
    // Number of the part among those of its line, by which neighbouring ones go.
    part: u32,
    before: u32,
    after: u32,
    // The same part among those of this workgroup.
    local_line: u32,
    // Invocation among those of this part.
    lane: u32,
}

// Neighbouring invocations touch neighbouring memory: along a part, or across parts.
fn find_place(layer: u32, tile: u32, invocation: u32, along: bool) -> Place {
    var local_line = invocation % LINES;
    var lane = invocation / LINES;
    if (along) {
        local_line = invocation / LANES;
        lane = invocation % LANES;
    }
    let number = tile * LINES + local_line;
    var line = number % IMAGE_LINES;
    var part = number / IMAGE_LINES;
    if (ROWS) {
        line = number / PARTS;
        part = number % PARTS;
    }
    return Place(layer, number, line, part, before_of(part), part % AFTER, local_line, lane);
}

fn is_none(place: Place) -> bool {
    return RAGGED == 1u && place.number >= COUNT;
}

// Which point of the line is point n of a part.
fn point_at(place: Place, n: u32) -> u32 {
    return (place.before * PART + n) * AFTER + place.after;
}

fn conjugate(z: vec2<Real>) -> vec2<Real> {
    return vec2(z.x, -z.y);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let tile = workgroup_in_layer(workgroup, workgroups);
    if (tile >= (COUNT + LINES - 1u) / LINES) {
        return;
    }
    transform_line(workgroup.y, tile, invocation);
}
