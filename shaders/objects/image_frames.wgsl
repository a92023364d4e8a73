// Places the images of objects (`shading/object_images.wgsl`): where each is seen from, and its frame.
#import "objects/pose.wgsl"
#import "shading/object_frames.wgsl"
#import "shading/water_light.wgsl"

struct ImageParams {
    // The eye from the anchor.
    eye_m: vec3<f32>,
    // The angle between pixels of the picture.
    pixel_angle_rad: f32,
    to_sun: vec3<f32>,
    count: u32,
    // The side of a slot in the atlas, in texels.
    slot: f32,
    // The standard deviation of the water's slopes along an axis, which blur what it mirrors.
    slope_deviation: f32,
    // The objects with an image of what is on the other side of the surface, as bits.
    refracted: u32,
    // The objects with any image, as bits.
    imaged: u32,
    // (radius, lowest, highest, lamp) of each object in its own frame, in metres.
    extents: array<vec4<f32>, 8>,
    // The intensity of lamps, in kcd.
    lamps: array<vec4<f32>, 8>,
}

@group(0) @binding(0) var<uniform> image_params: ImageParams;
@group(0) @binding(1) var<uniform> posed: array<ObjectPose, 8>;
@group(0) @binding(2) var<storage, read_write> frames: ObjectImages;

// The twin of `grid.wgsl`.
const EARTH_RADIUS_M: f32 = 6371000.0;
// Images from the sun and from above are seen from so far away that their rays are parallel.
const IMAGE_PARALLEL_M: f32 = 20000.0;
// The height that images reach past the waterline, since waves bare it.
const IMAGE_OVERLAP_M: f32 = 0.3;
// The room around an object in its image.
const IMAGE_MARGIN: f32 = 1.12;
// Texels for each pixel of the picture.
const IMAGE_SHARPNESS: f32 = 1.5;
// Texels of images for a deviation of 1: mirrored by a rough sea, they are blurred.
const IMAGE_ROUGH_TEXELS: f32 = 8.0;
// From this deviation on a mirrored image has this many rows for each column: waves blur it more along the line of
// sight than across it, and an average of few texels has that shape.
const IMAGE_ROUGH_DEVIATION: f32 = 0.01;
const IMAGE_ROUGH_ROWS: f32 = 0.5;
// The longest shadow, and the depth down to which a hull is seen through the water.
const SHADOW_M: f32 = 60.0;
const DEEPEST_M: f32 = 10.0;
// The width in hulls of images from above, which show the water around.
const IMAGE_ABOVE_RADII: f32 = 1.8;

// The direction in which the line of sight that a level surface refracts arrives at `to`, and its length, weighted by
// the index: as far away is the eye to which all its neighbours seem to lead. The length is 0 where nothing arrives.
fn refracted_sight(eye: vec3<f32>, to: vec3<f32>, level_m: f32) -> vec4<f32> {
    let across = vec3(to.x - eye.x, 0.0, to.z - eye.z);
    let way_m = length(across);
    let before_m = abs(eye.y - level_m);
    let behind_m = abs(to.y - level_m);
    let index = select(1.0, WATER_INDEX, eye.y < level_m);
    let ratio = select(WATER_INDEX, 1.0 / WATER_INDEX, eye.y < level_m);
    // Snell's law, by bisection of the place where the line of sight meets the surface.
    var low = 0.0;
    var high = 1.0;
    for (var i = 0; i < 20; i++) {
        let middle = 0.5 * (low + high);
        let first = middle * way_m;
        let second = way_m - first;
        let bent = first * inverseSqrt(first * first + before_m * before_m)
            - ratio * second * inverseSqrt(second * second + behind_m * behind_m + 1e-12);
        low = select(middle, low, bent > 0.0);
        high = select(high, middle, bent > 0.0);
    }
    let met = vec3(eye.x, level_m, eye.z) + across * low;
    let along = normalize(to - met);
    return vec4(along, length(to - met) + ratio * length(met - eye));
}

