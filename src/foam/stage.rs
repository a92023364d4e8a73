use std::num::NonZeroU64;

use super::clipmap::{Clipmap, RATIO};
use super::cover::{FADING_PER_S, FRESH_DECAY_S, OLD_DECAY_S};
use super::gpu_data::{FoamCascade, FoamLevel, FoamMap, FoamStep, FoamWindow, MAX_LEVELS};
use super::schedule::{Due, Schedule};
use super::streaks::Streaks;
use super::{FoamSea, MEMORY_S};
use crate::gpu::bindings::Resource;
use crate::gpu::{
    Allocations, ComputeDescriptor, ComputePipeline, Pipelines, TextureSpec, Uniform, bindings,
};
use crate::maps::{Maps, finite};
use crate::ocean::{Ocean, OceanError, OceanOptions};
use crate::profile::{self, Recorder};
use crate::settings::Quality;
use crate::spectrum::MAX_CASCADES;

pub(super) const STEP_SHADER: &str = "foam/step.wgsl";
const WORKGROUP: u32 = 16;

/// The options that set the cost of foam. [`FoamOptions::within_range`] clamps values out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoamOptions {
    /// Texels along one side of each level, a power of two from 16 to 1024; 0 for no memory at all: the
    /// whole sea then has its mean cover.
    pub texels: u32,
    /// The number of levels, 1 to 4. Each reaches four times as far as the one before, the first for 38 m.
    pub levels: u32,
    /// The steps a second, 1 to 60. A jump of the time takes [`MEMORY_S`] of them.
    pub steps_per_s: u32,
    /// The [`OceanOptions::cubic_cascades`] of the foam's own ocean.
    pub cubic_cascades: u32,
    /// The [`OceanOptions::blended_cascades`] of the drawn ocean: any other number moves foam off the crests.
    pub blended_cascades: u32,
}

impl FoamOptions {
    /// The options of a tier of quality.
    pub fn of(quality: &Quality) -> Self {
        Self {
            texels: quality.foam_texels,
            levels: 4,
            steps_per_s: quality.foam_steps_per_s,
            cubic_cascades: quality.cubic_cascades,
            blended_cascades: quality.blended_cascades,
        }
        .within_range()
    }

    /// Options of full quality for the waves of an ocean with options `ocean`: 256 texels and 30 steps a
    /// second, some 60 us a step on a large GPU. For less, change `texels` and `steps_per_s` (the low
    /// tier has 64 and 10).
    pub fn on(ocean: &OceanOptions) -> Self {
        Self {
            cubic_cascades: ocean.cubic_cascades,
            blended_cascades: ocean.blended_cascades,
            ..Self::of(&Quality::default())
        }
    }

    /// Clamps the options to the ranges of the fields. [`Foam::options`] returns the result.
    pub fn within_range(&self) -> Self {
        let texels = self.texels.clamp(16, 1024).next_power_of_two();
        Self {
            texels: if self.texels > 0 { texels } else { 0 },
            levels: self.levels.clamp(1, MAX_LEVELS as u32),
            steps_per_s: self.steps_per_s.clamp(1, 60),
            cubic_cascades: self.cubic_cascades.min(MAX_CASCADES),
            blended_cascades: self.blended_cascades.min(MAX_CASCADES),
        }
    }

    /// Whether old foam gathers in streaks in a gale. With fewer texels they are not drawn.
    pub(crate) fn is_detailed(&self) -> bool {
        self.texels >= 128
    }

    /// The levels, if foam has a memory.
    pub(super) fn clipmap(&self) -> Option<Clipmap> {
        let Self { texels, levels, .. } = *self;
        (texels > 0).then_some(Clipmap { texels, levels })
    }
}

