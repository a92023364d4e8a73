// The sky for other shaders, at group 2: `#import "shading/sky.wgsl"`. Radiance is in kcd/m2 of
// white and irradiance in klx (linear sRGB); a pass writes `expose(radiance)` to the HDR target.
#import "shading/atmosphere.wgsl"
#import "shading/sky_map.wgsl"
#import "shading/clouds.wgsl"

@group(2) @binding(0) var<uniform> sky: SkyUniform;
@group(2) @binding(1) var<uniform> sky_light: SkyLight;
@group(2) @binding(2) var sky_sampler: sampler;
@group(2) @binding(3) var sky_view: texture_2d_array<f32>;
@group(2) @binding(4) var sky_blurred: texture_3d<f32>;
@group(2) @binding(5) var sky_transmittance: texture_2d<f32>;
// The binding follows those of the clouds.
@group(2) @binding(13) var<uniform> sky_exposure: SkyExposure;

// The direction towards the sun.
fn sun_direction() -> vec3<f32> {
    return sky.sun_direction;
}

// The share of the sunlight that clouds transmit to the shaded point.
var<private> sunlit: f32 = 1.0;
// The place of that point, from the eye's foot, since other clouds are above it than above the eye.
var<private> under_clouds_m: vec2<f32> = vec2(0.0);

// Makes `sun_radiance` and `sky_radiance` those of a place under the clouds, `relative` to the eye, from now
// on.
fn shade_by_clouds(relative: vec3<f32>, footprint_m: f32) {
    under_clouds_m = relative.xz;
    sunlit = cloud_sunlight(relative, footprint_m);
}

// The irradiance by the sun at the sea, through the air, on a plane that faces it.
fn sun_radiance() -> vec3<f32> {
    return sky_light.sun_irradiance * sunlit;
}

// Irradiance by the sky alone at the sea, on a horizontal plane.
fn sky_irradiance() -> vec3<f32> {
    return sky_light.sky_irradiance;
}

// The factor from radiance to the HDR target, where middle grey is 0.18.
fn exposure() -> f32 {
    return sky_exposure.value * sky.exposure_scale;
}

// Exposed radiance within the range of 16-bit floats.
fn expose(radiance: vec3<f32>) -> vec3<f32> {
    return min(radiance * exposure(), vec3(30000.0));
}

// The sky at the sea, without the sun's disc, blurred by a normal distribution of directions with a standard
// deviation of `roughness` radians. Directions below the horizon show the horizon: `mirrored_radiance` has the
// sea there.
fn sky_radiance(direction: vec3<f32>, roughness: f32) -> vec3<f32> {
    let level = sqrt(clamp(roughness / BLUR_MAX_RAD, 0.0, 1.0));
    let clear = clear_radiance(direction, level);
    if !CLOUDED {
        return clear;
    }
    let aim = cloud_dome_aim(direction, under_clouds_m, clouds.eye_height_m, clouds.base_m);
    let uvw = vec3(cloud_dome_position(aim.xyz), level * sqrt(aim.w));
    let seen = textureSampleLevel(
        cloud_dome, sky_sampler, (uvw * (CLOUD_DOME_SIZE - 1.0) + 0.5) / CLOUD_DOME_SIZE, 0.0);
    return clear * seen.a + seen.rgb;
}

// The share of the directions around `direction`, spread normally by `deviation` radians, that lie above the
// horizon: the Gaussian's integral, by the approximation of Page (1977).
fn sky_share(direction: vec3<f32>, deviation: f32) -> f32 {
    let x = clamp(direction.y / max(deviation, 0.005), -6.0, 6.0);
    return 0.5 + 0.5 * tanh(0.7978846 * x * (1.0 + 0.044715 * x * x));
}

// The radiance that facets mirror along `direction`, spread by `deviation` radians: the sky, and below the
// horizon the sea, with its mean radiance for each of its waves.
fn mirrored_radiance(direction: vec3<f32>, deviation: f32) -> vec3<f32> {
    let sky = sky_radiance(direction, deviation);
    return mix(sky_exposure.sea_radiance, sky, sky_share(direction, deviation));
}

// The radiance of the sky without clouds, at a level of the blur from 0 to 1.
fn clear_radiance(direction: vec3<f32>, level: f32) -> vec3<f32> {
    let position = vec3(
        sky_map_azimuth(direction, sky.sun_direction),
        sky_map_elevation(direction, 0.0),
        level,
    );
    let uvw = (position * (BLURRED_SIZE - 1.0) + 0.5) / BLURRED_SIZE;
    return textureSampleLevel(sky_blurred, sky_sampler, uvw, 0.0).rgb;
}

// The sky from the eye at a position of the map; `direction` determines the scattering by haze.
fn sky_from_eye(direction: vec3<f32>, elevation: f32) -> vec3<f32> {
    let position = vec2(sky_map_azimuth(direction, sky.sun_direction), elevation);
    let uv = texel_centred(position, VIEW_SIZE);
    let by_air = textureSampleLevel(sky_view, sky_sampler, uv, VIEW_EYE, 0.0).rgb;
    let by_haze = textureSampleLevel(sky_view, sky_sampler, uv, VIEW_EYE + 1, 0.0).rgb;
    return by_air + by_haze * haze_phase(dot(direction, sky.sun_direction));
}

