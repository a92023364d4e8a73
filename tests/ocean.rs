//! The whole simulation on a GPU, from sea state to maps: against double precision, single waves
//! with known answers, and what oceanography expects.

mod support;

use std::f64::consts::TAU;

use seaway::choice::Choice;
use seaway::fft::{self, Algorithm, Axes, Direction};
use seaway::gpu::{Context, read_buffer};
use seaway::maps::{MapFormat, cpu};
use seaway::settings::SeaState;
use seaway::spectrum::{self, Dispersion, InitialSpectrum};
use seaway::{Ocean, OceanOptions, OceanPath};
use support::tolerance::{at_least, at_most, near};
use support::{Footprint, Sampled, context, read_level, sample, webgpu_context};

fn options(size: u32, cascades: u32) -> OceanOptions {
    OceanOptions { size, cascades, map_format: MapFormat::F32, ..Default::default() }
}

/// Runs the ocean to `time_s`.
fn advance(context: &Context, ocean: &Ocean, time_s: f64) {
    let mut encoder = context.device.create_command_encoder(&Default::default());
    ocean.encode(&context.queue, &mut encoder, time_s);
    context.queue.submit([encoder.finish()]);
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

/// The same, `[cascade][z][x]`, in double precision on the processor.
fn reference(initial: &InitialSpectrum, time_s: f64) -> Vec<Vec<[f64; 8]>> {
    let points = (initial.size * initial.size) as usize;
    let packed = spectrum::cpu::evolve(initial, time_s);
    let transform = |layer: usize, pair: usize| {
        let mut image: Vec<[f64; 2]> = packed[layer * points..][..points]
            .iter()
            .map(|texel| [texel[2 * pair], texel[2 * pair + 1]])
            .collect();
        fft::cpu::transform(&mut image, [initial.size; 2], Axes::Both, Direction::Inverse).unwrap();
        image
    };
    (0..initial.cascades.len())
        .map(|cascade| {
            let images =
                [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(s, pair)| transform(2 * cascade + s, pair));
            (0..points)
                .map(|at| std::array::from_fn(|field| images[field / 2][at][field % 2]))
                .collect()
        })
        .collect()
}

#[test]
fn maps_agree_with_double_precision_under_every_algorithm() {
    let context = context();
    let sea = SeaState::default();
    for &algorithm in Algorithm::ALL {
        let options = OceanOptions { algorithm, ..options(64, 3) };
        let ocean = ocean(&context, &sea, options);
        let time_s = 86_400.0 + 12.3;
        advance(&context, &ocean, time_s);
        for (cascade, expected) in reference(ocean.spectrum(), time_s).iter().enumerate() {
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
    let line = |lines, radix| fft::LineTuning {
        lines_per_workgroup: Some(lines),
        radix: Some(radix),
        ..Default::default()
    };
    let tuning = |tiles, layers_in_turn, row, column| fft::Tuning {
        tiles: Some(tiles),
        layers_in_turn: Some(layers_in_turn),
        row,
        column,
        ..Default::default()
    };
    let plain = tuning(false, false, line(1, 8), line(4, 8));
    let mut cases: Vec<_> =
        Algorithm::ALL.iter().map(|algorithm| (*algorithm, fft::Tuning::default())).collect();
    cases.extend([
        (Algorithm::StockhamR8, plain),
        (Algorithm::StockhamR8, tuning(false, true, line(2, 8), line(2, 16))),
        (Algorithm::StockhamR16, tuning(true, true, line(2, 8), line(4, 8))),
        (Algorithm::StockhamR16, tuning(true, false, line(1, 32), line(8, 4))),
    ]);
    let (sea, time_s) = (SeaState::default(), 4321.5);
    for map_format in [MapFormat::F32, MapFormat::F16] {
        let options = OceanOptions { map_format, ..options(64, 3) };
        let plain = ocean(&context, &sea, options);
        advance(&context, &plain, time_s);
        for &(algorithm, tuning) in &cases {
            let path = OceanPath::Fused;
            let fused = ocean(&context, &sea, OceanOptions { algorithm, tuning, path, ..options });
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
                        // As above: two share an image, and its roundings.
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
                                "{algorithm} {tuning:?}, layer {layer}, level {level}, component \
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

/// Each of the eight fields of one wave, at two times: value, sign and direction of travel.
#[test]
fn a_single_wave_has_its_eight_fields_and_travels_towards_k() {
    let context = context();
    let size = 64;
    let sea = SeaState { capillary: false, ..Default::default() };
    let mut initial = InitialSpectrum::new(&sea, size, 2).unwrap();
    let mut ocean = ocean(&context, &sea, options(size, 2));
    let dispersion = Dispersion::of(&sea);
    for (cascade, kx, kz) in
        [(0, 7, 0), (0, 0, 9), (1, 8, 6), (1, -5, 11), (0, -10, -3), (1, 9, -9)]
    {
        let patch_size_m = initial.cascades[cascade].patch_size_m;
        let k = [kx, kz].map(|index| f64::from(index) * TAU / patch_size_m);
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
                let position_m =
                    [index as u32 % size, index as u32 / size].map(|i| f64::from(i) * texel_m);
                let expected = cpu::plane_wave(k, amplitude_m, omega * time_s - phase, position_m);
                let steepness = k[0].hypot(k[1]).max(1.0) * amplitude_m;
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
    let [coarse, fine] =
        [&coarse, &fine].map(|ocean| sample(&context, ocean.maps(), &scattered(0.01)));
    // Interpolation tells them apart: at 128 points a wave at the peak has six or so.
    let heights = |sampled: &[Sampled]| -> Vec<f64> {
        sampled.iter().map(|s| f64::from(s.displacement[1])).collect()
    };
    let (coarse, fine) = (heights(&coarse), heights(&fine));
    let difference = mean(coarse.iter().zip(&fine).map(|(a, b)| (a - b).powi(2))).sqrt();
    let height = mean(fine.iter().map(|height| height.powi(2))).sqrt();
    // Twice what was measured; two seas that have nothing in common differ by 1.4 heights.
    at_most(difference, 0.25 * height, format_args!("difference of heights of {height} m"));
}

/// From near to far, the slopes shown and those lost make the same sum, and so does the foam.
#[test]
fn distance_keeps_roughness_and_foam() {
    let context = context();
    let options = OceanOptions { anisotropy: 1, ..options(128, 4) };
    let sea = SeaState { choppiness: 1.2, foam_threshold: 0.6, ..Default::default() };
    let ocean = ocean(&context, &sea, options);
    advance(&context, &ocean, 10.0);
    let total: f64 = (0..4)
        .map(|cascade| ocean.spectrum().slope_covariance(cascade))
        .map(|[xx, zz, _]| xx + zz)
        .sum();
    let mut covers = Vec::new();
    for side_m in [0.001, 0.03, 0.1, 0.4, 1.5, 6.0, 25.0, 100.0, 1000.0] {
        let sampled = sample(&context, ocean.maps(), &scattered(side_m));
        let shown =
            mean(sampled.iter().map(|s| f64::from(s.slope[0].powi(2) + s.slope[1].powi(2))));
        let lost = f64::from(sampled[0].lost[0] + sampled[0].lost[1]);
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

/// The bytes of the fields at two times, encoded in one submission.
#[test]
fn one_submission_can_hold_several_times() {
    let context = context();
    let ocean = ocean(&context, &SeaState::default(), options(32, 2));
    let size = ocean.fields().unwrap().size();
    let kept = context.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    let mut encoder = context.device.create_command_encoder(&Default::default());
    ocean.encode(&context.queue, &mut encoder, 1.0);
    encoder.copy_buffer_to_buffer(ocean.fields().unwrap(), 0, &kept, 0, size);
    ocean.encode(&context.queue, &mut encoder, 2.0);
    context.queue.submit([encoder.finish()]);
    let read =
        |buffer| pollster::block_on(read_buffer(&context.device, &context.queue, buffer)).unwrap();
    let (first, second) = (read(&kept), read(ocean.fields().unwrap()));
    assert_ne!(first, second);
    for (time_s, together) in [(1.0, first), (2.0, second)] {
        advance(&context, &ocean, time_s);
        assert!(read(ocean.fields().unwrap()) == together, "{time_s} s alone is bit-identical");
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
}

#[test]
fn webgpus_default_limits_are_enough_and_have_an_end() {
    let context = webgpu_context();
    let sea = SeaState::default();
    for &algorithm in Algorithm::ALL {
        let options = OceanOptions { algorithm, size: 256, ..Default::default() };
        let ocean = ocean(&context, &sea, options);
        advance(&context, &ocean, 1.0);
        let level = read_level(&context, ocean.maps(), 0, 0);
        assert!(level.iter().any(|texel| texel[2] != 0.0));
        assert!(level.iter().flatten().all(|value| value.is_finite()));
    }
    let options = OceanOptions { size: 2048, ..Default::default() };
    let error = Ocean::new(&context.device, &context.queue, &sea, options).unwrap_err().to_string();
    assert!(error.contains("maxStorageBufferBindingSize"), "{error}");
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
