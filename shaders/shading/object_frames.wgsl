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

// A part of the picture.
struct PicturePart {
    // Left, top, right and bottom, in pixels.
    bounds: vec4<f32>,
    // The columns of its left and of its right edge, each at row 0, and its growth by row.
    edges: vec4<f32>,
}

struct ObjectImages {
    // [kind][object]
    images: array<ObjectImage, 32>,
    // Where water may mirror an object.
    mirrors: array<PicturePart, 8>,
    // Where it may show an object's hull, foam at it, or lie in its shadow.
    surroundings: array<PicturePart, 8>,
    lamps: array<ObjectLamp, 8>,
    count: u32,
    // The side of a slot, in texels.
    slot: f32,
}

// Returns whether a part meets the square of pixels with a first pixel and a side.
fn picture_part_meets(part: PicturePart, first: vec2<u32>, side: u32) -> bool {
    let from_pixel = vec2<f32>(first);
    let to_pixel = vec2<f32>(first + side);
    let left = part.edges.x + min(part.edges.y * from_pixel.y, part.edges.y * to_pixel.y);
    let right = part.edges.z + max(part.edges.w * from_pixel.y, part.edges.w * to_pixel.y);
    return all(to_pixel > max(part.bounds.xy, vec2(left, part.bounds.y)))
        && all(from_pixel < min(part.bounds.zw, vec2(right, part.bounds.w)));
}
