// Draws spray: every slot is a puff of drops, which flies as drops do that the wind takes along, and is
// drawn as a soft square with torn edges. Those of spindrift are drawn out along the wind and follow the
// water. Groups: 0 view and grid, 1 the ocean's maps, 2 the sky, 3 the spray's own.
#import "mesh/view.wgsl"
#import "mesh/grid.wgsl"
#import "maps/sample.wgsl"
#import "shading/sky.wgsl"
#import "shared/random.wgsl"
#import "spray/slot.wgsl"
#import "spray/flight.wgsl"

struct SprayView {
    // The eye in the tile of places.
    eye_m: vec2<f32>,
    wind_mps: vec2<f32>,
    // Share of puffs that are spindrift.
    spindrift: f32,
    // Between two moments at which it is torn off.
    interval_s: f32,
    // Beyond, spray is not drawn.
    reach_m: f32,
    slots_per_moment: u32,
    // How long ago each moment of the ring was, four to a vector; less than 0: there is none.
    ages_s: array<vec4<f32>, 12>,
}

// Reversed. One sample a pixel: texture_2d.
@group(0) @binding(4) var scene_depth: texture_multisampled_2d<f32>;
@group(3) @binding(0) var<uniform> spray: SprayView;
// (noise, its square), as the foam has it.
@group(3) @binding(1) var spray_noise: texture_2d<f32>;
// Repeats.
@group(3) @binding(2) var spray_sampler: sampler;

struct SprayPuff {
    @location(0) place: vec3<f32>,
    @location(1) radius_m: f32,
    @location(2) velocity_mps: vec3<f32>,
    @location(3) seed: f32,
}

struct SprayPoint {
    @builtin(position) clip: vec4<f32>,
    // From -1 to 1 across the square.
    @location(0) place: vec2<f32>,
    // Height over the water, in radii.
    @location(1) above: f32,
    // Towards the eye, exposed.
    @location(2) light: vec3<f32>,
    // Of the middle of the puff.
    @location(3) @interpolate(flat) depth: f32,
    // Where its noise is, and how much of a tile it shows along and across, and the level.
    @location(4) @interpolate(flat) noise_at: vec2<f32>,
    @location(5) noise_by: vec3<f32>,
}

// All of it has fallen, or is too thin to be seen. As src/spray/mod.rs.
const SPRAY_LIFE_S: f32 = 2.8;
// Radius of a puff that stands for itself, at most on average. As src/spray/stage.rs.
const SPRAY_LARGEST_M: f32 = 0.9;
// How many e-folds of light a fresh puff takes away across.
const SPRAY_DEPTH: f32 = 0.5;
const SPRAY_PI: f32 = 3.14159265;

// From 0 to 1: what the puff of that seed is like, in one of many ways.
fn spray_trait(seed: f32, way: u32) -> f32 {
    return random_uniform(random_hash(bitcast<u32>(seed) + way));
}

// Height of the water over still water at `position` from the anchor, without waves shorter than
// `spacing_m`; one step of finding what rests where.
fn spray_water_m(position: vec2<f32>, spacing_m: f32, fade: f32) -> f32 {
    let first = ocean_displacement(position, spacing_m);
    let found = ocean_displacement(position - fade * first.xz, spacing_m);
    return fade * found.y;
}

// Light that drops scatter towards the eye, over all light: of the sun, most of it goes on nearly straight
// (Henyey and Greenstein 1941, with a part that went around in the puff), and of sky and sea.
fn spray_light(direction: vec3<f32>) -> vec3<f32> {
    let forwards = 0.75;
    let cosine = dot(direction, sun_direction());
    let spread = 1.0 + forwards * forwards - 2.0 * forwards * cosine;
    let phase = (1.0 - forwards * forwards) / (4.0 * SPRAY_PI * spread * sqrt(spread));
    let around = 1.0 / (4.0 * SPRAY_PI);
    let sun = sun_radiance() * smoothstep(-0.02, 0.03, sun_direction().y);
    return sun * mix(phase, around, 0.55) + sky_irradiance() * (0.6 / SPRAY_PI);
}

