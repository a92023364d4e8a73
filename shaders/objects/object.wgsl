// The poses and looks of objects, and the number of the part that a sample sees. Groups: 0 view and grid, 3 the
// objects.
#import "mesh/view.wgsl"
#import "mesh/grid.wgsl"
#import "shading/visible.wgsl"
#import "objects/pose.wgsl"

struct ObjectMaterial {
    albedo: vec3<f32>,
    // The roughness of its highlights: the square root of GGX's alpha.
    roughness: f32,
    finish: u32,
    // The variant of objects that alone have the part; 0 for all.
    variant: u32,
}

struct ObjectLook {
    paint: vec3<f32>,
    // The number of stripes of the second paint.
    stripes: f32,
    second_paint: vec3<f32>,
    // Every object has its own stains.
    seed: f32,
    // The colour of its lamp, and the luminance of the lens, in kcd/m2.
    lamp: vec3<f32>,
    brightness_kcd: f32,
    variant: u32,
}

struct ObjectLooks {
    materials: array<ObjectMaterial, 16>,
    looks: array<ObjectLook, 8>,
}

@group(3) @binding(0) var<uniform> posed: array<ObjectPose, 8>;
// [object of the scene][side]: the height over the waterline at rest that water has reached in the last seconds
// (`objects/wet.wgsl`).
@group(3) @binding(1) var<uniform> object_wet: array<vec4<f32>, 32>;
@group(3) @binding(2) var<uniform> object_looks: ObjectLooks;

// The sources of a material's look (`Finish`).
const FINISH_PAINT: u32 = 1u;
const FINISH_SECOND_PAINT: u32 = 2u;
const FINISH_WEATHERED: u32 = 3u;
const FINISH_LENS: u32 = 4u;

// The height that water has reached on the side of a direction from the mast.
fn object_wet_m(number: u32, towards: vec2<f32>) -> f32 {
    let side = 16.0 * fract(atan2(towards.y, towards.x) / 6.2831853);
    let first = u32(side) & 15u;
    let next = (first + 1u) & 15u;
    return mix(
        object_wet[4u * number + first / 4u][first & 3u],
        object_wet[4u * number + next / 4u][next & 3u], fract(side));
}

// A vertex in the object's frame: parts that belong to other variants shrink to nothing.
fn object_vertex(object: u32, material: u32, position: vec3<f32>) -> vec3<f32> {
    let variant = object_looks.materials[material].variant;
    return select(vec3(0.0), position, variant == 0u || variant == object_looks.looks[object].variant);
}

// The axes of an object's own frame, in the world.
fn object_axes(pose: ObjectPose) -> mat3x3<f32> {
    let heading = vec3(cos(pose.heading_rad), 0.0, sin(pose.heading_rad));
    let across = normalize(heading - dot(heading, pose.up) * pose.up);
    return mat3x3(across, pose.up, cross(across, pose.up));
}

// The origin of that frame, from the eye.
fn object_foot(pose: ObjectPose) -> vec3<f32> {
    let offset = pose.position.xz - mesh.eye_m.xz;
    return vec3(offset.x, pose.position.y - mesh.eye_m.y - earth_drop(offset), offset.y);
}

// The part of an object that a sample sees.
struct ObjectSeen {
    object: u32,
    material: u32,
    // The share of the sky and the sea that no other part hides.
    openness: f32,
    // In the world's axes.
    normal: vec3<f32>,
}

// Packs it as a number (`shading/visible.wgsl`): object (3 bits), material (4 bits) and openness (7 bits); then the normal on
// an octahedron (Meyer et al. 2010), 8 bits an axis.
fn visible_object(seen: ObjectSeen) -> vec2<u32> {
    let folded = seen.normal.xy / (abs(seen.normal.x) + abs(seen.normal.y) + abs(seen.normal.z));
    let turned = (1.0 - abs(folded.yx)) * select(vec2(-1.0), vec2(1.0), folded >= vec2(0.0));
    let flat = vec2<u32>(round(127.5 + 127.0 * select(folded, turned, seen.normal.z < 0.0)));
    let openness = u32(round(127.0 * saturate(seen.openness)));
    return vec2(
        (VISIBLE_OBJECT << 14u) | (seen.object << 11u) | (seen.material << 7u) | openness,
        (flat.x << 8u) | flat.y);
}

fn object_of(visible: vec2<u32>) -> ObjectSeen {
    let flat = (vec2<f32>(vec2(visible.y >> 8u, visible.y & 255u)) - 127.5) / 127.0;
    let z = 1.0 - abs(flat.x) - abs(flat.y);
    let folded = max(-z, 0.0);
    let xy = flat - folded * select(vec2(-1.0), vec2(1.0), flat >= vec2(0.0));
    return ObjectSeen(
        (visible.x >> 11u) & 7u, (visible.x >> 7u) & 15u, f32(visible.x & 127u) / 127.0,
        normalize(vec3(xy, z)));
}
