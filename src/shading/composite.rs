//! The light of each sample of a picture, and its mean over a pixel.

use super::{HDR_FORMAT, VisibilityTargets};
use crate::gpu::bindings::{self, Group};
use crate::gpu::shader::ShaderError;
use crate::gpu::{ComputeDescriptor, ComputePipeline, Pipelines, TextureSpec};
use crate::profile::Recorder;

pub(super) const SHADERS: &[&str] = &["shading/composite.wgsl"];

/// The kernel that composes the overlay with the lights of water and sky, and takes the mean over a pixel.
#[derive(Debug)]
pub struct Composite {
    kernel: ComputePipeline,
}

/// The overlay, and the composed light of each pixel.
#[derive(Debug)]
pub struct CompositeTargets {
    /// Airborne spray, premultiplied. It is soft, so half of the resolution is enough.
    pub overlay: wgpu::TextureView,
    /// The light of each pixel.
    pub hdr: wgpu::TextureView,
    /// The light of each sample (`shading/samples.wgsl`).
    pub(super) samples: Group,
    output: Group,
}

impl Composite {
    /// Builds the kernel.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(pipelines: &Pipelines) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        // These targets give the layouts only.
        let seen = VisibilityTargets::new(device, [1, 1], 1);
        let targets = CompositeTargets::new(device, &seen);
        let groups = [Some(&targets.output.layout), Some(&targets.samples.layout)];
        let kernel =
            pipelines.compute(ComputeDescriptor::new("composite", SHADERS[0], "main", &groups))?;
        Ok(Self { kernel })
    }

    /// Composes the overlay and the lights of `targets`.
    pub fn record(&self, recorder: &mut Recorder<'_>, targets: &CompositeTargets) {
        recorder.compute("composite", |stages| {
            stages.stage("composite", |pass| {
                let CompositeTargets { output, samples, hdr, .. } = targets;
                self.kernel.bind(pass, &[Some(&output.bind_group), Some(&samples.bind_group)]);
                let size = hdr.texture().size();
                pass.dispatch_workgroups(size.width.div_ceil(8), size.height.div_ceil(8), 1);
            });
        });
    }
}

impl CompositeTargets {
    /// Creates the textures for the lights of `seen`.
    pub fn new(device: &wgpu::Device, seen: &VisibilityTargets) -> Self {
        let resolution = seen.resolution();
        let half = resolution.map(|pixels| pixels.div_ceil(2));
        let bound = wgpu::TextureUsages::TEXTURE_BINDING;
        let overlay = TextureSpec::target("CompositeTargets::overlay", half, HDR_FORMAT)
            .with_usage(bound)
            .create_view(device);
        let hdr = TextureSpec::storage("CompositeTargets::hdr", resolution, HDR_FORMAT)
            .with_usage(wgpu::TextureUsages::RENDER_ATTACHMENT)
            .create_view(device);
        let layers = bindings::unfiltered_texture(wgpu::TextureViewDimension::D2Array);
        let stages = wgpu::ShaderStages::COMPUTE | wgpu::ShaderStages::FRAGMENT;
        let group = bindings::bind(
            device,
            "CompositeTargets::samples",
            stages,
            &[(layers, &seen.lights), (bindings::texture_of_samples(1), &overlay)],
        );
        let written = bindings::storage_texture(HDR_FORMAT, wgpu::TextureViewDimension::D2);
        let output = bindings::bind(
            device,
            "CompositeTargets::output",
            wgpu::ShaderStages::COMPUTE,
            &[(written, &hdr)],
        );
        Self { overlay, hdr, samples: group, output }
    }
}
