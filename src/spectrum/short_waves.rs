//! The short waves of a wind sea: beyond some ten times the peak's wavenumber.
//!
//! The tails of the spectra of S(omega) were measured to a few times the peak's frequency. Drawn out to the
//! capillaries, omega^-5 gives a light wind too much slope and a gale too little. The slopes themselves were
//! measured (Cox and Munk 1954), so the tail here is one of a family of curvature spectra B(k) = k^3 F(k),
//! whose integral over ln k is the variance of the slopes: the member that completes the long waves to the
//! measured slopes, as far as they leave room. It was measured on the real surface, so the surface as
//! choppiness displaces it has these slopes, and at rest it has a little less (`slope_variance_at_rest`).
//!
//! The ripples never run across the wind: (1 + Delta cos 2 theta)/(2 pi) has a Delta of at least 0, as
//! Elfouhaily et al. (1997) have it. From 5 m/s up the slopes along each axis then follow the
//! measurements. In lighter winds, where Cox and Munk's own fit is steeper across the wind than along
//! it, only their sum does.
//!
//! B starts from the spectrum's own value at the transition. It falls by a power of k, where the long
//! waves leave little to the short ones; or it stays, plus the ripples that the wind raises around the
//! slowest waves, c_m/c as Elfouhaily et al. (1997) have it. Both end among the capillaries.

use super::frequency::integrate_log;
use super::system::{WaveSystem, unit};
use super::wind::{
    SHORTEST_RAD_PER_M, SLOWEST_MPS, SLOWEST_RAD_PER_M, cox_munk_slope_variance,
    slope_variance_at_rest,
};
use super::{Dispersion, GRAVITY_MPS2, Lobe};
use crate::settings::{SeaState, ShortWaves};

/// The multiple of the peak's wavenumber where the tail begins to take over.
const FIRST_OVER_PEAK: f64 = 7.0;
/// The multiple where it has. 0.8% of a JONSWAP sea's variance lies beyond ten times the peak's wavenumber.
const LAST_OVER_PEAK: f64 = 14.0;

/// The ripples are shorter than half a metre or so: they make slopes and no height.
const RIPPLES_RAD_PER_M: f64 = 12.0;

/// At least this share of the measured slopes is left to the short waves: a sea that has just
/// begun is steeper by its long waves alone.
const LEAST_SHARE: f64 = 0.02;

const STEP: f64 = 0.02;

/// The tail of one wind sea.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tail {
    first_rad_per_m: f64,
    last_rad_per_m: f64,
    curvature: f64,
    /// B falls as k to the power of minus `fall`.
    fall: f64,
    /// B of the ripples where c is c_m.
    ripples: f64,
    lobe: Lobe,
}

impl Tail {
    /// The tail of `sea`, whose wind sea is `system`; none where the spectrum's own is requested.
    pub(super) fn of(sea: &SeaState, dispersion: &Dispersion, system: &WaveSystem) -> Option<Self> {
        // A record ends at its last frequency, and has no tail of its own.
        if sea.short_waves == ShortWaves::Model && sea.recorded.is_none() {
            return None;
        }
        // A record ends where it ends, and the tail begins there.
        let recorded = system.frequency.last_recorded_rad_per_s();
        let peak = dispersion.wavenumber_rad_per_m(system.frequency.peak_rad_per_s());
        let band = match recorded.map(|omega| dispersion.wavenumber_rad_per_m(omega)) {
            Some(last) => [last; 2],
            None => [FIRST_OVER_PEAK * peak, LAST_OVER_PEAK * peak],
        };
        let density = |k| system.at(dispersion, k).iter().map(|part| part.density).sum::<f64>();
        let mut tail = Self {
            first_rad_per_m: band[0],
            last_rad_per_m: band[1].min(SHORTEST_RAD_PER_M),
            curvature: band[0].powi(3) * density(band[0]),
            fall: 0.0,
            ripples: 0.0,
            lobe: Lobe::two_lobes(0.0, sea.upwind_share),
        };
        let [lowest, _] = system.frequency.range_rad_per_s();
        let start = dispersion.wavenumber_rad_per_m(lowest);
        let wind = unit(sea.wind_direction_deg);
        // The slopes of the long waves, along and across the wind.
        let mut long = [0.0; 2];
        for (axis, share) in long.iter_mut().enumerate() {
            *share = integrate_log(start, tail.last_rad_per_m, STEP, |k| {
                let waves = system.at(dispersion, k);
                let waves = waves.iter().filter(|part| part.density > 0.0);
                let slopes: f64 = waves.map(|part| part.along_and_across(wind)[axis]).sum();
                (1.0 - tail.weight(k)) * k * k * slopes
            });
        }
        let measured = slope_variance_at_rest(cox_munk_slope_variance(sea), sea.choppiness);
        let [along, across] = [0, 1].map(|axis| measured[axis] - long[axis]);
        let least = LEAST_SHARE * (measured[0] + measured[1]);
        let wanted = (along + across).max(least);
        let even = tail.slope_variance();
        if even > wanted {
            tail.fall = bisect(|fall| Self { fall, ..tail }.slope_variance() > wanted);
        } else {
            let ripples = Self { curvature: 0.0, ripples: 1.0, ..tail }.slope_variance();
            tail.ripples = (wanted - even) / ripples;
        }
        let delta = (2.0 * (along - across) / wanted).clamp(0.0, 1.0);
        tail.lobe = Lobe::two_lobes(delta, sea.upwind_share);
        Some(tail)
    }

