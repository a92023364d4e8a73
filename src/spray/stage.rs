//! The stage that tears spray off, places it for a frame, and draws it.

use std::num::NonZeroU64;

use super::gpu_data::{
    LEVELS, MOST_MOMENTS, SprayLevel, SprayPlaced, SpraySlot, SprayStep, SprayView, TILE_M,
};
use super::{LIFE_S, MOMENTS_PER_S, Tearing};
use crate::foam::{Foam, FoamOptions, StepTaken};
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    Allocations, ComputeDescriptor, ComputePipeline, Pipelines, RenderDescriptor, RenderPipeline,
    Uniform, bindings,
};
use crate::maps::finite;
use crate::mesh::{Mesh, SeaBounds};
use crate::profile::Stages;
use crate::settings::{Quality, SeaState};
use crate::shading::{SceneBindings, Visibility};

pub(super) const TEAR: &str = "spray/tear.wgsl";
pub(super) const PLACE: &str = "spray/place.wgsl";
pub(super) const PUFF: &str = "spray/puff.wgsl";
const WORKGROUP_CELLS: u32 = 4;
/// Must equal `SPRAY_GROUP` of `spray/place.wgsl`.
const WORKGROUP_SLOTS: u32 = 256;
/// The most cells that the tile of places has room for.
const MOST_CELLS: u32 = 64;
/// The number of cells along a side is a multiple of this.
const CELLS: u32 = 8;

/// The side of the finest level's cells. Each other level has cells four times as wide.
const FINEST_CELL_M: f64 = 4.8;
const RATIO: i32 = 4;
/// The mean radius of a puff of each level, where its cell throws up no more than one.
const RADII_M: [f64; LEVELS] = [0.28, 0.5, 0.9];
/// The ratio of breaking water to the squared radius of its puff, the same at every level for equal
/// density. By eye, in a gale and in a storm.
const BREAKING_OVER_SQUARE: f64 = 300.0;
/// The stride of moments' parameters: no device needs a coarser alignment.
const STRIDE: u64 = 256;

/// The options that set the cost of spray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SprayOptions {
    /// The number of cells along one side of each of three levels, a multiple of 8. The first level
    /// reaches for 2.4 m per cell, and each other four times as far.
    pub cells: u32,
    /// The foam's steps a second, about ten of which tear spray off.
    pub steps_per_s: u32,
}

impl SprayOptions {
    /// The options of a tier of quality; none without spray, or without foam to make it.
    pub fn of(quality: &Quality) -> Option<Self> {
        let foam = FoamOptions::of(quality);
        let cells = quality.spray_cells.min(MOST_CELLS).next_multiple_of(CELLS);
        let is_any = cells > 0 && foam.texels > 0;
        is_any.then_some(Self { cells, steps_per_s: foam.steps_per_s })
    }

    /// The number of the foam's steps between moments.
    fn steps(&self) -> i64 {
        ((f64::from(self.steps_per_s) / MOMENTS_PER_S).round() as i64).max(1)
    }

    pub(super) fn interval_s(&self) -> f64 {
        self.steps() as f64 / f64::from(self.steps_per_s)
    }

    /// The number of moments whose spray still flies.
    pub(super) fn moments(&self) -> usize {
        // Spray leaves a moment before the next.
        let moments = (LIFE_S / self.interval_s()).ceil() as usize + 2;
        moments.min(MOST_MOMENTS)
    }

    fn slots_per_moment(&self) -> u32 {
        LEVELS as u32 * self.cells * self.cells
    }

    fn slots(&self) -> u32 {
        self.moments() as u32 * self.slots_per_moment()
    }

    pub(super) fn reach_m(&self) -> f64 {
        0.5 * f64::from(self.cells) * FINEST_CELL_M * f64::from(RATIO.pow(LEVELS as u32 - 1))
    }
}

/// The spray around an eye.
#[derive(Debug)]
pub struct Spray {
    pub(super) options: SprayOptions,
    tear: ComputePipeline,
    /// Choose the visible puffs of a frame, and place them.
    choose: ComputePipeline,
    place: ComputePipeline,
    puffs: RenderPipeline,
    draw_group: wgpu::BindGroup,
    flying: Flying,
}

