// Multiplies two buffers of elements of GF(2^m), value by value, into the first.

@group(0) @binding(2) var<storage, read> others: array<u32>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let at = (workgroup.y * workgroups.x + workgroup.x) * LANES + lane;
    if (at < TOTAL) {
        data[at] = times(data[at], others[at]);
    }
}
