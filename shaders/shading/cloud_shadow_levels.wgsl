// A coarser level of one slot of the clouds' shadow: the mean, and the largest fields.
#import "shading/cloud_slot.wgsl"

@group(0) @binding(2) var finer: texture_2d_array<f32>;
@group(0) @binding(3) var coarser: texture_storage_2d_array<rgba8unorm, write>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if any(id.xy >= textureDimensions(coarser)) {
        return;
    }
    var sum = 0.0;
    var largest = vec3(0.0);
    for (var i = 0u; i < 4u; i++) {
        let texel = textureLoad(finer, 2u * id.xy + vec2(i & 1u, i >> 1u), moment.slot, 0);
        sum += texel.r;
        largest = max(largest, texel.gba);
    }
    textureStore(coarser, id.xy, moment.slot, vec4(0.25 * sum, largest));
}
