// One step of the foam: every texel of the levels that take it (src/foam/schedule.rs), in place in the
// frame that drifts with it (src/foam/clipmap.rs). Twin of a point: src/foam/cover/mod.rs.

#import "maps/sample.wgsl"

struct FoamLevel {
    // The first texel of the window, along (x, z), and before this step.
    @align(16) first: vec2<i32>,
    first_before: vec2<i32>,
    // Where the middle of the first texel lies at this step's time, from the ocean's origin.
    place_m: vec2<f32>,
    // How much fresh and old foam a texel gets over the share of it that breaks.
    made: vec2<f32>,
    texel_m: f32,
    // Waves break where the Jacobian that such a texel sees is less.
    threshold: f32,
    // 1 over the standard deviation within which they begin to.
    steepness: f32,
    // The share of fresh foam that the step keeps, and the amount that fresh and old foam lose besides.
    fresh_kept: f32,
    fading: f32,
    // The step's length over the time in which old foam decays where water keeps its area.
    old_decay: f32,
    // Which half of `states` has the level before this step.
    half_before: u32,
    // Cascades that the level shows. The first `spaced_count` of them are sampled at `point_count` points of a
    // workgroup and not at each texel.
    spaced_count: u32,
    cascade_count: u32,
    point_count: u32,
}

// How a level samples a cascade.
struct FoamCascade {
    // The mip level, and the weight that it counts with.
    lod: f32,
    weight: f32,
    // Texels from one point to the next: 2, 4, 8 or 16, or 1 where each texel samples it.
    spacing: u32,
    // Index of its first point in `points`.
    first_point: u32,
}

struct FoamStep {
    levels: array<FoamLevel, 4>,
    // [level][cascade].
    cascades: array<FoamCascade, 16>,
    level_count: u32,
    // Along one side of each window: a power of two.
    texels: u32,
    // 0: there was no step before.
    has_before: u32,
}

@group(0) @binding(0) var<uniform> foam: FoamStep;
// [half][level][z][x], 16 bits of fresh foam and 16 of old. A step reads one half of a level and writes the
// other, since finer levels read it too.
@group(0) @binding(1) var<storage, read_write> states: array<u32>;
// [level]: fresh, old. In a breeze there is so little of it, on average, that eight bits have none.
@group(0) @binding(2) var foam_levels: texture_storage_2d_array<rgba16float, write>;

const FOAM_CONVERGENCE: vec2<f32> = vec2(0.6, 1.4);
// Texels along a side of a workgroup.
const FOAM_SIDE: u32 = 16u;
// Points of four cascades, at least two texels apart: (16 / 2 + 1)^2 each.
const FOAM_POINTS: u32 = 324u;

// dDx/dx, dDz/dz and dDx/dz at the workgroup's points, [cascade][z][x].
var<workgroup> points: array<vec3<f32>, FOAM_POINTS>;

// Index in `states` of a texel of the plane.
fn foam_place(half: u32, level: u32, texel: vec2<i32>) -> u32 {
    let slot = vec2<u32>(texel) & vec2(foam.texels - 1u);
    return ((half * foam.level_count + level) * foam.texels + slot.y) * foam.texels + slot.x;
}

// What was at a texel of the plane: where the level's window did not reach, as a coarser one had it.
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

// Samples the cascades whose waves are long for the level's texels, each at points as far apart as its
// waves allow.
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
    // Texels are counted from the window's first, so that those of a workgroup lie side by side.
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

// Foam of a texel of `level` that has come to `jacobian`, one step after `before`.
fn foam_stepped(level: u32, jacobian: f32, before: vec2<f32>) -> vec2<f32> {
    let constants = foam.levels[level];
    let breaking = ocean_normal_integral((constants.threshold - jacobian) * constants.steepness);
    let decay = constants.old_decay * clamp(jacobian, FOAM_CONVERGENCE.x, FOAM_CONVERGENCE.y);
    let left = max(before * vec2(constants.fresh_kept, exp(-decay)) - constants.fading, vec2(0.0));
    return max(left, min(breaking * constants.made, vec2(1.0)));
}