/// Foam around the eye, with a memory of broken waves.
#[derive(Debug)]
pub struct Foam {
    sea: FoamSea,
    /// The sea at the end of a gradual change.
    wanted: Option<FoamSea>,
    streaks: Streaks,
    /// The eye when foam was last recorded, in metres of the foam's frame (x, z).
    eye_m: [f64; 2],
    windows: Option<Windows>,
    map: Uniform<FoamMap>,
    texture: wgpu::TextureView,
    sampler: wgpu::Sampler,
    group: bindings::Group,
    progress: Progress,
}

/// Whether foam has reached the time that it was recorded for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The foam has reached the requested time.
    Complete,
    /// More steps remain, for another call in the next submission.
    FillingIn,
}

/// A step that [`Foam::record`] has just recorded.
#[derive(Debug)]
pub struct StepTaken<'a> {
    /// The number of the step. Step k is at the time of k lengths.
    pub number: i64,
    /// The length of a step, in seconds.
    pub seconds: f64,
    /// Its index among the steps of one submission, below [`Foam::MOST_STEPS`].
    pub index: u32,
    /// Whether it is the first after a jump of the time, or of another sea, and begins without foam.
    pub is_first: bool,
    /// The sea that the foam belongs to.
    pub sea: &'a FoamSea,
    /// The waves that make foam at that time, in metres from the recorded origin.
    pub maps: &'a Maps,
}

#[derive(Debug)]
struct Windows {
    clipmap: Clipmap,
    schedule: Schedule,
    ocean: Ocean,
    step: ComputePipeline,
    group: wgpu::BindGroup,
    /// Two halves: a step reads one of each level's and writes the other.
    states: wgpu::Buffer,
    steps: wgpu::Buffer,
    /// The state of each level after its last step: its first texel, and the current half.
    firsts: [[i64; 2]; MAX_LEVELS],
    halves: [u32; MAX_LEVELS],
}

const MOST_STEPS: u32 = 32;
/// The stride of steps' parameters, a multiple of 256, the coarsest alignment of any device.
const STRIDE: u64 = 768;

