//! Tests over many seeds: measurements scatter around theory as far as their error bars say.

use std::f64::consts::TAU;
use std::ops::RangeInclusive;

use super::*;
use crate::fft::lab::cpu::Complex;
use crate::measurement::series::Series;
use crate::settings::{Preset, SeaState};
use crate::spectrum::DirectionalSpectrum;

const SIZE: u32 = 64;

/// The number of seeds of each sea.
///
/// Deviations are measured in error bars, so of N seeds their mean square is chi-square distributed
/// around 1: its logarithm has a standard deviation of sqrt(2/N). An error bar that is wrong by a
/// quarter moves it by ln 1.25^2. The limit of [`MEAN_SQUARE`] lies halfway, and is 3.5 standard
/// deviations from either end at N = 2 (3.5/ln 1.25)^2 = 492. With 512 seeds, sound error bars fail with
/// a chance of 4.1e-4 (chi-square of 511 degrees of freedom: 1.0e-4 above, 3.2e-4 below), and those that
/// are wrong by a quarter pass with the same chance.
const SEEDS: u32 = 512;

/// The number of seeds for periods. Their error bars are mostly measured themselves, between 16 blocks
/// of points, so that deviations follow Student's t of 15 degrees of freedom. Its excess kurtosis of
/// 6/11 makes the standard deviation of the logarithm sqrt(2.55/N), a quarter of the room.
const PERIOD_SEEDS: u32 = 768;

/// The accepted mean square of deviations.
const MEAN_SQUARE: RangeInclusive<f64> = 0.8..=1.25;

/// The accepted mean of deviations: four of its standard deviations, 1/sqrt(N). Chance exceeds that once
/// in 16 000 times, and misses a bias of 0.35 standard errors as rarely.
const MEAN: f64 = 0.177;

/// The bias to detect, in standard errors.
const BIAS: f64 = 0.35;

fn initial(sea: &SeaState, seed: u32, cascades: u32) -> InitialSpectrum {
    InitialSpectrum::new(&SeaState { seed, ..sea.clone() }, SIZE, cascades).unwrap()
}

/// The results of `measure` for each of `count` seeds, on all cores.
fn for_each_seed<T: Send>(count: u32, measure: impl Fn(u32) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
    std::thread::scope(|scope| {
        let measure = &measure;
        let part = |thread: u32| {
            let seeds = count * thread / threads..count * (thread + 1) / threads;
            scope.spawn(move || seeds.map(measure).collect::<Vec<T>>())
        };
        let parts: Vec<_> = (0..threads).map(part).collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    })
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().sum::<f64>() / values.count() as f64
}

/// Returns whether `deviations`, in error bars, scatter around `center` as standard normal variables do.
fn check_unit_scatter(deviations: &[f64], center: f64) -> Result<(), String> {
    let average = mean(deviations.iter().copied());
    let square = mean(deviations.iter().map(|deviation| (deviation - average).powi(2)));
    let found = format!("mean {average:.3} around {center:.3}, mean square {square:.3}");
    match (average - center).abs() < MEAN && MEAN_SQUARE.contains(&square) {
        true => Ok(()),
        false => Err(found),
    }
}

/// Asserts that `deviations` scatter as expected, and that the check would notice if they did not.
fn assert_unit_scatter(deviations: &[f64], center: f64, what: &str) {
    if let Err(found) = check_unit_scatter(deviations, center) {
        panic!("{what}: {found}");
    }
    let changed = |change: &dyn Fn(f64) -> f64| -> Vec<f64> {
        deviations.iter().map(|deviation| center + change(deviation - center)).collect()
    };
    for (wrong, name) in [
        (changed(&|_| 0.0), "no scatter"),
        (changed(&|deviation| deviation / 1.25), "an error bar of 1.25"),
        (changed(&|deviation| deviation * 1.25), "an error bar of 0.8"),
        (changed(&|deviation| deviation + BIAS), "a bias upwards"),
        (changed(&|deviation| deviation - BIAS), "a bias downwards"),
    ] {
        assert!(check_unit_scatter(&wrong, center).is_err(), "{what}: {name} passes");
    }
}

/// The wave vectors of the maps in rad/m, and the variance of each in m2. Sums over this lattice are
/// what measurements scatter around, where theory expects integrals.
fn lattice(theory: &Theory) -> Vec<([f64; 2], f64)> {
    let spectrum = DirectionalSpectrum::of(&theory.subject.sea);
    let half = SIZE as i32 / 2;
    let mut waves = Vec::new();
    for cascade in &theory.subject.cascades {
        for [i, j] in (1 - half..half).flat_map(|j| (1 - half..half).map(move |i| [i, j])) {
            let [x, z] = cascade.wave_vector([i, j]);
            if cascade.contains(x.hypot(z)) {
                let variance_m2 = spectrum.psi_m4(x, z) * cascade.dk_rad_per_m().powi(2);
                waves.push(([x, z], variance_m2));
            }
        }
    }
    waves
}

