// The low clouds' light at one moment, from the optical depths of each point on four sides.
#import "shading/cloud_source.wgsl"

@group(0) @binding(2) var field: texture_3d<f32>;
@group(0) @binding(3) var volume_out: texture_storage_3d<rgba8unorm, write>;

// The steps towards the sun, away from it, upwards and downwards.
const STEPS: vec4<u32> = vec4(14u, 8u, 8u, 6u);
// Farther clouds shade no more: cloud_shadow.wgsl follows the sun through clouds as far.
const FARTHEST_M: f32 = 14000.0;

fn density_at(point: vec3<f32>) -> f32 {
    let margin = 0.5 / CLOUD_LAYERS;
    let inside = vec3(point.xy, clamp(point.z, margin, 1.0 - margin));
    let found = cloud_field(textureSampleLevel(field, repeating, inside, 0.0).r);
    return cloud_density(found, point.z, moment.bottom_density, 0.0);
}

// The optical depth from `start` along a direction out of the layer, in growing steps.
fn depth_along(start: vec3<f32>, direction: vec3<f32>, steps: u32) -> f32 {
    let rise = select(start.z, 1.0 - start.z, direction.y > 0.0);
    let reach_m = min(rise * moment.thickness_m / abs(direction.y), FARTHEST_M);
    let per_m = vec3(direction.xz / CLOUD_TILE_M, direction.y / moment.thickness_m);
    var sum = 0.0;
    for (var i = 0u; i < steps; i++) {
        let s = (f32(i) + 0.5) / f32(steps);
        sum += density_at(start + per_m * (s * s * reach_m)) * s;
    }
    return sum * (2.0 * reach_m / f32(steps)) * moment.extinction_per_m;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(field);
    let at = vec3(id.xy, id.z + slice.first_layer);
    if any(at >= size) {
        return;
    }
    let point = (vec3<f32>(at) + 0.5) / vec3<f32>(size);
    let stored = textureLoad(field, at, 0).r;
    let up = vec3(0.0, 1.0, 0.0);
    let lit = cloud_lit(
        depth_along(point, moment.to_sun, STEPS.x),
        depth_along(point, -moment.to_sun, STEPS.y),
        depth_along(point, up, STEPS.z),
        depth_along(point, -up, STEPS.w),
    );
    let to = vec3(at.xy, at.z + moment.slot * size.z);
    textureStore(volume_out, to, vec4(stored, lit));
}
