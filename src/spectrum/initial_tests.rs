//! The statistics and invariances of the drawn sea.

use super::super::cpu;
use super::*;
use crate::choice::Choice;
use crate::settings::table::random;
use crate::settings::{Preset, SpectrumModel, SpreadingModel};

fn sea(wind_speed_mps: f64) -> SeaState {
    SeaState { wind_speed_mps, fetch_m: 80_000.0, ..Default::default() }
}

fn at(size: u32, i: i32, j: i32) -> usize {
    let wrap = |index: i32| index.rem_euclid(size as i32) as usize;
    wrap(j) * size as usize + wrap(i)
}

/// Mean square over the patch of every cascade's h at `time_s`: by Parseval, the sum of
/// |h(k)|^2. X(h) is unpacked from X(h) + i X(dh/dx).
fn measured_variance_m2(initial: &InitialSpectrum, time_s: f64) -> Vec<f64> {
    let size = initial.size;
    let points = (size * size) as usize;
    let fields = cpu::evolve(initial, time_s);
    (0..initial.cascades.len())
        .map(|cascade| {
            let layer = &fields[2 * cascade * points..][..points];
            let half = size as i32 / 2;
            let mut sum = 0.0;
            for j in -half..half {
                for i in -half..half {
                    let (p, q) = (layer[at(size, i, j)], layer[at(size, -i, -j)]);
                    let h = [0.5 * (p[2] + q[2]), 0.5 * (p[3] - q[3])];
                    sum += h[0] * h[0] + h[1] * h[1];
                }
            }
            sum
        })
        .collect()
}

#[test]
fn measured_wave_height_is_the_theoretical_one() {
    let seeds = 40;
    for (spectrum, spreading, depth_m) in [
        (SpectrumModel::Jonswap, SpreadingModel::Hasselmann, 5_000.0),
        (SpectrumModel::Tma, SpreadingModel::Cos2s, 8.0),
    ] {
        let mut mean = [0.0; 2];
        let mut theory = Vec::new();
        for seed in 0..seeds {
            let sea = SeaState { spectrum, spreading, depth_m, seed, ..sea(12.0) };
            let initial = InitialSpectrum::new(&sea, 128, 2).unwrap();
            // A sea at t = 0 would hide half of the amplitudes.
            let measured = measured_variance_m2(&initial, 100.0 * f64::from(seed));
            for (mean, measured) in mean.iter_mut().zip(measured) {
                *mean += measured / f64::from(seeds);
            }
            theory = initial.variance_m2;
        }
        for (measured, theory) in mean.iter().zip(&theory) {
            assert!((measured / theory - 1.0).abs() < 0.04, "{measured} m2 is not {theory} m2");
        }
    }
}

/// Variance of the height in m2 and of the slopes (xx, zz), averaged over time: by Parseval each
/// wave has 2 |h0|^2 of the first.
fn drawn_variances(initial: &InitialSpectrum) -> [f64; 3] {
    let size = initial.size as i32;
    let points = (size * size) as usize;
    let wave_index = |index: i32| if index < size / 2 { index } else { index - size };
    let mut sum = [0.0; 3];
    for (cascade, layer) in initial.cascades.iter().zip(initial.h0.chunks(points)) {
        for (at, h0) in layer.iter().enumerate() {
            let power = 2.0 * h0.iter().map(|part| f64::from(*part).powi(2)).sum::<f64>();
            let [x, z] = cascade.wave_vector([at as i32 % size, at as i32 / size].map(wave_index));
            for (sum, factor) in sum.iter_mut().zip([1.0, x * x, z * z]) {
                *sum += power * factor;
            }
        }
    }
    sum
}

