// From the HDR target to a display, in place of the tone map.
#import "shading/tone.wgsl"
#import "debug_view/colours.wgsl"

// The ends of the scale, in stops over middle grey, and the grey that is white on a display of eight bits
// (src/debug_view/legend.rs).
const DEBUG_STOPS_LOW: f32 = -6.0;
const DEBUG_STOPS_HIGH: f32 = 8.0;
const DEBUG_STOPS_WHITE: f32 = 7.105;

fn display_encoded(encoded: vec3<f32>) -> vec4<f32> {
    return vec4(select(encoded, srgb_decode(encoded), tone.target_encodes != 0u), 1.0);
}

// Shows encoded colours unchanged.
@fragment
fn as_is(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let encoded = textureLoad(hdr, vec2<u32>(position.xy), 0).rgb;
    return display_encoded(clamp(encoded, vec3(0.0), vec3(1.0)));
}

// Luminance in stops over middle grey, with stripes where the tone map reaches white.
@fragment
fn luminance(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<u32>(position.xy);
    let scene = textureLoad(hdr, pixel, 0).rgb;
    let light = dot(scene, vec3(0.2126, 0.7152, 0.0722));
    let stops = log2(max(light, 1e-9) / MIDDLE_GREY);
    let scaled = (stops - DEBUG_STOPS_LOW) / (DEBUG_STOPS_HIGH - DEBUG_STOPS_LOW);
    let stripe = ((pixel.x + pixel.y) / 4u) % 2u == 0u;
    let marked = stops > DEBUG_STOPS_WHITE && stripe;
    return display_encoded(select(debug_sequential(scaled), DEBUG_MARK, marked));
}
