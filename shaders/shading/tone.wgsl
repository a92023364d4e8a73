// From the HDR target to a display: a filmic curve, the display's encoding, and dither.
#import "shared/srgb.wgsl"

struct ToneUniform {
    // The target encodes to sRGB by itself.
    target_encodes: u32,
    // One step of the target's encoding, 0 for no dither.
    dither_step: f32,
    frame: u32,
}

@group(0) @binding(0) var<uniform> tone: ToneUniform;
@group(0) @binding(1) var hdr: texture_2d<f32>;

// Light is mixed across channels before the curve and unmixed after it, as the layers of a film
// do: saturated light bleaches on its way up instead of clipping to a pure primary.
const CROSSTALK: f32 = 0.12;
const CONTRAST: f32 = 1.5;
const MIDDLE_GREY: f32 = 0.18;
// Share of the hue that the curve alone would give; the rest keeps the hue of the scene.
const HUE_DRIFT: f32 = 0.5;
// Saturation of dark colours over that of the scene; highlights get what the curve leaves.
const SATURATION: f32 = 1.1;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2(f32((index << 1u) & 2u), f32(index & 2u));
    return vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}

// A logistic of log exposure (Naka and Rushton 1966, Reinhard and Devlin 2005), through middle
// grey, towards 1.
fn filmic_curve(x: vec3<f32>) -> vec3<f32> {
    let raised = pow(max(x, vec3(0.0)), vec3(CONTRAST));
    let knee = pow(MIDDLE_GREY, CONTRAST) * (1.0 - MIDDLE_GREY) / MIDDLE_GREY;
    return raised / (raised + knee);
}

// Linear sRGB from scene light, middle grey at 0.18, to display light in 0..1.
fn tone_map(scene: vec3<f32>) -> vec3<f32> {
    let light = clamp(scene, vec3(0.0), vec3(60000.0));
    let mean = dot(light, vec3(1.0 / 3.0));
    let mixed = mix(light, vec3(mean), CROSSTALK);
    let curved = filmic_curve(mixed);

    // The curve bends each channel by itself, which turns orange to yellow and blue to cyan. Put
    // the middle channel back to where it stood between the outer two.
    let low = min(mixed.r, min(mixed.g, mixed.b));
    let high = max(mixed.r, max(mixed.g, mixed.b));
    let curved_low = min(curved.r, min(curved.g, curved.b));
    let curved_high = max(curved.r, max(curved.g, curved.b));
    let position = (mixed - low) / max(high - low, 1e-6);
    let same_hue = curved_low + position * (curved_high - curved_low);
    let kept = mix(same_hue, curved, HUE_DRIFT);

    // Unmix, as far as that takes no channel out of 0..1.
    let grey = dot(kept, vec3(1.0 / 3.0));
    let below = max(grey - min(kept.r, min(kept.g, kept.b)), 1e-6);
    let above = max(max(kept.r, max(kept.g, kept.b)) - grey, 1e-6);
    let wanted = mix(SATURATION / (1.0 - CROSSTALK), 1.0, grey);
    return grey + (kept - grey) * min(wanted, min(grey / below, (1.0 - grey) / above));
}

// Noise in -1..1 with a triangular density, from the additive recurrence of the plastic number
// (Roberts 2018): neighbours differ as much as they can, so that the eye averages it away.
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

@fragment
fn fragment(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<u32>(position.xy);
    let scene = textureLoad(hdr, pixel, 0).rgb;
    let encoded = srgb_encode(tone_map(scene));
    let dithered = clamp(
        encoded + dither_noise(pixel, tone.frame) * tone.dither_step, vec3(0.0), vec3(1.0),
    );
    let result = select(dithered, srgb_decode(dithered), tone.target_encodes != 0u);
    return vec4(result, 1.0);
}
