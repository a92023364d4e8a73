// Wets the hulls: keeps how high water has reached around each in the last seconds. It runs with the steps of the foam,
// on the waves that make foam, for all objects of the scene, in view or not.
#import "objects/floating.wgsl"

struct WetStep {
    // From the origin of the waves, in the order of the scene.
    places: array<ObjectPlace, 8>,
    // The radii of the hulls.
    radii_m: array<vec4<f32>, 8>,
    // How far the upper edge of the wet band has sunk since the step before.
    dried_m: f32,
    // 1 for the first of the steps.
    begins: u32,
}

@group(0) @binding(0) var<uniform> wet_step: WetStep;
// [object][side], over the waterline at rest.
@group(0) @binding(1) var<storage, read_write> wet: array<f32>;

// The sides of a hull, from +X towards +Z.
const WET_SIDES: u32 = 16u;
// The footprint of the waves that run up a hull.
const WET_LOG2_FOOTPRINT_M: f32 = -1.0;
// The heights over the waterline between which the edge is kept.
const WET_LEAST_M: f32 = -0.2;
const WET_MOST_M: f32 = 0.5;

@compute @workgroup_size(16)
fn wetten(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) lane: vec3<u32>,
) {
    let place = wet_step.places[group.x];
    let angle = 6.2831853 * f32(lane.x) / f32(WET_SIDES);
    let out = wet_step.radii_m[group.x].x * vec2(cos(angle), sin(angle));
    let found = query_find(place.position, place.log2_footprint_m);
    let pose = object_on_water_found(place, found);
    // The waterline at rest, in the plane that is level in the object's frame.
    let rest_m = pose.position.y + (pose.rest_m - dot(pose.up.xz, out)) / pose.up.y;
    // Water beside the mast rests beside where that at the mast does.
    let reached = query_fields(found.at_rest + out, WET_LOG2_FOOTPRINT_M);
    let level_m = clamp(reached.displacement.z - rest_m, WET_LEAST_M, WET_MOST_M);
    let i = group.x * WET_SIDES + lane.x;
    wet[i] = max(level_m, select(wet[i] - wet_step.dried_m, WET_LEAST_M, wet_step.begins != 0u));
}
