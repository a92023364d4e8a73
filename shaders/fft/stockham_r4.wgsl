// Radix-4 Stockham, decimation in frequency: whole lines in workgroup memory, one dispatch an axis.
//
// Mota, High Performance Fourier Transforms on GPUs (2022), section 4.3, algorithm 5 and listings
// A.7 and A.8; n, s, p, q and a, b, c, d are named as there. Different here: the values pass
// between stages in registers and one array of workgroup memory, where the thesis alternates
// between two images in global memory; an odd power of two finishes with one radix-2 stage; and
// the twiddle factors w^2 and w^3 are looked up, not multiplied, which keeps one rounding less.
//
// Butterfly j = q + s p of a stage of stride s reads points j, j + N/4, j + N/2, j + 3N/4, whatever
// the stage, and writes q + s (4 p + k). That reordering sorts the result as it goes along.

#import "fft/line.wgsl"
#import "fft/radix4.wgsl"
#import "fft/two_points.wgsl"

const QUARTER: u32 = LENGTH / 4u;
// An odd power of two.
const ODD: bool = (LOG2_LENGTH & 1u) == 1u;
// The stride of the last stage, which needs no twiddle factors (p = 0): N/4 in radix 4, N/2 in
// radix 2.
const LAST_STRIDE: u32 = select(LENGTH / 4u, LENGTH / 2u, ODD);

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

    var values: array<Four, BUTTERFLIES>;
    for (var i = 0u; i < BUTTERFLIES; i++) {
        let j = place.lane + i * LANES;
        values[i] = Four(
            load_point(place.layer, place.line, j),
            load_point(place.layer, place.line, j + QUARTER),
            load_point(place.layer, place.line, j + 2u * QUARTER),
            load_point(place.layer, place.line, j + 3u * QUARTER),
        );
    }

    for (var s = 1u; s < LAST_STRIDE; s *= 4u) {
        for (var i = 0u; i < BUTTERFLIES; i++) {
            let j = place.lane + i * LANES;
            let q = j & (s - 1u);
            // The angle 2 pi p / n of the thesis, with n = N / s, is 2 pi (s p) / N.
            let sp = j - q;
            let v = butterfly(values[i]);
            let first = q + 4u * sp;
            points[slot(place.local_line, first)] = v.a;
            points[slot(place.local_line, first + s)] = times(v.b, twiddle(sp));
            points[slot(place.local_line, first + 2u * s)] = times(v.c, twiddle(2u * sp));
            points[slot(place.local_line, first + 3u * s)] = times(v.d, twiddle(3u * sp));
        }
        workgroupBarrier();
        for (var i = 0u; i < BUTTERFLIES; i++) {
            let j = place.lane + i * LANES;
            values[i] = Four(
                points[slot(place.local_line, j)],
                points[slot(place.local_line, j + QUARTER)],
                points[slot(place.local_line, j + 2u * QUARTER)],
                points[slot(place.local_line, j + 3u * QUARTER)],
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
        store_point(place.layer, place.line, j, v.a);
        store_point(place.layer, place.line, j + QUARTER, v.b);
        store_point(place.layer, place.line, j + 2u * QUARTER, v.c);
        store_point(place.layer, place.line, j + 3u * QUARTER, v.d);
    }
}
