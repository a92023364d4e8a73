//! Many seeds: measurements scatter around theory as far as they say.

use super::*;
use crate::measurement::series::Series;
use crate::settings::{Preset, SeaState};

const SIZE: u32 = 64;

fn initial(sea: &SeaState, seed: u32, cascades: u32) -> InitialSpectrum {
    InitialSpectrum::new(&SeaState { seed, ..sea.clone() }, SIZE, cascades).unwrap()
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().sum::<f64>() / values.count() as f64
}

/// Of n standard normal variables, the mean of the squares has a standard deviation of sqrt(2/n);
/// twice three of them are room for the roundings of theory, and for an error that is itself measured
/// (of 16 blocks: 15/13 in the mean).
fn assert_unit_scatter(deviations: &[f64], what: &str) {
    let count = deviations.len() as f64;
    let average = mean(deviations.iter().copied());
    // The heights' lattice sum is the integral to a percent or so, a quarter of a standard error; that
    // of the slopes, on so small a grid, to twice as much: its outermost circle is 16 points wide.
    assert!(average.abs() < 0.6 + 4.0 / count.sqrt(), "{what}: {average} in the mean");
    let square = mean(deviations.iter().map(|deviation| (deviation - average).powi(2)));
    assert!((square - 1.0).abs() < 6.0 * (2.0 / count).sqrt(), "{what}: {square} mean square");
}

#[test]
fn measured_heights_slopes_and_spectra_scatter_as_they_say() {
    const SEEDS: u32 = 160;
    let crossing = Preset::load("crossing-seas").unwrap().sea;
    for sea in [SeaState::default(), crossing] {
        let theory = Arc::new(Theory::of(Subject::of(&initial(&sea, 0, 2), &[])));
        let mut deviations = [const { Vec::new() }; 3];
        let mut ratios = vec![Vec::new(); theory.bins.count()];
        for seed in 0..SEEDS {
            let time_s = 7.0 * f64::from(seed);
            let measured = measured(&theory, look(&initial(&sea, seed, 2), &theory, time_s));
            let [along, across] = measured.mean_square_slopes();
            let figures = [measured.significant_wave_height_m(), along, across];
            for (deviations, figure) in deviations.iter_mut().zip(figures) {
                deviations.push(figure.deviations().unwrap());
            }
            for (index, ratios) in ratios.iter_mut().enumerate() {
                let density = measured.density_m2_s(index);
                ratios.extend(density.map(|density| density / theory.expected[index].density_m2_s));
            }
        }
        for (deviations, what) in deviations.iter().zip(["Hs", "along", "across"]) {
            assert_unit_scatter(deviations, what);
        }
        let (mut inside, mut all) = (0, 0);
        for (index, ratios) in ratios.iter().enumerate().filter(|(_, ratios)| !ratios.is_empty()) {
            let expected = theory.expected[index];
            let error = expected.relative_standard_error();
            assert!(expected.independent_pairs <= f64::from(expected.pairs) + 1e-6);
            // Its mean is theory's, to six standard errors.
            let average = mean(ratios.iter().copied());
            let room = 6.0 * error / f64::from(SEEDS).sqrt();
            assert!((average - 1.0).abs() < room, "bin {index}: {average}, not 1 to {room}");
            let [low, high] = [-1.0, 1.0].map(|deviations| expected.ratio_at(deviations));
            inside += ratios.iter().filter(|ratio| (low..=high).contains(*ratio)).count();
            all += ratios.len();
        }
        // 68.3%, of some thousand that are independent: to 0.6%, and the approximation's own error.
        let share = inside as f64 / all as f64;
        assert!(all > 2_000 && (share - 0.683).abs() < 0.04, "{share} of {all}");
    }
}

/// Wind sea, and a swell whose crests reach from point to point.
#[test]
fn measured_periods_scatter_as_they_say() {
    const SEEDS: u32 = 40;
    let crossing = Preset::load("crossing-seas").unwrap().sea;
    let swell = SeaState { wind_speed_mps: 1.0, fetch_m: 1_000.0, ..crossing };
    let swell = SeaState { swell_2_height_m: 0.0, ..swell };
    for sea in [SeaState::default(), swell] {
        let theory = Arc::new(Theory::of(Subject::of(&initial(&sea, 0, 1), &[])));
        let exact_s = theory.mean_zero_crossing_period_s();
        let deviations: Vec<f64> = (0..SEEDS)
            .map(|seed| {
                let period = period(&initial(&sea, seed, 1), &theory, exact_s / 20.0);
                let (theory, period) = (Arc::clone(&theory), Some(period));
                let measured = Measured { theory, surface: None, period, whitecaps: None };
                let figure = measured.mean_zero_crossing_period_s();
                assert!(figure.standard_error.unwrap() < 0.15 * figure.expected, "{figure:?}");
                figure.deviations().unwrap()
            })
            .collect();
        assert_unit_scatter(&deviations, "Tz");
    }
}

/// Of some eight waves, looked at every `step_s` seconds or so.
fn period(initial: &InitialSpectrum, theory: &Theory, step_s: f64) -> Period {
    let mut series = Series::default();
    for step in 0..160_u32 {
        // Frames are not alike.
        let time_s = step_s * (f64::from(step) + 0.3 * f64::from(step % 3));
        let heights = heights(initial, 0, time_s);
        let texel = |index: usize| index * SIZE as usize / POINTS_A_SIDE;
        let at_points: Heights = std::array::from_fn(|point| {
            let [x, z] = [point % POINTS_A_SIDE, point / POINTS_A_SIDE].map(texel);
            heights[z * SIZE as usize + x] as f32
        });
        series.push(theory, time_s, &at_points);
    }
    series.period(theory).expect("there are waves enough")
}
