// Radix-4 Stockham, decimation in frequency: whole lines in workgroup memory, one dispatch an axis.
//
// Mota, High Performance Fourier Transforms on GPUs (2022), section 4.3, algorithm 5 and listings
// A.7 and A.8; radix4_exchange.wgsl explains the stages. Different here: the values pass between
// stages in registers and, but where `ping-pong` says `storage` or `image`, one array of workgroup memory, where
// the thesis alternates between two images in global memory; an odd power of two finishes with one radix-2 stage; and the twiddle
// factors w^2 and w^3 are looked up, not multiplied, which keeps one rounding less.

#import "fft/line.wgsl"
#import "fft/radix4_exchange.wgsl"
#import "fft/two_points.wgsl"

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

    var step = 0u;
    for (var s = 1u; s < LAST_STRIDE; s *= 4u) {
        for (var i = 0u; i < BUTTERFLIES; i++) {
            scatter(place, step, place.lane + i * LANES, s, butterfly(values[i]));
        }
        all_is_written();
        for (var i = 0u; i < BUTTERFLIES; i++) {
            values[i] = gather(place, step, place.lane + i * LANES);
        }
        all_is_read();
        step += 1u;
    }

    for (var i = 0u; i < BUTTERFLIES; i++) {
        let j = place.lane + i * LANES;
        let v = last_butterfly(values[i]);
        store_point(place.layer, place.line, j, v.a);
        store_point(place.layer, place.line, j + QUARTER, v.b);
        store_point(place.layer, place.line, j + 2u * QUARTER, v.c);
        store_point(place.layer, place.line, j + 3u * QUARTER, v.d);
    }
}
