// Radix-2 Cooley-Tukey, decimation in time: whole lines in workgroup memory, one dispatch an axis.
//
// Mota, High Performance Fourier Transforms on GPUs (2022), section 5.3.1 "All stages in one pass"
// and listings A.3 and A.4; stage by stage, `shift` and `idx` are named as there. Different here:
// but where `ping-pong` says `storage` or `image`, the stages run in one array of workgroup memory, where a
// butterfly writes the two points that it has read, so that one barrier a stage is enough; the thesis
// alternates between two images in global memory.

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

    // Bit reversal: global memory is read in order, workgroup memory takes the scatter.
    for (var i = 0u; i < BUTTERFLIES; i++) {
        let n = place.lane + i * LANES;
        write_point(place, 0u, bit_reverse(n), load_point(place.layer, place.line, n));
        write_point(place, 0u, bit_reverse(n + HALF), load_point(place.layer, place.line, n + HALF));
    }
    all_is_written();

    // All stages but the last, which goes to global memory.
    for (var stage = 0u; stage < LOG2_LENGTH - 1u; stage++) {
        let shift = 1u << stage;
        for (var i = 0u; i < BUTTERFLIES; i++) {
            let j = place.lane + i * LANES;
            let within = j & (shift - 1u);
            let idx = within + 2u * (j - within);
            // The angle 2 pi within / (2 shift), as a fraction of N.
            let w = twiddle(within * (HALF >> stage));
            let a = read_point(place, stage, idx);
            let wb = times(read_point(place, stage, idx + shift), w);
            write_point(place, stage + 1u, idx, a + wb);
            write_point(place, stage + 1u, idx + shift, a - wb);
        }
        all_is_written();
    }

    for (var i = 0u; i < BUTTERFLIES; i++) {
        let j = place.lane + i * LANES;
        let a = read_point(place, LOG2_LENGTH - 1u, j);
        let wb = times(read_point(place, LOG2_LENGTH - 1u, j + HALF), twiddle(j));
        store_point(place.layer, place.line, j, a + wb);
        store_point(place.layer, place.line, j + HALF, a - wb);
    }
}
