// Reads what the samples of the picture see, and keeps their light. The first bindings of group 0
// are the view's and the grid's.
#import "mesh/view.wgsl"
#import "shading/visible.wgsl"

// One sample a pixel: texture_2d.
@group(0) @binding(4) var visible: texture_multisampled_2d<u32>;
// Reversed: 0 where a sample sees nothing of the scene. What `visible` has there is older.
@group(0) @binding(5) var depth: texture_multisampled_2d<f32>;
// The light of each sample, exposed, in layers.
@group(0) @binding(6) var lights: texture_storage_2d_array<rgba16float, write>;

// Samples a pixel: 1 or 4.
override SAMPLES: u32 = 4u;

fn ray_through(point: vec2<f32>) -> vec3<f32> {
    return view_ray(vec2(2.0, -2.0) * point / view.resolution + vec2(-1.0, 1.0));
}

fn visible_at(pixel: vec2<u32>, sample: u32) -> vec2<u32> {
    return textureLoad(visible, pixel, i32(sample)).xy;
}

// Returns the place of a sample, in pixels from the middle: the standard places of all graphics interfaces.
fn sample_offset(sample: u32) -> vec2<f32> {
    let is_outer = min(sample, 3u - sample) == 0u;
    let upper = select(vec2(0.375, -0.125), vec2(-0.125, -0.375), is_outer);
    return select(vec2(0.0), select(upper, -upper, sample > 1u), SAMPLES > 1u);
}

// The samples that see nothing of the scene, as bits.
fn samples_of_nothing(pixel: vec2<u32>) -> u32 {
    var samples = 0u;
    for (var sample = 0u; sample < SAMPLES; sample++) {
        samples |= u32(textureLoad(depth, pixel, i32(sample)).x == 0.0) << sample;
    }
    return samples;
}

// The samples that see things of a kind, as bits.
fn samples_of_kind(pixel: vec2<u32>, kind: u32) -> u32 {
    let rest = ~samples_of_nothing(pixel);
    var samples = 0u;
    for (var sample = 0u; sample < SAMPLES; sample++) {
        samples |= u32(visible_kind(visible_at(pixel, sample)) == kind) << sample;
    }
    return samples & rest;
}

// Keeps the light that `samples` see, as bits.
fn keep_light(pixel: vec2<u32>, samples: u32, light: vec3<f32>) {
    for (var sample = 0u; sample < SAMPLES; sample++) {
        if ((samples >> sample) & 1u) != 0u {
            textureStore(lights, pixel, sample, vec4(light, 1.0));
        }
    }
}
