//! The cost of a step of the ocean, stage by stage.
//!
//! Two regimes answer two questions:
//!
//! - *Hot*: the same commands repeated in one pass, as [`fft::lab::timing`](crate::fft::lab::timing)
//!   measures transforms; each stage is repeated on its own, and the whole step as a whole. The caches
//!   stay warm, and nothing else runs. Compare kernels by this figure.
//! - *Frame*: one step a submission, as it runs between the passes of a program that draws. Before it
//!   goes a copy of more bytes than caches hold, after it a clear of the size of a picture. The step
//!   reads from memory at first, and the GPU comes from other work. Plan frames by this figure.
//!
//! In a frame, three kinds of submission take turns, so that a clock that drifts is the same for all: the
//! whole step in one pass, the step up to the maps in one pass, and the step with times for each stage. Those
//! are timestamps within the pass where they are reliable. Some drivers write them on reaching the command,
//! before earlier work is done. So both ways are tried at the start, and unless they agree each stage gets
//! its own pass; where even those do not add up to the whole, the stages have no times ([`StageTimer`]).
//!
//! A software adapter is timed by the processor's clock around completed submissions: lavapipe's
//! timestamps miss most of the work even of whole passes.
//!
//! No step is timed without a check: [`measure`] compares the maps with double precision first ([`check`]).
//!
//! ```no_run
//! use seaway::fft::lab::timing::Method;
//! use seaway::ocean::check::{OceanGate, Reference};
//! use seaway::ocean::timing::{OceanRegime, StepTimes, measure};
//!
//! # async fn f(
//! #     device: &wgpu::Device, queue: &wgpu::Queue, ocean: &seaway::Ocean,
//! # ) -> Result<(), seaway::ocean::timing::StepError> {
//! let reference = Reference::new(ocean.spectrum(), 20.0);
//! let (regime, method) = (OceanRegime::Frame, Method::default());
//! let StepTimes { parts, stage_timer, accuracy } =
//!     measure(device, queue, ocean, &reference, regime, &method).await?;
//! for (part, times) in parts {
//!     println!("{}: {} us ({stage_timer})", part.name(), times.median_us());
//! }
//! assert!(OceanGate::of(ocean.options().map_format).passes(&accuracy));
//! # Ok(())
//! # }
//! ```

use super::check::{self, OceanAccuracy, OceanGate, Reference};
use super::{Ocean, OceanStage};
use crate::choice::{Choice as _, choices};
use crate::fft::lab::timing::{self, Clock, Measurement, Method, Passes, Regime, Timer, Turn};
use crate::gpu::{ReadbackError, median};

choices! {
    /// The surroundings of a step while it is timed.
    pub enum OceanRegime {
        /// The step itself, repeated in one pass.
        Hot = "hot",
        /// Other work, as in a frame.
        Frame = "frame",
    }
}

choices! {
    /// The methods of distinguishing the stages of a step.
    pub enum StageTimer {
        /// Each stage was repeated in its own pass.
        Repeated = "repeated",
        /// Timestamps within the step's pass delimit each stage.
        WithinPass = "within_pass",
        /// Each stage had its own pass, because timestamps within a pass are missing or unreliable.
        PassEach = "pass_each",
        /// Each stage was its own submission, timed by the processor's clock.
        SubmissionEach = "submission_each",
        /// The stages have no times, because they did not add up to the whole.
        Unknown = "unknown",
    }
}

/// A part of a step with its own time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// One stage of the step.
    Stage(OceanStage),
    /// All stages except the mips, in one pass: the cost of a transform with its spectrum and maps.
    ToMaps,
    /// All stages, in one pass.
    Whole,
}

impl Part {
    /// The part's name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stage(stage) => stage.name(),
            Self::ToMaps => "to_maps",
            Self::Whole => "whole",
        }
    }

    fn has(self, stage: OceanStage) -> bool {
        match self {
            Self::Stage(this) => this == stage,
            Self::ToMaps => stage != OceanStage::Mips,
            Self::Whole => true,
        }
    }
}

/// The times of a step.
#[derive(Clone, Debug)]
pub struct StepTimes {
    /// The stages in order, unless their timer is unknown, followed by [`Part::ToMaps`] and [`Part::Whole`].
    pub parts: Vec<(Part, Measurement)>,
    /// The method that distinguished the stages.
    pub stage_timer: StageTimer,
    /// The errors of the maps.
    pub accuracy: OceanAccuracy,
}

