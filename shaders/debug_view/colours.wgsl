// Colours of values, sRGB-encoded. Both scales are curves through Oklab (Ottosson 2020, "A perceptual color
// space for image processing"), whose lightness grows or falls evenly with the value: equal steps look equal,
// in grey too. Twin: src/debug_view/colours.rs.
#import "shared/srgb.wgsl"

const DEBUG_PI: f32 = 3.14159265;

// The colour of marked values (over-exposed, folded over), which no scale has.
const DEBUG_MARK: vec3<f32> = vec3(1.0, 0.0, 0.75);

// The sRGB encoding of lightness, chroma and hue.
fn debug_oklch(lightness: f32, chroma: f32, hue_deg: f32) -> vec3<f32> {
    let hue = hue_deg * DEBUG_PI / 180.0;
    let a = chroma * cos(hue);
    let b = chroma * sin(hue);
    let roots = vec3(
        lightness + 0.3963377774 * a + 0.2158037573 * b,
        lightness - 0.1055613458 * a - 0.0638541728 * b,
        lightness - 0.0894841775 * a - 1.2914855480 * b,
    );
    let cones = roots * roots * roots;
    let linear = vec3(
        dot(cones, vec3(4.0767416621, -3.3077115913, 0.2309699292)),
        dot(cones, vec3(-1.2684380046, 2.6097574011, -0.3413193965)),
        dot(cones, vec3(-0.0041960863, -0.7034186147, 1.7076147010)),
    );
    return srgb_encode(clamp(linear, vec3(0.0), vec3(1.0)));
}

// The colour of a value from 0 to 1, from dark violet by teal to light yellow.
fn debug_sequential(value: f32) -> vec3<f32> {
    let t = saturate(value);
    return debug_oklch(0.24 + 0.68 * t, 0.12 + (0.25 * t - 0.2) * t, 300.0 - 195.0 * t);
}

// The colour of a value from -1 to 1, from blue by white, which is 0, to red.
fn debug_diverging(value: f32) -> vec3<f32> {
    let t = min(abs(value), 1.0);
    return debug_oklch(
        0.96 - 0.54 * t, 0.34 * t * (1.0 - 0.62 * t), select(38.0, 260.0, value < 0.0));
}

// Eight colours that any colour vision distinguishes (Okabe and Ito 2008, "Color universal design"), with
// lightened black, repeated.
fn debug_category(index: u32) -> vec3<f32> {
    var colours = array(
        vec3(0.90, 0.60, 0.00),
        vec3(0.35, 0.70, 0.90),
        vec3(0.00, 0.60, 0.50),
        vec3(0.95, 0.90, 0.25),
        vec3(0.00, 0.45, 0.70),
        vec3(0.80, 0.40, 0.00),
        vec3(0.80, 0.60, 0.70),
        vec3(0.55, 0.55, 0.55),
    );
    return colours[index % 8u];
}