/// Heights and slopes of many seas have the theory's variances, in each direction: the wind sea, a
/// swell, and three systems that cross.
#[test]
fn ensembles_have_the_heights_and_slopes_of_the_theory() {
    const SEEDS: u32 = 128;
    let crossing = Preset::load("crossing-seas").unwrap().sea;
    let swell = SeaState { wind_speed_mps: 1.0, fetch_m: 1_000.0, ..crossing.clone() };
    for sea in [sea(12.0), SeaState { swell_2_height_m: 0.0, ..swell }, crossing] {
        let mut drawn = Vec::new();
        let mut theory = [0.0; 3];
        for seed in 0..SEEDS {
            let initial = InitialSpectrum::new(&SeaState { seed, ..sea.clone() }, 128, 4).unwrap();
            let [height, xx, zz] = drawn_variances(&initial);
            drawn.push([height, xx, zz]);
            let slopes: f64 =
                (0..4).map(|cascade| initial.drawn_divergence_variance(cascade)).sum();
            assert!((slopes / (xx + zz) - 1.0).abs() < 1e-9, "{slopes} is not {xx} + {zz}");
            theory = [initial.variance_m2.iter().sum(), 0.0, 0.0];
            for cascade in 0..4 {
                let [xx, zz, _] = initial.slope_covariance(cascade);
                theory[1] += xx;
                theory[2] += zz;
            }
        }
        for (what, theory) in theory.into_iter().enumerate() {
            let count = f64::from(SEEDS);
            let mean = drawn.iter().map(|drawn| drawn[what]).sum::<f64>() / count;
            let squares: f64 = drawn.iter().map(|drawn| (drawn[what] - mean).powi(2)).sum();
            let standard_error = (squares / (count * (count - 1.0))).sqrt() / theory;
            assert!(standard_error < 0.006, "{what}: {standard_error} with {SEEDS} seeds");
            let off = (mean / theory - 1.0).abs();
            // Hs within 1%, slopes within 2%, plus the error of a finite number of seeds.
            assert!(off < 0.02 + 3.0 * standard_error, "{what} of {sea:?}: {mean}, not {theory}");
        }
    }
}

#[test]
fn bands_add_up_to_the_spectrum() {
    for &spectrum in SpectrumModel::ALL {
        for depth_m in [3.0, 5_000.0] {
            let sea = SeaState { spectrum, depth_m, ..sea(12.0) };
            let initial = InitialSpectrum::new(&sea, 256, 4).unwrap();
            let whole = initial.summary.significant_wave_height_m;
            let carried = initial.significant_wave_height_m();
            assert!((carried / whole - 1.0).abs() < 1e-3, "{sea:?}: {carried} of {whole} m");
        }
    }
}

#[test]
fn the_lattice_holds_the_integral() {
    for (name, _) in Preset::SHIPPED {
        let sea = Preset::load(name).unwrap().sea;
        let spectrum = DirectionalSpectrum::of(&sea);
        let initial = InitialSpectrum::new(&sea, 128, 4).unwrap();
        for (cascade, theory) in initial.cascades.iter().zip(&initial.variance_m2) {
            let dk = cascade.dk_rad_per_m();
            let mut sum = 0.0;
            for j in -63..64 {
                for i in -63..64 {
                    let [x, z] = cascade.wave_vector([i, j]);
                    if cascade.contains((x * x + z * z).sqrt()) {
                        let k = x.hypot(z);
                        sum += spectrum.ring(k).psi_m4(x / k, z / k, dk / k) * dk * dk;
                    }
                }
            }
            // Invisible waves may be off: a swell without a wind has next to nothing in its last band.
            let allowed = 0.01 * theory + 1e-6 * initial.variance_m2.iter().sum::<f64>();
            assert!((sum - theory).abs() < allowed, "{name}: {sum} is not {theory}");
        }
    }
}

#[test]
fn variance_does_not_drift() {
    let initial = InitialSpectrum::new(&sea(9.0), 64, 1).unwrap();
    let mean = |times: std::ops::Range<u32>| {
        let count = f64::from(times.end - times.start);
        times.map(|step| measured_variance_m2(&initial, 37.7 * f64::from(step))[0]).sum::<f64>()
            / count
    };
    assert!((mean(0..60) / mean(5_000..5_060) - 1.0).abs() < 0.03);
}

