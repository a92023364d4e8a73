//! The triangle of the water that each sample of the picture sees, and the light that was found for it.

use super::{DEPTH_FORMAT, HDR_FORMAT, SceneBindings, depth_state};
use crate::gpu::bindings::{self, Group, Layout};
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    Allocations, ComputeDescriptor, ComputePipeline, Pipelines, RenderDescriptor, RenderPipeline,
    Shader, TextureSpec, color_attachment,
};
use crate::mesh::Mesh;
use crate::profile::Recorder;

pub(super) const SHADERS: &[&str] = &["shading/visibility.wgsl", "shading/light_tiles.wgsl"];

/// The side in pixels of the tiles that are lit together, `LIGHT_TILE` of `shading/seen.wgsl`.
const TILE: u32 = 8;
/// The lists of tiles, `VISIBLE_LISTS` of `shading/visible.wgsl`.
const LISTS: u32 = 7;
/// Tiles that a workgroup of `shading/light_tiles.wgsl` classifies.
const TILES_ABREAST: u32 = 8;
/// Tiles that a workgroup lights one after another where all of them show a kind: on a GPU, whose
/// workgroups leave empty tiles at once, and on a software adapter.
const TILES_A_WORKGROUP: [u32; 2] = [2, 32];

/// How much of the picture the tiles of a list usually cover: all of it, or one part in this many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tiles {
    Many = 1,
    Few = 8,
}

/// The pass that finds the triangle of each sample, and the bindings of kernels that light them.
#[derive(Debug)]
pub struct Visibility {
    pipeline: RenderPipeline,
    list: ComputePipeline,
    samples: u32,
    /// Tiles that a workgroup lights one after another, at most.
    tiles_a_workgroup: u32,
    bound: Bound,
}

/// The triangle that each sample sees, and its exposed light.
#[derive(Debug)]
pub struct VisibilityTargets {
    visible: wgpu::TextureView,
    depth: wgpu::TextureView,
    /// The lights, one layer a sample.
    pub(super) lights: wgpu::TextureView,
    /// The picture's tiles by the kinds that they show (`LightTiles` of `shading/seen.wgsl`).
    tiles: wgpu::Buffer,
}

#[derive(Debug)]
struct Bound {
    lights: wgpu::TextureView,
    displaced: wgpu::Buffer,
    /// For kernels that light samples: view, grid, displaced vertices, tiles of the grid, visible
    /// triangles, depth, lights, and tiles of the picture (`shading/lights.wgsl`).
    lighting: Group,
    /// For the kernel that lists the tiles of the picture: everything except the lights.
    listing: Group,
    /// For passes that draw over the scene: view, grid, displaced vertices, tiles and depth.
    drawing: Group,
}

impl Visibility {
    /// The format of visible triangles (`shading/visible.wgsl`). WebGPU has no 32-bit integers with
    /// several samples a pixel.
    pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg16Uint;

