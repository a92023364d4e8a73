//! Light: the sky with its clouds and its light on the sea ([`Sky`]), which triangle of the sea each
//! sample of the picture sees ([`Visibility`]), the light of the water ([`Water`]) and of the sky behind
//! it ([`SkyBackground`]) there, the light of pixels ([`Composite`]), the exposure ([`ExposureMeter`]),
//! glare ([`Glare`]), the way from radiance to a display ([`ToneMap`]), and the distance of each pixel
//! ([`RayDepth`]). [`Bed`] maps the ground of shallow water and the light that waves focus on it, and
//! [`ObjectImages`] show the water what stands in it.
//!
//! Radiance is in kcd/m2 and irradiance in klx of a white that the sun has above the air, in
//! linear sRGB. The HDR target holds radiance times `exposure()`, with middle grey at 0.18.
//!
//! # A picture by hand
//! [`Frame`](crate::frame::Frame) wires all of it. A picture of the water and the sky alone takes these passes:
//!
//! ```no_run
//! use seaway::foam::Foam;
//! use seaway::gpu::Pipelines;
//! use seaway::mesh::{Grid, Mesh, SeaBounds, View};
//! use seaway::profile::Recorder;
//! use seaway::settings::{CameraPose, Light, Quality, SeaBed};
//! use seaway::shading::tone::ToneInput;
//! use seaway::shading::{
//!     Bed, BedScene, CloudOptions, Composite, CompositeTargets, ExposureMeter, GlareShares, SceneBindings, Sky,
//!     SkyBackground, ToneMap, Visibility, VisibilityTargets, Water, WaterDetail, WaterLook,
//! };
//!
//! # fn f(
//! #     device: &wgpu::Device, queue: &wgpu::Queue, encoder: &mut wgpu::CommandEncoder,
//! #     ocean: &seaway::Ocean, foam: &Foam, target: &wgpu::TextureView, format: wgpu::TextureFormat,
//! # ) -> Result<(), seaway::gpu::shader::ShaderError> {
//! // Once.
//! let pipelines = &Pipelines::from(device);
//! let (quality, samples) = (Quality::default(), 4);
//! let mut mesh = Mesh::new(device, Grid::of(&quality));
//! let mut bed = Bed::new(device, ocean.maps(), quality.bed_texels);
//! let mut sky = Sky::with_clouds(pipelines, queue, CloudOptions::of(&quality), Some(&bed), None)?;
//! let scene = &SceneBindings::new(&mesh, ocean.maps(), &sky);
//! let mut visibility = Visibility::new(pipelines, scene, &mesh, samples)?;
//! let detail = WaterDetail { samples, mirror_samples: 3, glints: true };
//! let water = Water::new(pipelines, queue, scene, (&mesh, &visibility), foam, detail)?;
//! let mut background = SkyBackground::new(pipelines, scene, &visibility, 1)?;
//! let (composite, tone_map) = (Composite::new(pipelines)?, ToneMap::new(pipelines, format)?);
//! let meter = ExposureMeter::new(pipelines, &sky)?;
//! let seen = VisibilityTargets::new(device, [1280, 720], samples);
//! let targets = CompositeTargets::new(device, &seen);
//! let input = ToneInput { hdr: &targets.hdr, samples: Some(&targets), glare: None };
//! let source = tone_map.source(device, input);
//!
//! // Every frame, behind the ocean's step and the foam's.
//! let recorder = &mut Recorder::new(encoder);
//! let view = View::new(&CameraPose::default(), [1280, 720]);
//! let look = WaterLook::new(ocean.spectrum(), foam.sea());
//! let bounds = SeaBounds::from_wave_height(4.0 * look.height_deviation_m, look.orbit_ratio);
//! mesh.select(&view, bounds);
//! mesh.upload(queue, &view, bounds);
//! let anchor_m = mesh.grid().anchor_m(view.position_m);
//! water.update(queue, &look, anchor_m, anchor_m);
//! let light = Light::default();
//! let bed_scene = BedScene {
//!     bed: SeaBed::Sand,
//!     depth_m: ocean.spectrum().sea.depth_m,
//!     waves_deg: ocean.spectrum().sea.wind_direction_deg,
//!     light: &light,
//!     unresolved_variance: look.base_covariance[0],
//!     reach_m: bounds.horizontal_m,
//!     eye_m: view.position_m.to_array(),
//!     anchor_m,
//!     may_be_below: false,
//! };
//! bed.record(recorder, (pipelines, queue), &bed_scene, ocean.maps())?;
//! sky.set_bed(&bed);
//! sky.record(recorder, queue, &light, view.position_m.y);
//! meter.record(recorder, queue, &view, &look, &sky);
//! let scene = &SceneBindings::new(&mesh, ocean.maps(), &sky);
//! water.displace(recorder, scene, &mesh);
//! visibility.fit(&mesh, &seen);
//! background.fit(device, scene, &seen);
//! visibility.record(recorder, scene, &mesh, &seen, |_other_objects| {});
//! recorder.compute("light", |stages| {
//!     water.light(stages, scene, &visibility);
//!     background.light(stages, scene, &visibility);
//! });
//! composite.record(recorder, &targets);
//! tone_map.record(recorder, queue, &source, GlareShares::NONE, target, 0);
//! # Ok(())
//! # }
//! ```
//!
//! Objects, an eye in the water, the lens and distances add these:
//!
//! ```no_run
//! use seaway::objects::Objects;
//! use seaway::gpu::Pipelines;
//! use seaway::mesh::{Mesh, SeaBounds, View};
//! use seaway::profile::Recorder;
//! use seaway::shading::{
//!     CompositeTargets, Glare, GlarePyramid, GlareShares, RayDepth, SceneBindings, Underwater,
//!     UnderwaterDetail, Visibility, VisibilityTargets, Water,
//! };
//!
//! # fn f(
//! #     device: &wgpu::Device, queue: &wgpu::Queue, encoder: &mut wgpu::CommandEncoder,
//! #     pipelines: &Pipelines, ocean: &seaway::Ocean, mesh: &mut Mesh, view: &View,
//! #     bounds: SeaBounds, scene: &SceneBindings<'_>, visibility: &mut Visibility, water: &Water,
//! #     seen: &VisibilityTargets, targets: &CompositeTargets,
//! # ) -> Result<(), seaway::gpu::shader::ShaderError> {
//! // Once.
//! let mut objects = Objects::new(pipelines, scene, ocean.maps(), visibility)?;
//! let detail = UnderwaterDetail { shaft_steps: 28, particle_cells: 24 };
//! let underwater = Underwater::new(pipelines, scene, visibility, water, detail)?;
//! let mut ray_depth = RayDepth::new(pipelines, scene)?;
//! let glare = Glare::new(pipelines.clone())?;
//! let pyramid: GlarePyramid = glare.pyramid(device, &targets.hdr);
//!
//! // Every frame.
//! let recorder = &mut Recorder::new(encoder);
//! objects.select(queue, view, &mesh.drawn_grid(), bounds, 4, 20.0);
//! recorder.compute("objects", |stages| objects.record(stages, ocean.maps()));
//! visibility.record(recorder, scene, mesh, seen, |pass| objects.draw(pass, scene));
//! recorder.compute("light", |stages| {
//!     underwater.light(stages, water, scene, visibility);
//!     objects.light(stages, scene, visibility);
//! });
//! underwater.update(queue, view, 20.0);
//! let clear = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
//! recorder.render_to("overlay", &targets.overlay, clear, |pass| {
//!     underwater.draw_over(pass, &visibility.over(scene));
//! });
//! ray_depth.fit(device, view.resolution);
//! ray_depth.record(recorder, scene, mesh, |pass| objects.draw_distance(pass, scene));
//! glare.record(recorder, &pyramid);
//! let shares: GlareShares = pyramid.shares(0.5);
//! # Ok(())
//! # }
//! ```
//!
//! [`Spray`](crate::spray::Spray) is drawn into the same overlay.
//!
//! # Bind groups
//! WebGPU guarantees four, and all passes over the scene share the first three:
//!
//! | group | what | whose |
//! |---|---|---|
//! | 0 | view, grid, displaced vertices; kernels that light samples add tiles, triangles, depth, lights and the lists of the picture's tiles | [`Mesh`](crate::mesh::Mesh), [`Visibility`] |
//! | 1 | the sea's maps | [`Maps`](crate::maps::Maps), as `maps::sample_wgsl(1)` reads them |
//! | 2 | sky, clouds, exposure, bed, images of objects | [`Sky`] |
//! | 3 | the drawn thing; for the water, foam (as `foam::sample_wgsl(3)` reads it) and noise | [`Water`], .. |
//!
//! The kernel that lights the water has all 16 textures that are guaranteed, 4 of 16 samplers, 9 of 12
//! uniform buffers and 4 of 8 storage buffers (a test counts them). New inputs go where they change, and no
//! group is added:
//!
//! - a picture that the water mirrors is a layer of the images of objects ([`ObjectImages`]);
//! - properties of the whole frame (an eye under water, rain, night) go into the uniforms of groups 0
//!   and 2, which grow and do not multiply; a map of stars beside the sky's tables, as a layer of one
//!   texture with them;
//! - everything else that moves the water (wakes, shores with their depth) goes into group 1, where
//!   every shader that asks for the surface finds it: [`Maps`](crate::maps::Maps) binds it behind the
//!   waves, and `maps/sample.wgsl` adds it up;
//! - layers on the water go behind the foam in group 3.
//!
//! Should textures run out, foam's noise joins the clouds' noises in an array, and the clouds' shadow
//! becomes layers of their dome: that frees three.