#[test]
fn waves_go_with_the_wind() {
    for wind_direction_deg in [0.0, 75.0, -130.0] {
        let sea = SeaState { wind_direction_deg, ..sea(10.0) };
        let initial = InitialSpectrum::new(&sea, 128, 1).unwrap();
        let mut mean = [0.0; 2];
        for j in -63..64 {
            for i in -63..64 {
                let h0 = initial.h0[at(128, i, j)];
                let power = f64::from(h0[0] * h0[0] + h0[1] * h0[1]);
                mean[0] += power * f64::from(i);
                mean[1] += power * f64::from(j);
            }
        }
        let angle = mean[1].atan2(mean[0]).to_degrees();
        assert!((angle - wind_direction_deg).abs() < 6.0, "{angle} is not {wind_direction_deg}");
    }
}

#[test]
fn a_larger_grid_refines_the_same_sea() {
    let coarse = InitialSpectrum::new(&sea(12.0), 128, 3).unwrap();
    let fine = InitialSpectrum::new(&sea(12.0), 256, 3).unwrap();
    for cascade in 0..3 {
        for j in -64..64 {
            for i in -64..64 {
                let coarse_at = cascade * 128 * 128 + at(128, i, j);
                let fine_at = cascade * 256 * 256 + at(256, i, j);
                if coarse.omega[coarse_at] != 0 {
                    assert_eq!(coarse.h0[coarse_at], fine.h0[fine_at]);
                    assert_eq!(coarse.omega[coarse_at], fine.omega[fine_at]);
                } else if cascade < 2 {
                    assert_eq!(fine.omega[fine_at], 0, "only the finest cascade grows");
                }
            }
        }
    }
    assert!(fine.variance_m2[2] > coarse.variance_m2[2]);
}

#[test]
fn more_cascades_leave_the_others_as_they_are() {
    let two = InitialSpectrum::new(&sea(12.0), 128, 2).unwrap();
    let four = InitialSpectrum::new(&sea(12.0), 128, 4).unwrap();
    assert_eq!(two.h0[..128 * 128], four.h0[..128 * 128]);
    assert_eq!(two.variance_m2[0], four.variance_m2[0]);
}

#[test]
fn no_wave_where_there_can_be_none() {
    for size in [16, 64, 128] {
        let initial = InitialSpectrum::new(&sea(12.0), size, 4).unwrap();
        let half = size as i32 / 2;
        for (cascade, band) in initial.cascades.iter().enumerate() {
            let layer = cascade * (size * size) as usize;
            for j in -half..half {
                for i in -half..half {
                    let k = band.dk_rad_per_m() * f64::from(i * i + j * j).sqrt();
                    let here = layer + at(size, i, j);
                    let carried = initial.h0[here] != [0.0; 2];
                    assert_eq!(
                        carried,
                        band.contains(k),
                        "N {size}, cascade {cascade}, ({i}, {j})"
                    );
                    assert_eq!(carried, initial.omega[here] != 0);
                    assert!(!(carried && (i == -half || j == -half || (i == 0 && j == 0))));
                }
            }
        }
    }
}

/// Waves built with one dispersion relation must not be moved by another.
#[test]
fn frequencies_follow_the_depth() {
    let sea = SeaState { depth_m: 3.0, ..sea(8.0) };
    let initial = InitialSpectrum::new(&sea, 64, 2).unwrap();
    let dispersion = DirectionalSpectrum::of(&sea).dispersion;
    for (cascade, band) in initial.cascades.iter().enumerate() {
        let k = band.dk_rad_per_m() * 100.0_f64.sqrt();
        let multiple = initial.omega[cascade * 64 * 64 + at(64, 6, -8)];
        let omega = initial.clock.omega_rad_per_s(multiple);
        assert!((omega - dispersion.omega_rad_per_s(k)).abs() < 5e-5);
        assert_eq!(multiple, initial.omega[cascade * 64 * 64 + at(64, -6, 8)], "omega(-k)");
    }
}

