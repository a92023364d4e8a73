//! Whole pictures of the sea, as the window and `seaway render` show them. It is the one place where the
//! stages are wired in order: read [`Frame::record`].
//!
//! ```no_run
//! use seaway::frame::{Frame, FrameDesc};
//! use seaway::profile::Recorder;
//! use seaway::settings::{Quality, QualityTier, SeaState};
//!
//! # fn f(
//! #     device: &wgpu::Device, queue: &wgpu::Queue, encoder: &mut wgpu::CommandEncoder,
//! #     target: &wgpu::Texture,
//! # ) -> Result<(), seaway::frame::FrameError> {
//! // Once.
//! let quality = Quality::of(QualityTier::Medium);
//! let mut frame = Frame::new(device, queue, &SeaState::default(), &quality, target.format())?;
//!
//! // Every frame.
//! let desc = FrameDesc {
//!     time_s: 20.0,
//!     resolution: [target.width(), target.height()],
//!     ..Default::default()
//! };
//! frame.record(&mut Recorder::new(encoder), &desc, &target.create_view(&Default::default()));
//! # Ok(())
//! # }
//! ```

mod accumulation;
mod change;
mod memory;
mod targets;
mod tier;
mod wind;

use std::collections::BTreeSet;

use self::accumulation::Accumulation;
pub use self::accumulation::Sample;
pub use self::memory::FrameMemory;
use self::targets::Targets;
pub use self::tier::automatic_tier;
use self::wind::Wind;
use crate::debug_view::{DebugChoice, DebugView, Legend, ViewDeclarations, Views};
use crate::foam::{Foam, FoamOptions, FoamSea, Progress};
use crate::gpu::shader::ShaderError;
use crate::gpu::{Pipelines, ReadbackError};
use crate::mesh::{Grid, Mesh, SeaBounds, View};
use crate::objects::{ImageScene, Model, Object, Objects, ObjectsError};
use crate::ocean::{Ocean, OceanError, OceanOptions};
use crate::platform::{self, Cooperative};
use crate::profile::{self, Recorder};
#[cfg(feature = "presets")]
use crate::settings::Preset;
use crate::settings::{CameraPose, Clouds, Light, Quality, Scenery, SeaState};
use crate::shading::{
    Bed, BedScene, CloudOptions, CloudScene, Composite, ExposureMeter, Glare, GlareShares,
    ObjectImages, RayDepth, SceneBindings, Sky, SkyBackground, ToneMap, Underwater,
    UnderwaterDetail, Visibility, Water, WaterDetail, WaterLook, prepare_foam_noise,
};
use crate::spray::{Spray, SprayOptions};

/// The description of one frame: the only input besides the sea itself, so that a window, a headless
/// render and a test that pass the same description get the same picture.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameDesc {
    /// Time of the sea, in seconds.
    pub time_s: f64,
    /// Width and height of the target, in pixels.
    pub resolution: [u32; 2],
    /// The pose of the camera. [`eye`](crate::eye) keeps it out of the waves.
    pub camera: CameraPose,
    /// The sun, the air and the exposure.
    pub light: Light,
    /// The clouds, shown where [`Quality::cloud_steps`] is not 0.
    pub clouds: Clouds,
    /// The objects in the sea.
    pub scenery: Scenery,
    /// The view to show: the picture, or one into the simulation.
    pub debug: DebugChoice,
}

impl Default for FrameDesc {
    /// The default scene at its beginning, in 1280 x 720 pixels.
    fn default() -> Self {
        Self {
            time_s: 0.0,
            resolution: [1280, 720],
            camera: CameraPose::default(),
            light: Light::default(),
            clouds: Clouds::default(),
            scenery: Scenery::default(),
            debug: DebugChoice::default(),
        }
    }
}

#[cfg(feature = "presets")]
impl From<&Preset> for FrameDesc {
    /// A scene at its beginning. Its sea is the frame's own.
    fn from(scene: &Preset) -> Self {
        Self {
            camera: scene.camera.clone(),
            light: scene.light.clone(),
            clouds: scene.clouds.clone(),
            scenery: scene.scenery.clone(),
            ..Self::default()
        }
    }
}

