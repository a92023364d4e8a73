//! The foam at one place, counted over hours.

use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;

use super::process::{Derivatives, Process, jacobian};
use super::rare::Rare;
use super::waves::{Seen, Waves};
use super::{
    BREAKING_EDGE, Cover, FADING_PER_S, FRESH_DENSITY, OLD_DENSITY, Point, fresh_kept,
    normal_integral, old_kept,
};
use crate::platform::Cooperative;

/// Water does not break this many deviations from the threshold.
const NO_BREAKING: f64 = 4.5;

/// Samples of the Jacobian at a place that drifts with the foam, over hours.
pub(in crate::foam) struct History {
    values_per_s: u32,
    /// The foam's steps between two values: a wave breaks so briefly that they matter.
    steps: u32,
    runs: Vec<Run>,
    /// The share of the sea that foam shall cover.
    share: f64,
    /// The least compression that can break a wave.
    highest: f64,
    /// The standard deviation of J around the threshold within which water begins to break.
    edge: f64,
    /// Fresh and old foam per breaking share.
    made: [f64; 2],
    /// The weight of J - 1 in the area.
    area: f64,
}

struct Run {
    /// J, and the factor on old foam from one value to the next. The end of the run precedes its
    /// beginning, in a circle.
    values: Vec<[f32; 2]>,
    /// The run's weight; 1 on average.
    weight: f64,
}

impl History {
    /// Seconds before foam counts, since it begins without any.
    const BEGINNING_S: usize = 15;
    /// Enough for waves of 1.5 m: 8 values for each encounter, or more.
    const MOST_VALUES_PER_S: u32 = 10;

    /// Values of a run: a quarter of an hour, and no more than a processor's cache holds.
    const RUN: usize = 1 << 13;
    /// Values of a run that forces a rare event: long enough for all its consequences.
    const SHORT_RUN: usize = 1 << 10;

    /// The cover below which waiting for breaking takes too long.
    const RARE: f64 = 0.02;
    /// The least foam that counts.
    const LEAST: f64 = 1e-8;

