// The low clouds' shadow at one moment: the share of the sunlight that reaches each point of their base plane
// through them, and the largest field above it in each third of the layers, by which lines of sight skip empty
// space.
#import "shading/cloud_slot.wgsl"

@group(0) @binding(2) var field: texture_3d<f32>;
@group(0) @binding(3) var shadow_out: texture_storage_2d_array<rgba8unorm, write>;

const STEPS: u32 = 12u;
// The rays along one side of the averaged square, and half of that side in texels.
const SIDE: u32 = 6u;
const TENT: f32 = 2.0;
const FARTHEST_M: f32 = 14000.0;

// The optical depth towards the sun from a place at the base; `first`, 0 to 1, is the place of samples in
// steps.
fn depth_from(start: vec2<f32>, first: f32, reach_m: f32) -> f32 {
    let margin = 0.5 / CLOUD_LAYERS;
    var sum = 0.0;
    for (var i = 0u; i < STEPS; i++) {
        let along_m = (f32(i) + first) / f32(STEPS) * reach_m;
        let height = along_m * moment.to_sun.y / moment.thickness_m;
        let uv = start + moment.to_sun.xz * (along_m / CLOUD_TILE_M);
        let inside = vec3(uv, clamp(height, margin, 1.0 - margin));
        let found = cloud_field(textureSampleLevel(field, repeating, inside, 0.0).r);
        sum += cloud_density(found, height, moment.bottom_density, 0.0);
    }
    return sum * (reach_m / f32(STEPS) * moment.extinction_per_m);
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(field);
    if any(id.xy >= size.xy) {
        return;
    }
    let reach_m = min(moment.thickness_m / moment.to_sun.y, FARTHEST_M);
    // A tent averages over the neighbouring texels. A ray through a texel's middle is dark or bright, and
    // interpolation between such texels shows teeth: along an edge at 25 degrees to the texels they are 0.7
    // texels high where a fifth of the light passes, and 0.1 with the tent.
    var passing = 0.0;
    for (var ray = 0u; ray < SIDE * SIDE; ray++) {
        let across = (vec2<f32>(vec2(ray % SIDE, ray / SIDE)) + 0.5) * (2.0 / f32(SIDE)) - 1.0;
        let weight = (1.0 - abs(across)) * (2.0 / f32(SIDE));
        let start = (vec2<f32>(id.xy) + 0.5 + TENT * across) / vec2<f32>(size.xy);
        // Neighbouring rays begin far apart in their first steps.
        let first = (f32((13u * ray) % (SIDE * SIDE)) + 0.5) / f32(SIDE * SIDE);
        passing += weight.x * weight.y * exp(-depth_from(start, first, reach_m));
    }
    var largest = vec3(0.0);
    for (var layer = 0u; layer < size.z; layer++) {
        let third = 3u * layer / size.z;
        largest[third] = max(largest[third], textureLoad(field, vec3(id.xy, layer), 0).r);
    }
    textureStore(shadow_out, id.xy, moment.slot, vec4(passing, largest));
}
