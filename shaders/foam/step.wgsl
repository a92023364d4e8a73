// One step of the foam: every texel of the levels that are due (src/foam/schedule.rs), in the frame that drifts
// with it (src/foam/clipmap.rs). The twin of a point is src/foam/cover/mod.rs.

#import "maps/sample.wgsl"

struct FoamLevel {
    // The first texel of the window along (x, z), now and before this step.
    @align(16) first: vec2<i32>,
    first_before: vec2<i32>,
    // The middle of the first texel at this step's time, from the ocean's origin.
    place_m: vec2<f32>,
    // Fresh and old foam of a texel per breaking share.
    made: vec2<f32>,
    texel_m: f32,
    // The Jacobian of such a texel below which waves break.
    threshold: f32,
    // The reciprocal of the standard deviation within which they begin to.
    steepness: f32,
    // The share of fresh foam that the step keeps, and the further loss of fresh and old foam.
    fresh_kept: f32,
    fading: f32,
    // The ratio of the step's length to the time in which old foam decays where water keeps its area.
    old_decay: f32,
    // The half of `states` with the level before this step.
    half_before: u32,
    // The cascades that the level shows. The first `spaced_count` of them are sampled at `point_count` points
    // of a workgroup and not at each texel.
    spaced_count: u32,
    cascade_count: u32,
    point_count: u32,
}

// The sampling of a cascade by a level.
struct FoamCascade {
    // The mip level, and its weight.
    lod: f32,
    weight: f32,
    // Texels from one point to the next: 2, 4, 8 or 16, or 1 where each texel samples it.
    spacing: u32,
    // The index of its first point in `points`.
    first_point: u32,
}

struct FoamStep {
    levels: array<FoamLevel, 4>,
    // [level][cascade].
    cascades: array<FoamCascade, 16>,
    level_count: u32,
    // The texels along one side of each window, a power of two.
    texels: u32,
    // 0 for the first step.
    has_before: u32,
}

@group(0) @binding(0) var<uniform> foam: FoamStep;
// [half][level][z][x], 16 bits of fresh foam and 16 of old. A step reads one half of a level and writes the
// other, since finer levels also read it.
@group(0) @binding(1) var<storage, read_write> states: array<u32>;
// [level]: fresh, old. A breeze makes so little foam on average that eight bits round it to none.
@group(0) @binding(2) var foam_levels: texture_storage_2d_array<rgba16float, write>;

const FOAM_CONVERGENCE: vec2<f32> = vec2(0.6, 1.4);
// Texels along a side of a workgroup.
const FOAM_SIDE: u32 = 16u;
// Points of four cascades, at least two texels apart: (16 / 2 + 1)^2 each.
const FOAM_POINTS: u32 = 324u;

// dDx/dx, dDz/dz and dDx/dz at the workgroup's points, [cascade][z][x].
var<workgroup> points: array<vec3<f32>, FOAM_POINTS>;

// The index of a texel of the plane in `states`.
fn foam_place(half: u32, level: u32, texel: vec2<i32>) -> u32 {
    let slot = vec2<u32>(texel) & vec2(foam.texels - 1u);
    return ((half * foam.level_count + level) * foam.texels + slot.y) * foam.texels + slot.x;
}

// The foam of a texel of the plane before the step, from a coarser level where the level's window did not
// reach.
fn foam_before(finest: u32, place: vec2<i32>) -> vec2<f32> {
    var texel = place;
    var level = finest;
    var found = vec2(0.0);
    for (var looking = foam.has_before != 0u; looking && level < foam.level_count; level++) {
        let along = texel - foam.levels[level].first_before;
        if all(along >= vec2(0i)) && all(along < vec2(i32(foam.texels))) {
            found = unpack2x16unorm(states[foam_place(foam.levels[level].half_before, level, texel)]);
            looking = false;
        }
        texel = texel >> vec2(2u);
    }
    return found;
}

