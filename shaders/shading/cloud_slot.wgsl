// One moment of the low clouds, for the kernels that make it.
#import "shading/cloud_map.wgsl"

struct CloudSlot {
    // The offsets of both maps of cover, and of the billows, in units of their tiles.
    cover_offset: vec4<f32>,
    billow_offset: vec3<f32>,
    cover: f32,
    // The direction towards the sun, raised where it is too low to be followed.
    to_sun: vec3<f32>,
    thickness_m: f32,
    extinction_per_m: f32,
    bottom_density: f32,
    // The slot to write.
    slot: u32,
    // 1 for stratus.
    stratus: f32,
}

@group(0) @binding(0) var<uniform> moment: CloudSlot;
// The repeating sampler.
@group(0) @binding(1) var repeating: sampler;

// The slice of kernels that compute a few layers at a time.
struct CloudSlice {
    first_layer: u32,
}

@group(1) @binding(0) var<uniform> slice: CloudSlice;
