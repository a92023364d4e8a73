// Lights the buoys that samples see. Groups: 0 view, grid, visible triangles, and lights, 2 the sky, 3 the
// poses.
#import "buoys/buoy.wgsl"
#import "shading/lights.wgsl"
#import "shading/sky.wgsl"
#import "shading/bed.wgsl"
#import "mesh/displaced.wgsl"

@group(0) @binding(2) var<storage, read> displaced_vertices: array<DisplacedVertex>;

// The optical properties of a surface.
struct Skin {
    // The albedo in linear sRGB.
    albedo: vec3<f32>,
    // The roughness of its highlights: the square root of GGX's alpha.
    roughness: f32,
    // The emitted light, in kcd/m2.
    glow: vec3<f32>,
}

// Surface colours of the maritime buoyage system (IALA R0108), as paint that is some seasons old.
fn mark_paint(mark: u32) -> vec3<f32> {
    switch mark {
        case MARK_PORT: { return vec3(0.40, 0.028, 0.020); }
        case MARK_STARBOARD: { return vec3(0.010, 0.175, 0.060); }
        case MARK_SPECIAL: { return vec3(0.82, 0.46, 0.012); }
        default: { return vec3(0.70, 0.70, 0.66); }
    }
}

fn mark_lamp(mark: u32) -> vec3<f32> {
    switch mark {
        case MARK_PORT: { return vec3(1.0, 0.06, 0.03); }
        case MARK_STARBOARD: { return vec3(0.05, 1.0, 0.35); }
        case MARK_SPECIAL: { return vec3(1.0, 0.62, 0.05); }
        default: { return vec3(1.0, 0.93, 0.8); }
    }
}

// The luminance of a lantern with a range of two miles, in kcd/m2: 8 cd from a lens of 0.04 m2.
const LAMP_KCD: f32 = 0.2;
// The daylight in klx below which lanterns are on.
const LAMP_ON_KLX: f32 = 0.15;
const LAMP_OFF_KLX: f32 = 0.6;

fn buoy_hash(cell: vec2<i32>) -> f32 {
    var hash = vec2<u32>(cell) * 1664525u + 1013904223u;
    hash.x += hash.y * 1664525u;
    hash.y += hash.x * 1664525u;
    hash ^= hash >> vec2(16u);
    hash.x += hash.y * 1664525u;
    return f32(hash.x >> 8u) / 16777216.0;
}

// Smooth noise from 0 to 1, with cells of side 1.
fn buoy_noise(at: vec2<f32>) -> f32 {
    let cell = vec2<i32>(floor(at));
    let t = fract(at);
    let s = t * t * (3.0 - 2.0 * t);
    return mix(
        mix(buoy_hash(cell), buoy_hash(cell + vec2(1, 0)), s.x),
        mix(buoy_hash(cell + vec2(0, 1)), buoy_hash(cell + vec2(1, 1)), s.x),
        s.y,
    );
}

// `detail` is 1 where marks a hand wide are visible, and 0 far away.
fn buoy_skin(local: vec3<f32>, part: u32, buoy: u32, detail: f32) -> Skin {
    let pose = buoys.poses[buoy];
    var skin = Skin(mark_paint(pose.mark), 0.42, vec3(0.0));
    let angle = atan2(local.z, local.x);
    // Every buoy has its own stains.
    let seed = 37.0 * f32(pose.mark) + 11.0 * pose.heading_rad;
    switch part {
        case PART_RUBBER: {
            skin.albedo = vec3(0.022);
            skin.roughness = 0.7;
        }
        case PART_DECK: {
            skin.albedo = vec3(0.075, 0.078, 0.08);
            skin.roughness = 0.75;
        }
        case PART_LENS: {
            let lamp = mark_lamp(pose.mark);
            skin.albedo = 0.08 + 0.25 * lamp;
            skin.roughness = 0.15;
            let day_klx = dot(
                sun_radiance() * max(sun_direction().y, 0.0) + sky_irradiance(),
                vec3(0.2126, 0.7152, 0.0722));
            let is_dark = 1.0 - smoothstep(LAMP_ON_KLX, LAMP_OFF_KLX, day_klx);
            skin.glow = lamp * (LAMP_KCD * pose.lamp * is_dark);
        }
        case PART_PANEL: {
            skin.albedo = vec3(0.008, 0.011, 0.026);
            skin.roughness = 0.12;
        }
        default: {
            if pose.mark == MARK_SAFE_WATER {
                let is_topmark = part >= PART_TOPMARKS;
                // Three vertical stripes of each colour.
                let stripe = is_topmark || fract(angle / PI * 1.5) < 0.5;
                skin.albedo = select(skin.albedo, mark_paint(MARK_PORT), stripe);
            }
            // Paint fades in patches, and streaks wash it down.
            let patches = buoy_noise(vec2(2.5 * angle + seed, 1.9 * local.y));
            let streaks = buoy_noise(vec2(14.0 * angle + seed, 0.7 * local.y + seed));
            let grime = detail * smoothstep(0.55, 1.0, streaks) * smoothstep(2.6, 0.4, local.y);
            skin.albedo *= 0.86 + 0.2 * patches;
            skin.albedo = mix(skin.albedo, vec3(0.12, 0.10, 0.08), 0.4 * grime);
            skin.roughness += 0.1 * (patches - 0.5) + 0.2 * grime;
        }
    }

    // Splashes reach a hand under the fender, growth is below. Both end raggedly.
    let edge = buoy_noise(vec2(5.0 * angle + seed, 3.0 * local.y))
        + 0.5 * detail * buoy_noise(vec2(19.0 * angle, 9.0 * local.y + seed)) - 0.75;
    let wet = 1.0 - smoothstep(0.20, 0.34, local.y + 0.10 * edge);
    let weed = 1.0 - smoothstep(0.02, 0.17, local.y + 0.14 * edge);
    let slime = mix(vec3(0.020, 0.028, 0.010), vec3(0.055, 0.060, 0.018), saturate(0.5 + edge));
    skin.albedo = mix(skin.albedo * (1.0 - 0.45 * wet), slime, 0.9 * weed);
    skin.roughness = mix(skin.roughness, mix(0.2, 0.32, weed), wet);
    return skin;
}