    /// The tail's share of the waves at `k`, from 0 to 1.
    pub(super) fn weight(&self, k: f64) -> f64 {
        if self.first_rad_per_m >= self.last_rad_per_m {
            return if k > self.last_rad_per_m { 1.0 } else { 0.0 };
        }
        let span = libm::log(self.last_rad_per_m / self.first_rad_per_m);
        let t = (libm::log(k / self.first_rad_per_m) / span).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }

    /// F(k) in m3, and the lobe.
    pub(super) fn at(&self, k: f64) -> (f64, Lobe) {
        (self.curvature_at(k) / (k * k * k), self.lobe)
    }

    fn curvature_at(&self, k: f64) -> f64 {
        if k >= SHORTEST_RAD_PER_M {
            return 0.0;
        }
        let tension = k / SLOWEST_RAD_PER_M;
        let c = (GRAVITY_MPS2 / k * (1.0 + tension * tension)).sqrt();
        let past = (tension - 1.0).max(0.0);
        let end = libm::exp(-0.25 * past * past);
        let fall = libm::pow(k / self.first_rad_per_m, -self.fall);
        let long = RIPPLES_RAD_PER_M / k;
        let ripples = self.ripples * SLOWEST_MPS / (c * (1.0 + long * long));
        end * (self.curvature * fall + ripples)
    }

    fn slope_variance(&self) -> f64 {
        integrate_log(self.first_rad_per_m.next_up(), SHORTEST_RAD_PER_M, STEP, |k| {
            self.weight(k) * self.curvature_at(k) / k
        })
    }
}

