// Chooses the visible puffs of spray, and places them: a puff flies like drops in the wind. Puffs of spindrift
// stretch along the wind and follow the water. Slots keep their order, in which puffs are drawn over each
// other. Groups: 0 view and grid, 1 the ocean's maps, 2 the sky, 3 the spray's own.
#import "mesh/view.wgsl"
#import "mesh/grid.wgsl"
#import "maps/sample.wgsl"
#import "shading/sky.wgsl"
#import "shading/object_images.wgsl"
#import "shared/random.wgsl"
#import "spray/slot.wgsl"
#import "spray/placed.wgsl"
#import "spray/flight.wgsl"

struct SprayView {
    // The eye's place in the tile of places.
    eye_m: vec2<f32>,
    wind_mps: vec2<f32>,
    // The share of puffs that are spindrift.
    spindrift: f32,
    // The time between two moments of tearing.
    interval_s: f32,
    // The distance beyond which spray is not drawn.
    reach_m: f32,
    // The largest displacement of the water by waves.
    waves_m: f32,
    slots_per_moment: u32,
    // The number of slots of all moments.
    slots: u32,
    // The age of each moment of the ring, four to a vector, which is negative for empty ones.
    ages_s: array<vec4<f32>, 12>,
}

@group(3) @binding(0) var<uniform> spray: SprayView;
@group(3) @binding(1) var<storage, read> slots: array<SpraySlot>;
// One bit for each visible slot.
@group(3) @binding(2) var<storage, read_write> shown: array<u32>;
// The visible puffs, in the order of their slots.
@group(3) @binding(3) var<storage, read_write> placed: array<SprayPlaced>;
// The arguments of the draw: vertices, instances, and the first of both.
@group(3) @binding(4) var<storage, read_write> drawn: array<u32, 4>;

// The age at which all spray has fallen, or is too thin to be seen, as in src/spray/mod.rs.
const SPRAY_LIFE_S: f32 = 2.8;
// The largest mean radius of a puff that represents itself, as in src/spray/stage.rs.
const SPRAY_LARGEST_M: f32 = 0.9;
// The e-folds of light that a fresh puff absorbs across its width.
const SPRAY_DEPTH: f32 = 0.5;
// The least absorption of a drawn puff.
const SPRAY_LEAST_DEPTH: f32 = 0.002;
const SPRAY_PI: f32 = 3.14159265;
// The number of slots of a workgroup, 32 to a word.
const SPRAY_GROUP: u32 = 256u;

// A trait of the puff with that seed, from 0 to 1, among many.
fn spray_trait(seed: f32, way: u32) -> f32 {
    return random_uniform(random_hash(bitcast<u32>(seed) + way));
}

// The height of the water over still water at `position` from the anchor, without waves shorter than
// `spacing_m`, after one step of finding its place at rest.
fn spray_water_m(position: vec2<f32>, spacing_m: f32, fade: f32) -> f32 {
    let first = ocean_displacement(position, spacing_m);
    let found = ocean_displacement(position - fade * first.xz, spacing_m);
    return fade * found.y;
}

// The light that drops scatter towards the eye: that of the sun continues nearly straight (Henyey and
// Greenstein 1941, with a part that was scattered within the puff), and that of sky and sea.
fn spray_light(direction: vec3<f32>) -> vec3<f32> {
    let forwards = 0.75;
    let cosine = dot(direction, sun_direction());
    let spread = 1.0 + forwards * forwards - 2.0 * forwards * cosine;
    let phase = (1.0 - forwards * forwards) / (4.0 * SPRAY_PI * spread * sqrt(spread));
    let around = 1.0 / (4.0 * SPRAY_PI);
    let sun = sun_radiance() * smoothstep(-0.02, 0.03, sun_direction().y);
    return sun * mix(phase, around, 0.55) + sky_irradiance() * (0.6 / SPRAY_PI);
}

// A puff on its way.
struct SprayFlying {
    flies: bool,
    is_drift: bool,
    age_s: f32,
    life_s: f32,
    // The displacement since it was torn off, in metres.
    flown: vec3<f32>,
    from_eye: vec2<f32>,
    grows: f32,
    growth: f32,
    radius_m: f32,
    // Half of its length along the wind, and half of its height.
    half_m: f32,
    flat_m: f32,
}