#[test]
fn dragging_the_wind_changes_the_sea_little() {
    let distance = |a: &InitialSpectrum, b: &InitialSpectrum| {
        let power = |values: &mut dyn Iterator<Item = f32>| values.map(|x| x * x).sum::<f32>();
        let difference =
            power(&mut a.h0.iter().zip(&b.h0).flat_map(|(a, b)| [a[0] - b[0], a[1] - b[1]]));
        (difference / power(&mut a.h0.iter().flatten().copied())).sqrt()
    };
    let at = |wind| InitialSpectrum::new(&sea(wind), 64, 2).unwrap();
    let mut jumps = 0;
    for step in 0..20 {
        let wind = 8.0 + 0.05 * f64::from(step);
        let (a, b) = (at(wind), at(wind + 0.05));
        if a.cascades == b.cascades {
            assert!(distance(&a, &b) < 0.1, "{wind} m/s: {}", distance(&a, &b));
        } else {
            jumps += 1;
        }
    }
    assert!(jumps <= 1, "{jumps} new patch sizes within 1 m/s");
    let other = InitialSpectrum::new(&SeaState { seed: 2, ..sea(8.0) }, 64, 2).unwrap();
    assert!(distance(&at(8.0), &other) > 1.0, "another seed is another sea");
}

#[test]
fn normals_are_standard_and_independent() {
    let (mut sum, mut squares, mut pair, mut neighbours, mut count) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for cascade in 0..4 {
        for j in -80..80 {
            for i in -80..80 {
                let [a, b] = normals(7, cascade, i, j);
                let [c, _] = normals(7, cascade, i + 1, j);
                assert!(a.is_finite() && b.is_finite());
                sum += a + b;
                squares += a * a + b * b;
                pair += a * b;
                neighbours += a * c;
                count += 1.0;
            }
        }
    }
    let bound = 5.0 / f64::sqrt(count);
    assert!((sum / (2.0 * count)).abs() < bound, "mean {}", sum / (2.0 * count));
    assert!((squares / (2.0 * count) - 1.0).abs() < 1.5 * bound, "variance");
    assert!((pair / count).abs() < bound, "correlation within a wave vector");
    assert!((neighbours / count).abs() < bound, "correlation between neighbours");
}

#[test]
fn extreme_seas_are_finite() {
    let mut seas = vec![SeaState::default()];
    let (mut least, mut most) = (SeaState::default(), SeaState::default());
    for field in SeaState::FIELDS {
        let ends = field.kind.values();
        for &end in &ends {
            let mut sea = SeaState::default();
            field.set(&mut sea, end).unwrap();
            seas.push(sea);
        }
        field.set(&mut least, ends[0]).unwrap();
        field.set(&mut most, ends[ends.len() - 1]).unwrap();
    }
    for tiny in [f64::MIN_POSITIVE, 1e-9, 1e-3] {
        seas.push(SeaState { peak_period_s: tiny, ..least.clone() });
        seas.push(SeaState { loop_period_s: tiny, ..most.clone() });
        seas.push(SeaState { significant_wave_height_m: tiny, ..least.clone() });
    }
    seas.extend([least, most]);
    for sea in seas {
        let initial = InitialSpectrum::new(&sea, 32, 4).unwrap();
        assert!(initial.h0.iter().flatten().all(|value| value.is_finite()), "{sea:?}");
        assert!(cpu::evolve(&initial, 1e6).iter().flatten().all(|value| value.is_finite()));
        assert!(initial.significant_wave_height_m().is_finite(), "{sea:?}");
        for cascade in 0..4 {
            for mip in 0..6 {
                for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
                    let lost = initial.slope_covariance_lost(cascade, mip, interpolation);
                    assert!(lost.iter().all(|value| value.is_finite()), "{sea:?}");
                    assert!(lost[0] >= 0.0 && lost[1] >= 0.0, "{cascade} {mip} {interpolation}");
                }
            }
        }
    }
}

