//! The twin of `debug_view/colours.wgsl`: colours of values, as sRGB of 0 to 1.
//!
//! ```
//! use seaway::debug_view::colours::{category, diverging, sequential};
//!
//! assert!(sequential(1.0)[1] > sequential(0.0)[1]); // dark to light
//! assert!(diverging(-1.0)[2] > diverging(-1.0)[0]); // blue below 0
//! assert_ne!(category(0), category(1));
//! ```

/// The colour of marked values (over-exposed, folded over), which no scale has.
pub const MARK: [f64; 3] = [1.0, 0.0, 0.75];

/// The colour of a value from 0 to 1, from dark violet by teal to light yellow, of evenly growing lightness.
pub fn sequential(value: f64) -> [f64; 3] {
    let t = value.clamp(0.0, 1.0);
    oklch(0.24 + 0.68 * t, 0.12 + (0.25 * t - 0.2) * t, 300.0 - 195.0 * t)
}

/// The colour of a value from -1 to 1, from blue by white, which is 0, to red.
pub fn diverging(value: f64) -> [f64; 3] {
    let t = value.abs().min(1.0);
    let hue_deg = if value < 0.0 { 260.0 } else { 38.0 };
    oklch(0.96 - 0.54 * t, 0.34 * t * (1.0 - 0.62 * t), hue_deg)
}

/// One of the eight colours of Okabe and Ito (2008), repeated.
pub fn category(index: u32) -> [f64; 3] {
    const COLOURS: [[f64; 3]; 8] = [
        [0.90, 0.60, 0.00],
        [0.35, 0.70, 0.90],
        [0.00, 0.60, 0.50],
        [0.95, 0.90, 0.25],
        [0.00, 0.45, 0.70],
        [0.80, 0.40, 0.00],
        [0.80, 0.60, 0.70],
        [0.55, 0.55, 0.55],
    ];
    COLOURS[index as usize % 8]
}

fn oklch(lightness: f64, chroma: f64, hue_deg: f64) -> [f64; 3] {
    linear(lightness, chroma, hue_deg).map(|linear| encode(linear.clamp(0.0, 1.0)))
}

/// Linear sRGB of a colour in Oklab (Ottosson 2020).
fn linear(lightness: f64, chroma: f64, hue_deg: f64) -> [f64; 3] {
    let (sin, cos) = hue_deg.to_radians().sin_cos();
    let (a, b) = (chroma * cos, chroma * sin);
    let [l, m, s] = [
        lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b,
        lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b,
        lightness - 0.089_484_177_5 * a - 1.291_485_548 * b,
    ]
    .map(|root| root.powi(3));
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
    ]
}

fn encode(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lightness in Oklab, by the inverse of the matrices above.
    fn lightness(encoded: [f64; 3]) -> f64 {
        let [r, g, b] = encoded
            .map(|c| if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) });
        let l = 0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b;
        let m = 0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b;
        let s = 0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b;
        0.210_454_255_3 * l.cbrt() + 0.793_617_785 * m.cbrt() - 0.004_072_046_8 * s.cbrt()
    }

    #[test]
    fn scales_have_even_lightness_and_unclipped_colours() {
        for step in 0..=100 {
            let t = f64::from(step) / 100.0;
            assert!((lightness(sequential(t)) - (0.24 + 0.68 * t)).abs() < 1e-4, "at {t}");
            for sign in [-1.0, 1.0] {
                let found = lightness(diverging(sign * t));
                assert!((found - (0.96 - 0.54 * t)).abs() < 1e-4, "at {sign} {t}: {found}");
            }
        }
    }

    #[test]
    fn values_beyond_a_scale_get_its_end_colour() {
        assert_eq!(sequential(7.0), sequential(1.0));
        assert_eq!(diverging(-7.0), diverging(-1.0));
        assert_ne!(diverging(1.0), diverging(-1.0));
        let [r, g, b] = diverging(0.0);
        assert!((r - g).abs() < 1e-3 && (g - b).abs() < 1e-3, "{r} {g} {b}");
    }
}
