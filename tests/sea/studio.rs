//! Draws any preset with one frame: what takes long to build is built once.

use seaway::eye::{self, EyeLevel, Water};
use seaway::foam::FoamSea;
use seaway::frame::{Frame, FrameDesc, Sample};
use seaway::gpu::{Context, TextureSpec};
use seaway::profile::Recorder;
use seaway::query::{Queries, QueryOptions, When};
use seaway::settings::{CameraPose, Preset, Quality, SeaState};
use seaway::{Ocean, OceanOptions};

use seaway_core::testing::context;

pub struct Studio {
    context: Context,
    pub frame: Frame,
    queries: Queries,
    resolution: [u32; 2],
    target: wgpu::Texture,
}

impl Studio {
    /// Creates a studio with the default sea.
    pub fn new(quality: &Quality, resolution: [u32; 2], format: wgpu::TextureFormat) -> Self {
        let context = context();
        let (device, queue) = (&context.device, &context.queue);
        let options = OceanOptions::fixed(quality);
        let ocean = Ocean::new(device, queue, &SeaState::default(), options).unwrap();
        let frame = Frame::with_ocean(device, queue, ocean, quality, format).unwrap();
        let options = QueryOptions { velocity: false, ..Default::default() };
        let queries = Queries::new(device, queue, frame.ocean(), options).unwrap();
        let target = TextureSpec::target("target", resolution, format)
            .with_usage(wgpu::TextureUsages::COPY_SRC)
            .create(device);
        Self { context, frame, queries, resolution, target }
    }

    /// Puts the sea of `preset` in place, and describes the frame of `time_s` as `seaway render` does:
    /// with the eye out of the waves of that time.
    pub fn stage(&mut self, preset: &Preset, time_s: f64) -> FrameDesc {
        let options = *self.frame.ocean().options();
        let foam =
            FoamSea::new(&preset.sea, options.cascades, self.frame.foam().options()).unwrap();
        self.frame.set_spectrum(&Ocean::prepare(&preset.sea, &options).unwrap(), foam).unwrap();
        let mut camera = preset.camera.clone();
        if EyeLevel::OverStillWater.needs_water(camera.y_m, self.frame.sea_bounds()) {
            let water = self.water_around(&camera, time_s);
            camera.y_m = EyeLevel::OverStillWater.height_m(camera.y_m, &water);
        }
        FrameDesc { time_s, resolution: self.resolution, camera, ..FrameDesc::from(preset) }
    }

    fn water_around(&mut self, camera: &CameraPose, time_s: f64) -> Water {
        let Context { device, queue, .. } = &self.context;
        let ocean = self.frame.ocean();
        let points = eye::points([camera.x_m, camera.z_m], self.frame.quality().finest_spacing_m);
        let mut request = self.context.submit(|encoder| {
            ocean.encode(encoder, time_s);
            let when = When::Drawn { time_s };
            self.queries.encode(queue, encoder, ocean, when, &points).unwrap()
        });
        device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        Water::of(&request.answer().unwrap().unwrap().points)
    }

    /// Returns the texels of the picture of `samples` samples, with the foam that a sequence up to there
    /// would have.
    pub fn draw(&mut self, desc: &FrameDesc, samples: u32) -> Vec<u8> {
        let view = self.target.create_view(&Default::default());
        self.frame.settle(desc);
        for sample in Sample::all(samples) {
            self.context.submit(|encoder| {
                let recorder = &mut Recorder::new(encoder);
                self.frame.record_sample(recorder, desc, sample, &view).unwrap();
            });
        }
        self.context.read_texels(&self.target, 0, 0)
    }
}
