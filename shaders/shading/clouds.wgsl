// The clouds for other shaders, at group 2 after the sky's own.
#import "shading/cloud_map.wgsl"

@group(2) @binding(6) var<uniform> clouds: CloudUniform;
// The repeating sampler.
@group(2) @binding(7) var cloud_sampler: sampler;
// The light and the transmittance of the clouds around the eye, by direction and blur.
@group(2) @binding(8) var cloud_dome: texture_3d<f32>;
// (Transmitted share of the sunlight, largest fields in three thirds of the height), by slot.
@group(2) @binding(9) var cloud_shadow: texture_2d_array<f32>;
// (field, sunlight in its beam, sunlight scattered often, share of light from above): cloud_lit.
@group(2) @binding(10) var cloud_volume: texture_3d<f32>;
// (billows, smooth noise), and for cirrus (streaks, two bends, places).
@group(2) @binding(11) var cloud_noise: texture_3d<f32>;
@group(2) @binding(12) var cirrus_noise: texture_2d<f32>;

// Constant within a pipeline: the low tier leaves out clouds.
override CLOUDED: bool = false;

// Bends the tile by some hundred metres over tens of kilometres, so that no two of its copies are
// alike. `offset_m` is from the eye's foot.
fn cloud_bend(offset_m: vec2<f32>) -> vec2<f32> {
    let phase = clouds.bend_phase + offset_m.yx * (6.2831853 / CLOUD_BEND_M);
    return sin(phase) * (CLOUD_BEND_BY_M / CLOUD_TILE_M);
}

const CLOUD_BEND_M: f32 = 37000.0;
const CLOUD_BEND_BY_M: f32 = 700.0;

// Penumbras are never sharper: a cloud a kilometre up blurs the sun's disc to ten metres, and its
// own edge is soft.
const CLOUD_PENUMBRA_M: f32 = 140.0;

// The share of the sunlight that the clouds transmit to the sea at `relative` to the eye, averaged over a
// footprint.
fn cloud_sunlight(relative: vec3<f32>, footprint_m: f32) -> f32 {
    if !CLOUDED {
        return 1.0;
    }
    let offset_m = relative.xz + clouds.shadow_offset_m;
    let uv = clouds.shadow_uv + relative.xz / CLOUD_TILE_M + cloud_bend(offset_m);
    let level = log2(max(footprint_m, CLOUD_PENUMBRA_M) / clouds.texel_m);
    return cloud_shadow_at(uv, level) * clouds.cirrus_sunlight;
}

// The light of the air below the clouds, from its light without them: an overcast, which blocks the blue of the
// sky and the glow of the sun, makes it fainter and grey.
fn cloud_air_light(clear: vec3<f32>) -> vec3<f32> {
    if !CLOUDED {
        return clear;
    }
    let shade = clouds.cover * clouds.cover * clouds.cover;
    let grey = vec3(dot(clear, vec3(0.2126, 0.7152, 0.0722)));
    return mix(clear, grey, 0.75 * shade) * (1.0 - 0.7 * shade);
}

// The mean share of the sunlight that the clouds transmit to the sea, from the shadow's last level.
fn cloud_mean_sunlight() -> f32 {
    return cloud_shadow_at(vec2(0.5), 16.0) * clouds.cirrus_sunlight;
}

fn cloud_shadow_at(uv: vec2<f32>, level: f32) -> f32 {
    let found = mix(
        textureSampleLevel(cloud_shadow, cloud_sampler, uv, i32(clouds.slots.x), level).r,
        textureSampleLevel(cloud_shadow, cloud_sampler, uv, i32(clouds.slots.y), level).r,
        clouds.blend,
    );
    return select(1.0, found, clouds.cover > 0.0);
}
