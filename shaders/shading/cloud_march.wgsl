// The march along a line of sight through the clouds.
#import "shading/sky.wgsl"
#import "shading/cloud_scatter.wgsl"
#import "shading/cirrus_scatter.wgsl"

const CLOUD_EARTH_M: f32 = 6371000.0;

// The distance in metres over which the field rises by at most 1.
const CLOUD_FIELD_M: f32 = 220.0;

struct CloudsSeen {
    // The light of the clouds, and of the air before them.
    radiance: vec3<f32>,
    // The transmittance of the clouds.
    transmittance: f32,
}

// A line of sight.
struct CloudRay {
    direction: vec3<f32>,
    // The height of its start over the sea; the air begins at the sea.
    height_m: f32,
    // The foot in the tile.
    origin_uv: vec2<f32>,
    steps: u32,
    // The share of the finest billows to show.
    detail: f32,
    // The share of the low clouds to show.
    shown: f32,
    // The place of samples in steps, 0 to 1.
    jitter: f32,
    // The angle of a pixel, for averages.
    pixel_rad: f32,
}

// The distance along a ray that rises by `rise_m`, which is positive.
fn cloud_shell_distance(ray: CloudRay, rise_m: f32) -> f32 {
    let along = CLOUD_EARTH_M * ray.direction.y;
    let root = sqrt(along * along + 2.0 * CLOUD_EARTH_M * rise_m);
    return select(root - along, 2.0 * CLOUD_EARTH_M * rise_m / (root + along), along > 0.0);
}

// The light of the sun at a height, on a plane that faces it: it still shines there after sunset at the sea.
fn cloud_sun(height_m: f32) -> vec3<f32> {
    let height_km = height_m * 0.001;
    let sun_cos = sky.table_sun.x;
    let uv = transmittance_uv(height_km, sun_cos);
    let spectral = textureSampleLevel(sky_transmittance, sky_sampler, uv, 0.0)
        * sun_visible(height_km, sun_cos);
    return rgb_from_spectral(spectral) * SUN_ILLUMINANCE_KLX;
}

// The transmittance and the light of the air up to `distance_m`: the latter is a share of the sky's own light
// in this direction, by the air's scattering up to there.
fn through_air(seen: CloudsSeen, ray: CloudRay, reach_m: f32, sky_behind: vec3<f32>) -> CloudsSeen {
    let distance_m = reach_m
        - select(0.0, cloud_shell_distance(ray, max(-ray.height_m, 0.0)), ray.height_m < 0.0);
    let distance_km = distance_m * 0.001;
    let climb_km = max(ray.direction.y * distance_km, 0.0)
        + 0.0005 * distance_m * distance_m / CLOUD_EARTH_M;
    let rise = max(ray.direction.y, 0.01);
    let near = RAYLEIGH_PER_KM * density_along(distance_km, climb_km, RAYLEIGH_SCALE_HEIGHT_KM)
        + HAZE_PER_KM * (sky.haze * density_along(distance_km, climb_km, HAZE_SCALE_HEIGHT_KM));
    let all = RAYLEIGH_PER_KM * (RAYLEIGH_SCALE_HEIGHT_KM / rise)
        + HAZE_PER_KM * (sky.haze * HAZE_SCALE_HEIGHT_KM / rise);
    let left = min(rgb_from_spectral(exp(-near)), vec3(1.0));
    let left_of_all = min(rgb_from_spectral(exp(-all)), vec3(1.0));
    let share = clamp((1.0 - left) / max(1.0 - left_of_all, vec3(1e-4)), vec3(0.0), vec3(1.0));
    // Shaded air has no glow around the sun.
    let shade = clouds.cover * clouds.cover;
    let luma = vec3(0.2126, 0.7152, 0.0722);
    let even = 1.5 / PI * dot(sky_light.clear_irradiance, luma);
    let glowless = min(1.0, even / max(dot(sky_behind, luma), 1e-9));
    let air = cloud_air_light(sky_behind * mix(1.0, glowless, shade));
    let opacity = 1.0 - seen.transmittance;
    return CloudsSeen(seen.radiance * left + air * (share * opacity), seen.transmittance);
}

// --- Low clouds.

// A texel's fields at both moments, and between.
fn cloud_texel(uv: vec2<f32>, height: f32, level: f32) -> vec4<f32> {
    let margin = 0.5 * exp2(ceil(level)) / CLOUD_LAYERS;
    let inside = clamp(height, margin, 1.0 - margin);
    let w = (clouds.slots + inside) / CLOUD_SLOTS;
    return mix(
        textureSampleLevel(cloud_volume, cloud_sampler, vec3(uv, w.x), level),
        textureSampleLevel(cloud_volume, cloud_sampler, vec3(uv, w.y), level),
        clouds.blend,
    );
}

