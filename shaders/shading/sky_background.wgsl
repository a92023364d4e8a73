// The sky where a pixel sees nothing else.
#import "mesh/view.wgsl"
#import "shading/cloud_march.wgsl"
#import "shading/lights.wgsl"

// Hides the steps along neighbouring lines of sight: each looks at another place of them, by the
// interleaved gradient noise of Jimenez 2014.
fn step_jitter(pixel: vec2<f32>) -> f32 {
    let noise = fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
    return 0.25 + 0.5 * noise;
}

fn eye_ray(direction: vec3<f32>, jitter: f32) -> CloudRay {
    // Below the horizon, the horizon.
    let raised = normalize(vec3(direction.x, max(direction.y, -sky.eye_dip_rad), direction.z));
    let pixel_rad = view.pixel_angle_rad * view.footprint_px;
    return CloudRay(
        raised, clouds.eye_height_m, clouds.eye_uv, clouds.steps, 1.0, clouds.shown, jitter, pixel_rad);
}

@compute @workgroup_size(8, 8)
fn light(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_id) lane: vec3<u32>,
) {
    for (var i = group.x; i < light_tiles.counts[VISIBLE_NOTHING]; i += groups.x) {
        light_pixel(light_tile(VISIBLE_NOTHING, i) + lane.xy);
    }
}

fn light_pixel(pixel: vec2<u32>) {
    let direction = normalize(ray_through(vec2<f32>(pixel) + 0.5));
    let sky = sky_background(direction);
    var radiance = sky + sun_disc_soft(direction, view.pixel_angle_rad);
    // A loop and no branch: constant within a pipeline, and then the same for all pixels.
    for (var cloudy = CLOUDED && clouds.any != 0u; cloudy; cloudy = false) {
        let behind = clouds_along(eye_ray(direction, step_jitter(vec2<f32>(pixel))), sky);
        radiance = radiance * behind.transmittance + behind.radiance;
    }
    keep_light(pixel, samples_of_nothing(pixel), expose(radiance));
}
