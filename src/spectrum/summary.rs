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
    /// The wavelength at the peak period in this depth.
    pub peak_wavelength_m: f64,
    /// Tz = 2 pi sqrt(m0/m2): the mean time between upward crossings of the still level.
    pub mean_zero_crossing_period_s: f64,
    /// The variance of the slopes of all waves of the spectrum, on the surface at rest.
    pub mean_square_slope: f64,
    /// The part of it along the wind.
    pub mean_square_slope_along: f64,
    /// The part of it across the wind.
    pub mean_square_slope_across: f64,
    /// U omega_p/g of the wind sea: above 0.86 or so the wind outruns the waves and they grow.
    pub inverse_wave_age: f64,
    /// Set where the growth laws do not hold for this wind and fetch.
    pub fully_developed_warning: Option<FullyDevelopedWarning>,
    /// Set where the sea's waves would break.
    pub breaking_warning: Option<BreakingWarning>,
}

/// A reason why waves break. The sea is drawn all the same, by linear theory.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BreakingWarning {
    /// A system whose Hs is more than [`BreakingWarning::STEEPEST`] of its peak wavelength.
    TooSteep {
        /// The [`WaveSystem::name`] of the system.
        system: &'static str,
        /// The system's significant height, in metres.
        height_m: f64,
        /// The wavelength at the system's peak in this depth, in metres.
        wavelength_m: f64,
    },
    /// Hs is more than [`BreakingWarning::HIGHEST_IN_DEPTH`] of the depth.
    TooHighForDepth {
        /// Hs of the whole sea, in metres.
        height_m: f64,
        /// The depth of the water, in metres.
        depth_m: f64,
    },
}

/// The fetch is longer than the sea needs to develop fully. JONSWAP's growth laws then give a higher sea
/// than the wind can raise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FullyDevelopedWarning {
    /// The wind at 10 m, in m/s.
    pub wind_speed_mps: f64,
    /// The fetch that was given, in metres.
    pub fetch_m: f64,
    /// The fetch at which such a wind develops the sea fully, in metres.
    pub longest_fetch_m: f64,
    /// Hs of a fully developed sea under that wind in deep water, in metres.
    pub developed_wave_height_m: f64,
}

impl fmt::Display for FullyDevelopedWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a sea under a wind of {} m/s stops growing after {:.0} km of fetch (Hs {:.2} m), and \
             the fetch is {:.0} km: JONSWAP overestimates it. Shorten the fetch, or use \
             pierson-moskowitz",
            self.wind_speed_mps,
            1e-3 * self.longest_fetch_m,
            self.developed_wave_height_m,
            1e-3 * self.fetch_m,
        )
    }
}

impl BreakingWarning {
    /// Hs over the peak wavelength. A regular wave breaks at a height of 0.142 wavelengths (Michell
    /// 1893); a sea, whose highest waves are twice Hs, at about half of that, which the youngest seas of
    /// Toba's 3/2 law (1972) and of JONSWAP just reach.
    pub const STEEPEST: f64 = 0.08;
    /// Hs over the depth: in the surf, the root mean square height is 0.42 of the depth (Thornton and
    /// Guza 1982), and Hs sqrt(2) of that.
    pub const HIGHEST_IN_DEPTH: f64 = 0.6;

    fn of(spectrum: &DirectionalSpectrum, height_m: f64) -> Option<Self> {
        let depth_m = spectrum.dispersion.depth_m;
        let steep =
            |system: &WaveSystem| {
                let peak = system.frequency.peak_rad_per_s();
                let wavelength_m = TAU / spectrum.dispersion.wavenumber_rad_per_m(peak);
                let height_m = 4.0 * system.frequency.total_variance_m2().sqrt();
                // A record may have several peaks, and its waves were there.
                let is_recorded = system.frequency.last_recorded_rad_per_s().is_some();
                (!is_recorded && height_m > Self::STEEPEST * wavelength_m)
                    .then_some(Self::TooSteep { system: system.name, height_m, wavelength_m })
            };
        spectrum.systems().iter().find_map(steep).or_else(|| {
            (height_m > Self::HIGHEST_IN_DEPTH * depth_m)
                .then_some(Self::TooHighForDepth { height_m, depth_m })
        })
    }
}

