// The light on the sea: the sun through the air, the sky summed over the upper half, and the exposure that
// follows from them. Clouds contribute to the sky by their mean over the sea, and not to the sun, which they
// shade from place to place.
#import "shading/atmosphere.wgsl"
#import "shading/sky_map.wgsl"
#import "shading/cloud_map.wgsl"

@group(0) @binding(0) var<uniform> sky: SkyUniform;
@group(0) @binding(1) var view_table: texture_2d_array<f32>;
@group(0) @binding(2) var table_sampler: sampler;
@group(0) @binding(3) var transmittance_table: texture_2d<f32>;
@group(0) @binding(4) var<storage, read_write> light: SkyLight;
// The light and the transmittance of the clouds in each of the directions. The last row has their mean
// transmittance of sunlight.
@group(0) @binding(5) var cloud_mean: texture_2d<f32>;
@group(0) @binding(6) var<storage, read_write> exposure: SkyExposure;

override CLOUDED: bool = false;

const THREADS: u32 = 64u;
const ELEVATIONS: u32 = 32u;
const AZIMUTHS: u32 = 32u;
const DISC_STRIPS: u32 = 16u;

const LUMA: vec3<f32> = vec3(0.2126, 0.7152, 0.0722);
const METERED_PHASE: f32 = 0.08;
const METERED_SKY: f32 = 0.7;
const METERED_SUN: f32 = 0.02;

// The radiance in kcd/m2 that the eye sees as middle grey, times its exposure, at noon.
const EXPOSURE_KEY: f32 = 0.23;
const NOON_LUMINANCE: f32 = 5.0;
// The eye follows the light only in part: dusk stays darker than noon.
const ADAPTATION: f32 = 0.82;

var<workgroup> sums: array<vec4<f32>, THREADS>;
var<workgroup> clear_sums: array<vec3<f32>, THREADS>;

// The sun's light over its disc, clipped at the sea's horizon.
fn sun_at_sea() -> vec3<f32> {
    let elevation = atan2(sky.table_sun.x, sky.table_sun.y);
    var sum = vec4(0.0);
    var weight_sum = 0.0;
    for (var i = 0u; i < DISC_STRIPS; i++) {
        let across = 2.0 * (f32(i) + 0.5) / f32(DISC_STRIPS) - 1.0;
        let weight = sqrt(1.0 - across * across);
        let strip = elevation + SUN_RADIUS_RAD * across;
        let strip_height = 2.0 * SUN_RADIUS_RAD / f32(DISC_STRIPS);
        let uv = transmittance_uv(0.0, sin(strip));
        sum += textureSampleLevel(transmittance_table, table_sampler, uv, 0.0)
            * (weight * clamp(strip / strip_height + 0.5, 0.0, 1.0));
        weight_sum += weight;
    }
    return rgb_from_spectral(sum / weight_sum) * SUN_ILLUMINANCE_KLX;
}

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) thread: u32) {
    let sun_direction = vec3(sky.table_sun.y, sky.table_sun.x, 0.0);
    var sum = vec3(0.0);
    var clear_sum = vec3(0.0);
    var metered = 0.0;
    for (var i = thread; i < ELEVATIONS * AZIMUTHS; i += THREADS) {
        let azimuth = PI * (f32(i % AZIMUTHS) + 0.5) / f32(AZIMUTHS);
        // Equal shares of the cosine-weighted hemisphere.
        let sin_squared = (f32(i / AZIMUTHS) + 0.5) / f32(ELEVATIONS);
        let across = sqrt(1.0 - sin_squared);
        let direction = vec3(across * cos(azimuth), sqrt(sin_squared), across * sin(azimuth));
        let position = vec2(
            sky_map_azimuth(direction, sun_direction),
            sky_map_elevation(direction, 0.0),
        );
        let uv = texel_centred(position, VIEW_SIZE);
        let by_air = textureSampleLevel(view_table, table_sampler, uv, VIEW_SEA, 0.0).rgb;
        let by_haze = textureSampleLevel(view_table, table_sampler, uv, VIEW_SEA + 1, 0.0).rgb;
        let phase = haze_phase(dot(direction, sun_direction));
        var seen = vec4(0.0, 0.0, 0.0, 1.0);
        if CLOUDED {
            seen = textureLoad(cloud_mean, vec2(i % AZIMUTHS, i / AZIMUTHS), 0);
        }
        let clear = by_air + by_haze * phase;
        clear_sum += clear;
        sum += clear * seen.a + seen.rgb;
        // The glow around the sun does not darken the picture.
        let glowless = by_air + by_haze * min(phase, METERED_PHASE);
        metered += dot(glowless * seen.a + seen.rgb, LUMA);
    }
    sums[thread] = vec4(sum, metered);
    clear_sums[thread] = clear_sum;
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if thread < half {
            sums[thread] += sums[thread + half];
            clear_sums[thread] += clear_sums[thread + half];
        }
    }
    if thread == 0u {
        let mean = sums[0] / f32(ELEVATIONS * AZIMUTHS);
        let sun_irradiance = sun_at_sea();
        var sunlight = 1.0;
        if CLOUDED {
            sunlight = textureLoad(cloud_mean, vec2(0u, ELEVATIONS), 0).a;
        }
        // A picture of the sea holds mostly sky, and water that returns a little of the sun.
        let luminance = METERED_SKY * mean.w
            + METERED_SUN * sunlight * dot(sun_irradiance, LUMA) * max(sky.table_sun.x, 0.0) + 1e-5;
        light.sun_irradiance = sun_irradiance;
        light.sky_irradiance = mean.rgb * PI;
        light.clear_irradiance = clear_sums[0] * (PI / f32(ELEVATIONS * AZIMUTHS));
        light.exposure = EXPOSURE_KEY / NOON_LUMINANCE
            * pow(NOON_LUMINANCE / luminance, ADAPTATION);
        exposure.value = light.exposure;
        exposure.sea_radiance = (SEA_ALBEDO / PI)
            * (light.sky_irradiance + sun_irradiance * (sunlight * max(sky.table_sun.x, 0.0)));
    }
}
