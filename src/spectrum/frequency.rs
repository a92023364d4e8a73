//! Frequency spectra S(omega): the distribution of the surface's variance over frequencies.
//!
//! ```
//! use seaway::spectrum::frequency::*;
//!
//! // A wind of 12 m/s over 80 km.
//! let (alpha, peak) = (jonswap_alpha(12.0, 80e3), jonswap_peak(12.0, 80e3));
//! assert!(jonswap_m2_s(peak, alpha, peak, 3.3) > jonswap_m2_s(1.2 * peak, alpha, peak, 3.3));
//! // The sea would grow on to that of Pierson and Moskowitz, with longer and higher waves.
//! assert!(pierson_moskowitz_peak(12.0) < peak);
//! assert!((3.0..4.0).contains(&pierson_moskowitz_height(12.0)));
//! // Shallow water has less of the long waves (TMA).
//! assert!(kitaigorodskii(0.5) < kitaigorodskii(1.5));
//! // The curvature of the waves of Elfouhaily et al. in rad, at a wavenumber.
//! let inverse_wave_age = Elfouhaily::inverse_wave_age(12.0, 80e3);
//! let waves = Elfouhaily::new(12.0, inverse_wave_age * 9.81 / 12.0, 7.4e-5);
//! assert!(waves.curvature(10.0) > 0.0);
//! ```

use std::f64::consts::TAU;
use std::sync::Arc;

use super::Dispersion;
use super::dispersion::GRAVITY_MPS2;
use super::distribution::Distribution;
use super::recorded::RecordedWaves;
use super::wind::{SHORTEST_RAD_PER_M, SLOWEST_MPS, SLOWEST_RAD_PER_M, friction_velocity_mps};
use crate::settings::{SeaState, SpectrumModel};

/// JONSWAP's shape: alpha g^2 omega^-5 exp(-1.25 (omega_p/omega)^4) gamma^r, in m2 s/rad
/// (Hasselmann et al. 1973). With gamma = 1 it is Pierson and Moskowitz's.
pub fn jonswap_m2_s(omega: f64, alpha: f64, omega_p: f64, gamma: f64) -> f64 {
    let ratio = omega_p / omega;
    let decay = 1.25 * ratio * ratio * ratio * ratio;
    // Also catches 0 and below; omega^-5 would overflow long after the exponential has vanished.
    if omega.is_nan() || omega <= 0.0 || decay > 600.0 {
        return 0.0;
    }
    let sigma = if omega <= omega_p { 0.07 } else { 0.09 };
    let offset = (omega - omega_p) / (sigma * omega_p);
    let r = libm::exp(-0.5 * offset * offset);
    let omega_2 = omega * omega;
    alpha * GRAVITY_MPS2 * GRAVITY_MPS2 / (omega_2 * omega_2 * omega)
        * libm::exp(-decay + r * libm::log(gamma))
}

/// JONSWAP's alpha = 0.076 (U^2/(g F))^0.22 for a wind `u` at 10 m over a fetch, in m/s and **metres**.
pub fn jonswap_alpha(u: f64, fetch_m: f64) -> f64 {
    0.076 * libm::pow(u * u / (GRAVITY_MPS2 * fetch_m), 0.22)
}

/// JONSWAP's omega_p = 22 (g^2/(U F))^(1/3), in rad/s.
pub fn jonswap_peak(u: f64, fetch_m: f64) -> f64 {
    22.0 * libm::cbrt(GRAVITY_MPS2 * GRAVITY_MPS2 / (u * fetch_m))
}

/// The alpha of Pierson and Moskowitz's spectrum.
pub const PIERSON_MOSKOWITZ_ALPHA: f64 = 0.0081;

/// U omega_p/g of a fully developed sea (Pierson and Moskowitz 1964, for the wind at 10 m): the
/// wind no longer outruns the waves at the peak.
pub const FULLY_DEVELOPED: f64 = 0.855;

/// Pierson and Moskowitz's omega_p = 0.855 g/U, in rad/s.
pub fn pierson_moskowitz_peak(u: f64) -> f64 {
    FULLY_DEVELOPED * GRAVITY_MPS2 / u
}

/// Hs in metres of a sea that a wind `u` has fully developed: the integral of Pierson and
/// Moskowitz's spectrum is alpha g^2/(5 omega_p^4).
pub fn pierson_moskowitz_height(u: f64) -> f64 {
    let peak = pierson_moskowitz_peak(u);
    4.0 * (PIERSON_MOSKOWITZ_ALPHA / 5.0).sqrt() * GRAVITY_MPS2 / (peak * peak)
}

