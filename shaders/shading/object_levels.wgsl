// Averages four texels of the objects' images for a coarser level: premultiplied light, and cover.

@group(0) @binding(0) var finer: texture_2d_array<f32>;
@group(0) @binding(1) var coarser: texture_storage_2d_array<rgba16float, write>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) at: vec3<u32>) {
    var sum = vec4(0.0);
    for (var i = 0u; i < 4u; i++) {
        sum += textureLoad(finer, 2u * at.xy + vec2(i & 1u, i >> 1u), at.z, 0);
    }
    textureStore(coarser, at.xy, at.z, 0.25 * sum);
}
