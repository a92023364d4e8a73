// |h(k, t)| of one cascade over its wave vectors: k = 0 in the middle, kx to the right, kz down, on a
// logarithmic scale. The simulation's own function evolves the waves.
#import "spectrum/evolve_load.wgsl"
#import "debug_view/flat.wgsl"

// The type of the other functions for evolved waves.
alias Element = vec4<f32>;

@fragment
fn spectrum(in: FlatPoint) -> @location(0) vec4<f32> {
    let size = evolve_params.size;
    let across = 2u * flat.reach + 1u;
    let scaled = in.place_px / flat.side_px * f32(across);
    let index = clamp(vec2<i32>(floor(scaled)), vec2(0i), vec2(i32(across) - 1i))
        - i32(flat.reach);
    // The nearest wave vector of the turned lattice.
    let axis_of_lattice = normalize(evolve_params.lattice_rad_per_m[flat.cascade].xy);
    let along = vec2(
        dot(vec2<f32>(index), axis_of_lattice),
        dot(vec2<f32>(index), vec2(-axis_of_lattice.y, axis_of_lattice.x)));
    let nearest = vec2<i32>(round(along));
    // Nyquist has one place for both signs.
    let place = (vec2<u32>(nearest + i32(size))) & vec2(size - 1u);
    // Undoes the prefilter of cubic maps.
    let texel_phase = vec2<f32>(nearest) * (6.2831853 / f32(size));
    let raised = select(vec2(1.0), 3.0 / (2.0 + cos(texel_phase)), flat.cubic != 0u);
    let amplitude_m = length(prepare(flat.cascade, place.y, place.x).height) / (raised.x * raised.y);
    let scale = (log2(max(amplitude_m, 1e-30)) * 0.30103 - flat.low) / (flat.high - flat.low);
    // A dark colour where the cascade carries no wave.
    let colour = select(vec3(0.03, 0.03, 0.04), debug_sequential(scale), amplitude_m > 0.0);
    // The axes, one pixel wide.
    let middle = abs(in.place_px - 0.5 * flat.side_px) < vec2(0.51);
    let axis = any(middle) && !all(abs(index) <= vec2(1i));
    return flat_colour(in.place_px, mix(colour, vec3(1.0), select(0.0, 0.16, axis)));
}