@compute @workgroup_size(8, 4)
fn place(@builtin(local_invocation_id) id: vec3<u32>) {
    let object = id.x;
    let kind = id.y;
    if object == 0u && kind == 0u {
        frames.imaged = image_params.imaged;
        frames.slot = image_params.slot;
        frames.eye_m = image_params.eye_m;
        frames.slope_deviation = image_params.slope_deviation;
        frames.mirror_rows = select(1.0, IMAGE_ROUGH_ROWS, image_params.slope_deviation > IMAGE_ROUGH_DEVIATION);
    }
    if object >= image_params.count {
        return;
    }
    let pose = posed[object];
    let away = pose.position.xz - image_params.eye_m.xz;
    let origin = pose.position - vec3(0.0, dot(away, away) / (2.0 * EARTH_RADIUS_M), 0.0);
    let foot = origin + pose.up * pose.waterline_m;
    let eye = image_params.eye_m;
    let is_below = eye_is_below(eye.y, foot.y);

    // The part of the mast that the image shows, from the waterline.
    let extent = image_params.extents[object];
    let radius_m = extent.x;
    let low_m = min(extent.y - pose.waterline_m, -IMAGE_OVERLAP_M);
    let high_m = max(extent.z - pose.waterline_m, IMAGE_OVERLAP_M);
    var part = vec2(-IMAGE_OVERLAP_M, high_m);
    if (kind == IMAGE_REFRACTED) != (kind >= IMAGE_MIRRORED && is_below) {
        part = vec2(low_m, IMAGE_OVERLAP_M);
    }
    let middle = foot + pose.up * (0.5 * (part.x + part.y));
    var seen = vec4(-image_params.to_sun, IMAGE_PARALLEL_M);
    switch kind {
        case IMAGE_FROM_ABOVE: {
            seen = vec4(0.0, -1.0, 0.0, IMAGE_PARALLEL_M);
        }
        case IMAGE_MIRRORED: {
            let mirrored = middle - vec3(eye.x, 2.0 * foot.y - eye.y, eye.z);
            seen = vec4(normalize(mirrored), length(mirrored));
        }
        case IMAGE_REFRACTED: {
            seen = refracted_sight(eye, middle, foot.y);
        }
        default: {}
    }
    let forward = seen.xyz;
    var right = cross(forward, vec3(0.0, 1.0, 0.0));
    right = select(normalize(right), vec3(1.0, 0.0, 0.0), dot(right, right) < 1e-8);
    let cosine = dot(forward, pose.up);
    let tall_m = 0.5 * (part.y - part.x) * sqrt(max(1.0 - cosine * cosine, 0.0)) + radius_m * abs(cosine);
    var half_m = IMAGE_MARGIN * max(tall_m, radius_m);
    half_m = select(half_m, IMAGE_ABOVE_RADII * radius_m, kind == IMAGE_FROM_ABOVE);
    // Objects without a radius have no images.
    half_m = select(half_m, 0.0, radius_m == 0.0);
    half_m = select(half_m, 0.0, kind == IMAGE_FROM_SUN && image_params.to_sun.y <= 0.0);

    // No finer than the picture shows it.
    let pixel_m = image_params.pixel_angle_rad * max(length(eye - middle) - half_m, 0.5);
    let pixels = 2.0 * half_m / pixel_m;
    let blurred = select(1e4, IMAGE_ROUGH_TEXELS / image_params.slope_deviation, kind >= IMAGE_MIRRORED);
    let texels = min(IMAGE_SHARPNESS * pixels, blurred);
    let side = min(exp2(ceil(log2(max(texels, 1.0)))), image_params.slot);
    let shows_other_side = ((image_params.refracted >> object) & 1u) != 0u;
    half_m = select(half_m, 0.0, kind == IMAGE_REFRACTED && !shows_other_side);
    var image: ObjectImage;
    image.middle = select(middle, foot, kind == IMAGE_FROM_ABOVE);
    image.half_m = half_m;
    image.right = right;
    image.side = max(side, 8.0);
    image.up = cross(right, forward);
    image.distance_m = seen.w;
    image.forward = forward;
    image.radius_m = radius_m;
    frames.images[kind * OBJECTS + object] = image;
    if kind == 0u {
        let lamp = image_params.lamps[object];
        let to_sun = image_params.to_sun;
        let top = pose.up * high_m;
        var shadow = top.xz - to_sun.xz * (top.y / max(to_sun.y, 1e-3));
        shadow *= select(0.0, min(1.0, SHADOW_M / max(length(shadow), 1e-3)), to_sun.y > 0.0);
        frames.reaches[object] =
            ObjectReach(foot, radius_m, shadow, high_m, min(-low_m, DEEPEST_M));
        frames.lamps[object] = ObjectLamp(origin + pose.up * extent.w, lamp.w, lamp.rgb);
    }
}
