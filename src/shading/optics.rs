//! The colour of sea water from its contents: absorption and scattering coefficients, taken through the
//! visible spectrum once on the processor and handed to the shader as linear sRGB.
//!
//! The water is case-1 water after Morel (1988, 1991) with a chlorophyll content that follows from the
//! turbidity, plus the dissolved matter and silt of coasts (Mobley, "Light and Water", 1994, chapter 3).

use crate::gpu::wgsl_struct;

/// The refractive index of sea water, as in `shading/water_medium.wgsl`.
pub(super) const WATER_INDEX: f64 = 1.34;

/// The first wavelength of the tables below.
const FIRST_NM: f64 = 400.0;
const STEP_NM: f64 = 20.0;
const COUNT: usize = 16;

/// Absorption of pure water, 1/m (Pope and Fry 1997).
const WATER_ABSORPTION: [f64; COUNT] = [
    0.00663, 0.00454, 0.00635, 0.00979, 0.0127, 0.0204, 0.0409, 0.0474, 0.0619, 0.0896, 0.2224,
    0.2755, 0.3108, 0.410, 0.465, 0.624,
];
/// Absorption of phytoplankton relative to 440 nm (Prieur and Sathyendranath 1981).
const PIGMENT_ABSORPTION: [f64; COUNT] = [
    0.687, 0.828, 1.0, 0.917, 0.798, 0.668, 0.528, 0.416, 0.294, 0.291, 0.236, 0.276, 0.334, 0.441,
    0.502, 0.215,
];
/// Daylight, CIE D65, which is white in linear sRGB.
const DAYLIGHT: [f64; COUNT] = [
    82.75, 93.43, 104.86, 117.81, 115.92, 109.35, 104.79, 104.41, 100.0, 95.79, 90.01, 87.70,
    83.70, 80.21, 78.28, 71.61,
];

/// The path of light through the crest of a wave, in metres.
const CREST_PATH_M: f64 = 2.5;
/// The path of light through water full of bubbles, most of which are right under the surface.
const BUBBLES_PATH_M: f64 = 1.0;
/// The depth of the water under which light from above is attenuated, in metres.
const DEPTH_M: f64 = 5.0;
/// Mean angle of daylight from the vertical, for which its attenuation is meant.
const DAYLIGHT_ZENITH_DEG: f64 = 30.0;
/// The share of the light that bubbles reflect, before the water absorbs some of it.
const BUBBLES: f64 = 0.1;

wgsl_struct! {
/// The optical properties of water in linear sRGB, in the layout of `WaterOptics` in
/// `shading/sky_map.wgsl`.
#[derive(PartialEq)]
pub struct WaterOptics {
    /// Irradiance coming up just beneath the surface over the irradiance going down.
    pub reflectance: [f32; 3],
    _padding_1: f32,
    /// Absorption per metre of light that has come some metres.
    pub absorption_per_m: [f32; 3],
    _padding_2: f32,
    /// Attenuation of the irradiance from above per metre of depth.
    pub diffuse_attenuation_per_m: [f32; 3],
    _padding_3: f32,
    /// Scattering by particles per metre, mostly forwards.
    pub scattering_per_m: [f32; 3],
    _padding_4: f32,
    /// The addition to `reflectance` of water full of bubbles.
    pub bubbles: [f32; 3],
    _padding_5: f32,
}
}

impl WaterOptics {
    /// The optics at a `turbidity`: 0 is blue ocean (0.04 mg/m3 of chlorophyll), 1 green coastal water
    /// (8 mg/m3, dissolved matter and some silt).
    pub fn of(turbidity: f64) -> Self {
        let turbidity = turbidity.clamp(0.0, 1.0);
        let chlorophyll = 0.04 * 200f64.powf(turbidity);
        let coastal = turbidity * turbidity;
        let properties = |index: usize| {
            let wavelength_nm = FIRST_NM + STEP_NM * index as f64;
            // Morel 1991: pigments, and the dissolved matter that goes with them.
            let with_pigments =
                WATER_ABSORPTION[index] + 0.06 * PIGMENT_ABSORPTION[index] * chlorophyll.powf(0.65);
            let absorption = with_pigments * (1.0 + 0.2 * (-0.014 * (wavelength_nm - 440.0)).exp())
                + 0.25 * coastal * (-0.015 * (wavelength_nm - 440.0)).exp();
            // Morel 1974 for the water itself, half of it backwards.
            let molecules = 0.5 * 0.00288 * (wavelength_nm / 500.0).powf(-4.32);
            // Morel 1988: particles, and the share of their scattering that goes backwards.
            let particles = 0.3 * chlorophyll.powf(0.62) * (550.0 / wavelength_nm) + 0.5 * coastal;
            let backward = 0.002 + 0.02 * (0.5 - 0.25 * chlorophyll.log10());
            (absorption, particles, molecules + backward * particles)
        };
        Self {
            // Gordon et al. 1975, Morel and Prieur 1977: R = 0.33 b_b / (a + b_b).
            reflectance: linear_srgb(|index| {
                let (absorption, _, backscattering) = properties(index);
                0.33 * backscattering / (absorption + backscattering)
            }),
            absorption_per_m: attenuation_per_m(CREST_PATH_M, |index| properties(index).0),
            diffuse_attenuation_per_m: attenuation_per_m(DEPTH_M, |index| {
                let (absorption, _, backscattering) = properties(index);
                // Lee, Du and Arnone 2005.
                (1.0 + 0.005 * DAYLIGHT_ZENITH_DEG) * absorption
                    + 4.18 * (1.0 - 0.52 * (-10.8 * absorption).exp()) * backscattering
            }),
            scattering_per_m: linear_srgb(|index| properties(index).1),
            bubbles: linear_srgb(|index| BUBBLES * (-properties(index).0 * BUBBLES_PATH_M).exp()),
            ..bytemuck::Zeroable::zeroed()
        }
    }
}

