// The light of the surface of objects, for kernels that light samples and for images. Groups: 0 view and grid, 2 the sky,
// 3 the objects.
#import "objects/object.wgsl"
#import "shading/bed.wgsl"
#import "shading/object_images.wgsl"

// The optical properties of a surface.
struct Skin {
    // The albedo in linear sRGB.
    albedo: vec3<f32>,
    // The roughness of its highlights: the square root of GGX's alpha.
    roughness: f32,
    // The emitted light, in kcd/m2.
    glow: vec3<f32>,
}

// The share of the lens's light to show: none in mirror images, to which facets add it as glitter.
var<private> lens_glow: f32 = 1.0;

fn object_hash(cell: vec2<i32>) -> f32 {
    var hash = vec2<u32>(cell) * 1664525u + 1013904223u;
    hash.x += hash.y * 1664525u;
    hash.y += hash.x * 1664525u;
    hash ^= hash >> vec2(16u);
    hash.x += hash.y * 1664525u;
    return f32(hash.x >> 8u) / 16777216.0;
}

// Smooth noise from 0 to 1, with cells of side 1.
fn object_noise(at: vec2<f32>) -> f32 {
    let cell = vec2<i32>(floor(at));
    let t = fract(at);
    let s = t * t * (3.0 - 2.0 * t);
    return mix(
        mix(object_hash(cell), object_hash(cell + vec2(1, 0)), s.x),
        mix(object_hash(cell + vec2(0, 1)), object_hash(cell + vec2(1, 1)), s.x),
        s.y,
    );
}