impl Foam {
    /// Builds the foam of `sea`, with the options in it.
    ///
    /// # Errors
    /// [`OceanError`] where the device cannot run its ocean.
    pub fn new(
        device: impl Into<Pipelines>,
        queue: &wgpu::Queue,
        sea: FoamSea,
    ) -> Result<Self, OceanError> {
        let pipelines = device.into();
        let device = pipelines.device();
        let clipmap = sea.options.clipmap();
        let Clipmap { texels, levels } = clipmap.unwrap_or(Clipmap { texels: 1, levels: 1 });
        let texture =
            TextureSpec::storage("Foam::texture", [texels; 2], wgpu::TextureFormat::Rgba16Float)
                .layers(levels)
                .create(device)
                .create_view(&wgpu::TextureViewDescriptor {
                    dimension: Some(wgpu::TextureViewDimension::D2Array),
                    ..Default::default()
                });
        let map = Uniform::new(device, "Foam::map");
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("Foam::sampler"),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..Default::default()
        });
        let stages = wgpu::ShaderStages::VERTEX_FRAGMENT | wgpu::ShaderStages::COMPUTE;
        let layout = bindings::layout(device, "Foam::layout", stages, &Self::binding_types());
        let resources: [&dyn Resource; 3] = [&map, &texture, &sampler];
        let bind_group = bindings::group(device, "Foam::bind_group", &layout, &resources);
        let group = bindings::Group { layout, bind_group };
        let windows = clipmap
            .map(|clipmap| Windows::new(&pipelines, queue, &sea, clipmap, &texture))
            .transpose()?;
        let progress = Progress::FillingIn;
        let (wanted, streaks, eye_m) = (None, Streaks::along(sea.wind_towards), [0.0; 2]);
        Ok(Self { sea, wanted, streaks, eye_m, windows, map, texture, sampler, group, progress })
    }

    /// The sea that the foam belongs to.
    pub fn sea(&self) -> &FoamSea {
        &self.sea
    }

    /// The options that set its cost.
    pub fn options(&self) -> &FoamOptions {
        &self.sea.options
    }

    /// Takes another sea, or the same with other options. Its foam begins again.
    ///
    /// # Errors
    /// [`OceanError`] where the sea needs another ocean, and the device cannot run it.
    pub fn set_sea(
        &mut self,
        device: impl Into<Pipelines>,
        queue: &wgpu::Queue,
        sea: FoamSea,
    ) -> Result<(), OceanError> {
        match &mut self.windows {
            Some(windows)
                if sea.options == self.sea.options
                    && windows.ocean.spectrum().cascades.len() == sea.waves.cascades.len() =>
            {
                windows.ocean.set_spectrum(queue, &sea.waves)?;
                windows.schedule.restart();
                self.streaks = Streaks::along(sea.wind_towards);
                self.sea = sea;
                self.wanted = None;
            }
            _ => *self = Self::new(device, queue, sea)?,
        }
        Ok(())
    }

    /// Begins to change to another sea at `time_s` as [`Ocean::change_spectrum`] does: its foam goes on, and
    /// [`Foam::encode_change`] moves its waves. Returns false, with everything as it was, where the sea has
    /// other waves or options.
    ///
    /// # Errors
    /// Those of [`Ocean::change_spectrum`].
    pub(crate) fn change_sea(
        &mut self,
        queue: &wgpu::Queue,
        mut sea: FoamSea,
        time_s: f64,
    ) -> Result<bool, OceanError> {
        if sea.options != self.sea.options {
            return Ok(false);
        }
        if let Some(windows) = &mut self.windows
            && !windows.ocean.change_spectrum(queue, &sea.waves)?
        {
            return Ok(false);
        }
        let [time_s] = finite([time_s]);
        let mut wanted = sea.clone();
        sea.continue_from(&self.sea, time_s);
        wanted.drifted_m = sea.drifted_m;
        self.sea = sea;
        self.wanted = Some(wanted);
        Ok(true)
    }

    /// Records a part of the change of the foam's waves, as [`Ocean::record_change`] does.
    pub(crate) fn encode_change(
        &mut self,
        pass: &mut wgpu::ComputePass<'_>,
        queue: &wgpu::Queue,
        share: f64,
    ) {
        if let Some(windows) = &mut self.windows {
            windows.ocean.encode_change(pass, queue, share);
        }
        let Some(wanted) = &self.wanted else { return };
        let share = share.clamp(0.0, 1.0);
        self.sea.change(wanted, share);
        self.streaks.turn(wanted.wind_towards, share, self.eye_m);
        if share >= 1.0
            && let Some(wanted) = self.wanted.take()
        {
            self.sea = wanted;
        }
    }

    /// Sets the positions for the frame at `time_s`: positions in shaders are relative to `origin_m`, a
    /// place of the world in metres (x, z): the ocean's own ([`Ocean::set_origin`]), for a shader that
    /// samples both. Call it after [`Foam::encode`], for commands submitted later. A time or a
    /// coordinate that is NaN or infinite is 0.
    pub fn update(&self, queue: &wgpu::Queue, time_s: f64, origin_m: [f64; 2]) {
        self.map.write(queue, &self.map_at(time_s, origin_m));
    }

    fn map_at(&self, time_s: f64, origin_m: [f64; 2]) -> FoamMap {
        let sea = &self.sea;
        let mut map: FoamMap = bytemuck::Zeroable::zeroed();
        map.mean = sea.cover.even.map(|mean| mean as f32);
        map.albedo = sea.albedo.map(|albedo| albedo as f32);
        map.streaks = sea.streaks as f32;
        // The origin in the foam's frame.
        let origin = self.at_rest_m(origin_m, time_s);
        map.streaks_from_metres = self.streaks.tiles_per_m().map(|tiles| tiles as f32);
        map.streaks_origin = self.streaks.tiles(origin).map(|tiles| tiles.rem_euclid(1.0) as f32);
        if let Some(windows) = &self.windows {
            let clipmap = windows.clipmap;
            map.level_count = clipmap.levels;
            for level in 0..clipmap.levels {
                let window_m = clipmap.window_m(level);
                let middle_m = clipmap.middle_m(level, windows.firsts[level as usize]);
                map.windows[level as usize] = FoamWindow {
                    origin_uv: origin.map(|at| (at / window_m).rem_euclid(1.0) as f32),
                    middle_m: [0, 1].map(|axis| (middle_m[axis] - origin[axis]) as f32),
                    windows_per_m: window_m.recip() as f32,
                    texel_m: clipmap.texel_m(level) as f32,
                    half_m: (0.5 * window_m) as f32,
                    _padding: 0.0,
                };
            }
        }
        map
    }

    /// Records at most [`Foam::MOST_STEPS`] steps that lead to `time_s` around the eye at `eye_m`.
    /// Steps may remain for the next submission ([`Progress::FillingIn`]): a jump of the time needs twelve
    /// seconds of sea, and frames drawn meanwhile see it fill in. It leaves the drawn ocean unchanged.
    ///
    /// Places are in metres (x, z) of the world; positions are exact near `origin_m`, so take that of
    /// [`Foam::update`]. Call it once a submission: a second call replaces the parameters of the first. A
    /// time or a coordinate that is NaN or infinite is 0, as in [`Ocean::encode`](crate::Ocean::encode).
    pub fn encode(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        queue: &wgpu::Queue,
        time_s: f64,
        eye_m: [f64; 2],
        origin_m: [f64; 2],
    ) -> Progress {
        let recorder = &mut Recorder::new(encoder);
        self.record(recorder, queue, time_s, eye_m, origin_m, Self::MOST_STEPS, &mut |_, _| ())
    }

    /// Records at most `most` steps as [`Foam::encode`] does, timed where `recorder` is. After each
    /// step, `then` records the consumers of its waves.
    #[expect(clippy::too_many_arguments, reason = "one frame's place and time, from one caller")]
    pub fn record(
        &mut self,
        recorder: &mut Recorder<'_>,
        queue: &wgpu::Queue,
        time_s: f64,
        eye_m: [f64; 2],
        origin_m: [f64; 2],
        most: u32,
        then: &mut dyn FnMut(&mut wgpu::ComputePass<'_>, &StepTaken<'_>),
    ) -> Progress {
        profile::scope!("Foam::record");
        let ([time_s], eye_m, origin_m) = (finite([time_s]), finite(eye_m), finite(origin_m));
        self.eye_m = self.at_rest_m(eye_m, time_s);
        let Self { windows, sea, .. } = self;
        let more = windows.as_mut().is_some_and(|windows| {
            windows.record(recorder, queue, sea, time_s, eye_m, origin_m, most, then)
        });
        self.progress = if more { Progress::FillingIn } else { Progress::Complete };
        self.progress
    }

    /// Forgets all foam: the next steps begin without any, and lead to their time in full.
    pub(crate) fn restart(&mut self) {
        if let Some(windows) = &mut self.windows {
            windows.schedule.restart();
        }
    }

    /// The maps of the foam's waves at its last step; none where it has no memory.
    pub fn maps(&self) -> Option<&Maps> {
        self.windows.as_ref().map(|windows| windows.ocean.maps())
    }

    /// The pipeline constants for sampling [`Foam::maps`] of any sea with these options.
    pub(crate) fn map_constants(&self) -> Option<[(&'static str, f64); 2]> {
        self.windows.as_ref().map(|windows| map_constants(&windows.ocean))
    }

    /// Whether more steps remained when it was last recorded, so that foam is still filling in.
    pub fn is_settling(&self) -> bool {
        self.progress == Progress::FillingIn
    }

    /// The most steps of one submission.
    pub const MOST_STEPS: u32 = MOST_STEPS;

    /// The layout of [`Foam::bind_group`] for shaders with [`sample_wgsl`](super::sample_wgsl), visible to
    /// every stage.
    pub fn bind_group_layout(&self) -> &wgpu::BindGroupLayout {
        &self.group.layout
    }

    /// The bind group of those shaders. [`Foam::set_sea`] replaces it.
    pub fn bind_group(&self) -> &wgpu::BindGroup {
        &self.group.bind_group
    }

    /// The bind group with its layout.
    pub fn group(&self) -> &bindings::Group {
        &self.group
    }

    /// The types of the first bindings, for groups with more of them.
    pub(crate) fn binding_types() -> [wgpu::BindingType; 3] {
        let levels = bindings::texture(wgpu::TextureViewDimension::D2Array);
        [bindings::uniform(), levels, bindings::sampler()]
    }

    pub(crate) fn resources(&self) -> [&dyn Resource; 3] {
        [&self.map, &self.texture, &self.sampler]
    }

    /// The textures of the levels: fresh and old foam, one layer each.
    pub fn texture(&self) -> &wgpu::TextureView {
        &self.texture
    }

    /// The place where foam rests at `time_s`, relative to the anchor of a pattern at `anchor_m` at
    /// rest. A time or a coordinate that is NaN or infinite is 0.
    pub fn at_rest_m(&self, anchor_m: [f64; 2], time_s: f64) -> [f64; 2] {
        let ([time_s], anchor_m) = (finite([time_s]), finite(anchor_m));
        let drift_m = self.sea.drift_m(time_s);
        [0, 1].map(|axis| anchor_m[axis] - drift_m[axis])
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        let held: A = self.map.allocations::<A>().with_texture(self.texture.texture());
        match &self.windows {
            None => held,
            Some(Windows { ocean, states, steps, .. }) => {
                let ocean = ocean.allocations();
                (held + ocean).with_buffer(states).with_buffer(steps)
            }
        }
    }
}