/// The attenuation per metre in linear sRGB of daylight that has gone `path_m` through water with that
/// spectral attenuation.
fn attenuation_per_m(path_m: f64, spectral_per_m: impl Fn(usize) -> f64) -> [f32; 3] {
    linear_srgb(|index| (-spectral_per_m(index) * path_m).exp())
        .map(|left| (-f64::from(left.max(1e-3)).ln() / path_m) as f32)
}

/// The colour of a surface with that spectral reflectance in daylight; 1 everywhere is white.
fn linear_srgb(reflectance: impl Fn(usize) -> f64) -> [f32; 3] {
    let mut xyz = [0.0; 3];
    let mut white_y = 0.0;
    for (index, daylight) in DAYLIGHT.iter().enumerate() {
        let matching = colour_matching(FIRST_NM + STEP_NM * index as f64);
        white_y += daylight * matching[1];
        let light = daylight * reflectance(index);
        for (sum, matching) in xyz.iter_mut().zip(matching) {
            *sum += light * matching;
        }
    }
    let [x, y, z] = xyz.map(|sum| sum / white_y);
    // IEC 61966-2-1. Deep blue water lies outside the gamut: its red is clipped.
    [
        3.2406 * x - 1.5372 * y - 0.4986 * z,
        -0.9689 * x + 1.8758 * y + 0.0415 * z,
        0.0557 * x - 0.2040 * y + 1.0570 * z,
    ]
    .map(|channel| channel.max(0.0) as f32)
}

/// CIE 1931 colour-matching functions, as fitted by Wyman, Sloan and Shirley (2013).
fn colour_matching(wavelength_nm: f64) -> [f64; 3] {
    let lobe = |mean: f64, left: f64, right: f64| {
        let width = if wavelength_nm < mean { left } else { right };
        (-0.5 * ((wavelength_nm - mean) * width).powi(2)).exp()
    };
    [
        0.362 * lobe(442.0, 0.0624, 0.0374) + 1.056 * lobe(599.8, 0.0264, 0.0323)
            - 0.065 * lobe(501.1, 0.0490, 0.0382),
        0.821 * lobe(568.8, 0.0213, 0.0247) + 0.286 * lobe(530.9, 0.0613, 0.0322),
        1.217 * lobe(437.0, 0.0845, 0.0278) + 0.681 * lobe(459.0, 0.0385, 0.0725),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_white() {
        for channel in linear_srgb(|_| 1.0) {
            assert!((channel - 1.0).abs() < 0.03, "{channel}");
        }
    }

    #[test]
    fn clear_water_is_blue_and_coastal_water_green() {
        let [red, green, blue] = WaterOptics::of(0.0).reflectance;
        assert!(blue > 2.0 * green && green > 2.0 * red, "{red} {green} {blue}");
        assert!((0.02..0.2).contains(&blue), "{blue}");
        let [red, green, blue] = WaterOptics::of(1.0).reflectance;
        assert!(green > blue && green > red, "{red} {green} {blue}");
        assert!((0.005..0.2).contains(&green), "{green}");
    }

    #[test]
    fn no_water_gives_back_more_light_than_it_gets() {
        for turbidity in [-1.0, 0.0, 0.15, 0.5, 0.8, 1.0, 2.0] {
            let optics = WaterOptics::of(turbidity);
            println!("{turbidity}: {optics:?}");
            for channel in optics.reflectance.into_iter().chain(optics.bubbles) {
                assert!((0.0..0.9).contains(&channel), "{channel} at {turbidity}");
            }
            let [red, green, blue] = optics.absorption_per_m;
            assert!(blue > 0.0 && green > 0.0 && red > green, "{red} {green} {blue}");
        }
    }
}
