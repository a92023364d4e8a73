// The sky as the eye sees it and as the sea sees it (Hillaire 2020, section 5.3): the light that
// air and haze send along each direction above the horizon. The light that haze scattered once
// is kept apart, without its phase function: that is sharp around the sun and is applied where
// the table is read, so that the table can be small.
#import "shading/atmosphere.wgsl"
#import "shading/sky_map.wgsl"

@group(0) @binding(0) var<uniform> sky: SkyUniform;
@group(0) @binding(1) var transmittance_table: texture_2d<f32>;
@group(0) @binding(2) var table_sampler: sampler;
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
    let cos_zenith = direction.y;
    let sun_cos = sky.table_sun.x;
    let sun_across = direction.y * sun_cos + direction.x * sky.table_sun.y;

    let reach = distance_to_top(eye_height, cos_zenith);
    let radius = EARTH_RADIUS_KM + eye_height;
    let air_phase = rayleigh_phase(sun_across);
    var by_air = vec4(0.0);
    var by_haze = vec4(0.0);
    var transmittance = vec4(1.0);
    for (var i = 0u; i < STEPS; i++) {
        let s0 = f32(i) / f32(STEPS);
        let s1 = f32(i + 1u) / f32(STEPS);
        let step = (s1 * s1 - s0 * s0) * reach;
        let middle = 0.5 * (s0 + s1);
        let distance = middle * middle * reach;
        let height = height_along(eye_height, cos_zenith, distance);
        let local_cos = (radius * sun_cos + distance * sun_across) / (EARTH_RADIUS_KM + height);
        let air = air_at(height, sky.haze);
        let sun = textureSampleLevel(
            transmittance_table, table_sampler, transmittance_uv(height, local_cos), 0.0,
        ) * (sun_visible(height, local_cos) * SUN_ILLUMINANCE_KLX);
        let multiple = textureSampleLevel(
            multiple_table, table_sampler, multiple_uv(height, local_cos), 0.0,
        );
        let depth = air.extinction * step;
        let weight = transmittance * mean_transmittance(depth) * step;
        by_air += weight
            * (air.rayleigh * sun * air_phase + (air.rayleigh + air.haze_scattering) * multiple);
        by_haze += weight * air.haze_scattering * sun;
        transmittance *= exp(-depth);
    }
    let layer = select(VIEW_SEA, VIEW_EYE, from_eye);
    textureStore(view_out, id.xy, layer, vec4(rgb_from_spectral(by_air), 1.0));
    textureStore(view_out, id.xy, layer + 1, vec4(rgb_from_spectral(by_haze), 1.0));
}
