//! The decomposition of a smooth length into stages, as plain data: printed, compared and tested without
//! a GPU.

use std::fmt;

/// The primes of generated butterflies. A length is smooth if it has no others.
pub const PRIMES: [u32; 6] = [2, 3, 5, 7, 11, 13];

/// The most values of an invocation: no GPU has registers for more.
const MOST_VALUES: u32 = 64;

/// The stages of one line. Each of `lanes` invocations computes the butterflies `lane`, `lane + lanes`,
/// .. of a stage; where they do not divide evenly, the last invocations idle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinePlan {
    /// Points of the line: the product of the radices.
    pub points: u32,
    /// Radix of each stage, first to last.
    pub radices: Vec<u32>,
    /// The number of invocations that share the line.
    pub lanes: u32,
}

pub fn is_smooth(length: u32) -> bool {
    let without = |rest: u32, prime: &u32| {
        let mut rest = rest;
        while rest > 0 && rest.is_multiple_of(*prime) {
            rest /= prime;
        }
        rest
    };
    PRIMES.iter().fold(length, without) == 1
}

impl LinePlan {
    /// The stages that cost least for `points`, a smooth length: of radices up to `largest_radix`, or of
    /// the primes beyond it that the length has, with at most `most_values` values and `most_lanes`
    /// invocations. Where these conflict, an invocation holds more values, and where that is not enough
    /// the line takes more invocations.
    pub fn new(points: u32, largest_radix: u32, most_values: u32, most_lanes: u32) -> Self {
        let radices = factorizations(points, largest_radix);
        let with = |values: u32, lanes: u32| {
            let plans = radices.iter().flat_map(|radices| Self::spread(points, radices, values));
            let plans = plans.filter(|plan| plan.lanes <= lanes);
            plans.min_by(|a, b| {
                let values = a.values().cmp(&b.values());
                a.cost().total_cmp(&b.cost()).then(values)
            })
        };
        let mut values = most_values;
        while values < MOST_VALUES {
            if let Some(plan) = with(values, most_lanes) {
                return plan;
            }
            values *= 2;
        }
        with(MOST_VALUES.max(most_values), most_lanes)
            .or_else(|| with(most_values, u32::MAX))
            .unwrap_or_else(|| Self { points, radices: radices[0].clone(), lanes: points })
    }

    /// The ways to spread stages of `radices` over invocations that hold at most `most_values`, or one
    /// butterfly: those with equal work for the invocations of some stage.
    fn spread(points: u32, radices: &[u32], most_values: u32) -> impl Iterator<Item = Self> {
        let largest = radices.iter().copied().max().unwrap_or(1).max(most_values);
        let counts = radices.iter().flat_map(move |radix| {
            let rounds = 1..=(most_values / radix).max(1);
            rounds.map(move |rounds| (points / radix).div_ceil(rounds))
        });
        let plans = counts.map(move |lanes| Self { points, radices: radices.to_vec(), lanes });
        plans.filter(move |plan| plan.values() <= largest)
    }

    /// The number of butterflies of a stage of `radix`.
    pub fn count(&self, radix: u32) -> u32 {
        self.points / radix
    }

    /// The most butterflies of a stage of `radix` that one invocation computes.
    pub fn rounds(&self, radix: u32) -> u32 {
        self.count(radix).div_ceil(self.lanes)
    }

    /// The most values that an invocation holds.
    pub fn values(&self) -> u32 {
        self.radices.iter().map(|radix| self.rounds(*radix) * radix).max().unwrap_or(1)
    }

    /// The cost of the stages: each costs its exchange, plus half of the work of its invocations,
    /// including idle ones.
    pub fn cost(&self) -> f64 {
        let stage = |radix: &u32| {
            let slots = u64::from(self.rounds(*radix) * radix) * u64::from(self.lanes);
            1.0 + 0.5 * (slots as f64 / f64::from(self.points) - 1.0)
        };
        self.radices.iter().map(stage).sum()
    }
}

/// Formats as `1000 = 10 x 10 x 10, up to 10 values in each of 100 invocations`.
impl fmt::Display for LinePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = ", self.points)?;
        for (stage, radix) in self.radices.iter().enumerate() {
            let times = if stage == 0 { "" } else { " x " };
            write!(f, "{times}{radix}")?;
        }
        write!(f, ", up to {} values in each of {} invocations", self.values(), self.lanes)
    }
}

