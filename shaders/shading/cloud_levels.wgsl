// A coarser level of one slot of the clouds' volume: means.
#import "shading/cloud_slot.wgsl"

@group(0) @binding(2) var finer: texture_3d<f32>;
@group(0) @binding(3) var coarser: texture_storage_3d<rgba8unorm, write>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(coarser);
    if any(id.xy >= size.xy) {
        return;
    }
    let at = vec3(id.xy, id.z + moment.slot * (size.z / u32(CLOUD_SLOTS)));
    var sum = vec4(0.0);
    for (var i = 0u; i < 8u; i++) {
        sum += textureLoad(finer, 2u * at + vec3(i & 1u, (i >> 1u) & 1u, i >> 2u), 0);
    }
    textureStore(coarser, at, 0.125 * sum);
}
