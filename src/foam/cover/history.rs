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
use crate::platform::Slices;

/// So many deviations from breaking, water does not break.
const NO_BREAKING: f64 = 4.5;

/// The Jacobian at a place that drifts with the foam, some times a second.
pub(in crate::foam) struct History {
    values_per_s: u32,
    /// Steps of the foam from one value to the next: a wave breaks for so short a time that it matters.
    steps: u32,
    runs: Vec<Run>,
    /// The share of the sea that is to be covered.
    share: f64,
    /// The least compression that can break a wave.
    highest: f64,
    /// Standard deviation of J around it within which water begins to break.
    edge: f64,
    /// What is made of what breaks.
    made: [f64; 2],
    /// How much of J - 1 counts for the area.
    area: f64,
}

/// Time without a gap.
struct Run {
    /// J, and what the time from one value to the next leaves of old foam there: the end of the run
    /// before its beginning, for they follow on one another.
    values: Vec<[f32; 2]>,
    /// How much it counts; 1 on average.
    weight: f64,
}

impl History {
    /// Seconds before which the foam is not counted: it begins without any.
    const BEGINNING_S: usize = 15;
    /// As many show waves of 1.5 m: 8 for each that is met, or more.
    const MOST_VALUES_PER_S: u32 = 10;

    /// Values of a run: a quarter of an hour, and no more than a processor keeps at hand.
    const RUN: usize = 1 << 13;
    /// Of a run in which something rare is made to happen: long enough for all that comes of it.
    const SHORT_RUN: usize = 1 << 10;

    /// The cover below which breaking is too rare to be waited for.
    const RARE: f64 = 0.02;
    /// Less foam than this is none.
    const LEAST: f64 = 1e-8;

    /// Of `waves`, their horizontal displacement times `choppiness`, as a texel sees them that has so
    /// many steps a second: about `values` of it, a tenth of a second apart at most. Foam is to cover
    /// `share` of the sea.
    pub(in crate::foam) async fn new<F: Fn(f64, [f64; 2]) -> f64>(
        slices: &mut Slices,
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
        slices.turn().await;
        let process = Process::new(waves, choppiness, seen, len, step_s);
        let rare = is_rare.then(|| Rare::new(&process, edge_variance, share.max(Self::LEAST)));
        let variance = process.variance_of_j();
        let flat = (1.0 - seen.unseen) * edge_variance / (edge_variance + variance);
        let highest = Self::HIGHEST - flat * (Self::HIGHEST - Self::HIGHEST_OF_FLAT_WATER);
        let beginning = Self::BEGINNING_S * values_per_s as usize;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0x5ea_f0a3);
        let mut runs = Vec::new();
        for _ in 0..values.div_ceil(4 * len) {
            slices.turn().await;
            let fields = process.sample(&mut rng);
            // What is as likely as a sample is its negative.
            for (part, sign) in [(0, 1.0), (1, 1.0), (0, -1.0), (1, -1.0)] {
                slices.turn().await;
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

    /// The foam of waves that break below `threshold`, on average.
    pub(super) async fn cover(&self, slices: &mut Slices, threshold: f64) -> Cover {
        self.cover_of(slices, &self.runs, threshold).await
    }

    async fn cover_of(&self, slices: &mut Slices, runs: &[Run], threshold: f64) -> Cover {
        let value_s = f64::from(self.values_per_s).recip();
        let step = f64::from(self.steps).recip();
        let beginning = Self::BEGINNING_S * self.values_per_s as usize;
        // Whether water is far from breaking all along, and what it keeps of its foam then.
        let far = threshold + NO_BREAKING * self.edge;
        let (kept, fading) = (fresh_kept(value_s), FADING_PER_S * value_s);
        let kept_a_step = fresh_kept(step * value_s);
        let (mut sums, mut count) = (Sums::default(), 0.0);
        for Run { values, weight } in runs {
            slices.turn().await;
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
        // The area is, on average, that of the water at rest.
        let [share, fresh, breaking] = sums.0.map(|sum| sum / count);
        let even_fresh = fresh / FRESH_DENSITY;
        let even_old = (share - fresh) / (OLD_DENSITY * (1.0 - even_fresh));
        Cover { share, fresh, breaking, even: [even_fresh, even_old] }
    }

    /// The threshold at which foam covers its share of the sea, and what there is of it then. There may
    /// be no such threshold in a sea of little choppiness: then the highest there is.
    pub(in crate::foam) async fn solve(&self, slices: &mut Slices) -> (f64, Cover) {
        if self.share < Self::LEAST {
            return (Self::LOWEST, Cover::default());
        }
        let threshold = self.counted(slices).await;
        (threshold, self.cover(slices, threshold).await)
    }

    async fn counted(&self, slices: &mut Slices) -> f64 {
        let Self { share, highest, .. } = *self;
        // About, by a part of it.
        let part = &self.runs[..self.runs.len().div_ceil(16)];
        let (mut low, mut high) = (Self::LOWEST, highest);
        for _ in 0..8 {
            let middle = 0.5 * (low + high);
            let found = self.cover_of(slices, part, middle).await.share;
            if found < share { low = middle } else { high = middle }
        }
        // And by all: the logarithm is nearly straight.
        let excess = |cover: Cover| (cover.share.max(1e-12) / share).ln();
        let (mut a, mut b) = (low - 0.02, (high + 0.02).min(highest));
        let mut excess_a = excess(self.cover(slices, a).await);
        let mut excess_b = excess(self.cover(slices, b).await);
        for _ in 0..8 {
            if excess_b.abs() < 0.003 || excess_a == excess_b {
                break;
            }
            let next = b - excess_b * (b - a) / (excess_b - excess_a);
            (a, excess_a) = (b, excess_b);
            b = next.clamp(Self::LOWEST, highest);
            excess_b = excess(self.cover(slices, b).await);
        }
        b
    }

    /// Of J.
    #[cfg(test)]
    pub(super) fn variance(&self) -> f64 {
        let values = self.runs.iter().flat_map(|run| &run.values);
        let squares = values.map(|[jacobian, _]| f64::from(jacobian - 1.0).powi(2));
        squares.clone().sum::<f64>() / squares.count() as f64
    }

    /// Where thresholds are looked for.
    const LOWEST: f64 = -3.0;
    /// The least compression that can break a wave: nothing breaks where there are none.
    const HIGHEST: f64 = 0.97;
    const HIGHEST_OF_FLAT_WATER: f64 = 0.85;
}

/// Over the area that the water has: what is covered, and what of it is fresh; and over the water at
/// rest: what breaks.
#[derive(Default)]
struct Sums([f64; 3]);

impl Sums {
    /// Folded over, water has no area to be seen.
    fn add(&mut self, weight: f64, area: f64, point: Point, breaking: f64) {
        let seen = weight * area.max(0.0);
        let parts = [seen * point.share(), seen * point.fresh * FRESH_DENSITY, weight * breaking];
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

/// How much fresh and old foam a texel gets over the share of it that breaks. Where it shows every wave,
/// foam is what breaks and what it leaves. Where it shows none, the same share of it breaks at any time, each
/// time elsewhere: it has as much foam as the whole sea has for that. Between, a part of both.
pub(in crate::foam) fn made(unseen: f64, over_breaking: [f64; 2]) -> [f64; 2] {
    over_breaking.map(|over| 1.0 + unseen * unseen * (over - 1.0))
}
