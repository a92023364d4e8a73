// Moves every wave of every cascade to one time. One invocation per wave vector writes all four packed spectra.
// The twin is src/spectrum/cpu.rs.

#import "spectrum/evolve_wave.wgsl"
#import "spectrum/evolve_params.wgsl"

@group(0) @binding(0) var<uniform> params: EvolveParams;
@group(0) @binding(1) var<uniform> time_byte_0: u32;
@group(0) @binding(2) var<uniform> time_byte_1: u32;
@group(0) @binding(3) var<uniform> time_byte_2: u32;
@group(0) @binding(4) var<uniform> time_byte_3: u32;
@group(0) @binding(5) var<storage, read> amplitudes: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> motions: array<vec2<u32>>;
// [cascade * 2 + s][z][x]
@group(0) @binding(7) var<storage, read_write> fields: array<vec4<f32>>;

@compute @workgroup_size(16, 4)
fn evolve(@builtin(global_invocation_id) id: vec3<u32>) {
    // The grid is a whole number of workgroups.
    let size = params.size;
    let points = size * size;
    let layer = id.z * points;
    let here = id.y * size + id.x;
    let at = wave_index(id.z, id.xy, size);
    let wave = wave_of(amplitudes[at], motions[at]);
    let ticks = time_ticks(time_byte_0, time_byte_1, time_byte_2, time_byte_3);
    let height = height_of_wave(wave_height(wave, ticks), id.y, size);
    let k = wave_vector(id.xy, size, params.lattice_rad_per_m[id.z]);
    let axis = wave.axis_over_k_m * k;
    fields[2u * layer + here] = displacement_spectra(height, k, axis);
    fields[2u * layer + points + here] = derivative_spectra(height, k, axis);
}
