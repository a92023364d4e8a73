// The shapes of the low clouds at one moment: a field that is positive inside them.
#import "shading/cloud_slot.wgsl"

// (Two maps for cumulus, two for stratus), each uniform from 0 to 1.
@group(0) @binding(2) var cover_map: texture_2d<f32>;
@group(0) @binding(3) var noise: texture_3d<f32>;
@group(0) @binding(4) var field_out: texture_storage_3d<rgba8unorm, write>;

// The sum of two uniform numbers made uniform again: as the maps drift across each other, their sum
// changes its shape, and the share of it above a threshold does not.
fn uniform_sum(a: f32, b: f32) -> f32 {
    let sum = a + b;
    return select(1.0 - 0.5 * (2.0 - sum) * (2.0 - sum), 0.5 * sum * sum, sum < 1.0);
}

// Heaps rise with the cover's excess over its threshold. Bulges grow with the height; the base is flat, where
// rising air begins to condense.
fn cumulus(excess: f32, height: f32, billows: vec2<f32>, vigour: f32) -> f32 {
    let rises = excess / max(moment.cover, 0.3);
    let above = height / mix(0.3, 0.95, vigour);
    let heap = rises - above * above;
    // Bulges stay connected to their heaps.
    let bulge = (0.65 * billows.x + 0.45 * billows.y) * mix(0.35, 1.0, smoothstep(0.0, 0.3, height))
        * smoothstep(-0.5, -0.15, heap);
    return heap + 0.9 * bulge - 0.5 * smoothstep(0.9, 1.0, height)
        - 0.12 * smoothstep(0.04, 0.0, height);
}

// A layer of much the same thickness, its underside torn a little. With full cover, no gaps.
fn stratus(excess: f32, height: f32, billows: vec2<f32>) -> f32 {
    let sheet = 1.4 * (excess + 0.3 * smoothstep(0.85, 1.0, moment.cover)) + 0.25 * billows.x;
    let top = 0.65 + 0.4 * excess + 0.2 * billows.x;
    let bottom = 0.18 - 0.5 * billows.x - 0.2 * billows.y;
    return min(sheet, min(2.0 * (top - height), 2.5 * (height - bottom)));
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(field_out);
    let at = vec3(id.xy, id.z + slice.first_layer);
    if any(at >= size) {
        return;
    }
    let point = (vec3<f32>(at) + 0.5) / vec3<f32>(size);
    let first = textureSampleLevel(cover_map, repeating, point.xy + moment.cover_offset.xy, 0.0);
    let second = textureSampleLevel(cover_map, repeating, point.xy + moment.cover_offset.zw, 0.0);
    let pair = mix(vec2(first.x, second.y), vec2(first.z, second.w), moment.stratus);
    let excess = uniform_sum(pair.x, pair.y) - (1.0 - moment.cover);

    let up = point.z * moment.thickness_m / CLOUD_TILE_M;
    let coarse = textureSampleLevel(noise, repeating, vec3(point.xy, up) * 4.0 + moment.billow_offset, 0.0);
    let fine = textureSampleLevel(noise, repeating, vec3(point.xy, up) * 11.0 + moment.billow_offset, 0.0);
    let billows = vec2(coarse.x, fine.x) - 0.5;
    let vigour = textureSampleLevel(noise, repeating, vec3(point.xy, 0.0) * 2.0 - moment.billow_offset, 0.0).y;
    var field = cumulus(excess, point.z, billows, smoothstep(0.3, 0.7, vigour));
    if moment.stratus > 0.5 {
        field = stratus(excess, point.z, billows);
    }
    textureStore(field_out, at, vec4(saturate(field + 0.5), 0.0, 0.0, 1.0));
}
