// The clouds as a calm sea mirrors them, seen by the mirror image of the eye.
#import "shading/cloud_march.wgsl"

@group(0) @binding(0) var dome_out: texture_storage_2d<rgba16float, write>;

const STEPS: u32 = 32u;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(dome_out);
    if any(id.xy >= size) {
        return;
    }
    let direction = cloud_dome_direction((vec2<f32>(id.xy) + 0.5) / vec2<f32>(size));
    let ray = CloudRay(direction, -max(clouds.eye_height_m, 0.0), clouds.eye_uv, STEPS, 0.0, 1.0, 0.5, 0.0);
    let seen = clouds_along(ray, clear_radiance(direction, 0.0));
    textureStore(dome_out, id.xy, vec4(min(seen.radiance, vec3(6e4)), seen.transmittance));
}
