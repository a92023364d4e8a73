use std::f64::consts::TAU;

use super::super::cpu;
use super::*;
use crate::gpu::{Context, assert_layout, filled};
use crate::settings::SeaState;
use seaway_core::testing::context;
use seaway_core::testing::tolerance::at_most;

fn stage_with(context: &Context, initial: &InitialSpectrum) -> SpectrumStage {
    let cascades = initial.cascades.len() as u32;
    let mut stage = SpectrumStage::new(&context.device, initial.size, cascades).unwrap();
    stage.upload(&context.queue, initial, &[]).unwrap();
    stage
}

fn evolve(context: &Context, stage: &SpectrumStage, time_s: f64) -> Vec<[f32; 4]> {
    let pass = EvolvePass::new(&context.device, stage).unwrap();
    let time = stage.time_offsets(time_s);
    context.submit(|encoder| {
        pass.encode(&mut encoder.begin_compute_pass(&Default::default()), &time);
    });
    context.read(stage.fields())
}

/// The largest difference within each of the four components of each layer, relative to the largest
/// value there, so that small slopes count beside large heights.
fn relative_error(found: &[[f32; 4]], wanted: &[[f64; 4]], points: usize) -> f64 {
    assert_eq!(found.len(), wanted.len());
    let mut worst = 0.0_f64;
    for (found, wanted) in found.chunks(points).zip(wanted.chunks(points)) {
        for component in 0..4 {
            let (mut error, mut scale) = (0.0_f64, 0.0_f64);
            for (found, wanted) in found.iter().zip(wanted) {
                error = error.max((f64::from(found[component]) - wanted[component]).abs());
                scale = scale.max(wanted[component].abs());
            }
            assert!(scale > 0.0, "a field without waves tests nothing");
            worst = worst.max(error / scale);
        }
    }
    worst
}

#[test]
fn the_kernel_agrees_with_its_twin() {
    let context = context();
    for (size, cascades, loop_period_s, depth_m) in [
        (16, 1, 0.0, 1_000.0),
        (64, 3, 0.0, 1_000.0),
        (64, 3, 0.0, 8.0),
        (64, 2, 0.0, 2.0),
        (128, 4, 11.3, 1_000.0),
    ] {
        let sea =
            SeaState { loop_period_s, wind_direction_deg: 115.0, depth_m, ..Default::default() };
        let initial = InitialSpectrum::new(&sea, size, cascades).unwrap();
        let stage = stage_with(&context, &initial);
        for time_s in [0.0, 1.7, -33.3, 86_400.37, 4.0e9] {
            let found = evolve(&context, &stage, time_s);
            let wanted = cpu::evolve(&initial, time_s);
            let error = relative_error(&found, &wanted, (size * size) as usize);
            let what = format_args!("N {size}, {cascades} cascades, {depth_m} m, t={time_s}");
            at_most(error, 6e-7, what);
        }
    }
}

#[test]
fn one_submission_may_hold_several_times() {
    let context = context();
    let initial = InitialSpectrum::new(&SeaState::default(), 16, 1).unwrap();
    let stage = stage_with(&context, &initial);
    let pass = EvolvePass::new(&context.device, &stage).unwrap();
    let times = [3.0, 8.5, -2.25];
    let bytes = stage.fields().size();
    let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
    let copies = filled(&context.device, "copies", usage, &vec![0; 3 * bytes as usize]);
    context.submit(|encoder| {
        for (index, time_s) in times.into_iter().enumerate() {
            let time = stage.time_offsets(time_s);
            pass.encode(&mut encoder.begin_compute_pass(&Default::default()), &time);
            encoder.copy_buffer_to_buffer(stage.fields(), 0, &copies, bytes * index as u64, bytes);
        }
    });
    let together: Vec<[f32; 4]> = context.read(&copies);
    for (found, time_s) in together.chunks(2 * 16 * 16).zip(times) {
        assert_eq!(found, evolve(&context, &stage, time_s), "t={time_s}");
    }
}

#[test]
fn a_looped_sea_returns_exactly() {
    let context = context();
    let sea = SeaState { loop_period_s: 7.3, ..Default::default() };
    let stage = stage_with(&context, &InitialSpectrum::new(&sea, 64, 2).unwrap());
    let start = evolve(&context, &stage, 0.0);
    assert_eq!(evolve(&context, &stage, 7.3), start);
    assert_ne!(evolve(&context, &stage, 3.0), start);
}

#[test]
fn a_spectrum_of_another_shape_is_refused() {
    let context = context();
    let mut stage = SpectrumStage::new(&context.device, 64, 2).unwrap();
    let initial = InitialSpectrum::new(&SeaState::default(), 32, 2).unwrap();
    let error = stage.upload(&context.queue, &initial, &[]).unwrap_err().to_string();
    assert!(error.contains("32 x 32") && error.contains("64 x 64"), "{error}");
    assert!(SpectrumStage::new(&context.device, 60, 2).is_err());
}

