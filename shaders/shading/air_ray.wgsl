// A ray through the air, step by step, for the sky's kernels that gather light along rays.
#import "shading/atmosphere.wgsl"
#import "shading/sky_map.wgsl"

@group(0) @binding(0) var<uniform> sky: SkyUniform;
@group(0) @binding(1) var transmittance_table: texture_2d<f32>;
@group(0) @binding(2) var table_sampler: sampler;

struct AirRay {
    // The height where it starts, and its length.
    height_km: f32,
    reach_km: f32,
    // The cosines of its zenith angle, of the sun's, and of the angle between both.
    cos_zenith: f32,
    sun_cos: f32,
    sun_across: f32,
}

struct AirStep {
    length_km: f32,
    height_km: f32,
    // The sun's zenith angle at the step: its direction is the same, the vertical is not.
    sun_cos: f32,
    air: Air,
}

// Returns step `index` of `count`. Steps grow with the distance, as the air thins out.
fn air_step(ray: AirRay, index: u32, count: u32) -> AirStep {
    let s0 = f32(index) / f32(count);
    let s1 = f32(index + 1u) / f32(count);
    let middle = 0.5 * (s0 + s1);
    let distance = middle * middle * ray.reach_km;
    let height = height_along(ray.height_km, ray.cos_zenith, distance);
    return AirStep(
        (s1 * s1 - s0 * s0) * ray.reach_km,
        height,
        air_ray_sun_cos(ray, distance, height),
        air_at(height, sky.haze),
    );
}

// The sun's zenith angle at a distance along a ray, at a height.
fn air_ray_sun_cos(ray: AirRay, distance_km: f32, height_km: f32) -> f32 {
    let along = (EARTH_RADIUS_KM + ray.height_km) * ray.sun_cos + distance_km * ray.sun_across;
    return along / (EARTH_RADIUS_KM + height_km);
}

// The sun's light at a height, relative to that above the air.
fn sun_transmittance(height_km: f32, sun_cos: f32) -> vec4<f32> {
    let uv = transmittance_uv(height_km, sun_cos);
    return textureSampleLevel(transmittance_table, table_sampler, uv, 0.0)
        * sun_visible(height_km, sun_cos);
}
