//! Twin of `shaders/shading/tone.wgsl`, in double precision.
//!
//! Shared by unit tests and integration tests, each of which includes this file.

/// sRGB's encoding of linear light.
pub fn encode(linear: f64) -> f64 {
    if linear <= 0.0031308 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// The twin of the shader's `filmic_curve`.
fn filmic_curve(x: f64) -> f64 {
    let (white, knee) = (32.0, 0.2475464);
    let raised = (x * (1.0 + knee / white) / (x + knee)).min(1.0);
    raised * raised
}

/// Twin of `tone_map`: display light in 0..1 of scene light.
pub fn tone_map(scene: [f64; 3]) -> [f64; 3] {
    let mean = |colour: [f64; 3]| colour.iter().sum::<f64>() / 3.0;
    let least = |[r, g, b]: [f64; 3]| r.min(g).min(b);
    let most = |[r, g, b]: [f64; 3]| r.max(g).max(b);
    let light = scene.map(|c| c.clamp(0.0, 60_000.0));
    let mixed = light.map(|c| c + (mean(light) - c) * 0.06);
    let high = most(mixed).max(1e-6);
    let bleached = (((high / 32.0).log2() + 3.0) / 6.0).clamp(0.0, 1.0);
    let kept = mixed.map(|c| {
        let same_hue = c * filmic_curve(high) / high;
        let curved = filmic_curve(c);
        curved + (same_hue - curved) * 0.5 * (1.0 - bleached)
    });
    let grey = mean(kept);
    let below = (grey - least(kept)).max(1e-6);
    let above = (most(kept) - grey).max(1e-6);
    let wanted = 1.12 / 0.94 + (1.0 - 1.12 / 0.94) * grey;
    let room = (grey / below).min((1.0 - grey) / above);
    kept.map(|c| grey + (c - grey) * wanted.min(room))
}
