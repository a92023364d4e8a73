// The bed where the water is shallow, for everything that is seen through water: where lines of sight meet it, and
// its light. Group 2.
#import "shading/water_medium.wgsl"

// [level]: caustics (with a mean of 1), height over the mean bed, share of dark ground, shading.
@group(2) @binding(14) var bed_map: texture_2d_array<f32>;

// Constant within a pipeline: without a visible bed, kernels of the water leave it out, since a software adapter is
// slowed down even by code that does not run.
override BED: bool = true;

// The distance to which the map reaches, in halves of its finest level.
const BED_REACH: f32 = 64.0;
// The least slope of lines of sight that meet the bed.
const BED_LEAST_SLOPE: f32 = 0.01;

// The map beyond its reach.
fn bed_mean() -> vec4<f32> {
    return vec4(1.0, 0.0, sky.bed.mean_dark, 1.0);
}

fn bed_level_at(level: u32, position: vec2<f32>, texels: f32) -> vec4<f32> {
    let place = sky.bed.levels[level];
    return textureSampleLevel(bed_map, sky_sampler, (position - place.xy) / (place.z * texels), level, 0.0);
}

// The map at a place from the anchor, averaged over a footprint.
fn bed_at(position: vec2<f32>, footprint_m: f32) -> vec4<f32> {
    let texels = f32(textureDimensions(bed_map).x);
    let half_m = 0.5 * texels * sky.bed.texel_m;
    let away = abs(position - sky.bed.levels[0].xy - half_m) / (0.9 * half_m);
    let nearness = max(max(away.x, away.y), 1e-3);
    // Each level is four times as wide as the one before: the next is used from a quarter of the way to the edge.
    let by_place = 0.5 * log2(nearness) + 1.0;
    let by_footprint = 0.5 * log2(max(footprint_m, 1e-4) / sky.bed.texel_m);
    let level = clamp(max(by_place, by_footprint), 0.0, 3.0);
    // The limit also keeps NVIDIA's compiler (driver 580) from taking the fraction along, which the texture would round.
    let first = min(u32(level), 3u);
    let found = mix(
        bed_level_at(first, position, texels),
        bed_level_at(min(first + 1u, 3u), position, texels),
        smoothstep(0.5, 1.0, level - f32(first)),
    );
    return mix(found, bed_mean(), smoothstep(0.8 * BED_REACH, BED_REACH, nearness));
}

// The radiance of the bed, which is diffuse, for such a place of the map. Sun and sky enter through the surface,
// and the water above attenuates their light.
fn bed_radiance(found: vec4<f32>) -> vec3<f32> {
    let albedo = mix(sky.bed.sand, sky.bed.dark, found.z);
    let depth_m = max(sky.bed.depth_m - found.y, 0.0);
    let above = water_light_above();
    let light = water_sun_entering(above) * (found.x * found.w) + water_sky_entering(above);
    return albedo * (1.0 / PI) * light * exp(-sky.water.diffuse_attenuation_per_m * depth_m);
}

// The place where a line of sight meets the bed.
struct BedMet {
    distance_m: f32,
    found: vec4<f32>,
}

// Follows a line of sight down from `from_m`, the place from the anchor and the height over still water. Its footprint
// there is `footprint_m`, and grows by `spread` per metre.
fn bed_met(from_m: vec3<f32>, direction: vec3<f32>, footprint_m: f32, spread: f32) -> BedMet {
    let slope = max(-direction.y, BED_LEAST_SLOPE);
    let over_m = sky.bed.depth_m + from_m.y;
    var met = BedMet(max(over_m, 0.0) / slope, bed_mean());
    for (var i = 0u; i < 3u; i++) {
        let place = from_m.xz + direction.xz * met.distance_m;
        met.found = bed_at(place, footprint_m + spread * met.distance_m);
        met.distance_m = max(over_m - met.found.y, 0.0) / slope;
    }
    return met;
}

// The steps of the search for the bed along flat lines of sight.
const BED_STEPS: u32 = 20u;
// The least footprint of that search.
const BED_SEARCH_M: f32 = 0.3;
// The distance at which the water hides the bed, in powers of e.
const BED_HIDDEN: f32 = 6.0;

