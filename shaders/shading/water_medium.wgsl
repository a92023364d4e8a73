// Light within the water of the scene: what it loses on its way, and what the water adds along a line of sight.
#import "shading/upwelling.wgsl"
#import "shading/water_light.wgsl"

// The phase function for the light that comes up out of the water through a crest: without the light that the
// water's reflectance contains.
fn water_forward_phase(cosine: f32) -> f32 {
    return water_phase(cosine) * smoothstep(WATER_FORWARD_COSINES.x, WATER_FORWARD_COSINES.y, cosine);
}

// The radiance that each metre of water right beneath the surface adds to light that comes from `direction`.
fn water_added(direction: vec3<f32>) -> vec3<f32> {
    return water_source(sky.water, water_light_above(), direction);
}

// Light along a line of sight through water.
struct WaterPath {
    // The radiance that the water adds.
    added: vec3<f32>,
    // The share of the light from its end that remains.
    transmittance: vec3<f32>,
}

// The water between an eye at `depth_m` and a place `distance_m` away in `direction`.
fn water_path(depth_m: f32, direction: vec3<f32>, distance_m: f32) -> WaterPath {
    return WaterPath(
        water_inscatter(sky.water, water_light_above(), depth_m, direction, distance_m),
        water_transmittance(sky.water, distance_m));
}

// The radiance of water without end from `direction`, downwards, for an eye at that depth.
fn water_without_end(depth_m: f32, direction: vec3<f32>) -> vec3<f32> {
    return water_inscatter_without_end(sky.water, water_light_above(), depth_m, direction);
}
