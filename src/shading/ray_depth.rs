//! The distance of each pixel, from a pass that draws the water and the objects in it again.

use super::{DEPTH_FORMAT, SceneBindings, depth_state};
use crate::gpu::shader::ShaderError;
use crate::gpu::{Pipelines, RenderDescriptor, RenderPipeline, TextureSpec, color_attachment};
use crate::mesh::Mesh;
use crate::profile::Recorder;

pub(super) const SHADERS: &[&str] = &["shading/ray_depth.wgsl"];

/// The pass that fills a texture with distances, and the texture.
///
/// It has one sample a pixel, in the pixel's middle, however many the picture has: the mean of the distances
/// of a crest and of the sea behind it is no distance of either. Hence it is a pass of its own.
#[derive(Debug)]
pub struct RayDepth {
    pipeline: RenderPipeline,
    bed: RenderPipeline,
    targets: Targets,
}

#[derive(Debug)]
struct Targets {
    distance: wgpu::TextureView,
    depth: wgpu::TextureView,
}

impl RayDepth {
    /// The format of the texture.
    pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R32Float;

    /// Builds the pipeline. [`RayDepth::fit`] makes the textures.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(pipelines: &Pipelines, scene: &SceneBindings<'_>) -> Result<Self, ShaderError> {
        let drawing = |entry_points| {
            pipelines.render(RenderDescriptor {
                groups: scene.layouts(None),
                constants: scene.constants(&[]),
                depth: depth_state(true, wgpu::CompareFunction::Greater),
                ..RenderDescriptor::new("distances", SHADERS[0], entry_points, Self::FORMAT)
            })
        };
        let pipeline = drawing(["placed", "ray_depth"])?;
        let bed = drawing(["everywhere", "bed_depth"])?;
        Ok(Self { pipeline, bed, targets: Targets::new(pipelines.device(), [1, 1]) })
    }

    /// Makes the textures again where they are of another resolution.
    pub fn fit(&mut self, device: &wgpu::Device, resolution: [u32; 2]) {
        let texture = self.texture();
        if resolution != [texture.width(), texture.height()] {
            self.targets = Targets::new(device, resolution);
        }
    }

    /// Fills the texture with the distances of `mesh`'s tiles, which are those of the frame, and of the
    /// bed that an eye in the water sees, and of the objects that `others` draws with pipelines for [`RayDepth::FORMAT`] and [`DEPTH_FORMAT`], one
    /// sample a pixel.
    pub fn record(
        &self,
        recorder: &mut Recorder<'_>,
        scene: &SceneBindings<'_>,
        mesh: &Mesh,
        others: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        recorder.render(
            &wgpu::RenderPassDescriptor {
                label: Some("ray depth"),
                color_attachments: &[Some(color_attachment(
                    &self.targets.distance,
                    wgpu::LoadOp::Clear(wgpu::Color { r: f64::INFINITY, ..wgpu::Color::BLACK }),
                ))],
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &self.targets.depth,
                    depth_ops: Some(wgpu::Operations {
                        load: wgpu::LoadOp::Clear(0.0),
                        store: wgpu::StoreOp::Discard,
                    }),
                    stencil_ops: None,
                }),
                ..Default::default()
            },
            |pass| {
                self.pipeline.bind(pass, &scene.groups(None));
                mesh.draw(pass);
                others(pass);
                self.bed.bind(pass, &scene.groups(None));
                pass.draw(0..3, 0..1);
            },
        );
    }

    /// Metres from the eye along the ray through the middle of each pixel; infinite where it meets the
    /// sky, or water without end. The texture of [`RayDepth::FORMAT`] can be bound and copied.
    pub fn texture(&self) -> &wgpu::Texture {
        self.targets.distance.texture()
    }
}

impl Targets {
    fn new(device: &wgpu::Device, [width, height]: [u32; 2]) -> Self {
        use wgpu::TextureUsages as Usages;
        let target = |label, format, usage| {
            TextureSpec::target(label, [width, height], format)
                .with_usage(usage)
                .create_view(device)
        };
        Self {
            distance: target(
                "RayDepth::distance",
                RayDepth::FORMAT,
                Usages::COPY_SRC | Usages::TEXTURE_BINDING,
            ),
            depth: target("RayDepth::depth", DEPTH_FORMAT, Usages::empty()),
        }
    }
}

// tests/sea/layers.rs compares the distances with geometry.
#[cfg(test)]
mod tests {
    use super::SHADERS;
    use crate::gpu::shader::resolve;
    use crate::mesh::View;

    #[test]
    fn the_near_plane_is_that_of_the_view() {
        let near = format!("const NEAR_M: f32 = {};", View::NEAR_M);
        assert!(resolve(SHADERS[0]).unwrap().contains(&near), "{near}");
    }
}