    /// Builds the pipeline for pictures of the given number of samples a pixel.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        pipelines: &Pipelines,
        scene: &SceneBindings<'_>,
        mesh: &Mesh,
        samples: u32,
    ) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let bound = Bound::new(mesh, &VisibilityTargets::new(device, [1, 1], samples));
        let pipeline = pipelines.render(RenderDescriptor {
            groups: vec![Some(scene.view.layout.clone())],
            depth: depth_state(true, wgpu::CompareFunction::Greater),
            samples,
            ..RenderDescriptor::new("visibility", SHADERS[0], ["vertex", "fragment"], Self::FORMAT)
        })?;
        let list = pipelines.compute(ComputeDescriptor {
            groups: [&bound.listing, scene.objects].map(|group| Some(group.layout.clone())).into(),
            constants: vec![("SAMPLES", f64::from(samples))],
            ..ComputeDescriptor::new(
                "visibility",
                of_samples(SHADERS[1].into(), samples),
                "list",
                &[],
            )
        })?;
        let is_software = device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        let tiles_a_workgroup = TILES_A_WORKGROUP[usize::from(is_software)];
        Ok(Self { pipeline, list, samples, tiles_a_workgroup, bound })
    }

    pub(crate) fn samples(&self) -> u32 {
        self.samples
    }

    /// Lights `targets` with `mesh`'s vertices from now on.
    pub fn fit(&mut self, mesh: &Mesh, targets: &VisibilityTargets) {
        if self.bound.lights != targets.lights || self.bound.displaced != *mesh.displaced() {
            self.bound = Bound::new(mesh, targets);
        }
    }

    /// Finds the triangle and the depth of each sample among `mesh`'s tiles and the objects that
    /// `others` draws with pipelines for [`Visibility::FORMAT`] and [`DEPTH_FORMAT`]. Then lists the
    /// tiles of the picture.
    pub fn record(
        &self,
        recorder: &mut Recorder<'_>,
        scene: &SceneBindings<'_>,
        mesh: &Mesh,
        targets: &VisibilityTargets,
        others: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        recorder.render(
            &wgpu::RenderPassDescriptor {
                label: Some("visibility"),
                // Pixels without triangles keep old values: the depth marks them, and clearing takes
                // as long as drawing.
                color_attachments: &[Some(color_attachment(&targets.visible, wgpu::LoadOp::Load))],
                depth_stencil_attachment: Some(targets.depth_attachment()),
                ..Default::default()
            },
            |pass| {
                self.pipeline.bind(pass, &[Some(&mesh.group().bind_group)]);
                mesh.draw(pass);
                others(pass);
            },
        );
        recorder.encoder().clear_buffer(&targets.tiles, 0, Some(COUNTS_BYTES));
        recorder.compute("tiles", |stages| {
            stages.stage("tiles", |pass| {
                let groups = [&self.bound.listing, scene.objects];
                self.list.bind(pass, &groups.map(|group| Some(&group.bind_group)));
                let [width, height] = targets.resolution().map(|side| side.div_ceil(TILE));
                pass.dispatch_workgroups(width.div_ceil(TILES_ABREAST), height, 1);
            });
        });
    }

    /// Dispatches a kernel that keeps lights and also binds `own` over the tiles of a list, in the order
    /// of `light_tile` of `shading/lights.wgsl`. Workgroups that find no tile take time, too: there are
    /// fewer for a list that rarely holds many.
    pub(crate) fn dispatch(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        kernel: &ComputePipeline,
        scene: &SceneBindings<'_>,
        own: Option<&wgpu::BindGroup>,
        holds: Tiles,
    ) {
        kernel.bind(pass, &scene.with_view(&self.bound.lighting).groups(own));
        let [width, height] = self.bound.picture_tiles();
        // Workgroups light several tiles where one dimension cannot hold them all.
        let workgroups = (width * height).div_ceil(self.tiles_a_workgroup * holds as u32);
        pass.dispatch_workgroups(workgroups.min(65_535), 1, 1);
    }

    /// Dispatches a kernel as [`Visibility::dispatch`] does, over the whole picture, a workgroup a tile.
    pub(crate) fn dispatch_everywhere(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        kernel: &ComputePipeline,
        scene: &SceneBindings<'_>,
        own: Option<&wgpu::BindGroup>,
    ) {
        kernel.bind(pass, &scene.with_view(&self.bound.lighting).groups(own));
        let [width, height] = self.bound.picture_tiles();
        pass.dispatch_workgroups(width, height, 1);
    }

    /// The declaration of a kernel that keeps lights (`shading/lights.wgsl`) by its entry point `light`,
    /// and also binds `own`.
    pub(crate) fn kernel(
        &self,
        scene: &SceneBindings<'_>,
        stage: &'static str,
        shader: &'static str,
        own: Option<&Layout>,
    ) -> ComputeDescriptor {
        ComputeDescriptor {
            groups: scene.with_view(&self.bound.lighting).layouts(own),
            constants: scene.constants(&[("SAMPLES", f64::from(self.samples))]),
            ..ComputeDescriptor::new(stage, of_samples(shader.into(), self.samples), "light", &[])
        }
    }

    /// The scene for passes that draw over it, which also bind its depth (group 0, binding 4).
    pub fn over<'a>(&'a self, scene: &SceneBindings<'a>) -> SceneBindings<'a> {
        scene.with_view(&self.bound.drawing)
    }

    /// A pipeline that adds its light over such a scene, and covers it by its alpha. `own` is group 3.
    pub(crate) fn overlay(
        &self,
        scene: &SceneBindings<'_>,
        stage: &'static str,
        shader: &'static str,
        own: Option<&Layout>,
    ) -> RenderDescriptor {
        let target = wgpu::ColorTargetState {
            format: HDR_FORMAT,
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            write_mask: wgpu::ColorWrites::ALL,
        };
        let shader = of_samples(shader.into(), self.samples());
        RenderDescriptor {
            groups: self.over(scene).layouts(own),
            constants: scene.constants(&[("SAMPLES", f64::from(self.samples()))]),
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Default::default()
            },
            ..RenderDescriptor::new(stage, shader, ["vertex", "fragment"], target)
        }
    }
}

