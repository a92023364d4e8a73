// The sea at a point, sampled from the ocean's maps in any shader stage.
//
// Positions are those of the water at rest, (x, z) in metres, relative to the ocean's origin
// (`Ocean::set_origin`); the water that rests at p is drawn at
// vec3(p.x, 0, p.y) + ocean_displacement(p, spacing).
//
// This file imports nothing. `Maps::bind_group` is group 1 here; `maps::sample_wgsl` writes any other.

const OCEAN_MAX_CASCADES: u32 = 4u;
// The most levels, from 8192 texels a side to one.
const OCEAN_MAX_LEVELS: u32 = 14u;

struct OceanCascade {
    // The place of the origin in the patch, plus half a texel: the first texel's centre is at 0 m.
    origin_uv: vec2<f32>,
    // The patch's first axis along (x, z), with the patches in a metre as its length.
    axis_patches_per_m: vec2<f32>,
    // The origin in the grid of ocean_tiles: the cell, and the place within.
    origin_cell: vec2<i32>,
    origin_in_cell: vec2<f32>,
    // The width of a texel of level 0, as a logarithm.
    log2_texel_m: f32,
    // The level whose texels are as wide as the cascade's longest wave: it shows none of them.
    last_lod: f32,
    // Not 0: level 0 holds the coefficients of cubic B-splines.
    cubic: u32,
    // Not 0: patches with random offsets are blended into each other.
    blended: u32,
}

struct OceanMaps {
    cascades: array<OceanCascade, 4>,
    cascade_count: u32,
    choppiness: f32,
    foam_threshold: f32,
    // The most samples in a row along the longer side of a footprint.
    anisotropy: f32,
    // The texels along a side of level 0.
    texels: f32,
    // [cascade][level]: covariance (xx, zz, xz) of the slopes that the level does not show, and the variance of
    // the divergence dDx/dx + dDz/dz that it does not show, before choppiness. The last level of each cascade
    // has the total.
    lost_covariance: array<vec4<f32>, 56>,
}

@group(1) @binding(0) var<uniform> ocean_maps: OceanMaps;
// [cascade]: Dx, Dz, h, dh/dx.
@group(1) @binding(1) var ocean_displacement_map: texture_2d_array<f32>;
// [cascade]: dh/dz, dDx/dz, dDx/dx, dDz/dz. The Jacobian needs no other map.
@group(1) @binding(2) var ocean_derivative_map: texture_2d_array<f32>;
@group(1) @binding(3) var ocean_sampler: sampler;

// The surface at a point. Derivatives are with respect to the water's position at rest, summed
// over the cascades.
struct OceanSurface {
    // dh/dx, dh/dz.
    slope: vec2<f32>,
    // The derivatives of the horizontal displacement, choppiness included.
    dxx: f32,
    dzz: f32,
    dxz: f32,
    // The covariance (xx, zz, xz) of the slopes that are too fine for the footprint, which is roughness.
    lost: vec3<f32>,
    // The variance of dDx/dx + dDz/dz, before choppiness, of the waves that are too fine for it.
    lost_divergence: f32,
}

// The displacement (x, y, z) in metres of the water that rests at `position`, without the waves that a mesh
// with vertices `spacing_m` apart cannot show.
fn ocean_displacement(position: vec2<f32>, spacing_m: f32) -> vec3<f32> {
    let log2_spacing_m = log2(max(spacing_m, 1e-6));
    var sum = vec3(0.0);
    for (var i = 0u; i < ocean_maps.cascade_count; i++) {
        let lod = max(log2_spacing_m - ocean_maps.cascades[i].log2_texel_m, 0.0);
        let weight = ocean_cascade_weight(i, lod);
        if weight > 0.0 {
            let uv = ocean_cascade_uv(i, position);
            let tiles = ocean_tiles(i, position);
            sum += weight * ocean_blend(ocean_displacement_map, i, uv, tiles, lod).xyz;
        }
    }
    return vec3(ocean_maps.choppiness * sum.x, sum.z, ocean_maps.choppiness * sum.y);
}

// The mip level of a footprint loses shorter waves twice: by the mean over the box, and by interpolation
// between texels. Samples in a row lose them only by the first, as a level finer by this much does (sqrt(3) in
// width, from both filters' transfer functions to second order in the wavenumber).
const OCEAN_ROW_LOD: f32 = 0.79;

