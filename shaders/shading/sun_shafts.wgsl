// Shafts of sunlight in the water: lines of sight are followed through the pattern of the caustics, which reaches
// through the water along the sun's direction. A workgroup shares nine of them, four pixels apart, and pixels
// interpolate between these.
#import "shading/bed.wgsl"

// Steps along a line of sight; 0 for no shafts. A tier of quality sets them.
override SHAFT_STEPS: u32 = 28u;

// Lines of sight along a side of a tile of pixels, and the pixels between them.
const SHAFT_SIDE: u32 = 3u;
const SHAFT_PIXELS: u32 = 4u;
// The threads that follow each of them.
const SHAFT_THREADS: u32 = 7u;
// The longest way on which shafts are visible, in metres and in powers of e of attenuation.
const SHAFT_LONGEST_M: f32 = 40.0;
const SHAFT_ATTENUATION: f32 = 3.5;
// The depth at which waves have focused the light.
const SHAFT_FOCUS_M: f32 = 1.2;

var<workgroup> shaft_parts: array<vec3<f32>, 63>;

// The distance to which a line of sight in the water is followed: to still water or to the bed.
fn shaft_end_m(from_m: vec3<f32>, direction: vec3<f32>) -> f32 {
    let lost = water_attenuation(sky.water);
    let visible_m = SHAFT_ATTENUATION / max(min(lost.x, min(lost.y, lost.z)), 1e-3);
    let floor_m = select(1e6, sky.bed.depth_m, sky.bed.depth_m > 0.0);
    let up_m = max(-from_m.y, 0.0) / max(direction.y, 1e-4);
    let down_m = max(floor_m + from_m.y, 0.0) / max(-direction.y, 1e-4);
    return min(min(visible_m, SHAFT_LONGEST_M), select(down_m, up_m, direction.y > 0.0));
}

// Returns the light that a part of the steps adds to the mean light of the water, which `water_path` has.
fn shaft_part(from_m: vec3<f32>, direction: vec3<f32>, part: u32) -> vec3<f32> {
    let end_m = shaft_end_m(from_m, direction);
    let lost = water_attenuation(sky.water);
    var sum = vec3(0.0);
    for (var i = part; i < SHAFT_STEPS; i += SHAFT_THREADS) {
        // Steps grow with the distance.
        let at = (f32(i) + 0.5) / f32(SHAFT_STEPS);
        let distance_m = end_m * at * at;
        let step_m = 2.0 * end_m * at / f32(SHAFT_STEPS);
        let place = from_m + direction * distance_m;
        let depth_m = max(-place.y, 0.0);
        let focused = place.xz + sky.bed.sun_shift * (sky.bed.caustics_depth_m - depth_m);
        let pattern = bed_at(focused, 0.35 * step_m).x - 1.0;
        let light = exp(-lost * distance_m - sky.water.diffuse_attenuation_per_m * depth_m);
        sum += light * (step_m * pattern * smoothstep(0.0, SHAFT_FOCUS_M, depth_m));
    }
    return sum * water_source_by_sun(sky.water, water_light_above(), direction);
}

// The shafts at a pixel of a tile, by its place in it. All shafts' parts are in `shaft_parts`.
fn shafts_at(lane: vec2<u32>) -> vec3<f32> {
    let at = vec2<f32>(lane) / f32(SHAFT_PIXELS);
    let first = min(vec2<u32>(at), vec2(SHAFT_SIDE - 2u));
    let share = at - vec2<f32>(first);
    var sum = vec3(0.0);
    for (var i = 0u; i < 4u; i++) {
        let offset = vec2(i & 1u, i >> 1u);
        let weights = mix(1.0 - share, share, vec2<f32>(offset));
        let line = (first.y + offset.y) * SHAFT_SIDE + first.x + offset.x;
        for (var part = 0u; part < SHAFT_THREADS; part++) {
            sum += weights.x * weights.y * shaft_parts[line * SHAFT_THREADS + part];
        }
    }
    return sum;
}
