// The light that comes out of the water, for the picture and the exposure meter.
#import "shading/sky.wgsl"
#import "shading/facets.wgsl"

// The share of the sky's light that enters a level sea, which reflects 6.6% of it.
const SKY_ENTERING: f32 = 0.934;

// The irradiance by the sun just beneath a level surface, which reflects Fresnel's share.
fn sun_entering() -> vec3<f32> {
    let sun_cosine = max(sun_direction().y, 0.0);
    return sun_radiance() * (sun_cosine * (1.0 - fresnel(sun_cosine)));
}

// The irradiance by the sky there.
fn sky_entering() -> vec3<f32> {
    return sky_irradiance() * SKY_ENTERING;
}

// All irradiance there.
fn light_entering() -> vec3<f32> {
    return sun_entering() + sky_entering();
}

// The radiance outside of water with this `reflectance` for entering light, before the surface's Fresnel
// transmittance: it is diffuse in the water, and falls by n^2 on the way out.
fn water_upwelling(reflectance: vec3<f32>) -> vec3<f32> {
    return reflectance * light_entering() * (1.0 / (PI * WATER_INDEX_SQUARED));
}