/// The reasons why a step has no times.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// The check found wrong maps.
    #[error("the maps are wrong: {0}")]
    Wrong(String),
    /// Only the GPU's own clock can time a step between other work.
    #[error(
        "a step within a frame can only be timed with GPU timestamps, which this adapter lacks"
    )]
    NoTimestamps,
    /// A workgroup waited in vain for another.
    #[error(transparent)]
    Wait(#[from] crate::fft::WaitError),
    /// The device does not answer.
    #[error(transparent)]
    Readback(#[from] ReadbackError),
}

/// Checks the maps of `ocean` against `reference`, made of the same spectrum, and times its step.
///
/// # Errors
/// [`StepError`]; a step whose maps are wrong is not timed.
pub async fn measure(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    ocean: &Ocean,
    reference: &Reference,
    regime: OceanRegime,
    method: &Method,
) -> Result<StepTimes, StepError> {
    let accuracy = check::check(device, queue, ocean, reference).await?;
    let gate = OceanGate::of(ocean.options().map_format);
    if !gate.passes(&accuracy) {
        return Err(StepError::Wrong(gate.describe(&accuracy)));
    }
    let (parts, stage_timer) = match regime {
        OceanRegime::Hot => {
            (measure_hot(device, queue, ocean, method).await?, StageTimer::Repeated)
        }
        OceanRegime::Frame => measure_in_frame(device, queue, ocean, method).await?,
    };
    ocean.check_waits(queue).await?;
    Ok(StepTimes { parts, stage_timer, accuracy })
}

impl Ocean {
    fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        self.stages(0.0, |stage, _| parts.push(Part::Stage(stage)));
        parts.extend([Part::ToMaps, Part::Whole]);
        parts
    }

    fn encode_part(&self, pass: &mut wgpu::ComputePass<'_>, part: Part, time_s: f64) {
        self.stages(time_s, |stage, encode| {
            if part.has(stage) {
                encode(pass);
            }
        });
    }
}

fn time_s(frame: u32) -> f64 {
    f64::from(frame) / 60.0
}

async fn measure_hot(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    ocean: &Ocean,
    method: &Method,
) -> Result<Vec<(Part, Measurement)>, StepError> {
    let mut times = Vec::new();
    for part in ocean.parts() {
        let encode = |pass: &mut wgpu::ComputePass<'_>, repetition| {
            ocean.encode_part(pass, part, time_s(repetition));
        };
        let measurement = timing::measure_by(Timer::of(device), device, queue, method, encode);
        times.push((part, measurement.await?));
    }
    Ok(times)
}

async fn measure_in_frame(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    ocean: &Ocean,
    method: &Method,
) -> Result<(Vec<(Part, Measurement)>, StageTimer), StepError> {
    let timer = Timer::of(device);
    // A submission takes longer than a step on a GPU.
    if timer == Timer::Wall && device.adapter_info().device_type != wgpu::DeviceType::Cpu {
        return Err(StepError::NoTimestamps);
    }
    // Warms up, and estimates the time of a step.
    let once = Method { samples: 1, ..*method };
    let once = timing::measure_by(timer, device, queue, &once, |pass, repetition| {
        ocean.encode_part(pass, Part::Whole, time_s(repetition));
    });
    let once_us = once.await?.median_us();
    let frames = Frames::new(timer, device, queue, ocean);
    let stage_timer = frames.stage_timer().await?;

    let parts = ocean.parts();
    let rounds = method.samples_within_budget(3.0 * once_us);
    let mut samples_us = vec![Vec::with_capacity(rounds as usize); parts.len()];
    let mut done = 0;
    while done < rounds {
        let now = (rounds - done).min(Frames::MAX_ROUNDS);
        for round in frames.run(now, stage_timer).await? {
            for (samples, us) in samples_us.iter_mut().zip(round) {
                samples.push(us);
            }
        }
        done += now;
    }
    let measurement = |mut samples_us: Vec<f64>| {
        samples_us.sort_by(f64::total_cmp);
        Measurement { samples_us, repetitions: 1, timer }
    };
    let measurements = samples_us.into_iter().map(measurement);
    let mut times: Vec<_> = parts.into_iter().zip(measurements).collect();
    let stages = times.len() - 2;
    let medians_us: Vec<f64> = times.iter().map(|(_, times)| times.median_us()).collect();
    // By the processor's clock each stage is right by itself, plus the cost of a submission.
    if timer == Timer::Wall || adds_up(&medians_us[..stages], medians_us[stages + 1]) {
        Ok((times, stage_timer))
    } else {
        times.drain(..stages);
        Ok((times, StageTimer::Unknown))
    }
}