@vertex
fn vertex(puff: SprayPuff, @builtin(vertex_index) corner: u32, @builtin(instance_index) index: u32) -> SprayPoint {
    var out: SprayPoint;
    // Behind everything: nothing is drawn.
    out.clip = vec4(2.0, 2.0, -1.0, 1.0);
    let moment = index / spray.slots_per_moment;
    // Not all at once: spray leaves a crest as it goes on.
    let since_s = spray.ages_s[moment / 4u][moment % 4u];
    let later = spray_trait(puff.seed, 1u);
    let age_s = since_s - spray.interval_s * later;
    let is_drift = spray_trait(puff.seed, 2u) < spray.spindrift;
    let life_s = SPRAY_LIFE_S * select(mix(0.35, 0.9, spray_trait(puff.seed, 3u)), 0.96, is_drift);
    // A loop and no branch: a processor that plays GPU skips a loop that nothing enters.
    for (var lives = puff.radius_m > 0.0 && age_s > 0.0 && age_s < life_s; lives; lives = false) {
        // Mist sinks slowly, and soon goes with the wind; drops do neither.
        let sink_mps = mix(0.4, 1.8, spray_trait(puff.seed, 4u));
        let wind_2d = spray.wind_mps * select(0.8, 0.65, is_drift);
        let wind = vec3(wind_2d.x, -sink_mps, wind_2d.y);
        // Three times what the drag of one drop gives, by eye: a puff pulls its air along.
        let response_s = max(sink_mps / 9.81, 0.08) * 3.0;
        let crest_mps = 0.45 * spray.wind_mps;
        let started = vec3(crest_mps.x, 0.0, crest_mps.y) * (spray.interval_s * later);
        let flown = started + spray_flight(puff.velocity_mps, wind, response_s, age_s);

        let torn_at = puff.place.xz - spray.eye_m;
        let from_eye = torn_at - SPRAY_TILE_M * round(torn_at / SPRAY_TILE_M) + flown.xz;
        // One that stands for many, which is larger, grows no faster than the largest of those.
        let grows = select(3.0, 1.2, is_drift);
        let growth = 1.0 + grows * min(1.0, SPRAY_LARGEST_M / puff.radius_m) * age_s;
        let radius_m = puff.radius_m * growth;
        let along = spray.wind_mps / max(length(spray.wind_mps), 1e-3);
        // Drawn out by how much faster the wind is at its upper end.
        let half_m = radius_m * select(1.5 + 1.2 * age_s, 4.0 + 4.0 * age_s, is_drift);
        let flat_m = radius_m * select(1.0, 0.45, is_drift);
        let at = vec2(f32(corner & 1u), f32(corner >> 1u)) * 2.0 - 1.0;

        let middle_distance_m = length(vec3(from_eye.x, mesh.eye_m.y, from_eye.y));
        let fade = wave_fade(middle_distance_m);
        let spacing_m = max(0.5 * radius_m, mesh.finest_spacing_m);
        let drop_m = earth_drop(from_eye);
        let end = from_eye + along * (half_m * at.x);
        // Of spindrift, each end is over the water that is there.
        let over = select(from_eye, end, is_drift);
        let water_m = spray_water_m(mesh.eye_m.xz + over, spacing_m, fade);
        let flying_m = max(puff.place.y + flown.y, water_m + 0.5 * flat_m);
        let low_m = water_m + flat_m * mix(0.5, 1.6, spray_trait(puff.seed, 5u));
        let height_m = select(flying_m, low_m, is_drift);
        let middle = vec3(end.x, height_m - drop_m - mesh.eye_m.y, end.y);
        let to_middle = middle / max(length(middle), 1e-3);
        let along_3d = vec3(along.x, 0.0, along.y);
        // Seen along the wind, it is as wide as it is high; else as long as it is drawn out, and its sides
        // point the way its ends do, or they would fold.
        let across = cross(along_3d, to_middle);
        let seen_long = length(across);
        let is_long = seen_long > 0.05;
        let up = select(vec3(0.0, 1.0, 0.0), across / max(seen_long, 1e-3), is_long);
        let upwards = up * select(-1.0, 1.0, up.y >= 0.0);
        let aside = select(
            cross(upwards, to_middle), along_3d - to_middle * dot(along_3d, to_middle), is_long);
        let sideways = aside / max(length(aside), 1e-3);
        let least_m = flat_m * (1.0 - seen_long);
        let relative = middle + upwards * (flat_m * at.y) + sideways * (least_m * at.x);

        let distance_m = max(length(relative), 1e-3);
        let direction = relative / distance_m;
        shade_by_clouds(relative, radius_m);
        let light = aerial_perspective(spray_light(direction), direction, distance_m);
        out.light = expose(light);
        out.place = at;
        out.above = (relative.y + mesh.eye_m.y + drop_m - water_m) / flat_m;

        // It thins out as it grows, one that stands for many as they would, and is gone before it ends; too close to the eye it would be a wall.
        let grown = (1.0 + grows * age_s) / (growth * growth);
        let ages = smoothstep(0.0, 0.3, age_s) * (1.0 - smoothstep(0.5, 1.0, age_s / life_s));
        let from_middle_m = length(vec3(from_eye.x, height_m - drop_m - mesh.eye_m.y, from_eye.y));
        let near = smoothstep(1.0, 4.0, from_middle_m / (2.0 * radius_m));
        let far = 1.0 - smoothstep(0.6, 1.0, middle_distance_m / spray.reach_m);
        out.depth = SPRAY_DEPTH * select(grown, 0.3 * grown, is_drift) * ages * near * far;
        // What is not seen stays behind everything.
        out.clip = select(out.clip, view.clip_from_relative * vec4(relative, 1.0), out.depth > 0.0);
        let tile_m = 6.0 * puff.radius_m;
        out.noise_at = vec2(spray_trait(puff.seed, 6u), spray_trait(puff.seed, 7u));
        out.noise_by = vec3(
            half_m / tile_m * select(0.5, 0.12, is_drift),
            flat_m / tile_m * select(0.5, 1.0, is_drift),
            log2(256.0 * distance_m * view.pixel_angle_rad / tile_m));
    }
    return out;
}

