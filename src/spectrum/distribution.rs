//! The distribution of the waves of one frequency over directions, by the moments or the table of a record.

use std::f64::consts::TAU;

use super::Lobe;
use crate::settings::RecordedDirections;

/// The distribution D(theta) of waves of one frequency over directions, in 1/rad; it integrates to one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Distribution {
    /// (1 - phi1 conj(c1) - phi2 conj(c2)) / (2 pi |1 - phi1 e^(-i theta) - phi2 e^(-2i theta)|^2), by
    /// Lygre and Krogstad (1986), equation 13.
    MaximumEntropy { phi: [[f64; 2]; 2], normalisation: f64, moments: [f64; 4] },
    /// cos-2s with the first moment of the record.
    Cos2s { lobe: Lobe, towards: [f64; 2], moments: [f64; 4] },
    /// Values at equally spaced directions from +X, and linear between them.
    Table { density_per_rad: Vec<f64>, moments: [f64; 4] },
}

impl Distribution {
    /// The largest |c1|, and the largest distance from 0 of the poles of the distribution of greatest
    /// entropy: its narrowest peak is one minus that distance wide, in radians, to each side.
    const SHARPEST: f64 = 0.985;

    /// Steps in which [`Distribution::mean_density`] takes the mean.
    const STEP_RAD: f64 = 0.01;

    /// The distribution of greatest entropy with the moments (a1, b1, a2, b2), the means of cos theta, sin
    /// theta, cos 2 theta and sin 2 theta. Where no distribution has such moments, as noise and rounding
    /// give them, or only a line does, a1 and b1 are kept and the others come as close as they can.
    pub(super) fn maximum_entropy([a1, b1, a2, b2]: [f64; 4]) -> Self {
        let most = (Self::SHARPEST / a1.hypot(b1).max(1e-12)).min(1.0);
        let c1 = [a1 * most, b1 * most];
        let c2 = [a2, b2];
        let left = 1.0 - norm_squared(c1);
        let squared = times(c1, c1);
        // phi2 = (c2 - c1^2)/(1 - |c1|^2); at 0 the distribution is the sharpest one of c1 alone.
        let whole = scaled(minus(c2, squared), left.recip());
        let phi1_for = |phi2| minus(c1, times(phi2, conjugate(c1)));
        let is_drawn = |phi2| farthest_pole(phi1_for(phi2), phi2) <= Self::SHARPEST;
        let phi2 = if is_drawn(whole) {
            whole
        } else {
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..40 {
                let middle = 0.5 * (low + high);
                if is_drawn(scaled(whole, middle)) { low = middle } else { high = middle }
            }
            scaled(whole, low)
        };
        let c2 = plus(squared, scaled(phi2, left));
        let phi1 = phi1_for(phi2);
        let [real, _] =
            minus(minus([1.0, 0.0], times(phi1, conjugate(c1))), times(phi2, conjugate(c2)));
        let moments = [c1[0], c1[1], c2[0], c2[1]];
        Self::MaximumEntropy { phi: [phi1, phi2], normalisation: real / TAU, moments }
    }

    /// cos-2s around the mean direction, whose r1 = s/(s + 1) is that of the moments.
    pub(super) fn cos_2s([a1, b1, ..]: [f64; 4]) -> Self {
        let length = a1.hypot(b1);
        let r1 = length.min(Self::SHARPEST);
        let s = r1 / (1.0 - r1);
        let [x, z] = if length > 0.0 { [a1 / length, b1 / length] } else { [1.0, 0.0] };
        let lobe = Lobe::cos_2s(s);
        let r2 = lobe.mean_cos_2_theta();
        let moments = [r1 * x, r1 * z, r2 * (x * x - z * z), r2 * 2.0 * x * z];
        Self::Cos2s { lobe, towards: [x, z], moments }
    }

