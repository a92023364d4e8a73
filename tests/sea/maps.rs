//! The maps stage on a GPU, fed with known fields, against its twin in double precision.

use seaway::gpu::Context;
use seaway::maps::{CascadeSampling, MapFormat, Maps, MapsDescriptor, MapsStage, StorePass, cpu};
use seaway::spectrum::Interpolation;
use seaway_core::choice::Choice;

use crate::sampling::{Footprint, Sampled, fields_buffer, read_level, sample};
use seaway_core::testing::context;
use seaway_core::testing::tolerance::{at_most, near};

const CHOPPINESS: f64 = 1.2;
/// Horizontal over vertical displacement of the waves that are too fine to be shown.
const FLATNESS: f64 = 1.4;
const FOAM_THRESHOLD: f64 = 0.6;

/// Numbers in -1..1 that differ everywhere.
fn noise(count: usize) -> impl Iterator<Item = f32> {
    (0..count as u32).map(|i| {
        let mixed = i.wrapping_mul(2_654_435_761) ^ (i >> 7).wrapping_mul(40_503);
        (mixed >> 8) as f32 / (1 << 23) as f32 - 1.0
    })
}

/// The maps of `fields`, `[cascade][s][z][x]`, on the GPU.
fn fill(
    context: &Context,
    descriptor: &MapsDescriptor,
    sampling: &[CascadeSampling],
    fields: &[[f32; 4]],
) -> Maps {
    let mut maps = Maps::new(&context.device, descriptor).unwrap();
    maps.set_sea(&context.queue, sampling, CHOPPINESS, FOAM_THRESHOLD);
    let buffer = fields_buffer(context, fields);
    let fields = buffer.as_entire_buffer_binding();
    let store = StorePass::new(&context.device, fields, &maps).unwrap();
    let mips = MapsStage::new(&context.device, &maps).unwrap();
    context.submit(|encoder| {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        store.encode(&mut pass);
        mips.encode_mips(&mut pass);
    });
    maps
}

fn random_fields(size: u32, cascades: u32) -> Vec<[f32; 4]> {
    let values: Vec<f32> = noise((size * size * cascades * 8) as usize).collect();
    values.chunks_exact(4).map(|four| [four[0], four[1], four[2], four[3]]).collect()
}

fn descriptor(size: u32, cascades: u32, format: MapFormat, anisotropy: u32) -> MapsDescriptor {
    MapsDescriptor { size, cascades, format, anisotropy }
}

/// Share of a wave's variance that sampling a mip level shows, given the wave's phase step from
/// one texel of level 0 to the next: the prefilter, `level` averages of two texels, and the mean over
/// the places between two texels.
fn kept_share(interpolation: Interpolation, phase_per_texel: [f64; 2], level: u32) -> f64 {
    let along = |phase: f64| {
        if level == 0 {
            return interpolation.kept_power(phase);
        }
        let averages: f64 = (0..level).map(|j| (phase * f64::from(1 << j) / 2.0).cos()).product();
        let raised = averages * interpolation.prefilter(phase);
        raised * raised * (2.0 + (phase * f64::from(1 << level)).cos()) / 3.0
    };
    along(phase_per_texel[0]) * along(phase_per_texel[1])
}

/// Two cascades of some waves each, with the covariance that each mip level loses of them.
struct Waves {
    sea: cpu::Sea,
    sampling: Vec<CascadeSampling>,
    fields: Vec<[f32; 4]>,
}

fn waves(size: u32) -> Waves {
    waves_sampled(size, Interpolation::Linear, false)
}

