// Twisted radix 3 with conjugate factors: whole lines in workgroup memory, one dispatch an axis.
//
// Mateer, Fast Fourier Transform: Algorithms and Applications (Clemson 2008), figure 4.4; X, Y, Z,
// alpha, beta, gamma, zeta, Omega, A to C and m are named as there. A block of 3 m points is made of
// three of m, which hold the points 3 n, 3 n + 1 and 3 n - 1. The factors of the last two are
// conjugates, so that their sum and difference take one real product each for a whole complex one.
// Different here: Mateer's recursion becomes one loop over the lengths of blocks, shortest first, and
// his order Delta' of the evaluations is a function of the index. The figure is the inverse transform;
// the forward one has the conjugates of zeta and Omega.
//
// Lines do not come in powers of two here: the last invocations of a line, and the last lines of a
// workgroup, may be none.

#import "fft/line.wgsl"

const THIRD: u32 = LENGTH / 3u;

// Returns the position of point n of the input in the order Delta'.
fn conjugate_triple_position(n: u32) -> u32 {
    var start = 0u;
    var length = THIRD;
    var rest = n;
    while (length > 0u) {
        let digit = rest % 3u;
        start += digit * length;
        // Point -1 of a block is its last.
        rest = (rest / 3u + digit / 2u) % length;
        length /= 3u;
    }
    return start;
}

// The results of a butterfly: coefficients d + 2 m, d + m and d of a block.
struct Three {
    a: Element,
    b: Element,
    c: Element,
}

// `k` is the place of coefficient d among the roots of unity: zeta^-d = exp(SIGN 2 pi i k / LENGTH).
fn conjugate_triple_butterfly(x: Element, y: Element, z: Element, k: u32) -> Three {
    let zeta = twiddle(k);
    // Omega^2 zeta^-d, a third of a turn further.
    let turned = twiddle(k + THIRD);
    // w y + conj(w) z = Re(w) (y + z) + i Im(w) (y - z).
    let sum = y + z;
    let difference = times_i(y - z);
    let gamma = sum * zeta.x + difference * zeta.y;
    let beta = sum * turned.x + difference * turned.y;
    let alpha = beta + gamma;
    return Three(x - alpha, x + beta, x + gamma);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let tile = workgroup_in_layer(workgroup, workgroups);
    if (tile >= (IMAGE_LINES + LINES - 1u) / LINES) {
        return;
    }
    let place = find_place(workgroup.y, tile, invocation);
    let is_line = place.line < IMAGE_LINES;

    // Global memory is read in order, workgroup memory takes the scatter.
    for (var i = 0u; i < 3u * BUTTERFLIES; i++) {
        let n = place.lane + i * LANES;
        if (is_line && n < LENGTH) {
            points[slot(place.local_line, conjugate_triple_position(n))] =
                load_point(place.layer, place.line, n);
        }
    }
    workgroupBarrier();

    for (var m = 1u; m < THIRD; m *= 3u) {
        for (var i = 0u; i < BUTTERFLIES; i++) {
            let j = place.lane + i * LANES;
            let d = j % m;
            let first = 3u * j - 2u * d;
            if (is_line && j < THIRD) {
                let v = conjugate_triple_butterfly(
                    points[slot(place.local_line, first)],
                    points[slot(place.local_line, first + m)],
                    points[slot(place.local_line, first + 2u * m)],
                    d * (THIRD / m),
                );
                points[slot(place.local_line, first)] = v.c;
                points[slot(place.local_line, first + m)] = v.b;
                points[slot(place.local_line, first + 2u * m)] = v.a;
            }
        }
        workgroupBarrier();
    }

    // The last block is the line; it goes to global memory.
    for (var i = 0u; i < BUTTERFLIES; i++) {
        let d = place.lane + i * LANES;
        if (is_line && d < THIRD) {
            let v = conjugate_triple_butterfly(
                points[slot(place.local_line, d)],
                points[slot(place.local_line, d + THIRD)],
                points[slot(place.local_line, d + 2u * THIRD)],
                d,
            );
            store_point(place.layer, place.line, d, v.c);
            store_point(place.layer, place.line, d + THIRD, v.b);
            store_point(place.layer, place.line, d + 2u * THIRD, v.a);
        }
    }
}
