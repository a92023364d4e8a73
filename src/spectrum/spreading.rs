//! Directional spreading D(theta; omega): the distribution of the variance of one frequency over
//! directions. Every model integrates to one over the circle at every frequency.
//!
//! ```
//! use seaway::spectrum::spreading::*;
//!
//! // The lobe of cos^2s integrates to one: at s = 1 its peak is 1/pi.
//! assert!((cos_2s_normalisation(1.0) * std::f64::consts::PI - 1.0).abs() < 1e-12);
//! assert!((Lobe::cos_2s(1.0).density(1.0) - cos_2s_normalisation(1.0)).abs() < 1e-12);
//! // At the peak all models are narrower than at twice its frequency.
//! assert!(hasselmann_exponent(1.0, 1.0) > hasselmann_exponent(2.0, 1.0));
//! assert!(mitsuyasu_exponent(1.0, 1.0) > mitsuyasu_exponent(2.0, 1.0));
//! assert!(donelan_banner_beta(1.0) > donelan_banner_beta(2.0));
//! // The difference between waves along and across the wind (Elfouhaily et al.).
//! assert!((0.0..=1.0).contains(&elfouhaily_delta(8.0, 10.0, 0.4)));
//! ```

use std::f64::consts::{LN_2, PI, TAU};

use super::Dispersion;
use super::dispersion::GRAVITY_MPS2;
use super::wind::{SLOWEST_MPS, friction_velocity_mps};
use crate::settings::{SeaState, SpectrumModel, SpreadingModel};

/// Q(s) = Gamma(s+1)/(2 sqrt(pi) Gamma(s+1/2)), which makes Q(s) |cos(theta/2)|^(2s) integrate
/// to one over the circle (Longuet-Higgins, Cartwright and Smith 1963).
pub fn cos_2s_normalisation(s: f64) -> f64 {
    libm::exp(libm::lgamma(s + 1.0) - libm::lgamma(s + 0.5)) / (2.0 * PI.sqrt())
}

/// Hasselmann, Dunckel and Ewing (1980): s = 6.97 x^4.06 up to the peak, beyond it 9.77 x^(-2.33 - 1.45 (U
/// omega_p/g - 1.17)), with x = omega/omega_p and `inverse_wave_age` = U omega_p/g.
pub fn hasselmann_exponent(x: f64, inverse_wave_age: f64) -> f64 {
    if x <= 1.0 {
        6.97 * libm::pow(x, 4.06)
    } else {
        9.77 * libm::pow(x, -2.33 - 1.45 * (inverse_wave_age - 1.17))
    }
}

/// Mitsuyasu et al. (1975): s = 11.5 (U omega_p/g)^-2.5, times x^5 up to the peak and x^-2.5
/// beyond it; at the peak at most 200.
pub fn mitsuyasu_exponent(x: f64, inverse_wave_age: f64) -> f64 {
    // An old swell's would be a line, which no lattice of wave vectors can hold.
    let at_peak = (11.5 * libm::pow(inverse_wave_age, -2.5)).min(200.0);
    at_peak * if x <= 1.0 { libm::pow(x, 5.0) } else { libm::pow(x, -2.5) }
}

/// Donelan, Hamilton and Hui (1985), beyond 1.6 omega_p Banner (1990): beta of
/// sech^2(beta theta). Below 0.56 omega_p there are no measurements; 2.61 x^1.3 goes on.
pub fn donelan_banner_beta(x: f64) -> f64 {
    if x < 0.95 {
        2.61 * libm::pow(x, 1.3)
    } else if x < 1.6 {
        2.28 * libm::pow(x, -1.3)
    } else {
        let decay = libm::exp(-0.567 * libm::log(x * x));
        libm::pow(10.0, -0.4 + 0.8393 * decay)
    }
}

