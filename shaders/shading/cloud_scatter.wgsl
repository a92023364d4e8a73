// The light that drops of the low clouds scatter, from the values in the clouds' volume.
#import "shading/atmosphere.wgsl"
#import "shading/cloud_map.wgsl"

// Drops scatter most light sharply forwards and some faintly backwards: weights and asymmetries of
// two lobes.
const CLOUD_DROPS: vec2<f32> = vec2(0.75, 0.25);
const CLOUD_DROPS_G: vec2<f32> = vec2(0.82, -0.25);
// Forward-scattered light continues along the beam: the asymmetry of its next scattering, and the share of the
// optical depth that removes light from the beam.
const CLOUD_FORWARDS_G: f32 = 0.6;
const CLOUD_FORWARDS_SHARE: f32 = 0.4;
// The most of that light, as a multiple of the evenly scattered light. A low sun over a thin cloud has a long
// way along its beam, but forward-scattered light soon leaves through the faces.
const CLOUD_FORWARDS_MOST: f32 = 1.0;

// Sunlight per steradian, by the cosine of the angle to the sun, for an unscattered beam and a
// forward-scattered one.
fn cloud_phases(cosine: f32) -> vec2<f32> {
    let drops = vec2(
        henyey_greenstein(cosine, CLOUD_DROPS_G.x), henyey_greenstein(cosine, CLOUD_DROPS_G.y));
    return vec2(dot(CLOUD_DROPS, drops), henyey_greenstein(cosine, CLOUD_FORWARDS_G));
}

// The source of sunlight per irradiance on a plane that faces the sun: `beam` and `diffuse` as the volume
// stores them. It consists of the light left in the beam, forward-scattered light, and all other, which is
// isotropic.
fn cloud_sunlit(phases: vec2<f32>, beam: f32, diffuse: f32) -> f32 {
    let left = cloud_light(beam, 1.0);
    let even = CLOUD_DIFFUSE_MOST * diffuse * diffuse;
    let most = (4.0 * PI * CLOUD_FORWARDS_MOST) * even;
    let forwards = min(cloud_light(beam, CLOUD_FORWARDS_SHARE) - left, most);
    return dot(phases, vec2(left, forwards)) + even;
}

// The source, downwards, of light that comes evenly from above and evenly from below: `share` of the former and
// the remainder of the latter. A cloud is invisible in even light.
fn cloud_skylit(from_above: vec3<f32>, from_below: vec3<f32>, share: f32) -> vec3<f32> {
    return mix(from_below, from_above, share);
}
