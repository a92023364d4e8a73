// A rough sea as a field of mirror facets with Gaussian slopes (Cox and Munk 1954): their visibility and
// reflection, computed in the space of slopes over the horizontal plane, where the mean slope of a pixel and
// the slopes too fine for it add up (LEADR mapping, Dupuy et al. 2013). Tested against sums over the facets in
// shading/facets_tests.rs.
#import "shading/water_light.wgsl"

struct Facets {
    // The slopes dh/dx, dh/dz of the mean surface.
    slope: vec2<f32>,
    // The covariance (xx, zz, xz) around it.
    covariance: vec3<f32>,
}

// The facets that face a direction, weighted by their visible area.
struct VisibleFacets {
    // The visible area, per area of the horizontal plane.
    area: f32,
    // The mean slope, and the variance along the direction's azimuth.
    slope: vec2<f32>,
    variance: f32,
    // The ratio of that variance to that of all facets, which is less where most face away.
    narrowed: f32,
    // The variance across the azimuth.
    across: f32,
}

const FACETS_SQRT_TAU: f32 = 2.5066283;

fn facet_normal(slope: vec2<f32>) -> vec3<f32> {
    return normalize(vec3(-slope.x, 1.0, -slope.y));
}

fn facets_visible(facets: Facets, direction: vec3<f32>) -> VisibleFacets {
    let sine = max(length(direction.xz), 1e-4);
    let azimuth = direction.xz / sine;
    let spread = vec2(
        facets.covariance.x * azimuth.x + facets.covariance.z * azimuth.y,
        facets.covariance.z * azimuth.x + facets.covariance.y * azimuth.y,
    );
    let variance = max(dot(spread, azimuth), 1e-7);
    let sigma = sqrt(variance);
    // A facet of slope s along the azimuth shows the area sine * (cotangent - s), if positive.
    // With s Gaussian, all moments of that follow from a, the mean in standard deviations.
    let a = (direction.y / sine - dot(facets.slope, azimuth)) / sigma;
    // Below -2 hardly a facet faces the direction, and the quotients lose precision.
    let x = max(a, -2.0);
    let seen = 0.5 + 0.5 * tanh(0.7978846 * x * (1.0 + 0.044715 * min(x * x, 36.0)));
    let first = x * seen + exp(-0.5 * min(x * x, 80.0)) / FACETS_SQRT_TAU;
    let ratio = seen / first;
    var out: VisibleFacets;
    out.area = sine * sigma * first;
    out.slope = facets.slope - spread * (ratio / sigma);
    out.narrowed = clamp(2.0 - x * ratio - ratio * ratio, 0.05, 1.0);
    out.variance = variance * out.narrowed;
    out.across = max(facets.covariance.x + facets.covariance.y - variance, 0.0);
    return out;
}

// The share of the facets that light from `direction` reaches past the others: Smith's mean over the facets
// that face it.
fn facets_lit(facets: Facets, direction: vec3<f32>) -> f32 {
    let flat = direction.y - dot(facets.slope, direction.xz);
    return saturate(flat / facets_visible(facets, direction).area);
}

// Reflectance of the water for unpolarised light.
fn fresnel(cosine: f32) -> f32 {
    return water_fresnel(cosine);
}

// Three facets that represent all visible ones: their slopes along the azimuth, which dominate reflection,
// their weights, and the cosines between their normals and the eye.
struct FacetNodes {
    slopes: vec3<f32>,
    weights: vec3<f32>,
    cosines: vec3<f32>,
}

// Seen from above, slopes are a Gaussian, for which three points are exact to the fifth power; at a grazing
// angle, where they are cut off where reflectance is 1, the two at one deviation are better. Other angles are
// fitted to the integral of Fresnel's reflectance.
fn facets_nodes(visible: VisibleFacets, direction: vec3<f32>) -> FacetNodes {
    let sine = max(length(direction.xz), 1e-4);
    let azimuth = direction.xz / sine;
    let along = dot(visible.slope, azimuth);
    let beyond = vec2(visible.slope.x * azimuth.y - visible.slope.y * azimuth.x, 1.0);
    let rest = dot(beyond, beyond) + visible.across;
    let gaussian = saturate((visible.narrowed - 0.45) / 0.525);
    // The weights of the middle and of both sides, for a variance of 1.
    let middle = gaussian * 2.0 / 3.0;
    let reach = sqrt(visible.variance / (1.0 - middle));
    let slopes = vec3(along, along - reach, along + reach);
    let cosines = (direction.y - slopes * sine) * inverseSqrt(rest + slopes * slopes);
    let side = 0.5 * (1.0 - middle);
    return FacetNodes(slopes, vec3(middle, side, side), cosines);
}

fn facets_node_fresnel(nodes: FacetNodes) -> vec3<f32> {
    return vec3(fresnel(nodes.cosines.x), fresnel(nodes.cosines.y), fresnel(nodes.cosines.z));
}

// The mean reflectance of the visible facets, within 2% up to a slope variance of 0.05.
fn facets_fresnel(visible: VisibleFacets, direction: vec3<f32>) -> f32 {
    let nodes = facets_nodes(visible, direction);
    return min(dot(nodes.weights, facets_node_fresnel(nodes)), 1.0);
}

// Radiance towards `to_eye` per irradiance of a plane that faces the sun: the density of slopes that mirror one
// into the other, over the visible area (Ross, Dion and Potvin 2005; Walter et al. 2007 in the space of
// slopes).
fn facets_glitter(facets: Facets, visible: VisibleFacets, to_eye: vec3<f32>, to_sun: vec3<f32>) -> f32 {
    let sum = to_eye + to_sun;
    let half_vector = sum / max(length(sum), 1e-4);
    let c = facets.covariance;
    let slope = -half_vector.xz / half_vector.y - facets.slope;
    let determinant = max(c.x * c.y - c.z * c.z, 1e-12);
    let exponent =
        (c.y * slope.x * slope.x - 2.0 * c.z * slope.x * slope.y + c.x * slope.y * slope.y)
        / determinant;
    let density =
        exp(-0.5 * min(exponent, 80.0)) * inverseSqrt(determinant)
        / (FACETS_SQRT_TAU * FACETS_SQRT_TAU);
    let y2 = half_vector.y * half_vector.y;
    let glitter = density * fresnel(dot(half_vector, to_sun)) / (4.0 * y2 * y2 * visible.area)
        * facets_lit(facets, to_sun);
    // No facet mirrors the sun elsewhere. There is no early return, which Mesa's software adapter fails to compile in
    // a loop.
    return select(0.0, glitter, half_vector.y > 0.02 && exponent <= 40.0);
}