/// The least number up to 16 for which `is_too_much` is false.
fn bisect(is_too_much: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 16.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if is_too_much(middle) { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;
    use rand_distr::{Distribution as _, StandardNormal};

    use super::*;
    use crate::settings::{Preset, SpectrumModel, SpreadingModel};
    use crate::spectrum::{DirectionalSpectrum, SeaSummary};

    /// Variances of the slopes along and across the wind by Cox and Munk's lines up to 14 m/s at 12.5 m,
    /// and levelled off beyond: (wind at 10 m, along, across), computed by hand. At 10 m/s the wind is
    /// 10.21 m/s there, 3.16e-3 W is 0.0323 and 0.003 + 1.92e-3 W is 0.0226.
    const MEASURED: [(f64, f64, f64); 16] = [
        (1.0, 0.00321, 0.00495),
        (2.0, 0.00643, 0.00691),
        (2.4, 0.00771, 0.00769),
        (3.0, 0.00965, 0.00886),
        (5.0, 0.01610, 0.01278),
        (7.5, 0.02417, 0.01769),
        (8.0, 0.02579, 0.01867),
        (8.5, 0.02741, 0.01965),
        (10.0, 0.03227, 0.02261),
        (12.5, 0.04038, 0.02754),
        (14.0, 0.04467, 0.03014),
        (16.0, 0.04722, 0.03169),
        (18.0, 0.04947, 0.03306),
        (19.0, 0.05050, 0.03368),
        (20.0, 0.05148, 0.03428),
        (26.0, 0.05650, 0.03733),
    ];

    fn measured(wind_speed_mps: f64) -> [f64; 2] {
        let found = MEASURED.into_iter().find(|(wind, ..)| *wind == wind_speed_mps);
        let (_, along, across) = found.unwrap_or_else(|| panic!("{wind_speed_mps} m/s"));
        [along, across]
    }

    /// Seas from light airs to a storm, over the water that they need to grow.
    fn seas() -> impl Iterator<Item = SeaState> {
        [2.0, 3.0, 5.0, 7.5, 10.0, 14.0, 20.0].into_iter().map(|wind_speed_mps| SeaState {
            wind_speed_mps,
            fetch_m: 1_700.0 * wind_speed_mps * wind_speed_mps,
            wind_direction_deg: 75.0,
            ..Default::default()
        })
    }

    fn models() -> [(SpectrumModel, SpreadingModel); 6] {
        [
            (SpectrumModel::Jonswap, SpreadingModel::Hasselmann),
            (SpectrumModel::Jonswap, SpreadingModel::Mitsuyasu),
            (SpectrumModel::Jonswap, SpreadingModel::DonelanBanner),
            (SpectrumModel::PiersonMoskowitz, SpreadingModel::Hasselmann),
            (SpectrumModel::Phillips, SpreadingModel::Hasselmann),
            (SpectrumModel::Elfouhaily, SpreadingModel::Elfouhaily),
        ]
    }

    /// The moments of a sea's waves along and across the wind, by summing Psi over the plane.
    #[derive(Default)]
    struct Moments {
        slopes: [f64; 2],
        /// Covariances of Dxx, Dzz and Dxz, (xx xx, zz zz, xx zz), with x along the wind. The variance
        /// of Dxz is the last.
        stretches: [f64; 3],
    }

    fn moments(sea: &SeaState) -> Moments {
        const RINGS: u32 = 600;
        const DIRECTIONS: u32 = 120;
        let spectrum = DirectionalSpectrum::of(sea);
        let [first, last] = spectrum.range_rad_per_m();
        let d_ln_k = (last / first).ln() / f64::from(RINGS);
        let d_theta = std::f64::consts::TAU / f64::from(DIRECTIONS);
        let wind = sea.wind_direction_deg.to_radians();
        let mut sum = Moments::default();
        for step in 0..RINGS {
            let k = first * (d_ln_k * (f64::from(step) + 0.5)).exp();
            for direction in 0..DIRECTIONS {
                let theta = d_theta * f64::from(direction);
                let (sin, cos) = theta.sin_cos();
                let angle = wind + theta;
                let psi = spectrum.psi_m4(k * angle.cos(), k * angle.sin());
                let weight = psi * k * k * k * k * d_ln_k * d_theta;
                let [along, across] = [cos * cos, sin * sin];
                sum.slopes[0] += weight * along;
                sum.slopes[1] += weight * across;
                sum.stretches[0] += weight * along * along;
                sum.stretches[1] += weight * across * across;
                sum.stretches[2] += weight * along * across;
            }
        }
        sum
    }

    fn slope_variance(sea: &SeaState) -> [f64; 2] {
        moments(sea).slopes
    }

    /// The variance of the displaced surface's slopes, per area seen from above, by drawing slopes and
    /// stretches of the water at rest. Water that is compressed to less than a tenth is under foam.
    fn displaced_slope_variance(sea: &SeaState) -> [f64; 2] {
        const DRAWN: u32 = 1_000_000;
        let Moments { slopes, stretches: [xxxx, zzzz, xxzz] } = moments(sea);
        let choppiness = sea.choppiness;
        let mut rng = rand::rngs::Xoshiro256PlusPlus::seed_from_u64(7);
        let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
        let (mut area, mut sum) = (0.0, [0.0; 2]);
        for _ in 0..DRAWN {
            let first = normal();
            let xx = choppiness * xxxx.sqrt() * first;
            let zz_along = xxzz / xxxx.sqrt();
            let zz_own = (zzzz - zz_along * zz_along).max(0.0).sqrt();
            let zz = choppiness * (zz_along * first + zz_own * normal());
            let xz = choppiness * xxzz.sqrt() * normal();
            let [hx, hz] = slopes.map(|variance| variance.sqrt() * normal());
            let jacobian = (1.0 + xx) * (1.0 + zz) - xz * xz;
            if jacobian > 0.1 {
                let x = ((1.0 + zz) * hx - xz * hz) / jacobian;
                let z = ((1.0 + xx) * hz - xz * hx) / jacobian;
                area += jacobian;
                sum[0] += jacobian * x * x;
                sum[1] += jacobian * z * z;
            }
        }
        sum.map(|sum| sum / area)
    }

    #[test]
    fn slopes_agree_with_cox_and_munk() {
        for sea in seas() {
            for (spectrum, spreading) in models() {
                let sea = SeaState { spectrum, spreading, choppiness: 0.0, ..sea.clone() };
                let measured = measured(sea.wind_speed_mps);
                let ours = slope_variance(&sea);
                let ratio = (ours[0] + ours[1]) / (measured[0] + measured[1]);
                assert!((0.97..1.03).contains(&ratio), "{spectrum} {spreading} {sea:?}: {ratio}");
                for (ours, measured) in ours.into_iter().zip(measured) {
                    let holds =
                        sea.wind_speed_mps < 5.0 || (ours - measured).abs() < 0.1 * measured;
                    assert!(holds, "{spectrum} {spreading} {sea:?}: {ours} is not {measured}");
                }
            }
        }
    }

    /// The sum is measured in every wind. Along each axis it is from 5 m/s up: below, Cox and Munk's own
    /// fit is steeper across the wind than along it, and ripples do not run across the wind.
    #[test]
    fn the_default_sea_has_them_in_every_wind() {
        for wind_speed_mps in [1.0, 2.0, 3.0, 5.0, 8.0, 14.0, 16.0, 20.0] {
            let sea = SeaState { wind_speed_mps, choppiness: 0.0, ..Default::default() };
            let (ours, measured) = (slope_variance(&sea), measured(wind_speed_mps));
            let ratio = (ours[0] + ours[1]) / (measured[0] + measured[1]);
            assert!((0.97..1.03).contains(&ratio), "{wind_speed_mps} m/s: {ratio}");
            for (ours, measured) in ours.into_iter().zip(measured) {
                let ratio = ours / measured;
                let holds = wind_speed_mps < 5.0 || (0.9..1.1).contains(&ratio);
                assert!(holds, "{wind_speed_mps} m/s: {ratio}");
            }
        }
    }

    #[test]
    fn the_displaced_surface_is_as_steep_as_measured() {
        let storm = Preset::load("storm").unwrap().sea;
        let winds = [3.0, 8.0, 14.0, 20.0]
            .map(|wind_speed_mps| SeaState { wind_speed_mps, ..Default::default() });
        for sea in winds.into_iter().chain([storm]) {
            let (ours, measured) = (displaced_slope_variance(&sea), measured(sea.wind_speed_mps));
            let ratio = (ours[0] + ours[1]) / (measured[0] + measured[1]);
            let rest = slope_variance(&sea);
            println!(
                "{} m/s: {ratio:.4}, at rest {:.4}",
                sea.wind_speed_mps,
                (rest[0] + rest[1]) / (measured[0] + measured[1])
            );
            assert!((0.975..1.025).contains(&ratio), "{} m/s: {ratio}", sea.wind_speed_mps);
        }
    }

    /// The presets hold as shipped: swells add a little, and two have a spectrum's own tail.
    #[test]
    fn presets_have_the_slopes_of_their_wind() {
        let mut own_tails = 0;
        for (name, _) in Preset::SHIPPED {
            let sea = SeaState { choppiness: 0.0, ..Preset::load(name).unwrap().sea };
            // A record ends at its last frequency, and has no tail of its own.
            if sea.short_waves == ShortWaves::Model && sea.recorded.is_none() {
                own_tails += 1;
                continue;
            }
            let (ours, measured) = (slope_variance(&sea), measured(sea.wind_speed_mps));
            let ratio = (ours[0] + ours[1]) / (measured[0] + measured[1]);
            println!("{name}: {ratio:.4}");
            assert!((0.97..1.05).contains(&ratio), "{name}: {ratio}");
        }
        assert_eq!(own_tails, 2, "long-swell and mirror-calm-at-dawn");
    }

    #[test]
    fn ripples_never_run_across_the_wind() {
        let winds =
            (1..=20).map(|wind| SeaState { wind_speed_mps: f64::from(wind), ..Default::default() });
        let presets = Preset::SHIPPED.iter().map(|(name, _)| Preset::load(name).unwrap().sea);
        for sea in winds.chain(presets).filter(|sea| sea.short_waves == ShortWaves::CoxMunk) {
            let spectrum = DirectionalSpectrum::of(&sea);
            let wind = sea.wind_direction_deg.to_radians();
            for k in [30.0, SLOWEST_RAD_PER_M] {
                let ring = spectrum.ring(k);
                let (mut along, mut across) = (0.0, 0.0);
                for step in 0..360 {
                    let theta = f64::from(step).to_radians();
                    let psi = ring.psi_m4((wind + theta).cos(), (wind + theta).sin(), 0.0);
                    along += psi * theta.cos().powi(2);
                    across += psi * theta.sin().powi(2);
                }
                assert!(along >= (1.0 - 1e-9) * across, "{sea:?} {k}: {along} and {across}");
                assert!(along < 3.001 * across, "a lobe of two: {along} and {across}");
            }
        }
    }

    #[test]
    fn the_summary_sums_the_same_slopes() {
        let sea = SeaState { swell_height_m: 2.0, wind_direction_deg: -70.0, ..Default::default() };
        let summary = SeaSummary::of(&sea);
        let ours = [summary.mean_square_slope_along, summary.mean_square_slope_across];
        for (ours, sum) in ours.into_iter().zip(slope_variance(&sea)) {
            assert!((ours / sum - 1.0).abs() < 0.01, "{ours} is not {sum}");
        }
    }

    #[test]
    fn the_wave_height_hardly_moves() {
        for sea in seas() {
            for (spectrum, spreading) in models() {
                let sea = SeaState { spectrum, spreading, ..sea.clone() };
                let own = SeaState { short_waves: ShortWaves::Model, ..sea.clone() };
                let height = |sea| SeaSummary::of(sea).significant_wave_height_m;
                let ratio = height(&sea) / height(&own);
                assert!((ratio - 1.0).abs() < 5e-3, "{spectrum} {sea:?}: {ratio}");
            }
        }
    }

    #[test]
    fn ripples_leave_a_requested_height_unchanged() {
        for (wind_speed_mps, significant_wave_height_m, peak_period_s) in [
            (9.0, 0.5, 0.0),
            (12.0, 0.5, 10.0),
            (20.0, 0.5, 12.0),
            (20.0, 1.0, 20.0),
            (10.0, 10.0, 0.0),
            (2.0, 3.0, 0.0),
        ] {
            let sea = SeaState {
                wind_speed_mps,
                significant_wave_height_m,
                peak_period_s,
                ..Default::default()
            };
            let ratio = SeaSummary::of(&sea).significant_wave_height_m / significant_wave_height_m;
            assert!((ratio - 1.0).abs() < 0.01, "{sea:?}: {ratio}");
        }
    }

    #[test]
    fn one_goes_over_into_the_other_without_a_step() {
        let sea = SeaState::default();
        let spectrum = DirectionalSpectrum::of(&sea);
        let [first, last] = spectrum.range_rad_per_m();
        let curvature = |k: f64| k.powi(3) * spectrum.density_m3(k);
        // Beyond the peak, which is steep by itself.
        let mut k = 20.0 * first;
        while 1.01 * k < last {
            let (here, next) = (curvature(k), curvature(1.01 * k));
            assert!((here - next).abs() < 0.06 * here.max(next) + 1e-4, "{k}: {here} {next}");
            k *= 1.01;
        }
        assert_eq!(curvature(last), 0.0);
    }

    #[test]
    fn swells_come_on_top() {
        let sea = SeaState { swell_height_m: 2.0, swell_period_s: 10.0, ..Default::default() };
        let calm = SeaState { swell_height_m: 0.0, ..sea.clone() };
        let [with, without] = [&sea, &calm].map(SeaSummary::of);
        let squares = |summary: &SeaSummary| summary.significant_wave_height_m.powi(2);
        assert!((squares(&with) - squares(&without) - 4.0).abs() < 0.01);
        let more = with.mean_square_slope - without.mean_square_slope;
        // k^2 m0, widened by its band.
        let k = (std::f64::consts::TAU / 10.0_f64).powi(2) / GRAVITY_MPS2;
        let expected = k * k * 4.0 / 16.0;
        assert!((more / expected - 1.0).abs() < 0.1, "{more} is not {expected}");
    }
}
