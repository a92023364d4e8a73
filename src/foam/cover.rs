//! How much of a sea is white: the model of foam at one point of the water, and the compression at
//! which waves must break for the whole to be covered as it is observed.
//!
//! At a point of the water the Jacobian J of the horizontal displacement is a random process in time,
//! whose spectrum follows from the sea's. The model runs on hours of it, for several thresholds, and
//! the threshold that gives the cover asked for is read off: nothing about it is fitted by eye.

use std::f64::consts::TAU;
use std::sync::LazyLock;

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
        self.fade([breaking(jacobian, threshold); 2], kept, FADING_PER_S * seconds)
    }

    /// Of fresh and old foam these parts are kept, but for `fading`; and so much is new.
    fn fade(self, made: [f64; 2], kept: [f64; 2], fading: f64) -> Self {
        Self {
            fresh: (self.fresh * kept[0] - fading).max(made[0]),
            old: (self.old * kept[1] - fading).max(made[1]),
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

/// So many deviations from breaking, water does not break.
const NO_BREAKING: f64 = 4.5;

/// Integral of the unit Gaussian up to `x`, to 2e-6: from a table, for it is asked a million times.
fn normal_integral(x: f64) -> f64 {
    const REACH: f64 = 5.0;
    const A_UNIT: f64 = 128.0;
    static TABLE: LazyLock<Vec<f64>> = LazyLock::new(|| {
        (0..=(2.0 * REACH * A_UNIT) as u32 + 1)
            .map(|index| f64::from(index) / A_UNIT - REACH)
            .map(|x| 0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2))
            .collect()
    });
    if x.abs() >= REACH {
        return if x < 0.0 { 0.0 } else { 1.0 };
    }
    let at = (x + REACH) * A_UNIT;
    let (index, share) = (at as usize, at.fract());
    TABLE[index] + share * (TABLE[index + 1] - TABLE[index])
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

/// Waves whose foam is looked for: the part of a sea's spectrum within a band, as a place meets them
/// that drifts with the foam.
pub struct Waves {
    components: Vec<Component>,
    highest_rad_per_s: f64,
}

/// Waves of one wavenumber and direction.
struct Component {
    k_rad_per_m: f64,
    towards: [f64; 2],
    /// How often the place meets them.
    encounter_rad_per_s: f64,
    /// Variance of their slope.
    slope_variance: f64,
}

impl Waves {
    /// Nodes of the spectrum in ln k, and directions.
    const NODES: usize = 192;
    const DIRECTIONS: usize = 48;

    /// Those of `spectrum` with wavenumbers within `band_rad_per_m`, met at `drift_mps` along (x, z).
    /// Foam drifts along with the waves that make it: it meets them less often, and each for longer.
    pub fn new(
        spectrum: &DirectionalSpectrum,
        [first, last]: [f64; 2],
        drift_mps: [f64; 2],
    ) -> Self {
        let mut components = Vec::new();
        let d_ln_k = libm::log(last / first) / Self::NODES as f64;
        let d_theta = TAU / Self::DIRECTIONS as f64;
        for node in 0..if last > first { Self::NODES } else { 0 } {
            let k = first * libm::exp(d_ln_k * (node as f64 + 0.5));
            let ring = spectrum.ring(k);
            for direction in 0..Self::DIRECTIONS {
                let (z, x) = libm::sincos(d_theta * (direction as f64 + 0.5));
                let doppler = k * (x * drift_mps[0] + z * drift_mps[1]);
                components.push(Component {
                    k_rad_per_m: k,
                    towards: [x, z],
                    // Backwards in time, it is as random.
                    encounter_rad_per_s: (ring.omega_rad_per_s - doppler).abs(),
                    slope_variance: k * k * ring.psi_m4(x, z) * k * k * d_ln_k * d_theta,
                });
            }
        }
        let highest_rad_per_s =
            components.iter().map(|wave| wave.encounter_rad_per_s).fold(0.0, f64::max);
        Self { components, highest_rad_per_s }
    }

    /// Covariance densities of (Dxx, Dzz, Dxz) in s/rad, in bands of equal width from 0 to the highest
    /// frequency: (xx xx, zz zz, xz xz, xx zz, xx xz, zz xz).
    fn densities(&self, kept_power: impl Fn(f64, [f64; 2]) -> f64) -> Vec<[f64; 6]> {
        let mut densities = vec![[0.0; 6]; BANDS];
        let width = self.band_rad_per_s();
        for wave in &self.components {
            let [x, z] = wave.towards;
            let [xx, zz, xz] = [x * x, z * z, x * z];
            let weight = wave.slope_variance * kept_power(wave.k_rad_per_m, wave.towards) / width;
            let products = [xx * xx, zz * zz, xz * xz, xx * zz, xx * xz, zz * xz];
            // To the two bands whose middles it lies between.
            let at = (wave.encounter_rad_per_s / width - 0.5).clamp(0.0, (BANDS - 1) as f64);
            let (band, share) = (at as usize, at.fract());
            for (band, share) in [(band, 1.0 - share), ((band + 1).min(BANDS - 1), share)] {
                for (density, product) in densities[band].iter_mut().zip(products) {
                    *density += share * weight * product;
                }
            }
        }
        densities
    }

    /// How much of J - 1 is left of it on average over the water that a texel's foam is drawn on, which
    /// reaches to the next texels: the mean of the waves' amplitudes there, for linear interpolation.
    fn interpolated<F: Fn(f64, [f64; 2]) -> f64>(&self, seen: &Seen<F>) -> f64 {
        let sinc = |x: f64| if x.abs() < 1e-6 { 1.0 } else { libm::sin(x) / x };
        let (mut all, mut left) = (1e-30, 1e-30);
        for wave in &self.components {
            let power = wave.slope_variance * (seen.kept_power)(wave.k_rad_per_m, wave.towards);
            let [x, z] = wave.towards.map(|part| 0.5 * part * wave.k_rad_per_m * seen.texel_m);
            all += power;
            left += power * (sinc(x) * sinc(z)).powi(2);
        }
        left / all
    }

    fn band_rad_per_s(&self) -> f64 {
        self.highest_rad_per_s / BANDS as f64
    }
}

/// Bands of frequency.
const BANDS: usize = 96;

/// What a texel of the foam sees of the waves in it.
pub struct Seen<F> {
    /// Share of the power of a wave that it shows, given its wavenumber and its direction.
    pub kept_power: F,
    /// Side of the texel: between texels, foam is interpolated.
    pub texel_m: f64,
    /// Variance of J that it does not show.
    pub lost_variance: f64,
    /// Share of the slopes' variance that it does not show, 0 to 1.
    pub unseen: f64,
    /// How much more foam there is, evenly, than breaks at the time ([`Cover::over_breaking`]): what a
    /// texel is given that shows nothing.
    pub over_breaking: [f64; 2],
}

/// The Jacobian at a place that drifts with the foam, some times a second.
pub struct History {
    values_per_s: u32,
    /// Steps of the foam from one value to the next: a wave breaks for so short a time that it matters.
    steps: u32,
    /// Independent runs: J, and what the time from one value to the next leaves of old foam there.
    runs: Vec<Vec<[f32; 2]>>,
    /// Standard deviation of J around it within which water begins to break.
    edge: f64,
    /// What is made of what breaks.
    made: [f64; 2],
    /// How much of J - 1 counts for the area.
    area: f64,
}

impl History {
    /// Seconds before which the foam is not counted: it begins without any.
    const BEGINNING_S: usize = 15;
    /// As many show waves of 1.5 m: 8 for each that is met, or more.
    const MOST_VALUES_PER_S: u32 = 10;

    /// Values of a run: a quarter of an hour, and no more than a processor keeps at hand.
    const RUN: usize = 1 << 13;

    /// Of `waves`, their horizontal displacement times `choppiness`, as a texel sees them that has so
    /// many steps a second: about `values` of it, a tenth of a second apart at most.
    pub fn new<F: Fn(f64, [f64; 2]) -> f64>(
        waves: &Waves,
        choppiness: f64,
        seen: &Seen<F>,
        steps_per_s: u32,
        values: usize,
    ) -> Self {
        let values_per_s = steps_per_s.min(Self::MOST_VALUES_PER_S);
        let step_s = f64::from(values_per_s).recip();
        let factors: Vec<Factor> =
            waves.densities(&seen.kept_power).iter().map(Factor::of).collect();
        let width = waves.band_rad_per_s();
        let d_omega = TAU / (Self::RUN as f64 * step_s);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0x5ea_f0a3);
        // A sum of such waves has, in its real part and in its imaginary part, the variance of the
        // spectrum, and their negatives are as likely: four runs.
        let amplitude = choppiness * d_omega.sqrt();
        let transform = cpu::Dit::new(Self::RUN, Direction::Inverse);
        let mut fields: [Vec<[f64; 2]>; 3] = std::array::from_fn(|_| vec![[0.0; 2]; Self::RUN]);
        let mut runs = Vec::new();
        for _ in 0..values.div_ceil(4 * Self::RUN) {
            fields.iter_mut().for_each(|field| field.fill([0.0; 2]));
            for index in 1..Self::RUN / 2 {
                let omega = d_omega * index as f64;
                if omega >= waves.highest_rad_per_s {
                    break;
                }
                let factor = &factors[((omega / width) as usize).min(BANDS - 1)];
                let mut normals = || StandardNormal.sample(&mut rng);
                let white: [[f64; 2]; 3] = std::array::from_fn(|_| [normals(), normals()]);
                for part in 0..2 {
                    let derivatives = factor.times(white.map(|white| amplitude * white[part]));
                    for (field, derivative) in fields.iter_mut().zip(derivatives) {
                        field[index][part] = derivative;
                    }
                }
            }
            if let Some(transform) = &transform {
                fields.iter_mut().for_each(|field| transform.transform(field));
            }
            let [xx, zz, xz] = &fields;
            runs.extend([(0, 1.0), (1, 1.0), (0, -1.0), (1, -1.0)].map(|(part, sign)| {
                let derivatives = xx.iter().zip(zz).zip(xz);
                derivatives
                    .map(|((xx, zz), xz)| [xx, zz, xz].map(|field| sign * field[part]))
                    .map(|[xx, zz, xz]| (1.0 + xx) * (1.0 + zz) - xz * xz)
                    .map(|jacobian| [jacobian, old_kept(jacobian, step_s)])
                    .map(|values| values.map(|value| value as f32))
                    .collect()
            }));
        }
        Self {
            values_per_s,
            steps: (f64::from(steps_per_s) / f64::from(values_per_s)).round() as u32,
            runs,
            edge: (seen.lost_variance + BREAKING_EDGE * BREAKING_EDGE).sqrt(),
            made: made(seen.unseen, seen.over_breaking),
            area: waves.interpolated(seen),
        }
    }

    /// The foam of waves that break below `threshold`, on average.
    pub fn cover(&self, threshold: f64) -> Cover {
        self.cover_of(&self.runs, threshold)
    }

    fn cover_of(&self, runs: &[Vec<[f32; 2]>], threshold: f64) -> Cover {
        let value_s = f64::from(self.values_per_s).recip();
        let step = f64::from(self.steps).recip();
        let beginning = Self::BEGINNING_S * self.values_per_s as usize;
        // Whether water is far from breaking all along, and what it keeps of its foam then.
        let far = threshold + NO_BREAKING * self.edge;
        let (kept, fading) = (fresh_kept(value_s), FADING_PER_S * value_s);
        let kept_a_step = fresh_kept(step * value_s);
        let mut sums = Sums::default();
        for run in runs {
            let mut point = Point::default();
            for (at, values) in run.array_windows().enumerate() {
                let [a, [from, _], [to, old_kept], d] = values.map(|value| value.map(f64::from));
                let mut counted = Sums::default();
                if from.min(to) - 0.25 * ((from - a[0]).abs() + (to - d[0]).abs()) > far {
                    point = point.fade([0.0; 2], [kept, old_kept], fading);
                    counted.add(1.0, 1.0 + self.area * (to - 1.0), point, 0.0);
                } else {
                    let kept = [kept_a_step, 1.0 - step * (1.0 - old_kept)];
                    for index in 1..=self.steps {
                        let jacobian = between([a[0], from, to, d[0]], step * f64::from(index));
                        let breaking = normal_integral((threshold - jacobian) / self.edge);
                        let made = self.made.map(|made| (made * breaking).min(1.0));
                        point = point.fade(made, kept, step * fading);
                        let area = 1.0 + self.area * (jacobian - 1.0);
                        counted.add(step, area, point, breaking);
                    }
                }
                if at >= beginning {
                    sums.0.iter_mut().zip(counted.0).for_each(|(sum, part)| *sum += part);
                }
            }
        }
        let Sums([share, fresh, area, broken, values]) = sums;
        let (share, fresh) = (share / area, fresh / area);
        let even_fresh = fresh / FRESH_DENSITY;
        let even_old = (share - fresh) / (OLD_DENSITY * (1.0 - even_fresh));
        Cover { share, fresh, breaking: broken / values, even: [even_fresh, even_old] }
    }

    /// The threshold at which foam covers `share` of the sea, and what is fresh of it. There may be
    /// no such threshold in a sea of little choppiness: then `highest`.
    ///
    /// Breaking is rare at low wind, too rare to be counted: below a cover of 0.006 its logarithm is
    /// carried on as a parabola in the threshold, which it is of a Gaussian's tail.
    pub fn solve(&self, share: f64, highest: f64) -> (f64, Cover) {
        let counted = |share: f64| self.counted(share, highest);
        if share >= Self::RARE {
            let threshold = counted(share);
            return (threshold, self.cover(threshold));
        }
        // Three thresholds whose covers are a factor of 3 apart.
        let shares = [9.0, 3.0, 1.0].map(|times| times * Self::RARE);
        let [x0, x1, x2] = shares.map(counted);
        let [y0, y1, y2] = shares.map(|share| share.ln());
        let least = self.cover(x2);
        if x2 >= highest {
            return (highest, least);
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

    /// The threshold at which foam covers `share`, where there is enough to be counted.
    fn counted(&self, share: f64, highest: f64) -> f64 {
        // About, by a part of it.
        let part = &self.runs[..self.runs.len().div_ceil(16)];
        let (mut low, mut high) = (Self::LOWEST, highest);
        for _ in 0..8 {
            let middle = 0.5 * (low + high);
            if self.cover_of(part, middle).share < share { low = middle } else { high = middle }
        }
        // And by all: the logarithm is nearly straight.
        let excess = |threshold: f64| (self.cover(threshold).share.max(1e-12) / share).ln();
        let (mut a, mut b) = (low - 0.02, (high + 0.02).min(highest));
        let (mut excess_a, mut excess_b) = (excess(a), excess(b));
        for _ in 0..4 {
            if excess_b.abs() < 0.003 || excess_a == excess_b {
                break;
            }
            let next = b - excess_b * (b - a) / (excess_b - excess_a);
            (a, excess_a) = (b, excess_b);
            b = next.clamp(Self::LOWEST, highest);
            excess_b = excess(b);
        }
        b
    }

    /// The cover from which on it can be counted.
    const RARE: f64 = 0.006;
    /// Where thresholds are looked for.
    const LOWEST: f64 = -3.0;
    /// The least compression that can break a wave.
    pub const HIGHEST: f64 = 0.85;
}

/// Over the area that the water has: what is covered, what of it is fresh, the area itself; and over the
/// water at rest: what breaks, and its area.
#[derive(Default)]
struct Sums([f64; 5]);

impl Sums {
    /// Folded over, water has no area to be seen.
    fn add(&mut self, weight: f64, area: f64, point: Point, breaking: f64) {
        let seen = weight * area.max(0.0);
        let parts = [
            seen * point.share(),
            seen * point.fresh * FRESH_DENSITY,
            seen,
            weight * breaking,
            weight,
        ];
        self.0.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
    }
}

/// Between the second and the third of four values, smoothly (Catmull and Rom 1974).
fn between([a, b, c, d]: [f64; 4], t: f64) -> f64 {
    let slope = 0.5 * (c - a);
    let square = a - 2.5 * b + 2.0 * c - 0.5 * d;
    let cube = 0.5 * (d - a) + 1.5 * (b - c);
    b + t * (slope + t * (square + t * cube))
}

/// What a texel is given of fresh and of old foam for what breaks in it: as much where it shows every
/// wave, and as much as there is evenly where it shows none. Twin of `shaders/foam/step.wgsl`.
fn made(unseen: f64, over_breaking: [f64; 2]) -> [f64; 2] {
    over_breaking.map(|over| 1.0 + unseen * unseen * (over - 1.0))
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
    fn of(&[xxxx, zzzz, xzxz, xxzz, xxxz, zzxz]: &[f64; 6]) -> Self {
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
    use super::*;

    fn history(wind_speed_mps: f64) -> History {
        let sea = SeaState { wind_speed_mps, ..Default::default() };
        let spectrum = DirectionalSpectrum::of(&sea);
        History::new(&Waves::new(&spectrum, [0.01, TAU / 1.5], [0.0; 2]), 1.0, &all(), 10, VALUES)
    }

    const VALUES: usize = 1 << 18;

    /// A texel that shows everything.
    fn all() -> Seen<impl Fn(f64, [f64; 2]) -> f64> {
        Seen {
            kept_power: |_, _| 1.0,
            texel_m: 0.0,
            lost_variance: 0.0,
            unseen: 0.0,
            over_breaking: [1.0; 2],
        }
    }

    /// As much as is observed, at the winds of a breeze and of a storm.
    #[test]
    fn the_threshold_gives_the_cover_asked_for() {
        for wind_speed_mps in [9.0, 12.0, 18.0, 24.0] {
            let history = history(wind_speed_mps);
            let asked = observed_cover(wind_speed_mps);
            let (threshold, cover) = history.solve(asked, History::HIGHEST);
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
        // Whatever drifts.
        let waves = Waves::new(&spectrum, band, [0.7, 0.2]);
        let history = History::new(&waves, choppiness, &all(), 10, VALUES);
        let [xx, zz, _] = spectrum.slope_covariance(band[0], band[1]);
        let values = history.runs.iter().flatten();
        let count = VALUES as f64;
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
        let waves = Waves::new(&spectrum, [0.05, 4.0], [0.0; 2]);
        let (threshold, cover) =
            History::new(&waves, 0.0, &all(), 10, 1 << 14).solve(0.05, History::HIGHEST);
        assert!(threshold <= History::HIGHEST && cover.share < 0.05, "{threshold} {cover:?}");
    }
}
