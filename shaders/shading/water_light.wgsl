// The light in water, for any shader: what remains of light on its way, and what the water adds to it.
//
// This file imports nothing and binds nothing: the water and the light above it are parameters. Directions are
// lines of sight, from the eye. `shading::water_wgsl` gives it to other programs.

// The optical properties of the water, in linear sRGB (`WaterOptics` in src/shading/optics.rs).
struct WaterOptics {
    // Irradiance coming up under the surface over the irradiance going down.
    reflectance: vec3<f32>,
    // The absorption per metre.
    absorption_per_m: vec3<f32>,
    // The attenuation per metre of depth of the irradiance from above.
    diffuse_attenuation_per_m: vec3<f32>,
    // The scattering per metre by particles, mostly forwards.
    scattering_per_m: vec3<f32>,
    // The addition of bubbles to `reflectance` where breakers have filled the water with them.
    bubbles: vec3<f32>,
}

// The light on the water from above. The units are the caller's.
struct WaterLight {
    // The direction towards the sun.
    to_sun: vec3<f32>,
    // The sun's irradiance on a plane that faces it.
    sun: vec3<f32>,
    // The sky's irradiance on a level plane.
    sky: vec3<f32>,
}

const WATER_PI: f32 = 3.14159265;
const WATER_INDEX: f32 = 1.34;
const WATER_INDEX_SQUARED: f32 = 1.7956;
// Cosine of the angle beyond which a level surface reflects all light from below: sqrt(1 - 1 / n^2), 48.3
// degrees.
const WATER_CRITICAL_COSINE: f32 = 0.665649;
// The share of the sky's light that enters a level sea.
const WATER_SKY_ENTERING: f32 = 0.934;

// Asymmetry of the phase function of Henyey and Greenstein (1941): of particles and bubbles in the
// sea, most light goes on forwards.
const WATER_ASYMMETRY: f32 = 0.6;
// Cosines of the angles of scattering between which forward-scattered light begins. Beneath a level surface sun
// and line of sight are both within the critical angle of the vertical, and light is scattered by 83.5 degrees
// or more (cosine 2/n^2 - 1) before it comes up again: the water's reflectance contains that light.
const WATER_FORWARD_COSINES: vec2<f32> = vec2(0.1138, 0.4);

// Reflectance of water for unpolarised light from above, by the cosine of its angle to the normal: Fresnel's
// equations, as Cook and Torrance (1982) write them.
fn water_fresnel(cosine: f32) -> f32 {
    let c = saturate(cosine);
    let g = sqrt(WATER_INDEX_SQUARED - 1.0 + c * c);
    let s = (g - c) / (g + c);
    let p = (c * (g + c) - 1.0) / (c * (g - c) + 1.0);
    return 0.5 * s * s * (1.0 + p * p);
}

// The share of scattered light per steradian that turns by an angle with that cosine.
fn water_phase(cosine: f32) -> f32 {
    let spread = 1.0 + WATER_ASYMMETRY * WATER_ASYMMETRY - 2.0 * WATER_ASYMMETRY * cosine;
    return (1.0 - WATER_ASYMMETRY * WATER_ASYMMETRY) / (4.0 * WATER_PI * spread * sqrt(spread));
}

// The same for an eye in the water: lines of sight at all angles lie side by side there, so that backscattered
// light, which the reflectance contains, is left out gradually.
fn water_path_phase(cosine: f32) -> f32 {
    return water_phase(cosine) * smoothstep(-1.0, WATER_FORWARD_COSINES.y, cosine);
}

// The irradiance by the sun just beneath a level surface, which reflects Fresnel's share.
fn water_sun_entering(light: WaterLight) -> vec3<f32> {
    let sun_cosine = max(light.to_sun.y, 0.0);
    return light.sun * (sun_cosine * (1.0 - water_fresnel(sun_cosine)));
}

// The irradiance by the sky there: the surface reflects 6.6% of its light.
fn water_sky_entering(light: WaterLight) -> vec3<f32> {
    return light.sky * WATER_SKY_ENTERING;
}

// All irradiance there.
fn water_entering(light: WaterLight) -> vec3<f32> {
    return water_sun_entering(light) + water_sky_entering(light);
}

// The attenuation per metre of light along a line of sight. Forward-scattered light is not lost.
fn water_attenuation(optics: WaterOptics) -> vec3<f32> {
    return optics.absorption_per_m + (1.0 - WATER_ASYMMETRY) * optics.scattering_per_m;
}

// The share of the light that remains after `distance_m` of water.
fn water_transmittance(optics: WaterOptics, distance_m: f32) -> vec3<f32> {
    return exp(-water_attenuation(optics) * distance_m);
}

// The part of `water_source` that comes straight from the sun through a level surface.
fn water_source_by_sun(optics: WaterOptics, light: WaterLight, direction: vec3<f32>) -> vec3<f32> {
    let sun_along = refract(-light.to_sun, vec3(0.0, 1.0, 0.0), 1.0 / WATER_INDEX);
    // The irradiance of a plane that faces that light.
    let sun = water_sun_entering(light) / max(-sun_along.y, 0.1);
    return optics.scattering_per_m * (sun * water_path_phase(-dot(sun_along, direction)));
}

// The radiance that each metre of water right beneath the surface adds along `direction`. Deep water seen
// straight from above then has the radiance of its `reflectance`.
fn water_source(optics: WaterOptics, light: WaterLight, direction: vec3<f32>) -> vec3<f32> {
    let diffuse = optics.reflectance * water_entering(light) * (1.0 / WATER_PI)
        * (water_attenuation(optics) + optics.diffuse_attenuation_per_m);
    // The sky's light goes down within the critical angle of the vertical.
    let by_sky = optics.scattering_per_m * (water_sky_entering(light) * water_path_phase(direction.y));
    return diffuse + water_source_by_sun(optics, light, direction) + by_sky;
}

// The radiance that the water adds between an eye at `depth_m` and a place `distance_m` away: the integral over
// the way, on which the light from above changes with depth, and what it sends to the eye is attenuated.
fn water_inscatter(
    optics: WaterOptics, light: WaterLight, depth_m: f32, direction: vec3<f32>, distance_m: f32,
) -> vec3<f32> {
    let rate = water_attenuation(optics) - optics.diffuse_attenuation_per_m * direction.y;
    let at_eye = water_source(optics, light, direction)
        * exp(-optics.diffuse_attenuation_per_m * max(depth_m, 0.0));
    // (1 - exp(-x)) / x, times the distance.
    let x = clamp(rate * distance_m, vec3(-60.0), vec3(60.0));
    let is_short = abs(x) < vec3(0.01);
    let long = (1.0 - exp(-x)) / select(x, vec3(1.0), is_short);
    let along_m = min(vec3(distance_m), 60.0 / max(abs(rate), vec3(1e-6)));
    return at_eye * along_m * select(long, 1.0 - 0.5 * x, is_short);
}

// The radiance of water without end along `direction`, downwards, for an eye at that depth.
fn water_inscatter_without_end(
    optics: WaterOptics, light: WaterLight, depth_m: f32, direction: vec3<f32>,
) -> vec3<f32> {
    let rate = water_attenuation(optics) - optics.diffuse_attenuation_per_m * min(direction.y, 0.0);
    return water_source(optics, light, direction)
        * exp(-optics.diffuse_attenuation_per_m * max(depth_m, 0.0)) / rate;
}
