//! The stage that floats and draws buoys.

use std::ops::Range;

use bytemuck::Zeroable;
use glam::{DVec2, DVec3, Vec3};

use super::gpu_data::{BuoyMooring, BuoyMoorings, BuoyPose};
use super::model::{Model, REACH_M, Vertex};
use super::{FOOTPRINT_M, MOORINGS, Mooring};
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    Allocations, ComputeDescriptor, ComputePipeline, Pipelines, RenderDescriptor, RenderPipeline,
    Uniform, bindings, filled,
};
use crate::maps::Maps;
use crate::mesh::{EARTH_RADIUS_M, Grid, Levels, SeaBounds, View};
use crate::profile::Stages;
use crate::shading::{RayDepth, SceneBindings, Visibility, depth_state};

pub(super) const FLOAT: &str = "buoys/float.wgsl";
pub(super) const DRAW: &str = "buoys/draw.wgsl";
pub(super) const LIGHT: &str = "buoys/light.wgsl";

/// The height in pixels below which buoys have the coarser model.
const FINE_PIXELS: f64 = 48.0;

/// The buoys of a frame.
#[derive(Debug)]
pub struct Buoys {
    float: ComputePipeline,
    visible: RenderPipeline,
    light: ComputePipeline,
    distance: RenderPipeline,
    moorings: Uniform<BuoyMoorings>,
    poses: wgpu::Buffer,
    float_group: wgpu::BindGroup,
    draw_group: wgpu::BindGroup,
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    models: [Range<u32>; 2],
    /// The number of buoys in view, those of the finer model first.
    shown: u32,
    fine: u32,
}

impl Buoys {
    /// Builds the pipelines, for the samples of `visibility`, and the model. They float on `maps`.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        pipelines: &Pipelines,
        scene: &SceneBindings<'_>,
        maps: &Maps,
        visibility: &Visibility,
    ) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let moorings = Uniform::new(device, "Buoys::moorings");
        let poses = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Buoys::poses"),
            size: (MOORINGS.len() * size_of::<BuoyPose>()) as u64,
            usage: wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::UNIFORM
                | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let floating = bindings::bind(
            device,
            "Buoys::float_group",
            wgpu::ShaderStages::COMPUTE,
            &[(bindings::uniform(), &moorings), (bindings::storage_read_write(), &poses)],
        );
        let drawn = bindings::bind(
            device,
            "Buoys::draw_group",
            wgpu::ShaderStages::VERTEX_FRAGMENT | wgpu::ShaderStages::COMPUTE,
            &[(bindings::uniform(), &poses)],
        );
        let layouts = [Some(&floating.layout), Some(&maps.group().layout)];
        let float = pipelines.compute(ComputeDescriptor::new("buoys", FLOAT, "poses", &layouts))?;
        let drawing = |fragment, samples, format: wgpu::TextureFormat| {
            pipelines.render(RenderDescriptor {
                groups: scene.layouts(Some(&drawn.layout)),
                constants: scene.constants(&[]),
                vertices: vec![wgpu::VertexBufferLayout {
                    array_stride: size_of::<Vertex>() as u64,
                    step_mode: wgpu::VertexStepMode::Vertex,
                    attributes: &Vertex::ATTRIBUTES,
                }],
                primitive: wgpu::PrimitiveState {
                    cull_mode: Some(wgpu::Face::Back),
                    ..Default::default()
                },
                depth: depth_state(true, wgpu::CompareFunction::Greater),
                samples,
                ..RenderDescriptor::new("buoys", DRAW, ["vertex", fragment], format)
            })
        };
        let model = Model::new();
        let vertices = bytemuck::cast_slice(&model.vertices);
        let indices = bytemuck::cast_slice(&model.indices);
        Ok(Self {
            float,
            visible: drawing("visible", visibility.samples(), Visibility::FORMAT)?,
            light: pipelines.compute(visibility.kernel(
                scene,
                "buoys",
                LIGHT,
                Some(&drawn.layout),
            ))?,
            distance: drawing("ray_depth", 1, RayDepth::FORMAT)?,
            moorings,
            poses,
            float_group: floating.bind_group,
            draw_group: drawn.bind_group,
            vertices: filled(device, "Buoys::vertices", wgpu::BufferUsages::VERTEX, vertices),
            indices: filled(device, "Buoys::indices", wgpu::BufferUsages::INDEX, indices),
            models: [model.near, model.far],
            shown: 0,
            fine: 0,
        })
    }

    /// Chooses the visible buoys among the first `count` moorings. They float on the water of `grid`,
    /// within `bounds`. It does not allocate.
    pub fn select(
        &mut self,
        queue: &wgpu::Queue,
        view: &View,
        grid: &Grid,
        bounds: SeaBounds,
        count: u32,
        time_s: f64,
    ) {
        let anchor_m = grid.anchor_m(view.position_m);
        let levels = grid.levels(view, bounds);
        let mut chosen = [BuoyMooring::zeroed(); MOORINGS.len()];
        let (mut shown, mut fine) = (0, 0);
        let moorings = MOORINGS.iter().take(count as usize);
        for mooring in moorings {
            let Some(pixels) = pixels_high(mooring, view, bounds) else { continue };
            let at = placed(mooring, view, &levels, anchor_m, time_s);
            chosen[shown] = at;
            if pixels >= FINE_PIXELS {
                chosen.swap(fine, shown);
                fine += 1;
            }
            shown += 1;
        }
        (self.shown, self.fine) = (shown as u32, fine as u32);
        if shown > 0 {
            let count = self.shown;
            self.moorings.write(queue, &BuoyMoorings { moorings: chosen, count, _padding: 0 });
        }
    }

    /// The number of buoys that [`Buoys::select`] chose. Where there are none, nothing is recorded for them.
    pub fn shown(&self) -> u32 {
        self.shown
    }

    /// Records the dispatch that floats them on the sea of `maps`, whose origin is the anchor of the
    /// grid that they were selected for.
    pub fn record(&self, stages: &mut Stages<'_, '_>, maps: &Maps) {
        if self.shown == 0 {
            return;
        }
        stages.stage("buoys", |pass| {
            self.float.bind(pass, &[Some(&self.float_group), Some(maps.bind_group())]);
            pass.dispatch_workgroups(1, 1, 1);
        });
    }

    /// Draws them for samples, in the pass of [`Visibility`].
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneBindings<'_>) {
        self.draw_with(pass, &self.visible, scene);
    }

    /// Lights the samples that see buoys.
    pub fn light(
        &self,
        stages: &mut Stages<'_, '_>,
        scene: &SceneBindings<'_>,
        visibility: &Visibility,
    ) {
        if self.shown > 0 {
            stages.stage("buoys' light", |pass| {
                visibility.dispatch(pass, &self.light, scene, Some(&self.draw_group));
            });
        }
    }

    /// Draws their distances, in the pass of [`RayDepth`].
    pub fn draw_distance(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneBindings<'_>) {
        self.draw_with(pass, &self.distance, scene);
    }

    fn draw_with(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &RenderPipeline,
        scene: &SceneBindings<'_>,
    ) {
        if self.shown == 0 {
            return;
        }
        pipeline.bind(pass, &scene.groups(Some(&self.draw_group)));
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint16);
        let [near, far] = &self.models;
        for (model, buoys) in [(near, 0..self.fine), (far, self.fine..self.shown)] {
            if !buoys.is_empty() {
                pass.draw_indexed(model.clone(), 0, buoys);
            }
        }
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        self.moorings
            .allocations::<A>()
            .with_buffer(&self.poses)
            .with_buffer(&self.vertices)
            .with_buffer(&self.indices)
    }

    /// The poses of a submitted frame, in the layout of `BuoyPose` of `buoys/pose.wgsl`.
    #[cfg(test)]
    pub(super) fn poses(&self) -> &wgpu::Buffer {
        &self.poses
    }
}

