// Radix-2 Stockham, decimation in frequency: whole lines in workgroup memory, one dispatch an axis.
//
// Mota, High Performance Fourier Transforms on GPUs (2022), section 4.2, algorithm 4 and listings
// A.5 and A.6; n, s, p, q and a, b are named as there. Different here: the values pass between
// stages in registers and, but where `ping-pong` says `storage` or `image`, one array of workgroup memory, where
// the thesis alternates between two images in global memory.
//
// Butterfly j = q + s p of a stage of stride s reads points j and j + N/2, whatever the stage, and
// writes q + s (2 p + k). That reordering takes the place of the bit reversal.

#import "fft/line.wgsl"

// The two values of a butterfly.
struct Two {
    a: Element,
    b: Element,
}

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

    var values: array<Two, BUTTERFLIES>;
    for (var i = 0u; i < BUTTERFLIES; i++) {
        let j = place.lane + i * LANES;
        values[i] = Two(
            load_point(place.layer, place.line, j),
            load_point(place.layer, place.line, j + HALF),
        );
    }

    // All stages but the last, which needs no twiddle factors (p = 0).
    var step = 0u;
    for (var s = 1u; s < HALF; s *= 2u) {
        for (var i = 0u; i < BUTTERFLIES; i++) {
            let j = place.lane + i * LANES;
            let q = j & (s - 1u);
            // The angle 2 pi p / n of the thesis, with n = N / s, is 2 pi (s p) / N.
            let sp = j - q;
            let v = values[i];
            write_point(place, step, q + 2u * sp, v.a + v.b);
            write_point(place, step, q + 2u * sp + s, times(v.a - v.b, twiddle(sp)));
        }
        all_is_written();
        for (var i = 0u; i < BUTTERFLIES; i++) {
            let j = place.lane + i * LANES;
            values[i] = Two(
                read_point(place, step, j),
                read_point(place, step, j + HALF),
            );
        }
        all_is_read();
        step += 1u;
    }

    for (var i = 0u; i < BUTTERFLIES; i++) {
        let j = place.lane + i * LANES;
        let v = values[i];
        store_point(place.layer, place.line, j, v.a + v.b);
        store_point(place.layer, place.line, j + HALF, v.a - v.b);
    }
}
