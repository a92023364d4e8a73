// One moment of the low clouds, as the kernels see it that make it.
#import "shading/cloud_map.wgsl"

struct CloudSlot {
    // Where both maps of cover lie, in tiles, and the billows, in theirs.
    cover_offset: vec4<f32>,
    billow_offset: vec3<f32>,
    cover: f32,
    // Towards the sun, raised where that is too low to be looked along.
    to_sun: vec3<f32>,
    thickness_m: f32,
    extinction_per_m: f32,
    bottom_density: f32,
    // Which slot it goes to.
    slot: u32,
    // 1 for stratus.
    stratus: f32,
}

@group(0) @binding(0) var<uniform> moment: CloudSlot;
// Repeats.
@group(0) @binding(1) var repeating: sampler;

// For the kernels that compute a few layers at a time.
struct CloudSlice {
    first_layer: u32,
}

@group(1) @binding(0) var<uniform> slice: CloudSlice;