/// The factorizations of `points` into radices up to `largest`, largest first, with the fewest factors
/// or one more. Primes beyond `largest` are separate factors.
fn factorizations(points: u32, largest: u32) -> Vec<Vec<u32>> {
    let largest = largest_prime(points).max(largest);
    let mut all = Vec::new();
    let mut most = 1;
    while all.is_empty() {
        products(points, largest, most, &mut Vec::new(), &mut all);
        most += 1;
    }
    if points > largest {
        products(points, largest, most, &mut Vec::new(), &mut all);
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn largest_prime(mut number: u32) -> u32 {
    let mut largest = 1;
    let mut prime = 2;
    while number > 1 {
        if number.is_multiple_of(prime) {
            number /= prime;
            largest = prime;
        } else {
            prime += 1;
        }
    }
    largest
}

/// Adds to `all` the factorizations of `rest` with at most `most` factors up to `largest`, in falling order.
fn products(rest: u32, largest: u32, most: u32, factors: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
    if rest == 1 {
        // A line of one point still has a stage, which does nothing.
        all.push(if factors.is_empty() { vec![1] } else { factors.clone() });
        return;
    }
    // The largest product of the remaining factors.
    if most == 0 || u64::from(largest).saturating_pow(most) < u64::from(rest) {
        return;
    }
    for factor in (2..=largest.min(rest)).rev() {
        if rest.is_multiple_of(factor) {
            factors.push(factor);
            products(rest / factor, factor, most - 1, factors, all);
            factors.pop();
        }
    }
}

/// The decomposition of a smooth `length` into `count` parts of at most `longest` points, the shortest
/// first. `None` where there are none.
///
/// The first are read across the line, a few neighbours at a time, and the last along it: of two, the
/// last has 512 points where the first then has 64 to 1024. (Measured on an H200 with 2^22 points in
/// all: 64 x 512 took 40 us and 256 x 128 47; 256 x 512 45 and 128 x 1024 47; 1024 x 512 48 and 512 x
/// 1024 52; 128 x 128 x 256 74 and 256 x 128 x 128 86.) Others are as even as possible.
pub fn split(length: u32, count: u32, longest: u32) -> Option<Vec<u32>> {
    const LAST: u32 = 512;
    const FIRST: std::ops::RangeInclusive<u32> = 64..=1024;
    let last = (length / FIRST.start()).min(LAST);
    if count == 2 && last >= *FIRST.start() && FIRST.contains(&(length / last)) {
        let sides = |last: u32| [length / last, last];
        let fits = |last: &u32| sides(*last).iter().all(|side| *side > 1 && *side <= longest);
        let divides = (2..=longest.min(length / 2)).filter(|side| length.is_multiple_of(*side));
        let distance = |side: &u32| (f64::from(*side) / f64::from(last)).ln().abs();
        let best = divides.filter(fits).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        return best.map(|last| sides(last).to_vec());
    }
    split_evenly(length, count, longest)
}

/// The most even decomposition of [`split`].
fn split_evenly(length: u32, count: u32, longest: u32) -> Option<Vec<u32>> {
    if count == 1 {
        return (length <= longest).then(|| vec![length]);
    }
    let even = f64::from(length).powf(f64::from(count).recip());
    let most = longest.min(length / 2);
    let mut sides: Vec<u32> = (2..=most).filter(|side| length.is_multiple_of(*side)).collect();
    let distance = |side: &u32| (f64::from(*side) / even).ln().abs();
    sides.sort_by(|a, b| distance(a).total_cmp(&distance(b)).then(b.cmp(a)));
    sides.into_iter().find_map(|side| {
        let mut parts = split_evenly(length / side, count - 1, longest)?;
        parts.push(side);
        parts.sort_unstable();
        Some(parts)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_lengths_are_products_of_small_primes() {
        let smooth: Vec<u32> = (0..40).filter(|length| is_smooth(*length)).collect();
        assert!(!smooth.contains(&0) && !smooth.contains(&17) && !smooth.contains(&34));
        assert_eq!(smooth.len(), 40 - 1 - [17, 19, 23, 29, 31, 34, 37, 38].len());
        assert!(is_smooth(1 << 22) && is_smooth(13 * 13 * 11 * 7) && !is_smooth(1009));
    }

    #[test]
    fn lengths_are_split_into_few_stages_without_much_idleness() {
        let plan = |points| LinePlan::new(points, 16, 16, 1024);
        assert_eq!(
            plan(1000).to_string(),
            "1000 = 10 x 10 x 10, up to 10 values in each of 100 invocations"
        );
        assert_eq!(plan(1920).radices, [16, 15, 8]);
        assert_eq!(plan(1080).radices, [15, 12, 6]);
        assert_eq!(plan(4096).radices, [16, 16, 16]);
        assert_eq!((plan(1).radices, plan(1).lanes), (vec![1], 1));
        assert_eq!((plan(13).radices, plan(13).lanes), (vec![13], 1));
        assert_eq!(LinePlan::new(26, 4, 16, 1024).radices, [13, 2]);
    }

    #[test]
    fn every_plan_covers_its_length_within_limits() {
        for points in (1..=4096).filter(|points| is_smooth(*points)) {
            for (radix, values, lanes) in [(16, 16, 256), (8, 8, 1024), (13, 24, 96)] {
                let plan = LinePlan::new(points, radix, values, lanes);
                assert_eq!(plan.radices.iter().product::<u32>(), points, "{plan}");
                assert!(plan.lanes <= lanes && plan.values() <= MOST_VALUES, "{plan}");
                let done = |radix: &u32| plan.rounds(*radix) * plan.lanes >= plan.count(*radix);
                assert!(plan.radices.iter().all(done), "{plan}");
            }
        }
    }

    #[test]
    fn long_lines_are_split_into_parts() {
        assert_eq!(split(8192, 2, 4096), Some(vec![64, 128]));
        assert_eq!(split(1 << 15, 2, 3072), Some(vec![64, 512]));
        assert_eq!(split(1 << 19, 2, 3072), Some(vec![1024, 512]));
        assert_eq!(split(1 << 20, 2, 3072), Some(vec![1024, 1024]));
        assert_eq!(split(1 << 16, 2, 256), Some(vec![256, 256]));
        assert_eq!(split(1 << 22, 2, 1024), None);
        assert_eq!(split(1 << 22, 3, 1024), Some(vec![128, 128, 256]));
        assert_eq!(split(30_000, 2, 1024), Some(vec![60, 500]));
        assert_eq!(split(13, 2, 1024), None);
        for length in (4..100_000).step_by(7).filter(|length| is_smooth(*length)) {
            if let Some(parts) = split(length, 2, 1024) {
                assert_eq!(parts.iter().product::<u32>(), length);
                assert!(parts[0] >= 2 && parts[1] >= 2);
            }
        }
    }
}