/// U omega_p/g of Phillips' spectrum, (4/5)^(1/4): where exp(-1/(k L)^2), L = U^2/g, is Pierson and
/// Moskowitz's exponential.
const PHILLIPS_PEAK: f64 = 0.945_741_609_003_176;

/// Kitaigorodskii's phi: the share of a deep sea's S(omega) that water of finite depth carries,
/// by omega_h = omega sqrt(d/g) (Bouws et al. 1985; the usual approximation within 4%).
pub fn kitaigorodskii(omega_h: f64) -> f64 {
    if omega_h <= 1.0 {
        0.5 * omega_h * omega_h
    } else if omega_h < 2.0 {
        1.0 - 0.5 * (2.0 - omega_h) * (2.0 - omega_h)
    } else {
        1.0
    }
}

/// Elfouhaily et al. (1997): the curvature spectrum of a wind at 10 m and an inverse wave age
/// U omega_p/g, long waves and short ones, for every wavenumber.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elfouhaily {
    inverse_wave_age: f64,
    peak_rad_per_m: f64,
    peak_mps: f64,
    alpha_long: f64,
    alpha_short: f64,
    gamma: f64,
    sigma: f64,
    /// The relation of deep water, with the sea's surface tension.
    dispersion: Dispersion,
}

impl Elfouhaily {
    /// U omega_p/g of a fully developed sea, by this model.
    pub const FULLY_DEVELOPED: f64 = 0.84;

    /// U omega_p/g of a wind `u` over a fetch, in m/s and metres: equation 37.
    pub fn inverse_wave_age(u: f64, fetch_m: f64) -> f64 {
        let ratio = GRAVITY_MPS2 * fetch_m / (u * u) / 2.2e4;
        Self::FULLY_DEVELOPED * libm::pow(libm::tanh(libm::pow(ratio, 0.4)), -0.75)
    }

    /// The sea of a wind `u`, whose waves at the peak have frequency `omega_p`.
    pub fn new(u: f64, omega_p: f64, surface_tension_over_density: f64) -> Self {
        // No measurements exist beyond 5.
        let age = (u * omega_p / GRAVITY_MPS2).clamp(Self::FULLY_DEVELOPED, 5.0);
        let ratio = friction_velocity_mps(u) / SLOWEST_MPS;
        let slope = if ratio <= 1.0 { 1.0 } else { 3.0 };
        Self {
            inverse_wave_age: age,
            peak_rad_per_m: omega_p * omega_p / GRAVITY_MPS2,
            peak_mps: GRAVITY_MPS2 / omega_p,
            alpha_long: 6e-3 * age.sqrt(),
            alpha_short: (0.01 * (1.0 + slope * libm::log(ratio))).max(0.0),
            gamma: if age <= 1.0 { 1.7 } else { 1.7 + 6.0 * libm::log10(age) },
            sigma: 0.08 * (1.0 + 4.0 * libm::pow(age, -3.0)),
            dispersion: Dispersion { depth_m: 1e6, surface_tension_over_density },
        }
    }

    /// B(k) = k^3 times the omnidirectional spectrum, for all directions together: equations 30,
    /// 32 and 40, with the peak's shape on the short waves too.
    pub fn curvature(&self, k: f64) -> f64 {
        let ratio = k / self.peak_rad_per_m;
        let decay = 1.25 / (ratio * ratio);
        if k.is_nan() || k <= 0.0 || decay > 600.0 {
            return 0.0;
        }
        let root = ratio.sqrt() - 1.0;
        let r = libm::exp(-0.5 * root * root / (self.sigma * self.sigma));
        let shape = libm::exp(-decay + r * libm::log(self.gamma));
        let tension = k / SLOWEST_RAD_PER_M;
        let c = (GRAVITY_MPS2 / k * (1.0 + tension * tension)).sqrt();
        let fall = libm::exp(-self.inverse_wave_age / 10.0_f64.sqrt() * root);
        let long = 0.5 * self.alpha_long * (self.peak_mps / c) * fall;
        let off = tension - 1.0;
        let short = 0.5 * self.alpha_short * (SLOWEST_MPS / c) * libm::exp(-0.25 * off * off);
        shape * (long + short)
    }

    fn density_m2_s(&self, omega: f64) -> f64 {
        let deep = &self.dispersion;
        let k = deep.wavenumber_rad_per_m(omega);
        if k > 0.0 { self.curvature(k) / (k * k * k * deep.group_velocity_mps(k)) } else { 0.0 }
    }
}

