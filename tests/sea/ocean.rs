//! The whole simulation on a GPU, from sea state to maps: against double precision, single waves
//! with known answers, and what oceanography expects.

use std::f64::consts::TAU;

use seaway::fft::lab::{Algorithm, Configuration, Value};
use seaway::gpu::{Context, LimitsPreset, TextureSpec};
use seaway::maps::{MapFormat, cpu};
use seaway::ocean::check::{Reference, check};
use seaway::settings::{SeaState, SpectrumModel};
use seaway::spectrum::{Dispersion, InitialSpectrum, Orbits};
use seaway::{Ocean, OceanOptions, OceanPath};

use crate::sampling::{Footprint, Sampled, read_level, sample};
use seaway_core::testing::tolerance::{at_least, at_most, near};
use seaway_core::testing::{context, context_within};

fn options(size: u32, cascades: u32) -> OceanOptions {
    // On the plain path the fields are there to be read, in all their accuracy, as long as they are
    // the surface itself.
    OceanOptions {
        size,
        cascades,
        path: OceanPath::Plain,
        map_format: MapFormat::F32,
        cubic_cascades: 0,
        blended_cascades: 0,
        ..Default::default()
    }
}

/// Runs the ocean to `time_s`.
fn advance(context: &Context, ocean: &Ocean, time_s: f64) {
    context.submit(|encoder| ocean.encode(encoder, time_s));
}

fn ocean(context: &Context, sea: &SeaState, options: OceanOptions) -> Ocean {
    Ocean::new(&context.device, &context.queue, sea, options).unwrap()
}

/// The eight fields of one cascade, `[z][x]`, from level 0 of the maps.
fn fields(context: &Context, ocean: &Ocean, cascade: u32) -> Vec<[f32; 8]> {
    let derivatives = read_level(context, ocean.maps(), ocean.options().cascades + cascade, 0);
    read_level(context, ocean.maps(), cascade, 0)
        .into_iter()
        .zip(derivatives)
        .map(|([a, b, c, d], [e, f, g, h])| [a, b, c, d, e, f, g, h])
        .collect()
}

#[test]
fn maps_agree_with_double_precision_under_every_algorithm() {
    let context = context();
    let sea = SeaState::default();
    for algorithm in Algorithm::of_powers_of_two() {
        let options = OceanOptions { algorithm: Some(algorithm.into()), ..options(64, 3) };
        let ocean = ocean(&context, &sea, options);
        let time_s = 86_400.0 + 12.3;
        advance(&context, &ocean, time_s);
        for (cascade, expected) in
            seaway::ocean::cpu::fields(ocean.spectrum(), time_s).iter().enumerate()
        {
            let got = fields(&context, &ocean, cascade as u32);
            for field in 0..8 {
                // Two fields share a complex image, whose roundings follow the larger of them.
                let image = 2 * (field / 2);
                let sizes = expected.iter().map(|f| f[image].hypot(f[image + 1]));
                let largest = sizes.fold(0.0, f64::max);
                for (got, expected) in got.iter().zip(expected) {
                    let what = format_args!("{algorithm}, cascade {cascade}, field {field}");
                    near(got[field], expected[field], 1e-6 * largest, what);
                }
            }
        }
    }
}