    /// A table of `density` at the directions `towards_rad`, ascending from 0 to below 2 pi. What lies
    /// between them is linear, which widens each peak a little; so the values are adjusted until the drawn
    /// moments are those of the table.
    pub(super) fn table(towards_rad: &[f64], density: &[f64]) -> Self {
        let count = towards_rad.len().max(36);
        let step = TAU / count as f64;
        let target = RecordedDirections::table_moments(towards_rad, density);
        let mut values: Vec<f64> =
            (0..count).map(|index| linear(towards_rad, density, step * index as f64)).collect();
        // A function that is linear between equal steps has the harmonics of its values times sinc^2.
        let kept = [1.0, 1.0, 2.0, 2.0].map(|order: f64| {
            let half = 0.5 * order * step;
            (libm::sin(half) / half).powi(2)
        });
        match fit_moments(&mut values, kept, target) {
            Some(moments) => Self::Table { density_per_rad: values, moments },
            None => Self::cos_2s([0.0; 4]),
        }
    }

    /// The means of cos theta, sin theta, cos 2 theta and sin 2 theta.
    pub(super) fn moments(&self) -> [f64; 4] {
        match self {
            Self::MaximumEntropy { moments, .. }
            | Self::Cos2s { moments, .. }
            | Self::Table { moments, .. } => *moments,
        }
    }

    /// The mean of D in 1/rad over `width_rad` around (x, z), a unit vector.
    pub(super) fn mean_density(&self, x: f64, z: f64, width_rad: f64) -> f64 {
        let count = (width_rad / Self::STEP_RAD).ceil();
        if count <= 1.0 {
            return self.density(x, z);
        }
        let step = width_rad / count;
        let (sin, cos) = libm::sincos(step);
        // From the middle of the first step on.
        let (back_sin, back_cos) = libm::sincos(0.5 * (step - width_rad));
        let [mut x, mut z] = times([x, z], [back_cos, back_sin]);
        let mut sum = 0.0;
        for _ in 0..count as u32 {
            sum += self.density(x, z);
            [x, z] = times([x, z], [cos, sin]);
        }
        sum / count
    }

    /// D in 1/rad towards (x, z), a unit vector.
    fn density(&self, x: f64, z: f64) -> f64 {
        match self {
            Self::MaximumEntropy { phi: [phi1, phi2], normalisation, .. } => {
                let back = [x, -z];
                let first = times(*phi1, back);
                let second = times(*phi2, times(back, back));
                normalisation / norm_squared(minus(minus([1.0, 0.0], first), second))
            }
            Self::Cos2s { lobe, towards, .. } => lobe.density(x * towards[0] + z * towards[1]),
            Self::Table { density_per_rad, .. } => {
                let count = density_per_rad.len();
                let place = libm::atan2(z, x).rem_euclid(TAU) * count as f64 / TAU;
                let before = place.floor();
                let t = place - before;
                let before = before as usize % count;
                (1.0 - t) * density_per_rad[before] + t * density_per_rad[(before + 1) % count]
            }
        }
    }
}

/// Adjusts densities at equal steps from +X until their moments times `kept` are `target`, and returns these
/// products: as close as positive densities come. They are normalised; without any density there are none.
pub(super) fn fit_moments(
    values: &mut [f64],
    kept: [f64; 4],
    target: [f64; 4],
) -> Option<[f64; 4]> {
    const TURNS: u32 = 300;
    let step = TAU / values.len() as f64;
    let circle: Vec<[f64; 4]> = (0..values.len())
        .map(|index| {
            let (sin, cos) = libm::sincos(step * index as f64);
            [cos, sin, cos * cos - sin * sin, 2.0 * sin * cos]
        })
        .collect();
    let mut moments = [0.0; 4];
    for _ in 0..TURNS {
        let sum: f64 = values.iter().sum();
        if sum <= 0.0 {
            return None;
        }
        values.iter_mut().for_each(|value| *value /= sum * step);
        for (order, moment) in moments.iter_mut().enumerate() {
            let of_values = values.iter().zip(&circle).map(|(value, at)| value * at[order]);
            *moment = kept[order] * step * of_values.sum::<f64>();
        }
        let off = target.iter().zip(moments).map(|(target, moment)| (target - moment).abs());
        if off.fold(0.0, f64::max) < 1e-6 {
            break;
        }
        for (value, at) in values.iter_mut().zip(&circle) {
            let more: f64 = (0..4).map(|order| (target[order] - moments[order]) * at[order]).sum();
            *value *= (1.0 + 2.0 * more).max(0.0);
        }
    }
    let sum: f64 = values.iter().sum();
    values.iter_mut().for_each(|value| *value /= sum * step);
    Some(moments)
}

