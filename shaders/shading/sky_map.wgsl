// The definitions of the sky's kernels and its readers: the uniform with the optics of the water, the light on
// the sea, and the mapping from directions to texels.
#import "shading/atmosphere.wgsl"
#import "shading/water_light.wgsl"

// The bed where water is shallow, and the places of its map (`shading/bed.wgsl`).
struct WaterBed {
    // The depth of the bed under still water; 0 where none is visible.
    depth_m: f32,
    // The depth for which the map shows caustics; 0 where there are none.
    caustics_depth_m: f32,
    // The way that sunlight goes horizontally for each metre of depth.
    sun_shift: vec2<f32>,
    // The albedo of bright ground.
    sand: vec3<f32>,
    // The mean share of dark ground.
    mean_dark: f32,
    // The albedo of dark ground.
    dark: vec3<f32>,
    // The side of a texel of the finest level.
    texel_m: f32,
    // The corner of each level from the anchor, and the side of its texels.
    levels: array<vec4<f32>, 4>,
    // The height over the mean bed that nothing on it exceeds.
    highest_m: f32,
}

struct SkyUniform {
    // The direction towards the sun in the picture.
    sun_direction: vec3<f32>,
    haze: f32,
    // The sine and cosine of the sun's rounded elevation, for the tables.
    table_sun: vec2<f32>,
    // The rounded height of the eye, and the dip of its horizon.
    eye_height_km: f32,
    eye_dip_rad: f32,
    // 2^EV.
    exposure_scale: f32,
    // Shared by everything that is seen through water or above it.
    water: WaterOptics,
    bed: WaterBed,
}

struct SkyLight {
    // On a plane that faces the sun, at the sea, in klx.
    sun_irradiance: vec3<f32>,
    // On a horizontal plane at the sea, without the sun, in klx.
    sky_irradiance: vec3<f32>,
    // Exposure for this light, before the meter and exposure_scale.
    exposure: f32,
    // The sky_irradiance without clouds.
    clear_irradiance: vec3<f32>,
}

struct SkyExposure {
    // The mean radiance of the sea for its own facets, in kcd/m2, from the meter if there is one.
    sea_radiance: vec3<f32>,
    // The exposure of this frame, before exposure_scale, from the meter if there is one.
    value: f32,
}

const VIEW_SIZE: vec2<f32> = vec2(64.0, 64.0);
// The layers of the view table: from the eye and from the sea, each without the light that haze scattered once,
// and that light alone, before the phase function.
const VIEW_EYE: i32 = 0;
const VIEW_SEA: i32 = 2;

const BLURRED_SIZE: vec3<f32> = vec3(48.0, 32.0, 6.0);
// The standard deviation of the last level; level i has (i / 5)^2 of it.
const BLUR_MAX_RAD: f32 = 0.8;

// 0..1 from the sun's azimuth to the opposite one. The sky is the same on both sides of the sun.
fn sky_map_azimuth(direction: vec3<f32>, sun_direction: vec3<f32>) -> f32 {
    let product = length(direction.xz) * length(sun_direction.xz);
    let cos_azimuth = dot(direction.xz, sun_direction.xz) / max(product, 1e-7);
    return sqrt(clamp(0.5 - 0.5 * cos_azimuth, 0.0, 1.0));
}

// 0 at the horizon, 1 at the zenith, finest at the horizon (Hillaire 2020, section 5.3).
fn sky_map_elevation(direction: vec3<f32>, dip_rad: f32) -> f32 {
    let elevation = asin(clamp(direction.y, -1.0, 1.0));
    return sqrt(clamp((elevation + dip_rad) / (HALF_PI + dip_rad), 0.0, 1.0));
}

// The direction of a position in the map, for a sun in the xy plane.
fn sky_map_direction(position: vec2<f32>, dip_rad: f32) -> vec3<f32> {
    let elevation = position.y * position.y * (HALF_PI + dip_rad) - dip_rad;
    let cos_azimuth = 1.0 - 2.0 * position.x * position.x;
    let sin_azimuth = 2.0 * position.x * sqrt(max(1.0 - position.x * position.x, 0.0));
    return vec3(cos(elevation) * cos_azimuth, sin(elevation), cos(elevation) * sin_azimuth);
}
