// The bed of the sea: its height over the mean bed, and what it is covered with. Everything that depends on the
// height of the bed asks this function, which a chart of depths may replace.
#import "shading/bed_params.wgsl"
#import "shading/water_light.wgsl"

// The bed repeats after this distance.
const BED_PERIOD_M: f32 = 1024.0;

// Ripples that waves leave in sand are about a tenth as high as they are long (Nielsen 1981), and less where
// they are old.
const RIPPLE_HEIGHT_M: f32 = 0.016;
// The height of banks of sand and of heads of coral, in depths.
const BANKS: f32 = 0.10;
const BANKS_MOST_M: f32 = 0.6;
const CORAL: f32 = 0.30;
const CORAL_MOST_M: f32 = 2.2;

struct BedRelief {
    height_m: f32,
    // The share of dark ground, 0 to 1.
    dark: f32,
    normal: vec3<f32>,
}

fn bed_hash(cell: vec2<i32>, seed: u32) -> f32 {
    var hash = vec2<u32>(cell) * 1664525u + vec2(1013904223u, 747796405u * seed);
    hash.x += hash.y * 1664525u;
    hash.y += hash.x * 1664525u;
    hash ^= hash >> vec2(16u);
    hash.x += hash.y * 1664525u;
    return f32(hash.x >> 8u) / 16777216.0;
}

// Smooth noise from 0 to 1 with features `size_m` wide, a power of two, and its mean where texels are too wide for
// them.
fn bed_noise(position: vec2<f32>, size_m: f32, texel_m: f32, seed: u32) -> f32 {
    let shown = 1.0 - smoothstep(0.35, 0.9, texel_m / size_m);
    var noise = 0.5;
    for (var wide = shown > 0.0; wide; wide = false) {
        let at = position / size_m;
        let cells = i32(BED_PERIOD_M / size_m);
        let first = vec2<i32>(floor(at));
        let a = ((first % cells) + cells) % cells;
        let b = (a + 1) % cells;
        let t = fract(at);
        let s = t * t * t * (t * (6.0 * t - 15.0) + 10.0);
        let value = mix(
            mix(bed_hash(a, seed), bed_hash(vec2(b.x, a.y), seed), s.x),
            mix(bed_hash(vec2(a.x, b.y), seed), bed_hash(b, seed), s.x),
            s.y,
        );
        noise = mix(0.5, value, shown);
    }
    return noise;
}

// The height of heads of coral, from 0 to 1.
fn bed_coral(position: vec2<f32>, texel_m: f32) -> f32 {
    let patches = bed_noise(position, 32.0, texel_m, 3u) + 0.7 * bed_noise(position, 8.0, texel_m, 4u);
    let lumps = bed_noise(position, 2.0, texel_m, 5u) + 0.5 * bed_noise(position, 0.5, texel_m, 6u);
    return saturate((patches + 0.30 * lumps - 1.18) * 3.2);
}

// The height over the mean bed, and the share of dark ground.
fn bed_ground(position: vec2<f32>, texel_m: f32) -> vec2<f32> {
    let banks = bed_noise(position, 32.0, texel_m, 1u) + 0.5 * bed_noise(position, 16.0, texel_m, 2u) - 0.75;
    var height_m = min(BANKS * bed_params.depth_m, BANKS_MOST_M) * banks;
    let stains = bed_noise(position, 4.0, texel_m, 7u) * bed_noise(position, 0.5, texel_m, 8u);
    let grains = bed_noise(position, 0.0625, texel_m, 9u) - 0.5;
    var dark = 0.05 + 0.55 * stains + 0.35 * grains;
    // Ripples bend and fork, and are flat on one side of a bank.
    let bent = 1.1 * bed_noise(position, 4.0, texel_m, 10u) + 0.5 * bed_noise(position, 1.0, texel_m, 11u);
    let phase = 6.2831853 * (dot(bed_params.ripples, position) + bent);
    let seen = 1.0 - smoothstep(0.25, 0.6, texel_m * length(bed_params.ripples));
    let worn = 0.35 + 0.9 * bed_noise(position, 8.0, texel_m, 12u);
    // Crests are sharper than troughs.
    let ripple = 1.0 - 2.0 * abs(sin(0.5 * phase));
    height_m += 0.5 * RIPPLE_HEIGHT_M * seen * worn * ripple;
    for (var reef = bed_params.reef > 0.0; reef; reef = false) {
        let coral = bed_coral(position, texel_m);
        let lumps = 0.6 + 0.4 * bed_noise(position, 1.0, texel_m, 13u);
        height_m += min(CORAL * bed_params.depth_m, CORAL_MOST_M) * sqrt(coral) * lumps;
        dark = mix(dark, 0.72 + 0.5 * grains + 0.5 * (bed_noise(position, 0.25, texel_m, 14u) - 0.5),
            smoothstep(0.02, 0.25, coral));
    }
    return vec2(height_m, saturate(dark));
}

fn bed_relief(position: vec2<f32>, texel_m: f32) -> BedRelief {
    let here = bed_ground(position, texel_m);
    let step_m = max(texel_m, 0.01);
    let x = bed_ground(position + vec2(step_m, 0.0), texel_m).x;
    let z = bed_ground(position + vec2(0.0, step_m), texel_m).x;
    let slope = (vec2(x, z) - here.x) / step_m;
    return BedRelief(here.x, here.y, normalize(vec3(-slope.x, 1.0, -slope.y)));
}
