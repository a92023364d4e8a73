// One step of an additive transform in storage, whose pairs lie further apart than workgroup memory reaches. The
// generated function `run_pair` has the step.

// The pair's lower point of a step whose pairs differ in `bit`.
fn lower_of(pair: u32, bit: u32) -> u32 {
    return ((pair >> bit) << (bit + 1u)) | (pair & ((1u << bit) - 1u));
}

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let pair = (workgroup.y * workgroups.x + workgroup.x) * LANES + lane;
    if (pair < TOTAL / 2u) {
        run_pair(pair);
    }
}
