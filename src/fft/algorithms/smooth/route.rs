//! In which passes a line is transformed.

use super::plan::{LinePlan, split};
use super::room::{self, VALUES, longest_part};
use crate::fft::program::Problem;

/// How the lines along one axis are transformed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::fft::algorithms) enum Route {
    /// Whole, in one pass.
    Whole,
    /// As arrays of these sides, the four-step algorithm's, in a pass for each.
    Steps(Vec<u32>),
    /// As convolutions of as many points as these sides multiply to (Bluestein), in a pass for each
    /// there, of which the last one turns back, and one for all others back.
    Chirp(Vec<u32>),
}

/// The most sides that a line is taken to have: more than the longest takes.
const MOST_SIDES: u32 = 8;

/// As few steps as parts for whole memory transactions can be had in; a line that has no parts whole.
pub(in crate::fft::algorithms) fn steps(problem: &Problem<'_>, length: u32) -> Route {
    sides(problem, length).map_or(Route::Whole, Route::Steps)
}

fn sides(problem: &Problem<'_>, length: u32) -> Option<Vec<u32>> {
    let longest = longest_part(problem);
    (2..=MOST_SIDES).find_map(|count| split(length, count, longest))
}

/// The convolution that costs least for `length`: in one pass if there is one that fits, else in as
/// few as can be.
pub(in crate::fft::algorithms) fn chirp(problem: &Problem<'_>, length: u32) -> Route {
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
        return Route::Chirp(vec![points]);
    }
    // Any of these takes the same number of passes or one more; the shortest moves the least.
    let several = candidates(least, power).filter(|points| points.is_multiple_of(32));
    let several = several.filter_map(|points| sides(problem, points));
    let fewest = several.min_by_key(|sides| (sides.len(), sides.iter().product::<u32>()));
    Route::Chirp(fewest.unwrap_or_else(|| vec![power]))
}

/// The products of 2, 3 and 5 from `least` to `most`.
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
    use crate::fft::descriptor::Descriptor;
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
    fn long_lines_take_as_few_steps_as_there_is_memory_for() {
        let capabilities = Capabilities::webgpu_defaults();
        let descriptor = Descriptor::default();
        let problem = Problem::new(&descriptor, "any".into(), &capabilities, true).unwrap();
        assert_eq!(steps(&problem, 8192), Route::Steps(vec![64, 128]));
        assert_eq!(steps(&problem, 1 << 20), Route::Steps(vec![1024, 1024]));
        assert_eq!(steps(&problem, 1 << 22), Route::Steps(vec![128, 128, 256]));
        assert_eq!(steps(&problem, 13), Route::Whole);
    }
}