/// The constants for `ocean`'s maps with any sea, even one whose waves make no foam.
fn map_constants(ocean: &Ocean) -> [(&'static str, f64); 2] {
    let any = |cascades| f64::from(cascades > 0);
    let options = ocean.options();
    [("OCEAN_CUBIC", any(options.cubic_cascades)), ("OCEAN_BLENDED", any(options.blended_cascades))]
}

impl Windows {
    fn new(
        pipelines: &Pipelines,
        queue: &wgpu::Queue,
        sea: &FoamSea,
        clipmap: Clipmap,
        texture: &wgpu::TextureView,
    ) -> Result<Self, OceanError> {
        let (options, device) = (&sea.options, pipelines.device());
        let ocean = Ocean::with_spectrum(pipelines, queue, sea.waves.clone(), sea.ocean_options())?;
        let states = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Foam::states"),
            size: 2 * 4 * u64::from(clipmap.levels) * u64::from(clipmap.texels).pow(2),
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        });
        let steps = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Foam::steps"),
            size: STRIDE * u64::from(MOST_STEPS),
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let step_bytes = NonZeroU64::new(size_of::<FoamStep>() as u64);
        let step_layout = bindings::layout(
            device,
            "Foam::step_layout",
            wgpu::ShaderStages::COMPUTE,
            &[
                wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: true,
                    min_binding_size: step_bytes,
                },
                bindings::storage_read_write(),
                bindings::storage_texture(
                    wgpu::TextureFormat::Rgba16Float,
                    wgpu::TextureViewDimension::D2Array,
                ),
            ],
        );
        let parameters = wgpu::BufferBinding { buffer: &steps, offset: 0, size: step_bytes };
        let group = bindings::group(
            device,
            "Foam::step_group",
            &step_layout,
            &[&parameters, &states, texture],
        );
        let layouts = [Some(&step_layout), Some(&ocean.maps().group().layout)];
        let step = pipelines.compute(ComputeDescriptor {
            constants: map_constants(&ocean).into(),
            ..ComputeDescriptor::new("foam", STEP_SHADER, "step_foam", &layouts)
        })?;
        Ok(Self {
            clipmap,
            schedule: Schedule::new(options.steps_per_s, MOST_STEPS),
            step,
            ocean,
            group,
            states,
            steps,
            firsts: [[0; 2]; MAX_LEVELS],
            halves: [0; MAX_LEVELS],
        })
    }

    #[expect(clippy::too_many_arguments, reason = "one frame's place and time, from one caller")]
    fn record(
        &mut self,
        recorder: &mut Recorder<'_>,
        queue: &wgpu::Queue,
        sea: &FoamSea,
        time_s: f64,
        eye_m: [f64; 2],
        origin_m: [f64; 2],
        most: u32,
        then: &mut dyn FnMut(&mut wgpu::ComputePass<'_>, &StepTaken<'_>),
    ) -> bool {
        let Due { steps, restarts, more } = self.schedule.due(time_s, most);
        if steps.is_empty() {
            return more;
        }
        self.ocean.set_origin(queue, origin_m);
        let first_step = steps.start;
        for step in steps.clone() {
            let has_before = !(restarts && step == first_step);
            let parameters = self.parameters(sea, step, eye_m, origin_m, has_before);
            let slot = STRIDE * (step - first_step) as u64;
            queue.write_buffer(&self.steps, slot, bytemuck::bytes_of(&parameters));
        }
        let (ocean, kernel, group) = (&self.ocean, &self.step, &self.group);
        let Clipmap { texels, levels } = self.clipmap;
        let schedule = &self.schedule;
        recorder.compute("foam", |stages| {
            stages.stage("foam", |pass| {
                for step in steps.clone() {
                    ocean.encode_step(pass, schedule.time_s(step));
                    pass.set_pipeline(&kernel.get());
                    let offset = STRIDE as u32 * (step - first_step) as u32;
                    pass.set_bind_group(0, group, &[offset]);
                    pass.set_bind_group(1, ocean.maps().bind_group(), &[]);
                    let due = Schedule::levels_due(step).min(levels);
                    pass.dispatch_workgroups(texels / WORKGROUP, texels / WORKGROUP, due);
                    let taken = StepTaken {
                        number: step,
                        seconds: schedule.time_s(1),
                        index: (step - first_step) as u32,
                        is_first: restarts && step == first_step,
                        sea,
                        maps: ocean.maps(),
                    };
                    then(pass, &taken);
                }
            });
        });
        more
    }

    /// The parameters of a step, which moves the windows of its levels.
    fn parameters(
        &mut self,
        sea: &FoamSea,
        number: i64,
        eye_m: [f64; 2],
        origin_m: [f64; 2],
        has_before: bool,
    ) -> FoamStep {
        let time_s = self.schedule.time_s(number);
        let drift_m = sea.drift_m(time_s);
        let eye_at_rest = [0, 1].map(|axis| eye_m[axis] - drift_m[axis]);
        let mut step: FoamStep = bytemuck::Zeroable::zeroed();
        step.level_count = self.clipmap.levels;
        step.texels = self.clipmap.texels;
        step.has_before = has_before.into();
        let due = Schedule::levels_due(number);
        for level in 0..self.clipmap.levels {
            let index = level as usize;
            let (first_before, half_before) = (self.firsts[index], self.halves[index]);
            if level < due {
                self.firsts[index] = self.clipmap.first(level, eye_at_rest);
                self.halves[index] = 1 - half_before;
            }
            let first = self.firsts[index];
            let texel_m = self.clipmap.texel_m(level);
            let seconds = self.schedule.level_step_s(level);
            let waves = &sea.level_waves[index];
            let mut point_count = 0;
            for (to, of) in step.cascades[index].iter_mut().zip(&waves.cascades) {
                *to = FoamCascade {
                    lod: of.lod as f32,
                    weight: of.weight as f32,
                    spacing: of.spacing,
                    first_point: point_count,
                };
                if of.spacing > 1 {
                    point_count += (WORKGROUP / of.spacing + 1).pow(2);
                }
            }
            // Wraps around after some hundred thousand kilometres.
            step.levels[index] = FoamLevel {
                first: first.map(|first| first as i32),
                first_before: first_before.map(|first| first as i32),
                place_m: [0, 1].map(|axis| {
                    let q_m = (first[axis] as f64 + 0.5) * texel_m;
                    (q_m + drift_m[axis] - origin_m[axis]) as f32
                }),
                made: waves.made(sea.cover.over_breaking()).map(|made| made as f32),
                texel_m: texel_m as f32,
                threshold: sea.level_thresholds[index] as f32,
                steepness: waves.steepness() as f32,
                fresh_kept: libm::exp(-seconds / FRESH_DECAY_S) as f32,
                fading: (FADING_PER_S * seconds) as f32,
                old_decay: (seconds / OLD_DECAY_S) as f32,
                half_before,
                spaced_count: waves.count(|cascade| cascade.spacing > 1),
                cascade_count: waves.count(|_| true),
                point_count,
                _padding: [0; 2],
            };
        }
        step
    }
}