fn spray_flying(puff: SpraySlot, index: u32) -> SprayFlying {
    var out: SprayFlying;
    let moment = index / spray.slots_per_moment;
    // Spray leaves a crest over some time.
    let since_s = spray.ages_s[moment / 4u][moment % 4u];
    let later = spray_trait(puff.seed, 1u);
    out.age_s = since_s - spray.interval_s * later;
    out.is_drift = spray_trait(puff.seed, 2u) < spray.spindrift;
    out.life_s =
        SPRAY_LIFE_S * select(mix(0.35, 0.9, spray_trait(puff.seed, 3u)), 0.96, out.is_drift);
    // Mist sinks slowly, and soon moves with the wind; drops do neither.
    let sink_mps = mix(0.4, 1.8, spray_trait(puff.seed, 4u));
    let wind_2d = spray.wind_mps * select(0.8, 0.65, out.is_drift);
    let wind = vec3(wind_2d.x, -sink_mps, wind_2d.y);
    // Three times the drag of one drop, by eye: a puff pulls its air along.
    let response_s = max(sink_mps / 9.81, 0.08) * 3.0;
    let crest_mps = 0.45 * spray.wind_mps;
    let started = vec3(crest_mps.x, 0.0, crest_mps.y) * (spray.interval_s * later);
    out.flown = started + spray_flight(puff.velocity_mps, wind, response_s, out.age_s);

    let torn_at = puff.place.xz - spray.eye_m;
    out.from_eye = torn_at - SPRAY_TILE_M * round(torn_at / SPRAY_TILE_M) + out.flown.xz;
    // A larger puff that represents many grows no faster than the largest of them.
    out.grows = select(3.0, 1.2, out.is_drift);
    out.growth = 1.0 + out.grows * min(1.0, SPRAY_LARGEST_M / puff.radius_m) * out.age_s;
    out.radius_m = puff.radius_m * out.growth;
    // The wind stretches it by its excess speed at the upper end.
    out.half_m = out.radius_m * select(1.5 + 1.2 * out.age_s, 4.0 + 4.0 * out.age_s, out.is_drift);
    out.flat_m = out.radius_m * select(1.0, 0.45, out.is_drift);
    let distance_m = length(vec3(out.from_eye.x, mesh.eye_m.y, out.from_eye.y));
    out.flies = (puff.radius_m > 0.0) & (out.age_s > 0.0) & (out.age_s < out.life_s)
        & (distance_m < spray.reach_m);
    return out;
}

// Returns whether the picture may show any of a sphere around `middle`, which is relative to the eye.
fn spray_in_view(middle: vec3<f32>, radius_m: f32) -> bool {
    let ahead = dot(middle, view.forward);
    let edges = vec2(length(view.right), length(view.up));
    let aside = abs(vec2(dot(middle, view.right), dot(middle, view.up))) / edges;
    return all(aside <= ahead * edges + radius_m * sqrt(1.0 + edges * edges));
}

var<workgroup> shown_bits: array<atomic<u32>, 8>;

@compute @workgroup_size(256)
fn choose(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if lane < SPRAY_GROUP / 32u {
        atomicStore(&shown_bits[lane], 0u);
    }
    workgroupBarrier();
    var is_shown = false;
    // A loop and no branch: a software adapter works on both sides of a branch.
    for (var any = id.x < spray.slots && slots[id.x].radius_m > 0.0; any; any = false) {
        let puff = slots[id.x];
        let flying = spray_flying(puff, id.x);
        let drop_m = earth_drop(flying.from_eye);
        let middle = vec3(flying.from_eye.x, -drop_m - mesh.eye_m.y, flying.from_eye.y);
        let reach_m = spray.waves_m + flying.half_m + abs(flying.flown.y);
        is_shown = flying.flies & spray_in_view(middle, reach_m);
    }
    atomicOr(&shown_bits[lane / 32u], u32(is_shown) << (lane % 32u));
    workgroupBarrier();
    if lane < SPRAY_GROUP / 32u {
        shown[workgroup.x * (SPRAY_GROUP / 32u) + lane] = atomicLoad(&shown_bits[lane]);
    }
}

// The number of visible puffs in the groups before this one.
var<workgroup> shown_before: atomic<u32>;

@compute @workgroup_size(256)
fn place(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if lane == 0u {
        atomicStore(&shown_before, 0u);
    }
    workgroupBarrier();
    let words = SPRAY_GROUP / 32u;
    let first = workgroup.x * words;
    var before = 0u;
    for (var word = lane; word < first; word += SPRAY_GROUP) {
        before += countOneBits(shown[word]);
    }
    atomicAdd(&shown_before, before);
    workgroupBarrier();
    var index = atomicLoad(&shown_before);
    let own = first + lane / 32u;
    for (var word = first; word < own; word++) {
        index += countOneBits(shown[word]);
    }
    let bit = 1u << (lane % 32u);
    let mine = shown[own];
    index += countOneBits(mine & (bit - 1u));
    for (var is_shown = (mine & bit) != 0u; is_shown; is_shown = false) {
        placed[index] = spray_placed(slots[id.x], id.x);
    }
    if workgroup.x == workgroups.x - 1u && lane == SPRAY_GROUP - 1u {
        drawn = array(4u, index + ((mine >> 31u) & 1u), 0u, 0u);
    }
}

