// The poses of buoys, and the number of the part that a sample sees. Groups: 0 view and grid, 3 the poses.
#import "mesh/view.wgsl"
#import "mesh/grid.wgsl"
#import "shading/visible.wgsl"
#import "buoys/pose.wgsl"

struct Buoys {
    poses: array<BuoyPose, 8>,
}

@group(3) @binding(0) var<uniform> buoys: Buoys;

// The numbers of `Mark`.
const MARK_PORT: u32 = 0u;
const MARK_STARBOARD: u32 = 1u;
const MARK_SPECIAL: u32 = 2u;
const MARK_SAFE_WATER: u32 = 3u;

// The numbers of `Part`. Those from the first topmark up belong to one mark each.
const PART_PAINT: u32 = 0u;
const PART_RUBBER: u32 = 1u;
const PART_DECK: u32 = 2u;
const PART_LENS: u32 = 3u;
const PART_PANEL: u32 = 4u;
const PART_TOPMARKS: u32 = 5u;

// The axes of a buoy's own frame, in the world.
fn buoy_axes(pose: BuoyPose) -> mat3x3<f32> {
    let heading = vec3(cos(pose.heading_rad), 0.0, sin(pose.heading_rad));
    let across = normalize(heading - dot(heading, pose.up) * pose.up);
    return mat3x3(across, pose.up, cross(across, pose.up));
}

// The origin of that frame, at the waterline, from the eye.
fn buoy_foot(pose: BuoyPose) -> vec3<f32> {
    let offset = pose.position.xz - mesh.eye_m.xz;
    return vec3(offset.x, pose.position.y - mesh.eye_m.y - earth_drop(offset), offset.y);
}

// The part of a buoy that a sample sees.
struct BuoySeen {
    buoy: u32,
    part: u32,
    // The share of the sky and the sea that no other part of the buoy hides.
    openness: f32,
    // In the world's axes.
    normal: vec3<f32>,
}

// Packs it as a number (`shading/visible.wgsl`): buoy (3 bits), part (4 bits) and openness (7 bits); then the normal on
// an octahedron (Meyer et al. 2010), 8 bits an axis.
fn visible_buoy(seen: BuoySeen) -> vec2<u32> {
    let folded = seen.normal.xy / (abs(seen.normal.x) + abs(seen.normal.y) + abs(seen.normal.z));
    let turned = (1.0 - abs(folded.yx)) * select(vec2(-1.0), vec2(1.0), folded >= vec2(0.0));
    let flat = vec2<u32>(round(127.5 + 127.0 * select(folded, turned, seen.normal.z < 0.0)));
    let openness = u32(round(127.0 * saturate(seen.openness)));
    return vec2(
        (VISIBLE_BUOY << 14u) | (seen.buoy << 11u) | (seen.part << 7u) | openness,
        (flat.x << 8u) | flat.y);
}

fn buoy_seen(visible: vec2<u32>) -> BuoySeen {
    let flat = (vec2<f32>(vec2(visible.y >> 8u, visible.y & 255u)) - 127.5) / 127.0;
    let z = 1.0 - abs(flat.x) - abs(flat.y);
    let folded = max(-z, 0.0);
    let xy = flat - folded * select(vec2(-1.0), vec2(1.0), flat >= vec2(0.0));
    return BuoySeen(
        (visible.x >> 11u) & 7u, (visible.x >> 7u) & 15u, f32(visible.x & 127u) / 127.0,
        normalize(vec3(xy, z)));
}
