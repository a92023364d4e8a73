// The light that comes out of the water, for the picture and the exposure meter.
#import "shading/sky.wgsl"
#import "shading/facets.wgsl"

// The share of the sky's light that enters a level sea.
const SKY_ENTERING: f32 = 0.934;

// The irradiance just beneath a level surface: it reflects 6.6% of the sky's light, and Fresnel's share of the
// sun's.
fn light_entering() -> vec3<f32> {
    let sun_cosine = max(sun_direction().y, 0.0);
    return sun_radiance() * (sun_cosine * (1.0 - fresnel(sun_cosine))) + sky_irradiance() * SKY_ENTERING;
}

// The radiance outside of water with this `reflectance` for entering light, before the surface's Fresnel
// transmittance: it is diffuse in the water, and falls by n^2 on the way out.
fn water_upwelling(reflectance: vec3<f32>) -> vec3<f32> {
    return reflectance * light_entering() * (1.0 / (PI * WATER_INDEX_SQUARED));
}
