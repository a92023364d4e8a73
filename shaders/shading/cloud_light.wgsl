// The low clouds' light at one moment: how deep each point lies in the cloud, seen from the sun and
// from above.
#import "shading/cloud_slot.wgsl"

@group(0) @binding(2) var field: texture_3d<f32>;
@group(0) @binding(3) var volume_out: texture_storage_3d<rgba8unorm, write>;

const SUN_STEPS: u32 = 14u;
const SKY_STEPS: u32 = 8u;
// What lies farther away shades no more than what lies nearer has done.
const FARTHEST_M: f32 = 7000.0;

fn density_at(point: vec3<f32>) -> f32 {
    let margin = 0.5 / CLOUD_LAYERS;
    let inside = vec3(point.xy, clamp(point.z, margin, 1.0 - margin));
    let found = cloud_field(textureSampleLevel(field, repeating, inside, 0.0).r);
    return cloud_density(found, point.z, moment.bottom_density, 0.0);
}

// Optical depth from `start` along a direction to where it leaves the layer, in steps that grow.
fn depth_along(start: vec3<f32>, direction: vec3<f32>, steps: u32) -> f32 {
    let reach_m = min((1.0 - start.z) * moment.thickness_m / direction.y, FARTHEST_M);
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
    let sun = cloud_light_stored(depth_along(point, moment.to_sun, SUN_STEPS));
    let above = cloud_light_stored(depth_along(point, vec3(0.0, 1.0, 0.0), SKY_STEPS));
    let to = vec3(at.xy, at.z + moment.slot * size.z);
    textureStore(volume_out, to, vec4(stored, sun, above, stored));
}
