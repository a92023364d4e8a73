// From the HDR target to a display: a filmic curve, the display's encoding, and dither.
#import "shared/srgb.wgsl"
#import "shading/samples.wgsl"

struct ToneUniform {
    // Not 0 where the target encodes to sRGB by itself.
    target_encodes: u32,
    // One step of the target's encoding, 0 for no dither.
    dither_step: f32,
    frame: u32,
    // The added share of `glare`, and the share of the light that stays.
    scattered: f32,
    unscattered: f32,
}

@group(0) @binding(0) var<uniform> tone: ToneUniform;
@group(0) @binding(1) var hdr: texture_2d<f32>;
@group(0) @binding(2) var glare: texture_2d<f32>;
@group(0) @binding(3) var glare_sampler: sampler;

// Light is mixed across channels before the curve and unmixed after it, as the layers of a film
// do: saturated light bleaches on its way up instead of clipping to a pure primary.
const CROSSTALK: f32 = 0.06;
const MIDDLE_GREY: f32 = 0.18;
// The light that is white, seven and a half stops over middle grey.
const WHITE: f32 = 32.0;
// The constant that maps middle grey to itself.
const KNEE: f32 = 0.2475464;
// The share of light that keeps its hue and saturation where the curve alone would bleach it. It extends some
// stops beyond white: the sun's path at sunset stays golden, and its disc does not.
const HUE_KEPT: f32 = 0.5;
const HUE_KEPT_STOPS: vec2<f32> = vec2(-3.0, 3.0);
// The saturation of dark colours relative to the scene's; highlights keep that of the curve.
const SATURATION: f32 = 1.12;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2(f32((index << 1u) & 2u), f32(index & 2u));
    return vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}

// The square of a hyperbola (Naka and Rushton 1966) through middle grey, with a slope of 1.16 there and a long
// shoulder up to WHITE, so that sunlit surfaces keep their shape.
fn filmic_curve(x: vec3<f32>) -> vec3<f32> {
    let raised = min(x * (1.0 + KNEE / WHITE) / (x + KNEE), vec3(1.0));
    return raised * raised;
}

// Linear sRGB from scene light, middle grey at 0.18, to display light in 0..1.
fn tone_map(scene: vec3<f32>) -> vec3<f32> {
    let light = clamp(scene, vec3(0.0), vec3(60000.0));
    let mean = dot(light, vec3(1.0 / 3.0));
    let mixed = mix(light, vec3(mean), CROSSTALK);
    let curved = filmic_curve(mixed);

    // The curve bends each channel by itself, which turns orange into yellow.
    let high = max(max(mixed.r, max(mixed.g, mixed.b)), 1e-6);
    let same_hue = mixed * (filmic_curve(vec3(high)).x / high);
    let stops = log2(high / WHITE);
    let bleached =
        saturate((stops - HUE_KEPT_STOPS.x) / (HUE_KEPT_STOPS.y - HUE_KEPT_STOPS.x));
    let kept = mix(curved, same_hue, HUE_KEPT * (1.0 - bleached));

    // Unmixes, as far as that keeps all channels in 0..1.
    let grey = dot(kept, vec3(1.0 / 3.0));
    let below = max(grey - min(kept.r, min(kept.g, kept.b)), 1e-6);
    let above = max(max(kept.r, max(kept.g, kept.b)) - grey, 1e-6);
    let wanted = mix(SATURATION / (1.0 - CROSSTALK), 1.0, grey);
    return grey + (kept - grey) * min(wanted, min(grey / below, (1.0 - grey) / above));
}

// Noise in -1..1 with a triangular density, from the additive recurrence of the plastic number (Roberts 2018):
// neighbours differ as much as possible, so that the eye averages the noise.
fn dither_noise(pixel: vec2<u32>, frame: u32) -> vec3<f32> {
    let phase = pixel.x * 3242174889u + pixel.y * 2447445414u + frame * 2654435769u;
    let uniform_noise = vec3(
        f32(phase),
        f32(phase + 1431655765u),
        f32(phase + 2863311530u),
    ) / 4294967296.0;
    let centred = 2.0 * uniform_noise - 1.0;
    return sign(centred) * (1.0 - sqrt(max(1.0 - abs(centred), vec3(0.0))));
}

// The light that the lens scattered onto a pixel (shading/glare.wgsl).
fn scattered_light(position: vec2<f32>) -> vec3<f32> {
    let uv = position / vec2<f32>(textureDimensions(hdr));
    return tone.scattered * textureSampleLevel(glare, glare_sampler, uv, 0.0).rgb;
}

// The picture has 16-bit floats on the way to its target, whose rounding depends on the device: whole steps of
// the target's encoding arrive unchanged.
fn displayed(light: vec3<f32>, pixel: vec2<u32>) -> vec4<f32> {
    let encoded = srgb_encode(light);
    let dithered = clamp(
        encoded + dither_noise(pixel, tone.frame) * tone.dither_step, vec3(0.0), vec3(1.0),
    );
    let step = max(tone.dither_step, 1e-6);
    let whole = select(dithered, round(dithered / step) * step, tone.dither_step > 0.0);
    let result = select(whole, srgb_decode(whole), tone.target_encodes != 0u);
    return vec4(result, 1.0);
}

// The picture in the target's encoding.
@group(2) @binding(0) var mapped: texture_storage_2d<rgba16float, write>;

fn keep_mapped(pixel: vec2<u32>, light: vec3<f32>) {
    textureStore(mapped, pixel, displayed(light, pixel));
}

@compute @workgroup_size(8, 8)
fn map_pixels(@builtin(global_invocation_id) id: vec3<u32>) {
    if any(id.xy >= textureDimensions(mapped)) {
        return;
    }
    let scene = tone.unscattered * textureLoad(hdr, id.xy, 0).rgb;
    keep_mapped(id.xy, tone_map(scene + scattered_light(vec2<f32>(id.xy) + 0.5)));
}

// Maps each sample by itself, and then takes the mean: edges much brighter than white would otherwise have
// steps.
@compute @workgroup_size(8, 8)
fn map_samples(@builtin(global_invocation_id) id: vec3<u32>) {
    if any(id.xy >= textureDimensions(mapped)) {
        return;
    }
    let scattered = scattered_light(vec2<f32>(id.xy) + 0.5);
    let count = textureNumLayers(lights);
    let over = overlay_at(id.xy);
    var light = vec3(0.0);
    for (var sample = 0u; sample < count; sample++) {
        let scene = tone.unscattered * light_of_sample(id.xy, sample, over);
        light += tone_map(scene + scattered) / f32(count);
    }
    keep_mapped(id.xy, light);
}
