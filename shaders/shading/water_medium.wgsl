// Light within the water: what it loses on its way, and what the water adds along a line of sight.
#import "shading/upwelling.wgsl"

const WATER_INDEX: f32 = 1.34;
// Cosine of the angle beyond which a level surface reflects all light from below: sqrt(1 - 1 / n^2), 48.3
// degrees.
const WATER_CRITICAL_COSINE: f32 = 0.665649;

// Asymmetry of the phase function of Henyey and Greenstein (1941): of particles and bubbles in the
// sea, most light goes on forwards.
const WATER_ASYMMETRY: f32 = 0.6;
// Cosines of the angles of scattering between which forward-scattered light begins. Beneath a level surface sun
// and line of sight are both within the critical angle of the vertical, and light is scattered by 83.5 degrees
// or more (cosine 2/n^2 - 1) before it comes up again: the water's reflectance contains that light.
const WATER_FORWARD_COSINES: vec2<f32> = vec2(0.1138, 0.4);

// The share of scattered light per steradian that turns by an angle with that cosine.
fn water_phase(cosine: f32) -> f32 {
    let spread = 1.0 + WATER_ASYMMETRY * WATER_ASYMMETRY - 2.0 * WATER_ASYMMETRY * cosine;
    return (1.0 - WATER_ASYMMETRY * WATER_ASYMMETRY) / (4.0 * PI * spread * sqrt(spread));
}

// The same for the light that comes up out of the water through a crest: without the light that the water's
// reflectance contains.
fn water_forward_phase(cosine: f32) -> f32 {
    return water_phase(cosine) * smoothstep(WATER_FORWARD_COSINES.x, WATER_FORWARD_COSINES.y, cosine);
}

// The same for an eye in the water: lines of sight at all angles lie side by side there, so that backscattered
// light, which the reflectance contains, is left out gradually.
fn water_path_phase(cosine: f32) -> f32 {
    return water_phase(cosine) * smoothstep(-1.0, WATER_FORWARD_COSINES.y, cosine);
}

// The attenuation per metre of light along a line of sight. Forward-scattered light is not lost.
fn water_lost() -> vec3<f32> {
    return sky.water.absorption_per_m + (1.0 - WATER_ASYMMETRY) * sky.water.scattering_per_m;
}

// The part of `water_added` that comes straight from the sun through a level surface.
fn water_added_by_sun(direction: vec3<f32>) -> vec3<f32> {
    let sun_along = refract(-sun_direction(), vec3(0.0, 1.0, 0.0), 1.0 / WATER_INDEX);
    // The irradiance of a plane that faces that light.
    let sun = sun_entering() / max(-sun_along.y, 0.1);
    return sky.water.scattering_per_m * (sun * water_path_phase(-dot(sun_along, direction)));
}

// The radiance that each metre of water right beneath the surface adds to light that comes from `direction`.
// Deep water seen straight from above then has the radiance that leaves the sea, `water_upwelling`.
fn water_added(direction: vec3<f32>) -> vec3<f32> {
    let diffuse = sky.water.reflectance * light_entering() * (1.0 / PI)
        * (water_lost() + sky.water.diffuse_attenuation_per_m);
    // The sky's light goes down within the critical angle of the vertical.
    let by_sky = sky.water.scattering_per_m * (sky_entering() * water_path_phase(direction.y));
    return diffuse + water_added_by_sun(direction) + by_sky;
}

// Light along a line of sight through water.
struct WaterPath {
    // The radiance that the water adds.
    added: vec3<f32>,
    // The share of the light from its end that remains.
    transmittance: vec3<f32>,
}

// The water between an eye at `depth_m` and a place `distance_m` away in `direction`: the integral over the way,
// on which the light from above changes with depth, and what it sends to the eye is attenuated.
fn water_path(depth_m: f32, direction: vec3<f32>, distance_m: f32) -> WaterPath {
    let lost = water_lost();
    let rate = lost - sky.water.diffuse_attenuation_per_m * direction.y;
    let at_eye = water_added(direction) * exp(-sky.water.diffuse_attenuation_per_m * max(depth_m, 0.0));
    // (1 - exp(-x)) / x, times the distance.
    let x = clamp(rate * distance_m, vec3(-60.0), vec3(60.0));
    let is_short = abs(x) < vec3(0.01);
    let long = (1.0 - exp(-x)) / select(x, vec3(1.0), is_short);
    let along_m = min(vec3(distance_m), 60.0 / max(abs(rate), vec3(1e-6)));
    return WaterPath(
        at_eye * along_m * select(long, 1.0 - 0.5 * x, is_short), exp(-lost * distance_m));
}

// The radiance of water without end from `direction`, downwards, for an eye at that depth.
fn water_without_end(depth_m: f32, direction: vec3<f32>) -> vec3<f32> {
    let rate = water_lost() - sky.water.diffuse_attenuation_per_m * min(direction.y, 0.0);
    return water_added(direction) * exp(-sky.water.diffuse_attenuation_per_m * max(depth_m, 0.0)) / rate;
}
