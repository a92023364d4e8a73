// Light that was scattered more than once, from the table of slab.rs.
#import "shading/cloud_slot.wgsl"

// By depth towards the light, depth away from it, and the sun's cosine; the last layer is for even light from
// above that continues downwards, where clouds are seen from.
@group(0) @binding(4) var source_table: texture_3d<f32>;

const SOURCE_DEPTHS: f32 = 32.0;
const SOURCE_LAYERS: f32 = 16.0;
const SOURCE_DEPTH_SCALE: f32 = 0.03;
const SOURCE_DEPTH_MOST: f32 = 60.0;
const SOURCE_COSINE_LEAST: f32 = 0.05;

fn source_at(depths: vec2<f32>, layer: f32) -> f32 {
    let logs = log2(1.0 + clamp(depths, vec2(0.0), vec2(SOURCE_DEPTH_MOST)) / SOURCE_DEPTH_SCALE)
        / log2(1.0 + SOURCE_DEPTH_MOST / SOURCE_DEPTH_SCALE);
    let texel = vec3(logs * (SOURCE_DEPTHS - 1.0), layer);
    let size = vec3(SOURCE_DEPTHS, SOURCE_DEPTHS, SOURCE_LAYERS);
    return textureSampleLevel(source_table, repeating, (texel + 0.5) / size, 0.0).r;
}

// The stored light of a point, from the optical depths towards the sun, away from it, above and below. A plane
// slab's depths upwards and along the sun have the sun's cosine for their ratio; where a cloud is higher than
// it is wide, the sun shines on its side: as on a slab that leans towards the sun.
fn cloud_lit(toward_sun: f32, away_from_sun: f32, above: f32, below: f32) -> vec3<f32> {
    let slanted = max(toward_sun + away_from_sun, 1e-4);
    let cosine = clamp((above + below) / slanted, SOURCE_COSINE_LEAST, 1.0);
    let least = sqrt(sqrt(SOURCE_COSINE_LEAST));
    let step = (1.0 - least) / (SOURCE_LAYERS - 2.0);
    let first = floor((sqrt(sqrt(cosine)) - least) / step);
    // Interpolates between two layers in proportion to the cosine, like the light that enters a slab.
    let roots = least + step * vec2(first, first + 1.0);
    let ends = roots * roots * roots * roots;
    let layer = first + (cosine - ends.x) / (ends.y - ends.x);
    let diffuse = source_at(cosine * vec2(toward_sun, away_from_sun), layer);
    let share = source_at(vec2(above, below), SOURCE_LAYERS - 1.0);
    return vec3(cloud_light_stored(toward_sun), sqrt(diffuse / CLOUD_DIFFUSE_MOST), share);
}
