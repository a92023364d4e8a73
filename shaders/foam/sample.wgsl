// Foam at a point of the water.
//
// Imports nothing. Positions are those of the water at rest, (x, z) in metres, relative to the origin of
// `Foam::update`, which is the ocean's own for shaders that sample both. `Foam::bind_group` is group 3 here;
// `foam::sample_wgsl` writes any other.

struct FoamWindow {
    // The place of the ocean's origin in the window's texture, which repeats.
    origin_uv: vec2<f32>,
    // The middle of the window, from the ocean's origin.
    middle_m: vec2<f32>,
    windows_per_m: f32,
    texel_m: f32,
    half_m: f32,
}

struct FoamMap {
    // The windows from fine to coarse.
    windows: array<FoamWindow, 4>,
    // Fresh and old foam, averaged over the whole sea.
    mean: vec2<f32>,
    // The albedos of fresh and of old foam.
    albedo: vec2<f32>,
    // From metres to tiles of the streaks: along the wind (x times the first, z times the second), and across
    // it with both swapped, eight times as much.
    streaks_from_metres: vec2<f32>,
    streaks_origin: vec2<f32>,
    // The share of old foam that gathers in streaks.
    streaks: f32,
    // The number of levels; 0 without memory, with the mean alone.
    level_count: u32,
}

@group(3) @binding(0) var<uniform> foam_map: FoamMap;
// [level]: fresh, old.
@group(3) @binding(1) var foam_levels: texture_2d_array<f32>;
// The sampler, linear and repeating.
@group(3) @binding(2) var foam_sampler: sampler;

// The share of the water that foam covers where it is all fresh, and all old, as in src/foam/cover/mod.rs.
const FOAM_FRESH_DENSITY: f32 = 0.93;
const FOAM_OLD_DENSITY: f32 = 0.45;

// The white share of water with `foam`, fresh and old: fresh foam is dense, and lies over old foam.
fn foam_share(foam: vec2<f32>) -> f32 {
    return mix(FOAM_OLD_DENSITY * foam.y, FOAM_FRESH_DENSITY, foam.x);
}

// The albedo of the white share: bright where a wave breaks, duller as bubbles burst. Each part counts by its
// cover, so that an average is as bright as its parts.
fn foam_albedo(foam: vec2<f32>) -> f32 {
    let fresh = FOAM_FRESH_DENSITY * foam.x;
    return mix(foam_map.albedo.y, foam_map.albedo.x, saturate(fresh / max(foam_share(foam), 1e-6)));
}

// The weight of the level's window at `position`, 0 from its edge on.
fn foam_weight(level: u32, position: vec2<f32>) -> f32 {
    let window = foam_map.windows[level];
    let from_middle = abs(position - window.middle_m) / window.half_m;
    return saturate(8.0 - 8.5 * max(from_middle.x, from_middle.y));
}

// Returns whether `position` needs the mean of the sea besides the windows. It selects without a short circuit:
// Mesa 22.3 corrupts its memory when it compiles a branch on a uniform in a kernel.
fn foam_is_mean(position: vec2<f32>) -> bool {
    let weight = foam_weight(max(foam_map.level_count, 1u) - 1u, position);
    return select(0.0, weight, foam_map.level_count > 0u) < 1.0;
}

// The level of the texture `foam_levels` at `position`: (fresh, old), and its weight there, which falls to 0 at
// the window's edge.
fn foam_level(level: u32, position: vec2<f32>) -> vec3<f32> {
    let window = foam_map.windows[level];
    let uv = window.origin_uv + position * window.windows_per_m;
    return vec3(textureSampleLevel(foam_levels, foam_sampler, uv, level, 0.0).xy, foam_weight(level, position));
}

struct FoamFound {
    // Fresh and old foam, each 0 to 1.
    foam: vec2<f32>,
    // The mean size of the texels that it comes from, below which nothing is known.
    texel_m: f32,
    // The share of it, 0 to 1, that is the mean of the sea.
    mean: f32,
}

// Foam at `position`, averaged over a footprint: from the finest window there whose texels are not much smaller
// than the footprint, and beyond all of them the mean of the sea.
fn foam_found(position: vec2<f32>, footprint_m: f32) -> FoamFound {
    var sum = vec2(0.0);
    var mean_texel_m = 0.0;
    var rest = 1.0;
    for (var level = 0u; level < foam_map.level_count && rest > 0.0; level++) {
        // The coarser level averages two texels to a footprint.
        let texel_m = foam_map.windows[level].texel_m;
        let is_last = level + 1u == foam_map.level_count;
        let fine_enough = select(saturate(2.0 - 0.5 * footprint_m / texel_m), 1.0, is_last);
        if fine_enough <= 0.0 {
            continue;
        }
        let found = foam_level(level, position);
        let share = rest * found.z * fine_enough;
        sum += share * found.xy;
        mean_texel_m += share * texel_m;
        rest -= share;
    }
    rest = max(rest, 0.0);
    return FoamFound(
        sum + rest * foam_map.mean, mean_texel_m + rest * FOAM_NO_TEXEL_M, rest);
}

// The mean of the sea is not specific to any place.
const FOAM_NO_TEXEL_M: f32 = 1e3;

// Fresh and old foam at `position`, each 0 to 1, averaged over a footprint.
fn foam_at(position: vec2<f32>, footprint_m: f32) -> vec2<f32> {
    return foam_found(position, footprint_m).foam;
}
