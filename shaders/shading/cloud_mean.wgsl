// The clouds on average over the sea, in the directions that sky_light.wgsl sums over, with the start of each
// ray at another place of the tile.
#import "shading/cloud_march.wgsl"

@group(0) @binding(0) var mean_out: texture_storage_2d<rgba16float, write>;

// Equals those of sky_light.wgsl.
const ELEVATIONS: u32 = 32u;
const AZIMUTHS: u32 = 32u;
const STEPS: u32 = 24u;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= AZIMUTHS || id.y > ELEVATIONS {
        return;
    }
    if id.y == ELEVATIONS {
        textureStore(mean_out, id.xy, vec4(0.0, 0.0, 0.0, cloud_mean_sunlight()));
        return;
    }
    // Alternates the sides of the sun, where the sky is the same.
    let side = select(-1.0, 1.0, (id.x + id.y) % 2u == 0u);
    let azimuth = side * PI * (f32(id.x) + 0.5) / f32(AZIMUTHS)
        + atan2(sky.sun_direction.z, sky.sun_direction.x);
    let sin_squared = (f32(id.y) + 0.5) / f32(ELEVATIONS);
    let across = sqrt(1.0 - sin_squared);
    let direction = vec3(across * cos(azimuth), sqrt(sin_squared), across * sin(azimuth));
    // The additive recurrence of the plastic number (Roberts 2018).
    let index = f32(id.y * AZIMUTHS + id.x);
    let origin = fract(index * vec2(0.7548776662, 0.5698402910));
    let ray = CloudRay(direction, 0.0, origin, STEPS, 0.0, 1.0, 0.5, 0.0);
    let seen = clouds_along(ray, clear_radiance(direction, 0.0));
    textureStore(mean_out, id.xy, vec4(min(seen.radiance, vec3(6e4)), seen.transmittance));
}
