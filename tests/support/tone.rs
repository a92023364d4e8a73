//! Twin of `shaders/shading/tone.wgsl`, in double precision.
//!
//! Shared by unit tests and integration tests, each of which includes this file.

/// sRGB's encoding of linear light.
pub fn encode(linear: f64) -> f64 {
    if linear <= 0.0031308 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// Twin of `tone_map`: display light in 0..1 of scene light.
pub fn tone_map(scene: [f64; 3]) -> [f64; 3] {
    let mean = |colour: [f64; 3]| colour.iter().sum::<f64>() / 3.0;
    let least = |[r, g, b]: [f64; 3]| r.min(g).min(b);
    let most = |[r, g, b]: [f64; 3]| r.max(g).max(b);
    let light = scene.map(|c| c.clamp(0.0, 60_000.0));
    let mixed = light.map(|c| c + (mean(light) - c) * 0.12);
    let knee = 0.18_f64.powf(1.5) * 0.82 / 0.18;
    let curved = mixed.map(|c| c.powf(1.5) / (c.powf(1.5) + knee));
    let (low, range) = (least(mixed), (most(mixed) - least(mixed)).max(1e-6));
    let kept: [f64; 3] = std::array::from_fn(|i| {
        let position = (mixed[i] - low) / range;
        let same_hue = least(curved) + position * (most(curved) - least(curved));
        0.5 * (same_hue + curved[i])
    });
    let grey = mean(kept);
    let below = (grey - least(kept)).max(1e-6);
    let above = (most(kept) - grey).max(1e-6);
    let wanted = 1.25 + (1.0 - 1.25) * grey;
    let room = (grey / below).min((1.0 - grey) / above);
    kept.map(|c| grey + (c - grey) * wanted.min(room))
}
