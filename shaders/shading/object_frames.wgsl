// The frames of the images of objects in the sea (`shading/object_images.wgsl`).

const OBJECTS: u32 = 8u;
// The kinds of images: layer, and row in the upper bit.
// Seen from the sun, and from above at the waterline.
const IMAGE_FROM_SUN: u32 = 0u;
const IMAGE_FROM_ABOVE: u32 = 1u;
// Mirrored by the surface towards the eye, and seen through it: for an eye in the air these are the parts above
// and below the water, for one in the water those below and above.
const IMAGE_MIRRORED: u32 = 2u;
const IMAGE_REFRACTED: u32 = 3u;
const IMAGE_KINDS: u32 = 4u;

struct ObjectImage {
    // From the anchor.
    middle: vec3<f32>,
    // Half of the image's side; 0 for none.
    half_m: f32,
    right: vec3<f32>,
    // The side in texels that the image takes of its slot.
    side: f32,
    up: vec3<f32>,
    // The distance of the middle from where the image was seen.
    distance_m: f32,
    // The direction of sight.
    forward: vec3<f32>,
    // The radius of the object around its mast.
    radius_m: f32,
}

struct ObjectLamp {
    // From the anchor.
    place_m: vec3<f32>,
    // 1 for a lamp that is lit in the dark.
    is_lit: f32,
    // The luminous intensity by colour, in kcd.
    intensity: vec3<f32>,
}

// The water around an object that may show something of it.
struct ObjectReach {
    // The middle of its waterline, from the anchor.
    foot_m: vec3<f32>,
    // Around its mast.
    radius_m: f32,
    // The way from the foot to the shadow of its top.
    shadow_m: vec2<f32>,
    // Over the foot, and below it.
    high_m: f32,
    deep_m: f32,
}

struct ObjectImages {
    // [kind][object]
    images: array<ObjectImage, 32>,
    reaches: array<ObjectReach, 8>,
    lamps: array<ObjectLamp, 8>,
    // The eye, from the anchor.
    eye_m: vec3<f32>,
    // The standard deviation of the water's slopes along an axis.
    slope_deviation: f32,
    // Those that have images, as bits.
    imaged: u32,
    // The side of a slot, in texels.
    slot: f32,
    // The rows of texels of mirrored images for each column.
    mirror_rows: f32,
}

// Returns whether an eye is in the water, for the images of an object with that waterline. An eye in a trough, from which
// a crest lifts the object, is not.
fn eye_is_below(eye_y_m: f32, waterline_y_m: f32) -> bool {
    return eye_y_m < min(waterline_y_m, 0.0);
}
