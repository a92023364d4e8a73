// Moves every wave of every cascade to one time. One invocation per wave vector writes all four
// packed spectra. Twin: src/spectrum/cpu.rs.

#import "spectrum/evolve_wave.wgsl"

struct EvolveParams {
    // Spacing of the wave vectors of each cascade, 2 pi/L.
    dk_rad_per_m: vec4<f32>,
    size: u32,
    time_ticks: u32,
}

@group(0) @binding(0) var<uniform> params: EvolveParams;
// [cascade][z][x], indices in FFT order.
@group(0) @binding(1) var<storage, read> h0: array<vec2<f32>>;
@group(0) @binding(2) var<storage, read> omega: array<u32>;
// [cascade * 2 + s][z][x]
@group(0) @binding(3) var<storage, read_write> fields: array<vec4<f32>>;

@compute @workgroup_size(16, 4)
fn evolve(@builtin(global_invocation_id) id: vec3<u32>) {
    // The grid is a whole number of workgroups.
    let size = params.size;
    let points = size * size;
    let layer = id.z * points;
    let here = id.y * size + id.x;
    // The index of -k; a power of two makes the remainder a mask.
    let mirrored_id = (vec2(size) - id.xy) & vec2(size - 1u);
    let mirrored = mirrored_id.y * size + mirrored_id.x;

    let index = vec2<i32>(id.xy) - select(vec2(0i), vec2(i32(size)), id.xy >= vec2(size / 2u));
    let wave = evolve_wave(
        h0[layer + here],
        h0[layer + mirrored],
        vec2<f32>(index) * params.dk_rad_per_m[id.z],
        omega[layer + here],
        params.time_ticks,
    );
    fields[2u * layer + here] = wave.displacement;
    fields[2u * layer + points + here] = wave.derivatives;
}