fn lattice_variances(theory: &Theory) -> [f64; 3] {
    let mut sum = [0.0; 4];
    for ([x, z], variance_m2) in lattice(theory) {
        let parts = [1.0, x * x, z * z, x * z];
        sum.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part * variance_m2);
    }
    let [heights, xx, zz, xz] = sum;
    let [along, across] = along_and_across([xx, zz, xz], theory.wind_towards);
    [heights, along, across]
}

/// The expected period of the lattice with samples `steps_s` apart: heights before and after a step have
/// a correlation r, and rise through 0 with a chance of acos(r)/(2 pi) (Rice 1944, section 3.8).
fn lattice_period_s(theory: &Theory, steps_s: &[f64]) -> f64 {
    let waves = lattice(theory);
    let variance_m2: f64 = waves.iter().map(|(_, wave)| wave).sum();
    let rises = |step_s: &f64| {
        let of = |([x, z], wave): &([f64; 2], f64)| {
            wave * (theory.dispersion.omega_rad_per_s(x.hypot(*z)) * step_s).cos()
        };
        (waves.iter().map(of).sum::<f64>() / variance_m2).acos() / TAU
    };
    steps_s.iter().sum::<f64>() / steps_s.iter().map(rises).sum::<f64>()
}

#[test]
fn heights_slopes_and_spectra_scatter_by_their_errors() {
    let crossing = Preset::load("crossing-seas").unwrap().sea;
    // The lattice of a small grid is coarse: sums over it are within 0.4% of the integral for Hs, and
    // 0.8% for the slopes, but 5% for those of a swell, which a few waves make.
    for (sea, rooms) in [(SeaState::default(), [0.01, 0.02, 0.02]), (crossing, [0.01, 0.1, 0.1])] {
        let theory = Arc::new(Theory::of(Subject::of(&initial(&sea, 0, 2), &[])));
        let measurements = for_each_seed(SEEDS, |seed| {
            let time_s = 7.0 * f64::from(seed);
            let measured = measured(&theory, surface_of(&initial(&sea, seed, 2), &theory, time_s));
            let [along, across] = measured.mean_square_slopes();
            let bins = (0..theory.bins.count()).map(|index| measured.density_m2_s(index));
            ([measured.significant_wave_height_m(), along, across], bins.collect::<Vec<_>>())
        });
        let of_lattice = lattice_variances(&theory);
        for (index, what) in ["Hs", "along", "across"].into_iter().enumerate() {
            let figures = measurements.iter().map(|(figures, _)| figures[index]);
            let deviations: Vec<f64> = figures.map(|figure| figure.deviations().unwrap()).collect();
            let Figure { expected, standard_error, .. } = measurements[0].0[index];
            let error = standard_error.unwrap();
            // The mean of a square root is lower by v^2/8 for a scatter of v.
            let (sum, of_root) = match index {
                0 => (4.0 * of_lattice[0].sqrt(), -0.5 * error / expected),
                _ => (of_lattice[index], 0.0),
            };
            assert!((sum / expected - 1.0).abs() < rooms[index], "{what}: {sum} of {expected}");
            assert_unit_scatter(&deviations, (sum - expected) / error + of_root, what);
        }
        let (mut inside, mut all) = (0, 0);
        for index in 0..theory.bins.count() {
            let expected = theory.expected[index];
            let ratio = |density: f64| density / expected.density_m2_s;
            let densities = measurements.iter().filter_map(|(_, bins)| bins[index]);
            let ratios: Vec<f64> = densities.map(ratio).collect();
            if ratios.is_empty() {
                continue;
            }
            let error = expected.relative_standard_error();
            assert!(expected.independent_pairs <= f64::from(expected.pairs) + 1e-6);
            // The mean follows theory to five standard errors.
            let average = mean(ratios.iter().copied());
            let room = 5.0 * error / f64::from(SEEDS).sqrt();
            assert!((average - 1.0).abs() < room, "bin {index}: {average}, not 1 to {room}");
            let [low, high] = [-1.0, 1.0].map(|deviations| expected.ratio_at(deviations));
            inside += ratios.iter().filter(|ratio| (low..=high).contains(*ratio)).count();
            all += ratios.len();
        }
        // 68.3%, of some thousand independent ones: to 0.4%, and the approximation's own error. An error
        // bar of 0.8 or 1.25 holds 58% or 79%.
        let share = inside as f64 / all as f64;
        assert!(all > 6_000 && (share - 0.683).abs() < 0.04, "{share} of {all}");
    }
}

