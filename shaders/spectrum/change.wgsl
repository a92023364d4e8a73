// Moves the amplitudes h0 and the orbits of a sea towards those of another, which has the same wave vectors,
// frequencies and random numbers: phases stay. One invocation per wave vector.

#import "spectrum/evolve_wave.wgsl"

// The part of the remaining difference, 0 to 1; 1 gives the other sea's waves bit for bit.
@group(0) @binding(0) var<uniform> share: f32;
@group(0) @binding(1) var<storage, read> wanted: array<Wave>;
@group(0) @binding(2) var<storage, read_write> waves: array<Wave>;

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
    let here = waves[at];
    let there = wanted[at];
    waves[at].sum = here.sum * (1.0 - share) + there.sum * share;
    waves[at].difference = here.difference * (1.0 - share) + there.difference * share;
    waves[at].axis_over_k_m = here.axis_over_k_m * (1.0 - share) + there.axis_over_k_m * share;
}
