// The sea's sky blurred to several degrees, for reflection by rough water. Samples below the horizon are
// mirrored at it, so that each texel is a mean of the sky alone: readers add the share of the sea
// (`mirrored_radiance`).
#import "shading/atmosphere.wgsl"
#import "shading/sky_map.wgsl"

@group(0) @binding(0) var<uniform> sky: SkyUniform;
@group(0) @binding(1) var view_table: texture_2d_array<f32>;
@group(0) @binding(2) var table_sampler: sampler;
@group(0) @binding(3) var blurred_out: texture_storage_3d<rgba16float, write>;

const SAMPLES: u32 = 32u;
const GOLDEN_ANGLE: f32 = 2.39996323;

fn sea_sky(direction: vec3<f32>, sun_direction: vec3<f32>) -> vec3<f32> {
    let position = vec2(sky_map_azimuth(direction, sun_direction), sky_map_elevation(direction, 0.0));
    let uv = texel_centred(position, VIEW_SIZE);
    let by_air = textureSampleLevel(view_table, table_sampler, uv, VIEW_SEA, 0.0).rgb;
    let by_haze = textureSampleLevel(view_table, table_sampler, uv, VIEW_SEA + 1, 0.0).rgb;
    return by_air + by_haze * haze_phase(dot(direction, sun_direction));
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = vec3<u32>(BLURRED_SIZE);
    if any(id >= size) {
        return;
    }
    let position = vec3<f32>(id) / (BLURRED_SIZE - 1.0);
    let direction = sky_map_direction(position.xy, 0.0);
    let sun_direction = vec3(sky.table_sun.y, sky.table_sun.x, 0.0);
    var radiance = sea_sky(direction, sun_direction);
    if id.z > 0u {
        let deviation = BLUR_MAX_RAD * position.z * position.z;
        // The direction is never horizontal along z alone where x and y both vanish.
        let helper = select(vec3(0.0, 1.0, 0.0), vec3(1.0, 0.0, 0.0), abs(direction.y) > 0.7);
        let tangent = normalize(cross(helper, direction));
        let bitangent = cross(direction, tangent);
        radiance = vec3(0.0);
        // Equal shares of a normal distribution, along a sunflower's spiral.
        for (var i = 0u; i < SAMPLES; i++) {
            let share = (f32(i) + 0.5) / f32(SAMPLES);
            let angle = min(deviation * sqrt(-2.0 * log(1.0 - share)), PI);
            let turn = f32(i) * GOLDEN_ANGLE;
            var sample = direction * cos(angle)
                + (tangent * cos(turn) + bitangent * sin(turn)) * sin(angle);
            sample.y = abs(sample.y);
            radiance += sea_sky(sample, sun_direction) / f32(SAMPLES);
        }
    }
    textureStore(blurred_out, id, vec4(radiance, 1.0));
}