// The surface around `position`, averaged over a footprint with sides `ddx` and `ddy` (in a
// fragment shader dpdx(position) and dpdy(position), taken in uniform control flow).
//
// The mip level follows the shorter side, and up to `anisotropy` samples stand in a row along the longer one;
// where that many do not fill it the level is coarser, so that nothing is missed between them. This code makes
// the row, and not an anisotropic sampler, so that its losses are known, and the same on every driver.
fn ocean_surface(position: vec2<f32>, ddx: vec2<f32>, ddy: vec2<f32>) -> OceanSurface {
    return ocean_with_choppiness(ocean_full_surface(position, ddx, ddy), ocean_maps.choppiness);
}

// The surface of one found at a choppiness of 1 (`ocean_full_surface`), at another choppiness.
fn ocean_with_choppiness(full: OceanSurface, choppiness: f32) -> OceanSurface {
    return OceanSurface(
        full.slope, choppiness * full.dxx, choppiness * full.dzz, choppiness * full.dxz, full.lost,
        full.lost_divergence);
}

// The surface of `ocean_surface` at a choppiness of 1 in place of the sea's own.
fn ocean_full_surface(position: vec2<f32>, ddx: vec2<f32>, ddy: vec2<f32>) -> OceanSurface {
    let squared_x = dot(ddx, ddx);
    let squared_y = dot(ddy, ddy);
    let long_side = select(ddy, ddx, squared_x > squared_y);
    let long_m = sqrt(max(max(squared_x, squared_y), 1e-12));
    let short_m = clamp(sqrt(min(squared_x, squared_y)), long_m / ocean_maps.anisotropy, long_m);
    let log2_long_m = log2(long_m);
    let log2_short_m = log2(short_m);

    var derivatives = vec4(0.0);
    var slope_x = 0.0;
    // The covariance of the slopes, followed by the variance of the divergence.
    var lost = vec4(0.0);
    // The further losses of the row.
    var lost_in_row = vec4(0.0);
    for (var i = 0u; i < ocean_maps.cascade_count; i++) {
        let log2_texel_m = ocean_maps.cascades[i].log2_texel_m;
        let lod = max(log2_short_m - log2_texel_m, 0.0);
        let weight = ocean_cascade_weight(i, lod);
        let lost_by_level = ocean_lost_covariance(i, lod, weight);
        lost += lost_by_level;
        if weight <= 0.0 {
            continue;
        }
        let uv = ocean_cascade_uv(i, position);
        let tiles = ocean_tiles(i, position);
        // One sample for each texel of this level along the side.
        let samples = clamp(
            ceil(exp2(log2_long_m - log2_texel_m - lod) - 0.01), 1.0, ocean_maps.anisotropy);
        if samples > 1.0 {
            let row_lod = max(log2_long_m - log2_texel_m - OCEAN_ROW_LOD, lod);
            lost_in_row += ocean_lost_covariance(i, row_lod, ocean_cascade_weight(i, row_lod))
                - lost_by_level;
        }
        let uv_side = ocean_patches(i, long_side);
        let share = weight / samples;
        for (var at = 0.5; at < samples; at += 1.0) {
            let uv_at = uv + (at / samples - 0.5) * uv_side;
            let fields = ocean_fields(i, uv_at, tiles, lod);
            derivatives += share * fields.derivatives;
            slope_x += share * fields.displacement.w;
        }
    }

    // A wave's slope points along its wave vector, so the row loses variance along it, and the same share of
    // the divergence.
    let axis = long_side / long_m;
    let along = axis.x * axis.x * lost_in_row.x + axis.y * axis.y * lost_in_row.y
        + 2.0 * axis.x * axis.y * lost_in_row.z;
    let divergence = lost_in_row.w / max(lost_in_row.x + lost_in_row.y, 1e-9);
    lost += max(along, 0.0)
        * vec4(axis.x * axis.x, axis.y * axis.y, axis.x * axis.y, divergence);

    return OceanSurface(
        vec2(slope_x, derivatives.x), derivatives.z, derivatives.w, derivatives.y, lost.xyz, lost.w);
}

// The ratio of the displaced surface's area, seen from above, to that at rest: below 1 the water is compressed,
// below 0 it has folded over.
fn ocean_jacobian(surface: OceanSurface) -> f32 {
    return (1.0 + surface.dxx) * (1.0 + surface.dzz) - surface.dxz * surface.dxz;
}

// Unit normal of the displaced surface: the cross product of its tangents along z and x. Where
// the surface has folded over, which foam covers, the normal stays level instead of turning down.
fn ocean_normal(surface: OceanSurface) -> vec3<f32> {
    return normalize(vec3(
        surface.dxz * surface.slope.y - (1.0 + surface.dzz) * surface.slope.x,
        max(ocean_jacobian(surface), 1e-3),
        surface.dxz * surface.slope.x - (1.0 + surface.dxx) * surface.slope.y,
    ));
}

