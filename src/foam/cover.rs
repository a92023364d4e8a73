//! How much of a sea is white: the model of foam at one point of the water, and the compression at
//! which waves must break for the whole to be covered as it is observed.
//!
//! At a point of the water the Jacobian J of the horizontal displacement is a random process in time,
//! whose spectrum follows from the sea's. The model runs on hours of it, for several thresholds, and
//! the threshold that gives the cover asked for is read off: nothing about it is fitted by eye.

use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;
use rand_distr::{Distribution as _, StandardNormal};

use crate::fft::Direction;
use crate::fft::lab::cpu;
use crate::settings::SeaState;
use crate::spectrum::DirectionalSpectrum;

/// Seconds in which dense, fresh foam falls to 1/e.
pub const FRESH_DECAY_S: f64 = 0.9;
/// Seconds in which the thin foam that it leaves falls to 1/e (3.85 s were observed by Monahan and
/// Zietlow 1969 in fresh water, 3.5 s in salt), where the water keeps its area.
pub const OLD_DECAY_S: f64 = 3.5;
/// What both lose each second besides, so that nothing lasts.
pub const FADING_PER_S: f64 = 0.02;
/// Thin foam decays by the water's area over that at rest, within these bounds: where water
/// converges it lives longer.
pub const CONVERGENCE: [f64; 2] = [0.6, 1.4];
/// Share of the water that fresh foam covers.
pub const FRESH_DENSITY: f64 = 0.93;
/// Share of the water that the thinnest foam's lace covers when it begins.
pub const OLD_DENSITY: f64 = 0.45;
/// Standard deviation of J within which water begins to break.
pub const BREAKING_EDGE: f64 = 0.03;

/// Monahan and O'Muircheartaigh (1980): share of the sea that is white at a wind speed 10 m above
/// it, in m/s.
pub fn observed_cover(wind_speed_mps: f64) -> f64 {
    (3.84e-6 * wind_speed_mps.powf(3.41)).min(0.6)
}

/// As much, times the dial of `sea`: what its foam is to cover.
pub fn wanted(sea: &SeaState) -> f64 {
    (sea.foam * observed_cover(sea.wind_speed_mps)).min(0.9)
}

/// Foam at a point of the water. Twin of `shaders/foam/step.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Fresh foam, dense and bright: 1 where a wave breaks.
    pub fresh: f64,
    /// What it leaves.
    pub old: f64,
}

impl Point {
    /// After `seconds`, the water there having come to the Jacobian `jacobian`, and waves breaking
    /// below `threshold`.
    pub fn step(self, jacobian: f64, threshold: f64, seconds: f64) -> Self {
        let kept = [fresh_kept(seconds), old_kept(jacobian, seconds)];
        self.fade(breaking(jacobian, threshold), kept, FADING_PER_S * seconds)
    }

    /// Of fresh and old foam these parts are kept, but for `fading`; and `breaking` is new.
    fn fade(self, breaking: f64, kept: [f64; 2], fading: f64) -> Self {
        Self {
            fresh: (self.fresh * kept[0] - fading).max(breaking),
            old: (self.old * kept[1] - fading).max(breaking),
        }
    }

    /// Share of the water that it covers.
    pub fn share(self) -> f64 {
        let old = OLD_DENSITY * self.old;
        old + self.fresh * (FRESH_DENSITY - old)
    }
}

/// What `seconds` leave of fresh foam, but for the fading.
fn fresh_kept(seconds: f64) -> f64 {
    libm::exp(-seconds / FRESH_DECAY_S)
}

/// What they leave of old foam.
fn old_kept(jacobian: f64, seconds: f64) -> f64 {
    libm::exp(-seconds * jacobian.clamp(CONVERGENCE[0], CONVERGENCE[1]) / OLD_DECAY_S)
}

/// Whether water breaks, 0 to 1.
fn breaking(jacobian: f64, threshold: f64) -> f64 {
    normal_integral((threshold - jacobian) / BREAKING_EDGE)
}

/// Integral of the unit Gaussian up to `x`.
fn normal_integral(x: f64) -> f64 {
    // Most points are far from breaking, or well in it.
    if x.abs() > 6.0 {
        return if x < 0.0 { 0.0 } else { 1.0 };
    }
    0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}

/// Means over the sea's surface, as it lies displaced.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cover {
    /// Share of the sea that foam covers.
    pub share: f64,
    /// Of that, what is fresh.
    pub fresh: f64,
    /// Share of the water at rest that breaks at any time.
    pub breaking: f64,
    /// Fresh and old foam that would cover as much of the sea, and as much of it with what is fresh,
    /// if there were as much everywhere.
    pub even: [f64; 2],
}

