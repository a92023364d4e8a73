// The low clouds' shadow at one moment: share of the sunlight that reaches each point of their base
// plane through them.
#import "shading/cloud_slot.wgsl"

@group(0) @binding(2) var field: texture_3d<f32>;
@group(0) @binding(3) var shadow_out: texture_storage_2d_array<rgba8unorm, write>;

const STEPS: u32 = 32u;
const FARTHEST_M: f32 = 14000.0;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(field);
    if any(id.xy >= size.xy) {
        return;
    }
    let start = (vec2<f32>(id.xy) + 0.5) / vec2<f32>(size.xy);
    let reach_m = min(moment.thickness_m / moment.to_sun.y, FARTHEST_M);
    let margin = 0.5 / CLOUD_LAYERS;
    var depth = 0.0;
    for (var i = 0u; i < STEPS; i++) {
        let along_m = (f32(i) + 0.5) / f32(STEPS) * reach_m;
        let height = along_m * moment.to_sun.y / moment.thickness_m;
        let uv = start + moment.to_sun.xz * (along_m / CLOUD_TILE_M);
        let inside = vec3(uv, clamp(height, margin, 1.0 - margin));
        let found = cloud_field(textureSampleLevel(field, repeating, inside, 0.0).r);
        depth += cloud_density(found, height, moment.bottom_density, 0.0);
    }
    depth *= reach_m / f32(STEPS) * moment.extinction_per_m;
    textureStore(shadow_out, id.xy, moment.slot, vec4(exp(-depth)));
}
