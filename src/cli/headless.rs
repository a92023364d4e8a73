//! Frames without a window: the same [`Frame`] that the window draws, into a texture.

use anyhow::{Context as _, ensure};
use half::f16;
use seaway::debug_view::DebugChoice;
use seaway::frame::{Frame, FrameDesc};
use seaway::gpu;
use seaway::profile::Recorder;
use seaway::settings::{Preset, Quality};
use seaway::{Ocean, OceanOptions};

use super::device::Gpu;

/// A frame and the picture that it draws to.
pub struct Headless {
    pub gpu: Gpu,
    frame: Frame,
    desc: FrameDesc,
    target: wgpu::Texture,
    target_view: wgpu::TextureView,
}

impl Headless {
    const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

    pub fn new(
        gpu: Gpu,
        scene: &Preset,
        quality: &Quality,
        ocean: OceanOptions,
        resolution: [u32; 2],
    ) -> anyhow::Result<Self> {
        let [width, height] = resolution;
        let most = gpu.context.capabilities.max_texture_dimension_2d;
        ensure!(
            width <= most && height <= most,
            "a picture of {width}x{height} does not fit: this adapter's textures hold {most}x{most}. \
             Choose a smaller --resolution"
        );
        let device = &gpu.context.device;
        let target = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("headless target"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: Self::FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let target_view = target.create_view(&wgpu::TextureViewDescriptor::default());
        let queue = &gpu.context.queue;
        let ocean = Ocean::new(device, queue, &scene.sea, ocean)?;
        let frame = Frame::with_ocean(device, queue, ocean, quality, Self::FORMAT)?;
        gpu.check()?;
        let desc = FrameDesc {
            time_s: 0.0,
            resolution,
            camera: scene.camera.clone(),
            light: scene.light.clone(),
            buoys: scene.scenery.buoys,
            debug: DebugChoice::default(),
        };
        Ok(Self { gpu, frame, desc, target, target_view })
    }

    /// Shows `choice` in frames from now on.
    pub fn show(&mut self, choice: DebugChoice) -> anyhow::Result<()> {
        if choice != DebugChoice::default() {
            self.frame.build_views()?;
            self.gpu.check()?;
        }
        self.desc.debug = choice;
        Ok(())
    }

    /// Records the frame of `time_s`.
    pub fn record(&mut self, recorder: &mut Recorder<'_>, time_s: f64) {
        self.desc.time_s = time_s;
        self.frame.record(recorder, &self.desc, &self.target_view);
    }

    /// Has what [`Headless::layers`] gives recorded, too, from now on.
    pub fn keep_layers(&mut self) -> anyhow::Result<()> {
        Ok(self.frame.keep_layers()?)
    }

    /// Draws the frame of `time_s`.
    pub fn draw(&mut self, time_s: f64) {
        let mut encoder =
            self.gpu.context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("headless frame"),
            });
        self.desc.time_s = time_s;
        self.frame.settle(&self.desc);
        self.record(&mut Recorder::new(&mut encoder), time_s);
        self.gpu.context.queue.submit([encoder.finish()]);
    }

    /// The last frame drawn as RGBA bytes, row by row.
    pub fn picture(&self) -> anyhow::Result<Vec<u8>> {
        self.read(&self.target)
    }

    /// What the last frame drawn was made from; [`Headless::keep_layers`] comes first.
    pub fn layers(&self) -> anyhow::Result<Layers> {
        let layers = self.frame.layers().context("the layers of the frame were not kept")?;
        Ok(Layers {
            hdr: bytemuck::pod_collect_to_vec(&self.read(layers.hdr)?),
            depth_m: bytemuck::pod_collect_to_vec(&self.read(layers.depth_m)?),
            exposure: pollster::block_on(self.frame.exposure(&self.desc.light))?,
        })
    }

    fn read(&self, texture: &wgpu::Texture) -> anyhow::Result<Vec<u8>> {
        let gpu::Context { device, queue, .. } = &self.gpu.context;
        let bytes = pollster::block_on(gpu::read_texture(device, queue, texture, 0, 0));
        // The GPU's own complaint comes first: it is the cause of a failed read-back.
        self.gpu.check()?;
        Ok(bytes?)
    }
}

/// What a frame was made from (`frame::Layers`), row by row.
pub struct Layers {
    /// Red, green, blue, and an alpha that means nothing.
    pub hdr: Vec<[f16; 4]>,
    pub depth_m: Vec<f32>,
    /// Value of `hdr` for a radiance of 1 kcd/m2.
    pub exposure: f32,
}
