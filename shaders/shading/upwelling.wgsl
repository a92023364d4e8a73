// The light that comes out of the water, for the picture and the exposure meter.
#import "shading/sky.wgsl"
#import "shading/water_light.wgsl"

// The light of the scene on the water.
fn water_light_above() -> WaterLight {
    return WaterLight(sun_direction(), sun_radiance(), sky_irradiance());
}

// The irradiance just beneath a level surface.
fn light_entering() -> vec3<f32> {
    return water_entering(water_light_above());
}

// The radiance outside of water with this `reflectance` for entering light, before the surface's Fresnel
// transmittance: it is diffuse in the water, and falls by n^2 on the way out.
fn water_upwelling(reflectance: vec3<f32>) -> vec3<f32> {
    return reflectance * light_entering() * (1.0 / (PI * WATER_INDEX_SQUARED));
}
