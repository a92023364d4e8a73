// Glare: the light that a lens, or an eye, scatters on its way to the picture, over angles from a fraction of a
// pixel to the whole picture. Scattered light falls by the square of the angle (Vos 1984; Spencer, Shirley,
// Zimmerman and Greenberg 1995): each doubling of the angle gets the same share. So each level of a pyramid is
// as bright as the next, and their sum is the glare.

@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var source_sampler: sampler;
@group(0) @binding(2) var level_out: texture_storage_2d<rgba16float, write>;
// The level itself, where levels are added up.
@group(0) @binding(3) var level: texture_2d<f32>;

// Keeps the sum of all levels within the range of 16-bit floats.
const GLARE_SCALE: f32 = 0.0625;

fn source_at(uv: vec2<f32>) -> vec3<f32> {
    return textureSampleLevel(source, source_sampler, uv, 0.0).rgb;
}

// Halves a level, by a tent over four of its texels each way, so that small moving lights do not flicker (after
// Jimenez 2014).
fn halved(id: vec2<u32>) -> vec3<f32> {
    let size = vec2<f32>(textureDimensions(level_out));
    let uv = (vec2<f32>(id) + 0.5) / size;
    let step = 1.0 / vec2<f32>(textureDimensions(source));
    var sum = vec3(0.0);
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let weight = f32((2 - abs(x)) * (2 - abs(y))) / 16.0;
            sum += weight * source_at(uv + 1.2 * vec2(f32(x), f32(y)) * step);
        }
    }
    return sum;
}

@compute @workgroup_size(8, 8)
fn first(@builtin(global_invocation_id) id: vec3<u32>) {
    if all(id.xy < textureDimensions(level_out)) {
        textureStore(level_out, id.xy, vec4(GLARE_SCALE * halved(id.xy), 1.0));
    }
}

@compute @workgroup_size(8, 8)
fn down(@builtin(global_invocation_id) id: vec3<u32>) {
    if all(id.xy < textureDimensions(level_out)) {
        textureStore(level_out, id.xy, vec4(halved(id.xy), 1.0));
    }
}

// Adds a level and the sum of all coarser ones.
@compute @workgroup_size(8, 8)
fn up(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(level_out);
    if any(id.xy >= size) {
        return;
    }
    let uv = (vec2<f32>(id.xy) + 0.5) / vec2<f32>(size);
    let step = 1.0 / vec2<f32>(textureDimensions(source));
    var sum = textureLoad(level, id.xy, 0).rgb;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let weight = f32((2 - abs(x)) * (2 - abs(y))) / 16.0;
            sum += weight * source_at(uv + vec2(f32(x), f32(y)) * step);
        }
    }
    textureStore(level_out, id.xy, vec4(sum, 1.0));
}