/// Returns plane waves in two cascades. The second cascade is turned, unless sampling is plain.
fn waves_sampled(size: u32, interpolation: Interpolation, blended: bool) -> Waves {
    // Patch size; waves as whole periods along x and z, slope amplitude, phase.
    type Wave = (f64, f64, f64, f64);
    let patches: [(f64, &[Wave]); 2] = [
        (97.0, &[(7.0, 2.0, 0.11, 0.3), (-5.0, 9.0, 0.08, 2.0), (13.0, -11.0, 0.06, 4.0)]),
        (11.3, &[(6.0, 1.0, 0.10, 1.1), (12.0, -17.0, 0.09, 5.0), (0.0, 25.0, 0.05, 3.3)]),
    ];
    let mut all = Waves {
        sea: cpu::Sea {
            cascades: Vec::new(),
            choppiness: CHOPPINESS,
            foam_threshold: FOAM_THRESHOLD,
        },
        sampling: Vec::new(),
        fields: Vec::new(),
    };
    let tau = std::f64::consts::TAU;
    let plain = interpolation == Interpolation::Linear && !blended;
    let turn_rad: f64 = if plain { 0.0 } else { 0.6 };
    for ((patch_size_m, waves), rotation_rad) in patches.into_iter().zip([0.0, turn_rad]) {
        let (sin, cos) = rotation_rad.sin_cos();
        let world = |[u, v]: [f64; 2]| [cos * u - sin * v, sin * u + cos * v];
        let texel_m = patch_size_m / f64::from(size);
        let lattice: Vec<[f64; 2]> =
            waves.iter().map(|wave| [wave.0, wave.1].map(|n| n * tau / patch_size_m)).collect();
        let vectors: Vec<[f64; 2]> = lattice.iter().map(|k| world(*k)).collect();
        let raised = |k: [f64; 2]| -> f64 {
            k.iter().map(|k| interpolation.prefilter(k * texel_m)).product()
        };
        let level_0: Vec<cpu::Fields> = (0..size * size)
            .map(|index| {
                let at = world([index % size, index / size].map(|i| f64::from(i) * texel_m));
                let mut sum = [0.0; 8];
                for ((k, along), wave) in vectors.iter().zip(&lattice).zip(waves) {
                    let amplitude_m = raised(*along) * wave.2 / k[0].hypot(k[1]);
                    let fields = cpu::plane_wave(*k, amplitude_m, wave.3, at);
                    sum.iter_mut().zip(fields).for_each(|(sum, field)| *sum += field);
                }
                sum
            })
            .collect();
        let lost = |level| {
            let mut covariance = [0.0; 4];
            for ((k, along), wave) in vectors.iter().zip(&lattice).zip(waves) {
                let length = k[0].hypot(k[1]);
                let variance = 0.5 * wave.2 * wave.2;
                let kept = kept_share(interpolation, along.map(|k| k * texel_m), level);
                let lost = variance * (1.0 - kept);
                let [x, z] = k.map(|k| k / length);
                covariance[0] += x * x * lost;
                covariance[1] += z * z * lost;
                covariance[2] += x * z * lost;
                // The divergence's variance, which differs from the slopes' in shallow water.
                covariance[3] += FLATNESS * FLATNESS * lost;
            }
            covariance
        };
        // The last level, one texel, is the mean of whole waves: it loses everything.
        let table: Vec<[f64; 4]> = (0..=size.ilog2()).map(lost).collect();
        let shortest_k = vectors.iter().map(|k| k[0].hypot(k[1])).fold(f64::INFINITY, f64::min);
        let sampling = CascadeSampling {
            rotation_rad,
            interpolation,
            blended,
            lost_covariance: table,
            ..CascadeSampling::plain(patch_size_m, tau / shortest_k)
        };
        for s in 0..2 {
            all.fields.extend(
                level_0
                    .iter()
                    .map(|fields| std::array::from_fn::<f32, 4, _>(|i| fields[4 * s + i] as f32)),
            );
        }
        all.sampling.push(sampling.clone());
        all.sea.cascades.push(cpu::Cascade::new(sampling, size, level_0));
    }
    all
}