// dDx/dx, dDz/dz and dDx/dz of a cascade's waves, `along` texels from the level's first.
fn foam_derivatives(level: u32, cascade: u32, along: vec2<u32>) -> vec3<f32> {
    let position = foam.levels[level].place_m + vec2<f32>(along) * foam.levels[level].texel_m;
    let sampled = foam.cascades[4u * level + cascade];
    let uv = ocean_cascade_uv(cascade, position);
    let tiles = ocean_tiles(cascade, position);
    return sampled.weight * ocean_blend(ocean_derivative_map, cascade, uv, tiles, sampled.lod).zwy;
}

// Samples the cascades whose waves are long for the level's texels, at points as far apart as the waves allow.
fn foam_sample_points(level: u32, corner: vec2<u32>, first: u32) {
    for (var index = first; index < foam.levels[level].point_count; index += FOAM_SIDE * FOAM_SIDE) {
        var cascade = 0u;
        for (var next = 1u; next < foam.levels[level].spaced_count; next++) {
            cascade = select(cascade, next, index >= foam.cascades[4u * level + next].first_point);
        }
        let sampled = foam.cascades[4u * level + cascade];
        let side = FOAM_SIDE / sampled.spacing + 1u;
        let point = index - sampled.first_point;
        points[index] =
            foam_derivatives(level, cascade, corner + sampled.spacing * vec2(point % side, point / side));
    }
}

// Interpolates between those points, and sums over the cascades.
fn foam_between_points(level: u32, texel: vec2<u32>) -> vec3<f32> {
    var sum = vec3(0.0);
    for (var cascade = 0u; cascade < foam.levels[level].spaced_count; cascade++) {
        let sampled = foam.cascades[4u * level + cascade];
        let side = FOAM_SIDE / sampled.spacing + 1u;
        let place = vec2<f32>(texel) / f32(sampled.spacing);
        let cell = vec2<u32>(place);
        let within = fract(place);
        let first = sampled.first_point + cell.y * side + cell.x;
        sum += mix(
            mix(points[first], points[first + 1u], within.x),
            mix(points[first + side], points[first + side + 1u], within.x), within.y);
    }
    return sum;
}

@compute @workgroup_size(FOAM_SIDE, FOAM_SIDE)
fn step_foam(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    // Texels count from the window's first, so that those of a workgroup are adjacent.
    let level = group.z;
    let corner = FOAM_SIDE * group.xy;
    var derivatives = vec3(0.0);
    if OCEAN_CUBIC {
        foam_sample_points(level, corner, index);
        workgroupBarrier();
        derivatives = foam_between_points(level, local.xy);
    }
    let along = corner + local.xy;
    for (var cascade = foam.levels[level].spaced_count; cascade < foam.levels[level].cascade_count; cascade++) {
        derivatives += foam_derivatives(level, cascade, along);
    }
    derivatives *= ocean_maps.choppiness;
    let jacobian = (1.0 + derivatives.x) * (1.0 + derivatives.y) - derivatives.z * derivatives.z;

    let texel = foam.levels[level].first + vec2<i32>(along);
    let now = foam_stepped(level, jacobian, foam_before(level, texel));
    states[foam_place(1u - foam.levels[level].half_before, level, texel)] = pack2x16unorm(now);
    let slot = vec2<u32>(texel) & vec2(foam.texels - 1u);
    textureStore(foam_levels, slot, level, vec4(now, 0.0, 1.0));
}

// The foam of a texel of `level` at `jacobian`, one step after `before`.
fn foam_stepped(level: u32, jacobian: f32, before: vec2<f32>) -> vec2<f32> {
    let constants = foam.levels[level];
    let breaking = ocean_normal_integral((constants.threshold - jacobian) * constants.steepness);
    let decay = constants.old_decay * clamp(jacobian, FOAM_CONVERGENCE.x, FOAM_CONVERGENCE.y);
    let left = max(before * vec2(constants.fresh_kept, exp(-decay)) - constants.fading, vec2(0.0));
    return max(left, min(breaking * constants.made, vec2(1.0)));
}