const _: () = assert!(size_of::<FoamStep>() as u64 <= STRIDE);
const _: () = assert!(RATIO == 4, "foam/step.wgsl shifts by two bits a level");
const _: () = assert!(MEMORY_S <= 12.0);

#[cfg(test)]
mod tests {
    use half::f16;

    use super::*;
    use crate::gpu::Context;
    use crate::settings::Preset;
    use seaway_core::testing::context;

    const BAD: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

    struct Bench {
        context: Context,
        foam: Foam,
    }

    impl Bench {
        fn new() -> Self {
            let context = context();
            let options = FoamOptions {
                texels: 16,
                levels: 2,
                steps_per_s: 4,
                cubic_cascades: 0,
                blended_cascades: 0,
            };
            let sea = FoamSea::new(&Preset::load("gale").unwrap().sea, 1, &options).unwrap();
            let foam = Foam::new(&context.device, &context.queue, sea).unwrap();
            Self { context, foam }
        }

        fn levels(&mut self, time_s: f64, eye_m: [f64; 2], origin_m: [f64; 2]) -> Vec<f32> {
            let Self { context, foam } = self;
            foam.restart();
            let mut progress = Progress::FillingIn;
            while progress == Progress::FillingIn {
                progress = context.submit(|encoder| {
                    foam.encode(encoder, &context.queue, time_s, eye_m, origin_m)
                });
            }
            let texture = foam.texture().texture();
            let halves = (0..2).flat_map(|level| context.read_texels::<f16>(texture, 0, level));
            halves.map(f32::from).collect()
        }
    }