// Follows a line of sight at any angle, from an eye in the water: steps find the first place below the bed, and a
// secant the place between.
fn bed_met_from_below(from_m: vec3<f32>, direction: vec3<f32>, spread: f32) -> BedMet {
    let slope = max(-direction.y, BED_LEAST_SLOPE);
    let over_m = sky.bed.depth_m + from_m.y;
    let lost = water_attenuation(sky.water);
    let hidden_m = BED_HIDDEN / max(min(lost.x, min(lost.y, lost.z)), 1e-3);
    let first_m = clamp((over_m - sky.bed.highest_m) / slope, 0.0, hidden_m);
    let last_m = clamp((over_m + sky.bed.highest_m) / slope, first_m, max(hidden_m, first_m + 1.0));
    // (distance, height over the bed).
    var before = vec2(first_m, over_m - slope * first_m);
    var after = vec2(last_m, -1.0);
    var is_found = false;
    for (var i = 0u; i < BED_STEPS; i++) {
        // Steps grow with the distance, and pass by lumps that are smaller than half a step. The first is at the eye
        // where ground around it is higher.
        let at = f32(i) / f32(BED_STEPS - 1u);
        let distance_m = mix(first_m, last_m, at * at);
        let half_step_m = at * (last_m - first_m) / f32(BED_STEPS - 1u);
        let place = from_m.xz + direction.xz * distance_m;
        let ground_m = bed_at(place, max(max(spread * distance_m, half_step_m), BED_SEARCH_M)).y;
        let height_m = over_m - slope * distance_m - ground_m;
        let is_over = !is_found && height_m > 0.0;
        after = select(after, vec2(distance_m, height_m), !is_found);
        is_found = is_found || height_m <= 0.0;
        before = select(before, vec2(distance_m, height_m), is_over);
    }
    let share = saturate(before.y / max(before.y - after.y, 1e-4));
    let distance_m = select(last_m, mix(before.x, after.x, share), is_found);
    return BedMet(distance_m, bed_at(from_m.xz + direction.xz * distance_m, spread * distance_m));
}

// The same for a level bed with the mean of the map.
fn bed_met_in_mean(depth_m: f32, direction: vec3<f32>) -> BedMet {
    let slope = max(-direction.y, BED_LEAST_SLOPE);
    return BedMet(max(sky.bed.depth_m - depth_m, 0.0) / slope, bed_mean());
}

// The radiance of the bed where a line of sight meets it, and of the water before it.
fn bed_through_water(depth_m: f32, direction: vec3<f32>, met: BedMet) -> vec3<f32> {
    let path = water_path(depth_m, direction, met.distance_m);
    return bed_radiance(met.found) * path.transmittance + path.added;
}

// The radiance outside of shallow water, seen along `down` in the water: `body` is that of deep water.
fn bed_under_surface(body: vec3<f32>, down: vec3<f32>, met: BedMet) -> vec3<f32> {
    let lost = water_attenuation(sky.water);
    let rate = lost - sky.water.diffuse_attenuation_per_m * down.y;
    let bed = bed_radiance(met.found) * exp(-lost * met.distance_m) * (1.0 / WATER_INDEX_SQUARED);
    return body * (1.0 - exp(-rate * met.distance_m)) + bed;
}

// The radiance from `direction`, downwards, for an eye in the water at `from_m`: the bed, or water without end. A
// line of sight spreads by `spread` per metre.
fn water_seen_down(from_m: vec3<f32>, direction: vec3<f32>, spread: f32) -> vec3<f32> {
    let depth_m = max(-from_m.y, 0.0);
    var radiance = water_without_end(depth_m, direction);
    for (var shallow = BED && sky.bed.depth_m > 0.0; shallow; shallow = false) {
        radiance = bed_through_water(depth_m, direction, bed_met_from_below(from_m, direction, spread));
    }
    return radiance;
}

// The light out of shallow water: `body` is that of deep water at a place of the surface, seen from above in the
// direction `from_eye`. The bed takes the place of the water below it, and waves that the footprint hides blur it.
fn bed_through_surface(
    body: vec3<f32>, from_m: vec3<f32>, from_eye: vec3<f32>, normal: vec3<f32>, footprint_m: f32, deviation: f32,
) -> vec3<f32> {
    let along = refract(from_eye, normal, 1.0 / WATER_INDEX);
    let down = normalize(vec3(along.x, min(along.y, -0.3), along.z));
    let spread = (1.0 - 1.0 / WATER_INDEX) * deviation;
    return bed_under_surface(body, down, bed_met(from_m, down, footprint_m, spread));
}
