// The sky where a pixel sees nothing else.
#import "mesh/view.wgsl"
#import "shading/cloud_march.wgsl"
#import "shading/lights.wgsl"

// Hides the steps along neighbouring lines of sight by different places of samples, from the interleaved
// gradient noise of Jimenez 2014.
fn step_jitter(pixel: vec2<f32>) -> f32 {
    let noise = fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
    return 0.25 + 0.5 * noise;
}

// The side in pixels of each square that shares a line of sight through the clouds: 1 or 2.
override CLOUD_PIXELS: u32 = 1u;

// The light and the transmittance of the clouds for each line of sight, which `march` writes and `light` reads.
// Tiles that show no sky hold an earlier picture.
@group(3) @binding(0) var written_clouds: texture_storage_2d<rgba16float, write>;
@group(3) @binding(0) var seen_clouds: texture_2d<f32>;

// The side of a tile of the picture in texels of these textures.
override TILE_TEXELS: u32 = LIGHT_TILE / CLOUD_PIXELS;
// The number of tiles that a workgroup takes at a time.
override TILES_AT_ONCE: u32 = CLOUD_PIXELS * CLOUD_PIXELS;

fn eye_ray(direction: vec3<f32>, jitter: f32) -> CloudRay {
    // Directions below the horizon show the horizon.
    let raised = normalize(vec3(direction.x, max(direction.y, -sky.eye_dip_rad), direction.z));
    // Interpolation between lines of sight softens clouds further.
    let texel_rad = sqrt(f32(CLOUD_PIXELS)) * view.pixel_angle_rad * view.footprint_px;
    return CloudRay(
        raised, clouds.eye_height_m, clouds.eye_uv, clouds.steps, 1.0, clouds.shown, jitter, texel_rad);
}

@compute @workgroup_size(64)
fn march(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let tile = lane / (TILE_TEXELS * TILE_TEXELS);
    let within = vec2(lane % TILE_TEXELS, lane / TILE_TEXELS % TILE_TEXELS);
    let count = select(0u, light_tiles.counts[VISIBLE_NOTHING], clouds.any != 0u);
    for (var i = TILES_AT_ONCE * group.x + tile; i < count; i += TILES_AT_ONCE * groups.x) {
        let texel = light_tile(VISIBLE_NOTHING, i) / CLOUD_PIXELS + within;
        let direction = normalize(ray_through(f32(CLOUD_PIXELS) * (vec2<f32>(texel) + 0.5)));
        let seen = clouds_along(
            eye_ray(direction, step_jitter(vec2<f32>(texel))), sky_background(direction));
        textureStore(written_clouds, texel, vec4(seen.radiance, seen.transmittance));
    }
}

// The result of `march` around a pixel that sees the sky.
fn clouds_before(pixel: vec2<u32>) -> vec4<f32> {
    let last = textureDimensions(seen_clouds) - 1u;
    let texels = (vec2<f32>(pixel) + 0.5) / f32(CLOUD_PIXELS) - 0.5;
    let at = clamp(texels, vec2(0.0), vec2<f32>(last));
    let low = vec2<u32>(at);
    let share = fract(at);
    var sum = vec4(0.0);
    var weights = 0.0;
    for (var i = 0u; i < 4u; i++) {
        let side = vec2(i & 1u, i >> 1u);
        let along = select(1.0 - share, share, side == vec2(1u));
        let texel = min(low + side, last);
        let kinds = light_tiles.places[kinds_place(texel / TILE_TEXELS)];
        let shows_sky = ((kinds >> VISIBLE_NOTHING) & 1u) != 0u;
        let weight = select(0.0, along.x * along.y, shows_sky);
        sum += weight * select(vec4(0.0), textureLoad(seen_clouds, texel, 0), shows_sky);
        weights += weight;
    }
    return sum / weights;
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
    var radiance = sky_background(direction) + sun_disc_soft(direction, view.pixel_angle_rad);
    if CLOUDED {
        let before = select(vec4(0.0, 0.0, 0.0, 1.0), clouds_before(pixel), clouds.any != 0u);
        radiance = radiance * before.a + before.rgb;
    }
    keep_light(pixel, samples_of_nothing(pixel), expose(radiance));
}
