// The places of breaking waves, for any footprint. The step of the foam computes the same for its texels, whose
// size is constant in a level.
#import "maps/sample.wgsl"

// The standard deviation of J within which water begins to break, as in src/foam/cover/mod.rs.
const FOAM_BREAKING_EDGE: f32 = 0.03;

// The share of a piece of the surface, 0 to 1, where waves break because J is less than `threshold`. J of the
// waves that are too fine for the piece spreads around the resolved J (`ocean_foam`).
fn foam_breaking(surface: OceanSurface, threshold: f32) -> f32 {
    let choppy = ocean_maps.choppiness;
    let variance = choppy * choppy * max(surface.lost_divergence, 0.0) + FOAM_BREAKING_EDGE * FOAM_BREAKING_EDGE;
    return ocean_normal_integral((threshold - ocean_jacobian(surface)) * inverseSqrt(variance));
}
