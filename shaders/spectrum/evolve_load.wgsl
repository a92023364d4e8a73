// The moving waves as the load hook of a Fourier transform: what evolve.wgsl writes to memory, given
// value by value. Both layers of a cascade are prepared from one height.

#import "spectrum/evolve_wave.wgsl"
#import "spectrum/evolve_params.wgsl"

@group(1) @binding(0) var<uniform> evolve_params: EvolveParams;
@group(1) @binding(1) var<uniform> evolve_time_byte_0: u32;
@group(1) @binding(2) var<uniform> evolve_time_byte_1: u32;
@group(1) @binding(3) var<uniform> evolve_time_byte_2: u32;
@group(1) @binding(4) var<uniform> evolve_time_byte_3: u32;
// [cascade][z][x], indices in FFT order.
@group(1) @binding(5) var<storage, read> evolve_h0: array<vec2<f32>>;
@group(1) @binding(6) var<storage, read> evolve_omega: array<u32>;

// h(k, t)
alias Prepared = vec2<f32>;

fn prepare(cascade: u32, z: u32, x: u32) -> Prepared {
    let size = evolve_params.size;
    let first = cascade * size * size;
    let here = first + z * size + x;
    let mirrored = mirrored_place(vec2(x, z), size);
    return wave_height(
        evolve_h0[here],
        evolve_h0[first + mirrored.y * size + mirrored.x],
        evolve_omega[here],
        time_ticks(
            evolve_time_byte_0,
            evolve_time_byte_1,
            evolve_time_byte_2,
            evolve_time_byte_3,
        ),
    );
}

// `layer` counts [cascade][s].
fn load_prepared(height: Prepared, layer: u32, z: u32, x: u32) -> Element {
    let k = wave_vector(
        vec2(x, z), evolve_params.size, evolve_params.lattice_rad_per_m[layer / 2u]);
    let axis = orbit_axis(
        k, Orbits(evolve_params.depth_m, evolve_params.breaking_rad_per_m));
    if (layer % 2u == 0u) {
        return displacement_spectra(height, k, axis);
    }
    return derivative_spectra(height, k, axis);
}