/// The reasons why a frame cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The ocean cannot be made.
    #[error(transparent)]
    Ocean(#[from] OceanError),
    /// A shader cannot be composed.
    #[error(transparent)]
    Shader(#[from] ShaderError),
}

/// The layers of a picture, for programs that make other pictures of them: see [`Frame::keep_layers`].
/// Both have the resolution of the picture.
#[derive(Clone, Copy, Debug)]
pub struct Layers<'a> {
    /// Light before glare and tone mapping, in linear sRGB (the primaries of Rec. 709) with middle grey
    /// at 0.18: radiance times [`Frame::exposure`], up to 30,000. The format is
    /// [`HDR_FORMAT`](crate::shading::HDR_FORMAT), with meaningless alpha. Samples of a pixel are
    /// averaged, as in the picture.
    pub hdr: &'a wgpu::Texture,
    /// Metres from the eye along the ray through the middle of a pixel, infinite where that meets the
    /// sky or water without end. The format is [`RayDepth::FORMAT`], one sample a pixel.
    pub depth_m: &'a wgpu::Texture,
}

/// All stages of a frame, from sea to picture.
#[derive(Debug)]
pub struct Frame {
    device: wgpu::Device,
    queue: wgpu::Queue,
    pipelines: Pipelines,
    quality: Quality,
    ocean: Ocean,
    foam: Foam,
    bed: Bed,
    object_images: ObjectImages,
    sky: Sky,
    meter: ExposureMeter,
    mesh: Mesh,
    surface: Surface,
    spray: Option<Spray>,
    glare: Glare,
    tone_map: ToneMap,
    ray_depth: Option<RayDepth>,
    /// Exists once a frame had several samples.
    accumulation: Option<Accumulation>,
    /// The debug views, once one was requested.
    views: Option<Views>,
    look: WaterLook,
    bounds: SeaBounds,
    wind: Wind,
    targets: Targets,
    /// The targets before them, which commands may still use that are not submitted yet, where dropped
    /// memory is freed late.
    replaced: Option<Targets>,
}

/// The pipelines that depend on the samples per pixel: those of water, sky and floating objects.
#[derive(Debug)]
struct Surface {
    visibility: Visibility,
    water: Water,
    composite: Composite,
    objects: Objects,
    background: SkyBackground,
    /// Exists once waves could cover the eye.
    underwater: Option<Underwater>,
}