impl Cover {
    /// How much more there is of fresh and of old foam, evenly, than breaks at the time.
    pub fn over_breaking(&self) -> [f64; 2] {
        self.even.map(|mean| mean / self.breaking.max(1e-12))
    }
}

/// The Jacobian at points of one sea's water, in steps of [`History::STEP_S`].
pub struct History {
    /// Independent runs: J, and what a step leaves of old foam there.
    runs: [Vec<[f32; 2]>; 2],
}

impl History {
    /// Seconds from one value to the next.
    pub const STEP_S: f64 = 0.1;
    /// Values of a run: seven hours.
    const LENGTH: usize = 1 << 18;
    /// Nodes of the waves' spectrum in ln k, and directions.
    const NODES: usize = 96;
    const DIRECTIONS: usize = 36;
    /// Values before which the foam is not counted: it begins without any.
    const BEGINNING: usize = 150;

    /// Of the waves of `spectrum` with wavenumbers within `band_rad_per_m`, their horizontal
    /// displacement times `choppiness`. `kept_power` is the share of a wave's power that is seen of
    /// it, given its wavenumber and its direction.
    pub fn new(
        spectrum: &DirectionalSpectrum,
        band_rad_per_m: [f64; 2],
        choppiness: f64,
        kept_power: impl Fn(f64, [f64; 2]) -> f64,
    ) -> Self {
        let nodes = nodes(spectrum, band_rad_per_m, kept_power);
        let d_omega = std::f64::consts::TAU / (Self::LENGTH as f64 * Self::STEP_S);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0x5ea_f0a3);
        let mut fields: [Vec<[f64; 2]>; 3] = std::array::from_fn(|_| vec![[0.0; 2]; Self::LENGTH]);
        let mut node = 0;
        for index in 1..Self::LENGTH / 2 {
            let omega = d_omega * index as f64;
            if nodes.len() < 2 || omega < nodes[0].omega || omega >= nodes[nodes.len() - 1].omega {
                continue;
            }
            while nodes[node + 1].omega <= omega {
                node += 1;
            }
            let factor = Factor::between(&nodes[node], &nodes[node + 1], omega);
            // A sum of such waves has, in its real part and in its imaginary part, the variance of
            // the spectrum.
            let amplitude = choppiness * d_omega.sqrt();
            let mut normals = || StandardNormal.sample(&mut rng);
            let white: [[f64; 2]; 3] = std::array::from_fn(|_| [normals(), normals()]);
            for part in 0..2 {
                let [a, b, c] = white.map(|white| amplitude * white[part]);
                let values = factor.times([a, b, c]);
                for (field, value) in fields.iter_mut().zip(values) {
                    field[index][part] = value;
                }
            }
        }
        let transform = cpu::Dit::new(Self::LENGTH, Direction::Inverse);
        for field in &mut fields {
            if let Some(transform) = &transform {
                transform.transform(field);
            }
        }
        let [xx, zz, xz] = &fields;
        Self {
            runs: [0, 1].map(|part| {
                (0..Self::LENGTH)
                    .map(|at| {
                        let [xx, zz, xz] = [xx, zz, xz].map(|field| field[at][part]);
                        let jacobian = (1.0 + xx) * (1.0 + zz) - xz * xz;
                        [jacobian, old_kept(jacobian, Self::STEP_S)].map(|value| value as f32)
                    })
                    .collect()
            }),
        }
    }

    /// The foam of waves that break below `threshold`, on average.
    pub fn cover(&self, threshold: f64) -> Cover {
        let (mut share, mut fresh, mut area, mut broken) = (0.0, 0.0, 0.0, 0.0);
        let (fresh_kept, fading) = (fresh_kept(Self::STEP_S), FADING_PER_S * Self::STEP_S);
        for run in &self.runs {
            let mut point = Point::default();
            for (at, values) in run.iter().enumerate() {
                let [jacobian, old_kept] = values.map(f64::from);
                let breaking = breaking(jacobian, threshold);
                point = point.fade(breaking, [fresh_kept, old_kept], fading);
                if at >= Self::BEGINNING {
                    // Over the area that the water has. Folded over, it has none to be seen.
                    let seen = jacobian.max(0.0);
                    share += seen * point.share();
                    fresh += seen * point.fresh * FRESH_DENSITY;
                    area += seen;
                    broken += breaking;
                }
            }
        }
        let (share, fresh) = (share / area, fresh / area);
        let even_fresh = fresh / FRESH_DENSITY;
        let even_old = (share - fresh) / (OLD_DENSITY * (1.0 - even_fresh));
        let values = (self.runs.len() * (Self::LENGTH - Self::BEGINNING)) as f64;
        Cover { share, fresh, breaking: broken / values, even: [even_fresh, even_old] }
    }

    /// The threshold at which foam covers `share` of the sea, and what is fresh of it. There may be
    /// no such threshold in a sea of little choppiness: then 0.85, the highest.
    ///
    /// Breaking is rare at low wind, too rare to be counted: below a cover of 0.006 its logarithm
    /// is carried on as a parabola in the threshold, which it is of a Gaussian's tail.
    pub fn solve(&self, share: f64) -> (f64, Cover) {
        let counted = |share: f64| {
            let (mut low, mut high) = (Self::LOWEST, Self::HIGHEST);
            for _ in 0..14 {
                let middle = 0.5 * (low + high);
                if self.cover(middle).share < share { low = middle } else { high = middle }
            }
            high
        };
        if share >= Self::RARE {
            let threshold = counted(share);
            return (threshold, self.cover(threshold));
        }
        // Three thresholds whose covers are a factor of 3 apart.
        let shares = [9.0, 3.0, 1.0].map(|times| times * Self::RARE);
        let [x0, x1, x2] = shares.map(counted);
        let [y0, y1, y2] = shares.map(|share| share.ln());
        let least = self.cover(x2);
        if x2 >= Self::HIGHEST {
            return (Self::HIGHEST, least);
        }
        // Newton's divided differences.
        let first = (y1 - y0) / (x1 - x0);
        let second = (((y2 - y1) / (x2 - x1) - first) / (x2 - x0)).min(0.0);
        let at = |x: f64| y0 + (x - x0) * (first + second * (x - x1));
        let (mut low, mut high) = (x2 - 1.0, x2);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if at(middle) < share.max(1e-12).ln() { low = middle } else { high = middle }
        }
        let fewer = share / least.share;
        let [fresh, breaking] = [least.fresh, least.breaking].map(|mean| mean * fewer);
        (high, Cover { share, fresh, breaking, even: least.even.map(|mean| mean * fewer) })
    }

    /// The cover from which on it can be counted.
    const RARE: f64 = 0.006;
    /// Where thresholds are looked for.
    const LOWEST: f64 = -3.0;
    /// The least compression that can break a wave.
    const HIGHEST: f64 = 0.85;
}

