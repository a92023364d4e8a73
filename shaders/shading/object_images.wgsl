// Images of the objects in the sea, at group 2: by them water mirrors objects, shows their hulls, lies in their
// shadow, and foams at them. A ray that meets the plane of an image finds there what it would meet of the object,
// exactly so on a level sea, from which the image was made.
#import "shading/sky.wgsl"
#import "shading/object_frames.wgsl"

// The layers of the atlas: silhouettes, and lit images. Each has a row of slots for each of its kinds, with a slot
// for each object.
@group(2) @binding(15) var object_atlas: texture_2d_array<f32>;
// Storage, since Mesa's compiler (22.3) writes out of bounds where a loop ends at a number in such a uniform.
@group(2) @binding(16) var<storage, read> objects: ObjectImages;

// Constant within a pipeline: most water shows nothing of objects, and most of the rest only mirrors them.
override MIRRORS_OBJECTS: bool = false;
// Hulls, shadows, and the glitter of lamps; for an eye in the water, all that the surface shows.
override NEAR_OBJECTS: bool = false;

// The objects that a kernel looks for, as bits: all of them, unless it knows better.
var<private> objects_near: u32 = 0xffu;

// Those of `objects_near` that have images.
fn objects_to_look_for() -> u32 {
    return objects_near & objects.imaged;
}

// A spread line of sight averages a stretch of the image's column, cut into this many parts.
const OBJECT_TAPS: u32 = 3u;
// Half of the length of that stretch, in standard deviations. With the texels' own blur, the parts have 0.9 of the
// deviation asked for.
const OBJECT_STRETCH: f32 = 1.732;
// Gauss's density at the middle, so that three parts have a weight of 1.
const OBJECT_DENSITY: f32 = 0.427;

// The sides of an image, in texels.
fn object_sides(kind: u32, object: u32) -> vec2<f32> {
    let rows = select(1.0, objects.mirror_rows, kind == IMAGE_MIRRORED);
    return objects.images[kind * OBJECTS + object].side * vec2(1.0, rows);
}

// The texel of an image at a place from -1 to 1, to the right and up, averaged over 2^level texels.
fn object_image(kind: u32, object: u32, at: vec2<f32>, level: f32) -> vec4<f32> {
    let sides = object_sides(kind, object);
    // Outside of the image there are others.
    let margin = 0.5 * exp2(ceil(level));
    let inside = clamp((0.5 + 0.5 * vec2(at.x, -at.y)) * sides, vec2(margin), sides - margin);
    let soft = 2.0 * exp2(level) / sides;
    let edge = saturate((1.0 + soft - abs(at)) / soft);
    let slot = vec2(f32(object), f32(kind & 1u));
    let uv = (slot * objects.slot + inside) / (objects.slot * vec2(f32(OBJECTS), 2.0));
    return textureSampleLevel(object_atlas, sky_sampler, uv, kind >> 1u, level) * (edge.x * edge.y);
}

// The level of an image whose texels blur it by a standard deviation, in halves of its side.
fn object_level(side: f32, deviation: f32) -> f32 {
    return clamp(log2(max(deviation * side, 1e-3)), 0.0, log2(side) - 2.0);
}

struct ObjectsSeen {
    // Radiance, premultiplied by the cover.
    light: vec3<f32>,
    // The share of the ray's spread that objects cover.
    cover: f32,
    // The length of the ray up to them.
    distance_m: f32,
}