/// The fused path against the plain one, in maps of 32-bit floats and in those that the demo has.
#[test]
fn fused_the_maps_are_the_same() {
    let context = context();
    let tiled = |tiles, in_turn, [row, row_radix]: [u32; 2], [column, column_radix]: [u32; 2]| {
        let mut configuration = Configuration::from(Algorithm::StockhamR32);
        for (name, value) in [
            ("tiles", Value::Flag(tiles)),
            ("layers-in-turn", Value::Flag(in_turn)),
            ("row-lines", Value::Integer(row)),
            ("row-radix", Value::Integer(row_radix)),
            ("column-lines", Value::Integer(column)),
            ("column-radix", Value::Integer(column_radix)),
        ] {
            configuration.set(name, Some(value)).unwrap();
        }
        configuration
    };
    let mut from_texture = tiled(true, false, [1, 32], [8, 4]);
    from_texture.set("twiddles", Some(Value::Choice("texture"))).unwrap();
    let mut cases: Vec<_> = Algorithm::of_powers_of_two().map(Configuration::from).collect();
    cases.extend([
        tiled(false, false, [1, 8], [4, 8]),
        tiled(false, true, [2, 8], [2, 16]),
        tiled(true, true, [2, 8], [4, 8]),
        from_texture,
    ]);
    let (sea, time_s) = (SeaState::default(), 4321.5);
    for map_format in [MapFormat::F32, MapFormat::F16] {
        let options = OceanOptions { map_format, ..options(64, 3) };
        let plain = OceanOptions { path: OceanPath::Plain, ..options };
        let plain = ocean(&context, &sea, plain);
        advance(&context, &plain, time_s);
        for &configuration in &cases {
            let path = OceanPath::Fused;
            let algorithm = Some(configuration);
            let fused = ocean(&context, &sea, OceanOptions { algorithm, path, ..options });
            assert!(fused.fields().is_none());
            // The second time counts: what the first left must not matter.
            advance(&context, &fused, 1.0);
            advance(&context, &fused, time_s);
            for layer in 0..6 {
                // The mips average waves away: their errors are those of level 0.
                let level_0 = read_level(&context, plain.maps(), layer, 0);
                for level in [0, 3] {
                    let expected = read_level(&context, plain.maps(), layer, level);
                    let got = read_level(&context, fused.maps(), layer, level);
                    for component in 0..4 {
                        // Two share an image, and its roundings, as above.
                        let image = 2 * (component / 2);
                        let sizes = level_0.iter().map(|t| t[image].hypot(t[image + 1]));
                        let largest = sizes.fold(0.0, f32::max);
                        assert!(largest > 0.0);
                        // Numbers that hardly differ may round to neighbouring 16-bit floats, in
                        // level 0 and again in a level that is made of it.
                        let rounding = match map_format {
                            MapFormat::F16 => 2.0 * largest.log2().floor().exp2() / 1024.0,
                            MapFormat::F32 => 0.0,
                        };
                        for (got, expected) in got.iter().zip(&expected) {
                            let what = format_args!(
                                "{configuration:?}, layer {layer}, level {level}, component \
                                 {component}"
                            );
                            let (got, expected) = (got[component], expected[component]);
                            let error = (got - expected).abs();
                            // Each of the two is within 1e-6 of the exact value (above).
                            at_most((error - rounding).max(0.0), 2e-6 * largest, what);
                        }
                    }
                }
            }
        }
    }
}

/// Spectrum, transform and maps in two dispatches.
/// 16-bit floats between the passes round once more, and lose nothing of a calm sea, whose numbers are
/// small, nor of a storm, whose are large.
#[test]
fn halves_between_the_passes_keep_every_sea() {
    let context = context();
    let mut configuration = Configuration::from(Algorithm::StockhamR8);
    for parameter in ["tiles", "half-intermediates"] {
        configuration.set(parameter, Some(Value::Flag(true))).unwrap();
    }
    for wind_speed_mps in [0.7, 9.0, 40.0] {
        let sea = SeaState { wind_speed_mps, ..SeaState::default() };
        let errors = [Some(configuration), Some(Algorithm::StockhamR8.into())].map(|algorithm| {
            let options = OceanOptions {
                algorithm,
                path: OceanPath::Fused,
                map_format: MapFormat::F16,
                ..options(256, 4)
            };
            let ocean = ocean(&context, &sea, options);
            let reference = Reference::new(ocean.spectrum(), 12.3);
            let accuracy = check(&context.device, &context.queue, &ocean, &reference);
            pollster::block_on(accuracy).unwrap().fields.relative_l2
        });
        let [halves, whole] = errors;
        // A rounding of 11 bits, towards zero on some devices, is 5.6e-4 in the mean square.
        let another = 5.6e-4 * 5.6e-4;
        let most = (whole * whole + another).sqrt();
        at_most(halves, 1.1 * most, format_args!("error at {wind_speed_mps} m/s"));
        assert!(halves != whole, "they are not kept in halves");
    }
}

#[test]
fn fused_the_step_takes_two_dispatches() {
    let context = context();
    let options = OceanOptions { path: OceanPath::Fused, ..options(64, 4) };
    assert_eq!(ocean(&context, &SeaState::default(), options).fft_dispatch_count(), 2);
}

#[test]
fn the_default_algorithm_takes_two_dispatches() {
    let context = context();
    let ocean = ocean(&context, &SeaState::default(), OceanOptions::default());
    assert_eq!(ocean.fft_dispatch_count(), 2);
}