/// The S(omega) of one system of waves.
#[derive(Clone, Debug, PartialEq)]
pub struct FrequencySpectrum {
    shape: Shape,
    omega_p: f64,
    /// Scales the model's variance to the requested one.
    scale: f64,
}

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Jonswap {
        alpha: f64,
        gamma: f64,
        /// Depth for Kitaigorodskii's factor, where the model has it.
        tma_depth_m: Option<f64>,
    },
    /// Pierson and Moskowitz's shape without waves of `smallest_m` and shorter.
    Phillips {
        smallest_m: f64,
    },
    Elfouhaily(Elfouhaily),
    /// A swell: a Gaussian around the peak, a tenth of it wide. The other waves have decayed on the way.
    Gaussian,
    /// The spectrum that a buoy measured, or a wave model computed.
    Recorded(Arc<RecordedWaves>),
}

impl FrequencySpectrum {
    /// The shortest peak period: shorter waves are no gravity waves, and requests for them (a slider on
    /// its way from 0) give this one.
    pub const MIN_PEAK_PERIOD_S: f64 = 0.25;

    /// Step of the integrals in ln omega: fifty to the width of JONSWAP's peak.
    const STEP: f64 = 0.0014;

    /// The lowest frequency of a model's waves that is carried, as a share of the peak's: below it
    /// exp(-1.25/0.6^4) leaves less than 1e-4 of the spectrum.
    const FIRST_OVER_PEAK: f64 = 0.6;

    /// Standard deviation of a swell's frequencies over its peak.
    const SWELL_WIDTH: f64 = 0.1;

    /// The spectrum of the wind sea of `sea`: its record or its model, with the peak period and wave height
    /// of its settings where they are given.
    pub fn of(sea: &SeaState) -> Self {
        let natural = match RecordedWaves::of(sea) {
            Some(waves) => Self {
                omega_p: waves.peak_rad_per_s(),
                shape: Shape::Recorded(Arc::new(waves)),
                scale: 1.0,
            },
            None => Self::of_model(sea),
        };
        let target = sea.significant_wave_height_m;
        if target > 0.0 { natural.of_height(target) } else { natural }
    }

    fn of_model(sea: &SeaState) -> Self {
        let u = sea.wind_speed_mps;
        let natural_peak = match sea.spectrum {
            SpectrumModel::Jonswap | SpectrumModel::Tma => jonswap_peak(u, sea.fetch_m),
            // The model ends at full development, however long the fetch.
            SpectrumModel::Elfouhaily => {
                Elfouhaily::inverse_wave_age(u, sea.fetch_m) * GRAVITY_MPS2 / u
            }
            SpectrumModel::PiersonMoskowitz => pierson_moskowitz_peak(u),
            SpectrumModel::Phillips => PHILLIPS_PEAK * GRAVITY_MPS2 / u,
        };
        let omega_p = if sea.peak_period_s > 0.0 {
            TAU / sea.peak_period_s.max(Self::MIN_PEAK_PERIOD_S)
        } else {
            natural_peak
        };
        let growing = |tma_depth_m| Shape::Jonswap {
            alpha: jonswap_alpha(u, sea.fetch_m),
            gamma: sea.peak_enhancement,
            tma_depth_m,
        };
        let shape = match sea.spectrum {
            SpectrumModel::Jonswap => growing(None),
            SpectrumModel::Tma => growing(Some(sea.depth_m)),
            SpectrumModel::PiersonMoskowitz => {
                Shape::Jonswap { alpha: PIERSON_MOSKOWITZ_ALPHA, gamma: 1.0, tma_depth_m: None }
            }
            SpectrumModel::Phillips => Shape::Phillips { smallest_m: 1e-3 * u * u / GRAVITY_MPS2 },
            SpectrumModel::Elfouhaily => {
                let tension = Dispersion::of(sea).surface_tension_over_density;
                Shape::Elfouhaily(Elfouhaily::new(u, omega_p, tension))
            }
        };
        // Phillips' A has no physical value: at its own peak it is as high as a sea that this wind has
        // fully developed.
        let scale = match sea.spectrum {
            SpectrumModel::Phillips => (PHILLIPS_PEAK / FULLY_DEVELOPED).powi(4),
            _ => 1.0,
        };
        Self { shape, omega_p, scale }
    }

