// The sky at the eye and at the sea (Hillaire 2020, section 5.3): the light of air and haze along each
// direction above the horizon. The light that haze scattered once is stored separately, without its phase
// function, which is sharp around the sun: readers apply it, so that the table can be small.
#import "shading/air_ray.wgsl"

@group(0) @binding(3) var multiple_table: texture_2d<f32>;
@group(0) @binding(4) var view_out: texture_storage_2d_array<rgba16float, write>;

const STEPS: u32 = 32u;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = vec2<u32>(VIEW_SIZE);
    if any(id.xy >= size) {
        return;
    }
    let from_eye = id.z == 0u;
    let eye_height = select(0.0, sky.eye_height_km, from_eye);
    let dip = select(0.0, sky.eye_dip_rad, from_eye);
    let direction = sky_map_direction(vec2<f32>(id.xy) / (VIEW_SIZE - 1.0), dip);
    let sun_cos = sky.table_sun.x;
    let sun_across = direction.y * sun_cos + direction.x * sky.table_sun.y;
    let reach = distance_to_top(eye_height, direction.y);
    let ray = AirRay(eye_height, reach, direction.y, sun_cos, sun_across);

    let air_phase = rayleigh_phase(sun_across);
    var by_air = vec4(0.0);
    var by_haze = vec4(0.0);
    var transmittance = vec4(1.0);
    for (var i = 0u; i < STEPS; i++) {
        let step = air_step(ray, i, STEPS);
        let air = step.air;
        let sun = sun_transmittance(step.height_km, step.sun_cos) * SUN_ILLUMINANCE_KLX;
        let multiple = textureSampleLevel(
            multiple_table, table_sampler, multiple_uv(step.height_km, step.sun_cos), 0.0,
        );
        let depth = air.extinction * step.length_km;
        let weight = transmittance * mean_transmittance(depth) * step.length_km;
        by_air += weight
            * (air.rayleigh * sun * air_phase + (air.rayleigh + air.haze_scattering) * multiple);
        by_haze += weight * air.haze_scattering * sun;
        transmittance *= exp(-depth);
    }
    let layer = select(VIEW_SEA, VIEW_EYE, from_eye);
    textureStore(view_out, id.xy, layer, vec4(rgb_from_spectral(by_air), 1.0));
    textureStore(view_out, id.xy, layer + 1, vec4(rgb_from_spectral(by_haze), 1.0));
}