#[test]
fn a_thousand_random_seas_are_finite_and_right() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    for _ in 0..1000 {
        let sea: SeaState = random(&mut rng);
        let initial = InitialSpectrum::new(&sea, 16, 4).unwrap();
        let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        assert!(initial.h0.iter().flatten().all(|value| value.is_finite()), "{sea:?}");
        let unresolved = initial.unresolved_slope_covariance();
        let [xx, zz, xz] = unresolved;
        assert!(finite(&unresolved) && xx >= 0.0 && zz >= 0.0, "{unresolved:?}: {sea:?}");
        assert!(xz * xz <= xx * zz * (1.0 + 1e-9) + 1e-18, "{unresolved:?}: {sea:?}");
        let summary = &initial.summary;
        assert!(
            finite(&[
                summary.peak_period_s,
                summary.peak_wavelength_m,
                summary.mean_zero_crossing_period_s,
                summary.mean_square_slope_along,
                summary.mean_square_slope_across,
            ]),
            "{summary:?}: {sea:?}"
        );
        // Requested heights add in variance. Finite depth may reduce the wind sea's.
        let swells = sea.swell_height_m.powi(2) + sea.swell_2_height_m.powi(2);
        let least = (swells + sea.significant_wave_height_m.powi(2)).sqrt();
        let height = summary.significant_wave_height_m;
        assert!(height.is_finite() && height > 0.97 * least, "{height} of {least} m: {sea:?}");
    }
}

/// The sum over the wave vectors of one patch has the spectrum's height, from the least side on, and its
/// shortest waves are four texels long.
#[test]
fn a_patch_carries_the_height_of_every_preset() {
    for (name, _) in Preset::SHIPPED {
        let sea = Preset::load(name).unwrap().sea;
        let least_m = crate::spectrum::least_patch_size_m(&sea);
        for side_m in [least_m, 1.37 * least_m] {
            let patch = InitialSpectrum::of_patch(&sea, 512, side_m).unwrap();
            let [band] = patch.cascades[..] else { panic!("{} cascades", patch.cascades.len()) };
            assert_eq!((band.axis, band.patch_size_m), ([1.0, 0.0], side_m));
            let longest_and_shortest = [band.first_rad_per_m, band.last_rad_per_m];
            let expected = [TAU / side_m, TAU / (4.0 * side_m / 512.0)];
            for (k, expected) in longest_and_shortest.into_iter().zip(expected) {
                assert!((k / expected - 1.0).abs() < 1e-12);
            }
            let [variance_m2, mean_square_slope] = patch.lattice_sums(0);
            // (A calm sea over a long swell needs a finer grid for its own waves.)
            let spectrum = DirectionalSpectrum::of(&sea);
            let share = (variance_m2 / spectrum.band_variance_m2(0.0, band.last_rad_per_m)).sqrt();
            assert!((share - 1.0).abs() < 0.01, "{name}, {side_m} m: {share}");
            let steep = mean_square_slope / patch.summary.mean_square_slope;
            assert!(steep > 0.0 && steep < 1.0, "{name}: {steep}");
        }
    }
    let gale = Preset::load("gale").unwrap().sea;
    let small = InitialSpectrum::of_patch(&gale, 512, 40.0).unwrap();
    let share = 4.0 * small.lattice_sums(0)[0].sqrt() / small.summary.significant_wave_height_m;
    assert!(share < 0.9, "{share}");
}

#[test]
fn impossible_input_is_an_error() {
    for side_m in [0.0, -5.0, f64::NAN, f64::INFINITY] {
        let patch = InitialSpectrum::of_patch(&SeaState::default(), 64, side_m);
        assert!(matches!(patch, Err(SpectrumError::Side { .. })), "{side_m}");
    }
    let sea = SeaState::default();
    for size in [0, 1, 8, 100, 16_384] {
        assert_eq!(InitialSpectrum::new(&sea, size, 4), Err(SpectrumError::Size { size }));
    }
    for count in [0, 5] {
        assert_eq!(
            InitialSpectrum::new(&sea, 64, count),
            Err(SpectrumError::CascadeCount { count })
        );
    }
    let windless = SeaState { wind_speed_mps: f64::NAN, ..sea };
    assert!(matches!(InitialSpectrum::new(&windless, 64, 1), Err(SpectrumError::Setting(_))));
}

#[test]
fn equal_seas_are_equal_on_every_machine() {
    // Recorded values: a change of generator, seeding or key changes every sea that there is.
    assert_eq!(normals(1, 0, 7, -3), [-0.13312531535356126, -0.5246807219867374]);
    assert_eq!(normals(u32::MAX, 3, -4096, 4095), [-0.7292591510179696, 0.5989499202390454]);
}

#[test]
fn may_be_made_on_any_thread() {
    fn sent<T: Send + Sync + 'static>() {}
    sent::<InitialSpectrum>();
}
