// Conjugate-pair split radix: whole lines in workgroup memory, one dispatch an axis.
//
// Mateer, Fast Fourier Transform: Algorithms and Applications (Clemson 2008), figure 4.3; W, X, Y,
// Z, alpha, beta and A to D are named as there, where 4m is a block's length. A block of L points
// is made of one block of L/2, the even points, and two of L/4, the points 4n + 1 and 4n - 1. Those
// two are turned by a factor and by its conjugate: one look-up and two multiplications for four
// points. Different here: Mateer's recursion becomes one loop over the lengths of blocks, shortest
// first, and his order sigma' of the input is a function of the index.
//
// Blocks of one length are not all there is at a stage: of the places where a block of L could
// stand, one in three is inside a shorter one. The invocations of those places have nothing to do
// in that stage, which is what the fewer multiplications cost on a GPU.

#import "fft/line.wgsl"
#import "fft/two_points.wgsl"

const QUARTER: u32 = LENGTH / 4u;

// Where point n of the input stands in the order sigma': even points in the first half, 4n + 1 in
// the third quarter, 4n - 1 in the fourth, and so on within each.
fn conjugate_pair_position(n: u32) -> u32 {
    var start = 0u;
    var length = LENGTH;
    var rest = n;
    while (length > 2u) {
        if ((rest & 1u) == 0u) {
            length /= 2u;
            rest /= 2u;
        } else {
            start += select(length / 2u, 3u * length / 4u, (rest & 2u) == 2u);
            length /= 4u;
            rest = ((rest + 1u) / 4u) & (length - 1u);
        }
    }
    return start + rest;
}

// Whether a block of L points starts at L times `place`. From its highest bit on, a 0 in `place`
// leads to the half of a block and a 1 with the bit after it to a quarter. Whatever comes before,
// the bit after a 0 begins such a step: so it is the number of ones at the end that says whether
// the last step ends with the last bit, or would go on to a block of L/2.
fn is_block(place: u32) -> bool {
    return (countTrailingZeros(~place) & 1u) == 0u;
}

// The four values that a butterfly of a block takes, m apart.
struct Four {
    a: Element,
    b: Element,
    c: Element,
    d: Element,
}

// W and X of the block of the even points, Y and Z of the other two; w is the factor of Y.
fn conjugate_pair_butterfly(v: Four, w: vec2<f32>) -> Four {
    let y = times(v.c, w);
    let z = times(v.d, vec2(w.x, -w.y));
    let alpha = SIGN * times_i(y - z);
    let beta = y + z;
    return Four(v.a + beta, v.b + alpha, v.a - beta, v.b - alpha);
}

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
    if (LENGTH == 2u) {
        transform_two_points(place);
        return;
    }

    // Global memory is read in order, workgroup memory takes the scatter.
    for (var i = 0u; i < 4u * BUTTERFLIES; i++) {
        let n = place.lane + i * LANES;
        points[slot(place.local_line, conjugate_pair_position(n))] =
            load_point(place.layer, place.line, n);
    }
    workgroupBarrier();

    // Blocks of two. Of four adjacent points the first two are always one; the others are, where
    // the four are not a block themselves.
    for (var i = 0u; i < BUTTERFLIES; i++) {
        let j = place.lane + i * LANES;
        two_point_block(place.local_line, 4u * j);
        if (!is_block(j)) {
            two_point_block(place.local_line, 4u * j + 2u);
        }
    }
    workgroupBarrier();

    for (var length = 4u; length < LENGTH; length *= 2u) {
        let m = length / 4u;
        for (var i = 0u; i < BUTTERFLIES; i++) {
            let j = place.lane + i * LANES;
            let k = j & (m - 1u);
            if (is_block(j / m)) {
                let first = 4u * (j - k) + k;
                let v = conjugate_pair_butterfly(
                    four(place.local_line, first, m),
                    twiddle(k * (LENGTH / length)),
                );
                points[slot(place.local_line, first)] = v.a;
                points[slot(place.local_line, first + m)] = v.b;
                points[slot(place.local_line, first + 2u * m)] = v.c;
                points[slot(place.local_line, first + 3u * m)] = v.d;
            }
        }
        workgroupBarrier();
    }

    // The last block is the line; it goes to global memory.
    for (var i = 0u; i < BUTTERFLIES; i++) {
        let k = place.lane + i * LANES;
        let v = conjugate_pair_butterfly(four(place.local_line, k, QUARTER), twiddle(k));
        store_point(place.layer, place.line, k, v.a);
        store_point(place.layer, place.line, k + QUARTER, v.b);
        store_point(place.layer, place.line, k + 2u * QUARTER, v.c);
        store_point(place.layer, place.line, k + 3u * QUARTER, v.d);
    }
}

// The two-point transform of points `first` and `first + 1`.
fn two_point_block(local_line: u32, first: u32) {
    let a = points[slot(local_line, first)];
    let b = points[slot(local_line, first + 1u)];
    points[slot(local_line, first)] = a + b;
    points[slot(local_line, first + 1u)] = a - b;
}

// Points `first`, `first + m`, `first + 2m` and `first + 3m`.
fn four(local_line: u32, first: u32, m: u32) -> Four {
    return Four(
        points[slot(local_line, first)],
        points[slot(local_line, first + m)],
        points[slot(local_line, first + 2u * m)],
        points[slot(local_line, first + 3u * m)],
    );
}
