// Radix-4 Stockham, decimation in frequency, of the values of a line, which invocations keep in
// registers and exchange between stages (stockham_r4.wgsl).
//
// Mota, High Performance Fourier Transforms on GPUs (2022), section 4.3, algorithm 5; n, s, p, q
// and a, b, c, d are named as there. Butterfly j = q + s p of a stage of stride s reads points j,
// j + n/4, j + n/2, j + 3n/4 of all, whatever the stage, and writes q + s (4 p + k). That reordering
// sorts the result as it goes along. An odd power of two finishes with one radix-2 stage.

#import "fft/line.wgsl"
#import "fft/radix4.wgsl"

const QUARTER: u32 = LENGTH / 4u;
// An odd power of two.
const ODD: bool = (LOG2_LENGTH & 1u) == 1u;
// The stride of the last stage, which needs no twiddle factors (p = 0): n/4 in radix 4, n/2 in
// radix 2.
const LAST_STRIDE: u32 = select(LENGTH / 4u, LENGTH / 2u, ODD);

// Writes the results of butterfly j in a stage of stride s, but for the last.
fn scatter(place: Place, step: u32, j: u32, s: u32, v: Four) {
    let q = j & (s - 1u);
    // The angle 2 pi p / n of a stage in the thesis, where n is what is left of it, is
    // 2 pi (s p) / N.
    let sp = j - q;
    let first = q + 4u * sp;
    write_point(place, step, first, v.a);
    write_point(place, step, first + s, times(v.b, twiddle(sp)));
    write_point(place, step, first + 2u * s, times(v.c, twiddle(2u * sp)));
    write_point(place, step, first + 3u * s, times(v.d, twiddle(3u * sp)));
}

// What butterfly j of the next stage takes.
fn gather(place: Place, step: u32, j: u32) -> Four {
    return Four(
        read_point(place, step, j),
        read_point(place, step, j + QUARTER),
        read_point(place, step, j + 2u * QUARTER),
        read_point(place, step, j + 3u * QUARTER),
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
