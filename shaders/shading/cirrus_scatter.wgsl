// The light that the ice of cirrus scatters.
#import "shading/atmosphere.wgsl"

// Ice scatters most light forwards, and the rest evenly: weights and asymmetries of two lobes.
const CIRRUS_ICE: vec2<f32> = vec2(0.6, 0.4);
const CIRRUS_ICE_G: vec2<f32> = vec2(0.75, 0.0);
// The share of the optical depth that takes light out of the forward direction.
const CIRRUS_FORWARDS_SHARE: f32 = 0.5;

// Sunlight per steradian, by the cosine of the angle to the sun.
fn cirrus_phase(cosine: f32) -> f32 {
    let ice = vec2(
        henyey_greenstein(cosine, CIRRUS_ICE_G.x), henyey_greenstein(cosine, CIRRUS_ICE_G.y));
    return dot(CIRRUS_ICE, ice);
}

// The downward share of the even light from above that a sheet scatters, by the sheet's optical depth upwards:
// a fit to plane slabs of this phase function, solved by adding-doubling as in slab.rs, for depths up to
// CIRRUS_DEPTH.
fn cirrus_share_downwards(depth: f32) -> f32 {
    return 0.692 - 0.098 * depth;
}
