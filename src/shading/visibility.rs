//! What each sample of the picture sees of the water, and the light that was found for it.

use super::{HDR_FORMAT, SceneBindings, depth_state};
use crate::gpu::bindings::{self, Group, Layout};
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    ComputePipeline, Holdings, Pipelines, RenderDescriptor, RenderPipeline, Shader, TextureSpec,
};
use crate::mesh::Mesh;
use crate::profile::Recorder;

pub(super) const SHADERS: &[&str] = &["shading/visibility.wgsl", "shading/lit.wgsl"];

/// The format of what a sample sees (`shading/visible.wgsl`): WebGPU has no more bits with several samples
/// a pixel.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg16Uint;

/// The pass that finds the triangle that each sample sees, the textures of triangles and lights, and the
/// draw that puts the lights into the picture.
#[derive(Debug)]
pub struct Visibility {
    pipeline: RenderPipeline,
    lit: RenderPipeline,
    samples: u32,
    targets: Targets,
}

#[derive(Debug)]
struct Targets {
    visible: wgpu::TextureView,
    lights: wgpu::TextureView,
    /// The displaced vertices that `surface` binds.
    displaced: wgpu::Buffer,
    /// Group 0 of kernels that find the surface (`shading/surface.wgsl`).
    surface: Group,
    /// Group 0 of what draws the lights.
    lit: Group,
}

impl Visibility {
    /// Builds the pipelines for pictures of that number of samples a pixel. The textures are created when
    /// the resolution is known.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        pipelines: &Pipelines,
        scene: &SceneBindings<'_>,
        mesh: &Mesh,
        samples: u32,
    ) -> Result<Self, ShaderError> {
        let targets = Targets::new(pipelines.device(), mesh, [1, 1], samples);
        let pipeline = pipelines.render(RenderDescriptor {
            groups: vec![Some(scene.view.layout.clone())],
            depth: depth_state(true, wgpu::CompareFunction::Greater),
            samples,
            ..RenderDescriptor::new("visibility", SHADERS[0], ["vertex", "fragment"], FORMAT)
        })?;
        let fragment = if samples > 1 { "of_sample" } else { "fragment" };
        let lit = pipelines.render(RenderDescriptor {
            groups: vec![Some(targets.lit.layout.clone())],
            depth: depth_state(false, wgpu::CompareFunction::Always),
            samples,
            ..RenderDescriptor::new("visibility", SHADERS[1], ["vertex", fragment], HDR_FORMAT)
        })?;
        Ok(Self { pipeline, lit, samples, targets })
    }

    /// Samples a pixel.
    pub(super) fn samples(&self) -> u32 {
        self.samples
    }

    /// The textures.
    pub(crate) fn holdings<H: Holdings>(&self) -> H {
        let Targets { visible, lights, .. } = &self.targets;
        H::default().with_texture(visible.texture()).with_texture(lights.texture())
    }

    /// Creates the textures again where they have another resolution, and binds `mesh`'s vertices where they
    /// have moved to another buffer.
    pub fn fit(&mut self, device: &wgpu::Device, mesh: &Mesh, resolution: [u32; 2]) {
        let size = self.targets.visible.texture().size();
        if resolution != [size.width, size.height] || self.targets.displaced != *mesh.displaced() {
            self.targets = Targets::new(device, mesh, resolution, self.samples);
        }
    }

    /// Finds what each sample sees, and the depth.
    pub fn record(
        &self,
        recorder: &mut Recorder<'_>,
        mesh: &Mesh,
        depth: wgpu::RenderPassDepthStencilAttachment<'_>,
    ) {
        recorder.render(
            &wgpu::RenderPassDescriptor {
                label: Some("visibility"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &self.targets.visible,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations::default(),
                })],
                depth_stencil_attachment: Some(depth),
                ..Default::default()
            },
            |pass| {
                self.pipeline.bind(pass, &[Some(&mesh.group().bind_group)]);
                mesh.draw(pass);
            },
        );
    }

    /// Puts the lights into the picture.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.lit.bind(pass, &[Some(&self.targets.lit.bind_group)]);
        pass.draw(0..3, 0..1);
    }

    /// Dispatches a kernel that keeps lights, of workgroups of 8 x 8 pixels, which binds `own`, too.
    pub(super) fn dispatch(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        kernel: &ComputePipeline,
        scene: &SceneBindings<'_>,
        own: Option<&wgpu::BindGroup>,
    ) {
        let [_, maps, sky, own] = scene.groups(own);
        kernel.bind(pass, &[Some(&self.targets.surface.bind_group), maps, sky, own]);
        let size = self.targets.visible.texture().size();
        pass.dispatch_workgroups(size.width.div_ceil(8), size.height.div_ceil(8), 1);
    }

    /// The layout of group 0 of such kernels: view, grid, vertices, tiles, what is visible, and lights.
    pub(super) fn surface_layout(&self) -> &Layout {
        &self.targets.surface.layout
    }

    /// The lights, in layers by sample.
    #[cfg(test)]
    pub(super) fn lights(&self) -> &wgpu::Texture {
        self.targets.lights.texture()
    }
}

/// `shader` for pictures of that number of samples a pixel.
pub(super) fn of_samples(shader: Shader, samples: u32) -> Shader {
    match samples {
        1 => shader.replacing("texture_multisampled_2d<u32>", "texture_2d<u32>"),
        _ => shader,
    }
}

impl Targets {
    fn new(device: &wgpu::Device, mesh: &Mesh, resolution: [u32; 2], samples: u32) -> Self {
        let visible = TextureSpec::target("Visibility::visible", resolution, FORMAT)
            .with_usage(wgpu::TextureUsages::TEXTURE_BINDING)
            .samples(samples)
            .create_view(device);
        let layers = wgpu::TextureViewDimension::D2Array;
        let lights = TextureSpec::storage("Visibility::lights", resolution, HDR_FORMAT)
            .layers(samples)
            .create(device)
            .create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(layers),
                ..Default::default()
            });
        let numbers = bindings::number_texture(samples);
        let surface: [bindings::Binding<'_>; 2] =
            [(numbers, &visible), (bindings::storage_texture(HDR_FORMAT, layers), &lights)];
        let surface = mesh.surface_group(&surface);
        let lit = bindings::bind(
            device,
            "Visibility::lit",
            wgpu::ShaderStages::FRAGMENT,
            &[(bindings::unfiltered_texture(layers), &lights)],
        );
        Self { visible, lights, displaced: mesh.displaced().clone(), surface, lit }
    }
}
