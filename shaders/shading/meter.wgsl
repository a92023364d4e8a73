// The mean brightness of the picture, before it is drawn: rays over the picture meet the sky, or a sea whose
// waves are all facets. Since waves are statistics only, the result does not flicker as they pass, and depends
// on the frame alone, without a history. Groups: 0 the meter, 2 the sky.
#import "shading/sky.wgsl"
#import "shading/facets.wgsl"
#import "shading/foam_light.wgsl"
#import "shading/bed.wgsl"

struct MeterUniform {
    // The same as in mesh/view.wgsl.
    right: vec3<f32>,
    eye_height_m: f32,
    up: vec3<f32>,
    // The share of the water that foam covers.
    foam: f32,
    forward: vec3<f32>,
    foam_albedo: f32,
    // The covariance (xx, zz, xz) of the slopes of all waves.
    covariance: vec3<f32>,
    // The share of the picture's light that is metered under water, for an eye at or below its surface.
    below: f32,
}

@group(0) @binding(0) var<uniform> meter: MeterUniform;
@group(0) @binding(1) var<storage, read_write> metered: SkyExposure;

const THREADS: u32 = 64u;
const COLUMNS: u32 = 32u;
const ROWS: u32 = 20u;

const LUMA: vec3<f32> = vec3(0.2126, 0.7152, 0.0722);
// The mean of the picture's exposed light that needs no correction, in powers of 2; the corrected share of
// deviations from it, and the largest correction in stops.
const METER_KEY: f32 = 0.23;
const METER_ADAPTATION: f32 = 0.7;
const METER_STOPS: vec2<f32> = vec2(-2.5, 0.7);

// The deviation of the directions that a ray over the clouds represents, in radians.
const METER_BLUR: f32 = 0.03;
// The least sine of the angle above the horizontal at which an eye in the water sees its surface.
const METER_LEVEL: f32 = 0.02;

var<workgroup> sums: array<f32, THREADS>;
// (light, share of the sea's own).
var<workgroup> seas: array<vec4<f32>, THREADS>;

// The light of the sea in a direction below the horizon.
struct MeteredWater {
    // All light except for the following.
    light: vec3<f32>,
    // The mirrored sun.
    glitter: vec3<f32>,
    // The share of the sea's own mean radiance that it mirrors there.
    sea: f32,
}

fn metered_water(direction: vec3<f32>) -> MeteredWater {
    let to_eye = -direction;
    let facets = Facets(vec2(0.0), meter.covariance);
    let visible = facets_visible(facets, to_eye);
    let normal = facet_normal(visible.slope);
    let sun = sun_radiance();
    let mirrored = reflect(direction, normal);
    let deviation = 2.0 * sqrt(visible.variance);
    let reflectance = facets_fresnel(visible, to_eye);
    let over_horizon = sky_share(mirrored, deviation);
    let reflected = over_horizon * sky_radiance(mirrored, deviation);
    var body = water_upwelling(sky.water.reflectance);
    for (var shallow = sky.bed.depth_m > 0.0; shallow; shallow = false) {
        let down = refract(direction, vec3(0.0, 1.0, 0.0), 1.0 / WATER_INDEX);
        body = bed_under_surface(body, down, bed_met_in_mean(0.0, down));
    }
    let water = mix(body, reflected, reflectance);
    let glitter = sun * facets_glitter(facets, visible, to_eye, sun_direction());
    // Foam hides the water, except for light that passes it in and out again, as in the picture.
    let through = (1.0 - meter.foam_albedo) * (1.0 - meter.foam_albedo) * body;
    let foam = through + meter.foam_albedo
        * foam_radiance(facets, facets, sun_direction(), sun, sky_irradiance());
    let bare = 1.0 - meter.foam;
    return MeteredWater(
        mix(water, foam, meter.foam), bare * glitter, bare * reflectance * (1.0 - over_horizon));
}

// The light of the water and of the bed in a direction, downwards, from `depth_m`.
fn metered_down(direction: vec3<f32>, depth_m: f32) -> vec3<f32> {
    var light = water_without_end(depth_m, direction);
    for (var shallow = sky.bed.depth_m > 0.0; shallow; shallow = false) {
        light = bed_through_water(depth_m, direction, bed_met_in_mean(depth_m, direction));
    }
    return light;
}