#[test]
fn measured_periods_scatter_by_their_errors() {
    let crossing = Preset::load("crossing-seas").unwrap().sea;
    let swell = SeaState { wind_speed_mps: 1.0, fetch_m: 1_000.0, ..crossing };
    let swell = SeaState { swell_2_height_m: 0.0, ..swell };
    // The allowed distance of the lattice from the integral, for wind waves 0.4%, and the ratio of error
    // bars to the scatter: those of a swell are on the safe side, since a grid of points samples it more
    // evenly than random blocks would.
    for (sea, what, room, width) in
        [(SeaState::default(), "Tz", 0.008, 1.0), (swell, "Tz of swell", 0.02, 1.15)]
    {
        let theory = Arc::new(Theory::of(Subject::of(&initial(&sea, 0, 1), &[])));
        let step_s = theory.mean_zero_crossing_period_s() / 20.0;
        let steps_s: Vec<f64> = (1..SAMPLES)
            .map(|sample| time_s(sample, step_s) - time_s(sample - 1, step_s))
            .collect();
        let of_lattice_s = lattice_period_s(&theory, &steps_s);
        let deviations = for_each_seed(PERIOD_SEEDS, |seed| {
            let period = Some(period(&initial(&sea, seed, 1), &theory, step_s));
            let theory = Arc::clone(&theory);
            let measured = Measured { theory, surface: None, period, whitecaps: None };
            let figure = measured.mean_zero_crossing_period_s();
            let error_s = figure.standard_error.unwrap();
            assert!(error_s < 0.15 * figure.expected, "{figure:?}");
            assert!((of_lattice_s / figure.expected - 1.0).abs() < room, "{of_lattice_s} s");
            let of_lattice = (of_lattice_s - figure.expected) / error_s;
            width * (figure.deviations().unwrap() - of_lattice)
        });
        assert_unit_scatter(&deviations, 0.0, what);
    }
}

/// The number of samples: some eight waves of 20 samples.
const SAMPLES: u32 = 160;

/// The time of a sample, about `step_s` seconds after the one before, since frames vary.
fn time_s(sample: u32, step_s: f64) -> f64 {
    step_s * (f64::from(sample) + 0.3 * f64::from(sample % 3))
}

fn period(initial: &InitialSpectrum, theory: &Theory, step_s: f64) -> Period {
    let time_s = |sample: u32| time_s(sample, step_s);
    let mut waves = AtPoints::new(initial, [time_s(1) - time_s(0), time_s(3) - time_s(2)]);
    let mut series = Series::default();
    for sample in 0..SAMPLES {
        let at_points = waves.heights();
        if initial.sea.seed == 0 && sample == 50 {
            let (exact, side) = (heights(initial, 0, time_s(sample)), SIZE as usize);
            let texel = |index: usize| index * side / POINTS_A_SIDE;
            for (point, height) in at_points.iter().enumerate() {
                let [x, z] = [point % POINTS_A_SIDE, point / POINTS_A_SIDE].map(texel);
                let exact = exact[z * side + x];
                assert!((f64::from(*height) - exact).abs() < 1e-3, "{height} of {exact}");
            }
        }
        series.push(theory, time_s(sample), &at_points);
        waves.advance(usize::from(sample % 3 == 2));
    }
    series.period(theory).expect("there are waves enough")
}

/// The waves of one cascade at the points, computed much faster than through all texels.
struct AtPoints {
    /// Each wave's h0 e^(-i omega t), and its factors from one sample to the next.
    waves: Vec<(usize, Complex, [Complex; 2])>,
    roots: [Complex; POINTS_A_SIDE],
}

impl AtPoints {
    /// Starts at time 0, and advances by one of two steps.
    fn new(initial: &InitialSpectrum, steps_s: [f64; 2]) -> Self {
        let turn = |angle: f64| [angle.cos(), angle.sin()];
        let side = initial.size as usize;
        let moving = initial.h0.iter().enumerate().filter(|(_, h0)| **h0 != [0.0; 2]);
        let wave = |(at, h0): (usize, &[f32; 2])| {
            // Wave vectors that differ by those of the points' grid are aliases.
            let [x, z] = [at % side, at / side].map(|index| index % POINTS_A_SIDE);
            let omega = initial.clock.omega_rad_per_s(initial.omega[at]);
            let factors = steps_s.map(|step_s| turn(-omega * step_s));
            (z * POINTS_A_SIDE + x, h0.map(f64::from), factors)
        };
        let root = |index: usize| turn(TAU * index as f64 / POINTS_A_SIDE as f64);
        Self { waves: moving.map(wave).collect(), roots: std::array::from_fn(root) }
    }

    fn advance(&mut self, step: usize) {
        for (_, amplitude, factors) in &mut self.waves {
            *amplitude = product(*amplitude, factors[step]);
        }
    }

    /// h = 2 Re of the sum of h0 e^(i (k.x - omega t)).
    fn heights(&self) -> Heights {
        let mut sums = [[0.0; 2]; POINTS];
        for (at, [re, im], _) in &self.waves {
            sums[*at][0] += re;
            sums[*at][1] += im;
        }
        std::array::from_fn(|point| {
            let [x, z] = [point % POINTS_A_SIDE, point / POINTS_A_SIDE];
            let of = |(at, sum): (usize, &Complex)| {
                let turns = at % POINTS_A_SIDE * x + at / POINTS_A_SIDE * z;
                product(*sum, self.roots[turns % POINTS_A_SIDE])[0]
            };
            (2.0 * sums.iter().enumerate().map(of).sum::<f64>()) as f32
        })
    }
}

fn product([a, b]: Complex, [c, d]: Complex) -> Complex {
    [a * c - b * d, a * d + b * c]
}
