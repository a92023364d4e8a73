// Twisted radix 2: whole lines in workgroup memory, one dispatch an axis.
//
// Mateer, Fast Fourier Transform: Algorithms and Applications (Clemson 2008), figure 4.2; Y, Z, A, B
// and m are named as there. The inverse transform is the figure: a polynomial f mod x^2m - 1 is made of
// f_Y mod x^m - 1 and of another, which the twist, a factor for each coefficient, turns into f_Z mod
// x^m + 1. The forward transform takes the same steps back, so that the twist comes last. Different
// here: the recursion becomes one loop over the lengths of blocks, and the order sigma of the
// evaluations, bit reversal, is a function of the index.
//
// That makes the inverse a decimation in time and the forward transform one in frequency, each in place
// and without a second permutation.

#import "fft/bit_reverse.wgsl"
#import "fft/line.wgsl"

const HALF: u32 = LENGTH / 2u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let tile = workgroup_in_layer(workgroup, workgroups);
    if (tile >= IMAGE_LINES / LINES) {
        return;
    }
    let place = find_place(workgroup.y, tile, invocation);
    if (SIGN > 0.0) {
        to_coefficients(place);
    } else {
        to_evaluations(place);
    }
}

// Figure 4.2: blocks of 2 m points, the shortest first.
fn to_coefficients(place: Place) {
    // Global memory is read in order, workgroup memory takes the scatter.
    for (var i = 0u; i < 2u * BUTTERFLIES; i++) {
        let n = place.lane + i * LANES;
        points[slot(place.local_line, bit_reverse(n))] = load_point(place.layer, place.line, n);
    }
    workgroupBarrier();
    for (var m = 1u; m < HALF; m *= 2u) {
        for (var i = 0u; i < BUTTERFLIES; i++) {
            let j = place.lane + i * LANES;
            let d = j & (m - 1u);
            let first = 2u * j - d;
            let y = points[slot(place.local_line, first)];
            let z = twist(points[slot(place.local_line, first + m)], d, m);
            points[slot(place.local_line, first)] = y + z;
            points[slot(place.local_line, first + m)] = y - z;
        }
        workgroupBarrier();
    }
    for (var i = 0u; i < BUTTERFLIES; i++) {
        let d = place.lane + i * LANES;
        let y = points[slot(place.local_line, d)];
        let z = twist(points[slot(place.local_line, d + HALF)], d, HALF);
        store_point(place.layer, place.line, d, y + z);
        store_point(place.layer, place.line, d + HALF, y - z);
    }
}

// The way back: blocks of 2 m points, the longest first.
fn to_evaluations(place: Place) {
    for (var i = 0u; i < BUTTERFLIES; i++) {
        let d = place.lane + i * LANES;
        let b = load_point(place.layer, place.line, d);
        let a = load_point(place.layer, place.line, d + HALF);
        points[slot(place.local_line, d)] = b + a;
        points[slot(place.local_line, d + HALF)] = twist(b - a, d, HALF);
    }
    workgroupBarrier();
    for (var m = HALF / 2u; m > 0u; m /= 2u) {
        for (var i = 0u; i < BUTTERFLIES; i++) {
            let j = place.lane + i * LANES;
            let d = j & (m - 1u);
            let first = 2u * j - d;
            let b = points[slot(place.local_line, first)];
            let a = points[slot(place.local_line, first + m)];
            points[slot(place.local_line, first)] = b + a;
            points[slot(place.local_line, first + m)] = twist(b - a, d, m);
        }
        workgroupBarrier();
    }
    for (var i = 0u; i < 2u * BUTTERFLIES; i++) {
        let k = place.lane + i * LANES;
        let value = points[slot(place.local_line, bit_reverse(k))];
        store_point(place.layer, place.line, k, value);
    }
}

// Coefficient d of m times exp(SIGN 2 pi i d / (2 m)).
fn twist(coefficient: Element, d: u32, m: u32) -> Element {
    return times(coefficient, twiddle(d * (HALF / m)));
}