    /// The spectrum of a swell with a significant height and a peak period.
    pub fn swell(height_m: f64, period_s: f64) -> Self {
        let omega_p = TAU / period_s.max(Self::MIN_PEAK_PERIOD_S);
        Self { shape: Shape::Gaussian, omega_p, scale: height_m * height_m / 16.0 }
    }

    fn of_height(self, height_m: f64) -> Self {
        let natural_m2 = self.total_variance_m2();
        // No factor makes waves of a record of flat water.
        let more = if natural_m2 > 0.0 { height_m * height_m / (16.0 * natural_m2) } else { 1.0 };
        Self { scale: self.scale * more, ..self }
    }

    /// Returns S(omega) in m2 s/rad.
    pub fn density_m2_s(&self, omega: f64) -> f64 {
        let deep = match &self.shape {
            &Shape::Jonswap { alpha, gamma, .. } => jonswap_m2_s(omega, alpha, self.omega_p, gamma),
            &Shape::Phillips { smallest_m } => {
                let small = smallest_m * omega * omega / GRAVITY_MPS2;
                jonswap_m2_s(omega, PIERSON_MOSKOWITZ_ALPHA, self.omega_p, 1.0)
                    * libm::exp(-small * small)
            }
            Shape::Elfouhaily(spectrum) => spectrum.density_m2_s(omega),
            Shape::Gaussian => {
                let width = Self::SWELL_WIDTH * self.omega_p;
                let off = (omega - self.omega_p) / width;
                if omega > 0.0 { libm::exp(-0.5 * off * off) / (width * TAU.sqrt()) } else { 0.0 }
            }
            Shape::Recorded(waves) => waves.density_m2_s(omega),
        };
        let depth = match self.shape {
            Shape::Jonswap { tma_depth_m: Some(depth_m), .. } => {
                kitaigorodskii(omega * (depth_m / GRAVITY_MPS2).sqrt())
            }
            _ => 1.0,
        };
        self.scale * deep * depth
    }

    /// The two parts of the S(omega) of a recorded sea in m2 s/rad, with their distributions over
    /// directions; none for a model.
    pub(super) fn recorded_at(&self, omega: f64) -> Option<[(f64, &Distribution); 2]> {
        let Shape::Recorded(waves) = &self.shape else { return None };
        Some(waves.at(omega).map(|(density, distribution)| (self.scale * density, distribution)))
    }

    /// The lowest frequency in rad/s that is carried.
    pub(super) fn lowest_rad_per_s(&self) -> f64 {
        match &self.shape {
            Shape::Recorded(waves) => waves.lowest_rad_per_s(),
            _ => Self::FIRST_OVER_PEAK * self.omega_p,
        }
    }

    /// The frequency in rad/s up to which a record knows the waves; none for a model.
    pub(super) fn last_recorded_rad_per_s(&self) -> Option<f64> {
        let Shape::Recorded(waves) = &self.shape else { return None };
        Some(waves.range_rad_per_s()[1])
    }

    /// JONSWAP's alpha, before any scaling to a wave height; None for spectra without one.
    pub fn alpha(&self) -> Option<f64> {
        if let Shape::Jonswap { alpha, .. } = self.shape { Some(alpha) } else { None }
    }

    /// Returns the peak's frequency omega_p in rad/s.
    pub fn peak_rad_per_s(&self) -> f64 {
        self.omega_p
    }

    /// The frequencies in rad/s that hold all of the variance: the exponential leaves nothing
    /// below the first, and beyond the last omega^-5 leaves less than a millionth.
    pub fn range_rad_per_s(&self) -> [f64; 2] {
        match &self.shape {
            Shape::Recorded(waves) => waves.range_rad_per_s(),
            Shape::Gaussian => [0.4, 1.6].map(|share| share * self.omega_p),
            Shape::Elfouhaily(spectrum) => {
                let last = spectrum.dispersion.omega_rad_per_s(SHORTEST_RAD_PER_M);
                [0.3 * self.omega_p, last.max(60.0 * self.omega_p)]
            }
            _ => [0.3 * self.omega_p, 60.0 * self.omega_p],
        }
    }

    /// The integral of omega^`order` S(omega) from `first` to `last`, in m2 (rad/s)^`order`.
    pub fn moment(&self, order: i32, first: f64, last: f64) -> f64 {
        let power = f64::from(order);
        integrate_log(first, last, Self::STEP, |omega| {
            let density = self.density_m2_s(omega);
            if order == 0 { density } else { density * libm::pow(omega, power) }
        })
    }

