// Light scattered more than once (Hillaire 2020, section 5.5): taken to be isotropic from the second time on,
// the orders are a geometric series. One texel is one height and one height of the sun. It depends on the haze
// alone. The CPU twin is shading::multiple_scattering.
#import "shading/air_ray.wgsl"

@group(0) @binding(3) var multiple_out: texture_storage_2d<rgba16float, write>;

// The sun lies in a plane of symmetry, so that half of the azimuths suffice.
const ZENITH_STEPS: u32 = 8u;
const AZIMUTH_STEPS: u32 = 4u;
const STEPS: u32 = 16u;

struct Gathered {
    // The singly scattered light that arrives, for a sun of irradiance 1.
    once: vec4<f32>,
    // The light that would arrive if the air shone everywhere with radiance 1.
    transfer: vec4<f32>,
}

fn gather(ray: AirRay, ends_in_sea: bool) -> Gathered {
    let isotropic = 1.0 / (4.0 * PI);

    var result = Gathered(vec4(0.0), vec4(0.0));
    var transmittance = vec4(1.0);
    for (var i = 0u; i < STEPS; i++) {
        let step = air_step(ray, i, STEPS);
        let scattering = step.air.rayleigh + step.air.haze_scattering;
        let depth = step.air.extinction * step.length_km;
        let weight = transmittance * scattering * mean_transmittance(depth) * step.length_km;
        result.once += weight * sun_transmittance(step.height_km, step.sun_cos) * isotropic;
        result.transfer += weight;
        transmittance *= exp(-depth);
    }
    if ends_in_sea {
        let sun_cos = air_ray_sun_cos(ray, ray.reach_km, 0.0);
        result.once += transmittance * sun_transmittance(0.0, sun_cos)
            * (max(sun_cos, 0.0) * SEA_ALBEDO / PI);
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

    // The means over the sphere of the arriving light.
    var once = vec4(0.0);
    var transfer = vec4(0.0);
    for (var i = 0u; i < ZENITH_STEPS; i++) {
        let cos_zenith = 1.0 - 2.0 * (f32(i) + 0.5) / f32(ZENITH_STEPS);
        let sin_zenith = sqrt(1.0 - cos_zenith * cos_zenith);
        let to_sea = distance_to_sea(height, cos_zenith);
        let ends_in_sea = to_sea >= 0.0;
        let reach = select(distance_to_top(height, cos_zenith), to_sea, ends_in_sea);
        for (var j = 0u; j < AZIMUTH_STEPS; j++) {
            let azimuth = PI * (f32(j) + 0.5) / f32(AZIMUTH_STEPS);
            let sun_across = cos_zenith * sun_cos + sin_zenith * cos(azimuth) * sun_sin;
            let ray = AirRay(height, reach, cos_zenith, sun_cos, sun_across);
            let gathered = gather(ray, ends_in_sea);
            once += gathered.once;
            transfer += gathered.transfer;
        }
    }
    let count = f32(ZENITH_STEPS * AZIMUTH_STEPS);
    // Equations 7 to 10; the series converges, as some light is always lost to space.
    let source = once / count / (1.0 - min(transfer / count, vec4(0.99)));
    textureStore(multiple_out, id.xy, source * SUN_ILLUMINANCE_KLX);
}
