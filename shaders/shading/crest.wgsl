// Light through a crest, and foam that waves gather. Both are computed at the grid's vertices, since they
// hardly change between them.
#import "maps/sample.wgsl"
#import "shading/sky.wgsl"
#import "shading/facets.wgsl"
#import "shading/water_medium.wgsl"
#import "shading/water_uniform.wgsl"

// The heights, in deviations of the sea's, between which a crest begins to stand out.
const CREST_LEAST: f32 = 0.15;
const CREST_FULL: f32 = 0.6;
fn crest_height(height_m: f32) -> f32 {
    return smoothstep(CREST_LEAST, CREST_FULL, height_m / water.height_deviation_m)
        * smoothstep(-0.03, 0.03, sun_direction().y);
}

// Waves shorter than this, in deviations of the height, do not make a crest.
const CREST_SHORTEST: f32 = 0.3;
// The ratio of the waves that make a crest's height to those at its tip.
const CREST_TIP: f32 = 2.0;

// The light of the sky through the far side that is scattered by such angles: its share of the sky's light, and
// the tangent of the angle from its direction to the side's normal. Fitted to the integral over the sky for
// slopes of 0.2 to 0.6 on both sides, to a third.
const CREST_SKY_SHARE: f32 = 0.25;
const CREST_SKY_TANGENT: f32 = 0.85;

// The scattering per metre of the water and of the average bubbles under its crests.
fn crest_scattering() -> vec3<f32> {
    return sky.water.scattering_per_m + water.bubbles_per_m;
}

// The radiance, outside of the water, of light that entered on the far side of the crest and was scattered once
// on its way. The crest is that of a sine wave with this height, slope and compression of the surface (its
// curvature over its wave number, times the ratio of the water's orbits): they give its wave number and its
// width at this height, which is the path of the light (Beer and Lambert). The line of sight continues through
// lit water until it leaves the crest below. `full` is the surface at a choppiness of 1 (`ocean_full_surface`):
// waves of any choppiness have crests.
fn crest_light(full: OceanSurface, height_m: f32, relative: vec3<f32>) -> vec3<f32> {
    let surface = ocean_with_choppiness(full, ocean_maps.choppiness);
    let to_sun = sun_direction();
    let u = to_sun.xz / max(length(to_sun.xz), 1e-3);
    let stretched = dot(vec3(u * u, 2.0 * u.x * u.y), vec3(full.dxx, full.dzz, full.dxz));
    // Troughs and flat water have no path through.
    let compression = max(-stretched / water.orbit_ratio, 1e-4);
    let slope = dot(surface.slope, u);
    let wave_number = CREST_TIP * compression / max(height_m, 1e-3);
    // The profile is that of a trochoid.
    let angle = atan2(max(slope, 0.0), compression);
    let steepness = length(vec2(slope, compression));
    let sharpened = min(ocean_maps.choppiness * water.orbit_ratio * steepness, 0.95);
    let width_m = 2.0 * (angle - sharpened * sin(angle)) / wave_number;

    // The directions in the water: the light through the far side, which is as steep as this one and turned
    // towards the sun, and the line of sight through this one.
    let far_side = normalize(vec3(u.x * abs(slope), 1.0, u.y * abs(slope)));
    let entering = max(dot(far_side, to_sun), 0.0);
    let near_side = ocean_normal(surface);
    let from_eye = relative / max(length(relative), 1e-3);
    let seen_along = refract(from_eye, near_side, 1.0 / WATER_INDEX);
    let lit_along = refract(-to_sun, far_side, 1.0 / WATER_INDEX);
    let lit_by_sky = -normalize(far_side + CREST_SKY_TANGENT * vec3(u.x, 0.0, u.y));

    let seen_m = height_m / max(-seen_along.y, 0.1);
    // Forward-scattered light is not lost.
    let lost = sky.water.absorption_per_m + (1.0 - WATER_ASYMMETRY) * crest_scattering();
    let scattered = crest_scattering() * exp(-lost * width_m)
        * (1.0 - exp(-2.0 * lost * seen_m)) / (2.0 * lost);
    let sun_phase = water_forward_phase(-dot(seen_along, lit_along));
    let sky_phase = water_forward_phase(-dot(seen_along, lit_by_sky));
    let light = sun_radiance() * (entering * (1.0 - fresnel(entering)) * sun_phase)
        + sky_irradiance() * (CREST_SKY_SHARE * WATER_SKY_ENTERING * sky_phase);
    return scattered * light * (1.0 / WATER_INDEX_SQUARED);
}

// The path through a crest after which its light has this colour, in metres.
const CREST_WAY_M: f32 = 1.0;

// The colour of the light through crests, with a mean of 1 over the channels: it varies little with the path,
// and vertices store the mean alone.
fn crest_colour() -> vec3<f32> {
    let lost = sky.water.absorption_per_m + (1.0 - WATER_ASYMMETRY) * crest_scattering();
    let colour = crest_scattering() * exp(-lost * CREST_WAY_M) * (sun_radiance() + sky_irradiance());
    return colour * (3.0 / max(colour.x + colour.y + colour.z, 1e-12));
}

// The foam relative to the mean of the sea for such a surface, beyond the windows: more where the water is
// compressed, at the scale of the coarsest window's texels. Its mean over the water's area is 1, since J is a
// Gaussian. It is computed at vertices, between which waves of that size hardly change.
fn foam_gathered(surface: OceanSurface) -> f32 {
    let all = max(ocean_divergence_variance(), 1e-9);
    let seen = max(1.0 - surface.lost_divergence / all, 1e-6);
    let deviation = max(ocean_maps.choppiness * sqrt(all * seen), 1e-6);
    let compressed = clamp((1.0 - ocean_jacobian(surface)) / deviation, -4.0, 4.0);
    let gathers = min(FOAM_GATHERS.x * sqrt(seen), FOAM_GATHERS.y);
    // E[J exp(..)] = 1 - gathers * deviation.
    let on_less_area = max(1.0 - gathers * deviation, 0.5);
    return exp(gathers * (compressed - 0.5 * gathers)) / on_less_area;
}

// The growth of foam with a deviation of J, in powers of e, which is smaller where fewer waves are resolved.
// Chosen by eye to match the coarsest window.
const FOAM_GATHERS: vec2<f32> = vec2(3.0, 1.2);