impl fmt::Display for BreakingWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooSteep { system, height_m, wavelength_m } => write!(
                f,
                "the {system} is {height_m:.2} m high (Hs) and {wavelength_m:.1} m long at its \
                 peak: such waves break before they are steeper than {:.2} of their length. Lower \
                 the wave height, or lengthen the period",
                Self::STEEPEST,
            ),
            Self::TooHighForDepth { height_m, depth_m } => write!(
                f,
                "waves of {height_m:.2} m (Hs) break in {depth_m:.1} m of water, which carries \
                 about {:.1} m. Lower the wave height, use the tma spectrum, or make the water \
                 deeper",
                Self::HIGHEST_IN_DEPTH * depth_m,
            ),
        }
    }
}

impl SeaSummary {
    /// Returns warnings to show to users where the sea contradicts wind or water.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        let developed = self.fully_developed_warning.map(|warning| warning.to_string());
        let breaking = self.breaking_warning.map(|warning| warning.to_string());
        developed.into_iter().chain(breaking)
    }

    /// Computes the summary of `sea`, fast enough for every change of a slider.
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
        let [x, z] = spectrum.wind_towards;
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
            breaking_warning: BreakingWarning::of(spectrum, 4.0 * m0.sqrt()),
        }
    }
}

impl FullyDevelopedWarning {
    /// Returns the warning where height and period follow from the growth laws and exceed a developed sea.
    fn of(sea: &SeaState) -> Option<Self> {
        let grows = match sea.spectrum {
            // The growth laws do not apply to a record.
            _ if sea.recorded.is_some() => false,
            SpectrumModel::Jonswap | SpectrumModel::Tma => true,
            // Elfouhaily et al. end at full development; other models start there.
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
    fn the_summary_warns_past_full_development_only() {
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
        let named = warning(&deep(10.0, 2.0e6)).unwrap().developed_wave_height_m;
        assert!((named - SeaSummary::of(&developed).significant_wave_height_m).abs() < 1e-3);
    }

    #[test]
    fn the_summary_warns_of_breaking_waves_only() {
        let warning = |sea: &SeaState| SeaSummary::of(sea).breaking_warning;
        let said = |sea: &SeaState| warning(sea).expect("it breaks").to_string();
        // Deep water: 1.56 m s^-2 of length for each squared second.
        let steep =
            SeaState { significant_wave_height_m: 5.0, peak_period_s: 5.0, ..deep(10.0, 1.0e5) };
        assert!(said(&steep).contains("the wind sea is 5.00 m high (Hs) and 39.0 m long"));
        let sound = SeaState { significant_wave_height_m: 3.0, ..steep.clone() };
        assert_eq!(warning(&sound), None);
        let swell = SeaState { swell_height_m: 15.0, swell_period_s: 10.0, ..deep(10.0, 1.0e5) };
        assert!(said(&swell).contains("the swell is 15.00 m high"));
        let second = SeaState { swell_2_height_m: 2.0, swell_2_period_s: 3.0, ..deep(5.0, 1e4) };
        assert!(said(&second).contains("the second swell is 2.00 m high"));
        let shallow =
            SeaState { swell_height_m: 3.0, swell_period_s: 12.0, depth_m: 3.5, ..deep(5.0, 1e4) };
        assert!(said(&shallow).contains("break in 3.5 m of water, which carries about 2.1 m"));
        // Wind raises no breaking sea by the laws of growth, except the youngest.
        for wind_speed_mps in [1.0, 5.0, 12.0, 25.0, 40.0] {
            for fetch_m in [3e3, 2e4, 3e5] {
                assert_eq!(
                    warning(&deep(wind_speed_mps, fetch_m)),
                    None,
                    "{wind_speed_mps} {fetch_m}"
                );
            }
        }
        assert_eq!(SeaSummary::of(&steep).warnings().count(), 1);
        assert_eq!(SeaSummary::of(&deep(5.0, 5.0e4)).warnings().count(), 1);
    }

    #[test]
    fn the_default_sea_is_not_past_full_development() {
        assert_eq!(SeaSummary::of(&SeaState::default()).fully_developed_warning, None);
    }
}