#[test]
fn level_0_holds_the_fields_in_their_layers() {
    let context = context();
    let (size, cascades) = (32, 3);
    let fields = random_fields(size, cascades);
    let maps = fill(&context, &descriptor(size, cascades, MapFormat::F32, 1), &[], &fields);
    let image = (size * size) as usize;
    for cascade in 0..cascades {
        for s in 0..2 {
            let from = (2 * cascade + s) as usize * image;
            let layer = s * cascades + cascade;
            assert_eq!(read_level(&context, &maps, layer, 0), fields[from..from + image]);
        }
    }
}

/// Two to three dispatches, and sizes whose last dispatch makes some levels again.
#[test]
fn mips_are_the_twins_at_every_size() {
    let context = context();
    for size in [16, 32, 64, 128, 256, 512, 1024, 2048] {
        // The largest has one cascade only, to keep it quick.
        let cascades = if size < 1024 { 2 } else { 1 };
        let fields = random_fields(size, cascades);
        let image = (size * size) as usize;
        let twins: Vec<cpu::Cascade> = fields
            .chunks_exact(2 * image)
            .map(|both| {
                let (displacement, derivatives) = both.split_at(image);
                let texel = |(a, b): (&[f32; 4], &[f32; 4])| {
                    let both = [*a, *b];
                    std::array::from_fn(|i| f64::from(both.as_flattened()[i]))
                };
                let level_0 = displacement.iter().zip(derivatives).map(texel).collect();
                cpu::Cascade::new(any_sampling(), size, level_0)
            })
            .collect();
        for &format in MapFormat::ALL {
            let descriptor = descriptor(size, cascades, format, 1);
            let maps = fill(&context, &descriptor, &[], &fields);
            // Below 1 neighbouring 16-bit floats are up to 2^-11 apart. Each texel of level 0 is off
            // by that at most, so their mean is; and it is stored in the level read here. Besides, a
            // sampler may round, and so does the level that a dispatch starts from.
            let tolerance = if format == MapFormat::F16 { 1.2e-3 } else { 1e-6 };
            let mut worst: f64 = 0.0;
            for level in 0..descriptor.levels() {
                for layer in 0..2 * cascades {
                    let (s, cascade) = (layer / cascades, layer % cascades);
                    let texels = read_level(&context, &maps, layer, level);
                    let expected = twins[cascade as usize].level(level as usize);
                    assert_eq!(texels.len(), expected.len());
                    for (got, expected) in texels.iter().zip(expected) {
                        let expected = &expected[4 * s as usize..][..4];
                        for (got, expected) in got.iter().zip(expected) {
                            let what =
                                format_args!("size {size} {format} layer {layer} level {level}");
                            let error = (f64::from(*got) - expected).abs();
                            worst = worst.max(error);
                            match format {
                                MapFormat::F16 => at_most(error, tolerance, what),
                                MapFormat::F32 => at_most(error, tolerance, what),
                            }
                        }
                    }
                }
            }
            println!("size {size} {format}: {worst:.1e} of {tolerance:.1e}");
        }
    }
}

/// For maps of which only the texels are looked at.
fn any_sampling() -> CascadeSampling {
    CascadeSampling::plain(1.0, 0.1)
}

#[test]
fn extremes_never_become_infinite() {
    let context = context();
    let mut fields = random_fields(16, 1);
    fields[0] = [1e6, -1e6, f32::INFINITY, 1e30];
    let maps = fill(&context, &descriptor(16, 1, MapFormat::F16, 1), &[], &fields);
    for level in 0..5 {
        for texel in read_level(&context, &maps, 0, level) {
            assert!(texel.iter().all(|value| value.is_finite()), "level {level}: {texel:?}");
        }
    }
}

#[test]
fn sampling_agrees_with_the_twin() {
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        for blended in [false, true] {
            sampling_agrees(&waves_sampled(64, interpolation, blended));
        }
    }
}