// Samples a pixel: 1 or 4.
override SAMPLES: u32 = 4u;

// Share of the pixel's samples before which nothing stands.
fn spray_in_sight(clip: vec4<f32>) -> f32 {
    var seen = 0.0;
    for (var sample = 0u; sample < SAMPLES; sample++) {
        let before = textureLoad(scene_depth, vec2<u32>(clip.xy), i32(sample)).x;
        seen += f32(clip.z > before) / f32(SAMPLES);
    }
    return seen;
}

@fragment
fn fragment(in: SprayPoint) -> @location(0) vec4<f32> {
    // Round and soft, and torn: the noise, uniform from 0 to 1, eats away what is thin.
    let inside = saturate(1.0 - dot(in.place, in.place));
    let body = inside * inside;
    let at = in.noise_at + in.place * in.noise_by.xy;
    let coarse = textureSampleLevel(spray_noise, spray_sampler, at * 0.35, in.noise_by.z - 1.5).x;
    let fine = textureSampleLevel(spray_noise, spray_sampler, at * 1.7, in.noise_by.z + 0.8).x;
    let torn = body * smoothstep(0.0, 0.8, body + 1.1 * (0.65 * coarse + 0.35 * fine) - 0.55);
    let over_water = smoothstep(-0.1, 0.9, in.above);
    let cover = spray_in_sight(in.clip) * (1.0 - exp(-in.depth * 2.0 * torn * over_water));
    return vec4(in.light * cover, cover);
}
