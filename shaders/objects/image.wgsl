// Draws the images of objects (`shading/object_images.wgsl`). Groups: 0 view and grid, 2 the sky, 3 the objects.
#import "objects/shade.wgsl"

struct ImagePoint {
    @builtin(position) clip: vec4<f32>,
    // From the anchor.
    @location(0) place: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) openness: f32,
    // In the object's frame.
    @location(3) local: vec3<f32>,
    @location(4) @interpolate(flat) object: u32,
    @location(5) @interpolate(flat) material: u32,
    @location(6) @interpolate(flat) kind: u32,
}

// The height past the waterline up to which images of the parts above and below water go.
const IMAGE_BARED_M: f32 = 0.2;
// The height of the slice at the waterline that is seen from above (`HULL_OVER_WATER_M`).
const IMAGE_SLICE_M: f32 = 0.35;

fn image_point(
    position: vec3<f32>, normal: vec3<f32>, material: u32, openness: f32, object: u32, kind: u32,
) -> ImagePoint {
    let pose = posed[object];
    let world_from_local = object_axes(pose);
    let image = objects.images[kind * OBJECTS + object];
    var out: ImagePoint;
    out.local = object_vertex(object, material, position);
    out.place = object_foot(pose) + mesh.eye_m + world_from_local * out.local;
    out.normal = world_from_local * normal;
    out.openness = openness;
    out.object = object;
    out.material = material;
    out.kind = kind;
    // The place in the image, and that of the image in the atlas.
    let offset = out.place - image.middle;
    let w = dot(offset, image.forward) + image.distance_m;
    let at = vec2(dot(offset, image.right), dot(offset, image.up)) * (image.distance_m / max(image.half_m, 1e-3));
    let share = object_sides(kind, object) / objects.slot;
    let x = w * (2.0 * f32(object) / f32(OBJECTS) - 1.0) + (w + at.x) * (share.x / f32(OBJECTS));
    let y = w * (1.0 - f32(kind & 1u)) - (w - at.y) * (0.5 * share.y);
    let is_there = image.half_m > 0.0;
    out.clip = select(vec4(0.0, 0.0, 2.0, 1.0), vec4(x, y, 0.25 * image.distance_m, w), is_there);
    return out;
}

// Discards what lies outside of the image's slot, or on the other side of the water.
fn keep_image(in: ImagePoint) {
    let corner = objects.slot * vec2(f32(in.object), f32(in.kind & 1u));
    let inside = in.clip.xy - corner;
    let pose = posed[in.object];
    let is_below = eye_is_below(mesh.eye_m.y, pose.position.y + pose.up.y * pose.waterline_m);
    let over_water_m = in.local.y - pose.waterline_m;
    let shows_above = (in.kind == IMAGE_REFRACTED) == is_below;
    let is_above = over_water_m + IMAGE_BARED_M > 0.0;
    var is_kept = select(over_water_m < IMAGE_BARED_M, is_above, shows_above || in.kind == IMAGE_FROM_SUN);
    is_kept = select(is_kept, abs(over_water_m) < IMAGE_SLICE_M, in.kind == IMAGE_FROM_ABOVE);
    if !is_kept || any(inside < vec2(0.0)) || any(inside > object_sides(in.kind, in.object)) {
        discard;
    }
}

// The first of the two kinds of a layer: an instance of each for each object.
override FIRST_KIND: u32 = 0u;

@vertex
fn vertex(
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) material: u32,
    @location(3) openness: f32,
    @builtin(instance_index) instance: u32,
) -> ImagePoint {
    return image_point(position, normal, material, openness, instance / 2u, FIRST_KIND + (instance & 1u));
}

// Empties the part of a slot that an image takes: clearing all slots takes longer than drawing the images.
@vertex
fn empty_vertex(
    @builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32,
) -> @builtin(position) vec4<f32> {
    let object = instance / 2u;
    let kind = FIRST_KIND + (instance & 1u);
    let share = object_sides(kind, object) / objects.slot * vec2<f32>(vec2(corner & 1u, corner >> 1u));
    let x = (2.0 * f32(object) + 2.0 * share.x) / f32(OBJECTS) - 1.0;
    let at = vec4(x, 1.0 - f32(kind & 1u) - share.y, 0.0, 1.0);
    return select(vec4(0.0, 0.0, 2.0, 1.0), at, objects.images[kind * OBJECTS + object].half_m > 0.0);
}

@fragment
fn empty() -> @location(0) vec4<f32> {
    return vec4(0.0);
}

// The distance behind the image's plane, away from where it is seen, and the cover.
@fragment
fn silhouette(in: ImagePoint) -> @location(0) vec4<f32> {
    keep_image(in);
    let image = objects.images[in.kind * OBJECTS + in.object];
    return vec4(dot(in.place - image.middle, image.forward), 0.0, 0.0, 1.0);
}

@fragment
fn lit(in: ImagePoint) -> @location(0) vec4<f32> {
    keep_image(in);
    let image = objects.images[in.kind * OBJECTS + in.object];
    let sight = in.place - (image.middle - image.forward * image.distance_m);
    let pixel_m = 2.0 * image.half_m / image.side;
    let seen = ObjectSeen(in.object, in.material, in.openness, normalize(in.normal));
    lens_glow = f32(in.kind != IMAGE_MIRRORED);
    let light = object_light(
        in.place - mesh.eye_m, in.local, seen.normal, seen, 0.0, normalize(sight), pixel_m);
    return vec4(min(light, vec3(60000.0)), 1.0);
}