/// `density` at `theta`, linear between the directions on either side.
fn linear(towards_rad: &[f64], density: &[f64], theta: f64) -> f64 {
    let count = towards_rad.len();
    let after = towards_rad.partition_point(|&towards| towards <= theta) % count;
    let before = (after + count - 1) % count;
    let gap = (towards_rad[after] - towards_rad[before]).rem_euclid(TAU);
    let t = if gap > 0.0 { (theta - towards_rad[before]).rem_euclid(TAU) / gap } else { 0.0 };
    (1.0 - t) * density[before] + t * density[after]
}

/// The larger length of the two roots of z^2 - phi1 z - phi2, where 1/D is least.
fn farthest_pole(phi1: [f64; 2], phi2: [f64; 2]) -> f64 {
    let [re, im] = plus(times(phi1, phi1), scaled(phi2, 4.0));
    let length = re.hypot(im);
    // The square root with a real part of at least 0.
    let root = [(0.5 * (length + re)).max(0.0).sqrt(), (0.5 * (length - re)).max(0.0).sqrt()];
    let root = if im < 0.0 { conjugate(root) } else { root };
    let roots = [plus(phi1, root), minus(phi1, root)];
    roots.map(|root| 0.5 * norm_squared(root).sqrt()).into_iter().fold(0.0, f64::max)
}