/// The height in pixels that a buoy would have in the middle of the picture, if any of it can be seen.
fn pixels_high(mooring: &Mooring, view: &View, bounds: SeaBounds) -> Option<f64> {
    let eye_m = view.position_m;
    let [x, z] = mooring.position_m;
    let offset = DVec2::new(x - eye_m.x, z - eye_m.z);
    let drop_m = offset.length_squared() / (2.0 * EARTH_RADIUS_M);
    let middle = Vec3::new(offset.x as f32, (-eye_m.y - drop_m) as f32, offset.y as f32);
    let reach_m = REACH_M + bounds.vertical_m;
    let is_inside =
        |plane: &glam::Vec4| f64::from(plane.truncate().dot(middle) + plane.w) >= -reach_m;
    // The wave under it brings it no nearer.
    let distance_m = (f64::from(middle.length()) - bounds.vertical_m).max(0.1);
    let pixels = REACH_M / (distance_m * f64::from(view.pixel_angle_rad));
    (pixels >= 1.0 && view.frustum.iter().all(is_inside)).then_some(pixels)
}

fn placed(
    mooring: &Mooring,
    view: &View,
    levels: &Levels,
    anchor_m: [f64; 2],
    time_s: f64,
) -> BuoyMooring {
    BuoyMooring {
        position: [0, 1].map(|axis| (mooring.position_m[axis] - anchor_m[axis]) as f32),
        log2_footprint_m: footprint_m(mooring, view, levels).log2() as f32,
        mark: mooring.mark as u32,
        heading_rad: mooring.heading_rad as f32,
        lamp: mooring.mark.lamp(time_s) as f32,
        _padding: [0.0; 2],
    }
}

/// The spacing of a mesh that shows the waves that a buoy follows: shorter waves are narrower than the
/// hull, or not drawn.
pub(super) fn footprint_m(mooring: &Mooring, view: &View, levels: &Levels) -> f64 {
    let [x, z] = mooring.position_m;
    let offset = DVec3::new(x, 0.0, z) - view.position_m;
    levels.spacing_m(offset.length()).max(FOOTPRINT_M)
}
