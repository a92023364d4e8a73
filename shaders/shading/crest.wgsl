// Light that has come through a crest, and foam that waves gather. Both are found at the grid's vertices, for
// they hardly change between them.
#import "maps/sample.wgsl"
#import "shading/sky.wgsl"
#import "shading/facets.wgsl"
#import "shading/upwelling.wgsl"
#import "shading/water_uniform.wgsl"

const WATER_PI: f32 = 3.14159265;

const WATER_INDEX: f32 = 1.34;

// Heights, in deviations of the sea's, between which a crest comes to stand out.
const CREST_LEAST: f32 = 0.15;
const CREST_FULL: f32 = 0.6;
fn crest_height(height_m: f32) -> f32 {
    return smoothstep(CREST_LEAST, CREST_FULL, height_m / water.height_deviation_m)
        * smoothstep(-0.03, 0.03, sun_direction().y);
}

// Waves shorter than this, in deviations of the height, do not make a crest.
const CREST_SHORTEST: f32 = 0.3;
// How much shorter the waves at the tip of a crest are than those that make its height.
const CREST_TIP: f32 = 2.0;
// Asymmetry of the phase function of Henyey and Greenstein (1941): of particles and bubbles in the
// sea, most light goes on forwards.
const CREST_ASYMMETRY: f32 = 0.6;
// Cosines of the angles of scattering between which crest light begins. Beneath a level surface sun and
// line of sight are both within the critical angle of the vertical, and light is scattered by 83.5
// degrees or more (cosine 2/n^2 - 1) before it comes up again: that is in `water.reflectance`. A crest
// adds what is scattered by less, which would have gone down.
const CREST_COSINES: vec2<f32> = vec2(0.1138, 0.4);

fn crest_phase(cosine: f32) -> f32 {
    let spread = 1.0 + CREST_ASYMMETRY * CREST_ASYMMETRY - 2.0 * CREST_ASYMMETRY * cosine;
    let phase = (1.0 - CREST_ASYMMETRY * CREST_ASYMMETRY)
        / (4.0 * WATER_PI * spread * sqrt(spread));
    return phase * smoothstep(CREST_COSINES.x, CREST_COSINES.y, cosine);
}

// Light of the sky that comes in on the far side, for all that is scattered by so little: a share of the
// sky's, and how far its direction is from the side's normal, as a tangent. Fitted to the integral over
// the sky for slopes of 0.2 to 0.6 on both sides, to a third.
const CREST_SKY_SHARE: f32 = 0.25;
const CREST_SKY_TANGENT: f32 = 0.85;

// Radiance, once it has left the water, of light that came in on the far side of the crest and was
// scattered once on its way through. The crest is that of a sine wave, which is where its height, its
// slope and the compression of the surface say (its curvature over its wave number, times how much longer
// than high the water's orbits are): from them follow its wave number and how wide it is at this height,
// which is how far the light has come (Beer and Lambert). The line of sight goes on through lit water until
// it leaves the crest below.
// `full` is the surface at a choppiness of 1 (`ocean_full_surface`): waves of any choppiness have crests.
fn crest_light(full: OceanSurface, height_m: f32, relative: vec3<f32>) -> vec3<f32> {
    let surface = ocean_with_choppiness(full, ocean_maps.choppiness);
    let to_sun = sun_direction();
    let u = to_sun.xz / max(length(to_sun.xz), 1e-3);
    let stretched = dot(vec3(u * u, 2.0 * u.x * u.y), vec3(full.dxx, full.dzz, full.dxz));
    // In a trough, and where it is flat, there is no way through.
    let compression = max(-stretched / water.orbit_ratio, 1e-4);
    let slope = dot(surface.slope, u);
    let wave_number = CREST_TIP * compression / max(height_m, 1e-3);
    // The profile is that of a trochoid.
    let angle = atan2(max(slope, 0.0), compression);
    let steepness = length(vec2(slope, compression));
    let sharpened = min(ocean_maps.choppiness * water.orbit_ratio * steepness, 0.95);
    let width_m = 2.0 * (angle - sharpened * sin(angle)) / wave_number;

    // Into the water: the light through the far side, which is as steep as this one and turned
    // towards the sun, and the line of sight through this one.
    let far_side = normalize(vec3(u.x * abs(slope), 1.0, u.y * abs(slope)));
    let entering = max(dot(far_side, to_sun), 0.0);
    let near_side = ocean_normal(surface);
    let from_eye = relative / max(length(relative), 1e-3);
    let seen_along = refract(from_eye, near_side, 1.0 / WATER_INDEX);
    let lit_along = refract(-to_sun, far_side, 1.0 / WATER_INDEX);
    let lit_by_sky = -normalize(far_side + CREST_SKY_TANGENT * vec3(u.x, 0.0, u.y));

    let seen_m = height_m / max(-seen_along.y, 0.1);
    // Light that is scattered forwards is not lost.
    let lost = water.absorption + (1.0 - CREST_ASYMMETRY) * water.scattering;
    let scattered = water.scattering * exp(-lost * width_m)
        * (1.0 - exp(-2.0 * lost * seen_m)) / (2.0 * lost);
    let sun_phase = crest_phase(-dot(seen_along, lit_along));
    let sky_phase = crest_phase(-dot(seen_along, lit_by_sky));
    let light = sun_radiance() * (entering * (1.0 - fresnel(entering)) * sun_phase)
        + sky_irradiance() * (CREST_SKY_SHARE * SKY_ENTERING * sky_phase);
    return scattered * light * (1.0 / WATER_INDEX_SQUARED);
}

// The way through a crest after which its light has this colour, in metres.
const CREST_WAY_M: f32 = 1.0;

// Colour of the light through crests, with a mean of 1 over the channels: it varies little with the way,
// and vertices keep the mean alone.
fn crest_colour() -> vec3<f32> {
    let lost = water.absorption + (1.0 - CREST_ASYMMETRY) * water.scattering;
    let colour = water.scattering * exp(-lost * CREST_WAY_M) * (sun_radiance() + sky_irradiance());
    return colour * (3.0 / max(colour.x + colour.y + colour.z, 1e-12));
}

// How much of the mean foam of the sea there is where the surface is such, beyond the windows: more where the
// water is compressed, as texels of the coarsest window see it. 1 on average over the area that the
// water has, for J is a Gaussian. Found at vertices: waves of such a size do not change much between
// them.
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

// How much foam grows with a deviation of J, in powers of e: the less, the fewer waves are seen. As
// much as it does in the coarsest window, by eye.
const FOAM_GATHERS: vec2<f32> = vec2(3.0, 1.2);