fn spray_placed(puff: SpraySlot, index: u32) -> SprayPlaced {
    let flying = spray_flying(puff, index);
    let from_eye = flying.from_eye;
    let is_drift = flying.is_drift;
    let flat_m = flying.flat_m;
    let radius_m = flying.radius_m;
    let along = spray.wind_mps / max(length(spray.wind_mps), 1e-3);
    let along_3d = vec3(along.x, 0.0, along.y);
    let middle_distance_m = length(vec3(from_eye.x, mesh.eye_m.y, from_eye.y));
    let fade = wave_fade(middle_distance_m);
    let spacing_m = max(0.5 * radius_m, mesh.finest_spacing_m);
    let drop_m = earth_drop(from_eye);

    var out: SprayPlaced;
    var light: array<vec3<f32>, 2>;
    var height_m: array<f32, 2>;
    for (var end = 0u; end < 2u; end++) {
        let side = f32(end) * 2.0 - 1.0;
        let at = from_eye + along * (SPRAY_DRAWN * flying.half_m * side);
        // Each end of a wisp of spindrift follows the water beneath it.
        let over = select(from_eye, at, is_drift);
        let water_m = spray_water_m(mesh.eye_m.xz + over, spacing_m, fade);
        let flying_m = max(puff.place.y + flying.flown.y, water_m + 0.5 * flat_m);
        let low_m = water_m + flat_m * mix(0.5, 1.6, spray_trait(puff.seed, 5u));
        height_m[end] = select(flying_m, low_m, is_drift) - drop_m - mesh.eye_m.y;
        let middle = vec3(at.x, height_m[end], at.y);
        let to_middle = middle / max(length(middle), 1e-3);
        // Along the wind it looks as wide as high; otherwise as long as its stretch, with sides in the
        // direction of its ends, since they would fold otherwise.
        let across = cross(along_3d, to_middle);
        let seen_long = length(across);
        let is_long = seen_long > 0.05;
        let up = select(vec3(0.0, 1.0, 0.0), across / max(seen_long, 1e-3), is_long);
        let upwards = up * select(-1.0, 1.0, up.y >= 0.0);
        let aside = select(
            cross(upwards, to_middle), along_3d - to_middle * dot(along_3d, to_middle), is_long);
        let sideways = aside / max(length(aside), 1e-3);
        let least_m = flat_m * (1.0 - seen_long);
        let relative = middle + sideways * (SPRAY_DRAWN * least_m * side);
        out.ends[end] = vec4(relative, water_m - drop_m - mesh.eye_m.y);
        out.ups[end] = vec4(upwards * (SPRAY_DRAWN * flat_m), 0.0);

        let distance_m = max(length(relative), 1e-3);
        let direction = relative / distance_m;
        shade_by_clouds(relative, radius_m);
        sunlit *= objects_sunlight(mesh.eye_m + relative, radius_m, NO_OBJECT);
        light[end] = expose(aerial_perspective(spray_light(direction), direction, distance_m));
    }
    out.lights = vec4(
        pack2x16float(light[0].xy),
        pack2x16float(light[1].xy),
        pack2x16float(vec2(light[0].z, light[1].z)),
        0u,
    );

    // It thins out as it grows, and vanishes before its end; a puff that represents many thins like them. Close
    // to the eye it would be a wall.
    let grown = (1.0 + flying.grows * flying.age_s) / (flying.growth * flying.growth);
    let ages = smoothstep(0.0, 0.3, flying.age_s)
        * (1.0 - smoothstep(0.5, 1.0, flying.age_s / flying.life_s));
    let seen_m = 0.5 * (height_m[0] + height_m[1]);
    let from_middle_m = length(vec3(from_eye.x, seen_m, from_eye.y));
    let near = smoothstep(1.0, 4.0, from_middle_m / (2.0 * radius_m));
    let far = 1.0 - smoothstep(0.6, 1.0, middle_distance_m / spray.reach_m);
    let tile_m = 6.0 * puff.radius_m;
    let depth = SPRAY_DEPTH * select(grown, 0.3 * grown, is_drift) * ages * near * far;
    let noise_level = log2(512.0 * max(from_middle_m, 1e-3) * view.pixel_angle_rad / tile_m);
    // A puff without height covers no pixel.
    let height = f32(depth > SPRAY_LEAST_DEPTH);
    out.ups[0] = vec4(height * out.ups[0].xyz, depth);
    out.ups[1] = vec4(height * out.ups[1].xyz, noise_level);
    out.noise = vec4(
        spray_trait(puff.seed, 6u),
        spray_trait(puff.seed, 7u),
        flying.half_m / tile_m * select(0.5, 0.12, is_drift),
        flat_m / tile_m * select(0.5, 1.0, is_drift),
    );
    return out;
}
