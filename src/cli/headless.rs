//! Frames without a window: the same [`Frame`] that the window draws, into a texture.

use crate::debug_view::DebugChoice;
use crate::eye::{self, EyeLevel, Ground, Water};
use crate::frame::{Frame, FrameDesc, Sample};
use crate::gpu::{self, TextureSpec};
use crate::profile::Recorder;
use crate::query::{Queries, QueryOptions, When};
use crate::settings::{CameraPose, Light, Preset, Quality};
use crate::{Ocean, OceanOptions};
use anyhow::{Context as _, ensure};
use half::f16;

use super::device::Gpu;
use super::scene;

pub struct Headless {
    pub gpu: Gpu,
    frame: Frame,
    desc: FrameDesc,
    /// The requested camera, before the waves move it.
    camera: CameraPose,
    eye_level: EyeLevel,
    /// Made for the first query.
    queries: Option<Queries>,
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
            "a picture of {width}x{height} is too large: this adapter's textures hold \
             {most}x{most}. Choose a smaller --resolution"
        );
        let device = &gpu.context.device;
        let target = TextureSpec::target("headless target", [width, height], Self::FORMAT)
            .with_usage(wgpu::TextureUsages::COPY_SRC)
            .create(device);
        let target_view = target.create_view(&Default::default());
        let queue = &gpu.context.queue;
        let ocean = Ocean::new(device, queue, &scene.sea, ocean).map_err(scene::with_cure)?;
        let frame = Frame::with_ocean(device, queue, ocean, quality, Self::FORMAT)?;
        gpu.check()?;
        let desc = FrameDesc { time_s: 0.0, resolution, ..FrameDesc::from(scene) };
        let (camera, eye_level, queries) = (scene.camera.clone(), EyeLevel::default(), None);
        Ok(Self { gpu, frame, desc, camera, eye_level, queries, target, target_view })
    }

    /// Sets the reference of the eye's height.
    pub fn stand(&mut self, eye_level: EyeLevel) {
        self.eye_level = eye_level;
    }

    /// Changes the camera, eye level and light of the same sea.
    pub fn place(&mut self, camera: CameraPose, eye_level: EyeLevel, light: Light) {
        (self.camera, self.eye_level, self.desc.light) = (camera, eye_level, light);
    }

    /// Returns the pose of the eye at `time_s`: the camera, out of the waves of that very time or on them, and
    /// over the bed.
    /// If the pose depends on waves, this computes the sea there, queries it and waits for the answer.
    pub fn eye_at(&mut self, time_s: f64) -> anyhow::Result<CameraPose> {
        let mut pose = self.camera.clone();
        if self.eye_level.needs_water(pose.y_m, self.frame.sea_bounds()) {
            let water = self.water_at(time_s)?;
            pose.y_m = self.eye_level.height_m(pose.y_m, &water);
        }
        let depth_m = self.frame.ocean().spectrum().sea.depth_m;
        pose.y_m = Ground::new(self.desc.scenery.bed, depth_m).clear_m(pose.y_m);
        Ok(pose)
    }

    /// The message about a camera that was raised to `eye`, if it was below the waves or the bed.
    pub fn raised(&self, eye: &CameraPose) -> Option<String> {
        let is_raised = self.eye_level == EyeLevel::OverStillWater && eye.y_m > self.camera.y_m;
        is_raised.then(|| {
            let (from_m, to_m) = (self.camera.y_m, eye.y_m);
            let obstacle = if self.eye_level.is_below(from_m) { "the bed" } else { "a wave" };
            format!(
                "the eye was raised from {from_m:.2} m to {to_m:.2} m, to stay above {obstacle}"
            )
        })
    }

    pub fn look_from(&mut self, eye: CameraPose) {
        self.desc.camera = eye;
    }

    fn water_at(&mut self, time_s: f64) -> anyhow::Result<Water> {
        let gpu::Context { device, queue, .. } = &self.gpu.context;
        let ocean = self.frame.ocean();
        let queries = match &mut self.queries {
            Some(queries) => queries,
            none => none.insert(Queries::new(
                device,
                queue,
                ocean,
                QueryOptions {
                    capacity: eye::POINTS as u32,
                    in_flight: 1,
                    velocity: false,
                    ahead: false,
                },
            )?),
        };
        let CameraPose { x_m, z_m, .. } = self.camera;
        let points = eye::points([x_m, z_m], self.frame.quality().finest_spacing_m);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("headless eye"),
        });
        ocean.encode(&mut encoder, time_s);
        let when = When::Drawn { time_s };
        let mut request = queries.encode(queue, &mut encoder, ocean, when, &points)?;
        queue.submit([encoder.finish()]);
        device.poll(wgpu::PollType::wait_indefinitely())?;
        // The GPU's own complaint comes first.
        self.gpu.check()?;
        let answer = request
            .answer()
            .context("the height of the water did not come back from the GPU")??;
        Ok(Water::of(&answer.points))
    }

    pub fn show(&mut self, choice: DebugChoice) -> anyhow::Result<()> {
        if choice != DebugChoice::default() {
            self.frame.build_views()?;
            self.gpu.check()?;
        }
        self.desc.debug = choice;
        Ok(())
    }

    pub fn record(&mut self, recorder: &mut Recorder<'_>, time_s: f64) {
        self.desc.time_s = time_s;
        self.frame.record(recorder, &self.desc, &self.target_view);
    }

    /// Keeps the data of [`Headless::layers`] in all later frames.
    pub fn keep_layers(&mut self) -> anyhow::Result<()> {
        Ok(self.frame.keep_layers()?)
    }

    /// Draws the frame of `time_s`, seen from the pose of [`Headless::look_from`]: the mean of the given
    /// number of samples. Reports the submission of each.
    pub fn draw(
        &mut self,
        time_s: f64,
        samples: u32,
        mut on_sample: impl FnMut(Sample),
    ) -> anyhow::Result<()> {
        let gpu::Context { device, queue, .. } = &self.gpu.context;
        self.desc.time_s = time_s;
        self.frame.settle(&self.desc);
        let mut before = None;
        for sample in Sample::all(samples) {
            let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("headless frame"),
            });
            let recorder = &mut Recorder::new(&mut encoder);
            self.frame.record_sample(recorder, &self.desc, sample, &self.target_view)?;
            let submission = queue.submit([encoder.finish()]);
            // One is drawn while the next is recorded: thousands would fill the memory.
            if let Some(submission_index) = before.replace(submission) {
                let submission_index = Some(submission_index);
                device.poll(wgpu::PollType::Wait { submission_index, timeout: None })?;
            }
            on_sample(sample);
        }
        Ok(())
    }

    /// The last frame as RGBA bytes, row by row.
    pub fn picture(&self) -> anyhow::Result<Vec<u8>> {
        self.read(&self.target)
    }

    /// The layers of the last frame, which need [`Headless::keep_layers`] first.
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

/// The layers of a frame (`frame::Layers`), row by row.
pub struct Layers {
    /// Red, green, blue, and an unused alpha.
    pub hdr: Vec<[f16; 4]>,
    pub depth_m: Vec<f32>,
    /// Value of `hdr` for a radiance of 1 kcd/m2.
    pub exposure: f32,
}