// The objects along a ray from a place of the surface. The ray spreads by the angles `across` and `along` its
// vertical plane, standard deviations, and has a footprint.
fn objects_seen(
    kind: u32, place_m: vec3<f32>, direction: vec3<f32>, across: f32, along: f32, footprint_m: f32,
) -> ObjectsSeen {
    var out: ObjectsSeen;
    for (var rest = objects_to_look_for(); rest != 0u; rest &= rest - 1u) {
        let object = countTrailingZeros(rest);
        let image = objects.images[kind * OBJECTS + object];
        let ahead = dot(direction, image.forward);
        let distance_m = dot(image.middle - place_m, image.forward) / max(ahead, 0.05);
        let met = place_m + direction * distance_m - image.middle;
        let at = vec2(dot(met, image.right), dot(met, image.up)) / max(image.half_m, 1e-3);
        let spread = max(vec2(across, along) * distance_m, vec2(0.5 * footprint_m)) / max(image.half_m, 1e-3);
        // The parts of the stretch that lie in the image.
        let stretch = OBJECT_STRETCH * spread.y;
        let low = max(at.y - stretch, -1.0);
        let part = (min(at.y + stretch, 1.0) - low) / f32(OBJECT_TAPS);
        let is_met = image.half_m > 0.0 && ahead > 0.05 && distance_m > 0.0
            && part > 0.0 && abs(at.x) < 1.0 + 2.5 * spread.x;
        for (var once = is_met; once; once = false) {
            let sides = object_sides(kind, object);
            let level = object_level(sides.x, max(spread.x, 0.5 * part * sides.y / sides.x));
            var sum = vec4(0.0);
            var weights = 0.0;
            for (var tap = 0u; tap < OBJECT_TAPS; tap++) {
                let height = low + part * (f32(tap) + 0.5);
                let deviations = (height - at.y) / spread.y;
                let weight = OBJECT_DENSITY * part / spread.y * exp(-0.5 * deviations * deviations);
                sum += weight * object_image(kind, object, vec2(at.x, height), level);
                weights += weight;
            }
            sum /= max(weights, 1.0);
            out.light += (1.0 - out.cover) * sum.rgb;
            out.distance_m = select(
                out.distance_m, max(distance_m - 0.85 * image.radius_m, 0.0), sum.a > out.cover);
            out.cover += (1.0 - out.cover) * sum.a;
        }
    }
    return out;
}

// The least length of the way along the sunlight on which a shadow begins.
const SHADOW_SOFT_M: f32 = 0.1;

// The share of the sunlight that reaches a place past the objects except one, blurred by a standard deviation.
fn objects_sunlight(place_m: vec3<f32>, blur_m: f32, except_object: u32) -> f32 {
    var light = 1.0;
    for (var rest = objects_to_look_for(); rest != 0u; rest &= rest - 1u) {
        let object = countTrailingZeros(rest);
        let image = objects.images[IMAGE_FROM_SUN * OBJECTS + object];
        let offset = place_m - image.middle;
        let at = vec2(dot(offset, image.right), dot(offset, image.up)) / max(image.half_m, 1e-3);
        let behind_m = dot(offset, image.forward);
        let deviation = max(blur_m, 0.5 * SUN_RADIUS_RAD * abs(behind_m)) / max(image.half_m, 1e-3);
        let is_shaded = image.half_m > 0.0 && object != except_object && behind_m > -image.half_m
            && all(abs(at) < vec2(1.0 + 2.0 * deviation));
        for (var once = is_shaded; once; once = false) {
            let seen = object_image(IMAGE_FROM_SUN, object, at, object_level(image.side, deviation));
            // An object does not shade what is between it and the sun.
            let after_m = behind_m - seen.r / max(seen.a, 1e-3);
            light *= 1.0 - seen.a * saturate(0.5 + after_m / max(2.0 * blur_m, SHADOW_SOFT_M));
        }
    }
    return light;
}

const NO_OBJECT: u32 = 0xffffffffu;

// The share of a hull close around a place of the surface, blurred by a standard deviation.
fn hulls_around(place_m: vec3<f32>, blur_m: f32) -> f32 {
    var share = 0.0;
    for (var rest = objects_to_look_for(); rest != 0u; rest &= rest - 1u) {
        let object = countTrailingZeros(rest);
        let image = objects.images[IMAGE_FROM_ABOVE * OBJECTS + object];
        let offset = place_m - image.middle;
        let at = vec2(dot(offset, image.right), dot(offset, image.up)) / max(image.half_m, 1e-3);
        for (var near = image.half_m > 0.0 && all(abs(at) < vec2(1.0)); near; near = false) {
            let level = object_level(image.side, blur_m / image.half_m);
            share = max(share, object_image(IMAGE_FROM_ABOVE, object, at, level).a);
        }
    }
    return share;
}

// The daylight in klx below which lanterns are on, and above which they are off.
const LAMP_ON_KLX: f32 = 0.15;
const LAMP_OFF_KLX: f32 = 0.6;

// The share of lanterns that are on.
fn lamps_on() -> f32 {
    let lit = sky_light.sun_irradiance * max(sun_direction().y, 0.0) + sky_irradiance();
    return 1.0 - smoothstep(LAMP_ON_KLX, LAMP_OFF_KLX, dot(lit, vec3(0.2126, 0.7152, 0.0722)));
}
