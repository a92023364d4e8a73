// Moves every element, four to an invocation, and changes only its sign, so that a copy in place
// cannot be left out. The ceiling that transforms are measured against.

#import "fft/common.wgsl"

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let first = workgroup_in_layer(workgroup, workgroups) * WORKGROUP_SIZE * 4u + invocation;
    let layer = workgroup.y;
    if (first + 3u * WORKGROUP_SIZE < ELEMENTS) {
        let a = load(layer, 0u, first);
        let b = load(layer, 0u, first + WORKGROUP_SIZE);
        let c = load(layer, 0u, first + 2u * WORKGROUP_SIZE);
        let d = load(layer, 0u, first + 3u * WORKGROUP_SIZE);
        store(layer, 0u, first, -a);
        store(layer, 0u, first + WORKGROUP_SIZE, -b);
        store(layer, 0u, first + 2u * WORKGROUP_SIZE, -c);
        store(layer, 0u, first + 3u * WORKGROUP_SIZE, -d);
        return;
    }
    for (var n = first; n < ELEMENTS; n += WORKGROUP_SIZE) {
        store(layer, 0u, n, -load(layer, 0u, n));
    }
}