pub mod atmosphere;
mod bed;
#[cfg(test)]
mod bed_tests;
mod clouds;
mod composite;
#[cfg(test)]
mod facets_tests;
#[cfg(test)]
mod foam_light_tests;
mod foam_noise;
#[cfg(test)]
mod foam_picture_tests;
pub mod glare;
#[cfg(test)]
mod glints_tests;
pub mod meter;
pub mod multiple_scattering;
mod object_images;
mod optics;
mod particles;
mod ray_depth;
mod scene;
#[cfg(test)]
mod sea_tests;
pub mod sky;
mod sky_background;
#[cfg(test)]
mod sun_path_tests;
#[cfg(test)]
mod tests;
pub mod tone;
mod underwater;
mod visibility;
#[cfg(test)]
mod visibility_tests;
mod water;

pub(crate) use bed::highest_bed_m;
pub use bed::{Bed, BedScene};
pub use clouds::{CloudOptions, CloudScene};
pub use composite::{Composite, CompositeTargets};
pub use glare::{Glare, GlarePyramid, GlareShares};
pub use meter::ExposureMeter;
pub use object_images::ObjectImages;
pub(crate) use object_images::{ImageLayer, OBJECTS};
pub use optics::{WaterOptics, water_wgsl};
pub use ray_depth::RayDepth;
pub use scene::SceneBindings;
pub use sky::Sky;
pub use sky_background::SkyBackground;
pub use tone::ToneMap;
pub use underwater::{Underwater, UnderwaterDetail};
pub(crate) use visibility::Tiles;
pub use visibility::{Visibility, VisibilityTargets};
pub use water::{Water, WaterDetail, WaterLook};