// The finest billows have cells of 320 m down to 27, in a tile of a sixteenth of the volume's.
const CLOUD_DETAIL_TILES: f32 = 16.0;
const CLOUD_DETAIL: f32 = 0.5;
// The wavelengths of most of its larger and of most of its smaller billows.
const CLOUD_DETAIL_WAVES_M: vec2<f32> = vec2(200.0, 70.0);

// The remaining share of waves over a footprint of `footprint` wavelengths.
fn cloud_left(footprint: vec2<f32>) -> vec2<f32> {
    return exp(-1.6 * footprint * footprint);
}

// `left` is the remaining share of the larger and of the smaller billows.
fn cloud_detail(at: vec3<f32>, height: f32, left: vec2<f32>) -> f32 {
    let large = textureSampleLevel(cloud_noise, cloud_sampler, at, 0.0).r - 0.5;
    let small = textureSampleLevel(cloud_noise, cloud_sampler, 3.0 * at, 0.0).r - 0.5;
    // Clouds are smoother at the base, which rising air feeds.
    return dot(vec2(0.65, 0.35) * left, vec2(large, small)) * mix(0.5, 1.0, smoothstep(0.0, 0.25, height));
}

fn cloud_detail_at(uv: vec2<f32>, height: f32) -> vec3<f32> {
    let up = height * clouds.thickness_m * (CLOUD_DETAIL_TILES / CLOUD_TILE_M);
    return vec3(uv * CLOUD_DETAIL_TILES, up) + clouds.detail_offset;
}

// The optical depth that bulges towards the sun add per unit of detail, their loss of often scattered light,
// and their distance.
const CLOUD_DETAIL_DEPTH: f32 = 12.0;
const CLOUD_DETAIL_SHADE: f32 = 1.2;
const CLOUD_DETAIL_M: f32 = 45.0;

// The softening of an edge by a pixel, relative to the largest rise of the field across it. The volume's levels
// average more than that.
const CLOUD_PIXEL_BLUR: f32 = 0.5;
const CLOUD_BLUR_MOST: f32 = 0.3;
// The inward shift of an edge, relative to that: half of the density is more than half of the opacity.
const CLOUD_BLUR_INWARDS: f32 = 1.0;

