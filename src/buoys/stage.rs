//! Floating and drawing them.

use std::collections::BTreeSet;
use std::ops::Range;

use bytemuck::Zeroable;
use glam::{DVec2, DVec3, Vec3};

use super::gpu_data::{BuoyMooring, BuoyMoorings, BuoyPose};
use super::model::{Model, REACH_M, Vertex};
use super::{FOOTPRINT_M, MOORINGS, Mooring};
use crate::gpu::shader::{ShaderError, compose, depends};
use crate::gpu::{ComputeKernel, Holdings, Uniform, bindings, compute_kernel_of, filled};
use crate::maps::Maps;
use crate::mesh::{EARTH_RADIUS_M, Grid, Levels, Mesh, SeaBounds, View};
use crate::profile::Stages;
use crate::shading::{DEPTH_FORMAT, HDR_FORMAT, RayDepth, Sky};

pub(super) const FLOAT: &str = "buoys/float.wgsl";
pub(super) const DRAW: &str = "buoys/buoy.wgsl";

/// Buoys that are fewer pixels high are drawn from the coarser model.
const FINE_PIXELS: f64 = 48.0;

/// The buoys of a frame. Clones share what is on the GPU.
#[derive(Clone, Debug)]
pub struct Buoys {
    float: ComputeKernel,
    pipelines: Pipelines,
    float_layout: wgpu::BindGroupLayout,
    draw_layout: wgpu::PipelineLayout,
    samples: u32,
    constants: [(&'static str, f64); 1],
    moorings: Uniform<BuoyMoorings>,
    poses: wgpu::Buffer,
    float_group: wgpu::BindGroup,
    draw_group: wgpu::BindGroup,
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    /// Indices of the finer and of the coarser model.
    models: [Range<u32>; 2],
    /// Buoys in view, those of the finer model first.
    shown: u32,
    fine: u32,
}

#[derive(Clone, Debug)]
struct Pipelines {
    light: wgpu::RenderPipeline,
    /// For [`RayDepth`].
    distance: wgpu::RenderPipeline,
}

impl Buoys {
    /// The kernel, the pipelines, for [`HDR_FORMAT`] and [`DEPTH_FORMAT`] with `samples` samples a
    /// pixel, and the model.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        device: &wgpu::Device,
        mesh: &Mesh,
        maps: &Maps,
        sky: &Sky,
        samples: u32,
    ) -> Result<Self, ShaderError> {
        let moorings = Uniform::new(device, "Buoys::moorings");
        let poses = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Buoys::poses"),
            size: (MOORINGS.len() * size_of::<BuoyPose>()) as u64,
            usage: wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::UNIFORM
                | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let (float_layout, float_group) = bindings::bind(
            device,
            "Buoys::float_group",
            wgpu::ShaderStages::COMPUTE,
            &[(bindings::uniform(), &moorings), (bindings::storage_read_write(), &poses)],
        );
        let (poses_layout, draw_group) = bindings::bind(
            device,
            "Buoys::draw_group",
            wgpu::ShaderStages::VERTEX_FRAGMENT,
            &[(bindings::uniform(), &poses)],
        );
        // The maps' group is there so that the pass need not bind the sky again: see
        // `SkyBackground::new`.
        let draw_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("Buoys::draw_layout"),
            bind_group_layouts: &[
                Some(mesh.bind_group_layout()),
                Some(maps.bind_group_layout()),
                Some(sky.bind_group_layout()),
                Some(&poses_layout),
            ],
            immediate_size: 0,
        });
        let model = Model::new();
        let vertices = bytemuck::cast_slice(&model.vertices);
        let indices = bytemuck::cast_slice(&model.indices);
        Ok(Self {
            float: float_kernel(device, &float_layout, maps.bind_group_layout())?,
            pipelines: Pipelines::new(device, &draw_layout, samples, &sky.constants())?,
            float_layout,
            draw_layout,
            samples,
            constants: sky.constants(),
            moorings,
            poses,
            float_group,
            draw_group,
            vertices: filled(device, "Buoys::vertices", wgpu::BufferUsages::VERTEX, vertices),
            indices: filled(device, "Buoys::indices", wgpu::BufferUsages::INDEX, indices),
            models: [model.near, model.far],
            shown: 0,
            fine: 0,
        })
    }

    /// The same with its shaders compiled again, where they are made of one of `changed`, files under
    /// `shaders/`.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader is broken.
    pub(crate) fn recompiled(
        &self,
        device: &wgpu::Device,
        maps: &Maps,
        changed: &BTreeSet<String>,
    ) -> Result<Option<Self>, ShaderError> {
        let (float, draw) = (depends(FLOAT, changed)?, depends(DRAW, changed)?);
        if !float && !draw {
            return Ok(None);
        }
        let mut new = self.clone();
        if float {
            new.float = float_kernel(device, &self.float_layout, maps.bind_group_layout())?;
        }
        if draw {
            new.pipelines =
                Pipelines::new(device, &self.draw_layout, self.samples, &self.constants)?;
        }
        Ok(Some(new))
    }

    /// Chooses the buoys of a frame: of the first `count` moorings, those that `view` can show. They
    /// float on the water that `grid` shows, which `bounds` bound. Allocates nothing.
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

    /// Buoys that [`Buoys::select`] chose. Where there are none, nothing is recorded for them.
    pub fn shown(&self) -> u32 {
        self.shown
    }

    /// Records what floats them on the sea that `maps` hold, whose origin is the anchor of the grid
    /// that they were selected for.
    pub fn record(&self, stages: &mut Stages<'_, '_>, maps: &Maps) {
        if self.shown == 0 {
            return;
        }
        stages.stage("buoys", |pass| {
            pass.set_pipeline(&self.float.pipeline);
            pass.set_bind_group(0, &self.float_group, &[]);
            pass.set_bind_group(1, maps.bind_group(), &[]);
            pass.dispatch_workgroups(1, 1, 1);
        });
    }

    /// Draws them, in a pass that draws the sea of `mesh` under `sky`.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, mesh: &Mesh, maps: &Maps, sky: &Sky) {
        self.draw_with(pass, &self.pipelines.light, mesh, maps, sky);
    }

    /// Draws their distances, in the pass of [`RayDepth`].
    pub fn draw_distance(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        mesh: &Mesh,
        maps: &Maps,
        sky: &Sky,
    ) {
        self.draw_with(pass, &self.pipelines.distance, mesh, maps, sky);
    }

    fn draw_with(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &wgpu::RenderPipeline,
        mesh: &Mesh,
        maps: &Maps,
        sky: &Sky,
    ) {
        if self.shown == 0 {
            return;
        }
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, mesh.bind_group(), &[]);
        pass.set_bind_group(1, maps.bind_group(), &[]);
        pass.set_bind_group(2, sky.bind_group(), &[]);
        pass.set_bind_group(3, &self.draw_group, &[]);
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint16);
        let [near, far] = &self.models;
        for (model, buoys) in [(near, 0..self.fine), (far, self.fine..self.shown)] {
            if !buoys.is_empty() {
                pass.draw_indexed(model.clone(), 0, buoys);
            }
        }
    }

    /// What they take.
    pub(crate) fn holdings<H: Holdings>(&self) -> H {
        self.moorings
            .holdings::<H>()
            .with_buffer(&self.poses)
            .with_buffer(&self.vertices)
            .with_buffer(&self.indices)
    }

    /// How they lie, once a frame was submitted: `BuoyPose` of `buoys/pose.wgsl`.
    #[cfg(test)]
    pub(super) fn poses(&self) -> &wgpu::Buffer {
        &self.poses
    }
}

