// The light of each pixel: the mean over its samples.
#import "shading/samples.wgsl"

@group(0) @binding(0) var hdr: texture_storage_2d<rgba16float, write>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if any(id.xy >= textureDimensions(hdr)) {
        return;
    }
    let count = textureNumLayers(lights);
    let over = overlay_at(id.xy);
    var light = vec3(0.0);
    for (var sample = 0u; sample < count; sample++) {
        light += light_of_sample(id.xy, sample, over) / f32(count);
    }
    textureStore(hdr, id.xy, vec4(light, 1.0));
}