// `detail` is 1 where marks a hand wide are visible, and 0 far away. `height_m` is over the waterline at rest, and water
// has reached `wet_m` over it.
fn object_skin(local: vec3<f32>, height_m: f32, seen: ObjectSeen, detail: f32, wet_m: f32) -> Skin {
    let look = object_looks.looks[seen.object];
    let material = object_looks.materials[seen.material];
    let finish = material.finish;
    var skin = Skin(material.albedo, material.roughness, vec3(0.0));
    let angle = atan2(local.z, local.x);
    let is_striped = finish == FINISH_PAINT && fract(angle / (2.0 * PI) * look.stripes) < 0.5 && look.stripes > 0.0;
    skin.albedo = select(skin.albedo, look.paint, finish == FINISH_PAINT);
    skin.albedo = select(skin.albedo, look.second_paint, is_striped || finish == FINISH_SECOND_PAINT);
    if finish == FINISH_LENS {
        skin.albedo = 0.08 + 0.25 * look.lamp;
        skin.glow = look.lamp * (lens_glow * look.brightness_kcd * lamps_on());
    }
    let seed = look.seed;
    for (var worn = finish >= FINISH_PAINT && finish <= FINISH_WEATHERED; worn; worn = false) {
        // Paint fades in patches, and streaks wash it down.
        let patches = object_noise(vec2(2.5 * angle + seed, 1.9 * local.y));
        let streaks = object_noise(vec2(14.0 * angle + seed, 0.7 * local.y + seed));
        let grime = detail * smoothstep(0.55, 1.0, streaks) * smoothstep(2.6, 0.4, local.y);
        skin.albedo *= 0.86 + 0.2 * patches;
        skin.albedo = mix(skin.albedo, vec3(0.12, 0.10, 0.08), 0.4 * grime);
        skin.roughness += 0.1 * (patches - 0.5) + 0.2 * grime;
    }

    // Splashes reach a hand higher than the water of the last seconds, growth is below. Both end raggedly.
    let edge = object_noise(vec2(5.0 * angle + seed, 3.0 * local.y))
        + 0.5 * detail * object_noise(vec2(19.0 * angle, 9.0 * local.y + seed)) - 0.75;
    let dry_m = max(wet_m, 0.0) + 0.12;
    let wet = 1.0 - smoothstep(dry_m - 0.07, dry_m + 0.07, height_m + 0.10 * edge);
    let weed = 1.0 - smoothstep(0.02, 0.17, height_m + 0.14 * edge);
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

// The radiance of an object's surface. `relative` is from the eye, `local` in the object's frame. It is seen in the
// direction `sight`, by a pixel of that size.
fn object_light(
    relative: vec3<f32>, local: vec3<f32>, normal: vec3<f32>, seen: ObjectSeen, turned: f32, sight: vec3<f32>,
    pixel_m: f32,
) -> vec3<f32> {
    let detail = saturate(2.0 - 20.0 * pixel_m);
    shade_by_clouds(relative, 0.0);
    let pose = posed[seen.object];
    let towards = (relative - object_foot(pose)).xz;
    let wet_m = object_wet_m(pose.number, towards);
    let skin = object_skin(local, local.y - pose.rest_m, seen, detail, wet_m);
    let over_water_m = local.y - pose.waterline_m;
    let alpha = sqrt(saturate(pow(skin.roughness, 4.0) + turned));

    let sun_cosine = saturate(dot(normal, sun_direction()));
    let place_m = mesh.eye_m + relative;
    sunlit *= objects_sunlight(place_m, 0.0, seen.object) * own_sunlight(seen.object, place_m, normal);
    // Under its waterline the object is in the water, where waves focus the sunlight.
    for (var wet = over_water_m < 0.0 && sky.bed.caustics_depth_m > 0.0; wet; wet = false) {
        let under = place_m.xz + sky.bed.sun_shift * (sky.bed.caustics_depth_m + min(place_m.y, 0.0));
        // Before the focus, waves change the light in proportion to the depth.
        let share = min(-over_water_m / sky.bed.caustics_depth_m, 1.0);
        sunlit *= mix(1.0, bed_at(under, pixel_m).x, share);
    }
    let down = exp(min(over_water_m, 0.0) * sky.water.diffuse_attenuation_per_m);
    let lit = (sun_radiance() * sun_cosine + ambient(normal) * seen.openness) * down;
    return skin.albedo / PI * lit
        + highlight(normal, -sight, alpha, sun_cosine, seen.openness)
        + skin.glow;
}

// The distance behind the nearest part of an object from which its shadow falls.
const SHADOW_BIAS_M: f32 = 0.04;

// The share of the sunlight that reaches a place on an object past its other parts: the nearest parts towards the sun, at
// the texels around (Williams 1978), three of which blur each axis (Reeves, Salesin and Cook 1987).
fn own_sunlight(object: u32, place_m: vec3<f32>, normal: vec3<f32>) -> f32 {
    let image = objects.images[IMAGE_FROM_SUN * OBJECTS + object];
    let offset = place_m + normal * SHADOW_BIAS_M - image.middle;
    let at = vec2(dot(offset, image.right), -dot(offset, image.up)) / max(image.half_m, 1e-3);
    let is_there = ((objects.imaged >> object) & 1u) != 0u && image.half_m > 0.0;
    let texel = (0.5 + 0.5 * at) * image.side - 0.5;
    let cell = floor(texel);
    let share = texel - cell;
    let bias_m = SHADOW_BIAS_M + 2.0 * image.half_m / max(image.side, 1.0);
    var shaded = 0.0;
    for (var i = 0u; i < 16u; i++) {
        let corner = vec2(f32(i & 3u), f32(i >> 2u));
        let place = clamp(cell + corner - 1.0, vec2(0.0), vec2(max(image.side - 1.0, 0.0)));
        let slot = objects.slot * vec2(f32(object), 0.0);
        let nearest = textureLoad(object_atlas, vec2<u32>(slot + place), 0, 0);
        let weights = select(select(vec2(1.0), share, corner > vec2(2.5)), 1.0 - share, corner < vec2(0.5));
        let is_behind = nearest.a > 0.5 && dot(offset, image.forward) > nearest.r + bias_m;
        shaded += weights.x * weights.y * f32(is_behind) / 9.0;
    }
    return select(1.0, 1.0 - shaded, is_there);
}