/// How many pixels high a buoy would be in the middle of the picture, if any of it can be seen.
fn pixels_high(mooring: &Mooring, view: &View, bounds: SeaBounds) -> Option<f64> {
    let eye_m = view.position_m;
    let [x, z] = mooring.position_m;
    let offset = DVec2::new(x - eye_m.x, z - eye_m.z);
    let drop_m = offset.length_squared() / (2.0 * EARTH_RADIUS_M);
    let middle = Vec3::new(offset.x as f32, (-eye_m.y - drop_m) as f32, offset.y as f32);
    let reach_m = REACH_M + bounds.vertical_m;
    let is_inside =
        |plane: &glam::Vec4| f64::from(plane.truncate().dot(middle) + plane.w) >= -reach_m;
    // The wave under it brings it no nearer than that.
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

/// Waves that a mesh of this spacing cannot show are not felt: the hull is too wide for them, or they
/// are not drawn.
pub(super) fn footprint_m(mooring: &Mooring, view: &View, levels: &Levels) -> f64 {
    let [x, z] = mooring.position_m;
    let offset = DVec3::new(x, 0.0, z) - view.position_m;
    levels.spacing_m(offset.length()).max(FOOTPRINT_M)
}

fn float_kernel(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    maps_layout: &wgpu::BindGroupLayout,
) -> Result<ComputeKernel, ShaderError> {
    compute_kernel_of(device, FLOAT, &compose(FLOAT)?, "poses", &[Some(layout), Some(maps_layout)])
}

impl Pipelines {
    fn new(
        device: &wgpu::Device,
        layout: &wgpu::PipelineLayout,
        samples: u32,
        constants: &[(&str, f64)],
    ) -> Result<Self, ShaderError> {
        let compilation_options =
            wgpu::PipelineCompilationOptions { constants, ..Default::default() };
        let module = crate::gpu::render_module(device, DRAW)?;
        let pipeline = |label, fragment, samples, format: wgpu::TextureFormat| {
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(label),
                layout: Some(layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some("vertex"),
                    compilation_options: compilation_options.clone(),
                    buffers: &[Some(wgpu::VertexBufferLayout {
                        array_stride: size_of::<Vertex>() as u64,
                        step_mode: wgpu::VertexStepMode::Vertex,
                        attributes: &Vertex::ATTRIBUTES,
                    })],
                },
                primitive: wgpu::PrimitiveState {
                    cull_mode: Some(wgpu::Face::Back),
                    ..Default::default()
                },
                depth_stencil: Some(wgpu::DepthStencilState {
                    format: DEPTH_FORMAT,
                    depth_write_enabled: Some(true),
                    depth_compare: Some(wgpu::CompareFunction::Greater),
                    stencil: Default::default(),
                    bias: Default::default(),
                }),
                multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some(fragment),
                    compilation_options: compilation_options.clone(),
                    targets: &[Some(format.into())],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        Ok(Self {
            light: pipeline("Buoys::light", "fragment", samples, HDR_FORMAT),
            distance: pipeline("Buoys::distance", "ray_depth", 1, RayDepth::FORMAT),
        })
    }
}
