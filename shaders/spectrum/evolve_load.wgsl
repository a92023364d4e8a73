// The moving waves as the load hook of a Fourier transform: what evolve.wgsl writes to memory, given
// value by value. Both layers of a cascade are prepared from one height.

#import "spectrum/evolve_wave.wgsl"
#import "spectrum/evolve_params.wgsl"

@group(1) @binding(0) var<uniform> evolve_params: EvolveParams;
@group(1) @binding(1) var<uniform> evolve_time_byte_0: u32;
@group(1) @binding(2) var<uniform> evolve_time_byte_1: u32;
@group(1) @binding(3) var<uniform> evolve_time_byte_2: u32;
@group(1) @binding(4) var<uniform> evolve_time_byte_3: u32;
@group(1) @binding(5) var<storage, read> evolve_amplitudes: array<vec4<f32>>;
@group(1) @binding(6) var<storage, read> evolve_motions: array<vec2<u32>>;

struct Prepared {
    // h(k, t)
    height: vec2<f32>,
    axis_over_k_m: f32,
}

fn prepare(cascade: u32, z: u32, x: u32) -> Prepared {
    let size = evolve_params.size;
    let at = wave_index(cascade, vec2(x, z), size);
    let wave = wave_of(evolve_amplitudes[at], evolve_motions[at]);
    let ticks = time_ticks(
        evolve_time_byte_0,
        evolve_time_byte_1,
        evolve_time_byte_2,
        evolve_time_byte_3,
    );
    return Prepared(height_of_wave(wave_height(wave, ticks), z, size), wave.axis_over_k_m);
}

// `layer` counts [cascade][s].
fn load_prepared(wave: Prepared, layer: u32, z: u32, x: u32) -> Element {
    let k = wave_vector(
        vec2(x, z), evolve_params.size, evolve_params.lattice_rad_per_m[layer / 2u]);
    let axis = wave.axis_over_k_m * k;
    if (layer % 2u == 0u) {
        return displacement_spectra(wave.height, k, axis);
    }
    return derivative_spectra(wave.height, k, axis);
}
