// Four-step FFT: a line of N points as a row-major matrix whose columns have N1 points and whose
// rows N2, for lines that do not fit in workgroup memory. One dispatch transforms the columns, a
// second the rows; both run this kernel.
//
// Govindaraju et al., High Performance Discrete Fourier Transforms on Graphics Processors (SC 2008),
// section 4C, "Hierarchical FFT"; the four steps are
//   1. transform the columns: over n1, where n = n1 N2 + n2,
//   2. multiply by exp(SIGN 2 pi i k1 n2 / N), on the stores of step 1,
//   3. transform the rows: over n2,
//   4. transpose: result (k1, k2) is point k2 N1 + k1, on the stores of step 3.
// A workgroup transforms LINES neighbouring parts (columns or rows of that matrix), each of PART
// points, by the radix-4 Stockham algorithm (radix4_exchange.wgsl explains it).
// OTHERS is the number of parts of a line.

#import "fft/common.wgsl"
#import "fft/radix4_exchange.wgsl"

const POINTS: u32 = PART;
const LOG2_POINTS: u32 = LOG2_PART;
// Whether the points of a part lie side by side where they are loaded. They are then loaded in
// their order, and neighbouring invocations go over to neighbouring parts, whose results lie side
// by side, at the first exchange through workgroup memory; if there is one.
const LOADS_ALONG_PARTS: bool = ROWS && COLUMN_STEP == 0u && LAST_STRIDE > 1u;

// What one invocation works on.
struct Place {
    layer: u32,
    line: u32,
    // The part of that line: n2 in the first pass, k1 in the second.
    part: u32,
    // The same part among those of this workgroup.
    local_part: u32,
    // Invocation among those of this part.
    lane: u32,
}

fn find_place(layer: u32, tile: u32, invocation: u32, along_parts: bool) -> Place {
    var local_part = invocation % LINES;
    var lane = invocation / LINES;
    if (along_parts) {
        local_part = invocation / LANES;
        lane = invocation % LANES;
    }
    let number = tile * LINES + local_part;
    if (ROWS) {
        return Place(layer, number / OTHERS, number % OTHERS, local_part, lane);
    }
    return Place(layer, number % IMAGE_LINES, number / IMAGE_LINES, local_part, lane);
}

fn load_part(place: Place, n: u32) -> Element {
    if (COLUMN_STEP == 1u) {
        return load_point(place.layer, place.line, n * OTHERS + place.part);
    }
    return load_point(place.layer, place.line, place.part * PART + n);
}

fn store_part(place: Place, k: u32, value: Element) {
    if (COLUMN_STEP == 1u) {
        let turned = times(value, twiddle(k * place.part));
        store_point(place.layer, place.line, k * OTHERS + place.part, turned);
    } else {
        store_point(place.layer, place.line, k * OTHERS + place.part, value);
    }
}

var<workgroup> points: array<Element, LINES * PART>;

fn slot(local_part: u32, n: u32) -> u32 {
    return n * LINES + local_part;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let tile = workgroup_in_layer(workgroup, workgroups);
    if (tile >= IMAGE_LINES * OTHERS / LINES) {
        return;
    }
    var place = find_place(workgroup.y, tile, invocation, LOADS_ALONG_PARTS);

    var values: array<Four, BUTTERFLIES>;
    for (var i = 0u; i < BUTTERFLIES; i++) {
        let j = place.lane + i * LANES;
        values[i] = Four(
            load_part(place, j),
            load_part(place, j + QUARTER),
            load_part(place, j + 2u * QUARTER),
            load_part(place, j + 3u * QUARTER),
        );
    }

    for (var s = 1u; s < LAST_STRIDE; s *= 4u) {
        for (var i = 0u; i < BUTTERFLIES; i++) {
            scatter(place.local_part, place.lane + i * LANES, s, butterfly(values[i]));
        }
        workgroupBarrier();
        place = find_place(workgroup.y, tile, invocation, false);
        for (var i = 0u; i < BUTTERFLIES; i++) {
            values[i] = gather(place.local_part, place.lane + i * LANES);
        }
        workgroupBarrier();
    }

    for (var i = 0u; i < BUTTERFLIES; i++) {
        let j = place.lane + i * LANES;
        let v = last_butterfly(values[i]);
        store_part(place, j, v.a);
        store_part(place, j + QUARTER, v.b);
        store_part(place, j + 2u * QUARTER, v.c);
        store_part(place, j + 3u * QUARTER, v.d);
    }
}
