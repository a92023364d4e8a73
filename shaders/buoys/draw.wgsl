// Draws the triangles of buoys that samples see, and their distances.
#import "buoys/buoy.wgsl"

struct BuoyPoint {
    @builtin(position) clip: vec4<f32>,
    // From the eye.
    @location(0) @interpolate(perspective, centroid) relative: vec3<f32>,
    @location(1) @interpolate(perspective, centroid) normal: vec3<f32>,
    // The share of the sky and the sea that no other part of the buoy hides.
    @location(2) @interpolate(perspective, centroid) openness: f32,
    @location(3) @interpolate(flat) buoy: u32,
    @location(4) @interpolate(flat) part: u32,
}

@vertex
fn vertex(
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) part: u32,
    @location(3) openness: f32,
    @builtin(instance_index) buoy: u32,
) -> BuoyPoint {
    let pose = buoys.poses[buoy];
    // The topmarks of other marks shrink to nothing.
    let is_shown = part < PART_TOPMARKS || part - PART_TOPMARKS == pose.mark;
    let world_from_local = buoy_axes(pose);

    var out: BuoyPoint;
    out.relative = buoy_foot(pose) + world_from_local * select(vec3(0.0), position, is_shown);
    out.normal = world_from_local * normal;
    out.openness = openness;
    out.buoy = buoy;
    out.part = part;
    out.clip = view.clip_from_relative * vec4(out.relative, 1.0);
    return out;
}

@fragment
fn visible(in: BuoyPoint) -> @location(0) vec2<u32> {
    return visible_buoy(BuoySeen(in.buoy, in.part, in.openness, normalize(in.normal)));
}

// The distance in metres from the eye, for `RayDepth`.
@fragment
fn ray_depth(in: BuoyPoint) -> @location(0) f32 {
    return length(in.relative);
}