/// Elfouhaily et al. (1997), equation 57: Delta of (1 + Delta cos 2 theta)/(2 pi), for waves of
/// phase speed `c` where those at the peak have `c_p`.
pub fn elfouhaily_delta(c: f64, c_p: f64, friction_velocity_mps: f64) -> f64 {
    let a_m = 0.13 * friction_velocity_mps / SLOWEST_MPS;
    let (long, short) = (c / c_p, SLOWEST_MPS / c);
    libm::tanh(0.25 * LN_2 + 4.0 * libm::pow(long, 2.5) + a_m * libm::pow(short, 2.5))
}

/// The values of U omega_p/g where Hasselmann's measurements end, and where the sea spreads by Donelan
/// and Banner alone: his reach 1.6 or so, theirs 0.83 to 4.6. His exponent falls ever faster as the sea
/// gets younger; at 2.6 it leaves waves of twice the peak's frequency nearly round (0.46).
const YOUNG: [f64; 2] = [1.6, 2.0];

/// The share of Donelan and Banner's lobe where Hasselmann's is requested, from 0 to 1.
fn young_share(inverse_wave_age: f64) -> f64 {
    let t = ((inverse_wave_age - YOUNG[0]) / (YOUNG[1] - YOUNG[0])).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The directional spreading of one system of waves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spreading {
    model: Model,
    omega_p: f64,
    upwind_share: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Model {
    Cos2s { s: f64, elongation: f64 },
    Hasselmann { inverse_wave_age: f64, elongation: f64 },
    Mitsuyasu { inverse_wave_age: f64, elongation: f64 },
    DonelanBanner { elongation: f64 },
    Elfouhaily { friction_velocity_mps: f64, peak_mps: f64 },
    CosSquared,
}

impl Spreading {
    /// The spreading of the wind sea of `sea`, whose spectrum peaks at `omega_p`. Phillips' spectrum has
    /// its own, cos^2.
    pub fn of(sea: &SeaState, omega_p: f64) -> Self {
        let inverse_wave_age = sea.wind_speed_mps * omega_p / GRAVITY_MPS2;
        let elongation = sea.swell_elongation;
        let model = match sea.spreading {
            _ if sea.spectrum == SpectrumModel::Phillips => Model::CosSquared,
            SpreadingModel::Cos2s => Model::Cos2s { s: sea.spreading_exponent, elongation },
            SpreadingModel::Hasselmann => Model::Hasselmann { inverse_wave_age, elongation },
            SpreadingModel::Mitsuyasu => Model::Mitsuyasu { inverse_wave_age, elongation },
            SpreadingModel::DonelanBanner => Model::DonelanBanner { elongation },
            SpreadingModel::Elfouhaily => Model::Elfouhaily {
                friction_velocity_mps: friction_velocity_mps(sea.wind_speed_mps),
                peak_mps: omega_p / Dispersion::of(sea).wavenumber_rad_per_m(omega_p),
            },
        };
        Self { model, omega_p, upwind_share: sea.upwind_share }
    }

    /// The spreading cos-2s of exponent `s` at every frequency.
    pub fn cos_2s(s: f64, omega_p: f64) -> Self {
        Self { model: Model::Cos2s { s, elongation: 0.0 }, omega_p, upwind_share: 1.0 }
    }

    /// The lobe of waves of frequency `omega` and wavenumber `k`.
    pub fn lobe(&self, omega: f64, k: f64) -> Lobe {
        let x = omega / self.omega_p;
        // Horvath (2015): the excess of a swell's exponent over that of its sea.
        let more = |elongation: f64| 16.0 * libm::tanh(1.0 / x) * elongation * elongation;
        // Around the wind |cos(theta/2)|^(2s) falls as exp(-s theta^2/4), and sech^2 as exp(-beta^2 theta^2).
        let donelan_banner = |elongation: f64| {
            let beta = donelan_banner_beta(x);
            Shape::sech_squared((beta * beta + 0.25 * more(elongation)).sqrt())
        };
        let mut blended = None;
        let shape = match self.model {
            Model::Cos2s { s, elongation } => Shape::cos_2s(s + more(elongation)),
            Model::Hasselmann { inverse_wave_age, elongation } => {
                let share = young_share(inverse_wave_age);
                if share > 0.0 {
                    blended = Some((donelan_banner(elongation), share));
                }
                Shape::cos_2s(hasselmann_exponent(x, inverse_wave_age) + more(elongation))
            }
            Model::Mitsuyasu { inverse_wave_age, elongation } => {
                Shape::cos_2s(mitsuyasu_exponent(x, inverse_wave_age) + more(elongation))
            }
            Model::DonelanBanner { elongation } => donelan_banner(elongation),
            Model::Elfouhaily { friction_velocity_mps, peak_mps } => {
                let delta = elfouhaily_delta(omega / k, peak_mps, friction_velocity_mps);
                Shape::TwoLobes { delta }
            }
            Model::CosSquared => Shape::TwoLobes { delta: 1.0 },
        };
        Lobe { shape, blended, upwind_share: self.upwind_share }
    }
}

/// D(theta) at one frequency, normalised once for all directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lobe {
    shape: Shape,
    blended: Option<(Shape, f64)>,
    upwind_share: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    /// The distribution Q(s) |cos(theta/2)|^(2s) of one exponent.
    Cos2s { s: f64, normalisation: f64 },
    /// The distribution beta/(2 tanh(beta pi)) sech^2(beta theta).
    SechSquared { beta: f64, normalisation: f64 },
    /// The distribution (1 + delta cos 2 theta)/(2 pi).
    TwoLobes { delta: f64 },
}

impl Shape {
    fn cos_2s(s: f64) -> Self {
        Self::Cos2s { s, normalisation: cos_2s_normalisation(s) }
    }

    fn sech_squared(beta: f64) -> Self {
        // As beta goes to 0, the circle is even.
        let beta = beta.max(1e-6);
        Self::SechSquared { beta, normalisation: 0.5 * beta / libm::tanh(beta * PI) }
    }

    fn mean_cos_2_theta(&self) -> f64 {
        match *self {
            Shape::Cos2s { s, .. } => s * (s - 1.0) / ((s + 1.0) * (s + 2.0)),
            Shape::SechSquared { beta, normalisation } => {
                // The trapezoidal rule, which is exact to 1e-6 up to beta = 8.
                const STEPS: u32 = 64;
                let step = PI / f64::from(STEPS);
                let at = |index: u32| {
                    let theta = step * f64::from(index);
                    let cosh = libm::cosh(beta * theta);
                    libm::cos(2.0 * theta) / (cosh * cosh)
                };
                let inner: f64 = (1..STEPS).map(at).sum();
                2.0 * normalisation * step * (inner + 0.5 * (at(0) + at(STEPS)))
            }
            Shape::TwoLobes { delta } => 0.5 * delta,
        }
    }

    fn density(&self, cos_theta: f64) -> f64 {
        match *self {
            Self::Cos2s { s, normalisation } => {
                // cos^2(theta/2) = (1 + cos(theta))/2: without a single arc function.
                let cos_squared_half = (0.5 * (1.0 + cos_theta)).clamp(0.0, 1.0);
                normalisation * libm::pow(cos_squared_half, s)
            }
            Self::SechSquared { beta, normalisation } => {
                let theta = libm::acos(cos_theta.clamp(-1.0, 1.0));
                let cosh = libm::cosh(beta * theta);
                normalisation / (cosh * cosh)
            }
            Self::TwoLobes { delta } => {
                (1.0 + delta * (2.0 * cos_theta * cos_theta - 1.0)).max(0.0) / TAU
            }
        }
    }
}

impl Lobe {
    /// The same density in all directions.
    pub(super) const EVEN: Self =
        Self { shape: Shape::TwoLobes { delta: 0.0 }, blended: None, upwind_share: 1.0 };

    /// The lobe Q(s) |cos(theta/2)|^(2s) without changes.
    pub fn cos_2s(s: f64) -> Self {
        Self { shape: Shape::cos_2s(s), blended: None, upwind_share: 1.0 }
    }

    /// The lobe (1 + delta cos 2 theta)/(2 pi), delta from -1 to 1, where `upwind_share` of the waves
    /// against the wind keep their direction.
    pub fn two_lobes(delta: f64, upwind_share: f64) -> Self {
        Self { shape: Shape::TwoLobes { delta }, blended: None, upwind_share }
    }

    /// D in 1/rad at the angle from the wind whose cosine is given. Lobes are symmetric about
    /// the wind, so the cosine is enough.
    ///
    /// A wave against the wind is as steep as one with it, but the two stand, and boil in place. All
    /// except a share are therefore turned around, which leaves the sum of both directions, and with it
    /// every slope, as in the model.
    pub fn density(&self, cos_theta: f64) -> f64 {
        let density = |cos_theta: f64| self.mean_of_shapes(|shape| shape.density(cos_theta));
        if self.upwind_share >= 1.0 {
            return density(cos_theta);
        }
        let kept = |cos_theta: f64| {
            let t = (0.5 + cos_theta / 0.5).clamp(0.0, 1.0);
            self.upwind_share + (1.0 - self.upwind_share) * t * t * (3.0 - 2.0 * t)
        };
        let turned = 1.0 - kept(-cos_theta);
        let back = if turned > 0.0 { turned * density(-cos_theta) } else { 0.0 };
        kept(cos_theta) * density(cos_theta) + back
    }

    /// The mean of cos 2 theta: 1 where all waves run along the wind, -1 where all run across. The share
    /// of the slopes' variance along the wind is half of one plus this mean.
    pub fn mean_cos_2_theta(&self) -> f64 {
        self.mean_of_shapes(Shape::mean_cos_2_theta)
    }

    fn mean_of_shapes(&self, of: impl Fn(&Shape) -> f64) -> f64 {
        match &self.blended {
            None => of(&self.shape),
            Some((other, share)) if *share >= 1.0 => of(other),
            Some((other, share)) => (1.0 - share) * of(&self.shape) + share * of(other),
        }
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice;
    use crate::settings::Preset;

    fn spreadings() -> impl Iterator<Item = Spreading> {
        let models = SpreadingModel::ALL.iter().map(|&model| (SpectrumModel::Jonswap, model));
        let models = models.chain([(SpectrumModel::Phillips, SpreadingModel::Cos2s)]);
        models.flat_map(|(spectrum, spreading)| {
            [
                (0.0, 3.0, 0.0, 1.0),
                (2.5, 10.0, 0.4, 0.1),
                (25.0, 20.0, 1.0, 0.0),
                (75.0, 40.0, 0.0, 0.5),
            ]
            .map(
                move |(spreading_exponent, wind_speed_mps, swell_elongation, upwind_share)| {
                    let sea = SeaState {
                        spectrum,
                        spreading,
                        spreading_exponent,
                        wind_speed_mps,
                        swell_elongation,
                        upwind_share,
                        ..Default::default()
                    };
                    Spreading::of(&sea, 0.9)
                },
            )
        })
    }

    fn lobe(spreading: &Spreading, omega: f64) -> Lobe {
        spreading.lobe(omega, omega * omega / GRAVITY_MPS2)
    }

    /// The integral of `f(theta)` D(theta) over the circle.
    fn integral(lobe: &Lobe, f: impl Fn(f64) -> f64) -> f64 {
        // The trapezoid rule on a whole period: exact to rounding for a lobe this smooth.
        let steps = 4_000;
        let step = TAU / f64::from(steps);
        let theta = |index: i32| step * f64::from(index);
        (0..steps).map(|i| f(theta(i)) * lobe.density(theta(i).cos()) * step).sum()
    }

    #[test]
    fn every_model_integrates_to_one_at_every_frequency() {
        for spreading in spreadings() {
            for i in 1..80 {
                let omega = 0.05 * f64::from(i * i);
                let lobe = lobe(&spreading, omega);
                let total = integral(&lobe, |_| 1.0);
                // Below s = 1/2 the lobe has a cusp, where the rule is less accurate.
                let tolerance = match lobe.shape {
                    Shape::Cos2s { s, .. } if s < 0.5 => 1e-3,
                    // And sech^2 a kink against the wind.
                    _ => 1e-4,
                };
                assert!((total - 1.0).abs() < tolerance, "{spreading:?} omega={omega}: {total}");
            }
        }
    }

    #[test]
    fn mean_cos_2_theta_agrees_with_the_lobe() {
        for spreading in spreadings() {
            for omega in [0.5, 0.9, 1.3, 2.9, 9.0] {
                let lobe = lobe(&spreading, omega);
                let mean = integral(&lobe, |theta| (2.0 * theta).cos());
                let expected = lobe.mean_cos_2_theta();
                assert!((mean - expected).abs() < 1e-3, "{spreading:?}: {mean} {expected}");
            }
        }
    }

    #[test]
    fn the_normalisation_has_its_known_values() {
        assert!((cos_2s_normalisation(0.0) - 1.0 / (2.0 * PI)).abs() < 1e-12);
        assert!((cos_2s_normalisation(1.0) - 1.0 / PI).abs() < 1e-12);
        assert!((cos_2s_normalisation(2.0) - 4.0 / (3.0 * PI)).abs() < 1e-12);
    }

    /// Short waves by Hasselmann run against the wind nearly as often as with it.
    #[test]
    fn only_a_share_of_waves_runs_upwind() {
        let upwind = |upwind_share| {
            let sea = SeaState { upwind_share, ..Default::default() };
            let lobe = lobe(&Spreading::of(&sea, 0.9), 12.0);
            integral(&lobe, |theta| if theta.cos() < 0.0 { 1.0 } else { 0.0 })
        };
        let own = upwind(1.0);
        assert!((0.36..0.5).contains(&own), "{own}");
        // Crosswind waves are in between.
        let less = upwind(0.1);
        assert!(less < 0.25 * own, "{less} of {own}");
        for spreading in spreadings() {
            let lobe = lobe(&spreading, 0.9);
            assert!(lobe.density(1.0) >= lobe.density(-1.0));
            assert!((-20..=20).all(|step| lobe.density(0.05 * f64::from(step)) >= 0.0));
        }
    }

    #[test]
    fn hasselmann_is_narrowest_at_the_peak() {
        assert!((hasselmann_exponent(1.0, 1.0) - 6.97).abs() < 1e-12);
        assert!((hasselmann_exponent(1.0 + 1e-12, 1.0) - 9.77).abs() < 1e-9);
        assert!((hasselmann_exponent(2.0, 1.17) - 9.77 * 2.0_f64.powf(-2.33)).abs() < 1e-12);
        assert!(hasselmann_exponent(0.5, 1.0) < 1.0 && hasselmann_exponent(5.0, 1.0) < 1.0);
    }

    /// From 1.6 to 2.0, the lobe becomes Donelan and Banner's.
    #[test]
    fn young_seas_go_over_into_donelan_and_banner() {
        let of = |spreading, inverse_wave_age: f64| {
            let wind_speed_mps = inverse_wave_age * GRAVITY_MPS2 / 0.9;
            let sea =
                SeaState { wind_speed_mps, spreading, upwind_share: 1.0, ..Default::default() };
            Spreading::of(&sea, 0.9)
        };
        let wide = |cos_theta: f64, age: f64, x: f64| {
            lobe(&of(SpreadingModel::Hasselmann, age), 0.9 * x).density(cos_theta)
        };
        for x in [0.7, 1.0, 1.5, 2.0, 4.0] {
            for step in 0..=60 {
                let age = 1.5 + 0.01 * f64::from(step);
                let total = integral(&lobe(&of(SpreadingModel::Hasselmann, age), 0.9 * x), |_| 1.0);
                assert!((total - 1.0).abs() < 1e-3, "{age} {x}: {total}");
                for cos_theta in [1.0, 0.5, 0.0, -0.5] {
                    let (here, next) = (wide(cos_theta, age, x), wide(cos_theta, age + 0.01, x));
                    // A step of 0.01 moves the share by 0.0375 at most.
                    assert!((here - next).abs() < 0.04, "{age} {x} {cos_theta}: {here} {next}");
                }
            }
            for cos_theta in [1.0, 0.3, -0.9] {
                let donelan = of(SpreadingModel::DonelanBanner, 2.0);
                let expected = lobe(&donelan, 0.9 * x).density(cos_theta);
                assert!((wide(cos_theta, 2.0, x) - expected).abs() < 1e-12);
                let hasselmann = Lobe::cos_2s(hasselmann_exponent(x, 1.6)).density(cos_theta);
                assert!((wide(cos_theta, 1.6, x) - hasselmann).abs() < 1e-9);
            }
        }
    }

    /// The squall's waves, of U omega_p/g = 2.6, run with the wind: at twice the peak's frequency the
    /// mean of cos theta of Hasselmann's lobe, s/(s + 1), would be 0.32.
    #[test]
    fn a_squall_is_not_round() {
        let squall = Preset::load("squall").unwrap().sea;
        let sea = SeaState { upwind_share: 1.0, ..squall };
        let peak = crate::spectrum::FrequencySpectrum::of(&sea).peak_rad_per_s();
        let mean = integral(&lobe(&Spreading::of(&sea, peak), 2.0 * peak), f64::cos);
        // By numerical integration of sech^2(0.96 theta).
        assert!((mean - 0.669).abs() < 0.01, "{mean}");
    }

    #[test]
    fn mitsuyasu_peaks_at_the_peak() {
        assert!((mitsuyasu_exponent(1.0, 1.0) - 11.5).abs() < 1e-12);
        assert!((mitsuyasu_exponent(2.0, 1.0) - 11.5 * 2.0_f64.powf(-2.5)).abs() < 1e-12);
        assert!((mitsuyasu_exponent(0.5, 2.0) - 11.5 * 2.0_f64.powf(-7.5)).abs() < 1e-12);
    }

    /// (ln x)^2 for ln(x^2) would be seen at 1.6, where the two pieces meet.
    #[test]
    fn donelan_and_banner_are_continuous() {
        let beta = donelan_banner_beta;
        assert!((beta(1.6) - 1.24).abs() < 0.01 && (beta(1.6 - 1e-9) - 1.24).abs() < 0.01);
        assert!((beta(0.95 - 1e-9) / beta(0.95) - 1.0).abs() < 0.01);
        assert!((beta(1e6) - 10.0_f64.powf(-0.4)).abs() < 1e-3);
    }

    #[test]
    fn elongation_narrows_every_single_lobe() {
        for &spreading in SpreadingModel::ALL {
            let width = |swell_elongation| {
                let sea = SeaState { spreading, swell_elongation, ..Default::default() };
                lobe(&Spreading::of(&sea, 0.9), 0.8).mean_cos_2_theta()
            };
            if spreading == SpreadingModel::Elfouhaily {
                assert_eq!(width(0.0), width(1.0));
            } else {
                assert!(width(0.0) < width(0.5) && width(0.5) < width(1.0), "{spreading:?}");
            }
        }
    }

    #[test]
    fn elfouhailys_waves_are_even_between_peak_and_ripples() {
        let delta = |k: f64| {
            let c = (GRAVITY_MPS2 / k * (1.0 + (k / 367.0).powi(2))).sqrt();
            elfouhaily_delta(c, (GRAVITY_MPS2 / 0.08).sqrt(), 0.35)
        };
        assert!(delta(0.08) > 0.99);
        assert!(delta(20.0) < 0.25);
        assert!(delta(367.0) > delta(20.0));
    }
}