/// The bound is 1.5e-7 of f64 over the whole circle.
#[test]
fn cis_turns_is_accurate_everywhere() {
    let context = context();
    let wgsl = crate::gpu::shader::LIBRARY
        .resolve_text(
            "cis test",
            "#import \"shared/cis.wgsl\"
        @group(0) @binding(0) var<storage, read> turns: array<u32>;
        @group(0) @binding(1) var<storage, read_write> results: array<vec2<f32>>;
        @compute @workgroup_size(64)
        fn evaluate(@builtin(global_invocation_id) id: vec3<u32>) {
            results[id.x] = cis_turns(turns[id.x]);
        }",
        )
        .unwrap();

    // Every 2^16th phase with the low bits stirred, and both sides of every eighth of a turn.
    let mut phases: Vec<u32> =
        (0..65_472_u32).map(|i| (i << 16) ^ i.wrapping_mul(0x9e37_79b9) >> 16).collect();
    for eighth in 0..8_u32 {
        phases.extend((0..8).map(|near| (eighth << 29).wrapping_add(near).wrapping_sub(4)));
    }
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let input = filled(&context.device, "input", usage, bytemuck::cast_slice(&phases));
    let output = filled(&context.device, "output", usage, &vec![0; 8 * phases.len()]);
    let bindings::Group { layout, bind_group } = bindings::bind(
        &context.device,
        "test",
        wgpu::ShaderStages::COMPUTE,
        &[(bindings::storage_read(), &input), (bindings::storage_read_write(), &output)],
    );
    let groups = [Some((&*layout, &bind_group))];
    context.run(&wgsl, "evaluate", &groups, [phases.len() as u32 / 64, 1]);

    let results: Vec<[f32; 2]> = context.read(&output);
    let mut worst = 0.0_f64;
    for (phase, [cos, sin]) in phases.iter().zip(results) {
        let (exact_sin, exact_cos) = (f64::from(*phase) / 4_294_967_296.0 * TAU).sin_cos();
        worst = worst.max((f64::from(cos) - exact_cos).abs());
        worst = worst.max((f64::from(sin) - exact_sin).abs());
    }
    // A bound, which a device that rounds correctly cannot pass: an eighth of a turn, pi / 4, is rounded
    // three times on its way to x, which moves cosine and sine by at most 3 * 2^-24 * pi / 4 * sqrt(1/2) =
    // 1.0e-7; the series adds its last sum's 2^-25 and less than 2e-8 from the terms before.
    assert!(worst < 1.5e-7, "{worst}");
}

#[test]
fn layouts_agree_with_the_shader() {
    assert_layout::<EvolveParams>(&shader().1);
}

#[test]
fn a_size_that_does_not_fit_names_the_limit() {
    let webgpu = Capabilities::webgpu_defaults();
    assert_eq!(check_limits(&webgpu, 1024, 4), Ok(()));
    let error = check_limits(&webgpu, 2048, 4).unwrap_err().to_string();
    assert!(error.contains("maxStorageBufferBindingSize"), "{error}");
    assert!(error.contains("536870912") && error.contains("134217728"), "{error}");
}

#[test]
fn amplitudes_change_by_shares_and_phases_stay() {
    let context = context();
    let sea = |significant_wave_height_m| {
        let sea = SeaState { significant_wave_height_m, depth_m: 12.0, ..Default::default() };
        InitialSpectrum::new(&sea, 64, 3).unwrap()
    };
    let (from, to) = (sea(1.0), sea(2.5));
    assert!(from.has_the_waves_of(&to));
    let stage = stage_with(&context, &from);
    let change = ChangePass::new(&Pipelines::new(&context.device), &stage).unwrap();
    stage.upload_change(&context.queue, &to, &[], &change).unwrap();
    let move_by = |share| {
        change.set_share(&context.queue, share);
        context.submit(|encoder| {
            change.encode(&mut encoder.begin_compute_pass(&Default::default()));
        });
        evolve(&context, &stage, 77.7)
    };
    assert_eq!(move_by(0.0), evolve(&context, &stage_with(&context, &from), 77.7));
    // A quarter, and a third of the remaining three: half of the way.
    move_by(0.25);
    let half = move_by(1.0 / 3.0);
    // The height is linear in the amplitudes; the other fields depend on the orbits, too.
    let [one, other] = [&from, &to].map(|sea| cpu::evolve(sea, 77.7));
    let points = 64 * 64;
    let mut worst = 0.0_f64;
    for layer in (0..3).map(|cascade| 2 * cascade * points..(2 * cascade + 1) * points) {
        let height = |of: &[f64; 4]| of[2].hypot(of[3]);
        let scale = other[layer.clone()].iter().map(height).fold(0.0, f64::max);
        for index in layer {
            for part in [2, 3] {
                let wanted = 0.5 * (one[index][part] + other[index][part]);
                worst = worst.max((f64::from(half[index][part]) - wanted).abs() / scale);
            }
        }
    }
    at_most(worst, 1e-6, format_args!("half of the way"));
    // At the end the amplitudes are those of the other sea, bit for bit.
    assert_eq!(move_by(1.0), evolve(&context, &stage_with(&context, &to), 77.7));
}

#[test]
fn seas_of_other_waves_are_told_apart() {
    let sea = |sea: SeaState| InitialSpectrum::new(&sea, 16, 2).unwrap();
    let from = sea(SeaState::default());
    assert!(from.has_the_waves_of(&sea(SeaState { choppiness: 0.5, ..Default::default() })));
    for other in [
        SeaState { seed: 2, ..Default::default() },
        SeaState { depth_m: 20.0, ..Default::default() },
        SeaState { loop_period_s: 30.0, ..Default::default() },
        SeaState { wind_speed_mps: 25.0, ..Default::default() },
    ] {
        assert!(!from.has_the_waves_of(&sea(other.clone())), "{other:?}");
    }
}