// The low clouds along a ray that starts below them.
fn low_clouds(ray: CloudRay, sky_behind: vec3<f32>) -> CloudsSeen {
    var seen = CloudsSeen(vec3(0.0), 1.0);
    if clouds.cover <= 0.0 || ray.shown <= 0.0 {
        return seen;
    }
    let rise_m = max(clouds.base_m - ray.height_m, 1.0);
    let first_m = cloud_shell_distance(ray, rise_m);
    let last_m = cloud_shell_distance(ray, rise_m + clouds.thickness_m);
    let middle_m = clouds.base_m + 0.5 * clouds.thickness_m;

    let cosine = dot(ray.direction, sky.sun_direction);
    let phases = cloud_phases(cosine);
    let sun = cloud_sun(middle_m);
    // The sea and the air over it return little.
    let from_sky = sky_light.clear_irradiance / PI;
    let from_sea = (sky_light.clear_irradiance * 0.08
        + SEA_ALBEDO * (sun * max(sky.sun_direction.y, 0.0) + sky_light.clear_irradiance)) / PI;
    let extinction = clouds.extinction_per_m * ray.shown;

    let towards_sun = sky.sun_direction.xzy
        * (CLOUD_DETAIL_M * CLOUD_DETAIL_TILES / CLOUD_TILE_M);

    var at_m = first_m;
    var inside = false;
    var weighted_m = 0.0;
    for (var i = 0u; i < ray.steps; i++) {
        if at_m >= last_m {
            break;
        }
        // Steps with equal shares of the distance would end where the ray leaves.
        let rest = f32(ray.steps - i);
        let even_m = max(at_m * (exp(log(last_m / at_m) / rest) - 1.0), 1.0);
        let pixel_m = ray.pixel_rad * at_m;
        let pixel_blur = min(CLOUD_PIXEL_BLUR * pixel_m / CLOUD_FIELD_M, CLOUD_BLUR_MOST);
        if !inside {
            // Tests whether the next steps contain any cloud.
            let skip_m = max(min(2.0 * even_m, 8.0 * clouds.texel_m), max(clouds.texel_m, even_m));
            if cloud_largest(ray, at_m, skip_m) <= -0.4 * CLOUD_DETAIL * ray.detail - 0.02 - pixel_blur {
                at_m += skip_m;
                continue;
            }
        }
        let fine_m = max(16.0, 0.003 * at_m);
        let used = f32(i) / f32(ray.steps);
        let step_m = min(even_m, max(fine_m, even_m * used * used));
        let level = clamp(log2(max(step_m, pixel_m) / clouds.texel_m), 0.0, CLOUD_LEVELS);
        let point = cloud_point(ray, at_m + ray.jitter * step_m);
        let texel = cloud_texel(point.uv, point.height, level);
        var field = cloud_field(texel.r);
        let fades = ray.detail * saturate(2.0 - step_m / 60.0);
        let is_fine = fades > 0.0 && field > -CLOUD_DETAIL;
        let left = cloud_left(pixel_m / CLOUD_DETAIL_WAVES_M);
        let detail_at = cloud_detail_at(point.uv, point.height);
        if is_fine {
            let billows = cloud_detail(detail_at, point.height, left);
            // Parts of the base hang lower than others.
            let ragged = smoothstep(0.09, 0.0, point.height + 0.3 * billows);
            field += fades * (CLOUD_DETAIL * billows - 0.3 * ragged);
        }
        // A step averages over its length, as far as it can.
        let blur = 0.0012 * max(step_m - 25.0, 0.0) + 0.04 * level + pixel_blur;
        let edge = field - CLOUD_BLUR_INWARDS * pixel_blur;
        let density = cloud_density(edge, point.height, clouds.bottom_density, blur);
        inside = field > -0.3;
        if density > 0.0 {
            let passes = exp(-extinction * density * step_m);
            var beam = texel.g;
            var diffuse = texel.b;
            if is_fine {
                let bulges = fades * cloud_detail(detail_at + towards_sun, point.height, left);
                beam = min(beam * exp2(-CLOUD_DETAIL_DEPTH / 6.0 * bulges), 1.0);
                diffuse *= max(1.0 - CLOUD_DETAIL_SHADE * bulges, 0.0);
            }
            let light = sun * cloud_sunlit(phases, beam, diffuse)
                + cloud_skylit(from_sky, from_sea, texel.a);
            // The exact integral over a step of constant density (Hillaire 2015).
            let share = seen.transmittance * (1.0 - passes);
            seen.radiance += share * light;
            weighted_m += share * at_m;
            seen.transmittance *= passes;
            if seen.transmittance < 0.004 {
                seen.transmittance = 0.0;
                break;
            }
        }
        // Outside, the field gives the least distance to the cloud.
        at_m += max(step_m, min((-field - 0.05) * CLOUD_FIELD_M, 2.0 * even_m));
    }
    let opacity = 1.0 - seen.transmittance;
    if opacity <= 0.0 {
        return seen;
    }
    return through_air(seen, ray, weighted_m / max(opacity, 1e-4), sky_behind);
}

struct CloudPoint {
    uv: vec2<f32>,
    height: f32,
}

fn cloud_point(ray: CloudRay, distance_m: f32) -> CloudPoint {
    let offset_m = ray.direction.xz * distance_m;
    let uv = ray.origin_uv + offset_m / CLOUD_TILE_M + cloud_bend(offset_m);
    return CloudPoint(uv, cloud_height(ray, distance_m));
}

fn cloud_height(ray: CloudRay, distance_m: f32) -> f32 {
    let across = 1.0 - ray.direction.y * ray.direction.y;
    let height_m = ray.height_m
        + distance_m * (ray.direction.y + 0.5 * across * distance_m / CLOUD_EARTH_M);
    return (height_m - clouds.base_m) / clouds.thickness_m;
}

// The largest field on a part of a ray.
fn cloud_largest(ray: CloudRay, from_m: f32, length_m: f32) -> f32 {
    let uv = cloud_point(ray, from_m + 0.5 * length_m).uv;
    let level = max(log2(length_m / clouds.texel_m) + 1.0, 0.0);
    let thirds = mix(
        textureSampleLevel(cloud_shadow, cloud_sampler, uv, i32(clouds.slots.x), level),
        textureSampleLevel(cloud_shadow, cloud_sampler, uv, i32(clouds.slots.y), level),
        clouds.blend,
    ).gba;
    // With one layer of the coarsest level on either side, since fields are interpolated between them.
    let margin = 4.0 / CLOUD_LAYERS;
    let low = cloud_height(ray, from_m) - margin;
    let high = cloud_height(ray, from_m + length_m) + margin;
    var largest = select(0.0, thirds.x, low < 1.0 / 3.0);
    largest = max(largest, select(0.0, thirds.y, low < 2.0 / 3.0 && high > 1.0 / 3.0));
    largest = max(largest, select(0.0, thirds.z, high > 2.0 / 3.0));
    return cloud_field(largest);
}

