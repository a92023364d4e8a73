// How bright the picture will be on average, before it is drawn: rays over the picture meet the sky,
// or a sea whose waves are all taken for facets. Its waves being no more than statistics, what
// is found does not flicker as they pass, and it follows from the frame alone, without a history.
// Groups: 0 the meter, 2 the sky.
#import "shading/sky.wgsl"
#import "shading/facets.wgsl"

struct MeterUniform {
    // As in mesh/view.wgsl.
    right: vec3<f32>,
    eye_height_m: f32,
    up: vec3<f32>,
    // Share of the water that foam covers, times its albedo.
    foam: f32,
    forward: vec3<f32>,
    // Covariance (xx, zz, xz) of the slopes of all waves.
    covariance: vec3<f32>,
    // Irradiance coming up under the surface over the irradiance going down.
    reflectance: vec3<f32>,
}

@group(0) @binding(0) var<uniform> meter: MeterUniform;
@group(0) @binding(1) var<storage, read_write> metered: SkyExposure;

const THREADS: u32 = 64u;
const COLUMNS: u32 = 32u;
const ROWS: u32 = 20u;

const LUMA: vec3<f32> = vec3(0.2126, 0.7152, 0.0722);
// Mean of the picture's exposed light, in powers of 2, that needs no correction; how much of what
// is beside that is corrected, and by how many stops at most.
const METER_KEY: f32 = 0.23;
const METER_ADAPTATION: f32 = 0.7;
const METER_STOPS: vec2<f32> = vec2(-2.5, 0.7);

// Deviation of what a ray over the clouds stands for, in radians.
const METER_BLUR: f32 = 0.03;

var<workgroup> sums: array<f32, THREADS>;

fn metered_water(direction: vec3<f32>) -> vec3<f32> {
    let to_eye = -direction;
    let facets = Facets(vec2(0.0), meter.covariance);
    let visible = facets_visible(facets, to_eye);
    let normal = normalize(vec3(-visible.slope.x, 1.0, -visible.slope.y));
    let sun = sun_radiance();
    let down = sun * max(sun_direction().y, 0.0) + sky_irradiance();
    let reflected = sky_radiance(reflect(direction, normal), 2.0 * sqrt(visible.variance));
    let body = meter.reflectance * down * (1.0 / (PI * WATER_INDEX_SQUARED));
    let water = mix(body, reflected, facets_fresnel(visible, to_eye))
        + sun * facets_glitter(facets, visible, to_eye, sun_direction());
    return water + meter.foam * down * (1.0 / PI);
}

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) thread: u32) {
    // The sea's mean, as its waves are.
    if CLOUDED {
        sunlit = cloud_mean_sunlight();
    }
    var sum = 0.0;
    for (var i = thread; i < COLUMNS * ROWS; i += THREADS) {
        let place = (vec2(f32(i % COLUMNS), f32(i / COLUMNS)) + 0.5) / vec2(f32(COLUMNS), f32(ROWS));
        let ndc = 2.0 * place - 1.0;
        let direction = normalize(meter.forward + ndc.x * meter.right + ndc.y * meter.up);
        var light = vec3(0.0);
        if direction.y < -sky.eye_dip_rad {
            let distance_m = meter.eye_height_m / -direction.y;
            under_clouds_m = direction.xz * distance_m;
            light = aerial_perspective(metered_water(direction), direction, distance_m);
        } else {
            light = sky_background(direction);
            if CLOUDED && clouds.any != 0u {
                under_clouds_m = vec2(0.0);
                light = sky_radiance(direction, METER_BLUR);
            }
        }
        sum += log2(max(dot(light, LUMA), 1e-7));
    }
    sums[thread] = sum;
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if thread < half {
            sums[thread] += sums[thread + half];
        }
    }
    if thread == 0u {
        let mean = sums[0] / f32(COLUMNS * ROWS) + log2(sky_light.exposure);
        let correction = METER_ADAPTATION * (log2(METER_KEY) - mean);
        metered.value = sky_light.exposure * exp2(clamp(correction, METER_STOPS.x, METER_STOPS.y));
    }
}
