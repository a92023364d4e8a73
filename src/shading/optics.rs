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
/// The optical properties of water in linear sRGB, in the layout of `WaterOptics` of [`water_wgsl`].
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
        let properties = |index| inherent_properties(turbidity, index);
        Self {
            // Gordon et al. 1975, Morel and Prieur 1977: R = 0.33 b_b / (a + b_b).
            reflectance: linear_srgb(|index| {
                let (absorption, _, backscattering) = properties(index);
                0.33 * backscattering / (absorption + backscattering)
            }),
            absorption_per_m: attenuation_per_m(CREST_PATH_M, |index| properties(index).0),
            diffuse_attenuation_per_m: attenuation_per_m(DEPTH_M, |index| {
                diffuse_attenuation_per_m(turbidity, index)
            }),
            scattering_per_m: linear_srgb(|index| properties(index).1),
            bubbles: linear_srgb(|index| BUBBLES * (-properties(index).0 * BUBBLES_PATH_M).exp()),
            ..bytemuck::Zeroable::zeroed()
        }
    }
}

/// WGSL functions for the light in water, such as an underside or a dive needs them beside
/// [`maps::sample_wgsl`](crate::maps::sample_wgsl). They import and bind nothing, and their names all start with
/// `water`, `Water` or `WATER_`:
///
/// - `water_transmittance(optics, distance_m)`: the share of light that remains on its way;
/// - `water_inscatter(optics, light, depth_m, direction, distance_m)`: the radiance that the water adds between
///   the eye and a place in `direction`, and `water_inscatter_without_end` downwards;
/// - `water_entering(light)`: the irradiance beneath the surface, and `water_fresnel(cosine)`, its reflectance.
///
/// `optics` is a [`WaterOptics`] in a uniform of yours, and `light` the sun and the sky above the water, as
/// `WaterLight(to_sun, sun_irradiance, sky_irradiance)`.
///
/// ```
/// use seaway::shading::{WaterOptics, water_wgsl};
///
/// let wgsl = water_wgsl().to_owned() + "
///     @group(0) @binding(0) var<uniform> optics: WaterOptics;
///     // The radiance that reaches the eye from an object with `radiance`.
///     fn seen(radiance: vec3<f32>, light: WaterLight, eye: vec3<f32>, to_object: vec3<f32>) -> vec3<f32> {
///         let distance_m = length(to_object);
///         let along = to_object / distance_m;
///         return radiance * water_transmittance(optics, distance_m)
///             + water_inscatter(optics, light, -eye.y, along, distance_m);
///     }";
/// let uniform = WaterOptics::of(0.15);
/// let bytes: &[u8] = bytemuck::bytes_of(&uniform);
/// # assert_eq!(bytes.len(), 80);
/// ```
pub fn water_wgsl() -> &'static str {
    include_str!("../../shaders/shading/water_light.wgsl")
}

/// Absorption, scattering by particles and backscattering, all per metre, at a wavelength of the tables.
fn inherent_properties(turbidity: f64, index: usize) -> (f64, f64, f64) {
    let turbidity = turbidity.clamp(0.0, 1.0);
    let chlorophyll = 0.04 * 200f64.powf(turbidity);
    let coastal = turbidity * turbidity;
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
}

