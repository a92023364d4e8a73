// The discrete Fourier transform by its definition: X(k) = sum over n of x(n) exp(SIGN 2 pi i k n / N).
//
// Mota, High Performance Fourier Transforms on GPUs (2022), section 2.2. One invocation sums one
// result, so a line takes N^2 multiplications, of whatever length it is: what every other algorithm
// here saves.

#import "fft/common.wgsl"

// Terms that are summed before they are added to the rest. The rounding of a sum grows with the
// number of additions that a term goes through: N/BLOCK + BLOCK and not N.
const BLOCK: u32 = 64u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let index = workgroup_in_layer(workgroup, workgroups) * WORKGROUP_SIZE + invocation;
    if (index >= WIDTH * HEIGHT) {
        return;
    }
    // Neighbouring invocations compute neighbouring results in memory.
    var k = index % WIDTH;
    var line = index / WIDTH;
    if (!ROWS) {
        k = index / WIDTH;
        line = index % WIDTH;
    }
    let layer = workgroup.y;

    var sum = Element();
    // k n modulo N: the sum of a large angle would lose what the angle has after the point.
    var kn = 0u;
    for (var first = 0u; first < LENGTH; first += BLOCK) {
        var block = Element();
        let end = min(first + BLOCK, LENGTH);
        for (var n = first; n < end; n++) {
            block += times(load_point(layer, line, n), twiddle(kn));
            kn += k;
            if (kn >= LENGTH) {
                kn -= LENGTH;
            }
        }
        sum += block;
    }
    store_point(layer, line, k, sum);
}
