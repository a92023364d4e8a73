// The periodic noise of the clouds, made once.

@group(0) @binding(0) var solid_out: texture_storage_3d<rgba8unorm, write>;
@group(0) @binding(1) var flat_out: texture_storage_2d<rgba8unorm, write>;

const SOLID_SIZE: u32 = 64u;
const FLAT_SIZE: u32 = 256u;

// The integer hash of Jarzynski and Olano, "Hash Functions for GPU Rendering" (2020), pcg3d.
fn random(cell: vec3<i32>, cells: i32, seed: u32) -> vec3<f32> {
    var v = vec3<u32>((cell % cells + cells) % cells) + seed * 1013u;
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> vec3(16u);
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return vec3<f32>(v >> vec3(8u)) / 16777216.0;
}

// 1 in the middle of bulging cells, 0 between them (Worley 1996). `point` is in units of tiles.
fn billows(point: vec3<f32>, cells: i32, seed: u32) -> f32 {
    let scaled = point * f32(cells);
    let cell = vec3<i32>(floor(scaled));
    var nearest = 4.0;
    for (var i = 0; i < 27; i++) {
        let neighbour = cell + vec3(i % 3, i / 3 % 3, i / 9) - 1;
        let apart = vec3<f32>(neighbour) + random(neighbour, cells, seed) - scaled;
        nearest = min(nearest, dot(apart, apart));
    }
    return saturate(1.0 - sqrt(nearest));
}

// Gradient noise (Perlin 2002), -1 to 1.
fn smooth_noise(point: vec3<f32>, cells: i32, seed: u32) -> f32 {
    let scaled = point * f32(cells);
    let cell = vec3<i32>(floor(scaled));
    let t = scaled - floor(scaled);
    let s = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    var sum = 0.0;
    for (var i = 0; i < 8; i++) {
        let corner = vec3(i & 1, (i >> 1u) & 1, i >> 2u);
        let gradient = random(cell + corner, cells, seed) * 2.0 - 1.0;
        let weight = mix(1.0 - s, s, vec3<f32>(corner));
        sum += weight.x * weight.y * weight.z * dot(gradient, t - vec3<f32>(corner));
    }
    return sum * 1.2;
}

// Several octaves, 0 to 1.
fn smooth_octaves(point: vec3<f32>, cells: i32, count: i32, seed: u32) -> f32 {
    var sum = 0.0;
    var weight = 0.5;
    for (var octave = 0; octave < count; octave++) {
        sum += weight * smooth_noise(point, cells << u32(octave), seed + u32(octave));
        weight *= 0.55;
    }
    return saturate(0.5 + sum);
}

// x: billows of three sizes, y: smooth noise.
@compute @workgroup_size(4, 4, 4)
fn solid(@builtin(global_invocation_id) id: vec3<u32>) {
    let point = (vec3<f32>(id) + 0.5) / f32(SOLID_SIZE);
    let four = billows(point, 4, 1u);
    let eight = billows(point, 8, 2u);
    let sixteen = billows(point, 16, 3u);
    let all = 0.55 * four + 0.3 * eight + 0.15 * sixteen;
    let smooth_ = smooth_octaves(point, 4, 3, 9u);
    // The mean of billows is 0.47; they fill most of the range afterwards.
    textureStore(solid_out, id, vec4(saturate(0.5 + 2.4 * (all - 0.47)), smooth_, 0.0, 1.0));
}

// x: streaks, y and z: their bends, w: their places.
@compute @workgroup_size(8, 8)
fn flat(@builtin(global_invocation_id) id: vec3<u32>) {
    let point = vec3((vec2<f32>(id.xy) + 0.5) / f32(FLAT_SIZE), 0.5);
    let streaks = smooth_octaves(point, 6, 5, 20u);
    let bends = vec2(smooth_octaves(point, 4, 3, 30u), smooth_octaves(point, 4, 3, 40u));
    let patches = smooth_octaves(point, 3, 4, 50u);
    textureStore(flat_out, id.xy, vec4(streaks, bends, saturate(0.5 + 1.6 * (patches - 0.5))));
}
