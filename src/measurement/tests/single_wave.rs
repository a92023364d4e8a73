//! Tests with one plane wave, whose figures are all known.

use std::f64::consts::TAU;

use super::*;
use crate::measurement::series::Series;
use crate::settings::SeaState;

const SIZE: u32 = 32;

/// The sea of one wave, h = `amplitude_m` cos(k.x - omega t), k = (i, j) dk of the first of two cascades.
fn plane_wave(sea: &SeaState, [i, j]: [i32; 2], amplitude_m: f32) -> (InitialSpectrum, [f64; 2]) {
    let mut initial = InitialSpectrum::new(sea, SIZE, 2).unwrap();
    initial.h0.fill([0.0; 2]);
    let position = |index: i32| index.rem_euclid(SIZE as i32) as usize;
    let at = position(j) * SIZE as usize + position(i);
    initial.h0[at] = [0.5 * amplitude_m, 0.0];
    assert!(initial.omega[at] > 0, "the wave lies within the band");
    let dk = initial.cascades[0].dk_rad_per_m();
    (initial, [f64::from(i) * dk, f64::from(j) * dk])
}

#[test]
fn a_wave_has_its_height_slopes_and_bin() {
    let sea = SeaState { wind_direction_deg: 30.0, ..SeaState::default() };
    let (initial, [kx, kz]) = plane_wave(&sea, [6, 8], 1.5);
    let theory = Arc::new(Theory::of(Subject::of(&initial, &[])));
    let k = kx.hypot(kz);
    let bin = theory.bins.index_of(theory.dispersion.omega_rad_per_s(k));
    for time_s in [0.0, 1.25, 4_000.0] {
        let surface = surface_of(&initial, &theory, time_s);
        // The variance a^2/2 lies in one bin, to the rounding of 32-bit floats.
        let variance_m2 = 1.5 * 1.5 / 2.0;
        for (index, in_bin) in surface.bins_m2.iter().enumerate() {
            let expected = if index == bin { variance_m2 } else { 0.0 };
            assert!((in_bin - expected).abs() < 1e-6 * variance_m2, "bin {index}: {in_bin}");
        }
        let measured = measured(&theory, surface);
        let height_m = measured.significant_wave_height_m().measured.unwrap();
        assert!((height_m / (4.0 * variance_m2.sqrt()) - 1.0).abs() < 1e-6, "{height_m}");
        let angle = kz.atan2(kx) - 30.0_f64.to_radians();
        let slope = k * k * variance_m2;
        let [along, across] = measured.mean_square_slopes().map(|figure| figure.measured.unwrap());
        assert!((along - slope * angle.cos().powi(2)).abs() < 1e-6 * slope, "{along}");
        assert!((across - slope * angle.sin().powi(2)).abs() < 1e-6 * slope, "{across}");
    }
}

/// A wave on the grid but in no cascade's band adds to the height, and is in no bin.
#[test]
fn waves_outside_of_the_bands_are_seen() {
    let sea = SeaState::default();
    let (mut initial, _) = plane_wave(&sea, [7, 0], 1.0);
    let theory = Theory::of(Subject::of(&initial, &[]));
    initial.h0[1] = [0.5, 0.0];
    let surface = surface_of(&initial, &theory, 0.0);
    assert!((surface.variance_m2 - 1.0).abs() < 1e-6);
    assert!((surface.bins_m2.iter().sum::<f64>() - 0.5).abs() < 1e-6);
}

#[test]
fn setting_the_clock_restarts_the_count_of_waves() {
    let sea = SeaState::default();
    let theory = Theory::of(Subject::of(&InitialSpectrum::new(&sea, SIZE, 1).unwrap(), &[]));
    let period_s = 4.0;
    let heights = |time_s: f64| -> Heights {
        std::array::from_fn(|point| {
            let phase = TAU * (time_s / period_s - 0.37 * point as f64);
            phase.sin() as f32
        })
    };
    let mut series = Series::default();
    let step_s = 0.13;
    for step in 0..600 {
        let time_s = 1_000.0 + step_s * f64::from(step);
        series.push(&theory, time_s, &heights(time_s));
        series.push(&theory, time_s, &heights(time_s));
    }
    let period = series.period(&theory).unwrap();
    let duration_s = 599.0 * step_s;
    assert!((period.duration_s - duration_s).abs() < 1e-9);
    let relative = period_s / duration_s;
    let tz = period.mean_zero_crossing_period_s;
    assert!((tz / period_s - 1.0).abs() < relative, "{tz}");
    let waves = f64::from(period.waves);
    assert!((waves - duration_s / period_s * POINTS as f64).abs() < POINTS as f64, "{waves}");

    // The time goes back, or on by more than a few seconds.
    for leap_s in [-0.5, 100.0] {
        let mut other = series.clone();
        let time_s = 1_000.0 + duration_s + leap_s;
        other.push(&theory, time_s, &heights(time_s));
        assert_eq!(other.period(&theory), None, "{leap_s}");
        other.push(&theory, time_s + 0.1, &heights(time_s + 0.1));
        assert_eq!(series.period(&theory), Some(period));
    }
}

/// A second loop shows nothing new, so the error does not shrink.
#[test]
fn a_sea_that_loops_is_counted_once() {
    let sea = SeaState { loop_period_s: 20.0, ..SeaState::default() };
    let theory = Theory::of(Subject::of(&InitialSpectrum::new(&sea, SIZE, 1).unwrap(), &[]));
    let mut series = Series::default();
    for step in 0..1_000 {
        let time_s = 0.1 * f64::from(step);
        let height = (TAU * time_s / 2.0 - 0.3).sin() as f32;
        series.push(&theory, time_s, &[height; POINTS]);
    }
    let period = series.period(&theory).unwrap();
    assert!(period.duration_s <= 20.0 && period.duration_s > 19.7, "{period:?}");
    assert!((period.mean_zero_crossing_period_s - 2.0).abs() < 0.21, "{period:?}");
}

/// Frequent samples see every wave, Tz = 2 pi sqrt(m0/m2); distant ones miss some.
#[test]
fn looks_far_apart_miss_waves() {
    let initial = InitialSpectrum::new(&SeaState::default(), 64, 2).unwrap();
    let theory = Theory::of(Subject::of(&initial, &[]));
    let exact_s = theory.mean_zero_crossing_period_s();
    let seen_s = |step_s: f64| step_s / theory.rises_in(step_s);
    assert!((seen_s(1e-4) / exact_s - 1.0).abs() < 1e-6);
    assert!(seen_s(0.5) > exact_s);
    // Independent samples rise every fourth time.
    assert!((theory.rises_in(1e5) - 0.25).abs() < 0.05);
    let spectrum = crate::spectrum::DirectionalSpectrum::of(&initial.sea);
    let [m0, m2] = [0, 2].map(|order| {
        let bands = initial.cascades.iter();
        let of = |band: &crate::spectrum::Cascade| {
            spectrum.moment(order, band.first_rad_per_m, band.last_rad_per_m)
        };
        bands.map(of).sum::<f64>()
    });
    assert!((exact_s / (TAU * (m0 / m2).sqrt()) - 1.0).abs() < 1e-3, "{exact_s}");
}