/// The flying spray, and its visible puffs in a frame.
#[derive(Debug)]
struct Flying {
    steps: wgpu::Buffer,
    slots: wgpu::Buffer,
    tear_group: wgpu::BindGroup,
    moments: Vec<Option<Moment>>,
    view: Uniform<SprayView>,
    /// One bit for each slot.
    shown: wgpu::Buffer,
    placed: wgpu::Buffer,
    /// The number of drawn puffs.
    drawn: wgpu::Buffer,
    place_group: wgpu::BindGroup,
}

/// The time of a moment, and the place that it is around.
#[derive(Clone, Copy, Debug)]
struct Moment {
    at_s: f64,
    eye_m: [f64; 2],
}

impl Moment {
    /// Returns whether its spray is around an eye that is now at `eye_m`, and not that of another tile.
    fn is_around(&self, eye_m: [f64; 2], reach_m: f64) -> bool {
        (0..2).all(|axis| (self.eye_m[axis] - eye_m[axis]).abs() < 0.5 * TILE_M - reach_m)
    }
}

impl Spray {
    /// Builds the pipelines, over the scene that `visibility` sees; `noise` is
    /// the tile that breaks up foam. Returns none where `foam` has no memory, and the breaking of waves
    /// is unknown.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        pipelines: &Pipelines,
        options: SprayOptions,
        scene: &SceneBindings<'_>,
        (mesh, visibility): (&Mesh, &Visibility),
        foam: &Foam,
        noise: &wgpu::TextureView,
    ) -> Result<Option<Self>, ShaderError> {
        let device = pipelines.device();
        let (Some(foam_maps), Some(constants)) = (foam.maps(), foam.map_constants()) else {
            return Ok(None);
        };
        let step_bytes = NonZeroU64::new(size_of::<SprayStep>() as u64);
        let layout = bindings::layout(
            device,
            "Spray::tear_layout",
            wgpu::ShaderStages::COMPUTE,
            &[
                wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: true,
                    min_binding_size: step_bytes,
                },
                bindings::storage_read_write(),
            ],
        );
        use wgpu::BufferUsages as Usage;
        let buffer = |label, size: u64, usage| {
            let usage = Usage::STORAGE | usage;
            let label = Some(label);
            device.create_buffer(&wgpu::BufferDescriptor {
                label,
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let steps_bytes = STRIDE * u64::from(Foam::MOST_STEPS);
        let steps = buffer("Spray::steps", steps_bytes, Usage::UNIFORM | Usage::COPY_DST);
        let all = u64::from(options.slots());
        let slots = buffer("Spray::slots", size_of::<SpraySlot>() as u64 * all, Usage::COPY_SRC);
        let words = options.slots().next_multiple_of(WORKGROUP_SLOTS) / 32;
        let shown = buffer("Spray::shown", 4 * u64::from(words), Usage::empty());
        let placed = buffer("Spray::placed", size_of::<SprayPlaced>() as u64 * all, Usage::VERTEX);
        let drawn = buffer("Spray::drawn", 16, Usage::INDIRECT);
        let parameters = wgpu::BufferBinding { buffer: &steps, offset: 0, size: step_bytes };
        let tear_group =
            bindings::group(device, "Spray::tear_group", &layout, &[&parameters, &slots]);
        let layouts = [Some(&layout), Some(&foam_maps.group().layout)];
        let tear = pipelines.compute(ComputeDescriptor {
            constants: constants.into(),
            ..ComputeDescriptor::new("spray", TEAR, "tear", &layouts)
        })?;

        let view = Uniform::new(device, "Spray::view");
        let placing = bindings::bind(
            device,
            "Spray::place_group",
            wgpu::ShaderStages::COMPUTE,
            &[
                (bindings::uniform(), &view),
                (bindings::storage_read(), &slots),
                (bindings::storage_read_write(), &shown),
                (bindings::storage_read_write(), &placed),
                (bindings::storage_read_write(), &drawn),
            ],
        );
        let kernel = |entry_point| {
            pipelines.compute(ComputeDescriptor {
                groups: scene.with_view(mesh.placing_group()).layouts(Some(&placing.layout)),
                constants: scene.constants(&[]),
                ..ComputeDescriptor::new("spray", PLACE, entry_point, &[])
            })
        };
        let (choose, place) = (kernel("choose")?, kernel("place")?);

        let noise_sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("Spray::noise_sampler"),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..Default::default()
        });
        let own = bindings::bind(
            device,
            "Spray::draw_group",
            wgpu::ShaderStages::FRAGMENT,
            &[
                (bindings::texture(wgpu::TextureViewDimension::D2), noise),
                (bindings::sampler(), &noise_sampler),
            ],
        );
        let puffs = pipelines.render(RenderDescriptor {
            vertices: vec![wgpu::VertexBufferLayout {
                array_stride: size_of::<SprayPlaced>() as u64,
                step_mode: wgpu::VertexStepMode::Instance,
                attributes: &SprayPlaced::ATTRIBUTES,
            }],
            ..visibility.overlay(scene, "spray", PUFF, Some(&own.layout))
        })?;
        let moments = vec![None; options.moments()];
        let place_group = placing.bind_group;
        let flying =
            Flying { steps, slots, tear_group, moments, view, shown, placed, drawn, place_group };
        Ok(Some(Self { options, tear, choose, place, puffs, draw_group: own.bind_group, flying }))
    }

    /// Tears spray off at a step of the foam, for the eye at `eye_m`. The position is in metres (x, z) of the
    /// world, like `origin_m`, the origin of the foam's waves. A coordinate that is NaN or infinite is 0.
    pub fn tear(
        &mut self,
        pass: &mut wgpu::ComputePass<'_>,
        queue: &wgpu::Queue,
        step: &StepTaken<'_>,
        eye_m: [f64; 2],
        origin_m: [f64; 2],
    ) {
        let (eye_m, origin_m) = (finite(eye_m), finite(origin_m));
        let flying = &mut self.flying;
        if step.is_first {
            flying.moments.fill(None);
        }
        let sea = step.sea;
        let tearing = Tearing::of(&sea.waves.sea);
        let steps = self.options.steps();
        if tearing.share <= 0.0 || step.number.rem_euclid(steps) != 0 {
            return;
        }
        let number = step.number.div_euclid(steps);
        let moment = number.rem_euclid(flying.moments.len() as i64) as usize;
        flying.moments[moment] = Some(Moment { at_s: step.number as f64 * step.seconds, eye_m });
        let cells = self.options.cells;
        let parameters = SprayStep {
            levels: std::array::from_fn(|level| {
                let (side_m, threshold) = sea.level(level as u32);
                level_at(level, cells, eye_m, origin_m, side_m, threshold)
            }),
            wind_mps: tearing.wind_mps.map(|part| part as f32),
            origin_m: origin_m.map(|metres| metres.rem_euclid(TILE_M) as f32),
            cells,
            first_slot: moment as u32 * self.options.slots_per_moment(),
            // The number repeats after a year or more.
            number: number as u32,
            // Fewer moments tear more spray each.
            torn: (tearing.share * self.options.interval_s() * MOMENTS_PER_S) as f32,
        };
        let offset = STRIDE * u64::from(step.index);
        queue.write_buffer(&flying.steps, offset, bytemuck::bytes_of(&parameters));
        pass.set_pipeline(&self.tear.get());
        pass.set_bind_group(0, &flying.tear_group, &[offset as u32]);
        pass.set_bind_group(1, step.maps.bind_group(), &[]);
        pass.dispatch_workgroups(cells / WORKGROUP_CELLS, cells, LEVELS as u32);
    }

    /// Updates the view of the frame at `time_s` from an eye at `eye_m`, in a sea of state `sea` within
    /// `bounds`. A time or a coordinate that is NaN or infinite is 0.
    pub fn update(
        &self,
        queue: &wgpu::Queue,
        time_s: f64,
        eye_m: [f64; 2],
        sea: &SeaState,
        bounds: SeaBounds,
    ) {
        if !self.is_any() {
            return;
        }
        let ([time_s], eye_m) = (finite([time_s]), finite(eye_m));
        let tearing = Tearing::of(sea);
        let mut ages_s = [[-1.0; 4]; MOST_MOMENTS / 4];
        // Spray has flown on from its origin.
        let reach_m = self.options.reach_m() + 0.5 * coarsest_cell_m() + LIFE_S * 60.0;
        for (index, moment) in self.flying.moments.iter().enumerate() {
            if let Some(moment) = moment.filter(|moment| moment.is_around(eye_m, reach_m)) {
                ages_s[index / 4][index % 4] = (time_s - moment.at_s) as f32;
            }
        }
        let view = SprayView {
            eye_m: eye_m.map(|metres| metres.rem_euclid(TILE_M) as f32),
            wind_mps: tearing.wind_mps.map(|part| part as f32),
            spindrift: tearing.spindrift as f32,
            interval_s: self.options.interval_s() as f32,
            reach_m: self.options.reach_m() as f32,
            waves_m: bounds.vertical_m as f32,
            slots_per_moment: self.options.slots_per_moment(),
            slots: self.options.slots(),
            _padding: [0; 2],
            ages_s,
        };
        self.flying.view.write(queue, &view);
    }

    /// Returns whether there may be any spray. Otherwise nothing is drawn.
    pub fn is_any(&self) -> bool {
        self.flying.moments.iter().any(Option::is_some)
    }

    /// Places the visible puffs of the frame.
    pub fn place(&self, stages: &mut Stages<'_, '_>, scene: &SceneBindings<'_>, mesh: &Mesh) {
        let scene = scene.with_view(mesh.placing_group());
        stages.stage("spray", |pass| {
            for kernel in [&self.choose, &self.place] {
                kernel.bind(pass, &scene.groups(Some(&self.flying.place_group)));
                pass.dispatch_workgroups(self.options.slots().div_ceil(WORKGROUP_SLOTS), 1, 1);
            }
        });
    }

    /// Draws the puffs of [`Spray::place`] over the scene that it was built for ([`Visibility::over`]),
    /// in the order of its slots.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneBindings<'_>) {
        self.puffs.bind(pass, &scene.groups(Some(&self.draw_group)));
        pass.set_vertex_buffer(0, self.flying.placed.slice(..));
        pass.draw_indirect(&self.flying.drawn, 0);
    }

    /// Takes over the flying spray of `other`, which this one replaces. Returns false where their
    /// options differ too much: spray then begins with new foam.
    pub fn continue_from(&mut self, other: &mut Self) -> bool {
        let is_alike = self.options == other.options;
        if is_alike {
            std::mem::swap(&mut self.flying, &mut other.flying);
        }
        is_alike
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        let Flying { view, steps, slots, shown, placed, drawn, .. } = &self.flying;
        [steps, slots, shown, placed, drawn]
            .into_iter()
            .fold(view.allocations::<A>(), |held, buffer| held.with_buffer(buffer))
    }

    /// The moments whose spray it keeps, in seconds, in the order of its ring.
    #[cfg(test)]
    pub(super) fn moments_s(&self) -> impl Iterator<Item = f64> {
        self.flying.moments.iter().flatten().map(|moment| moment.at_s)
    }

    /// The slots, indexed `[moment][level][z][x]`, of a submitted frame.
    #[cfg(test)]
    pub(super) fn slots(&self) -> &wgpu::Buffer {
        &self.flying.slots
    }
}