struct Frames<'a> {
    device: &'a wgpu::Device,
    queue: &'a wgpu::Queue,
    ocean: &'a Ocean,
    /// The stages, then the step up to the maps and the whole.
    parts: Vec<Part>,
    filler: [wgpu::Buffer; 2],
    picture: wgpu::Buffer,
    clock: Clock,
}

impl<'a> Frames<'a> {
    /// Rounds between read-backs, limited by the 4096 queries of a set.
    const MAX_ROUNDS: u32 = 32;
    /// The number of rounds that judge timestamps within a pass.
    const TRIAL_ROUNDS: u32 = 7;
    /// A picture of 1920 x 1080 pixels of 4 bytes.
    const PICTURE_BYTES: u64 = 1920 * 1080 * 4;

    fn new(
        timer: Timer,
        device: &'a wgpu::Device,
        queue: &'a wgpu::Queue,
        ocean: &'a Ocean,
    ) -> Self {
        let parts = ocean.parts();
        // One half is read and the other written. A processor that plays GPU copies slowly, and its
        // caches are smaller.
        let filler_bytes = match device.adapter_info().device_type {
            wgpu::DeviceType::Cpu => 64 << 20,
            _ => Regime::STREAMING_BYTES,
        };
        let buffer = |label, size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage: usage | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            })
        };
        let copied = wgpu::BufferUsages::COPY_DST;
        let half = (filler_bytes / 2).min(device.limits().max_buffer_size);
        Self {
            device,
            queue,
            ocean,
            filler: ["ocean::timing::filler"; 2].map(|label| buffer(label, half, copied)),
            picture: buffer("ocean::timing::picture", Self::PICTURE_BYTES, copied),
            clock: Clock::by(timer, device, queue, parts.len() as u32 * Self::MAX_ROUNDS),
            parts,
        }
    }

    /// Finds how stages can be distinguished on this device.
    async fn stage_timer(&self) -> Result<StageTimer, StepError> {
        if self.clock.timer() == Timer::Wall {
            return Ok(StageTimer::SubmissionEach);
        }
        // The first frames may compile.
        self.run(1, StageTimer::PassEach).await?;
        let each = self.medians_us(StageTimer::PassEach).await?;
        if !self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES) {
            return Ok(StageTimer::PassEach);
        }
        let within = self.medians_us(StageTimer::WithinPass).await?;
        Ok(if agree(&within, &each) { StageTimer::WithinPass } else { StageTimer::PassEach })
    }

    async fn medians_us(&self, stage_timer: StageTimer) -> Result<Vec<f64>, StepError> {
        let rounds = self.run(Self::TRIAL_ROUNDS, stage_timer).await?;
        let stages = 0..self.parts.len() - 2;
        let median =
            |stage: usize| median(&mut rounds.iter().map(|round| round[stage]).collect::<Vec<_>>());
        Ok(stages.filter_map(median).collect())
    }

    async fn run(&self, rounds: u32, stage_timer: StageTimer) -> Result<Vec<Vec<f64>>, StepError> {
        let mut times = Vec::new();
        let Some(mut passes) = self.clock.passes() else {
            for round in 0..rounds {
                times.push(self.round_by_wall(round).await?);
            }
            return Ok(times);
        };
        for round in 0..rounds {
            self.round(&mut passes, round, stage_timer);
        }
        let times = passes.times_us().await?;
        Ok(times.chunks_exact(self.parts.len()).map(<[_]>::to_vec).collect())
    }

    /// Submits three frames: with times for each stage, then with one for the step up to the maps,
    /// then with one for the whole.
    fn round(&self, passes: &mut Passes<'_>, round: u32, stage_timer: StageTimer) {
        self.frame(round, |encoder| {
            if stage_timer == StageTimer::WithinPass {
                let mut pass = encoder.begin_compute_pass(&Default::default());
                self.ocean.stages(time_s(round), |_, encode| passes.part(&mut pass, encode));
            } else {
                self.ocean.stages(time_s(round), |_, encode| encode(&mut passes.pass(encoder)));
            }
        });
        for part in [Part::ToMaps, Part::Whole] {
            self.frame(round, |encoder| {
                self.ocean.encode_part(&mut passes.pass(encoder), part, time_s(round));
            });
        }
    }

    /// Times a round as [`Frames::round`] does by the processor's clock: each part in its own
    /// submission, after the other work is done.
    async fn round_by_wall(&self, round: u32) -> Result<Vec<f64>, StepError> {
        let mut times = Vec::new();
        for part in &self.parts {
            self.frame(round, |_| ());
            self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(ReadbackError::from)?;
            let encode = |pass: &mut wgpu::ComputePass<'_>, _| {
                self.ocean.encode_part(pass, *part, time_s(round));
            };
            times.extend(
                self.clock.time(&[Turn { repetitions: 1, encode: Box::new(&encode) }]).await?,
            );
        }
        Ok(times)
    }

    /// Submits `step` between other work.
    fn frame(&self, frame: u32, step: impl FnOnce(&mut wgpu::CommandEncoder)) {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let [from, to] = match frame % 2 {
            0 => [&self.filler[0], &self.filler[1]],
            _ => [&self.filler[1], &self.filler[0]],
        };
        encoder.copy_buffer_to_buffer(from, 0, to, 0, from.size());
        // The first memory that the step writes: it waits for the copies, so that the first timestamp
        // does not come too early.
        let fields = self.ocean.spectrum_stage.fields();
        encoder.copy_buffer_to_buffer(fields, 0, to, 0, 16);
        step(&mut encoder);
        encoder.clear_buffer(&self.picture, 0, None);
        self.queue.submit([encoder.finish()]);
    }
}

