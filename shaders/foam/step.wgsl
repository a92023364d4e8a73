// Foam, one step on: every texel of every level, in place in the frame that drifts with it
// (src/foam/clipmap.rs). A level that takes no step now keeps what it has, where its window lies now. Twin of
// a point: src/foam/cover/mod.rs.

#import "maps/sample.wgsl"
#import "foam/breaking.wgsl"

struct FoamLevel {
    // The first texel of the window, along (x, z), and before this step.
    first: vec2<i32>,
    first_before: vec2<i32>,
    // Where the middle of the first texel lies at this step's time, from the ocean's origin.
    place_m: vec2<f32>,
    texel_m: f32,
    // Waves break where the Jacobian that such a texel sees is less.
    threshold: f32,
    // Since the level's last step; 0 where it takes none now.
    seconds: f32,
    // The share of fresh foam that its step keeps, and the amount that fresh and old foam lose besides.
    fresh_kept: f32,
    fading: f32,
}

struct FoamStep {
    levels: array<FoamLevel, 4>,
    level_count: u32,
    // Along one side of each window: a power of two.
    texels: u32,
    // 0: there was no step before.
    has_before: u32,
    // How fast old foam decays where water keeps its area.
    old_rate_per_s: f32,
    // How much more of the water has fresh foam than breaks at the time, and has old foam.
    over_breaking: vec2<f32>,
    // The divergence's variance, over all waves that make foam.
    variance: f32,
}

@group(0) @binding(0) var<uniform> foam: FoamStep;
// [level][z][x], 16 bits of fresh foam and 16 of old.
@group(0) @binding(1) var<storage, read> before: array<u32>;
@group(0) @binding(2) var<storage, read_write> after: array<u32>;
// [level]: fresh, old. In a breeze there is so little of it, on average, that eight bits have none.
@group(0) @binding(3) var foam_levels: texture_storage_2d_array<rgba16float, write>;

const FOAM_CONVERGENCE: vec2<f32> = vec2(0.6, 1.4);

// Where a level keeps a texel of the plane.
fn foam_place(level: u32, texel: vec2<i32>) -> u32 {
    let slot = vec2<u32>(texel) & vec2(foam.texels - 1u);
    return (level * foam.texels + slot.y) * foam.texels + slot.x;
}

// What was at a texel of the plane: where the level's window did not reach, as a coarser one had it.
fn foam_before(finest: u32, place: vec2<i32>) -> vec2<f32> {
    var texel = place;
    var level = finest;
    var found = vec2(0.0);
    for (var looking = foam.has_before != 0u; looking && level < foam.level_count; level++) {
        let along = texel - foam.levels[level].first_before;
        if all(along >= vec2(0i)) && all(along < vec2(i32(foam.texels))) {
            found = unpack2x16unorm(before[foam_place(level, texel)]);
            looking = false;
        }
        texel = texel >> vec2(2u);
    }
    return found;
}

@compute @workgroup_size(8, 8)
fn step_foam(@builtin(global_invocation_id) id: vec3<u32>) {
    let level = foam.levels[id.z];
    let along = (vec2<i32>(id.xy) - level.first) & vec2(i32(foam.texels) - 1);
    let texel = level.first + along;
    var now = foam_before(id.z, texel);
    // A loop and no branch: a software adapter works on both sides of a branch.
    for (var steps = level.seconds > 0.0; steps; steps = false) {
        now = foam_stepped(level, along, now);
    }
    after[foam_place(id.z, texel)] = pack2x16unorm(now);
    textureStore(foam_levels, id.xy, id.z, vec4(now, 0.0, 1.0));
}

// Foam of a texel of `level`, one step after `before`.
fn foam_stepped(level: FoamLevel, along: vec2<i32>, before: vec2<f32>) -> vec2<f32> {
    let side = level.texel_m;
    let surface = ocean_surface(
        level.place_m + vec2<f32>(along) * side, vec2(side, 0.0), vec2(0.0, side));
    let jacobian = ocean_jacobian(surface);

    let unseen = foam_unseen(surface, foam.variance);
    let breaking = foam_breaking(surface, level.threshold);

    let rate = foam.old_rate_per_s * clamp(jacobian, FOAM_CONVERGENCE.x, FOAM_CONVERGENCE.y);
    let kept = vec2(level.fresh_kept, exp(-rate * level.seconds));
    let left = max(before * kept - level.fading, vec2(0.0));
    // Where a texel shows every wave, foam is what breaks and what it leaves. Where it shows none, the
    // same share of it breaks at any time, each time elsewhere: it has as much foam as the whole sea
    // has for that. Between, a part of both.
    let made = min(breaking * mix(vec2(1.0), foam.over_breaking, unseen * unseen), vec2(1.0));
    return max(left, made);
}
