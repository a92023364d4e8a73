//! Foam on the GPU.

use std::collections::BTreeSet;
use std::num::NonZeroU64;

use super::clipmap::{Clipmap, RATIO};
use super::cover::{FADING_PER_S, FRESH_DECAY_S, OLD_DECAY_S};
use super::gpu_data::{FoamLevel, FoamMap, FoamStep, FoamWindow, MAX_LEVELS};
use super::schedule::{Due, Schedule};
use super::{FoamSea, MEMORY_S};
use crate::gpu::shader::{ShaderError, depends};
use crate::gpu::{ComputeKernel, Memory, Uniform, bindings, compute_kernel_of, shader};
use crate::maps::MapFormat;
use crate::ocean::{Ocean, OceanError, OceanOptions, OceanPath};
use crate::profile::{self, Recorder};

pub(super) const STEP_SHADER: &str = "foam/step.wgsl";
const WORKGROUP: u32 = 8;

/// What foam may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoamOptions {
    /// Texels along one side of each level, a power of two from 16 to 1024; 0 for no memory at all:
    /// the whole sea is as white as it is on average.
    pub texels: u32,
    /// Levels, 1 to 4, each reaching four times as far as the one before, the first for 38 m.
    pub levels: u32,
    /// Steps a second.
    pub steps_per_s: u32,
    /// [`OceanOptions::cubic_cascades`] of the foam's own ocean.
    pub cubic_cascades: u32,
    /// As many as the ocean that is drawn has ([`OceanOptions::blended_cascades`]), or foam is not on
    /// its crests.
    pub blended_cascades: u32,
}

/// Foam around the eye, with the memory of what broke.
///
/// Clones share what is on the GPU, and are for shaders that are compiled elsewhere.
#[derive(Debug)]
pub struct Foam {
    options: FoamOptions,
    sea: FoamSea,
    /// Where there is a memory.
    windows: Option<Windows>,
    map: Uniform<FoamMap>,
    texture: wgpu::TextureView,
}

/// The memory.
#[derive(Debug)]
struct Windows {
    clipmap: Clipmap,
    schedule: Schedule,
    ocean: Ocean,
    kernel: ComputeKernel,
    step_layout: wgpu::BindGroupLayout,
    /// Which of the two buffers is read, and the other written.
    groups: [wgpu::BindGroup; 2],
    states: [wgpu::Buffer; 2],
    /// The one that was written last.
    newest: usize,
    /// Parameters of the steps of one submission.
    steps: wgpu::Buffer,
    /// Of the step taken last: each level's first texel.
    firsts: [[i64; 2]; MAX_LEVELS],
}

/// Steps that one submission has room for.
const STEPS: u32 = 32;
/// Bytes from one step's parameters to the next: no device asks for a coarser alignment.
const STRIDE: u64 = 256;

