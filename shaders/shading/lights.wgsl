// Reads what the samples of the picture see, and keeps their light.
#import "shading/seen.wgsl"

// The light of each sample, exposed, in layers.
@group(0) @binding(6) var lights: texture_storage_2d_array<rgba16float, write>;
@group(0) @binding(7) var<storage, read> light_tiles: LightTiles;

fn ray_through(point: vec2<f32>) -> vec3<f32> {
    return view_ray(vec2(2.0, -2.0) * point / view.resolution + vec2(-1.0, 1.0));
}

// The first pixel of a tile in which something of the kind is seen. Each workgroup of a kernel goes through
// every so many of them: a software adapter is spared all work on the others, which returning early does not do.
fn light_tile(kind: u32, index: u32) -> vec2<u32> {
    let place = light_tiles.places[kind * picture_tiles() + index];
    return LIGHT_TILE * vec2(place & 0xffffu, place >> 16u);
}

// Returns the place of a sample, in pixels from the middle: the standard places of all graphics interfaces.
fn sample_offset(sample: u32) -> vec2<f32> {
    let is_outer = min(sample, 3u - sample) == 0u;
    let upper = select(vec2(0.375, -0.125), vec2(-0.125, -0.375), is_outer);
    return select(vec2(0.0), select(upper, -upper, sample > 1u), SAMPLES > 1u);
}

// Keeps the light that `samples` see, as bits.
fn keep_light(pixel: vec2<u32>, samples: u32, light: vec3<f32>) {
    for (var sample = 0u; sample < SAMPLES; sample++) {
        if ((samples >> sample) & 1u) != 0u {
            textureStore(lights, pixel, sample, vec4(light, 1.0));
        }
    }
}