/// The attenuation of the irradiance from above (K_d) by Lee, Du and Arnone (2005), per metre.
fn diffuse_attenuation_per_m(turbidity: f64, index: usize) -> f64 {
    let (absorption, _, backscattering) = inherent_properties(turbidity, index);
    (1.0 + 0.005 * DAYLIGHT_ZENITH_DEG) * absorption
        + 4.18 * (1.0 - 0.52 * (-10.8 * absorption).exp()) * backscattering
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
    use std::f64::consts::PI;

    use super::*;
    use crate::gpu::{Uniform, bindings, filled};
    use crate::shading::tests::context;
    use seaway_core::testing::tolerance::near;

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

    /// The functions alone, as another program uses them: a level look with the sun overhead, whose light
    /// turns by a right angle, and a look straight down, which sees the water's reflectance.
    #[test]
    fn functions_for_embedders_follow_closed_forms() {
        const DEPTH_M: f64 = 2.0;
        const DISTANCE_M: f64 = 7.0;
        let optics = WaterOptics::of(0.3);
        let wgsl = water_wgsl().to_owned()
            + "@group(0) @binding(0) var<uniform> optics: WaterOptics;
               @group(0) @binding(1) var<storage, read_write> out: array<vec4<f32>>;
               @compute @workgroup_size(1)
               fn test() {
                   let light = WaterLight(vec3(0.0, 1.0, 0.0), vec3(3.0), vec3(0.0));
                   let along = vec3(1.0, 0.0, 0.0);
                   let down = vec3(0.0, -1.0, 0.0);
                   out[0] = vec4(water_transmittance(optics, 7.0), 0.0);
                   out[1] = vec4(water_inscatter(optics, light, 2.0, along, 7.0), 0.0);
                   out[2] = vec4(water_inscatter_without_end(optics, light, 0.0, down), 0.0);
                   out[3] = vec4(water_entering(light), water_fresnel(1.0));
               }";
        let device = &context().device;
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let out = filled(device, "test", usage, &[0; 64]);
        let uniform = Uniform::with(device, "test", &optics);
        let types = [
            (bindings::uniform(), &uniform as &dyn bindings::Resource),
            (bindings::storage_read_write(), &out),
        ];
        let group = bindings::bind(device, "test", wgpu::ShaderStages::COMPUTE, &types);
        context().run(&wgsl, "test", &[Some((&*group.layout, &group.bind_group))], [1, 1]);
        let found: Vec<[f32; 4]> = context().read(&out);
        let reflected = (0.34_f64 / 2.34).powi(2);
        let entering = 3.0 * (1.0 - reflected);
        near(f64::from(found[3][3]), reflected, 1e-6, "reflectance straight down");
        for channel in 0..3 {
            let of = |per_m: [f32; 3]| f64::from(per_m[channel]);
            let (scattered, reflectance) = (of(optics.scattering_per_m), of(optics.reflectance));
            let down_per_m = of(optics.diffuse_attenuation_per_m);
            let lost = of(optics.absorption_per_m) + 0.4 * scattered;
            let transmitted = (-lost * DISTANCE_M).exp();
            // Henyey and Greenstein at a right angle, and the share of it that the path's light has.
            let phase = 0.64 / (4.0 * PI * 1.36_f64.powf(1.5));
            let t = 1.0_f64 / 1.4;
            let source = reflectance * entering / PI * (lost + down_per_m)
                + scattered * entering * phase * t * t * (3.0 - 2.0 * t);
            let added = source * (-down_per_m * DEPTH_M).exp() * (1.0 - transmitted) / lost;
            for (found, expected, what) in [
                (found[0], transmitted, "transmittance"),
                (found[1], added, "light along a level path"),
                (found[2], reflectance * entering / PI, "light of water without end"),
                (found[3], entering, "light that enters"),
            ] {
                near(f64::from(found[channel]), expected, 1e-4 * expected, what);
            }
        }
    }

    /// K_d per metre at 475, 500 and 550 nm of the water types of Jerlov (1976, table XXVII).
    const JERLOV: [(&str, [f64; 3]); 10] = [
        ("I", [0.018, 0.027, 0.063]),
        ("IA", [0.025, 0.032, 0.067]),
        ("IB", [0.033, 0.042, 0.072]),
        ("II", [0.062, 0.070, 0.089]),
        ("III", [0.116, 0.115, 0.120]),
        ("1C", [0.17, 0.14, 0.12]),
        ("3C", [0.29, 0.22, 0.19]),
        ("5C", [0.43, 0.36, 0.30]),
        ("7C", [0.71, 0.58, 0.46]),
        ("9C", [1.23, 0.99, 0.63]),
    ];

    /// The table of `docs/frame.md` has the presets' types and figures, none more than 1.26 times off.
    #[test]
    fn presets_have_the_documented_jerlov_types() {
        let page = include_str!("../../docs/frame.md");
        for (turbidity, water_type) in
            [(0.0, "IB"), (0.05, "IB"), (0.15, "IB"), (0.3, "II"), (0.8, "3C"), (1.0, "5C")]
        {
            let ours = [475.0, 500.0, 550.0].map(|wavelength_nm| {
                let at = (wavelength_nm - FIRST_NM) / STEP_NM;
                let [low, high] = [at as usize, at as usize + 1]
                    .map(|index| diffuse_attenuation_per_m(turbidity, index));
                low + (high - low) * at.fract()
            });
            let distance = |theirs: &[f64; 3]| -> f64 {
                ours.iter().zip(theirs).map(|(a, b)| (a / b).ln().powi(2)).sum()
            };
            let nearest =
                JERLOV.iter().min_by(|a, b| distance(&a.1).total_cmp(&distance(&b.1))).unwrap();
            assert_eq!(nearest.0, water_type, "{turbidity}: {ours:?}");
            for (ours, theirs) in ours.iter().zip(nearest.1) {
                assert!((1.0 / 1.26..1.26).contains(&(ours / theirs)), "{ours} at {turbidity}");
            }
            let [ours, theirs] = [ours, nearest.1].map(|k| k.map(|k| format!("{k:.3}")).join(", "));
            let row = format!("| {turbidity} | {ours} | {water_type}: {theirs} |");
            assert!(page.contains(&row), "docs/frame.md lacks\n{row}");
        }
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
