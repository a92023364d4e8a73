// Draws the triangles of objects that samples see, and their distances.
#import "objects/object.wgsl"

struct ObjectPoint {
    @builtin(position) clip: vec4<f32>,
    // From the eye.
    @location(0) @interpolate(perspective, centroid) relative: vec3<f32>,
    @location(1) @interpolate(perspective, centroid) normal: vec3<f32>,
    // The share of the sky and the sea that no other part hides.
    @location(2) @interpolate(perspective, centroid) openness: f32,
    @location(3) @interpolate(flat) object: u32,
    @location(4) @interpolate(flat) material: u32,
}

@vertex
fn vertex(
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) material: u32,
    @location(3) openness: f32,
    @builtin(instance_index) object: u32,
) -> ObjectPoint {
    let pose = posed[object];
    let world_from_local = object_axes(pose);

    var out: ObjectPoint;
    out.relative = object_foot(pose) + world_from_local * object_vertex(object, material, position);
    out.normal = world_from_local * normal;
    out.openness = openness;
    out.object = object;
    out.material = material;
    out.clip = view.clip_from_relative * vec4(out.relative, 1.0);
    return out;
}

@fragment
fn visible(in: ObjectPoint) -> @location(0) vec2<u32> {
    return visible_object(ObjectSeen(in.object, in.material, in.openness, normalize(in.normal)));
}

// The distance in metres from the eye, for `RayDepth`.
@fragment
fn ray_depth(in: ObjectPoint) -> @location(0) f32 {
    return length(in.relative);
}