impl Frame {
    /// Builds every stage. [`Frame::record`] draws to views of `target_format`.
    ///
    /// # Errors
    /// [`FrameError`] where the device cannot run the size, the algorithm or the quality.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        sea: &SeaState,
        quality: &Quality,
        target_format: wgpu::TextureFormat,
    ) -> Result<Self, FrameError> {
        let ocean = Ocean::new(device, queue, sea, OceanOptions::of(quality))?;
        Self::with_ocean(device, queue, ocean, quality, target_format)
    }

    /// Builds a frame around an existing ocean, such as one that another thread has built.
    ///
    /// # Errors
    /// [`FrameError`] where a stage cannot be made.
    pub fn with_ocean(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        ocean: Ocean,
        quality: &Quality,
        target_format: wgpu::TextureFormat,
    ) -> Result<Self, FrameError> {
        let coop = &mut Cooperative::blocking();
        Cooperative::finish(Self::with_ocean_in(coop, device, queue, ocean, quality, target_format))
    }

    pub(crate) async fn with_ocean_in(
        coop: &mut Cooperative,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        ocean: Ocean,
        quality: &Quality,
        target_format: wgpu::TextureFormat,
    ) -> Result<Self, FrameError> {
        let pipelines = ocean.pipelines().clone();
        let cascades = ocean.options().cascades;
        let sea = &ocean.spectrum().sea;
        let foam_sea = FoamSea::new_in(coop, sea, cascades, &FoamOptions::of(quality)).await;
        let foam_sea = foam_sea.map_err(OceanError::from)?;
        prepare_foam_noise(coop).await;
        coop.yield_if_due().await;
        let bed = Bed::new(device, ocean.maps(), quality.bed_texels);
        let clouds = CloudOptions::of(quality);
        let object_images = ObjectImages::new(&pipelines, quality.object_texels)?;
        let sky = Sky::with_clouds(&pipelines, queue, clouds, Some(&bed), Some(&object_images))?;
        coop.yield_if_due().await;
        let meter = ExposureMeter::new(&pipelines, &sky)?;
        let mesh = Mesh::new(device, Grid::of(quality));
        let foam = Foam::new(&pipelines, queue, foam_sea)?;
        coop.yield_if_due().await;
        let scene = SceneBindings::new(&mesh, ocean.maps(), &sky);
        let surface = Surface::new(&pipelines, queue, &scene, (&mesh, &ocean, &foam), quality)?;
        coop.yield_if_due().await;
        let spray = spray(&pipelines, quality, &scene, (&mesh, &foam), &surface)?;
        coop.yield_if_due().await;
        let glare = Glare::new(&pipelines)?;
        let tone_map = ToneMap::new(&pipelines, target_format)?;
        let targets = Targets::new(
            device,
            [1, 1],
            samples(quality),
            &tone_map,
            quality.lens_glare.then_some(&glare),
        );
        let (look, bounds) = appearance(&ocean, &foam);
        let wind = Wind::of(&ocean.spectrum().sea);
        Ok(Self {
            device: device.clone(),
            queue: queue.clone(),
            pipelines,
            quality: quality.clone(),
            ocean,
            foam,
            bed,
            object_images,
            sky,
            meter,
            mesh,
            surface,
            spray,
            glare,
            tone_map,
            ray_depth: None,
            accumulation: None,
            views: None,
            look,
            bounds,
            wind,
            targets,
            replaced: None,
        })
    }

    /// Records one frame into `target`, which has `desc.resolution`. Once the resolution has settled,
    /// only wgpu allocates.
    pub fn record(
        &mut self,
        recorder: &mut Recorder<'_>,
        desc: &FrameDesc,
        target: &wgpu::TextureView,
    ) {
        self.record_one(recorder, desc, Sample::ONLY, target);
    }

    /// Records one of the samples ([`Sample::all`]) whose mean light, before tone mapping, makes a
    /// frame. The last one draws the picture. Each needs its own submission, with the same description
    /// and no other frame in between; the sea moves with the first alone. [`Frame::layers`] has the
    /// distances of the first, which goes through the middles of the pixels.
    ///
    /// # Errors
    /// [`FrameError::Shader`] where the averaging shader is broken.
    pub fn record_sample(
        &mut self,
        recorder: &mut Recorder<'_>,
        desc: &FrameDesc,
        sample: Sample,
        target: &wgpu::TextureView,
    ) -> Result<(), FrameError> {
        if sample.count > 1 && self.accumulation.is_none() {
            self.accumulation = Some(Accumulation::new(&self.pipelines)?);
        }
        self.record_one(recorder, desc, sample, target);
        Ok(())
    }

    fn record_one(
        &mut self,
        recorder: &mut Recorder<'_>,
        desc: &FrameDesc,
        sample: Sample,
        target: &wgpu::TextureView,
    ) {
        profile::scope!("Frame::record");
        self.fit_targets(desc.resolution);
        let view = View::new(&desc.camera, desc.resolution)
            .sampled(sample.offset_px(), sample.footprint_px());
        self.mesh.select(&view, self.bounds);
        self.mesh.upload(&self.queue, &view, self.bounds);
        let shown = self.view(desc.debug.view);
        if sample.index == 0 {
            self.record_sea(recorder, desc, &view, shown);
        }
        self.build_underwater(&view);
        if let Some(underwater) = &self.surface.underwater {
            underwater.update(&self.queue, &view, desc.time_s);
        }
        self.record_surface(recorder, &view, shown);
        self.record_light(recorder, &view, shown);
        if sample.index == 0 {
            self.record_depth(recorder);
        }
        if let Some(accumulation) = self.accumulation.as_mut().filter(|_| sample.count > 1) {
            accumulation.fit(&self.device, &self.targets.composite.hdr);
            accumulation.record(recorder, &self.queue, sample);
        }
        if sample.is_last() {
            self.record_picture(recorder, desc, sample, shown, target);
        }
    }

    /// Records everything that all samples share: the sea, floating objects, foam, the sky.
    fn record_sea(
        &mut self,
        recorder: &mut Recorder<'_>,
        desc: &FrameDesc,
        view: &View,
        shown: DebugView,
    ) {
        let anchor_m = self.mesh.grid().anchor_m(view.position_m);
        self.ocean.set_origin(&self.queue, anchor_m);
        let foam_anchor_m = self.foam.at_rest_m(anchor_m, desc.time_s);
        self.surface.water.update(&self.queue, &self.look, anchor_m, foam_anchor_m);

        // A view into the water replaces everything else.
        let on_water = self.views.as_ref().and_then(|views| views.surface(shown));
        let shown = if on_water.is_some() { 0 } else { desc.scenery.buoys };
        let grid = self.mesh.drawn_grid();
        self.surface.objects.select(&self.queue, view, &grid, self.bounds, shown, desc.time_s);
        self.select_object_images(desc, view, anchor_m);
        let (objects, maps) = (&self.surface.objects, self.ocean.maps());
        self.ocean.record_with(recorder, desc.time_s, |stages| objects.record(stages, maps));
        let eye_m = [desc.camera.x_m, desc.camera.z_m];
        self.record_breaking(recorder, desc, anchor_m, FOAM_STEPS_A_FRAME);
        self.foam.update(&self.queue, desc.time_s, anchor_m);
        let sea = &self.ocean.spectrum().sea;
        if let Some(spray) = &self.spray {
            spray.update(&self.queue, desc.time_s, eye_m, sea, self.bounds);
        }
        let clouds = CloudScene {
            clouds: &desc.clouds,
            time_s: desc.time_s,
            wind_mps: self.wind.settled_mps,
            run_m: self.wind.run_m(desc.time_s),
            eye_m: view.position_m.to_array(),
        };
        self.record_bed(recorder, desc, view, anchor_m);
        self.sky.record_under(recorder, &self.queue, &desc.light, &clouds);
        self.meter.record(recorder, &self.queue, view, &self.look, &self.sky);
        let scene = &SceneBindings::new(&self.mesh, self.ocean.maps(), &self.sky);
        self.surface.objects.record_images(recorder, &self.object_images, scene, &self.sky);
        self.show_in_water();
    }

    /// Chooses the images of the selected objects.
    fn select_object_images(&mut self, desc: &FrameDesc, view: &View, anchor_m: [f64; 2]) {
        let [xx, zz, _] = self.look.covariance;
        let placed = ImageScene {
            light: &desc.light,
            slope_deviation: (0.5 * (xx + zz)).sqrt(),
            anchor_m,
            highest_m: self.bounds.vertical_m,
        };
        let scene = &SceneBindings::new(&self.mesh, self.ocean.maps(), &self.sky);
        let on = (&self.pipelines, &self.queue);
        let images = &self.object_images;
        if let Err(error) = self.surface.objects.select_images(on, images, scene, (view, &placed)) {
            log::error!("the water does not mirror objects: {error}");
        }
    }

    /// Lets the water show the bed, and images of objects, where there are any.
    fn show_in_water(&mut self) {
        let Surface { water, objects, underwater, .. } = &mut self.surface;
        match water.show(&self.pipelines, self.bed.is_shown(), objects.shown() > 0) {
            // The kernels for an eye in the water are built again below, like these.
            Ok(true) => *underwater = None,
            Ok(false) => {}
            Err(error) => log::error!("the water shows neither bed nor objects: {error}"),
        }
    }

    /// Records the bed and the light in the water above it.
    fn record_bed(
        &mut self,
        recorder: &mut Recorder<'_>,
        desc: &FrameDesc,
        view: &View,
        anchor_m: [f64; 2],
    ) {
        let sea = &self.ocean.spectrum().sea;
        let [xx, zz, _] = self.look.base_covariance;
        let scene = BedScene {
            bed: desc.scenery.bed,
            depth_m: sea.depth_m,
            waves_deg: self.wind.settled_deg,
            light: &desc.light,
            unresolved_variance: 0.5 * (xx + zz),
            reach_m: self.bounds.horizontal_m,
            eye_m: view.position_m.to_array(),
            anchor_m,
            may_be_below: self.bounds.may_cover(view.position_m.y)
                || desc.debug.view == DebugView::Caustics,
        };
        let on = (&self.pipelines, &self.queue);
        if let Err(error) = self.bed.record(recorder, on, &scene, self.ocean.maps()) {
            log::error!("no bed is shown: {error}");
        }
        self.sky.set_bed(&self.bed);
    }

    /// Records at most `most` steps of the foam, with the spray that they tear off and the hulls that they wet.
    fn record_breaking(
        &mut self,
        recorder: &mut Recorder<'_>,
        desc: &FrameDesc,
        anchor_m: [f64; 2],
        most: u32,
    ) -> Progress {
        let Self { foam, spray, queue, surface, .. } = self;
        let eye_m = [desc.camera.x_m, desc.camera.z_m];
        foam.record(recorder, queue, desc.time_s, eye_m, anchor_m, most, &mut |pass, step| {
            if desc.scenery.buoys > 0 {
                surface.objects.wet(pass, queue, step, anchor_m);
            }
            if let Some(spray) = spray {
                spray.tear(pass, queue, step, eye_m, anchor_m);
            }
        })
    }

    /// Records the visible surface and its light for every sample.
    fn record_surface(&mut self, recorder: &mut Recorder<'_>, view: &View, shown: DebugView) {
        let on_water = self.views.as_ref().and_then(|views| views.surface(shown));
        let Self { device, surface, mesh, ocean, sky, spray, targets, .. } = self;
        let Surface { visibility, water, objects, background, underwater, .. } = surface;
        let underwater = underwater.as_ref().filter(|_| self.bounds.may_cover(view.position_m.y));
        let scene = &SceneBindings::new(mesh, ocean.maps(), sky);
        water.displace(recorder, scene, mesh);
        visibility.fit(mesh, &targets.seen);
        background.fit(device, scene, &targets.seen);
        visibility.record(recorder, scene, mesh, &targets.seen, |pass| objects.draw(pass, scene));
        recorder.compute("light", |stages| match on_water {
            Some(kernel) => water.light_with(stages, kernel, scene, visibility),
            None => {
                water.light(stages, scene, visibility);
                background.light(stages, scene, visibility);
                if let Some(underwater) = underwater {
                    underwater.light(stages, water, scene, visibility);
                }
                objects.light(stages, scene, visibility);
                if let Some(spray) = spray.as_ref().filter(|spray| spray.is_any()) {
                    spray.place(stages, scene, mesh);
                }
            }
        });
    }

    /// Records the airborne spray and the particles in front of it, and the light of pixels.
    fn record_light(&mut self, recorder: &mut Recorder<'_>, view: &View, shown: DebugView) {
        let on_water = self.views.as_ref().and_then(|views| views.surface(shown));
        let Self { surface, mesh, ocean, sky, spray, targets, .. } = self;
        let flies = spray.as_ref().filter(|spray| on_water.is_none() && spray.is_any());
        let may_cover = on_water.is_none() && self.bounds.may_cover(view.position_m.y);
        let underwater = surface.underwater.as_ref().filter(|_| may_cover);
        let is_drawn_over = flies.is_some() || underwater.is_some();
        // Clearing takes as long as drawing, so a clear overlay stays as it is.
        if is_drawn_over || targets.is_drawn_over {
            let clear = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
            recorder.render_to("overlay", &targets.composite.overlay, clear, |pass| {
                let scene = SceneBindings::new(mesh, ocean.maps(), sky);
                let scene = &surface.visibility.over(&scene);
                if let Some(spray) = flies {
                    spray.draw(pass, scene);
                }
                if let Some(underwater) = underwater {
                    underwater.draw_over(pass, scene);
                }
            });
        }
        targets.is_drawn_over = is_drawn_over;
        surface.composite.record(recorder, &targets.composite);
    }

    /// Records the distances, where they are kept.
    fn record_depth(&mut self, recorder: &mut Recorder<'_>) {
        if let Some(depth) = &mut self.ray_depth {
            depth.fit(&self.device, self.targets.resolution);
            let Self { surface, mesh, ocean, sky, .. } = self;
            let scene = &SceneBindings::new(mesh, ocean.maps(), sky);
            depth.record(recorder, scene, mesh, |pass| surface.objects.draw_distance(pass, scene));
        }
    }

    fn record_picture(
        &mut self,
        recorder: &mut Recorder<'_>,
        desc: &FrameDesc,
        sample: Sample,
        shown: DebugView,
        target: &wgpu::TextureView,
    ) {
        let on_display = self.views.as_ref().and_then(|views| views.display(shown));
        // The dither follows the time, so that a frame is the same alone and in a sequence.
        let dither = (desc.time_s * 1000.0).round() as i64 as u32;
        let Self { queue, glare, tone_map, targets, .. } = self;
        let source = if sample.count > 1 { &targets.mean_source } else { &targets.source };
        match on_display {
            Some(pipeline) => {
                tone_map.record_with(pipeline, recorder, queue, source, target);
            }
            None => {
                let scattered = desc.light.glare;
                let pyramid = targets.glare.as_ref().filter(|_| scattered > 0.0);
                let mut shares = GlareShares::NONE;
                if let Some(pyramid) = pyramid {
                    glare.record(recorder, pyramid);
                    shares = pyramid.shares(scattered);
                }
                tone_map.record(recorder, queue, source, shares, target, dither);
            }
        }
        if let Some(views) = self.views.as_mut().filter(|_| shown.has_cascades()) {
            let (gpu, on) = ((&self.device, &self.queue), (target, self.targets.resolution));
            views.record_flat(recorder, gpu, &desc.debug, &self.ocean, desc.time_s, on);
        }
    }

    /// Advances the foam to `desc` in full, so that a single frame has the same foam as one in a sequence:
    /// twelve seconds of it where the time has jumped. It submits in pieces, and does not wait.
    pub fn settle(&mut self, desc: &FrameDesc) {
        profile::scope!("Frame::settle");
        let view = View::new(&desc.camera, desc.resolution);
        let anchor_m = self.mesh.grid().anchor_m(view.position_m);
        let mut progress = Progress::FillingIn;
        while progress == Progress::FillingIn {
            let mut encoder = self.device.create_command_encoder(&Default::default());
            let recorder = &mut Recorder::new(&mut encoder);
            let most = Foam::MOST_STEPS;
            progress = self.record_breaking(recorder, desc, anchor_m, most);
            self.queue.submit([encoder.finish()]);
        }
    }

    /// Returns whether the foam of the last frame was behind its time, so that the next frames have more.
    pub fn is_settling(&self) -> bool {
        self.foam.is_settling()
    }

    /// Takes over the foam and the spray of `other`, a frame on the same device that this one replaces,
    /// where the sea and the quality are the same. Otherwise foam begins again.
    pub fn continue_from(&mut self, other: &mut Self) {
        if self.foam.sea().is_of_the_sea_of(other.foam.sea()) {
            self.wind = other.wind;
            std::mem::swap(&mut self.foam, &mut other.foam);
            self.surface.water.set_foam(&self.device, &self.foam);
            self.continue_spray(other.spray.as_mut());
        }
    }

    /// Takes over the spray of `before`, if any. Otherwise its foam has existed for long, and begins
    /// again to make spray.
    fn continue_spray(&mut self, before: Option<&mut Spray>) {
        let Some(spray) = &mut self.spray else { return };
        if !before.is_some_and(|before| spray.continue_from(before)) {
            self.foam.restart();
        }
    }

    /// Builds the pipelines for an eye in the water, once waves may cover it.
    fn build_underwater(&mut self, view: &View) {
        let Self { surface, pipelines, mesh, ocean, sky, quality, .. } = self;
        if surface.underwater.is_some() || !self.bounds.may_cover(view.position_m.y) {
            return;
        }
        let scene = &SceneBindings::new(mesh, ocean.maps(), sky);
        let Quality { shaft_steps, particle_cells, .. } = *quality;
        let detail = UnderwaterDetail { shaft_steps, particle_cells };
        let Surface { visibility, water, .. } = surface;
        match Underwater::new(pipelines, scene, visibility, water, detail) {
            Ok(underwater) => surface.underwater = Some(underwater),
            Err(error) => log::error!("no light under water: {error}"),
        }
    }

    /// Returns `wanted`, with its pipelines built, or the picture where that fails.
    fn view(&mut self, wanted: DebugView) -> DebugView {
        if wanted == DebugView::Picture {
            return wanted;
        }
        match self.build_views() {
            Ok(()) => wanted,
            Err(error) => {
                log::error!("no debug views: {error}");
                DebugView::Picture
            }
        }
    }

    /// Builds the pipelines of the debug views, unless they exist. [`Frame::record`] does so for the
    /// first view.
    ///
    /// # Errors
    /// [`FrameError::Shader`] where a shader is broken.
    pub fn build_views(&mut self) -> Result<(), FrameError> {
        if self.views.is_none() {
            let Self { pipelines, surface, tone_map, ocean, .. } = &*self;
            self.views = Some(Views::new(pipelines, &surface.water, tone_map, ocean.maps())?);
        }
        Ok(())
    }

    /// The declarations of the pipelines of the debug views. Another thread may put them into the cache
    /// ([`Frame::pipelines`]), where [`Frame::build_views`] finds them.
    pub fn view_declarations(&self) -> ViewDeclarations {
        let Self { device, surface, tone_map, ocean, .. } = self;
        Views::declarations(device, &surface.water, tone_map, ocean.maps())
    }

    /// The cache of all its pipelines. [`Pipelines::rebuild`] is the slow half of [`Frame::reload`], for
    /// another thread.
    pub fn pipelines(&self) -> &Pipelines {
        &self.pipelines
    }

    /// Compiles the pipelines again that use one of `changed`, files under `shaders/`, from the current
    /// shaders. Textures, the sea and its spectrum stay. Returns the stages with compiled pipelines.
    ///
    /// # Errors
    /// [`FrameError`] with file and line where a shader is broken; the frame is unchanged.
    pub fn reload(&mut self, changed: &BTreeSet<String>) -> Result<Vec<&'static str>, FrameError> {
        let rebuilt = self.pipelines.rebuild(changed)?;
        let stages = rebuilt.stages().to_vec();
        rebuilt.install();
        Ok(stages)
    }

    /// Returns whether the pipelines of the debug views exist.
    pub fn has_views(&self) -> bool {
        self.views.is_some()
    }

    /// The legend of a debug view; none for the picture.
    pub fn legend(&self, choice: &DebugChoice) -> Option<Legend> {
        Legend::of(choice, self.ocean.spectrum(), &self.mesh.grid())
    }

    /// Records the layers of [`Frame::layers`] from now on, in one more pass over the water.
    ///
    /// # Errors
    /// [`FrameError`] where a shader cannot be composed.
    pub fn keep_layers(&mut self) -> Result<(), FrameError> {
        let depth = RayDepth::new(
            &self.pipelines,
            &SceneBindings::new(&self.mesh, self.ocean.maps(), &self.sky),
        )?;
        self.ray_depth = Some(depth);
        Ok(())
    }

    /// Replaces the buoys of the fairway: [`Scenery::buoys`] says how many of `objects` are shown, of those
    /// `models`.
    ///
    /// ```no_run
    /// use seaway::objects::{Object, Stand, buoy, post};
    ///
    /// # fn f(frame: &mut seaway::frame::Frame) -> Result<(), seaway::objects::ObjectsError> {
    /// let standing = Object { position_m: [20.0, 3.0], stand: Stand::Fixed { height_m: 0.0 }, ..Default::default() };
    /// let floating = Object { model: 1, position_m: [30.0, -5.0], paint: [0.8, 0.1, 0.0], ..Default::default() };
    /// frame.set_objects(&[post(), buoy()], vec![standing, floating])?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ObjectsError`] where they cannot be drawn; the objects are unchanged.
    pub fn set_objects(
        &mut self,
        models: &[Model],
        objects: Vec<Object>,
    ) -> Result<(), ObjectsError> {
        self.surface.objects.set(&self.device, models, objects)
    }

    /// The layers of the last frame's picture, to copy or bind until the next is recorded; `None` unless
    /// [`Frame::keep_layers`] was called before.
    pub fn layers(&self) -> Option<Layers<'_>> {
        self.ray_depth.as_ref().map(|depth| Layers {
            hdr: self.targets.composite.hdr.texture(),
            depth_m: depth.texture(),
        })
    }

    /// The value of the HDR layer for a radiance of 1 kcd/m2, for frames in `light`: the GPU finds it
    /// when it draws one, which must have been submitted.
    ///
    /// # Errors
    /// [`ReadbackError`] where the device does not answer.
    pub async fn exposure(&self, light: &Light) -> Result<f32, ReadbackError> {
        self.sky.exposure(&self.device, &self.queue, light).await
    }

    /// The ocean that is drawn.
    pub fn ocean(&self) -> &Ocean {
        &self.ocean
    }

    /// The foam of its sea.
    pub fn foam(&self) -> &Foam {
        &self.foam
    }

    /// The reach of its waves.
    pub fn sea_bounds(&self) -> SeaBounds {
        self.bounds
    }

    /// The quality, which sets the cost of the picture.
    pub fn quality(&self) -> &Quality {
        &self.quality
    }

    /// The number of vertices that the last frame placed.
    pub fn vertex_count(&self) -> u64 {
        self.mesh.vertex_count()
    }

    fn fit_targets(&mut self, resolution: [u32; 2]) {
        let resolution = resolution.map(|pixels| pixels.max(1));
        if resolution != self.targets.resolution {
            self.replace_targets(resolution);
        } else if let Some(replaced) = self.replaced.take() {
            replaced.destroy();
        }
    }

    fn replace_targets(&mut self, resolution: [u32; 2]) {
        let glare = self.quality.lens_glare.then_some(&self.glare);
        let samples = samples(&self.quality);
        let targets = Targets::new(&self.device, resolution, samples, &self.tone_map, glare);
        let before = std::mem::replace(&mut self.targets, targets);
        if platform::FREES_LATE
            && let Some(older) = self.replaced.replace(before)
        {
            older.destroy();
        }
    }
}