fn times([a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
    [a * c - b * d, a * d + b * c]
}

fn plus([a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
    [a + c, b + d]
}

fn minus([a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
    [a - c, b - d]
}

fn scaled([a, b]: [f64; 2], factor: f64) -> [f64; 2] {
    [a * factor, b * factor]
}

fn conjugate([a, b]: [f64; 2]) -> [f64; 2] {
    [a, -b]
}

fn norm_squared([a, b]: [f64; 2]) -> f64 {
    a * a + b * b
}

/// Directions from +X on, 5 degrees apart, and that step in radians.
pub(super) fn even_directions() -> (f64, Vec<f64>) {
    const DIRECTIONS: u32 = 72;
    let step = TAU / f64::from(DIRECTIONS);
    (step, (0..DIRECTIONS).map(|index| step * f64::from(index)).collect())
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    /// The integral of D and its moments, by the midpoint rule in steps of a hundredth of a degree.
    fn drawn(distribution: &Distribution) -> [f64; 5] {
        const STEPS: u32 = 36_000;
        let step = TAU / f64::from(STEPS);
        let mut sums = [0.0; 5];
        for index in 0..STEPS {
            let (sin, cos) = (step * (f64::from(index) + 0.5)).sin_cos();
            let density = distribution.density(cos, sin) * step;
            assert!(density >= 0.0 && density.is_finite());
            let terms = [1.0, cos, sin, cos * cos - sin * sin, 2.0 * sin * cos];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += density * term);
        }
        sums
    }

    fn largest_difference(one: &[f64], other: &[f64]) -> f64 {
        one.iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
    }

    /// The moments of a few random waves, which are those of a distribution.
    fn random_moments(rng: &mut impl rand::Rng) -> [f64; 4] {
        let mut sums = [0.0; 5];
        for _ in 0..rng.random_range(3..9) {
            let (sin, cos) = rng.random_range(0.0..TAU).sin_cos();
            let weight = rng.random_range(0.1..1.0);
            let terms = [1.0, cos, sin, cos * cos - sin * sin, 2.0 * sin * cos];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += weight * term);
        }
        // Some water that runs everywhere keeps them from the edge of what is possible.
        std::array::from_fn(|index| 0.93 * sums[index + 1] / sums[0])
    }

    #[test]
    fn maximum_entropy_keeps_all_four_moments() {
        let mut rng = rand::rngs::Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..200 {
            let moments = random_moments(&mut rng);
            let distribution = Distribution::maximum_entropy(moments);
            let [total, of_drawn @ ..] = drawn(&distribution);
            assert!((total - 1.0).abs() < 1e-9, "{moments:?}: {total}");
            let off = largest_difference(&of_drawn, &moments);
            assert!(off < 1e-9, "{moments:?}: {of_drawn:?}");
            assert!(largest_difference(&distribution.moments(), &moments) < 1e-12);
        }
    }

    /// Noise gives moments that no distribution has: the first of them is kept.
    #[test]
    fn impossible_moments_keep_the_mean_direction() {
        for (moments, most) in [
            ([0.9, 0.0, -0.9, 0.3], 0.9),
            ([0.0, -0.7, 0.9, 0.9], 0.7),
            ([0.8, 0.8, 0.0, 1.0], 0.985),
            ([1.0, 0.0, 1.0, 0.0], 0.985),
            ([0.0; 4], 0.0),
            ([0.0, 0.0, 1.0, 0.0], 0.0),
        ] {
            let distribution = Distribution::maximum_entropy(moments);
            let [total, a1, b1, a2, b2] = drawn(&distribution);
            assert!((total - 1.0).abs() < 1e-6, "{moments:?}: {total}");
            let length = moments[0].hypot(moments[1]);
            assert!((a1.hypot(b1) - length.min(most)).abs() < 1e-6, "{moments:?}: {a1} {b1}");
            assert!((a1 * moments[1] - b1 * moments[0]).abs() < 1e-6, "{moments:?}: {a1} {b1}");
            assert!(largest_difference(&distribution.moments(), &[a1, b1, a2, b2]) < 1e-6);
        }
    }

    #[test]
    fn cos_2s_keeps_the_first_two_moments() {
        for moments in [[0.7, 0.1, 0.3, 0.2], [-0.1, -0.95, 0.5, 0.0], [0.0, 0.0, 0.4, 0.1]] {
            let distribution = Distribution::cos_2s(moments);
            let [total, a1, b1, a2, b2] = drawn(&distribution);
            assert!((total - 1.0).abs() < 1e-6, "{total}");
            assert!(largest_difference(&[a1, b1], &moments[..2]) < 1e-6, "{a1} {b1}");
            assert!(largest_difference(&distribution.moments(), &[a1, b1, a2, b2]) < 1e-6);
        }
    }

    /// A table of 24 directions, as wave models write them, from wide to one direction alone, whose drawn
    /// lobe is as narrow as lines between 36 values can be.
    #[test]
    fn tables_keep_their_moments() {
        for (s, bound) in [(1.0, 1e-5), (8.0, 1e-3), (40.0, 1e-3), (150.0, 0.01), (5e3, 0.02)] {
            for first in [0.0, 0.1] {
                let directions: Vec<f64> =
                    (0..24).map(|index| first + TAU / 24.0 * f64::from(index)).collect();
                let lobe = Lobe::cos_2s(s);
                let density: Vec<f64> =
                    directions.iter().map(|theta| lobe.density((theta - 2.0).cos())).collect();
                let distribution = Distribution::table(&directions, &density);
                let [total, of_drawn @ ..] = drawn(&distribution);
                assert!((total - 1.0).abs() < 1e-6, "{total}");
                let off = largest_difference(
                    &of_drawn,
                    &RecordedDirections::table_moments(&directions, &density),
                );
                assert!(off < bound, "s = {s}, first = {first}: {off}");
                assert!(largest_difference(&distribution.moments(), &of_drawn) < 1e-3);
            }
        }
    }
}