use crate::platform::Cooperative;

/// Makes the foam's pattern cooperatively, so that [`Water::new`] finds it ready.
pub(crate) async fn prepare_foam_noise(coop: &mut Cooperative) {
    foam_noise::FoamNoise::prepare(coop).await;
}

/// The format of light before tone mapping.
pub const HDR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// The format of the scene's depth, which is reversed: 1 at the near plane, 0 at infinity.
pub const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The depth state of a pipeline over the scene: it draws where `compare` holds, and then writes its own
/// depth if `is_written`.
pub(crate) fn depth_state(
    is_written: bool,
    compare: wgpu::CompareFunction,
) -> Option<wgpu::DepthStencilState> {
    Some(wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(is_written),
        depth_compare: Some(compare),
        stencil: Default::default(),
        bias: Default::default(),
    })
}

/// Every shader that this stage compiles: label, complete WGSL.
#[cfg(test)]
pub(crate) fn shaders() -> Vec<(String, String)> {
    [
        sky::SHADERS,
        clouds::SHADERS,
        meter::SHADERS,
        sky_background::SHADERS,
        visibility::SHADERS,
        composite::SHADERS,
        water::SHADERS,
        underwater::SHADERS,
        bed::SHADERS,
        glare::SHADERS,
        tone::SHADERS,
        ray_depth::SHADERS,
    ]
    .concat()
    .into_iter()
    .map(|name| (name.to_owned(), crate::gpu::shader::resolve(name).expect(name)))
    .chain([("shading::water_wgsl".to_owned(), water_wgsl().to_owned())])
    .collect()
}