/// The most steps of the foam in a frame. Where the time has jumped, foam fills in over the next frames.
const FOAM_STEPS_A_FRAME: u32 = 8;

/// The look of the water, and its reach.
fn appearance(ocean: &Ocean, foam: &Foam) -> (WaterLook, SeaBounds) {
    let spectrum = ocean.spectrum();
    let hs_m = spectrum.significant_wave_height_m();
    (
        WaterLook::new(spectrum, foam.sea()),
        SeaBounds::from_wave_height(hs_m, spectrum.sea.choppiness * spectrum.orbit_ratio),
    )
}

fn detail(quality: &Quality) -> WaterDetail {
    WaterDetail {
        samples: samples(quality),
        mirror_samples: quality.mirror_samples,
        glints: quality.glints,
    }
}

fn spray(
    pipelines: &Pipelines,
    quality: &Quality,
    scene: &SceneBindings<'_>,
    (mesh, foam): (&Mesh, &Foam),
    surface: &Surface,
) -> Result<Option<Spray>, ShaderError> {
    let (of, noise) = ((mesh, &surface.visibility), surface.water.foam_noise());
    SprayOptions::of(quality)
        .map_or(Ok(None), |options| Spray::new(pipelines, options, scene, of, foam, noise))
}

/// WebGPU guarantees one sample and four, and nothing between.
fn samples(quality: &Quality) -> u32 {
    if quality.msaa_samples > 1 { 4 } else { 1 }
}

impl Surface {
    fn new(
        pipelines: &Pipelines,
        queue: &wgpu::Queue,
        scene: &SceneBindings<'_>,
        (mesh, ocean, foam): (&Mesh, &Ocean, &Foam),
        quality: &Quality,
    ) -> Result<Self, ShaderError> {
        let samples = samples(quality);
        let visibility = Visibility::new(pipelines, scene, mesh, samples)?;
        let of = (mesh, &visibility);
        let water = Water::new(pipelines, queue, scene, of, foam, detail(quality))?;
        let mut objects = Objects::new(pipelines, scene, ocean.maps(), &visibility)?;
        objects.follow_foam(pipelines, foam)?;
        Ok(Self {
            water,
            objects,
            background: SkyBackground::new(pipelines, scene, &visibility, quality.cloud_pixels)?,
            underwater: None,
            visibility,
            composite: Composite::new(pipelines)?,
        })
    }
}

#[cfg(test)]
mod tests;
