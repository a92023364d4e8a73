// Light on foam, for the picture and for the exposure meter. Foam is a Lambert layer on the facets of a rough
// sea. Facets that face the sun hide others from it (Smith 1967), so that together they receive the light on
// the level plane beneath them, at any elevation of the sun. Tested against sums over the facets in
// shading/foam_light_tests.rs.
#import "shading/facets.wgsl"

// Bubbles under the surface lose some red to the water between them (Frouin, Schwindling and
// Deschamps 1996). The luminance stays.
const FOAM_TINT: vec3<f32> = vec3(0.94, 1.01, 1.05);

const FOAM_INVERSE_PI: f32 = 0.31830989;

// The radiance of foam of albedo 1 on `facets`, a piece of the surface, in all directions. `sea` are the facets
// of all waves around it. `sun` is the sun's irradiance of a plane that faces it, and `sky` is that of the sky
// on a level plane.
fn foam_radiance(
    facets: Facets, sea: Facets, to_sun: vec3<f32>, sun: vec3<f32>, sky: vec3<f32>,
) -> vec3<f32> {
    // The area that facets show to the sun, over their own area: the lit share is the same for visible facets.
    let area = foam_area(facets);
    let sunlit = facets_visible(facets, to_sun).area * facets_lit(sea, to_sun) / area;
    // The even sky that a tilted facet sees, over that of all facets if none hides another.
    let skylit = (1.0 + 1.0 / area) / (1.0 + foam_area(sea));
    return FOAM_TINT * FOAM_INVERSE_PI * (sunlit * sun + skylit * sky);
}

// An upper bound of the mean area of facets over that of the plane beneath.
fn foam_area(facets: Facets) -> f32 {
    let variance = facets.covariance.x + facets.covariance.y;
    return sqrt(1.0 + dot(facets.slope, facets.slope) + variance);
}