// The light in a direction from an eye `depth_m` under a level surface.
fn metered_below(direction: vec3<f32>, depth_m: f32) -> vec3<f32> {
    if direction.y < METER_LEVEL {
        let down = vec3(direction.x, min(direction.y, 0.0), direction.z);
        return metered_down(normalize(down), depth_m);
    }
    let sine = WATER_INDEX * length(direction.xz);
    let outside = sqrt(max(1.0 - sine * sine, 0.0));
    let transmitted = select(0.0, 1.0 - fresnel(outside), sine < 1.0);
    let above = vec3(WATER_INDEX * direction.x, outside, WATER_INDEX * direction.z);
    let mirrored = metered_down(vec3(direction.x, -direction.y, direction.z), 0.0);
    let seen = transmitted * WATER_INDEX_SQUARED * sky_radiance(normalize(above), METER_BLUR)
        + (1.0 - transmitted) * mirrored;
    let path = water_path(depth_m, direction, depth_m / direction.y);
    return seen * path.transmittance + path.added;
}

// The directions for the mean of the sea, one for each of THREADS: below the horizon by quantiles of a normal
// distribution, in deviations of a mirrored direction, at one of SEA_AZIMUTHS azimuths.
const SEA_AZIMUTHS: u32 = 16u;
const SEA_DEPRESSIONS: vec4<f32> = vec4(0.1573, 0.4888, 0.8871, 1.5341);

fn sea_direction(thread: u32) -> vec3<f32> {
    // Mirroring doubles the facets' spread, which all of the lower half bounds.
    let deviation = sqrt(2.0 * (meter.covariance.x + meter.covariance.y));
    let depression = min(SEA_DEPRESSIONS[thread / SEA_AZIMUTHS] * deviation, 1.5);
    let azimuth = 2.0 * PI * (f32(thread % SEA_AZIMUTHS) + 0.5) / f32(SEA_AZIMUTHS);
    return vec3(
        cos(depression) * cos(azimuth), -sin(depression), cos(depression) * sin(azimuth));
}

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) thread: u32) {
    // The mean of the sea with its waves.
    if CLOUDED {
        sunlit = cloud_mean_sunlight();
    }
    // The mean radiance of the sea for facets that mirror it: it shows the sky, and again the same sea. The
    // sun's glitter, which few facets see, is left out.
    let looked_at = metered_water(sea_direction(thread));
    seas[thread] = vec4(looked_at.light, looked_at.sea);
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if thread < half {
            seas[thread] += seas[thread + half];
        }
    }
    workgroupBarrier();
    let sea_radiance = seas[0].rgb / (f32(THREADS) - seas[0].a);

    var sum = 0.0;
    for (var i = thread; i < COLUMNS * ROWS; i += THREADS) {
        let place = (vec2(f32(i % COLUMNS), f32(i / COLUMNS)) + 0.5) / vec2(f32(COLUMNS), f32(ROWS));
        let ndc = 2.0 * place - 1.0;
        let direction = normalize(meter.forward + ndc.x * meter.right + ndc.y * meter.up);
        var light = vec3(0.0);
        if direction.y < -sky.eye_dip_rad {
            let distance_m = max(meter.eye_height_m, 0.0) / -direction.y;
            under_clouds_m = direction.xz * distance_m;
            let water = metered_water(direction);
            let seen = water.light + water.glitter + water.sea * sea_radiance;
            light = aerial_perspective(seen, direction, distance_m);
        } else {
            light = sky_background(direction);
            if CLOUDED && clouds.any != 0u {
                under_clouds_m = vec2(0.0);
                light = sky_radiance(direction, METER_BLUR);
            }
        }
        var brightness = log2(max(dot(light, LUMA), 1e-7));
        for (var below = meter.below > 0.0; below; below = false) {
            let seen = metered_below(direction, max(-meter.eye_height_m, 0.0));
            brightness = mix(brightness, log2(max(dot(seen, LUMA), 1e-7)), meter.below);
        }
        sum += brightness;
    }
    sums[thread] = sum;
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if thread < half {
            sums[thread] += sums[thread + half];
        }
    }
    if thread == 0u {
        metered.sea_radiance = sea_radiance;
        let mean = sums[0] / f32(COLUMNS * ROWS) + log2(sky_light.exposure);
        let correction = METER_ADAPTATION * (log2(METER_KEY) - mean);
        metered.value = sky_light.exposure * exp2(clamp(correction, METER_STOPS.x, METER_STOPS.y));
    }
}