    /// Variance of the whole surface, in m2.
    pub fn total_variance_m2(&self) -> f64 {
        let [first, last] = self.range_rad_per_s();
        self.moment(0, first, last)
    }
}

/// Simpson's rule for the integral of `f` over [first, last], in equal steps of ln x of at most `step`.
pub(super) fn integrate_log(first: f64, last: f64, step: f64, f: impl Fn(f64) -> f64) -> f64 {
    if !(first > 0.0 && last > first) {
        return 0.0;
    }
    let span = libm::log(last / first);
    let pairs = (span / (2.0 * step)).ceil().max(4.0) as u32;
    let h = span / f64::from(2 * pairs);
    let at = |index: u32| {
        let x = first * libm::exp(h * f64::from(index));
        x * f(x)
    };
    let mut sum = at(0) + at(2 * pairs);
    for pair in 0..pairs {
        sum += 4.0 * at(2 * pair + 1);
        if pair > 0 {
            sum += 2.0 * at(2 * pair);
        }
    }
    sum * h / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spectrum::SURFACE_TENSION_OVER_DENSITY;

    const GOLDEN_ELFOUHAILY: [(f64, f64); 7] = [
        (0.05, 3.95433e-04),
        (0.1, 3.05259e-03),
        (1.0, 5.65109e-03),
        (10.0, 4.06832e-03),
        (100.0, 7.79484e-03),
        (370.0, 1.24848e-02),
        (1000.0, 4.77626e-03),
    ];

    fn deep(spectrum: SpectrumModel, wind_speed_mps: f64, fetch_m: f64) -> FrequencySpectrum {
        FrequencySpectrum::of(&SeaState {
            spectrum,
            wind_speed_mps,
            fetch_m,
            depth_m: 5_000.0,
            ..Default::default()
        })
    }

    fn hs(spectrum: &FrequencySpectrum) -> f64 {
        4.0 * spectrum.total_variance_m2().sqrt()
    }

    /// The values hold to the given digits; a missing cube root, a fetch in kilometres or a wrong
    /// normalisation all miss them by far.
    #[test]
    fn jonswap_has_its_golden_values() {
        for (u, fetch_km, alpha, omega_p, height) in [
            (5.0, 50.0, 0.008638, 1.6004, 0.786),
            (10.0, 100.0, 0.010061, 1.0082, 2.139),
            (20.0, 550.0, 0.009380, 0.4533, 10.213),
        ] {
            let spectrum = deep(SpectrumModel::Jonswap, u, 1e3 * fetch_km);
            assert!((spectrum.alpha().unwrap() - alpha).abs() < 1e-6);
            assert!((spectrum.peak_rad_per_s() - omega_p).abs() < 0.6e-4);
            assert!((hs(&spectrum) - height).abs() < 0.6e-3, "{}", hs(&spectrum));
        }
    }

    #[test]
    fn pierson_moskowitz_has_its_golden_values() {
        let spectrum = deep(SpectrumModel::PiersonMoskowitz, 10.0, 1.0e5);
        assert!((spectrum.peak_rad_per_s() - 0.8388).abs() < 0.6e-4);
        assert!((hs(&spectrum) - 2.245).abs() < 0.6e-3, "{}", hs(&spectrum));
        // Its integral has a closed form: alpha g^2/(5 omega_p^4).
        let exact = PIERSON_MOSKOWITZ_ALPHA * GRAVITY_MPS2.powi(2)
            / (5.0 * spectrum.peak_rad_per_s().powi(4));
        assert!((spectrum.total_variance_m2() / exact - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_peak_is_the_maximum() {
        for model in [SpectrumModel::Jonswap, SpectrumModel::PiersonMoskowitz] {
            let spectrum = deep(model, 12.0, 2.0e5);
            let peak = spectrum.peak_rad_per_s();
            let top = spectrum.density_m2_s(peak);
            for factor in [0.1, 0.7, 0.97, 1.03, 1.5, 9.0] {
                assert!(spectrum.density_m2_s(factor * peak) < top);
            }
        }
    }

    #[test]
    fn kitaigorodskii_is_continuous_and_grows_to_one() {
        assert!((kitaigorodskii(1.0) - 0.5).abs() < 1e-15);
        assert!((kitaigorodskii(1.0 + 1e-9) - 0.5).abs() < 1e-8);
        assert!((kitaigorodskii(2.0 - 1e-9) - 1.0).abs() < 1e-15);
        assert_eq!(kitaigorodskii(7.0), 1.0);
        let samples: Vec<f64> = (0..300).map(|i| kitaigorodskii(0.01 * f64::from(i))).collect();
        assert!(samples.windows(2).all(|pair| pair[0] <= pair[1]));
    }

    #[test]
    fn tma_equals_jonswap_in_deep_water_only() {
        let jonswap = deep(SpectrumModel::Jonswap, 10.0, 1.0e5);
        let tma = deep(SpectrumModel::Tma, 10.0, 1.0e5);
        assert!((hs(&tma) / hs(&jonswap) - 1.0).abs() < 1e-9);
        let bay = FrequencySpectrum::of(&SeaState {
            spectrum: SpectrumModel::Tma,
            wind_speed_mps: 10.0,
            fetch_m: 1.0e5,
            depth_m: 3.0,
            ..Default::default()
        });
        assert!(hs(&bay) < 0.6 * hs(&jonswap), "{}", hs(&bay));
    }

    #[test]
    fn height_and_period_can_be_given() {
        let spectrum = FrequencySpectrum::of(&SeaState {
            significant_wave_height_m: 2.4,
            peak_period_s: 11.0,
            ..Default::default()
        });
        assert!((hs(&spectrum) - 2.4).abs() < 1e-9);
        assert!((TAU / spectrum.peak_rad_per_s() - 11.0).abs() < 1e-12);
    }

    /// The shape is Pierson and Moskowitz's with omega_p = (4/5)^(1/4) g/U: exp(-1/(k L)^2) and
    /// k^-4 |k.w|^2 in other words.
    #[test]
    fn phillips_is_as_tessendorf_has_it() {
        let u = 9.0;
        let spectrum = deep(SpectrumModel::Phillips, u, 1.0e5);
        let length = u * u / GRAVITY_MPS2;
        let small = 1e-3 * length;
        let density = |omega: f64| {
            let k = omega * omega / GRAVITY_MPS2;
            let psi =
                (-1.0 / (k * length).powi(2)).exp() / k.powi(4) * (-(k * small).powi(2)).exp();
            // k of the ring, and dk/d omega; w and the k with it are unit vectors.
            psi * k * 2.0 * omega / GRAVITY_MPS2
        };
        let ratio = |omega: f64| spectrum.density_m2_s(omega) / density(omega);
        for omega in [0.6, 1.0, 1.4, 5.0, 30.0] {
            assert!((ratio(omega) / ratio(1.0) - 1.0).abs() < 1e-9, "{omega}");
        }
        let developed = deep(SpectrumModel::PiersonMoskowitz, u, 1.0e5);
        assert!((hs(&spectrum) / hs(&developed) - 1.0).abs() < 1e-4);
    }

    /// Golden values by the paper's equations, computed independently of this code.
    #[test]
    fn elfouhailys_curvature_has_its_golden_values() {
        let spectrum =
            Elfouhaily::new(10.0, 0.84 * GRAVITY_MPS2 / 10.0, SURFACE_TENSION_OVER_DENSITY);
        for (k, expected) in GOLDEN_ELFOUHAILY {
            let curvature = spectrum.curvature(k);
            assert!(
                (curvature / expected - 1.0).abs() < 1e-3,
                "{k}: {curvature} is not {expected}"
            );
        }
        // Equation 37, computed independently of this code.
        assert!((Elfouhaily::inverse_wave_age(10.0, 1.0e5) - 1.203).abs() < 1e-3);
        // A fully developed sea of 10 m/s is some 2.6 m high there (their figure 8).
        let sea = deep(SpectrumModel::Elfouhaily, 10.0, 1.0e6);
        assert!((2.2..3.0).contains(&hs(&sea)), "{}", hs(&sea));
    }

    #[test]
    fn a_swell_has_its_height_and_no_tail() {
        let swell = FrequencySpectrum::swell(2.4, 12.0);
        assert!((hs(&swell) - 2.4).abs() < 1e-6);
        assert!((swell.peak_rad_per_s() - TAU / 12.0).abs() < 1e-12);
        assert!(swell.density_m2_s(2.0 * swell.peak_rad_per_s()) < 1e-12);
    }

    #[test]
    fn nothing_is_nan_at_the_edges() {
        for omega in [-1.0, 0.0, f64::MIN_POSITIVE, 1e-30, 1e30, f64::INFINITY, f64::NAN] {
            let density = jonswap_m2_s(omega, 0.01, 1.0, 3.3);
            assert!(density >= 0.0 && density.is_finite(), "{omega}: {density}");
        }
    }
}