// The light of the water below a wall, to first order: it mirrors the sky at grazing angles, and scatters back
// SEA_ALBEDO of the light on it.
fn sea_below(direction: vec3<f32>) -> vec3<f32> {
    let cosine = saturate(-direction.y);
    let mirrors = 0.02 + 0.98 * pow(1.0 - cosine, 5.0);
    let lit = sun_radiance() * max(sun_direction().y, 0.0) + sky_irradiance();
    let sky = sky_radiance(vec3(direction.x, cosine, direction.z), 0.4);
    return lit * (SEA_ALBEDO / PI) + sky * mirrors;
}

// The share of the sky's radiance near the horizon that the sea reflects to a wall: the mean of Fresnel's
// reflectance over the directions below, weighted by their cosines.
const SEA_MIRRORS: f32 = 0.2;

// The irradiance from sky and sea, without the sun, between that of a level surface, for which the sky's own
// integral holds, and that of a wall, half of whose hemisphere is sky.
fn ambient(normal: vec3<f32>) -> vec3<f32> {
    let above = 0.5 + 0.5 * normal.y;
    let middle = normalize(vec3(normal.x, max(normal.y, 0.0) + 0.45, normal.z));
    let around = PI * sky_radiance(middle, BLUR_MAX_RAD);
    let sky = mix(around, sky_irradiance(), saturate(normal.y));
    let lit = sun_radiance() * max(sun_direction().y, 0.0) + sky_irradiance();
    let level = normalize(vec3(normal.x, 0.15, normal.z));
    let sea = lit * SEA_ALBEDO + sky_radiance(level, BLUR_MAX_RAD) * (PI * SEA_MIRRORS);
    return sky * above + sea * (1.0 - above);
}

// The sun and the surroundings, mirrored by a dielectric of refractive index 1.5.
fn highlight(
    normal: vec3<f32>, to_eye: vec3<f32>, alpha: f32, sun_cosine: f32, openness: f32,
) -> vec3<f32> {
    let cosine = max(dot(normal, to_eye), 1e-3);
    // GGX (Walter et al. 2007) with the visibility of Hammon 2017.
    let to_sun = sun_direction();
    let half_way = normalize(to_sun + to_eye);
    let n_h = saturate(dot(normal, half_way));
    let squared = alpha * alpha;
    let spread = n_h * n_h * (squared - 1.0) + 1.0;
    let facets = squared / (PI * spread * spread);
    let visible = 0.5 / max(mix(2.0 * sun_cosine * cosine, sun_cosine + cosine, alpha), 1e-4);
    let fresnel_sun = 0.04 + 0.96 * pow(1.0 - saturate(dot(to_eye, half_way)), 5.0);
    let sun = sun_radiance() * (sun_cosine * min(facets * visible, 400.0) * fresnel_sun);

    let mirrored = reflect(-to_eye, normal);
    // The standard deviation of the slopes, which mirroring doubles.
    let blur_rad = min(1.4142 * alpha, BLUR_MAX_RAD);
    let sky = sky_radiance(mirrored, blur_rad);
    let up = smoothstep(-0.5 * blur_rad - 0.02, 0.5 * blur_rad + 0.02, mirrored.y);
    let around = mix(sea_below(mirrored), sky, up);
    // A rough surface mirrors less at grazing angles (Lagarde 2011).
    let grazing = max(1.0 - sqrt(alpha), 0.04) - 0.04;
    let fresnel_around = 0.04 + grazing * pow(1.0 - cosine, 5.0);
    return sun + around * (fresnel_around * openness);
}

