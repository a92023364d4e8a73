// Copies the transformed fields to level 0 of the maps.

#import "maps/store_texel.wgsl"

// [cascade][s][z][x]: s = 0 is (Dx, Dz, h, dh/dx), s = 1 is (dh/dz, dDx/dz, dDx/dx, dDz/dz).
@group(0) @binding(0) var<storage, read> fields: array<vec4<f32>>;

@compute @workgroup_size(16, 16)
fn store(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(maps_level_0);
    if any(id.xy >= size) {
        return;
    }
    let value = fields[(id.z * size.y + id.y) * size.x + id.x];
    store_texel(id.z, id.xy, maps_finite(value));
}
