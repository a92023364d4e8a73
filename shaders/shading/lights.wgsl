// Reads the triangles that the samples of the picture see, and stores their light.
#import "shading/seen.wgsl"

// The light of each sample, exposed, in layers.
@group(0) @binding(6) var lights: texture_storage_2d_array<rgba16float, write>;
@group(0) @binding(7) var<storage, read> light_tiles: LightTiles;

fn ray_through(point: vec2<f32>) -> vec3<f32> {
    return view_ray(vec2(2.0, -2.0) * point / view.resolution + vec2(-1.0, 1.0));
}

// The first pixel of a tile in the list of a kind. Each workgroup of a kernel handles several of
// them in turn: a software adapter then does no work on other tiles, which returning early would not save.
fn light_tile(list: u32, index: u32) -> vec2<u32> {
    let place = light_tiles.places[list * picture_tiles() + index];
    return LIGHT_TILE * vec2(place & 0xffffu, place >> 16u);
}

// The place of a sample, in pixels from the middle, at the standard positions of all graphics interfaces.
fn sample_offset(sample: u32) -> vec2<f32> {
    let is_outer = min(sample, 3u - sample) == 0u;
    let upper = select(vec2(0.375, -0.125), vec2(-0.125, -0.375), is_outer);
    return select(vec2(0.0), select(upper, -upper, sample > 1u), SAMPLES > 1u);
}

// Stores the light of `samples`, which are bits.
fn keep_light(pixel: vec2<u32>, samples: u32, light: vec3<f32>) {
    for (var sample = 0u; sample < SAMPLES; sample++) {
        if ((samples >> sample) & 1u) != 0u {
            textureStore(lights, pixel, sample, vec4(light, 1.0));
        }
    }
}