// --- Cirrus: a thin sheet of ice, drawn out into fibres.

const CIRRUS_DEPTH: f32 = 0.9;
// The tiles of the noise in one of cirrus, along the wind and across.
const CIRRUS_FIBRES: vec2<f32> = vec2(2.0, 9.0);
const CIRRUS_FINE: vec2<f32> = vec2(5.0, 31.0);
// The number of most waves along one side of the noise, among its octaves.
const CIRRUS_CELLS: f32 = 16.0;

fn cirrus_clouds(ray: CloudRay, sky_behind: vec3<f32>) -> CloudsSeen {
    var seen = CloudsSeen(vec3(0.0), 1.0);
    let rise_m = CIRRUS_HEIGHT_M - ray.height_m;
    if clouds.cirrus <= 0.0 || rise_m <= 0.0 {
        return seen;
    }
    let distance_m = cloud_shell_distance(ray, rise_m);
    let offset_m = ray.direction.xz * distance_m;
    let wind = clouds.wind;
    let along = vec2(dot(offset_m, wind), wind.x * offset_m.y - wind.y * offset_m.x);
    let uv = clouds.cirrus_uv + along / CIRRUS_TILE_M;
    // Wind shear bends the fibres; patches of them come and go.
    let patches = textureSampleLevel(cirrus_noise, cloud_sampler, uv, 0.0);
    let bent = uv + (patches.gb - 0.5) * vec2(0.10, 0.05);
    let fibres = textureSampleLevel(cirrus_noise, cloud_sampler, bent * CIRRUS_FIBRES, 0.0).r - 0.5;
    let fine = textureSampleLevel(cirrus_noise, cloud_sampler, bent * CIRRUS_FINE, 0.0).r - 0.5;
    let sharp = exp(-distance_m / 60000.0);
    // The footprint of a pixel is longer along the line of sight than across.
    let pixel_m = ray.pixel_rad * distance_m;
    let outwards = along * (distance_m / rise_m / max(length(along), 1.0));
    let sides = vec2(1.0) + outwards * outwards;
    let in_waves = sides * pixel_m * pixel_m / (CIRRUS_TILE_M * CIRRUS_TILE_M) * (CIRRUS_CELLS * CIRRUS_CELLS);
    let left = cloud_left(sqrt(vec2(
        dot(in_waves, CIRRUS_FIBRES * CIRRUS_FIBRES),
        dot(in_waves, CIRRUS_FINE * CIRRUS_FINE),
    )));
    let texture = 0.5 + sharp * dot(vec2(0.65, 0.35) * left, vec2(fibres, fine));
    let patchy = smoothstep(1.0 - clouds.cirrus - 0.25, 1.0 - clouds.cirrus + 0.35, patches.a);
    let slant = min(distance_m / rise_m, 6.0);
    let depth = CIRRUS_DEPTH * patchy * smoothstep(0.25, 0.95, texture) * min(clouds.cirrus * 2.0 + 0.3, 1.0)
        * slant * smoothstep(0.0, 400.0, rise_m);
    let passes = exp(-depth);

    let cosine = dot(ray.direction, sky.sun_direction);
    // On average over the sheet, the sun has passed half of it: forward-scattered light continues with the
    // beam.
    let half_way = CIRRUS_FORWARDS_SHARE * depth / (slant * max(sky.sun_direction.y, 0.05));
    let sunlit = (1.0 - exp(-half_way)) / max(half_way, 1e-4);
    let from_sky = sky_light.clear_irradiance / PI;
    let light = cloud_sun(CIRRUS_HEIGHT_M) * (sunlit * cirrus_phase(cosine))
        + cloud_skylit(from_sky, SEA_ALBEDO * from_sky, cirrus_share_downwards(depth / slant));
    seen = CloudsSeen(light * (1.0 - passes), passes);
    return through_air(seen, ray, distance_m, sky_behind);
}

// All clouds along a ray, before the sky's light `sky_behind`.
fn clouds_along(ray: CloudRay, sky_behind: vec3<f32>) -> CloudsSeen {
    let low = low_clouds(ray, sky_behind);
    let high = cirrus_clouds(ray, sky_behind);
    return CloudsSeen(
        low.radiance + low.transmittance * high.radiance,
        low.transmittance * high.transmittance,
    );
}
