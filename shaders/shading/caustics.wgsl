// Carries sunlight through the surface to the depth of the bed. The corners of a mesh of the surface are refracted
// there, and each of its cells spreads the light that it receives over the cells where it arrives. Sums are whole
// numbers, which do not depend on the order of additions. Groups: 0 the bed, 1 the ocean's maps.
#import "maps/sample.wgsl"
#import "shading/bed_params.wgsl"
#import "shading/water_light.wgsl"

@group(0) @binding(1) var<storage, read_write> cells: array<atomic<u32>>;

// Corners along a side of a workgroup's piece of the mesh.
const MESH_SIDE: u32 = 16u;
// The most parts along a side into which a cell of the mesh is divided where waves spread its light.
const MOST_PARTS: f32 = 4.0;
// The least sine of the sun's elevation for the light that a slope receives: at grazing angles, waves shade each
// other, which the mesh does not know.
const LEAST_SUN: f32 = 0.4;

var<workgroup> surface_m: array<vec3<f32>, 256>;
var<workgroup> arrives_m: array<vec2<f32>, 256>;

// The place at the depth of the bed to which sunlight goes on from a place of the surface.
fn arrival(place_m: vec3<f32>, normal: vec3<f32>) -> vec2<f32> {
    let along = refract(-bed_params.to_sun, normal, 1.0 / WATER_INDEX);
    let down_m = max(bed_params.caustics_depth_m + place_m.y, 0.0);
    return place_m.xz + along.xz * (down_m / max(-along.y, 0.2));
}

// The light on a cell of the mesh, by its area as the sun sees it, relative to level water.
fn light_on(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, d: vec3<f32>) -> f32 {
    let area = 0.5 * cross(d - b, c - a);
    let raised = vec3(bed_params.to_sun.x, max(bed_params.to_sun.y, LEAST_SUN), bed_params.to_sun.z);
    return max(dot(area, raised) / raised.y, 0.0);
}

// Adds light at a place, in cells, to the four cells around it.
fn add_light(level: u32, place: vec2<f32>, light: f32) {
    let side = bed_params.levels[level].cells;
    let from_centres = place - 0.5;
    let first = floor(from_centres);
    let share = from_centres - first;
    for (var i = 0u; i < 4u; i++) {
        let offset = vec2(f32(i & 1u), f32(i >> 1u));
        let cell = first + offset;
        let weights = mix(1.0 - share, share, offset);
        if all(cell >= vec2(0.0)) && all(cell < vec2(f32(side))) {
            let index = level * bed_params.texels * bed_params.texels + u32(cell.y) * side + u32(cell.x);
            atomicAdd(&cells[index], u32(light * weights.x * weights.y + 0.5));
        }
    }
}

@compute @workgroup_size(MESH_SIDE, MESH_SIDE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) lane: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    let level = bed_params.levels[group.z];
    let corner = (MESH_SIDE - 1u) * group.xy + lane.xy;
    let rest = level.first_m + vec2<f32>(corner) * level.spacing_m;
    let displacement = ocean_displacement(rest, level.spacing_m);
    let place_m = vec3(rest.x, 0.0, rest.y) + displacement;
    let surface = ocean_surface(rest, vec2(level.spacing_m, 0.0), vec2(0.0, level.spacing_m));
    surface_m[index] = place_m;
    arrives_m[index] = arrival(place_m, ocean_normal(surface));
    workgroupBarrier();
    if any(lane.xy == vec2(MESH_SIDE - 1u)) || any(corner + 1u >= vec2(level.corners)) {
        return;
    }
    let beside = index + 1u;
    let under = index + MESH_SIDE;
    let area_m2 = light_on(surface_m[index], surface_m[beside], surface_m[under + 1u], surface_m[under]);
    let light = CAUSTIC_UNIT * area_m2 / (level.cell_m * level.cell_m);
    let a = (arrives_m[index] - level.origin_m) / level.cell_m;
    let b = (arrives_m[beside] - level.origin_m) / level.cell_m;
    let c = (arrives_m[under + 1u] - level.origin_m) / level.cell_m;
    let d = (arrives_m[under] - level.origin_m) / level.cell_m;
    // Most of the mesh of a fine level lies in its margin.
    let low = min(min(a, b), min(c, d));
    let high = max(max(a, b), max(c, d));
    if any(high < vec2(-1.0)) || any(low > vec2(f32(level.cells) + 1.0)) {
        return;
    }
    let parts = vec2(
        clamp(ceil(max(distance(a, b), distance(d, c))), 1.0, MOST_PARTS),
        clamp(ceil(max(distance(a, d), distance(b, c))), 1.0, MOST_PARTS),
    );
    let share = light / (parts.x * parts.y);
    for (var z = 0.5; z < parts.y; z += 1.0) {
        for (var x = 0.5; x < parts.x; x += 1.0) {
            let at = vec2(x, z) / parts;
            add_light(group.z, mix(mix(a, b, at.x), mix(d, c, at.x), at.y), share);
        }
    }
}