/// The cost of a separate pass, in microseconds.
const PASS_US: f64 = 4.0;

/// Returns whether the times of stages within a pass agree with those of separate passes, to half of
/// them or the few microseconds that a pass costs.
fn agree(within_us: &[f64], each_us: &[f64]) -> bool {
    let close = |(within, each): (&f64, &f64)| (within - each).abs() <= (0.5 * each).max(PASS_US);
    within_us.iter().zip(each_us).all(close)
}

/// Returns whether the times of all stages add up to that of the step, to a third of it and the cost of
/// passes.
fn adds_up(stages_us: &[f64], whole_us: f64) -> bool {
    let sum_us: f64 = stages_us.iter().sum();
    (sum_us - whole_us).abs() <= whole_us / 3.0 + PASS_US * stages_us.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Context;
    use crate::settings::SeaState;
    use crate::{OceanOptions, OceanPath};
    use seaway_core::testing::context;

    const SHORT: Method = Method {
        samples: 3,
        sample_us: 100.0,
        max_repetitions: 2,
        budget_us: 1e5,
        warm_up_us: 100.0,
    };

    fn ocean(context: &Context, path: OceanPath) -> Ocean {
        let options =
            OceanOptions { size: 32, cascades: 2, path, cubic_cascades: 0, ..Default::default() };
        Ocean::new(&context.device, &context.queue, &SeaState::default(), options).unwrap()
    }

    fn measure_with(
        context: &Context,
        ocean: &Ocean,
        reference: &Reference,
        regime: OceanRegime,
    ) -> Result<StepTimes, StepError> {
        let Context { device, queue, .. } = context;
        pollster::block_on(measure(device, queue, ocean, reference, regime, &SHORT))
    }

    #[test]
    fn every_part_has_a_time_in_every_regime() {
        let context = context();
        for (path, names) in [
            (
                OceanPath::Plain,
                &["spectrum", "rows", "columns", "maps", "mips", "to_maps", "whole"][..],
            ),
            (OceanPath::Fused, &["spectrum_rows", "columns_maps", "mips", "to_maps", "whole"][..]),
        ] {
            let ocean = ocean(&context, path);
            let reference = Reference::new(ocean.spectrum(), 12.3);
            for &regime in OceanRegime::ALL {
                let times = match measure_with(&context, &ocean, &reference, regime) {
                    Ok(times) => times,
                    Err(StepError::NoTimestamps) => {
                        assert!(!context.capabilities.timestamps && !context.is_software());
                        assert_eq!(regime, OceanRegime::Frame);
                        continue;
                    }
                    Err(error) => panic!("{path} {regime}: {error}"),
                };
                let found: Vec<_> = times.parts.iter().map(|(part, _)| part.name()).collect();
                let names = match times.stage_timer {
                    StageTimer::Unknown => &["to_maps", "whole"][..],
                    _ => names,
                };
                assert_eq!(found, names, "{path} {regime}");
                for (part, measurement) in &times.parts {
                    assert!(measurement.median_us() > 0.0, "{path} {regime} {part:?}");
                    assert!(measurement.samples_us.len() <= 3);
                }
                assert_eq!(
                    times.stage_timer == StageTimer::Repeated,
                    regime == OceanRegime::Hot,
                    "{path} {regime}"
                );
                assert!(times.accuracy.fields.relative_l2 > 0.0);
            }
        }
    }

    #[test]
    fn timestamps_are_taken_within_a_pass_and_around_passes() {
        let context = context();
        let Context { device, queue, .. } = &context;
        if !context.capabilities.timestamps {
            return;
        }
        for &path in OceanPath::ALL {
            let ocean = ocean(&context, path);
            let frames = Frames::new(Timer::GpuTimestamps, device, queue, &ocean);
            for stage_timer in [StageTimer::PassEach, StageTimer::WithinPass] {
                if stage_timer == StageTimer::WithinPass
                    && !context.capabilities.timestamps_inside_passes
                {
                    continue;
                }
                let rounds = pollster::block_on(frames.run(3, stage_timer)).unwrap();
                assert_eq!(rounds.len(), 3);
                for round in rounds {
                    assert_eq!(round.len(), ocean.parts().len());
                    let is_time = |us: &f64| us.is_finite() && *us < 1e7;
                    assert!(round.iter().all(is_time), "{path} {stage_timer}: {round:?}");
                    assert!(round.last().unwrap() > &0.0);
                }
            }
            let known = [StageTimer::PassEach, StageTimer::WithinPass];
            assert!(known.contains(&pollster::block_on(frames.stage_timer()).unwrap()));
        }
    }

    #[test]
    fn wrong_maps_have_no_time() {
        let context = context();
        let ocean = ocean(&context, OceanPath::Fused);
        let right = Reference::new(ocean.spectrum(), 12.3);
        let mut late = right.clone();
        late.time_s += 0.1;
        let other = SeaState { seed: 77, ..Default::default() };
        let other = Ocean::prepare(&other, ocean.options()).unwrap();
        let fewer = OceanOptions { cascades: 1, ..*ocean.options() };
        let fewer = Ocean::prepare(&SeaState::default(), &fewer).unwrap();
        for wrong in [late, Reference::new(&other, 12.3), Reference::new(&fewer, 12.3)] {
            for &regime in OceanRegime::ALL {
                let times = measure_with(&context, &ocean, &wrong, regime);
                assert!(matches!(times, Err(StepError::Wrong(_))), "{times:?}");
            }
        }
        assert!(measure_with(&context, &ocean, &right, OceanRegime::Hot).is_ok());
    }

    #[test]
    fn times_within_a_pass_are_believed_where_passes_agree() {
        assert!(agree(&[31.0, 23.0, 27.0], &[32.5, 24.0, 29.0]));
        // A pass is a large part of short stages.
        assert!(agree(&[3.0, 2.0], &[5.5, 5.0]));
        // Timestamps that were written too early.
        assert!(!agree(&[30.0, 6000.0, 12_000.0], &[9000.0, 6500.0, 3000.0]));
        assert!(!agree(&[f64::NAN], &[1.0]));

        assert!(adds_up(&[31.0, 23.0, 27.0], 90.0));
        assert!(adds_up(&[3.0, 4.0, 5.0], 6.0));
        // Times of passes on lavapipe.
        assert!(!adds_up(&[12.8, 12.3, 11.7, 372.0, 1094.0], 2721.0));
        assert!(!adds_up(&[f64::NAN], 1.0));
    }
}