    #[test]
    fn bad_times_and_places_are_zero_to_foam() {
        let mut bench = Bench::new();
        let expected = bench.levels(0.0, [0.0; 2], [0.0; 2]);
        assert!(expected.iter().all(|foam| foam.is_finite()));
        assert!(expected.chunks(4).any(|texel| texel[0] > 0.1), "there is foam");
        for bad in BAD {
            for (time_s, eye_m, origin_m) in [
                (bad, [0.0; 2], [0.0; 2]),
                (0.0, [bad, 0.0], [0.0; 2]),
                (0.0, [0.0; 2], [0.0, bad]),
            ] {
                let found = bench.levels(time_s, eye_m, origin_m);
                assert!(found == expected, "{time_s} s, eye {eye_m:?}, origin {origin_m:?}");
            }
        }
    }

    #[test]
    fn readers_of_foam_take_bad_values_as_zero() {
        let mut bench = Bench::new();
        bench.levels(0.0, [0.0; 2], [0.0; 2]);
        let foam = &bench.foam;
        let at = |time_s, origin_m| bytemuck::bytes_of(&foam.map_at(time_s, origin_m)).to_vec();
        for bad in BAD {
            assert_eq!(at(bad, [3.0, 4.0]), at(0.0, [3.0, 4.0]));
            assert_eq!(at(5.0, [bad, 4.0]), at(5.0, [0.0, 4.0]));
            assert_eq!(foam.at_rest_m([3.0, bad], bad), [3.0, 0.0]);
        }
    }
}