fn sampling_agrees(waves: &Waves) {
    let context = context();
    let maps =
        fill(&context, &descriptor(64, 2, MapFormat::F32, 1), &waves.sampling, &waves.fields);
    let mut footprints = Vec::new();
    for (index, pair) in noise(400).collect::<Vec<_>>().chunks_exact(2).enumerate() {
        let side_m = 0.02 * 1.6_f32.powi(index as i32 % 18);
        footprints.push(Footprint::square([70.0 * pair[0], 70.0 * pair[1]], side_m));
    }
    for (footprint, got) in footprints.iter().zip(sample(&context, &maps, &footprints)) {
        let position_m = footprint.position_m.map(f64::from);
        let side_m = f64::from(footprint.spacing_m);
        let surface = waves.sea.surface(position_m, side_m);
        let close = |what: &str, got: f32, expected: f64, tolerance: f64| {
            near(got, expected, tolerance, format_args!("{what} of {footprint:?}"));
        };
        // Samplers may blend with 8-bit weights.
        let displacement = waves.sea.displacement(position_m, side_m);
        for (got, expected) in got.displacement.iter().zip(displacement) {
            close("displacement", *got, expected, 0.01);
        }
        close("hx", got.slope[0], surface.slope[0], 4e-3);
        close("hz", got.slope[1], surface.slope[1], 4e-3);
        close("dxx", got.dxx, surface.dxx, 4e-3);
        close("dzz", got.dzz, surface.dzz, 4e-3);
        close("dxz", got.dxz, surface.dxz, 4e-3);
        close("J", got.jacobian, surface.jacobian(), 8e-3);
        for (got, expected) in got.normal.iter().zip(surface.normal()) {
            close("normal", *got, expected, 1e-2);
        }
        for (got, expected) in got.lost.iter().zip(surface.lost) {
            close("lost", *got, expected, 1e-5);
        }
        close("lost divergence", got.lost_divergence, surface.lost_divergence, 2e-5);
        let surface = cpu::Surface {
            slope: got.slope.map(f64::from),
            dxx: got.dxx.into(),
            dzz: got.dzz.into(),
            dxz: got.dxz.into(),
            lost: got.lost.map(f64::from),
            lost_divergence: got.lost_divergence.into(),
        };
        close("foam", got.foam, waves.sea.foam(&surface), 1e-3);
    }
}

/// Mean over a grid of points of (xx, zz, xz) of the slopes shown, and of those lost.
fn covariances(sampled: &[Sampled]) -> ([f64; 3], [f64; 3]) {
    let mut shown = [0.0; 3];
    let mut lost = [0.0; 3];
    for point in sampled {
        let [x, z] = point.slope.map(f64::from);
        for (sum, value) in shown.iter_mut().zip([x * x, z * z, x * z]) {
            *sum += value / sampled.len() as f64;
        }
        for (sum, value) in lost.iter_mut().zip(point.lost) {
            *sum += f64::from(value) / sampled.len() as f64;
        }
    }
    (shown, lost)
}

#[test]
fn shown_and_lost_slopes_add_up_at_any_distance() {
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        for blended in [false, true] {
            shown_and_lost_make_the_whole(&waves_sampled(64, interpolation, blended));
        }
    }
}

fn shown_and_lost_make_the_whole(waves: &Waves) {
    let context = context();
    let maps =
        fill(&context, &descriptor(64, 2, MapFormat::F32, 1), &waves.sampling, &waves.fields);
    let total: [f64; 3] = std::array::from_fn(|i| {
        waves.sampling.iter().map(|cascade| cascade.lost_covariance.last().unwrap()[i]).sum()
    });
    for step in 0..14 {
        let side_m = 0.01 * 2.0_f32.powf(step as f32);
        let footprints: Vec<Footprint> = noise(40_000)
            .collect::<Vec<_>>()
            .chunks_exact(2)
            .map(|pair| Footprint::square([970.0 * pair[0], 970.0 * pair[1]], side_m))
            .collect();
        let (shown, lost) = covariances(&sample(&context, &maps, &footprints));
        for i in 0..2 {
            let sum = shown[i] + lost[i];
            // Between two levels the lost share is interpolated: a few percent; more between level
            // 0 of splines, which keeps nearly everything, and the next.
            let tolerance = match waves.sampling[0].interpolation {
                Interpolation::Linear => 0.08,
                Interpolation::Cubic => 0.15,
            };
            let what = format_args!("{side_m} m: {shown:?} + {lost:?} of {total:?}");
            near(sum / total[i], 1.0, tolerance, what);
        }
        if step == 13 {
            assert_eq!(shown, [0.0; 3]);
        }
    }
}