// The sky at the eye without the sun's disc; below the horizon, the horizon.
fn sky_background(direction: vec3<f32>) -> vec3<f32> {
    let raised = vec3(direction.x, max(direction.y, -sky.eye_dip_rad), direction.z);
    return sky_from_eye(raised, sky_map_elevation(raised, sky.eye_dip_rad));
}

// The sun's disc at the eye, its edge softened over `edge_rad`. Limb darkening follows the power law of
// Hestroffer and Magnan 1998.
fn sun_disc_soft(direction: vec3<f32>, edge_rad: f32) -> vec3<f32> {
    let angle = length(direction - sky.sun_direction);
    let inside = 1.0 - smoothstep(SUN_RADIUS_RAD - 0.5 * edge_rad, SUN_RADIUS_RAD + 0.5 * edge_rad, angle);
    let elevation = asin(clamp(direction.y, -1.0, 1.0)) + sky.eye_dip_rad;
    if inside <= 0.0 || elevation <= -0.5 * edge_rad {
        return vec3(0.0);
    }
    let above = clamp(elevation / max(edge_rad, 1e-6) + 0.5, 0.0, 1.0);
    let across = min(angle / SUN_RADIUS_RAD, 0.99);
    let exponent = vec3(0.40, 0.50, 0.65);
    // The mean over the disc of mu^a is 2 / (a + 2).
    let limb = pow(vec3(sqrt(1.0 - across * across)), exponent) * (0.5 * exponent + 1.0);
    let uv = transmittance_uv(sky.eye_height_km, direction.y);
    let transmittance = rgb_from_spectral(textureSampleLevel(sky_transmittance, sky_sampler, uv, 0.0));
    let brightness = SUN_ILLUMINANCE_KLX / (PI * SUN_RADIUS_RAD * SUN_RADIUS_RAD);
    return transmittance * limb * (brightness * inside * above);
}

// Calls `sun_disc_soft` with an edge for readers that do not know the size of their pixels.
fn sun_disc(direction: vec3<f32>) -> vec3<f32> {
    return sun_disc_soft(direction, 0.2 * SUN_RADIUS_RAD);
}

// Density summed from the eye along a line that ends `climb_km` higher, in km of air at the sea.
fn density_along(distance_km: f32, climb_km: f32, scale_height_km: f32) -> f32 {
    let x = climb_km / scale_height_km;
    let start = exp(-sky.eye_height_km / scale_height_km);
    if abs(x) < 0.01 {
        return distance_km * start * (1.0 - 0.5 * x);
    }
    return distance_km * start * (1.0 - exp(-x)) / x;
}

// The light that air adds along `direction`, per share that it removes: that of the horizon at the same angle
// from the sun. (At the azimuth of `direction` itself, it would turn around the nadir.)
fn air_light(direction: vec3<f32>) -> vec3<f32> {
    let sun = sky.sun_direction;
    let across = max(length(sun.xz), 1e-4);
    let cos_angle = dot(direction, sun);
    let cos_azimuth = clamp(cos_angle / across, -1.0, 1.0);
    let position = vec2(sqrt(0.5 - 0.5 * cos_azimuth), 0.0);
    let uv = texel_centred(position, VIEW_SIZE);
    let by_air = textureSampleLevel(sky_view, sky_sampler, uv, VIEW_EYE, 0.0).rgb;
    let by_haze = textureSampleLevel(sky_view, sky_sampler, uv, VIEW_EYE + 1, 0.0).rgb;
    return by_air + by_haze * haze_phase(cos_angle);
}

// The remainder of `radiance` after `distance_m` of air between its source and the eye, plus the light of this
// air. Along a horizontal ray the air is the same everywhere, so that its light grows towards the horizon's as
// the transmittance falls (Koschmieder 1924): with distance the sea takes on the colour of the sky that it
// meets.
fn aerial_perspective(radiance: vec3<f32>, direction: vec3<f32>, distance_m: f32) -> vec3<f32> {
    let distance_km = distance_m * 0.001;
    // A ray may not dive under the sea: the flat sea's far points lie lower than the round one's.
    let climb_km = max(direction.y * distance_km, -sky.eye_height_km);
    let depth = RAYLEIGH_PER_KM * density_along(distance_km, climb_km, RAYLEIGH_SCALE_HEIGHT_KM)
        + HAZE_PER_KM * (sky.haze * density_along(distance_km, climb_km, HAZE_SCALE_HEIGHT_KM));
    let transmittance = min(rgb_from_spectral(exp(-depth)), vec3(1.0));
    let added = cloud_air_light(air_light(direction));
    return radiance * transmittance + added * (1.0 - transmittance);
}