/// Each of the eight fields of one wave, at two times: value, sign and direction of travel; in deep
/// water, and where the orbits are flat.
#[test]
fn a_wave_has_eight_fields_and_travels_towards_k() {
    let context = context();
    let size = 64;
    let sea = SeaState { capillary: false, ..Default::default() };
    let mut initial = InitialSpectrum::new(&sea, size, 2).unwrap();
    let mut ocean = ocean(&context, &sea, options(size, 2));
    let dispersion = Dispersion::of(&sea);
    // The relative depth k d, and coth(k d) of tables.
    let (deep, bay, swell) = ((60.0, 1.0), (1.44, 1.118_947), (0.32, 3.230_946));
    for (cascade, kx, kz, (relative_depth, flat)) in [
        (0, 7, 0, deep),
        (0, 0, 9, bay),
        (1, 8, 6, swell),
        (1, -5, 11, deep),
        (0, -10, -3, swell),
        (1, 9, -9, bay),
    ] {
        let patch_size_m = initial.cascades[cascade].patch_size_m;
        let k = initial.cascades[cascade].wave_vector([kx, kz]);
        initial.orbits =
            Orbits { depth_m: relative_depth / k[0].hypot(k[1]), breaking_rad_per_m: 1e4 };
        let multiple = initial.clock.multiple(dispersion.omega_rad_per_s(k[0].hypot(k[1])));
        let omega = initial.clock.omega_rad_per_s(multiple);
        // h = 2 Re(h0 e^(i (k x - omega t))) = 2 |h0| cos(k x - omega t + arg h0)
        let (amplitude_m, phase) = (0.3, 0.7_f64);
        let at = |x: i32, z: i32| {
            let [x, z] = [x, z].map(|index| index.rem_euclid(size as i32) as usize);
            (cascade * size as usize + z) * size as usize + x
        };
        initial.h0.fill([0.0; 2]);
        initial.omega.fill(0);
        let half = 0.5 * amplitude_m;
        initial.h0[at(kx, kz)] = [half * phase.cos(), half * phase.sin()].map(|h0| h0 as f32);
        initial.omega[at(kx, kz)] = multiple;
        initial.omega[at(-kx, -kz)] = multiple;
        ocean.set_spectrum(&context.queue, &initial).unwrap();

        // Not at a tick of the clock exactly: 2e-5 s of rounding.
        for time_s in [0.0, 1.7] {
            advance(&context, &ocean, time_s);
            let texel_m = patch_size_m / f64::from(size);
            for (index, got) in fields(&context, &ocean, cascade as u32).iter().enumerate() {
                let position_m = initial.cascades[cascade].world_from_lattice(
                    [index as u32 % size, index as u32 / size].map(|i| f64::from(i) * texel_m),
                );
                let mut expected =
                    cpu::plane_wave(k, amplitude_m, omega * time_s - phase, position_m);
                // Dx, Dz, dDx/dz, dDx/dx, dDz/dz.
                for field in [0, 1, 5, 6, 7] {
                    expected[field] *= flat;
                }
                let steepness = k[0].hypot(k[1]).max(1.0) * amplitude_m * flat;
                for field in 0..8 {
                    let what = format_args!(
                        "field {field} of wave ({kx}, {kz}) at {time_s} s and {position_m:?}"
                    );
                    near(got[field], expected[field], 2e-4 * steepness, what);
                }
            }
        }
    }
}

#[test]
fn wave_height_is_what_the_spectrum_predicts() {
    let context = context();
    let seeds = 8;
    let mut ocean = ocean(&context, &SeaState::default(), options(128, 3));
    let mut variance_m2 = [0.0; 3];
    for seed in 0..seeds {
        let sea = SeaState { seed, ..Default::default() };
        let initial = Ocean::prepare(&sea, ocean.options()).unwrap();
        ocean.set_spectrum(&context.queue, &initial).unwrap();
        advance(&context, &ocean, 100.0);
        for (cascade, sum) in variance_m2.iter_mut().enumerate() {
            let fields = fields(&context, &ocean, cascade as u32);
            let squares: f64 = fields.iter().map(|field| f64::from(field[2]).powi(2)).sum();
            *sum += squares / fields.len() as f64 / f64::from(seeds);
        }
    }
    let initial = ocean.spectrum();
    for (cascade, (got, expected)) in variance_m2.iter().zip(&initial.variance_m2).enumerate() {
        near(got / expected, 1.0, 0.12, format_args!("variance of cascade {cascade}"));
    }
    let measured_m = 4.0 * variance_m2.iter().sum::<f64>().sqrt();
    let predicted_m = initial.significant_wave_height_m();
    near(measured_m, predicted_m, 0.05 * predicted_m, "Hs");
}

