//! Frequency spectra S(omega): how the variance of the surface is shared between frequencies.

use std::f64::consts::TAU;

use super::dispersion::GRAVITY_MPS2;
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

/// JONSWAP's alpha = 0.076 (U^2/(g F))^0.22 for a wind `u` at 10 m over a fetch, in m/s and
/// **metres**.
pub fn jonswap_alpha(u: f64, fetch_m: f64) -> f64 {
    0.076 * libm::pow(u * u / (GRAVITY_MPS2 * fetch_m), 0.22)
}

/// JONSWAP's omega_p = 22 (g^2/(U F))^(1/3), in rad/s.
pub fn jonswap_peak(u: f64, fetch_m: f64) -> f64 {
    22.0 * libm::cbrt(GRAVITY_MPS2 * GRAVITY_MPS2 / (u * fetch_m))
}

/// Pierson and Moskowitz's alpha.
pub const PIERSON_MOSKOWITZ_ALPHA: f64 = 0.0081;

/// U omega_p/g of a fully developed sea (Pierson and Moskowitz 1964, for the wind at 10 m): the
/// wind no longer outruns the waves at the peak.
pub const FULLY_DEVELOPED: f64 = 0.855;

/// Pierson and Moskowitz's omega_p = 0.855 g/U, in rad/s.
pub fn pierson_moskowitz_peak(u: f64) -> f64 {
    FULLY_DEVELOPED * GRAVITY_MPS2 / u
}

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

/// The S(omega) of one sea state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrequencySpectrum {
    alpha: f64,
    omega_p: f64,
    gamma: f64,
    /// Depth for Kitaigorodskii's factor, where the model has it.
    tma_depth_m: Option<f64>,
    /// What takes the model's variance to the one asked for.
    scale: f64,
}

impl FrequencySpectrum {
    /// The shortest peak period: anything shorter is no gravity wave, and asking for it (a
    /// slider on its way from 0) gives this one.
    pub const MIN_PEAK_PERIOD_S: f64 = 0.25;

    /// Step of the integrals in ln omega: fifty to the width of JONSWAP's peak.
    const STEP: f64 = 0.0014;

    /// The spectrum of `sea`: its model, with its peak period and wave height where it gives them.
    pub fn of(sea: &SeaState) -> Self {
        let u = sea.wind_speed_mps;
        let (alpha, natural_peak, gamma) = match sea.spectrum {
            SpectrumModel::Jonswap | SpectrumModel::Tma => {
                (jonswap_alpha(u, sea.fetch_m), jonswap_peak(u, sea.fetch_m), sea.peak_enhancement)
            }
            SpectrumModel::PiersonMoskowitz => {
                (PIERSON_MOSKOWITZ_ALPHA, pierson_moskowitz_peak(u), 1.0)
            }
        };
        let omega_p = if sea.peak_period_s > 0.0 {
            TAU / sea.peak_period_s.max(Self::MIN_PEAK_PERIOD_S)
        } else {
            natural_peak
        };
        let tma_depth_m = (sea.spectrum == SpectrumModel::Tma).then_some(sea.depth_m);
        let natural = Self { alpha, omega_p, gamma, tma_depth_m, scale: 1.0 };
        let target = sea.significant_wave_height_m;
        if target > 0.0 {
            Self { scale: target * target / (16.0 * natural.total_variance_m2()), ..natural }
        } else {
            natural
        }
    }

    /// S(omega) in m2 s/rad.
    pub fn density_m2_s(&self, omega: f64) -> f64 {
        let deep = self.scale * jonswap_m2_s(omega, self.alpha, self.omega_p, self.gamma);
        match self.tma_depth_m {
            Some(depth_m) => deep * kitaigorodskii(omega * (depth_m / GRAVITY_MPS2).sqrt()),
            None => deep,
        }
    }

    /// JONSWAP's alpha, before any scaling to a wave height.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// omega_p in rad/s.
    pub fn peak_rad_per_s(&self) -> f64 {
        self.omega_p
    }

    /// The frequencies in rad/s that hold all of the variance: the exponential leaves nothing
    /// below the first, and beyond the last omega^-5 leaves less than a millionth.
    pub fn range_rad_per_s(&self) -> [f64; 2] {
        [0.3 * self.omega_p, 60.0 * self.omega_p]
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

/// Simpson's rule for the integral of `f` over [first, last], in equal steps of ln x of at most
/// `step`.
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

    /// Golden values, to the digits given; a missing cube root, a fetch in kilometres or a wrong
    /// normalisation all miss them by far.
    #[test]
    fn jonswap_has_its_golden_values() {
        for (u, fetch_km, alpha, omega_p, height) in [
            (5.0, 50.0, 0.008638, 1.6004, 0.786),
            (10.0, 100.0, 0.010061, 1.0082, 2.139),
            (20.0, 550.0, 0.009380, 0.4533, 10.213),
        ] {
            let spectrum = deep(SpectrumModel::Jonswap, u, 1e3 * fetch_km);
            assert!((spectrum.alpha() - alpha).abs() < 1e-6, "{}", spectrum.alpha());
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
    fn tma_is_jonswap_in_deep_water_and_lower_in_a_bay() {
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

    #[test]
    fn nothing_is_nan_at_the_edges() {
        for omega in [-1.0, 0.0, f64::MIN_POSITIVE, 1e-30, 1e30, f64::INFINITY, f64::NAN] {
            let density = jonswap_m2_s(omega, 0.01, 1.0, 3.3);
            assert!(density >= 0.0 && density.is_finite(), "{omega}: {density}");
        }
    }
}
