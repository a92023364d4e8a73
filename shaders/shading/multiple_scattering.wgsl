// Light scattered more than once (Hillaire 2020, section 5.5): taken to be isotropic from the
// second time on, the orders are a geometric series. One texel is one height and one height of
// the sun. Depends on the haze alone. CPU twin: shading::multiple_scattering.
#import "shading/atmosphere.wgsl"
#import "shading/sky_map.wgsl"

@group(0) @binding(0) var<uniform> sky: SkyUniform;
@group(0) @binding(1) var transmittance_table: texture_2d<f32>;
@group(0) @binding(2) var table_sampler: sampler;
@group(0) @binding(3) var multiple_out: texture_storage_2d<rgba16float, write>;

// Directions: the sun lies in a plane of symmetry, so that half the azimuths do.
const ZENITH_STEPS: u32 = 8u;
const AZIMUTH_STEPS: u32 = 4u;
const STEPS: u32 = 16u;

fn sun_transmittance(height_km: f32, sun_cos: f32) -> vec4<f32> {
    let uv = transmittance_uv(height_km, sun_cos);
    return textureSampleLevel(transmittance_table, table_sampler, uv, 0.0)
        * sun_visible(height_km, sun_cos);
}

struct Gathered {
    // Light scattered once that arrives, for a sun of irradiance 1.
    once: vec4<f32>,
    // What would arrive if the air shone everywhere with radiance 1.
    transfer: vec4<f32>,
}

fn gather(height_km: f32, cos_zenith: f32, sun_cos: f32, sun_across: f32) -> Gathered {
    let to_sea = distance_to_sea(height_km, cos_zenith);
    let reach = select(distance_to_top(height_km, cos_zenith), to_sea, to_sea >= 0.0);
    let radius = EARTH_RADIUS_KM + height_km;
    let isotropic = 1.0 / (4.0 * PI);

    var result = Gathered(vec4(0.0), vec4(0.0));
    var transmittance = vec4(1.0);
    for (var i = 0u; i < STEPS; i++) {
        let s0 = f32(i) / f32(STEPS);
        let s1 = f32(i + 1u) / f32(STEPS);
        let step = (s1 * s1 - s0 * s0) * reach;
        let middle = 0.5 * (s0 + s1);
        let distance = middle * middle * reach;
        let height = height_along(height_km, cos_zenith, distance);
        // The sun's zenith angle there: its direction is the same, the vertical is not.
        let local_cos = (radius * sun_cos + distance * sun_across) / (EARTH_RADIUS_KM + height);
        let air = air_at(height, sky.haze);
        let scattering = air.rayleigh + air.haze_scattering;
        let depth = air.extinction * step;
        let weight = transmittance * scattering * mean_transmittance(depth) * step;
        result.once += weight * sun_transmittance(height, local_cos) * isotropic;
        result.transfer += weight;
        transmittance *= exp(-depth);
    }
    if to_sea >= 0.0 {
        let local_cos = (radius * sun_cos + to_sea * sun_across) / EARTH_RADIUS_KM;
        result.once += transmittance * sun_transmittance(0.0, local_cos)
            * (max(local_cos, 0.0) * SEA_ALBEDO / PI);
    }
    return result;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = vec2<u32>(MULTIPLE_SIZE);
    if any(id.xy >= size) {
        return;
    }
    let position = vec2<f32>(id.xy) / (MULTIPLE_SIZE - 1.0);
    let sun_cos = clamp(
        MULTIPLE_COS_MIN - log(1.0 - position.x * MULTIPLE_RANGE) / MULTIPLE_STEEPNESS,
        MULTIPLE_COS_MIN,
        1.0,
    );
    let sun_sin = sqrt(max(1.0 - sun_cos * sun_cos, 0.0));
    let height = position.y * position.y * AIR_HEIGHT_KM;

    // Means over the sphere of the light that arrives.
    var once = vec4(0.0);
    var transfer = vec4(0.0);
    for (var i = 0u; i < ZENITH_STEPS; i++) {
        let cos_zenith = 1.0 - 2.0 * (f32(i) + 0.5) / f32(ZENITH_STEPS);
        let sin_zenith = sqrt(1.0 - cos_zenith * cos_zenith);
        for (var j = 0u; j < AZIMUTH_STEPS; j++) {
            let azimuth = PI * (f32(j) + 0.5) / f32(AZIMUTH_STEPS);
            let sun_across = cos_zenith * sun_cos + sin_zenith * cos(azimuth) * sun_sin;
            let gathered = gather(height, cos_zenith, sun_cos, sun_across);
            once += gathered.once;
            transfer += gathered.transfer;
        }
    }
    let count = f32(ZENITH_STEPS * AZIMUTH_STEPS);
    // Equations 7 to 10; the series converges, as some light is always lost to space.
    let source = once / count / (1.0 - min(transfer / count, vec4(0.99)));
    textureStore(multiple_out, id.xy, source * SUN_ILLUMINANCE_KLX);
}