/// A long thin footprint keeps the waves that run across it and loses those along it.
#[test]
fn anisotropic_footprints_lose_the_waves_along_them() {
    let context = context();
    let waves = waves(64);
    let maps =
        fill(&context, &descriptor(64, 2, MapFormat::F32, 8), &waves.sampling, &waves.fields);
    let total: [f64; 3] = std::array::from_fn(|i| {
        waves.sampling.iter().map(|cascade| cascade.lost_covariance.last().unwrap()[i]).sum()
    });
    // Samplers differ, hence twice what was measured; more so where the footprint is longer than
    // the samples along it reach. What the longer side alone would lose makes the third sum 1.34,
    // the shorter side alone the fourth 0.51.
    for (width_m, length_m, tolerance) in
        [(0.05, 0.4, 0.21), (0.2, 0.8, 0.21), (0.4, 3.2, 0.21), (0.5, 20.0, 0.36)]
    {
        let footprints: Vec<Footprint> = noise(40_000)
            .collect::<Vec<_>>()
            .chunks_exact(2)
            .map(|pair| Footprint {
                position_m: [970.0 * pair[0], 970.0 * pair[1]],
                ddx_m: [width_m, 0.0],
                ddy_m: [0.0, length_m],
                spacing_m: 1.0,
                _padding: 0.0,
            })
            .collect();
        let sampled = sample(&context, &maps, &footprints);
        let divergence = f64::from(sampled[0].lost_divergence);
        let (shown, lost) = covariances(&sampled);
        let what = format_args!("lost divergence of {width_m} x {length_m}, over the slopes'");
        near(divergence / (lost[0] + lost[1]), FLATNESS * FLATNESS, 1e-3, what);
        for i in 0..2 {
            let sum = shown[i] + lost[i];
            near(sum / total[i], 1.0, tolerance, format_args!("{width_m} x {length_m}, {i}"));
        }
        assert!(lost[0] >= 0.0 && lost[1] >= 0.0);
        assert!(lost[0] * lost[1] >= lost[2] * lost[2] * (1.0 - 1e-6), "positive definite");
    }
}

/// The same water is found wherever the origin is, with positions relative to it.
#[test]
fn the_origin_moves_positions_and_not_the_sea() {
    let context = context();
    let waves = waves(64);
    let mut maps =
        fill(&context, &descriptor(64, 2, MapFormat::F32, 1), &waves.sampling, &waves.fields);
    let points = [[3.0, 4.0], [-20.0, 7.5], [0.0, -33.0]];
    let here = points.map(|point| Footprint::square(point, 0.05));
    let before = sample(&context, &maps, &here);
    // 97 and 11.3 both divide it: the far sea is the near one.
    let far = 97.0 * 113.0 * 1e4;
    maps.set_origin(&context.queue, [far - 5.0, -far + 2.0]);
    let moved = points.map(|[x, z]| Footprint::square([x + 5.0, z - 2.0], 0.05));
    for (before, after) in before.iter().zip(sample(&context, &maps, &moved)) {
        for (a, b) in before.displacement.iter().zip(after.displacement) {
            near(b, *a, 5e-3, format_args!("{before:?} {after:?}"));
        }
    }
}