/// Footprints of side `side_m` at places that no patch length divides.
fn scattered(side_m: f32) -> Vec<Footprint> {
    (0..30_000)
        .map(|i| {
            // Roberts 2018: the additive recurrence on the plastic number fills a square evenly.
            let at = [0.754_877_67, 0.569_840_3].map(|step: f64| (f64::from(i) * step).fract());
            Footprint::square(at.map(|at| (3000.0 * (at - 0.5)) as f32), side_m)
        })
        .collect()
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// With the horizontal displacement's sign right, crests are compressed and troughs stretched.
#[test]
fn crests_are_compressed() {
    let context = context();
    let sea = SeaState { choppiness: 1.0, ..Default::default() };
    let ocean = ocean(&context, &sea, options(128, 3));
    advance(&context, &ocean, 10.0);
    let sampled = sample(&context, ocean.maps(), &scattered(0.01));
    let covariance =
        mean(sampled.iter().map(|s| f64::from(s.displacement[1]) * f64::from(s.jacobian - 1.0)));
    let height = mean(sampled.iter().map(|s| f64::from(s.displacement[1]).powi(2))).sqrt();
    let jacobian = mean(sampled.iter().map(|s| f64::from(s.jacobian - 1.0).powi(2))).sqrt();
    let correlation = covariance / (height * jacobian);
    at_least(-correlation, 0.1, "how much crests are compressed");
}

/// A finer grid refines the same sea: what both resolve is the same, cascade by cascade.
#[test]
fn the_sea_does_not_depend_on_the_size() {
    let context = context();
    let sea = SeaState::default();
    let [coarse, fine] = [128, 256].map(|size| {
        let ocean = ocean(&context, &sea, options(size, 3));
        advance(&context, &ocean, 33.0);
        ocean
    });
    // The finest band grows with the grid; the others hold the same waves.
    for cascade in 0..2 {
        let [coarse, fine] = [&coarse, &fine].map(|ocean| fields(&context, ocean, cascade));
        for (index, coarse) in coarse.iter().enumerate() {
            let (x, z) = (index % 128, index / 128);
            let fine = fine[2 * z * 256 + 2 * x];
            for (a, b) in coarse.iter().zip(fine) {
                let what = format_args!("cascade {cascade} at {x}, {z}: {coarse:?} {fine:?}");
                near(b, *a, 1e-4, what);
            }
        }
    }
}

/// The heights between the texels are the same, in the root mean square, except for the shortest waves
/// that interpolation loses at the smallest size. Two seas that have nothing in common differ by 1.4
/// heights.
#[test]
fn the_drawn_sea_does_not_depend_on_the_size() {
    let context = context();
    let sea = SeaState::default();
    let [coarse, medium, fine] = [128, 256, 512].map(|size| {
        let options = OceanOptions { cubic_cascades: 4, blended_cascades: 2, ..options(size, 4) };
        let ocean = ocean(&context, &sea, options);
        advance(&context, &ocean, 33.0);
        let sampled = sample(&context, ocean.maps(), &scattered(0.01));
        sampled.iter().map(|s| f64::from(s.displacement[1])).collect::<Vec<_>>()
    });
    let height = mean(fine.iter().map(|height| height.powi(2))).sqrt();
    for (heights, allowed, size) in [(medium, 0.005, 256), (coarse, 0.03, 128)] {
        let difference = mean(heights.iter().zip(&fine).map(|(a, b)| (a - b).powi(2))).sqrt();
        at_most(difference / height, allowed, format_args!("{size} points beside 512"));
    }
}

/// The fields at the start, after ten seconds and after a day, as double precision has them.
#[test]
fn a_day_later_the_fields_are_still_right() {
    let context = context();
    let ocean = ocean(&context, &SeaState::default(), options(128, 4));
    for time_s in [0.0, 10.0, 86_400.0] {
        advance(&context, &ocean, time_s);
        for (cascade, exact) in
            seaway::ocean::cpu::fields(ocean.spectrum(), time_s).iter().enumerate()
        {
            let got = fields(&context, &ocean, cascade as u32);
            for field in 0..8 {
                let error =
                    got.iter().zip(exact).map(|(a, b)| (f64::from(a[field]) - b[field]).powi(2));
                let whole = exact.iter().map(|exact| exact[field].powi(2));
                let (error, whole): (f64, f64) = (error.sum(), whole.sum());
                let what = format_args!("field {field} of cascade {cascade} at {time_s} s");
                at_most((error / whole).sqrt(), 1e-4, what);
            }
        }
    }
}

const TRANSECTS: usize = 64;
const TRANSECT_POINTS: usize = 4_096;
const TRANSECT_STEP_M: f64 = 5.0;

/// Heights along lines of 20 km, each towards the unit vector that comes with it.
fn transects(context: &Context, ocean: &Ocean) -> Vec<([f64; 2], Vec<f64>)> {
    let lines = (0..TRANSECTS).map(|line| {
        let [x, z] = [0.754_877_67, 0.569_840_3].map(|step: f64| (line as f64 * step).fract());
        let (sin, cos) = (TAU * 0.618_034 * line as f64).sin_cos();
        let footprints: Vec<Footprint> = (0..TRANSECT_POINTS)
            .map(|point| {
                let along = TRANSECT_STEP_M * (point as f64 - 0.5 * TRANSECT_POINTS as f64);
                let at = [9e3 * (x - 0.5) + cos * along, 9e3 * (z - 0.5) + sin * along];
                Footprint::square(at.map(|at| at as f32), 0.01)
            })
            .collect();
        let sampled = sample(context, ocean.maps(), &footprints);
        ([cos, sin], sampled.iter().map(|s| f64::from(s.displacement[1])).collect())
    });
    lines.collect()
}

/// Over twenty kilometres the drawn heights have the correlation of their spectrum: near by that of
/// the waves, and none from the patch's length on, where a patch that repeats has all of it.
#[test]
fn the_sea_does_not_repeat() {
    let context = context();
    let sea = SeaState::default();
    for blended in [false, true] {
        let options = OceanOptions {
            cubic_cascades: 1,
            blended_cascades: u32::from(blended),
            ..options(256, 1)
        };
        let ocean = ocean(&context, &sea, options);
        advance(&context, &ocean, 0.0);
        let lines = transects(&context, &ocean);
        let initial = ocean.spectrum();
        // |h(k)|^2 at the start, of one of each two opposite wave vectors.
        let size = initial.size as i32;
        let at = |i: i32, j: i32| (j.rem_euclid(size) * size + i.rem_euclid(size)) as usize;
        let mut waves = Vec::new();
        for j in 0..size / 2 {
            for i in 1 - size / 2..size / 2 {
                let [a, b] = [initial.h0[at(i, j)], initial.h0[at(-i, -j)]];
                let power = f64::from((a[0] + b[0]).powi(2) + (a[1] - b[1]).powi(2));
                if power > 0.0 && (j > 0 || i > 0) {
                    waves.push((initial.cascades[0].wave_vector([i, j]), 2.0 * power));
                }
            }
        }
        let variance_m2: f64 = waves.iter().map(|(_, power)| power).sum();
        let count = (TRANSECTS * TRANSECT_POINTS) as f64;
        let measured = lines.iter().flat_map(|(_, line)| line).map(|h| h * h).sum::<f64>() / count;
        let correlation = |lag: usize| {
            let products = lines
                .iter()
                .map(|(_, line)| line.iter().zip(&line[lag..]).map(|(a, b)| a * b).sum::<f64>());
            products.sum::<f64>() / (TRANSECTS * (TRANSECT_POINTS - lag)) as f64 / measured
        };
        let theory = |lag_m: f64| {
            let of_line = |[x, z]: [f64; 2]| {
                let of_wave =
                    |(k, power): &([f64; 2], f64)| power * ((k[0] * x + k[1] * z) * lag_m).cos();
                waves.iter().map(of_wave).sum::<f64>() / variance_m2
            };
            lines.iter().map(|(towards, _)| of_line(*towards)).sum::<f64>() / TRANSECTS as f64
        };
        let patch_m = initial.cascades[0].patch_size_m;
        let lags_of = |metres: f64| (metres / TRANSECT_STEP_M) as usize;
        if !blended {
            // The measure sees a patch that repeats along its axis.
            let along = Footprint::square([patch_m as f32, 0.0], 0.01);
            let [here, there] = [Footprint::square([0.0; 2], 0.01), along]
                .map(|at| sample(&context, ocean.maps(), &[at])[0]);
            near(there.displacement[1], f64::from(here.displacement[1]), 1e-3, "a patch further");
            continue;
        }
        // Bilinear interpolation at 128 points takes some of it.
        near(measured / variance_m2, 1.0, 0.02, "variance");
        let wavelength_m = initial.summary.peak_wavelength_m;
        for lag in (1..lags_of(3.0 * wavelength_m)).step_by(2) {
            let what = format_args!("correlation at {} m", TRANSECT_STEP_M * lag as f64);
            near(correlation(lag), theory(TRANSECT_STEP_M * lag as f64), 0.1, what);
        }
        for lag in (lags_of(patch_m)..lags_of(3.0 * patch_m)).step_by(3) {
            let what = format_args!("correlation at {} m", TRANSECT_STEP_M * lag as f64);
            near(correlation(lag), 0.0, 0.1, what);
        }
    }
}

/// Slopes are those of the surface that is drawn, though the weights of blended patches are taken for
/// constant: differences of its heights say so.
#[test]
fn slopes_of_blended_patches_are_those_of_the_heights() {
    let context = context();
    let options = OceanOptions { blended_cascades: 2, cubic_cascades: 2, ..options(256, 1) };
    let ocean = ocean(&context, &SeaState::default(), options);
    advance(&context, &ocean, 5.0);
    let step_m = 0.05_f32;
    let points: Vec<[f32; 2]> =
        scattered(0.01).iter().map(|at| at.position_m).take(3_000).collect();
    let heights = |offset: [f32; 2]| -> Vec<f64> {
        let moved: Vec<_> = points
            .iter()
            .map(|[x, z]| Footprint::square([x + offset[0], z + offset[1]], 0.01))
            .collect();
        sample(&context, ocean.maps(), &moved)
            .iter()
            .map(|s| f64::from(s.displacement[1]))
            .collect()
    };
    let here: Vec<_> = points.iter().map(|at| Footprint::square(*at, 0.01)).collect();
    let slopes = sample(&context, ocean.maps(), &here);
    for axis in 0..2 {
        let offset =
            |sign: f32| std::array::from_fn(|i| if i == axis { sign * step_m } else { 0.0 });
        let (after, before) = (heights(offset(1.0)), heights(offset(-1.0)));
        let differences = after.iter().zip(&before).map(|(a, b)| (a - b) / f64::from(2.0 * step_m));
        let slope = |s: &Sampled| f64::from(s.slope[axis]);
        let error = mean(
            differences
                .zip(&slopes)
                .map(|(d, s)| (d - slope(s)).powi(2))
                .collect::<Vec<_>>()
                .into_iter(),
        );
        let whole = mean(slopes.iter().map(|s| slope(s).powi(2)));
        at_most((error / whole).sqrt(), 0.1, format_args!("slopes along axis {axis}"));
    }
}

/// From near to far, the slopes shown and those lost make the same sum, and so does the foam: in deep
/// water, and in a bay whose swell compresses the water more than it is steep.
#[test]
fn distance_keeps_roughness_and_foam() {
    let deep = SeaState { choppiness: 1.2, wind_speed_mps: 14.0, foam: 1.5, ..Default::default() };
    let bay = SeaState {
        wind_speed_mps: 8.0,
        fetch_m: 30_000.0,
        depth_m: 3.5,
        spectrum: SpectrumModel::Tma,
        swell_height_m: 1.4,
        swell_period_s: 12.0,
        foam: 4.0,
        ..deep.clone()
    };
    for (sea, least) in [(deep, 1.0), (bay, 1.15)] {
        distance_keeps_them(&sea, least);
    }
}

/// Checks a sea whose divergence has at least `least` times the variance of the slopes.
fn distance_keeps_them(sea: &SeaState, least: f64) {
    let context = context();
    let options = OceanOptions { anisotropy: 1, ..options(128, 4) };
    let ocean = ocean(&context, sea, options);
    advance(&context, &ocean, 10.0);
    let total: f64 = (0..4)
        .map(|cascade| ocean.spectrum().slope_covariance(cascade))
        .map(|[xx, zz, _]| xx + zz)
        .sum();
    let compressed: f64 = (0..4).map(|cascade| ocean.spectrum().divergence_variance(cascade)).sum();
    println!("{} m: divergence {compressed:.4}, slopes {total:.4}", sea.depth_m);
    assert!(compressed > 0.999 * least * total, "{compressed} and {total}");
    // Slopes too fine to be shown are of the displaced surface; at rest they are by so much flatter.
    let displaced = ocean.spectrum().displaced_over_rest;
    let mut covers = Vec::new();
    for side_m in [0.001, 0.03, 0.1, 0.4, 1.5, 6.0, 25.0, 100.0, 1000.0] {
        let sampled = sample(&context, ocean.maps(), &scattered(side_m));
        let shown =
            mean(sampled.iter().map(|s| f64::from(s.slope[0].powi(2) + s.slope[1].powi(2))));
        let lost = f64::from(sampled[0].lost[0] + sampled[0].lost[1]) / displaced;
        // The divergence is dDx/dx + dDz/dz, before choppiness.
        let divergence = mean(
            sampled.iter().map(|s| f64::from((s.dxx + s.dzz) / sea.choppiness as f32).powi(2)),
        ) + f64::from(sampled[0].lost_divergence);
        let what = format_args!("divergence at {side_m} m: {divergence} of {compressed}");
        near(divergence / compressed, 1.0, 0.12, what);
        let foam = mean(sampled.iter().map(|s| f64::from(s.foam)));
        let what = format_args!("at {side_m} m: {shown} shown, {lost} lost of {total}");
        near((shown + lost) / total, 1.0, 0.1, what);
        if side_m == 1000.0 {
            assert_eq!(shown, 0.0);
        }
        covers.push(foam);
    }
    let (least, most) =
        covers.iter().fold((f64::MAX, 0.0_f64), |(l, m), foam| (l.min(*foam), m.max(*foam)));
    assert!(least > 0.0, "foam covers {covers:?}");
    near(most / least, 1.0, 0.45, format_args!("foam covers {covers:?}: the most over the least"));
}

#[test]
fn sixteen_bit_maps_are_the_same_sea() {
    let context = context();
    let sea = SeaState::default();
    let [exact, rounded] = [MapFormat::F32, MapFormat::F16].map(|map_format| {
        let ocean = ocean(&context, &sea, OceanOptions { map_format, ..options(64, 4) });
        advance(&context, &ocean, 5.0);
        sample(&context, ocean.maps(), &scattered(0.2))
    });
    for (exact, rounded) in exact.iter().zip(rounded) {
        for (a, b) in exact.displacement.iter().zip(rounded.displacement) {
            near(b, *a, 4e-3, format_args!("displacement of {exact:?} {rounded:?}"));
        }
        near(rounded.jacobian, exact.jacobian, 4e-3, format_args!("J of {exact:?} {rounded:?}"));
        for (a, b) in exact.normal.iter().zip(rounded.normal) {
            near(b, *a, 4e-3, format_args!("normal of {exact:?} {rounded:?}"));
        }
    }
}

/// Level 0 of all maps, as bytes that can be compared.
fn maps_bytes(context: &Context, ocean: &Ocean) -> Vec<u8> {
    let layers = 0..2 * ocean.options().cascades;
    layers
        .flat_map(|layer| {
            bytemuck::cast_slice(&read_level(context, ocean.maps(), layer, 0)).to_vec()
        })
        .collect()
}

/// Copies of level 0 of the maps, made between steps that one submission holds.
struct Copies {
    texture: wgpu::Texture,
    steps: u32,
}

impl Copies {
    fn new(context: &Context, ocean: &Ocean, steps: u32) -> Self {
        let maps = ocean.maps().texture();
        let texture = TextureSpec::new(
            "copies",
            [maps.width(), maps.height()],
            maps.format(),
            wgpu::TextureUsages::COPY_DST | wgpu::TextureUsages::COPY_SRC,
        )
        .layers(maps.depth_or_array_layers() * steps)
        .create(&context.device);
        Self { texture, steps }
    }

    fn layers(&self) -> u32 {
        self.texture.depth_or_array_layers() / self.steps
    }

    fn encode(&self, encoder: &mut wgpu::CommandEncoder, ocean: &Ocean, step: u32) {
        let layers = self.layers();
        let to = wgpu::TexelCopyTextureInfo {
            origin: wgpu::Origin3d { x: 0, y: 0, z: step * layers },
            ..self.texture.as_image_copy()
        };
        let extent =
            wgpu::Extent3d { depth_or_array_layers: layers, ..ocean.maps().texture().size() };
        encoder.copy_texture_to_texture(ocean.maps().texture().as_image_copy(), to, extent);
    }

    /// The bytes of `step`, as [`maps_bytes`] gives them.
    fn bytes(&self, context: &Context, step: u32) -> Vec<u8> {
        let layers = step * self.layers()..(step + 1) * self.layers();
        layers.flat_map(|layer| context.read_texels::<u8>(&self.texture, 0, layer)).collect()
    }
}

/// More times than any ring of parameters would hold, by both paths, twice over.
#[test]
fn one_submission_can_hold_any_number_of_times() {
    let context = context();
    for path in [OceanPath::Plain, OceanPath::Fused] {
        let ocean = ocean(&context, &SeaState::default(), OceanOptions { path, ..options(16, 1) });
        let steps = 100;
        let copies = Copies::new(&context, &ocean, steps);
        // Times whose bytes all differ.
        let time_s = |submission: u32, step: u32| {
            f64::from(submission) * 50_000.0 + f64::from(step) * 317.123
        };
        for submission in 0..2 {
            let mut encoder = context.device.create_command_encoder(&Default::default());
            for step in 0..steps {
                ocean.encode(&mut encoder, time_s(submission, step));
                copies.encode(&mut encoder, &ocean, step);
            }
            context.queue.submit([encoder.finish()]);
            let mut before = Vec::new();
            for step in [0, 1, 2, 35, 36, 63, 64, 65, 98, 99] {
                let together = copies.bytes(&context, step);
                assert_ne!(together, before, "{path}, step {step} differs from the one before");
                advance(&context, &ocean, time_s(submission, step));
                assert!(
                    together == maps_bytes(&context, &ocean),
                    "{path}, submission {submission}, step {step}: alone it is bit-identical"
                );
                before = together;
            }
        }
    }
}

/// Recorded at once and submitted in turn.
#[test]
fn threads_can_record_the_same_ocean() {
    let context = context();
    let options = OceanOptions { path: OceanPath::Fused, ..options(16, 2) };
    let ocean = ocean(&context, &SeaState::default(), options);
    let (threads, steps) = (4, 40);
    let copies = Copies::new(&context, &ocean, threads * steps);
    let time_s = |step: u32| f64::from(step) * 11.7;
    let commands: Vec<_> = std::thread::scope(|scope| {
        let record = |thread| {
            let (context, ocean, copies) = (&context, &ocean, &copies);
            scope.spawn(move || {
                let mut encoder = context.device.create_command_encoder(&Default::default());
                for step in thread * steps..(thread + 1) * steps {
                    ocean.encode(&mut encoder, time_s(step));
                    copies.encode(&mut encoder, ocean, step);
                }
                encoder.finish()
            })
        };
        let threads: Vec<_> = (0..threads).map(record).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    context.queue.submit(commands);
    for step in (0..threads * steps).step_by(13) {
        let together = copies.bytes(&context, step);
        advance(&context, &ocean, time_s(step));
        assert!(together == maps_bytes(&context, &ocean), "step {step}");
    }
}

#[test]
fn a_new_sea_replaces_the_old_one() {
    let context = context();
    let options = options(32, 2);
    let calm = SeaState { wind_speed_mps: 3.0, ..Default::default() };
    let rough = SeaState { wind_speed_mps: 14.0, seed: 9, ..Default::default() };
    let mut changed = ocean(&context, &calm, options);
    advance(&context, &changed, 4.0);
    let spectrum = Ocean::prepare(&rough, &options).unwrap();
    changed.set_spectrum(&context.queue, &spectrum).unwrap();
    advance(&context, &changed, 4.0);
    let built = ocean(&context, &rough, options);
    advance(&context, &built, 4.0);
    assert_eq!(fields(&context, &changed, 1), fields(&context, &built, 1));
    let [changed_at, built_at] =
        [&changed, &built].map(|ocean| sample(&context, ocean.maps(), &scattered(0.3)));
    assert_eq!(
        bytemuck::cast_slice::<_, u8>(&changed_at),
        bytemuck::cast_slice::<_, u8>(&built_at)
    );

    let other = Ocean::prepare(&rough, &OceanOptions { size: 64, ..options }).unwrap();
    let error = changed.set_spectrum(&context.queue, &other).unwrap_err().to_string();
    assert!(error.contains("64 x 64") && error.contains("32 x 32"), "{error}");
    // Its fields are everybody's to change.
    let mut too_long = spectrum;
    too_long.h0.push([0.0; 2]);
    let error = changed.set_spectrum(&context.queue, &too_long).unwrap_err().to_string();
    assert!(error.contains("values of h0"), "{error}");
}

#[test]
fn impossible_options_are_refused_with_a_reason() {
    let context = context();
    for (options, reason) in [
        (options(100, 4), "power of two"),
        (options(8, 4), "16 to 8192"),
        (options(64, 0), "1 to 4"),
        (options(64, 5), "1 to 4"),
        (OceanOptions { anisotropy: 0, ..options(64, 1) }, "1 to 16"),
    ] {
        let error = Ocean::new(&context.device, &context.queue, &SeaState::default(), options)
            .unwrap_err()
            .to_string();
        assert!(error.contains(reason), "{error}");
    }
    let nan = SeaState { wind_speed_mps: f64::NAN, ..Default::default() };
    assert!(Ocean::new(&context.device, &context.queue, &nan, options(64, 1)).is_err());
}

/// Tests whose results are the same on any adapter. The checks on a second one leave them out
/// (.config/nextest.toml).
mod once {
    use super::*;

    #[test]
    fn webgpus_default_limits_are_enough_and_have_an_end() {
        let context = context_within(LimitsPreset::WebGpu);
        let sea = SeaState::default();
        for algorithm in Algorithm::of_powers_of_two() {
            let options =
                OceanOptions { algorithm: Some(algorithm.into()), size: 256, ..Default::default() };
            let ocean = ocean(&context, &sea, options);
            advance(&context, &ocean, 1.0);
            let level = read_level(&context, ocean.maps(), 0, 0);
            assert!(level.iter().any(|texel| texel[2] != 0.0));
            assert!(level.iter().flatten().all(|value| value.is_finite()));
        }
        let options = OceanOptions { size: 2048, ..Default::default() };
        let error =
            Ocean::new(&context.device, &context.queue, &sea, options).unwrap_err().to_string();
        assert!(error.contains("maxStorageBufferBindingSize"), "{error}");
    }
}
