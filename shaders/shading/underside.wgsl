// The surface of the water from below: a field of facets that let the sky through within the critical angle, and
// reflect the water beyond it.
#import "shading/facets.wgsl"
#import "shading/bed.wgsl"
#import "shading/object_images.wgsl"

// Turns a direction to the sea that is mirrored at its level, whose waves seen from above are those seen from
// below.
fn upside_down(direction: vec3<f32>) -> vec3<f32> {
    return vec3(direction.x, -direction.y, direction.z);
}

// Light through a facet from above, by Snell's law, and by reflection from the water.
struct UndersideFacet {
    // The share of the light from above that it lets through.
    transmitted: f32,
    above: vec3<f32>,
    above_deviation: f32,
    below: vec3<f32>,
    below_deviation: f32,
}

// The facets around one with that normal, whose slopes deviate by `deviation` around it. `normal` and `to_eye` are
// upside down.
fn underside_facet(normal: vec3<f32>, to_eye: vec3<f32>, deviation: f32) -> UndersideFacet {
    let cosine = dot(normal, to_eye);
    // Those with less than the critical angle, by their share and their mean (Page 1977).
    let spread = max(deviation * sqrt(max(1.0 - cosine * cosine, 0.0)), 5e-4);
    let x = clamp((cosine - WATER_CRITICAL_COSINE) / spread, -4.0, 4.0);
    let share = 0.5 + 0.5 * tanh(0.7978846 * x * (1.0 + 0.044715 * x * x));
    let mean = x + exp(-0.5 * x * x) / (FACETS_SQRT_TAU * max(share, 1e-4));
    let inside = clamp(
        max(WATER_CRITICAL_COSINE + spread * mean, cosine), WATER_CRITICAL_COSINE, 1.0);
    let outside = sqrt(saturate(1.0 - WATER_INDEX_SQUARED * (1.0 - inside * inside)));
    // Refraction turns light by this factor of a facet's turn.
    let turned = clamp(WATER_INDEX * inside / max(outside, 0.05) - 1.0, WATER_INDEX - 1.0, 4.0);
    let mirrored = upside_down(reflect(-to_eye, normal));
    return UndersideFacet(
        share * (1.0 - fresnel(outside)),
        normalize(upside_down((WATER_INDEX * inside - outside) * normal - WATER_INDEX * to_eye)),
        turned * deviation, vec3(mirrored.x, min(mirrored.y, -0.02), mirrored.z), 2.0 * deviation);
}

// The objects that a place of the surface shows: those above it, and the hulls that it mirrors.
struct UndersideObjects {
    above: ObjectsSeen,
    hulls: ObjectsSeen,
}

// The surface is at `place_m` from the anchor, and has that footprint across the line of sight.
fn underside_objects(facet: UndersideFacet, place_m: vec3<f32>, footprint_m: f32) -> UndersideObjects {
    return UndersideObjects(
        objects_seen(
            IMAGE_REFRACTED, place_m, facet.above, facet.above_deviation, facet.above_deviation, footprint_m),
        objects_seen(
            IMAGE_MIRRORED, place_m, facet.below, facet.below_deviation, facet.below_deviation, footprint_m));
}

// The radiance that comes through a facet from above, and from the water that it reflects, towards an eye below.
fn underside_radiance(facet: UndersideFacet, objects: UndersideObjects, place_m: vec3<f32>) -> vec3<f32> {
    var sky = mirrored_radiance(facet.above, facet.above_deviation);
    var water = water_seen_down(place_m, facet.below, facet.below_deviation);
    if NEAR_OBJECTS {
        sky = sky * (1.0 - objects.above.cover) + objects.above.light;
        let hulls = objects.hulls;
        let path = water_path(max(-place_m.y, 0.0), facet.below, hulls.distance_m);
        water = water * (1.0 - hulls.cover) + hulls.light * path.transmittance + hulls.cover * path.added;
    }
    return facet.transmitted * WATER_INDEX_SQUARED * sky + (1.0 - facet.transmitted) * water;
}

// Radiance towards `to_eye` below the surface per irradiance of a plane above it that faces the sun: the density
// of slopes that refract one into the other, over the visible area (Walter et al. 2007, in the space of slopes).
fn refracted_glitter(facets: Facets, visible: VisibleFacets, to_eye: vec3<f32>, to_sun: vec3<f32>) -> f32 {
    let sum = -(to_sun + WATER_INDEX * to_eye);
    let half_vector = sum / max(length(sum), 1e-4);
    let sun_cosine = dot(half_vector, to_sun);
    let eye_cosine = -dot(half_vector, to_eye);
    let c = facets.covariance;
    let slope = -half_vector.xz / half_vector.y - facets.slope;
    let determinant = max(c.x * c.y - c.z * c.z, 1e-12);
    let exponent =
        (c.y * slope.x * slope.x - 2.0 * c.z * slope.x * slope.y + c.x * slope.y * slope.y) / determinant;
    let density =
        exp(-0.5 * min(exponent, 80.0)) * inverseSqrt(determinant) / (FACETS_SQRT_TAU * FACETS_SQRT_TAU);
    let y2 = half_vector.y * half_vector.y;
    let turned = sun_cosine - WATER_INDEX * eye_cosine;
    let light = density * (1.0 - fresnel(sun_cosine)) * WATER_INDEX_SQUARED * sun_cosine * eye_cosine
        / (y2 * y2 * turned * turned * visible.area) * facets_lit(facets, to_sun);
    // No early return: Mesa's software adapter fails to compile it here.
    let is_lit = half_vector.y > 0.02 && sun_cosine > 0.0 && eye_cosine > 0.0;
    return select(0.0, light, is_lit);
}
