// Moves the amplitudes h0 and the orbits of a sea towards those of another, which has the same wave vectors,
// frequencies and random numbers: phases stay. One invocation per wave vector.
// src/spectrum/waves.rs says what the arrays hold.

// The part of the remaining difference, 0 to 1; 1 gives the other sea's waves bit for bit.
@group(0) @binding(0) var<uniform> share: f32;
@group(0) @binding(1) var<storage, read> wanted_amplitudes: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> wanted_motions: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> amplitudes: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> motions: array<vec2<u32>>;

@compute @workgroup_size(16, 4)
fn change(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    // Rows are a whole number of workgroups, and the half plane has N/2 + 1 of them.
    let size = 16u * workgroups.x;
    if id.y > size / 2u {
        return;
    }
    let at = (id.z * (size / 2u + 1u) + id.y) * size + id.x;
    let here = amplitudes[at];
    amplitudes[at] = here * (1.0 - share) + wanted_amplitudes[at] * share;
    let axes_over_k_m = bitcast<vec2<f32>>(vec2(motions[at].y, wanted_motions[at].y));
    motions[at].y = bitcast<u32>(axes_over_k_m.x * (1.0 - share) + axes_over_k_m.y * share);
}
