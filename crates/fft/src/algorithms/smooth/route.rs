//! The passes of a line.

use super::fold::length;
use super::plan::{LinePlan, is_smooth, split};
use super::room::{self, VALUES, longest_part};
use crate::descriptor::Axis;
use crate::program::Problem;

/// The decomposition of the lines along one axis into passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::algorithms) enum Route {
    /// The whole line in one pass.
    Whole,
    /// An array with these sides, by the four-step algorithm, with a pass for each.
    Steps(Vec<u32>),
    /// A convolution with the product of these sides as its points (Bluestein): a pass forward for each,
    /// of which the last turns back, and one back for all others.
    Chirp(Vec<u32>),
    /// The same passes for a convolution in the order of a generator's powers (Rader).
    Generator(Vec<u32>),
}

impl Route {
    /// The points of a line along `axis` in its passes.
    pub fn points(&self, problem: &Problem<'_>, axis: Axis) -> u32 {
        match self {
            Self::Chirp(sides) | Self::Generator(sides) => sides.iter().product(),
            Self::Whole | Self::Steps(_) => length(problem, axis),
        }
    }

    /// The points of a line in scratch memory between the passes. The point that is no power of the generator
    /// follows the others.
    pub fn points_between(&self, problem: &Problem<'_>, axis: Axis) -> u32 {
        self.points(problem, axis) + u32::from(matches!(self, Self::Generator(_)))
    }
}

/// The most sides of a line: more than the longest needs.
const MOST_SIDES: u32 = 8;

/// The fewest steps whose parts make whole memory transactions. A line without parts stays whole.
pub(in crate::algorithms) fn steps(problem: &Problem<'_>, length: u32) -> Route {
    sides(problem, length).map_or(Route::Whole, Route::Steps)
}

fn sides(problem: &Problem<'_>, length: u32) -> Option<Vec<u32>> {
    let longest = longest_part(problem);
    (2..=MOST_SIDES).find_map(|count| split(length, count, longest))
}

/// The convolution of Bluestein's algorithm for `length`.
pub(in crate::algorithms) fn chirp(problem: &Problem<'_>, length: u32) -> Route {
    Route::Chirp(convolution(problem, length))
}

/// The convolution of Rader's algorithm for `length`, a prime: of the other points alone where their number is
/// smooth, else padded.
pub(in crate::algorithms) fn generator(problem: &Problem<'_>, length: u32) -> Route {
    let others = length - 1;
    let direct = match (is_smooth(others), room::fits(problem, others)) {
        (false, _) => None,
        (true, true) => Some(vec![others]),
        (true, false) => sides(problem, others),
    };
    Route::Generator(direct.unwrap_or_else(|| convolution(problem, others)))
}

/// The sides of the cheapest convolution of `length` points with as many on both sides of a kernel's first: in
/// one pass if it fits, else in as few as possible.
fn convolution(problem: &Problem<'_>, length: u32) -> Vec<u32> {
    let least = 2 * length - 1;
    let power = least.next_power_of_two();
    let most_lanes = problem.capabilities.max_workgroup_invocations.max(1);
    let cost = |points: u32| {
        let plan = LinePlan::new(points, room::RADIX, VALUES, most_lanes);
        plan.cost() * f64::from(points)
    };
    let one_pass = candidates(least, power).filter(|points| room::fits(problem, *points));
    let costs = one_pass.map(|points| (points, cost(points)));
    if let Some((points, _)) = costs.min_by(|(_, a), (_, b)| a.total_cmp(b)) {
        return vec![points];
    }
    // All of these take the same number of passes or one more; the shortest moves the least.
    let several = candidates(least, power).filter(|points| points.is_multiple_of(32));
    let several = several.filter_map(|points| sides(problem, points));
    let fewest = several.min_by_key(|sides| (sides.len(), sides.iter().product::<u32>()));
    fewest.unwrap_or_else(|| vec![power])
}

fn candidates(least: u32, most: u32) -> impl Iterator<Item = u32> + Clone {
    let powers = |base: u32| (0..32).map_while(move |exponent| base.checked_pow(exponent));
    let odd = powers(3)
        .flat_map(move |threes| powers(5).filter_map(move |fives| threes.checked_mul(fives)));
    odd.filter_map(move |odd| {
        let twos = least.div_ceil(odd).next_power_of_two();
        twos.checked_mul(odd).filter(|points| (least..=most).contains(points))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::Descriptor;
    use crate::gpu::Capabilities;

    #[test]
    fn convolutions_have_room_for_both_sides_of_the_chirp() {
        let found: Vec<u32> = candidates(2017, 2048).collect();
        assert!(found.contains(&2048) && found.contains(&2025), "{found:?}");
        assert!(found.iter().all(|points| (2017..=2048).contains(points)));
        let capabilities = Capabilities::webgpu_defaults();
        let descriptor = Descriptor::default();
        let problem = Problem::new(&descriptor, "any".into(), &capabilities, true).unwrap();
        for length in (1..100).chain((100..5000).step_by(97)).chain([65_537, 1 << 20, 1 << 22]) {
            let route = chirp(&problem, length);
            let Route::Chirp(sides) = &route else { panic!("{route:?}") };
            assert!(sides.iter().product::<u32>() >= 2 * length - 1, "{length}: {route:?}");
            assert_eq!(sides.len() == 1, length <= 2048, "{length}: {route:?}");
        }
    }

    #[test]
    fn primes_take_smooth_convolutions_without_padding() {
        let capabilities = Capabilities::webgpu_defaults();
        let descriptor = Descriptor::default();
        let problem = Problem::new(&descriptor, "any".into(), &capabilities, true).unwrap();
        let sides = |length| match generator(&problem, length) {
            Route::Generator(sides) => sides,
            route => panic!("{route:?}"),
        };
        for length in [2, 3, 5, 7, 17, 97, 257, 2017] {
            assert_eq!(sides(length), [length - 1]);
        }
        assert_eq!(sides(65_537), [128, 512]);
        // 46 and 508 have the primes 23 and 127.
        for length in [47, 509, 100_003] {
            let points = sides(length).iter().product::<u32>();
            assert!(is_smooth(points) && points >= 2 * length - 3, "{length}: {points}");
        }
    }

    #[test]
    fn long_lines_take_the_fewest_steps_that_fit() {
        let capabilities = Capabilities::webgpu_defaults();
        let descriptor = Descriptor::default();
        let problem = Problem::new(&descriptor, "any".into(), &capabilities, true).unwrap();
        assert_eq!(steps(&problem, 8192), Route::Steps(vec![64, 128]));
        assert_eq!(steps(&problem, 1 << 20), Route::Steps(vec![1024, 1024]));
        assert_eq!(steps(&problem, 1 << 22), Route::Steps(vec![128, 128, 256]));
        assert_eq!(steps(&problem, 13), Route::Whole);
    }
}
