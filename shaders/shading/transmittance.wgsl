// Transmittance from a point to the top of the air (Hillaire 2020, section 5.2), for every height and every
// direction that misses the sea. It depends on the haze alone.
#import "shading/atmosphere.wgsl"
#import "shading/sky_map.wgsl"

@group(0) @binding(0) var<uniform> sky: SkyUniform;
@group(0) @binding(1) var transmittance_out: texture_storage_2d<rgba16float, write>;

const STEPS: u32 = 48u;

// The steps grow with the distance from the start, which is the lowest point of the ray.
fn optical_depth_upwards(height_km: f32, cos_zenith: f32, length_km: f32) -> vec4<f32> {
    var depth = vec4(0.0);
    for (var i = 0u; i < STEPS; i++) {
        let s = (f32(i) + 0.5) / f32(STEPS);
        let height = height_along(height_km, cos_zenith, s * s * length_km);
        depth += air_at(height, sky.haze).extinction * s;
    }
    return depth * (2.0 * length_km / f32(STEPS));
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = vec2<u32>(TRANSMITTANCE_SIZE);
    if any(id.xy >= size) {
        return;
    }
    let position = vec2<f32>(id.xy) / (TRANSMITTANCE_SIZE - 1.0);
    let to_horizon = position.y * HORIZON_TO_TOP_KM;
    let height = to_horizon * to_horizon
        / (sqrt(to_horizon * to_horizon + EARTH_RADIUS_KM * EARTH_RADIUS_KM) + EARTH_RADIUS_KM);
    let radius = EARTH_RADIUS_KM + height;
    let nearest = AIR_HEIGHT_KM - height;
    let distance = nearest + position.x * (to_horizon + HORIZON_TO_TOP_KM - nearest);
    // The inverse of `distance_to_top`.
    let room = nearest * (AIR_RADIUS_KM + radius);
    let cos_zenith = clamp(
        (room - distance * distance) / max(2.0 * radius * distance, 1e-6),
        horizon_cos(height),
        1.0,
    );

    var depth: vec4<f32>;
    if cos_zenith >= 0.0 {
        depth = optical_depth_upwards(height, cos_zenith, distance);
    } else {
        // The path goes down to the lowest point and up again: both halves are the same ray from there.
        let lowest_radius = radius * sqrt(max(1.0 - cos_zenith * cos_zenith, 0.0));
        let lowest = max(lowest_radius - EARTH_RADIUS_KM, 0.0);
        depth = optical_depth_upwards(lowest, 0.0, -radius * cos_zenith)
            + optical_depth_upwards(lowest, 0.0, distance_to_top(lowest, 0.0));
    }
    textureStore(transmittance_out, id.xy, exp(-depth));
}