/// The spectrum at one frequency: covariance densities of (Dxx, Dzz, Dxz) in s/rad.
struct Node {
    omega: f64,
    /// (xx xx, zz zz, xz xz, xx zz, xx xz, zz xz).
    density: [f64; 6],
}

fn nodes(
    spectrum: &DirectionalSpectrum,
    [first, last]: [f64; 2],
    kept_power: impl Fn(f64, [f64; 2]) -> f64,
) -> Vec<Node> {
    if last <= first {
        return Vec::new();
    }
    let ratio = libm::pow(last / first, 1.0 / (History::NODES - 1) as f64);
    let wavenumber = |node: usize| first * libm::pow(ratio, node as f64);
    (0..History::NODES)
        .map(|node| {
            let k = wavenumber(node);
            let ring = spectrum.ring(k);
            let d_omega_d_k = {
                let step = 1e-4 * k;
                let omega = |k| spectrum.dispersion.omega_rad_per_s(k);
                (omega(k + step) - omega(k - step)) / (2.0 * step)
            };
            let mut density = [0.0; 6];
            for direction in 0..History::DIRECTIONS {
                let theta = std::f64::consts::TAU * direction as f64 / History::DIRECTIONS as f64;
                let (z, x) = libm::sincos(theta);
                // Psi over the plane, k dk dtheta = k domega/(domega/dk) dtheta; D's derivatives are
                // k_i k_j/k of the height.
                let weight = kept_power(k, [x, z]) * ring.psi_m4(x, z) * k / d_omega_d_k
                    * k
                    * k
                    * (std::f64::consts::TAU / History::DIRECTIONS as f64);
                let [xx, zz, xz] = [x * x, z * z, x * z];
                let products = [xx * xx, zz * zz, xz * xz, xx * zz, xx * xz, zz * xz];
                density
                    .iter_mut()
                    .zip(products)
                    .for_each(|(sum, product)| *sum += weight * product);
            }
            Node { omega: ring.omega_rad_per_s, density }
        })
        .collect()
}

/// A matrix whose product with its transpose is a covariance (Cholesky).
struct Factor {
    xx: f64,
    zz_xx: f64,
    zz: f64,
    xz_xx: f64,
    xz_zz: f64,
    xz: f64,
}