// Returns the turn of the normal from a pixel to the one at `offset`, if that sees the same part.
fn turned_to(pixel: vec2<u32>, offset: vec2<u32>, first: u32, seen: vec2<u32>) -> vec3<f32> {
    let other = visible_at(pixel + offset, first);
    let is_same = textureLoad(depth, pixel + offset, i32(first)).x > 0.0 && (other.x >> 7u) == (seen.x >> 7u);
    return select(vec3(0.0), buoy_seen(other).normal - buoy_seen(seen).normal, is_same);
}

@compute @workgroup_size(8, 8)
fn light(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_id) lane: vec3<u32>,
) {
    for (var i = group.x; i < light_tiles.counts[VISIBLE_BUOY]; i += groups.x) {
        light_pixel(light_tile(VISIBLE_BUOY, i) + lane.xy);
    }
}

fn light_pixel(pixel: vec2<u32>) {
    var samples = samples_of_kind(pixel, VISIBLE_BUOY);
    for (; samples != 0u;) {
        // Samples that see the same part are lit as one.
        let first = countTrailingZeros(samples);
        let number = visible_at(pixel, first);
        let seen = buoy_seen(number);
        var alike = 0u;
        var normal = vec3(0.0);
        var openness = 0.0;
        var relative = vec3(0.0);
        for (var sample = first; sample < SAMPLES; sample++) {
            let other = visible_at(pixel, sample);
            if ((samples >> sample) & 1u) != 0u && (other.x >> 7u) == (number.x >> 7u) {
                alike |= 1u << sample;
                let here = buoy_seen(other);
                normal += here.normal;
                openness += here.openness;
                let ray = ray_through(vec2<f32>(pixel) + 0.5 + sample_offset(sample));
                relative += ray * (NEAR_M / textureLoad(depth, pixel, i32(sample)).x);
            }
        }
        samples &= ~alike;
        let count = f32(countOneBits(alike));
        // The turn of the normal within a pixel is roughness (Tokuyoshi and Kaplanyan 2019).
        let turn_x = turned_to(pixel, vec2(1u, 0u), first, number);
        let turn_y = turned_to(pixel, vec2(0u, 1u), first, number);
        let turned = min(0.5 * (dot(turn_x, turn_x) + dot(turn_y, turn_y)), 0.18);
        let pose = buoys.poses[seen.buoy];
        let place = relative / count;
        let local = (place - buoy_foot(pose)) * buoy_axes(pose);
        let light = buoy_light(
            place, local, normalize(normal), BuoySeen(seen.buoy, seen.part, openness / count, normal), turned);
        keep_light(pixel, alike, light);
    }
}

// The exposed light from the buoy to the eye. `relative` is from the eye, `local` in the buoy's frame, with the
// waterline at y = 0.
fn buoy_light(
    relative: vec3<f32>, local: vec3<f32>, normal: vec3<f32>, seen: BuoySeen, turned: f32,
) -> vec3<f32> {
    let distance_m = length(relative);
    let direction = relative / distance_m;
    let detail = saturate(2.0 - 20.0 * distance_m * view.pixel_angle_rad);
    shade_by_clouds(relative, 0.0);
    let skin = buoy_skin(local, seen.part, seen.buoy, detail);
    let alpha = sqrt(saturate(pow(skin.roughness, 4.0) + turned));

    let sun_cosine = saturate(dot(normal, sun_direction()));
    // Under its waterline the buoy is in the water, where waves focus the sunlight.
    for (var wet = local.y < 0.0 && sky.bed.caustics_depth_m > 0.0; wet; wet = false) {
        let place_m = mesh.eye_m + relative;
        let under = place_m.xz + sky.bed.sun_shift * (sky.bed.caustics_depth_m + min(place_m.y, 0.0));
        sunlit *= bed_at(under, distance_m * view.pixel_angle_rad).x;
    }
    let down = exp(min(local.y, 0.0) * sky.water.diffuse_attenuation_per_m);
    let lit = (sun_radiance() * sun_cosine + ambient(normal) * seen.openness) * down;
    let radiance = skin.albedo / PI * lit
        + highlight(normal, -direction, alpha, sun_cosine, seen.openness)
        + skin.glow;
    if begins_in_water(local) {
        shade_by_clouds(vec3(0.0), 1.0);
        let path = water_path(max(-view.height_m, 0.0), direction, distance_m);
        return expose(radiance * path.transmittance + path.added);
    }
    return expose(aerial_perspective(radiance, direction, distance_m));
}

// Returns whether there is water between the eye and a place of the buoy. Where the surface crosses the picture,
// its waterline tells.
fn begins_in_water(local: vec3<f32>) -> bool {
    if mesh.eye_vertex == NO_EYE_VERTEX {
        return false;
    }
    let side = eye_side(displaced_vertices[mesh.eye_vertex]);
    return side == EYE_BELOW || (side == EYE_AT_SURFACE && local.y < 0.0);
}

