// Steps of an additive transform over windows of the data in workgroup memory. A window holds the values whose
// addresses differ in bits LOW to LOW + log2(POINTS) only. The generated function `run_steps` has the steps.

var<workgroup> points: array<u32, POINTS>;

// The address of point p of a window.
fn address(window: u32, p: u32) -> u32 {
    let mask = (1u << LOW) - 1u;
    return (window >> LOW) * (POINTS << LOW) + (p << LOW) + (window & mask);
}

// The pair's lower point of a step whose pairs differ in `bit`.
fn lower_of(pair: u32, bit: u32) -> u32 {
    return ((pair >> bit) << (bit + 1u)) | (pair & ((1u << bit) - 1u));
}

// The place of point p in its line.
fn index_of(window: u32, p: u32) -> u32 {
    return address(window, p) & (LENGTH - 1u);
}

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let window = workgroup.y * workgroups.x + workgroup.x;
    if (window >= WINDOWS) {
        return;
    }
    for (var p = lane; p < POINTS; p += LANES) {
        let at = address(window, p);
        points[p] = select(0u, data[min(at, TOTAL - 1u)], at < TOTAL);
    }
    workgroupBarrier();
    run_steps(window, lane);
    for (var p = lane; p < POINTS; p += LANES) {
        let at = address(window, p);
        if (at < TOTAL) {
            data[at] = points[p];
        }
    }
}
