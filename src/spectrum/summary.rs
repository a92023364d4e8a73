//! What oceanography predicts of a sea state, before any random draw.

use std::f64::consts::TAU;
use std::fmt;

use super::dispersion::GRAVITY_MPS2;
use super::frequency::{FULLY_DEVELOPED, pierson_moskowitz_height};
use super::{DirectionalSpectrum, WaveSystem};
use crate::settings::{SeaState, SpectrumModel};

/// Heights, periods and lengths that follow from a sea state's spectrum.
#[derive(Clone, Debug, PartialEq)]
pub struct SeaSummary {
    /// Hs = 4 sqrt(m0): the mean height of the highest third of the waves.
    pub significant_wave_height_m: f64,
    /// Tp: the period at the peak of the system with the highest waves.
    pub peak_period_s: f64,
    /// Wavelength of waves of that period in this depth.
    pub peak_wavelength_m: f64,
    /// Tz = 2 pi sqrt(m0/m2): the mean time between upward crossings of the still level.
    pub mean_zero_crossing_period_s: f64,
    /// Variance of the slopes of all waves that the spectrum has.
    pub mean_square_slope: f64,
    /// The part of it along the wind.
    pub mean_square_slope_along: f64,
    /// The part of it across the wind.
    pub mean_square_slope_across: f64,
    /// U omega_p/g of the wind sea: above 0.86 or so the wind outruns the waves and they grow.
    pub inverse_wave_age: f64,
    /// The growth laws do not hold for this wind and fetch.
    pub fully_developed_warning: Option<FullyDevelopedWarning>,
}

/// The fetch is longer than the sea needs to develop fully. JONSWAP's growth laws go on growing
/// and give a sea higher than that wind can raise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FullyDevelopedWarning {
    /// The wind, in m/s.
    pub wind_speed_mps: f64,
    /// The fetch that was given, in metres.
    pub fetch_m: f64,
    /// The fetch at which such a wind has done what it can, in metres.
    pub longest_fetch_m: f64,
    /// Hs of a fully developed sea under that wind in deep water, in metres.
    pub developed_wave_height_m: f64,
}

impl fmt::Display for FullyDevelopedWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a wind of {} m/s raises no more sea after {:.0} km of fetch (Hs {:.2} m), and {:.0} km \
             are given: JONSWAP overestimates; shorten the fetch or use pierson-moskowitz",
            self.wind_speed_mps,
            1e-3 * self.longest_fetch_m,
            self.developed_wave_height_m,
            1e-3 * self.fetch_m,
        )
    }
}

impl SeaSummary {
    /// The summary of `sea`. Cheap enough for every change of a slider.
    pub fn of(sea: &SeaState) -> Self {
        Self::new(sea, &DirectionalSpectrum::of(sea))
    }

    pub(super) fn new(sea: &SeaState, spectrum: &DirectionalSpectrum) -> Self {
        let [first, last] = spectrum.range_rad_per_m();
        let m0 = spectrum.moment(0, first, last);
        let m2 = spectrum.moment(2, first, last);
        let highest = spectrum.systems().iter().max_by(|one, other| {
            let height = |system: &WaveSystem| system.frequency.total_variance_m2();
            height(one).total_cmp(&height(other))
        });
        let peak = highest.expect("there is a wind sea").frequency.peak_rad_per_s();
        let [xx, zz, xz] = spectrum.slope_covariance(first, last);
        let [x, z] = spectrum.systems()[0].towards;
        let along = xx * x * x + zz * z * z + 2.0 * xz * x * z;
        Self {
            significant_wave_height_m: 4.0 * m0.sqrt(),
            peak_period_s: TAU / peak,
            peak_wavelength_m: TAU / spectrum.dispersion.wavenumber_rad_per_m(peak),
            mean_zero_crossing_period_s: TAU * (m0 / m2).sqrt(),
            mean_square_slope: xx + zz,
            mean_square_slope_along: along,
            mean_square_slope_across: xx + zz - along,
            inverse_wave_age: {
                let wind_sea = spectrum.systems()[0].frequency.peak_rad_per_s();
                sea.wind_speed_mps * wind_sea / GRAVITY_MPS2
            },
            fully_developed_warning: FullyDevelopedWarning::of(sea),
        }
    }
}

impl FullyDevelopedWarning {
    /// The warning, where height and period are left to the growth laws and those go too far.
    fn of(sea: &SeaState) -> Option<Self> {
        let grows = match sea.spectrum {
            SpectrumModel::Jonswap | SpectrumModel::Tma => true,
            // Elfouhaily et al. end at full development, the others start there.
            SpectrumModel::PiersonMoskowitz
            | SpectrumModel::Elfouhaily
            | SpectrumModel::Phillips => false,
        };
        let u = sea.wind_speed_mps;
        // omega_p = 22 (g^2/(U F))^(1/3) falls to the fully developed one at this fetch.
        let ratio = 22.0 / FULLY_DEVELOPED;
        let longest_fetch_m = ratio * ratio * ratio * u * u / GRAVITY_MPS2;
        let left_to_laws = sea.peak_period_s <= 0.0 && sea.significant_wave_height_m <= 0.0;
        (grows && left_to_laws && sea.fetch_m > longest_fetch_m).then(|| Self {
            wind_speed_mps: u,
            fetch_m: sea.fetch_m,
            longest_fetch_m,
            developed_wave_height_m: pierson_moskowitz_height(u),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::ShortWaves;

    fn deep(wind_speed_mps: f64, fetch_m: f64) -> SeaState {
        // The golden values are of the spectra as they are.
        let short_waves = ShortWaves::Model;
        SeaState { wind_speed_mps, fetch_m, depth_m: 5_000.0, short_waves, ..Default::default() }
    }

    #[test]
    fn a_summary_has_the_golden_sea() {
        let summary = SeaSummary::of(&deep(10.0, 1.0e5));
        assert!((summary.significant_wave_height_m - 2.139).abs() < 0.6e-3);
        assert!((summary.peak_period_s - TAU / 1.0082).abs() < 1e-3);
        let deep_length = TAU * GRAVITY_MPS2 / (1.0082 * 1.0082);
        assert!((summary.peak_wavelength_m / deep_length - 1.0).abs() < 1e-3);
        assert!(summary.mean_zero_crossing_period_s < summary.peak_period_s);
    }

    #[test]
    fn it_warns_past_full_development_only() {
        let warning = |sea: &SeaState| SeaSummary::of(sea).fully_developed_warning;
        let past = warning(&deep(5.0, 5.0e4)).expect("U omega_p/g is 0.816");
        assert!(past.longest_fetch_m < 5.0e4);
        assert!(past.to_string().contains("pierson-moskowitz"), "{past}");
        assert_eq!(warning(&deep(10.0, 1.0e5)), None);
        assert_eq!(warning(&deep(20.0, 5.5e5)), None);
        let swell = SeaState { peak_period_s: 11.0, ..deep(5.0, 5.0e4) };
        assert_eq!(warning(&swell), None);
        let developed = SeaState { spectrum: SpectrumModel::PiersonMoskowitz, ..deep(10.0, 2.0e6) };
        assert_eq!(warning(&developed), None);
        // The height named is Pierson and Moskowitz's.
        let named = warning(&deep(10.0, 2.0e6)).unwrap().developed_wave_height_m;
        assert!((named - SeaSummary::of(&developed).significant_wave_height_m).abs() < 1e-3);
    }

    #[test]
    fn the_default_sea_is_not_past_full_development() {
        assert_eq!(SeaSummary::of(&SeaState::default()).fully_developed_warning, None);
    }
}
