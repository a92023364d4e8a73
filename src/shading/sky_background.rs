//! The light of pixels that show only the sky.

use super::{HDR_FORMAT, SceneBindings, Tiles, Visibility, VisibilityTargets};
use crate::gpu::bindings::{self, Group};
use crate::gpu::shader::ShaderError;
use crate::gpu::{Allocations, ComputeDescriptor, ComputePipeline, Pipelines, TextureSpec};
use crate::profile::Stages;

pub(super) const SHADERS: &[&str] = &["shading/sky_background.wgsl"];

/// The kernels that follow lines of sight through the clouds, and light the sky, with the sun's disc.
#[derive(Debug)]
pub struct SkyBackground {
    march: ComputePipeline,
    light: ComputePipeline,
    /// The side in pixels of each square that shares a line of sight through the clouds.
    cloud_pixels: u32,
    clouds: CloudsSeen,
}

/// The light of the clouds and their transmittance, for each line of sight of a picture.
#[derive(Debug)]
struct CloudsSeen {
    texture: wgpu::TextureView,
    written: Group,
    read: Group,
}

impl SkyBackground {
    /// Builds the kernels for the samples of `visibility`. They follow one line of sight for each square
    /// of `cloud_pixels` pixels, 1 or 2.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        pipelines: &Pipelines,
        scene: &SceneBindings<'_>,
        visibility: &Visibility,
        cloud_pixels: u32,
    ) -> Result<Self, ShaderError> {
        let clouds = CloudsSeen::new(pipelines.device(), [1, 1]);
        let kernel = |entry_point: &'static str, own: &Group| {
            let mut kernel = visibility.kernel(scene, "background", SHADERS[0], Some(&own.layout));
            kernel.constants.push(("CLOUD_PIXELS", f64::from(cloud_pixels)));
            pipelines.compute(ComputeDescriptor { entry_point, ..kernel })
        };
        Ok(Self {
            march: kernel("march", &clouds.written)?,
            light: kernel("light", &clouds.read)?,
            cloud_pixels,
            clouds,
        })
    }

    /// Lights `targets` from now on.
    pub fn fit(
        &mut self,
        device: &wgpu::Device,
        scene: &SceneBindings<'_>,
        targets: &VisibilityTargets,
    ) {
        if !scene.is_clouded() {
            return;
        }
        let rays = targets.resolution().map(|pixels| pixels.div_ceil(self.cloud_pixels));
        let size = self.clouds.texture.texture().size();
        if [size.width, size.height] != rays {
            self.clouds = CloudsSeen::new(device, rays);
        }
    }

    /// Lights the samples that see nothing of the scene.
    pub fn light(
        &self,
        stages: &mut Stages<'_, '_>,
        scene: &SceneBindings<'_>,
        visibility: &Visibility,
    ) {
        let CloudsSeen { written, read, .. } = &self.clouds;
        if scene.is_clouded() {
            stages.stage("clouds", |pass| {
                visibility.dispatch(
                    pass,
                    &self.march,
                    scene,
                    Some(&written.bind_group),
                    Tiles::Many,
                );
            });
        }
        stages.stage("background", |pass| {
            visibility.dispatch(pass, &self.light, scene, Some(&read.bind_group), Tiles::Many);
        });
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        A::default().with_texture(self.clouds.texture.texture())
    }
}

impl CloudsSeen {
    fn new(device: &wgpu::Device, rays: [u32; 2]) -> Self {
        let texture =
            TextureSpec::storage("SkyBackground::clouds", rays, HDR_FORMAT).create_view(device);
        let group = |label, ty| {
            bindings::bind(device, label, wgpu::ShaderStages::COMPUTE, &[(ty, &texture)])
        };
        let plane = wgpu::TextureViewDimension::D2;
        let written = group("SkyBackground::written", bindings::storage_texture(HDR_FORMAT, plane));
        let read = group("SkyBackground::read", bindings::unfiltered_texture(plane));
        Self { written, read, texture }
    }
}