    /// A history of `waves`, whose horizontal displacement is scaled by `choppiness`, as the texels
    /// `seen` show them with the given steps a second: about `values` values, at most a tenth of a
    /// second apart. Foam shall cover `share` of the sea.
    pub(in crate::foam) async fn new<F: Fn(f64, [f64; 2]) -> f64>(
        coop: &mut Cooperative,
        waves: &Waves,
        choppiness: f64,
        seen: &Seen<F>,
        steps_per_s: u32,
        values: usize,
        share: f64,
    ) -> Self {
        let values_per_s = steps_per_s.min(Self::MOST_VALUES_PER_S);
        let step_s = f64::from(values_per_s).recip();
        let edge_variance = seen.lost_variance + BREAKING_EDGE * BREAKING_EDGE;
        let is_rare = share < Self::RARE;
        let len = if is_rare { Self::SHORT_RUN } else { Self::RUN };
        coop.yield_if_due().await;
        let process = Process::new(waves, choppiness, seen, len, step_s);
        let rare = is_rare.then(|| Rare::new(&process, edge_variance, share.max(Self::LEAST)));
        let variance = process.variance_of_j();
        let flat = (1.0 - seen.unseen) * edge_variance / (edge_variance + variance);
        let highest = Self::HIGHEST - flat * (Self::HIGHEST - Self::HIGHEST_OF_FLAT_WATER);
        let beginning = Self::BEGINNING_S * values_per_s as usize;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0x5ea_f0a3);
        let mut runs = Vec::new();
        for _ in 0..values.div_ceil(4 * len) {
            coop.yield_if_due().await;
            let fields = process.sample(&mut rng);
            // A sample's negative is as likely as the sample.
            for (part, sign) in [(0, 1.0), (1, 1.0), (0, -1.0), (1, -1.0)] {
                coop.yield_if_due().await;
                let mut derivatives: Vec<Derivatives> = (0..len)
                    .map(|at| [0, 1, 2].map(|field: usize| sign * fields[field][at][part]))
                    .collect();
                let weight = rare
                    .as_ref()
                    .map_or(1.0, |rare| rare.draw(runs.len(), &mut derivatives, &mut rng));
                let around = derivatives.iter().cycle().skip(len - beginning % len);
                let values = around
                    .take(beginning + len)
                    .map(|derivatives| jacobian(*derivatives))
                    .map(|jacobian| [jacobian, old_kept(jacobian, step_s)])
                    .map(|values| values.map(|value| value as f32))
                    .collect();
                runs.push(Run { values, weight });
            }
        }
        Self {
            values_per_s,
            steps: (f64::from(steps_per_s) / f64::from(values_per_s)).round() as u32,
            runs,
            share,
            highest,
            edge: edge_variance.sqrt(),
            made: made(seen.unseen, seen.over_breaking),
            area: waves.interpolated(seen),
        }
    }

    /// The mean foam of waves that break below `threshold`.
    pub(super) async fn cover(&self, coop: &mut Cooperative, threshold: f64) -> Cover {
        self.cover_of(coop, &self.runs, threshold).await
    }

    async fn cover_of(&self, coop: &mut Cooperative, runs: &[Run], threshold: f64) -> Cover {
        let value_s = f64::from(self.values_per_s).recip();
        let step = f64::from(self.steps).recip();
        let beginning = Self::BEGINNING_S * self.values_per_s as usize;
        // The value from which water stays far from breaking throughout, and the foam that it keeps then.
        let far = threshold + NO_BREAKING * self.edge;
        let (kept, fading) = (fresh_kept(value_s), FADING_PER_S * value_s);
        let kept_a_step = fresh_kept(step * value_s);
        let (mut sums, mut count) = (Sums::default(), 0.0);
        for Run { values, weight } in runs {
            coop.yield_if_due().await;
            let mut point = Point::default();
            for (at, values) in values.array_windows().enumerate() {
                let [a, [from, _], [to, old_kept], d] = values.map(|value| value.map(f64::from));
                let mut counted = Sums::default();
                if from.min(to) - 0.25 * ((from - a[0]).abs() + (to - d[0]).abs()) > far {
                    let before = point;
                    point = point.fade([0.0; 2], [kept, old_kept], fading);
                    let area = 1.0 + self.area * (to - 1.0);
                    counted.add(*weight, area, before.towards(point, 0.5 + 0.5 * step), 0.0);
                } else {
                    let kept = [kept_a_step, 1.0 - step * (1.0 - old_kept)];
                    for index in 1..=self.steps {
                        let jacobian = between([a[0], from, to, d[0]], step * f64::from(index));
                        let breaking = normal_integral((threshold - jacobian) / self.edge);
                        let made = self.made.map(|made| (made * breaking).min(1.0));
                        point = point.fade(made, kept, step * fading);
                        let area = 1.0 + self.area * (jacobian - 1.0);
                        counted.add(step * weight, area, point, breaking);
                    }
                }
                if at >= beginning {
                    sums.0.iter_mut().zip(counted.0).for_each(|(sum, part)| *sum += part);
                    count += 1.0;
                }
            }
        }
        // The mean area is that of the water at rest.
        let [share, fresh, breaking] = sums.0.map(|sum| sum / count);
        let even_fresh = fresh / FRESH_DENSITY;
        let even_old = (share - fresh) / (OLD_DENSITY * (1.0 - even_fresh));
        Cover { share, fresh, breaking, even: [even_fresh, even_old] }
    }

    /// The threshold at which foam covers its share of the sea, and the foam at that threshold. A sea of
    /// little choppiness may have none: the result is then the highest possible threshold.
    pub(in crate::foam) async fn solve(&self, coop: &mut Cooperative) -> (f64, Cover) {
        if self.share < Self::LEAST {
            return (Self::LOWEST, Cover::default());
        }
        let threshold = self.counted(coop).await;
        (threshold, self.cover(coop, threshold).await)
    }

    async fn counted(&self, coop: &mut Cooperative) -> f64 {
        let Self { share, highest, .. } = *self;
        // A first estimate uses a part of the runs.
        let part = &self.runs[..self.runs.len().div_ceil(16)];
        let (mut low, mut high) = (Self::LOWEST, highest);
        for _ in 0..8 {
            let middle = 0.5 * (low + high);
            let found = self.cover_of(coop, part, middle).await.share;
            if found < share { low = middle } else { high = middle }
        }
        // The result uses all: the logarithm is nearly straight.
        let excess = |cover: Cover| (cover.share.max(1e-12) / share).ln();
        let (mut a, mut b) = (low - 0.02, (high + 0.02).min(highest));
        let mut excess_a = excess(self.cover(coop, a).await);
        let mut excess_b = excess(self.cover(coop, b).await);
        for _ in 0..8 {
            if excess_b.abs() < 0.003 || excess_a == excess_b {
                break;
            }
            let next = b - excess_b * (b - a) / (excess_b - excess_a);
            (a, excess_a) = (b, excess_b);
            b = next.clamp(Self::LOWEST, highest);
            excess_b = excess(self.cover(coop, b).await);
        }
        b
    }

    #[cfg(test)]
    pub(super) fn variance(&self) -> f64 {
        let values = self.runs.iter().flat_map(|run| &run.values);
        let squares = values.map(|[jacobian, _]| f64::from(jacobian - 1.0).powi(2));
        squares.clone().sum::<f64>() / squares.count() as f64
    }

    /// The limits of the search for thresholds.
    const LOWEST: f64 = -3.0;
    /// The least compression that can break a wave: still water does not break.
    const HIGHEST: f64 = 0.97;
    const HIGHEST_OF_FLAT_WATER: f64 = 0.85;
}

/// The covered and the freshly covered share of the displaced area, and the breaking share of the water
/// at rest.
#[derive(Default)]
struct Sums([f64; 3]);

impl Sums {
    /// Folded water has no visible area.
    fn add(&mut self, weight: f64, area: f64, point: Point, breaking: f64) {
        let seen = weight * area.max(0.0);
        let parts = [seen * point.share(), seen * point.fresh * FRESH_DENSITY, weight * breaking];
        self.0.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
    }
}

/// Interpolates smoothly between the second and the third of four values (Catmull and Rom 1974).
fn between([a, b, c, d]: [f64; 4], t: f64) -> f64 {
    let slope = 0.5 * (c - a);
    let square = a - 2.5 * b + 2.0 * c - 0.5 * d;
    let cube = 0.5 * (d - a) + 1.5 * (b - c);
    b + t * (slope + t * (square + t * cube))
}

/// Fresh and old foam of a texel per breaking share. Where a texel shows every wave, foam comes from
/// breaking alone. Where it shows none, the same share breaks at any time, at changing places, with as
/// much foam as in the whole sea. Other texels are in between.
pub(in crate::foam) fn made(unseen: f64, over_breaking: [f64; 2]) -> [f64; 2] {
    over_breaking.map(|over| 1.0 + unseen * unseen * (over - 1.0))
}
