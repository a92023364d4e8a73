// Light that comes out of the water: what the picture and the exposure meter share of it.
#import "shading/sky.wgsl"
#import "shading/facets.wgsl"

// Share of the sky's light that a level sea does not reflect on its way in.
const SKY_ENTERING: f32 = 0.934;

// Irradiance just beneath a level surface: of the sky's light, 6.6% is reflected on the way in, of the
// sun's what Fresnel says.
fn light_entering() -> vec3<f32> {
    let sun_cosine = max(sun_direction().y, 0.0);
    return sun_radiance() * (sun_cosine * (1.0 - fresnel(sun_cosine))) + sky_irradiance() * SKY_ENTERING;
}

// Radiance beneath the surface of water that sends up `reflectance` of the light that enters it, once
// it has left the water, before the surface's Fresnel transmittance: it is diffuse in the water, and
// radiance grows fainter by n^2 on the way out.
fn water_upwelling(reflectance: vec3<f32>) -> vec3<f32> {
    return reflectance * light_entering() * (1.0 / (PI * WATER_INDEX_SQUARED));
}