fn cell_m(level: usize) -> f64 {
    FINEST_CELL_M * f64::from(RATIO.pow(level as u32))
}

/// The cells whose corners levels are centred on.
fn coarsest_cell_m() -> f64 {
    cell_m(LEVELS)
}

/// The cells of a level around the eye. Each level is centred on a corner of the next one's cells, and
/// so covers whole cells of it.
fn level_at(
    level: usize,
    cells: u32,
    eye_m: [f64; 2],
    origin_m: [f64; 2],
    side_m: f64,
    threshold: f64,
) -> SprayLevel {
    let first = |level: usize| {
        let half = i64::from(cells) / 2;
        eye_m.map(|eye_m| (eye_m / cell_m(level + 1)).round() as i64 * i64::from(RATIO) - half)
    };
    let finer = level.checked_sub(1).map(first);
    let from = first(level);
    SprayLevel {
        first: from.map(|cell| cell as i32),
        corner_m: [0, 1].map(|axis| (from[axis] as f64 * cell_m(level) - origin_m[axis]) as f32),
        inner: finer.map_or([0; 2], |finer| finer.map(|cell| (cell / i64::from(RATIO)) as i32)),
        inner_cells: finer.map_or(0, |_| cells as i32 / RATIO),
        cell_m: cell_m(level) as f32,
        side_m: side_m as f32,
        threshold: threshold as f32,
        radius_m: RADII_M[level] as f32,
        area_m2: (BREAKING_OVER_SQUARE * RADII_M[level].powi(2)) as f32,
    }
}

const _: () = assert!(size_of::<SprayStep>() as u64 <= STRIDE);
