// Radix-4 Stockham, decimation in frequency, of POINTS values, which invocations keep in registers
// and exchange between stages through workgroup memory: those of a line (stockham_r4.wgsl), or of a
// part of one (four_step.wgsl).
//
// Mota, High Performance Fourier Transforms on GPUs (2022), section 4.3, algorithm 5; n, s, p, q
// and a, b, c, d are named as there. Butterfly j = q + s p of a stage of stride s reads points j,
// j + n/4, j + n/2, j + 3n/4 of all, whatever the stage, and writes q + s (4 p + k). That reordering
// sorts the result as it goes along. An odd power of two finishes with one radix-2 stage.
//
// A kernel that imports this declares
//   POINTS, LOG2_POINTS  how many values are transformed,
//   points, slot         the workgroup memory, and where in it a point is kept.

#import "fft/common.wgsl"
#import "fft/radix4.wgsl"

const QUARTER: u32 = POINTS / 4u;
// An odd power of two.
const ODD: bool = (LOG2_POINTS & 1u) == 1u;
// The stride of the last stage, which needs no twiddle factors (p = 0): n/4 in radix 4, n/2 in
// radix 2.
const LAST_STRIDE: u32 = select(POINTS / 4u, POINTS / 2u, ODD);

// exp(SIGN 2 pi i k / POINTS)
fn points_twiddle(k: u32) -> vec2<f32> {
    return twiddle(k * (LENGTH / POINTS));
}

// Writes the results of butterfly j in a stage of stride s, but for the last.
fn scatter(local_line: u32, j: u32, s: u32, v: Four) {
    let q = j & (s - 1u);
    // The angle 2 pi p / n of a stage in the thesis, where n is what is left of it, is
    // 2 pi (s p) / POINTS.
    let sp = j - q;
    let first = q + 4u * sp;
    points[slot(local_line, first)] = v.a;
    points[slot(local_line, first + s)] = times(v.b, points_twiddle(sp));
    points[slot(local_line, first + 2u * s)] = times(v.c, points_twiddle(2u * sp));
    points[slot(local_line, first + 3u * s)] = times(v.d, points_twiddle(3u * sp));
}

// What butterfly j of the next stage takes.
fn gather(local_line: u32, j: u32) -> Four {
    return Four(
        points[slot(local_line, j)],
        points[slot(local_line, j + QUARTER)],
        points[slot(local_line, j + 2u * QUARTER)],
        points[slot(local_line, j + 3u * QUARTER)],
    );
}

// A butterfly of the last stage, or the two that take its values in radix 2: its results are points
// j, j + n/4, j + n/2 and j + 3n/4.
fn last_butterfly(v: Four) -> Four {
    if (ODD) {
        return two_butterflies(v);
    }
    return butterfly(v);
}
