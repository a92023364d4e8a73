// The clouds' mirror image, blurred like the sky (sky_blur.wgsl).
#import "shading/atmosphere.wgsl"
#import "shading/cloud_map.wgsl"

@group(0) @binding(0) var dome: texture_2d<f32>;
@group(0) @binding(1) var table_sampler: sampler;
@group(0) @binding(2) var blurred_out: texture_storage_3d<rgba16float, write>;

const SAMPLES: u32 = 24u;
const GOLDEN_ANGLE: f32 = 2.39996323;
// Equals BLUR_MAX_RAD of sky_map.wgsl.
const BLUR_MAX_RAD: f32 = 0.8;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = vec3<u32>(CLOUD_DOME_SIZE);
    if any(id >= size) {
        return;
    }
    let position = vec3<f32>(id) / (CLOUD_DOME_SIZE - 1.0);
    let direction = cloud_dome_direction(position.xy);
    // The texels limit the sharpest level.
    let deviation = max(BLUR_MAX_RAD * position.z * position.z, 0.012);
    let helper = select(vec3(0.0, 1.0, 0.0), vec3(1.0, 0.0, 0.0), abs(direction.y) > 0.7);
    let tangent = normalize(cross(helper, direction));
    let bitangent = cross(direction, tangent);
    var sum = vec4(0.0);
    for (var i = 0u; i < SAMPLES; i++) {
        let share = (f32(i) + 0.5) / f32(SAMPLES);
        let angle = min(deviation * sqrt(-2.0 * log(1.0 - share)), PI);
        let turn = f32(i) * GOLDEN_ANGLE;
        var sample = direction * cos(angle)
            + (tangent * cos(turn) + bitangent * sin(turn)) * sin(angle);
        sample.y = abs(sample.y);
        sum += textureSampleLevel(dome, table_sampler, cloud_dome_position(sample), 0.0);
    }
    textureStore(blurred_out, id, sum / f32(SAMPLES));
}