// Standard deviation of J below which the edge of the foam is not sharpened further.
const OCEAN_FOAM_EDGE: f32 = 0.03;

// The share of the footprint, 0 to 1, that is compressed to less than the foam threshold.
//
// To first order J = 1 + choppiness (dDx/dx + dDz/dz), so the J of the waves that are too fine for the
// footprint spreads around the resolved J, as a Gaussian with the variance of the lost divergence, times the
// choppiness squared: the share is the Gaussian's integral up to the threshold. It keeps the mean cover at any
// distance. (With D(k) = i (k/|k|) coth(k d) h(k) the divergence is -|k| coth(k d) h(k). In deep water its
// variance is that of the slopes, and in shallow water it is larger.)
fn ocean_foam(surface: OceanSurface) -> f32 {
    let choppy = ocean_maps.choppiness;
    let variance = choppy * choppy * max(surface.lost_divergence, 0.0)
        + OCEAN_FOAM_EDGE * OCEAN_FOAM_EDGE;
    let x = (ocean_maps.foam_threshold - ocean_jacobian(surface)) * inverseSqrt(variance);
    return ocean_normal_integral(x);
}

// The integral of the unit Gaussian up to `x`, to 1e-7, since little of the sea breaks in a breeze (Abramowitz
// and Stegun 1964, 26.2.17).
fn ocean_normal_integral(x: f32) -> f32 {
    let from_middle = min(abs(x), 9.0);
    let t = 1.0 / (1.0 + 0.2316419 * from_middle);
    let series = t * (0.31938153
        + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    let beyond = 0.3989423 * exp(-0.5 * from_middle * from_middle) * series;
    return select(1.0 - beyond, beyond, x < 0.0);
}

fn ocean_cascade_uv(cascade: u32, position: vec2<f32>) -> vec2<f32> {
    return ocean_patches(cascade, position) + ocean_maps.cascades[cascade].origin_uv;
}

// Turns a vector along (x, z) in metres into one along the axes of the cascade's patch, in patches.
fn ocean_patches(cascade: u32, metres: vec2<f32>) -> vec2<f32> {
    let axis = ocean_maps.cascades[cascade].axis_patches_per_m;
    return vec2(dot(metres, axis), axis.x * metres.y - axis.y * metres.x);
}

// Constants that remove code from pipelines of an ocean without such cascades (`Maps::constants`): a software
// adapter pays even for code that does not run.
override OCEAN_CUBIC: bool = true;
override OCEAN_BLENDED: bool = true;

// Both maps at a point, in their layout.
struct OceanFields {
    displacement: vec4<f32>,
    derivatives: vec4<f32>,
}

// Both maps at `uv`.
fn ocean_fields(cascade: u32, uv: vec2<f32>, tiles: OceanTiles, lod: f32) -> OceanFields {
    if !OCEAN_CUBIC && !OCEAN_BLENDED {
        return ocean_fields_at(cascade, uv, lod);
    }
    let reading = ocean_reading(cascade, uv, tiles, lod);
    var sum = OceanFields(vec4(0.0), vec4(0.0));
    for (var step = 0u; step < reading.steps; step++) {
        let pair = ocean_sample_pair(reading, tiles, step);
        let one = ocean_fields_at(cascade, pair.uv_0, pair.levels.x);
        let other = ocean_fields_at(cascade, pair.uv_1, pair.levels.y);
        sum.displacement += pair.weights.x * one.displacement + pair.weights.y * other.displacement;
        sum.derivatives += pair.weights.x * one.derivatives + pair.weights.y * other.derivatives;
    }
    return sum;
}

fn ocean_fields_at(cascade: u32, uv: vec2<f32>, lod: f32) -> OceanFields {
    return OceanFields(
        textureSampleLevel(ocean_displacement_map, ocean_sampler, uv, cascade, lod),
        textureSampleLevel(ocean_derivative_map, ocean_sampler, uv, cascade, lod));
}

// One map at `uv`, by the same method as ocean_fields.
fn ocean_blend(
    map: texture_2d_array<f32>, cascade: u32, uv: vec2<f32>, tiles: OceanTiles, lod: f32,
) -> vec4<f32> {
    if !OCEAN_CUBIC && !OCEAN_BLENDED {
        return textureSampleLevel(map, ocean_sampler, uv, cascade, lod);
    }
    let reading = ocean_reading(cascade, uv, tiles, lod);
    var sum = vec4(0.0);
    for (var step = 0u; step < reading.steps; step++) {
        let pair = ocean_sample_pair(reading, tiles, step);
        sum += pair.weights.x * textureSampleLevel(map, ocean_sampler, pair.uv_0, cascade, pair.levels.x)
            + pair.weights.y * textureSampleLevel(map, ocean_sampler, pair.uv_1, cascade, pair.levels.y);
    }
    return sum;
}

// The reads of a cascade at a point, two samples a step: for each blended patch first the levels on either side
// of `lod`, then the lower and the upper two samples of a cubic B-spline. One loop has only the steps that a
// point needs, because a software adapter computes both sides of a branch, and the body of a loop at least
// once. A GPU waits for the two samples of a step together.
struct OceanReading {
    uv: vec2<f32>,
    // The steps over all patches, and for each.
    steps: u32,
    patch_steps: u32,
    // 0 or 1, which skips the levels.
    first: u32,
    // The share of a footprint that level 0 shows as a B-spline, whose coefficients it may hold.
    fine_share: f32,
    // The level for the other share.
    lod: f32,
}

fn ocean_reading(cascade: u32, uv: vec2<f32>, tiles: OceanTiles, lod: f32) -> OceanReading {
    let is_cubic = OCEAN_CUBIC && ocean_maps.cascades[cascade].cubic != 0u;
    let fine_share = select(0.0, saturate(1.0 - lod), is_cubic);
    let first = select(0u, 1u, fine_share == 1.0);
    let patch_steps = select(1u, 3u, fine_share > 0.0) - first;
    let patches = select(1u, 3u, OCEAN_BLENDED && tiles.weights.x < 1.0);
    // Level 1 and those above it hold no coefficients.
    return OceanReading(
        uv, patches * patch_steps, patch_steps, first, fine_share, select(lod, max(lod, 1.0), is_cubic));
}

struct OceanSamplePair {
    uv_0: vec2<f32>,
    uv_1: vec2<f32>,
    levels: vec2<f32>,
    weights: vec2<f32>,
}

fn ocean_sample_pair(reading: OceanReading, tiles: OceanTiles, step: u32) -> OceanSamplePair {
    let tile = step / reading.patch_steps;
    let row = reading.first + step - tile * reading.patch_steps;
    let weight = select(select(tiles.weights.x, tiles.weights.y, tile == 1u), tiles.weights.z, tile == 2u);
    let uv = reading.uv
        + select(select(tiles.offset_0, tiles.offset_1, tile == 1u), tiles.offset_2, tile == 2u);
    if !OCEAN_CUBIC || row == 0u {
        let level = floor(reading.lod);
        let upper = reading.lod - level;
        return OceanSamplePair(
            uv, uv, vec2(level, level + 1.0),
            weight * (1.0 - reading.fine_share) * vec2(1.0 - upper, upper));
    }
    let taps = ocean_cubic_taps(uv);
    let y = select(taps.low.y, taps.high.y, row == 2u);
    let share = select(taps.low_weight.y, taps.high_weight.y, row == 2u);
    return OceanSamplePair(
        vec2(taps.low.x, y), vec2(taps.high.x, y), vec2(0.0),
        weight * reading.fine_share * share * vec2(taps.low_weight.x, taps.high_weight.x));
}

// The places of samples of level 0 for a cubic B-spline, and their weights: low and high along both axes.
struct OceanCubicTaps {
    low: vec2<f32>,
    high: vec2<f32>,
    low_weight: vec2<f32>,
    high_weight: vec2<f32>,
}

// Four bilinear samples replace sixteen texels (Sigg and Hadwiger 2005, "Fast third-order texture filtering").
fn ocean_cubic_taps(uv: vec2<f32>) -> OceanCubicTaps {
    let at = uv * ocean_maps.texels - 0.5;
    let texel = floor(at);
    let t = at - texel;
    let s = 1.0 - t;
    // The weights of the four texels along an axis; the last is the remainder.
    let weight_0 = s * s * s / 6.0;
    let weight_1 = 2.0 / 3.0 - t * t * (1.0 - 0.5 * t);
    let weight_3 = t * t * t / 6.0;
    // The place between two of them where a sample blends them in that proportion, and its weight.
    let first = weight_0 + weight_1;
    let last = 1.0 - first;
    return OceanCubicTaps(
        (texel - 0.5 + weight_1 / first) / ocean_maps.texels,
        (texel + 1.5 + weight_3 / last) / ocean_maps.texels,
        first, last);
}

// The tiles that a point blends of a cascade whose patch must not visibly repeat.
struct OceanTiles {
    // The weights over the root of their squares' sum, so that the variance is that of one tile.
    weights: vec3<f32>,
    // The offsets in units of patches.
    offset_0: vec2<f32>,
    offset_1: vec2<f32>,
    offset_2: vec2<f32>,
}

// The single tile that is the patch itself.
const OCEAN_NO_TILES: OceanTiles =
    OceanTiles(vec3(1.0, 0.0, 0.0), vec2(0.0), vec2(0.0), vec2(0.0));

// The length of a triangle's side, in units of patches.
const OCEAN_TILE_PATCHES: f32 = 0.5;

// The plane is divided into triangles whose vertices have an offset each: a linear sea is a Gaussian process,
// whose variance and spectrum such a sum keeps (Heitz and Neyret 2018, "On histogram-preserving blending"). The
// weights change so slowly that their gradient is left out. The twin is src/maps/tiles.rs.
fn ocean_tiles(cascade: u32, position: vec2<f32>) -> OceanTiles {
    var tiles = OCEAN_NO_TILES;
    if !OCEAN_BLENDED {
        return tiles;
    }
    for (var blended = ocean_maps.cascades[cascade].blended != 0u; blended; blended = false) {
        // The axes along which the triangles are halves of unit squares.
        let patches = ocean_patches(cascade, position) / OCEAN_TILE_PATCHES;
        let at = ocean_maps.cascades[cascade].origin_in_cell
            + vec2(patches.x - 0.57735027 * patches.y, 1.1547005 * patches.y);
        let square = floor(at);
        let within = at - square;
        let cell = ocean_maps.cascades[cascade].origin_cell + vec2<i32>(square);
        // The half of the square: its corner is the vertex that the other half lacks.
        let rest = 1.0 - within.x - within.y;
        let far = rest <= 0.0;
        let corner = select(0i, 1i, far);
        let weights = select(
            vec3(rest, within.y, within.x), vec3(-rest, 1.0 - within.y, 1.0 - within.x), far);
        tiles = OceanTiles(
            weights * inverseSqrt(dot(weights, weights)),
            ocean_tile_offset(cascade, cell + corner),
            ocean_tile_offset(cascade, cell + vec2(corner, 1 - corner)),
            ocean_tile_offset(cascade, cell + vec2(1 - corner, corner)),
        );
    }
    return tiles;
}

// Two numbers from 0 to 1 (pcg2d; Jarzynski and Olano 2020, "Hash functions for GPU rendering").
fn ocean_tile_offset(cascade: u32, cell: vec2<i32>) -> vec2<f32> {
    var hash = vec2<u32>(cell) + vec2(cascade * 0x9e3779b9u, 0u);
    hash = hash * 1664525u + 1013904223u;
    hash.x += hash.y * 1664525u;
    hash.y += hash.x * 1664525u;
    hash ^= hash >> vec2(16u);
    hash.x += hash.y * 1664525u;
    hash.y += hash.x * 1664525u;
    hash ^= hash >> vec2(16u);
    return vec2<f32>(hash >> vec2(8u)) / 16777216.0;
}

// Fades a cascade out over the last level that shows any of its waves, which hides both the repeated patch and
// steps; where it is 0 the maps need not be sampled.
fn ocean_cascade_weight(cascade: u32, lod: f32) -> f32 {
    return saturate(ocean_maps.cascades[cascade].last_lod - lod);
}

// Variance of dDx/dx + dDz/dz, before choppiness, of all waves that the maps hold.
fn ocean_divergence_variance() -> f32 {
    var sum = 0.0;
    for (var i = 0u; i < ocean_maps.cascade_count; i++) {
        sum += ocean_maps.lost_covariance[(i + 1u) * OCEAN_MAX_LEVELS - 1u].w;
    }
    return sum;
}

// The slope covariance (xx, zz, xz) and variance of the divergence that the cascade's maps lack at `lod`, times
// `weight`.
fn ocean_lost_covariance(cascade: u32, lod: f32, weight: f32) -> vec4<f32> {
    let first = cascade * OCEAN_MAX_LEVELS;
    let total = ocean_maps.lost_covariance[first + OCEAN_MAX_LEVELS - 1u];
    let level = min(u32(lod), OCEAN_MAX_LEVELS - 2u);
    let lost = mix(
        ocean_maps.lost_covariance[first + level],
        ocean_maps.lost_covariance[first + level + 1u],
        saturate(lod - f32(level)),
    );
    return mix(total, lost, weight * weight);
}