impl Foam {
    /// Foam for `sea`.
    ///
    /// # Errors
    /// [`OceanError`] where the device cannot run its ocean.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        sea: FoamSea,
        options: FoamOptions,
    ) -> Result<Self, OceanError> {
        let levels = options.levels.clamp(1, MAX_LEVELS as u32);
        let texels = match options.texels {
            0 => 0,
            texels => texels.next_power_of_two().clamp(16, 1024),
        };
        let texture = device
            .create_texture(&wgpu::TextureDescriptor {
                label: Some("Foam::texture"),
                size: wgpu::Extent3d {
                    width: texels.max(1),
                    height: texels.max(1),
                    depth_or_array_layers: levels,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba8Unorm,
                usage: wgpu::TextureUsages::STORAGE_BINDING
                    | wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            })
            .create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                ..Default::default()
            });
        let map = Uniform::new(device, "Foam::map");
        let windows = (texels > 0)
            .then(|| {
                let clipmap = Clipmap { texels, levels };
                Windows::new(device, queue, &sea, clipmap, &options, &texture)
            })
            .transpose()?;
        Ok(Self { options, sea, windows, map, texture })
    }

    /// The sea whose foam it is.
    pub fn sea(&self) -> &FoamSea {
        &self.sea
    }

    /// What it may cost.
    pub fn options(&self) -> &FoamOptions {
        &self.options
    }

    /// Takes another sea; its foam begins anew.
    ///
    /// # Errors
    /// [`OceanError`] where the device cannot run its ocean, which has more cascades.
    pub fn set_sea(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        sea: FoamSea,
    ) -> Result<(), OceanError> {
        match &mut self.windows {
            Some(windows)
                if windows.ocean.spectrum().cascades.len() == sea.waves.cascades.len() =>
            {
                windows.ocean.set_spectrum(queue, &sea.waves)?;
                windows.schedule.begin_anew();
                self.sea = sea;
            }
            _ => *self = Self::new(device, queue, sea, self.options)?,
        }
        Ok(())
    }

    /// Says for the frame at `time_s` where things are: positions in shaders are relative to
    /// `origin_m`. After [`Foam::record`], for commands submitted later.
    pub fn update(&self, queue: &wgpu::Queue, time_s: f64, origin_m: [f64; 2]) {
        let sea = &self.sea;
        let mut map: FoamMap = bytemuck::Zeroable::zeroed();
        map.mean = sea.means().map(|mean| mean as f32);
        map.albedo = sea.albedo.map(|albedo| albedo as f32);
        map.streaks = sea.streaks as f32;
        // The origin in the foam's frame.
        let origin = [0, 1].map(|axis| origin_m[axis] - sea.drift_mps[axis] * time_s);
        let [along_x, along_z] = sea.wind_towards.map(|part| part / STREAK_TILE_M);
        map.streaks_from_metres = [along_x as f32, along_z as f32];
        let along = along_x * origin[0] + along_z * origin[1];
        let across = STREAK_STRETCH * (along_x * origin[1] - along_z * origin[0]);
        map.streaks_origin = [along, across].map(|tiles| tiles.rem_euclid(1.0) as f32);
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
        self.map.write(queue, &map);
    }

    /// Records the steps that lead to `time_s` around the eye, `most` at most and never more than
    /// [`Foam::MOST_STEPS`]: once a submission. True if there are more to be taken, by calling this
    /// again in the next.
    pub fn record(
        &mut self,
        recorder: &mut Recorder<'_>,
        queue: &wgpu::Queue,
        time_s: f64,
        eye_m: [f64; 2],
        origin_m: [f64; 2],
        most: u32,
    ) -> bool {
        profile::scope!("Foam::record");
        let Self { windows, sea, .. } = self;
        windows.as_mut().is_some_and(|windows| {
            windows.record(recorder, queue, sea, time_s, eye_m, origin_m, most.min(STEPS))
        })
    }

    /// Steps that one submission can hold.
    pub const MOST_STEPS: u32 = STEPS;

    /// What the water's shader binds: `FoamMap` of `foam/sample.wgsl`.
    pub(crate) fn map(&self) -> &wgpu::Buffer {
        self.map.buffer()
    }

    /// The levels: fresh and old foam, one layer each.
    pub fn texture(&self) -> &wgpu::TextureView {
        &self.texture
    }

    /// Where foam rests at `time_s`, from the anchor of a pattern at `anchor_m` at rest.
    pub fn at_rest_m(&self, anchor_m: [f64; 2], time_s: f64) -> [f64; 2] {
        [0, 1].map(|axis| anchor_m[axis] - self.sea.drift_mps[axis] * time_s)
    }

    /// What it takes.
    pub fn memory(&self) -> Memory {
        let memory = self.map.memory().with_texture(self.texture.texture());
        match &self.windows {
            None => memory,
            Some(Windows { ocean, states, steps, .. }) => {
                let ocean = ocean.spectrum_memory() + ocean.fft_memory() + ocean.maps().memory();
                let [a, b] = states;
                (memory + ocean).with_buffer(a).with_buffer(b).with_buffer(steps)
            }
        }
    }

    /// Compiles its own shader again where that is made of one of `changed`.
    ///
    /// # Errors
    /// [`ShaderError`] where the shader is broken.
    pub(crate) fn recompiled(
        device: &wgpu::Device,
        changed: &BTreeSet<String>,
        layouts: &FoamLayouts,
    ) -> Result<Option<ComputeKernel>, ShaderError> {
        match layouts {
            FoamLayouts(Some(layouts)) if depends(STEP_SHADER, changed)? => {
                kernel(device, layouts).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// What [`Foam::recompiled`] needs, on any thread.
    pub(crate) fn layouts(&self) -> FoamLayouts {
        FoamLayouts(self.windows.as_ref().map(|windows| {
            [windows.step_layout.clone(), windows.ocean.maps().bind_group_layout().clone()]
        }))
    }

    /// Takes what [`Foam::recompiled`] made.
    pub(crate) fn adopt(&mut self, kernel: ComputeKernel) {
        if let Some(windows) = &mut self.windows {
            windows.kernel = kernel;
        }
    }
}

/// The bind group layouts of the foam's own kernel.
#[derive(Clone, Debug)]
pub(crate) struct FoamLayouts(Option<[wgpu::BindGroupLayout; 2]>);

/// Tile of the streaks' noise along the wind, and how many fit across it.
const STREAK_TILE_M: f64 = 190.0;
const STREAK_STRETCH: f64 = 8.0;

fn kernel(
    device: &wgpu::Device,
    layouts: &[wgpu::BindGroupLayout; 2],
) -> Result<ComputeKernel, ShaderError> {
    let module = shader::compose(STEP_SHADER)?;
    let [step, maps] = layouts;
    compute_kernel_of(device, STEP_SHADER, &module, "step_foam", &[Some(step), Some(maps)])
}

impl Windows {
    fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        sea: &FoamSea,
        clipmap: Clipmap,
        options: &FoamOptions,
        texture: &wgpu::TextureView,
    ) -> Result<Self, OceanError> {
        let cascades = sea.waves.cascades.len() as u32;
        let ocean_options = OceanOptions {
            size: FoamSea::SIZE,
            cascades,
            algorithm: None,
            path: OceanPath::Fused,
            anisotropy: 1,
            map_format: MapFormat::F16,
            cubic_cascades: options.cubic_cascades,
            blended_cascades: options.blended_cascades,
        };
        let ocean = Ocean::with_spectrum(device, queue, sea.waves.clone(), ocean_options)?;
        let state = |label| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: 4 * u64::from(clipmap.levels) * u64::from(clipmap.texels).pow(2),
                usage: wgpu::BufferUsages::STORAGE,
                mapped_at_creation: false,
            })
        };
        let states = [state("Foam::state 0"), state("Foam::state 1")];
        let steps = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Foam::steps"),
            size: STRIDE * u64::from(STEPS),
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
                bindings::storage_read(),
                bindings::storage_read_write(),
                bindings::storage_texture(
                    wgpu::TextureFormat::Rgba8Unorm,
                    wgpu::TextureViewDimension::D2Array,
                ),
            ],
        );
        let parameters = wgpu::BufferBinding { buffer: &steps, offset: 0, size: step_bytes };
        let group = |read: usize| {
            bindings::group(
                device,
                "Foam::step_group",
                &step_layout,
                &[&parameters, &states[read], &states[1 - read], texture],
            )
        };
        let groups = [group(0), group(1)];
        let layouts = [step_layout.clone(), ocean.maps().bind_group_layout().clone()];
        Ok(Self {
            clipmap,
            schedule: Schedule::new(options.steps_per_s.clamp(1, 60)),
            kernel: kernel(device, &layouts)?,
            ocean,
            step_layout,
            groups,
            states,
            newest: 0,
            steps,
            firsts: [[0; 2]; MAX_LEVELS],
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
    ) -> bool {
        let Due { steps, anew, more } = self.schedule.due(time_s, most);
        if steps.is_empty() {
            return more;
        }
        self.ocean.set_origin(queue, origin_m);
        let first_step = steps.start;
        for step in steps.clone() {
            let has_before = !(anew && step == first_step);
            let at_s = self.schedule.time_s(step);
            let parameters = self.parameters(sea, at_s, eye_m, origin_m, has_before);
            let slot = STRIDE * (step - first_step) as u64;
            queue.write_buffer(&self.steps, slot, bytemuck::bytes_of(&parameters));
        }
        let newest = &mut self.newest;
        let (ocean, kernel, groups) = (&self.ocean, &self.kernel, &self.groups);
        let Clipmap { texels, levels } = self.clipmap;
        let schedule = &self.schedule;
        recorder.compute("foam", |stages| {
            stages.stage("foam", |pass| {
                for step in steps.clone() {
                    ocean.encode_step(pass, schedule.time_s(step));
                    pass.set_pipeline(&kernel.pipeline);
                    let offset = STRIDE as u32 * (step - first_step) as u32;
                    pass.set_bind_group(0, &groups[*newest], &[offset]);
                    pass.set_bind_group(1, ocean.maps().bind_group(), &[]);
                    pass.dispatch_workgroups(texels / WORKGROUP, texels / WORKGROUP, levels);
                    *newest = 1 - *newest;
                }
            });
        });
        more
    }

    /// The parameters of the step at `time_s`, which moves the windows.
    fn parameters(
        &mut self,
        sea: &FoamSea,
        time_s: f64,
        eye_m: [f64; 2],
        origin_m: [f64; 2],
        has_before: bool,
    ) -> FoamStep {
        let seconds = self.schedule.time_s(1);
        let drift_m = sea.drift_mps.map(|speed| speed * time_s);
        let mut step = FoamStep {
            levels: bytemuck::Zeroable::zeroed(),
            level_count: self.clipmap.levels,
            texels: self.clipmap.texels,
            has_before: has_before.into(),
            threshold: sea.threshold as f32,
            seconds: seconds as f32,
            fresh_kept: libm::exp(-seconds / FRESH_DECAY_S) as f32,
            old_rate_per_s: OLD_DECAY_S.recip() as f32,
            fading: (FADING_PER_S * seconds) as f32,
            over_breaking: sea.cover.over_breaking.map(|ratio| ratio as f32),
            variance: sea.slope_variance() as f32,
            threshold_unseen: sea.threshold_unseen as f32,
        };
        let eye_at_rest = [0, 1].map(|axis| eye_m[axis] - drift_m[axis]);
        for level in 0..self.clipmap.levels {
            let index = level as usize;
            let before = self.firsts[index];
            let first = self.clipmap.first(level, eye_at_rest);
            self.firsts[index] = first;
            let texel_m = self.clipmap.texel_m(level);
            // Wraps around after some hundred thousand kilometres.
            step.levels[index] = FoamLevel {
                first: first.map(|first| first as i32),
                first_before: before.map(|first| first as i32),
                place_m: [0, 1].map(|axis| {
                    let q_m = (first[axis] as f64 + 0.5) * texel_m;
                    (q_m + drift_m[axis] - origin_m[axis]) as f32
                }),
                texel_m: texel_m as f32,
                _padding: 0.0,
            };
        }
        step
    }
}

const _: () = assert!(size_of::<FoamStep>() as u64 <= STRIDE);
const _: () = assert!(RATIO == 4, "foam/step.wgsl shifts by two bits a level");
const _: () = assert!(MEMORY_S <= 12.0);
