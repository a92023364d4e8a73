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
// points, by the radix-4 Stockham algorithm (Mota 2022, algorithm 5; stockham_r4.wgsl explains it).
// OTHERS is the number of parts of a line.

#import "fft/common.wgsl"
#import "fft/radix4.wgsl"

const QUARTER: u32 = PART / 4u;
// An odd power of two.
const ODD: bool = (LOG2_PART & 1u) == 1u;
// The stride of the last stage, which needs no twiddle factors.
const LAST_STRIDE: u32 = select(PART / 4u, PART / 2u, ODD);
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

// exp(SIGN 2 pi i k / PART)
fn part_twiddle(k: u32) -> vec2<f32> {
    return twiddle(k * OTHERS);
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
            let j = place.lane + i * LANES;
            let q = j & (s - 1u);
            let sp = j - q;
            let v = butterfly(values[i]);
            let first = q + 4u * sp;
            points[slot(place.local_part, first)] = v.a;
            points[slot(place.local_part, first + s)] = times(v.b, part_twiddle(sp));
            points[slot(place.local_part, first + 2u * s)] = times(v.c, part_twiddle(2u * sp));
            points[slot(place.local_part, first + 3u * s)] = times(v.d, part_twiddle(3u * sp));
        }
        workgroupBarrier();
        place = find_place(workgroup.y, tile, invocation, false);
        for (var i = 0u; i < BUTTERFLIES; i++) {
            let j = place.lane + i * LANES;
            values[i] = Four(
                points[slot(place.local_part, j)],
                points[slot(place.local_part, j + QUARTER)],
                points[slot(place.local_part, j + 2u * QUARTER)],
                points[slot(place.local_part, j + 3u * QUARTER)],
            );
        }
        workgroupBarrier();
    }

    for (var i = 0u; i < BUTTERFLIES; i++) {
        let j = place.lane + i * LANES;
        var v = values[i];
        if (ODD) {
            v = two_butterflies(v);
        } else {
            v = butterfly(v);
        }
        store_part(place, j, v.a);
        store_part(place, j + QUARTER, v.b);
        store_part(place, j + 2u * QUARTER, v.c);
        store_part(place, j + 3u * QUARTER, v.d);
    }
}