impl Factor {
    fn between(a: &Node, b: &Node, omega: f64) -> Self {
        let share = (omega - a.omega) / (b.omega - a.omega);
        let [xxxx, zzzz, xzxz, xxzz, xxxz, zzxz]: [f64; 6] =
            std::array::from_fn(|i| a.density[i] + share * (b.density[i] - a.density[i]));
        let over = |value: f64, by: f64| if by > 0.0 { value / by } else { 0.0 };
        let xx = xxxx.max(0.0).sqrt();
        let (zz_xx, xz_xx) = (over(xxzz, xx), over(xxxz, xx));
        let zz = (zzzz - zz_xx * zz_xx).max(0.0).sqrt();
        let xz_zz = over(zzxz - xz_xx * zz_xx, zz);
        let xz = (xzxz - xz_xx * xz_xx - xz_zz * xz_zz).max(0.0).sqrt();
        Self { xx, zz_xx, zz, xz_xx, xz_zz, xz }
    }

    fn times(&self, [a, b, c]: [f64; 3]) -> [f64; 3] {
        [self.xx * a, self.zz_xx * a + self.zz * b, self.xz_xx * a + self.xz_zz * b + self.xz * c]
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    fn history(wind_speed_mps: f64) -> History {
        let sea = SeaState { wind_speed_mps, ..Default::default() };
        let spectrum = DirectionalSpectrum::of(&sea);
        History::new(&spectrum, [0.01, TAU / 1.5], 1.0, |_, _| 1.0)
    }

    /// As much as is observed, at the winds of a breeze and of a storm.
    #[test]
    fn the_threshold_gives_the_cover_asked_for() {
        for wind_speed_mps in [9.0, 12.0, 18.0, 24.0] {
            let history = history(wind_speed_mps);
            let asked = observed_cover(wind_speed_mps);
            let (threshold, cover) = history.solve(asked);
            let found = history.cover(threshold).share;
            // Rare breaking is read off a parabola, and counting it is uncertain by a tenth.
            let tolerance = if asked < History::RARE { 0.35 } else { 0.01 };
            assert!((found / asked - 1.0).abs() < tolerance, "{wind_speed_mps}: {found}, {asked}");
            assert!(cover.fresh > 0.1 * cover.share && cover.fresh < cover.share);
            assert!((0.0..0.85).contains(&threshold), "{threshold}");
        }
    }

    #[test]
    fn observations_are_those_published() {
        // Monahan and O'Muircheartaigh (1980): 1% at 10 m/s.
        assert!((observed_cover(10.0) - 0.0099).abs() < 1e-4);
        assert!(observed_cover(0.5) < 1e-6);
    }

    /// The Jacobian's variance is, to first order, that of the slopes.
    #[test]
    fn the_process_has_the_variance_of_its_spectrum() {
        let sea = SeaState { wind_speed_mps: 12.0, ..Default::default() };
        let spectrum = DirectionalSpectrum::of(&sea);
        let band = [0.05, TAU / 1.5];
        let choppiness = 0.1;
        let history = History::new(&spectrum, band, choppiness, |_, _| 1.0);
        let [xx, zz, _] = spectrum.slope_covariance(band[0], band[1]);
        let values = history.runs.iter().flatten();
        let count = (2 * History::LENGTH) as f64;
        let variance = values.map(|[j, _]| f64::from(j - 1.0).powi(2)).sum::<f64>() / count;
        let expected = choppiness * choppiness * (xx + zz);
        assert!((variance / expected - 1.0).abs() < 0.03, "{variance} is not {expected}");
    }

    #[test]
    fn foam_is_gone_after_its_memory() {
        let mut point = Point { fresh: 1.0, old: 1.0 };
        let mut last = point.share();
        for _ in 0..(10.0 * super::super::MEMORY_S) as u32 {
            point = point.step(1.0, 0.3, 0.1);
            assert!(point.share() <= last);
            last = point.share();
        }
        assert_eq!(point, Point::default());
        // A wave breaks: dense at once, and thinner from then on.
        let broken = point.step(0.1, 0.3, 0.1);
        assert!((broken.share() - FRESH_DENSITY).abs() < 1e-3);
        assert!(broken.step(1.2, 0.3, 1.0).share() < 0.7);
    }

    #[test]
    fn a_sea_without_choppiness_never_breaks() {
        let spectrum = DirectionalSpectrum::of(&SeaState::default());
        let (threshold, cover) = History::new(&spectrum, [0.05, 4.0], 0.0, |_, _| 1.0).solve(0.05);
        assert!(threshold <= History::HIGHEST && cover.share < 0.05, "{threshold} {cover:?}");
    }
}
