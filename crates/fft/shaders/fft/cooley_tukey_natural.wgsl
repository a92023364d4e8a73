// Radix-2 Cooley-Tukey in natural order, decimation in frequency: whole lines, one dispatch an axis.
//
// Mota, High Performance Fourier Transforms on GPUs (2022), section 4.1, equations 10 and 11: no bit
// reversal, but every stage composes even and odd elements anew once its butterflies are done, which
// takes as much memory traffic again; that is what the Stockham form saves by writing the butterflies'
// results where they belong (stockham_r2.wgsl, whose names these are). Different here: the thesis
// writes the equations for the first stage, and with a stride s they hold for all.

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

    // The points j and j + N/2 of the sequence x, of each butterfly.
    var low: array<Element, BUTTERFLIES>;
    var high: array<Element, BUTTERFLIES>;
    for (var i = 0u; i < BUTTERFLIES; i++) {
        let j = place.lane + i * LANES;
        low[i] = load_point(place.layer, place.line, j);
        high[i] = load_point(place.layer, place.line, j + HALF);
    }

    // All stages but the last, which needs no twiddle factors and no composition.
    var step = 0u;
    for (var s = 1u; s < HALF; s *= 2u) {
        // Butterflies: y.
        for (var i = 0u; i < BUTTERFLIES; i++) {
            let j = place.lane + i * LANES;
            let sp = j - (j & (s - 1u));
            write_point(place, step, j, low[i] + high[i]);
            write_point(place, step, j + HALF, times(low[i] - high[i], twiddle(sp)));
        }
        all_is_written();
        // Composition: x[q + s (2 p + k)] = y[q + s p + k N/2].
        for (var i = 0u; i < BUTTERFLIES; i++) {
            let n = place.lane + i * LANES;
            low[i] = read_point(place, step, composed_of(n, s));
            high[i] = read_point(place, step, composed_of(n + HALF, s));
        }
        all_is_read();
        step += 1u;
        for (var i = 0u; i < BUTTERFLIES; i++) {
            let j = place.lane + i * LANES;
            write_point(place, step, j, low[i]);
            write_point(place, step, j + HALF, high[i]);
        }
        all_is_written();
        for (var i = 0u; i < BUTTERFLIES; i++) {
            let j = place.lane + i * LANES;
            low[i] = read_point(place, step, j);
            high[i] = read_point(place, step, j + HALF);
        }
        all_is_read();
        step += 1u;
    }

    for (var i = 0u; i < BUTTERFLIES; i++) {
        let j = place.lane + i * LANES;
        store_point(place.layer, place.line, j, low[i] + high[i]);
        store_point(place.layer, place.line, j + HALF, low[i] - high[i]);
    }
}

// Which y becomes x[n], n = q + s (2 p + k).
fn composed_of(n: u32, s: u32) -> u32 {
    let q = n & (s - 1u);
    let k = (n / s) & 1u;
    let p = n / (2u * s);
    return q + s * p + k * HALF;
}
