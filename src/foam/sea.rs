//! What foam needs to know of a sea.

use std::f64::consts::TAU;

use super::SHORTEST_BREAKING_WAVE_M;
use super::cover::{Cover, History, wanted};
use crate::ocean::{OceanOptions, normal_quantile};
use crate::profile;
use crate::settings::SeaState;
use crate::spectrum::{
    Cascade, DirectionalSpectrum, InitialSpectrum, Interpolation, SpectrumError,
};

/// The foam of a sea state: made on the processor, on any thread, in some tenths of a second.
#[derive(Clone, Debug, PartialEq)]
pub struct FoamSea {
    /// The waves that make foam when they break: those of the sea itself, cut where they get too
    /// short.
    pub waves: InitialSpectrum,
    /// Waves break where the water is compressed to less than this share of its area.
    pub threshold: f64,
    /// As `threshold`, for a J that spreads around 1 as a Gaussian with the variance of the waves'
    /// slopes, as it does to first order: where no wave is seen by itself, as much breaks.
    pub threshold_unseen: f64,
    /// Mean share of the sea that foam covers, and of that what is fresh.
    pub cover: Cover,
    /// How fast foam drifts along (x, z): with the waves (Stokes) and before the wind.
    pub drift_mps: [f64; 2],
    /// Unit vector towards which the wind blows.
    pub wind_towards: [f64; 2],
    /// How much of old foam gathers in streaks along the wind, 0 to 1.
    pub streaks: f64,
    /// Share of the light that foam throws back when it is fresh and when it is old.
    pub albedo: [f64; 2],
}

impl FoamSea {
    /// Points along one side of its ocean's cascades.
    pub const SIZE: u32 = 128;

    /// Surface foam is blown along with 3% of the wind.
    const WIND_DRIFT: f64 = 0.03;
    /// Albedo of fresh foam, and what all of it comes to (Koepke 1984).
    const FRESH_ALBEDO: f64 = 0.55;
    const MEAN_ALBEDO: f64 = 0.22;
    /// Old foam is still brighter than the sea.
    const LEAST_ALBEDO: f64 = 0.18;
    /// Wind speeds from which on foam gathers in streaks and in nothing else (Beaufort 6 to 9).
    const STREAKS_MPS: [f64; 2] = [11.0, 22.0];

    /// The foam of `sea` on the waves of an ocean of `options` that are long enough; cascades that
    /// hold none are empty.
    ///
    /// # Errors
    /// [`SpectrumError`] where a setting or the number of cascades is out of range.
    pub fn new(sea: &SeaState, options: &OceanOptions) -> Result<Self, SpectrumError> {
        profile::scope!("foam::FoamSea::new");
        let waves = InitialSpectrum::of_long_waves(
            sea,
            Self::SIZE,
            options.cascades,
            SHORTEST_BREAKING_WAVE_M,
        )?;
        let spectrum = DirectionalSpectrum::of(sea);
        let sampled = Sampled::new(&waves, options);
        let band = [
            waves.cascades[0].first_rad_per_m,
            waves
                .cascades
                .iter()
                .filter(|cascade| !cascade.is_empty())
                .map(|cascade| cascade.last_rad_per_m)
                .fold(0.0, f64::max),
        ];
        let (threshold, cover) = {
            let kept = |k, towards| sampled.kept_power(k, towards);
            History::new(&spectrum, band, sea.choppiness, kept).solve(wanted(sea))
        };
        let (z, x) = libm::sincos(sea.wind_direction_deg.to_radians());
        let stokes = stokes_drift_mps(&spectrum, band);
        let drift_mps =
            [0, 1].map(|axis| stokes[axis] + Self::WIND_DRIFT * sea.wind_speed_mps * [x, z][axis]);
        let [from, to] = Self::STREAKS_MPS;
        let share = ((sea.wind_speed_mps - from) / (to - from)).clamp(0.0, 1.0);
        // What is fresh is bright; the rest makes the mean.
        let fresh = (cover.fresh / cover.share.max(1e-12)).clamp(0.0, 0.95);
        let old = (Self::MEAN_ALBEDO - fresh * Self::FRESH_ALBEDO) / (1.0 - fresh);
        let variance = slope_variance(&waves);
        let deviations = normal_quantile(cover.breaking.clamp(1e-9, 0.9));
        Ok(Self {
            waves,
            threshold,
            threshold_unseen: 1.0 + sea.choppiness * variance.sqrt() * deviations,
            cover,
            drift_mps,
            wind_towards: [x, z],
            streaks: share * share * (3.0 - 2.0 * share),
            albedo: [Self::FRESH_ALBEDO, old.clamp(Self::LEAST_ALBEDO, Self::FRESH_ALBEDO)],
        })
    }

    /// Variance of the slopes of its waves, along both axes together.
    pub(super) fn slope_variance(&self) -> f64 {
        slope_variance(&self.waves)
    }
}

fn slope_variance(waves: &InitialSpectrum) -> f64 {
    (0..waves.cascades.len())
        .map(|cascade| waves.slope_covariance(cascade))
        .map(|[xx, zz, _]| xx + zz)
        .sum()
}

/// What the foam's maps show of its waves.
struct Sampled<'a> {
    waves: &'a InitialSpectrum,
    cubic_cascades: usize,
}

impl<'a> Sampled<'a> {
    fn new(waves: &'a InitialSpectrum, options: &OceanOptions) -> Self {
        Self { waves, cubic_cascades: options.cubic_cascades as usize }
    }

    /// Share of the power of a wave of `k` rad/m towards a unit vector that sampling its map keeps.
    fn kept_power(&self, k: f64, towards: [f64; 2]) -> f64 {
        let holds = |cascade: &Cascade| cascade.contains(k);
        let Some(index) = self.waves.cascades.iter().position(holds) else { return 1.0 };
        let cascade = &self.waves.cascades[index];
        let texel_m = cascade.patch_size_m / f64::from(self.waves.size);
        let interpolation =
            if index < self.cubic_cascades { Interpolation::Cubic } else { Interpolation::Linear };
        let advance = cascade.lattice_from_world(towards.map(|part| part * k * texel_m));
        advance.iter().map(|phase_rad| interpolation.kept_power(*phase_rad)).product()
    }
}

/// The drift at the surface of waves within a band (Kenyon 1969): the integral of 2 omega k Psi over
/// their wave vectors, along each.
fn stokes_drift_mps(spectrum: &DirectionalSpectrum, [first, last]: [f64; 2]) -> [f64; 2] {
    const NODES: u32 = 96;
    const DIRECTIONS: u32 = 36;
    if last <= first {
        return [0.0; 2];
    }
    let d_ln_k = libm::log(last / first) / f64::from(NODES);
    let mut sum = [0.0; 2];
    for node in 0..NODES {
        let k = first * libm::exp(d_ln_k * (f64::from(node) + 0.5));
        let ring = spectrum.ring(k);
        for direction in 0..DIRECTIONS {
            let (z, x) = libm::sincos(TAU * f64::from(direction) / f64::from(DIRECTIONS));
            let area = k * k * d_ln_k * TAU / f64::from(DIRECTIONS);
            let speed = 2.0 * ring.omega_rad_per_s * k * ring.psi_m4(x, z) * area;
            sum[0] += speed * x;
            sum[1] += speed * z;
        }
    }
    sum
}