/// Makes `shader` one for pictures of the given number of samples a pixel.
fn of_samples(shader: Shader, samples: u32) -> Shader {
    match samples {
        1 => shader.replacing("texture_multisampled_2d", "texture_2d"),
        _ => shader,
    }
}

impl VisibilityTargets {
    /// Creates the textures of a picture with the given resolution and samples a pixel.
    pub fn new(device: &wgpu::Device, resolution: [u32; 2], samples: u32) -> Self {
        let visible =
            TextureSpec::target("VisibilityTargets::visible", resolution, Visibility::FORMAT)
                .with_usage(wgpu::TextureUsages::TEXTURE_BINDING)
                .samples(samples)
                .create_view(device);
        let depth = TextureSpec::target("VisibilityTargets::depth", resolution, DEPTH_FORMAT)
            .with_usage(wgpu::TextureUsages::TEXTURE_BINDING)
            .samples(samples)
            .create_view(device);
        let lights = TextureSpec::storage("VisibilityTargets::lights", resolution, HDR_FORMAT)
            .layers(samples)
            .create(device)
            .create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(LAYERS),
                ..Default::default()
            });
        let [width, height] = resolution.map(|side| u64::from(side.div_ceil(TILE)));
        let tiles = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("VisibilityTargets::tiles"),
            size: COUNTS_BYTES + 4 * u64::from(LISTS + 1) * width * height,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { visible, depth, lights, tiles }
    }

    pub(super) fn resolution(&self) -> [u32; 2] {
        let size = self.visible.texture().size();
        [size.width, size.height]
    }

    pub(super) fn samples(&self) -> u32 {
        self.visible.texture().sample_count()
    }

    /// The depth, which is reversed, cleared to its far end, 0.
    fn depth_attachment(&self) -> wgpu::RenderPassDepthStencilAttachment<'_> {
        wgpu::RenderPassDepthStencilAttachment {
            view: &self.depth,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(0.0),
                store: wgpu::StoreOp::Store,
            }),
            stencil_ops: None,
        }
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        [&self.visible, &self.depth, &self.lights]
            .into_iter()
            .fold(A::default(), |held, view| held.with_texture(view.texture()))
            .with_buffer(&self.tiles)
    }
}

/// Bytes of the counts before the tiles themselves.
const COUNTS_BYTES: u64 = 32;
const LAYERS: wgpu::TextureViewDimension = wgpu::TextureViewDimension::D2Array;

impl Bound {
    fn new(mesh: &Mesh, targets: &VisibilityTargets) -> Self {
        let VisibilityTargets { visible, depth, lights, tiles } = targets;
        let samples = targets.samples();
        let visible: bindings::Binding<'_> = (bindings::number_texture(samples), visible);
        let depth: bindings::Binding<'_> = (bindings::texture_of_samples(samples), depth);
        let lighting = mesh.surface_group(
            wgpu::ShaderStages::COMPUTE,
            &[
                visible,
                depth,
                (bindings::storage_texture(HDR_FORMAT, LAYERS), lights),
                (bindings::storage_read(), tiles),
            ],
        );
        let growing = (bindings::storage_read_write(), tiles as &dyn bindings::Resource);
        let listing = mesh.surface_group(wgpu::ShaderStages::COMPUTE, &[visible, depth, growing]);
        let drawing = mesh.surface_group(wgpu::ShaderStages::VERTEX_FRAGMENT, &[visible, depth]);
        let (lights, displaced) = (lights.clone(), mesh.displaced().clone());
        Self { lights, displaced, lighting, listing, drawing }
    }

    fn picture_tiles(&self) -> [u32; 2] {
        let size = self.lights.texture().size();
        [size.width, size.height].map(|side| side.div_ceil(TILE))
    }
}
