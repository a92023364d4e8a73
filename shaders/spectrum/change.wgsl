// Moves the amplitudes h0 of a sea towards those of another, which has the same wave vectors, frequencies and
// random numbers: phases stay. One invocation per wave vector.

// The part of the remaining difference, 0 to 1; 1 gives the other sea's amplitudes bit for bit.
@group(0) @binding(0) var<uniform> share: f32;
// [cascade][z][x], indices in FFT order.
@group(0) @binding(1) var<storage, read> wanted: array<vec2<f32>>;
@group(0) @binding(2) var<storage, read_write> h0: array<vec2<f32>>;

@compute @workgroup_size(16, 4)
fn change(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    // The grid is a whole number of workgroups.
    let size = 16u * workgroups.x;
    let at = (id.z * size + id.y) * size + id.x;
    h0[at] = h0[at] * (1.0 - share) + wanted[at] * share;
}
