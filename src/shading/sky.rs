//! The sky: tables on the GPU that other shaders read through `shading/sky.wgsl`.
//!
//! Method: Hillaire 2020, "A Scalable and Production Ready Sky and Atmosphere Rendering
//! Technique". Takes [`Light`] and the height of the eye; gives a bind group for group 2.
//!
//! | table | texels | depends on |
//! |---|---|---|
//! | transmittance | 128 x 32: height, zenith angle | haze |
//! | multiple scattering | 32 x 16: height, zenith angle of the sun | haze |
//! | view, from the sea and from the eye | 64 x 64: azimuth from the sun, elevation | haze, sun's elevation, height of the eye |
//! | blurred | 48 x 32 x 6: azimuth, elevation, blur | haze, sun's elevation |
//! | light on the sea | one | haze, sun's elevation |
//! | exposure, and the sea's mean radiance | one | haze, sun's elevation, and what [`ExposureMeter`](super::ExposureMeter) finds |
//!
//! The optics of the water are in its uniform, since the light in the water is light of this sky.
//! [`Sky::with_clouds`] adds the tables of `clouds`, and the light on the sea follows them. It also binds the
//! map of [`Bed`], which only light that has come through water shows, and the images of objects
//! ([`ObjectImages`]), which the water mirrors.
//!
//! The sun's azimuth and the exposure's dial are uniforms: changing them costs nothing. The inputs of
//! tables are rounded first, so that tables depend on the current frame alone.

use super::atmosphere;
use super::bed::{self, Bed, WaterBed};
use super::clouds::{CloudField, CloudOptions, CloudScene};
use super::object_images::{self, ImageLayer, ObjectImages};
use super::optics::WaterOptics;
use crate::gpu::bindings::{self, Binding};
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    Allocations, ComputeDescriptor, ComputePipeline, Pipelines, ReadbackError, TextureSpec,
    Uniform, read_buffer, wgsl_struct,
};
use crate::profile::Recorder;
use crate::settings::{Clouds, Light};

#[cfg(test)]
pub(super) const SHADERS: &[&str] = &[
    "shading/transmittance.wgsl",
    "shading/multiple_scattering.wgsl",
    "shading/sky_view.wgsl",
    "shading/sky_blur.wgsl",
    "shading/sky_light.wgsl",
    "shading/sky.wgsl",
];

const TRANSMITTANCE_SIZE: [u32; 2] = [128, 32];
const MULTIPLE_SIZE: [u32; 2] = [32, 16];
const VIEW_SIZE: [u32; 2] = [64, 64];
const VIEW_LAYERS: u32 = 4;
const BLURRED_SIZE: [u32; 3] = [48, 32, 6];
const WORKGROUP: u32 = 8;
/// The constants of kernels that include clouds.
const CLOUDED: [(&str, f64); 1] = [("CLOUDED", 1.0)];

wgsl_struct! {
    /// The layout of `SkyUniform` in `shading/sky_map.wgsl`.
    struct SkyUniform {
        sun_direction: [f32; 3],
        haze: f32,
        table_sun: [f32; 2],
        eye_height_km: f32,
        eye_dip_rad: f32,
        exposure_scale: f32,
        _pad: [f32; 3],
        water: WaterOptics,
        bed: WaterBed,
    }
}

wgsl_struct! {
    /// The layout of `SkyLight` in `shading/sky_map.wgsl`, which the GPU writes.
    struct SkyLight {
        sun_irradiance: [f32; 3],
        _pad: f32,
        sky_irradiance: [f32; 3],
        exposure: f32,
        clear_irradiance: [f32; 3],
        _pad_end: f32,
    }
}

wgsl_struct! {
    /// The layout of `SkyExposure` in `shading/sky_map.wgsl`, which the GPU writes.
    struct SkyExposure {
        sea_radiance: [f32; 3],
        value: f32,
    }
}

/// The inputs of the tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Key {
    pub(super) haze: f64,
    sun_elevation_deg: f64,
    eye_height_m: f64,
}

impl Key {
    /// Rounds to steps that the eye does not see: 1 % of haze, 0.01 degrees, 4 % of the eye's height.
    fn new(light: &Light, eye_height_m: f64) -> Self {
        let geometric = |value: f64, step: f64| ((value.ln() / step).round() * step).exp();
        Self {
            haze: geometric(light.haze.clamp(0.1, 20.0), 0.01),
            sun_elevation_deg: (light.sun_elevation_deg * 100.0).round() / 100.0,
            eye_height_m: geometric(eye_height_m.clamp(0.1, 50_000.0), 0.04),
        }
    }
}

/// The sky's tables and the kernels that make them.
#[derive(Debug)]
pub struct Sky {
    uniform: Uniform<SkyUniform>,
    light: wgpu::Buffer,
    exposure: wgpu::Buffer,
    sampler: wgpu::Sampler,
    pub(super) textures: Textures,
    transmittance: Kernel,
    multiple: Kernel,
    view: Kernel,
    blur: Kernel,
    sum_light: Kernel,
    group: bindings::Group,
    metering_bind_group: wgpu::BindGroup,
    object_frames: bindings::Group,
    /// For passes that draw the images of objects, by layer.
    imaging_bind_groups: [wgpu::BindGroup; 2],
    pub(super) clouds: CloudField,
    /// The optics of the water, for this turbidity.
    water: WaterOptics,
    turbidity: f64,
    bed: WaterBed,
    pub(super) made_for: Option<Key>,
    /// The number of builds of the kernels that made the tables.
    made_by: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Textures {
    pub(super) transmittance: wgpu::Texture,
    pub(super) multiple: wgpu::Texture,
    pub(super) view: wgpu::Texture,
    pub(super) blurred: wgpu::Texture,
}

/// A kernel and its bindings at group 0.
#[derive(Debug)]
struct Kernel {
    pipeline: ComputePipeline,
    bind_group: wgpu::BindGroup,
}

impl Kernel {
    fn new(
        pipelines: &Pipelines,
        shader: &'static str,
        constants: &[(&'static str, f64)],
        bindings: &[Binding<'_>],
    ) -> Result<Self, ShaderError> {
        let bindings::Group { layout, bind_group } =
            bindings::bind(pipelines.device(), shader, wgpu::ShaderStages::COMPUTE, bindings);
        let pipeline = pipelines.compute(ComputeDescriptor {
            constants: constants.into(),
            ..ComputeDescriptor::new("sky", shader, "main", &[Some(&layout)])
        })?;
        Ok(Self { pipeline, bind_group })
    }

    fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>, invocations: [u32; 2], layers: u32) {
        self.pipeline.bind(pass, &[Some(&self.bind_group)]);
        let [x, y] = invocations.map(|count| count.div_ceil(WORKGROUP));
        pass.dispatch_workgroups(x, y, layers);
    }
}

impl Sky {
    /// Builds the tables and kernels of a sky without clouds. The first [`Sky::record`] fills the tables.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(device: impl Into<Pipelines>) -> Result<Self, ShaderError> {
        let pipelines = device.into();
        let device = pipelines.device();
        let (no_bed, no_images) = (bed::map_texture(device, 1), object_images::Bound::none(device));
        Self::with(&pipelines, CloudField::new(device, CloudOptions::NONE), &no_bed, &no_images)
    }

    /// Builds a sky with clouds of the given options over a sea with that bed and those images of
    /// objects, if any. The scene of [`Sky::record_under`] has the settings of the clouds.
    ///
    /// # Errors
    /// Those of [`Sky::new`].
    pub fn with_clouds(
        device: impl Into<Pipelines>,
        queue: &wgpu::Queue,
        options: CloudOptions,
        bed: Option<&Bed>,
        objects: Option<&ObjectImages>,
    ) -> Result<Self, ShaderError> {
        let pipelines = device.into();
        let device = pipelines.device();
        let map = bed.map_or_else(|| bed::map_texture(device, 1), |bed| bed.map().clone());
        let images =
            objects.map_or_else(|| object_images::Bound::none(device), ObjectImages::bound);
        let mut sky = Self::with(&pipelines, CloudField::new(device, options), &map, &images)?;
        sky.clouds.build(&pipelines, queue, &sky.group.layout, &sky.sampler)?;
        Ok(sky)
    }

    fn with(
        pipelines: &Pipelines,
        clouds: CloudField,
        bed_map: &wgpu::TextureView,
        objects: &object_images::Bound,
    ) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let uniform = Uniform::new(device, "Sky::uniform");
        let written = |label, size: usize| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size as u64,
                usage: wgpu::BufferUsages::STORAGE
                    | wgpu::BufferUsages::UNIFORM
                    | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            })
        };
        let light = written("Sky::light", size_of::<SkyLight>());
        let exposure = written("Sky::exposure", size_of::<SkyExposure>());
        // Bound by the pass that writes the exposure: a dispatch may not read what it writes.
        let no_exposure = written("Sky::no_exposure", size_of::<SkyExposure>());
        let textures = Textures {
            transmittance: table("Sky::transmittance", TRANSMITTANCE_SIZE).create(device),
            multiple: table("Sky::multiple", MULTIPLE_SIZE).create(device),
            view: table("Sky::view", VIEW_SIZE).layers(VIEW_LAYERS).create(device),
            blurred: {
                let [width, height, depth] = BLURRED_SIZE;
                table("Sky::blurred", [width, height]).solid(depth).create(device)
            },
        };
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("Sky::sampler"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            // The images of objects have levels.
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..Default::default()
        });

        let view = |texture: &wgpu::Texture| texture.create_view(&Default::default());
        let transmittance_view = view(&textures.transmittance);
        let multiple_view = view(&textures.multiple);
        let view_view = view(&textures.view);
        let blurred_view = view(&textures.blurred);
        let d2 = wgpu::TextureViewDimension::D2;
        let d2_array = wgpu::TextureViewDimension::D2Array;
        let d3 = wgpu::TextureViewDimension::D3;
        let uniform_binding: Binding<'_> = (bindings::uniform(), &uniform);
        let sampler_binding: Binding<'_> = (bindings::sampler(), &sampler);

        let kernel = |name, bindings: &[Binding<'_>]| Kernel::new(pipelines, name, &[], bindings);
        let transmittance = kernel(
            "shading/transmittance.wgsl",
            &[uniform_binding, stored(d2, &transmittance_view)],
        )?;
        let multiple = kernel(
            "shading/multiple_scattering.wgsl",
            &[
                uniform_binding,
                sampled(d2, &transmittance_view),
                sampler_binding,
                stored(d2, &multiple_view),
            ],
        )?;
        let view = kernel(
            "shading/sky_view.wgsl",
            &[
                uniform_binding,
                sampled(d2, &transmittance_view),
                sampler_binding,
                sampled(d2, &multiple_view),
                stored(d2_array, &view_view),
            ],
        )?;
        let blur = kernel(
            "shading/sky_blur.wgsl",
            &[
                uniform_binding,
                sampled(d2_array, &view_view),
                sampler_binding,
                stored(d3, &blurred_view),
            ],
        )?;
        let sum_light = Kernel::new(
            pipelines,
            "shading/sky_light.wgsl",
            if clouds.options.are_shown() { &CLOUDED } else { &[] },
            &[
                uniform_binding,
                sampled(d2_array, &view_view),
                sampler_binding,
                sampled(d2, &transmittance_view),
                (bindings::storage_read_write(), &light),
                sampled(d2, clouds.mean()),
                (bindings::storage_read_write(), &exposure),
            ],
        )?;
        // The kernel that lights the water binds four textures of these and five of the clouds, two of
        // the ocean's maps, two of the foam, triangles and depth; WebGPU guarantees sixteen.
        let own: [Binding<'_>; 6] = [
            uniform_binding,
            (bindings::uniform(), &light),
            sampler_binding,
            sampled(d2_array, &view_view),
            sampled(d3, &blurred_view),
            sampled(d2, &transmittance_view),
        ];
        let bind = |label, exposure: &wgpu::Buffer, images: &wgpu::TextureView| {
            let last: [Binding<'_>; 4] = [
                (bindings::uniform(), exposure),
                sampled(d2_array, bed_map),
                sampled(d2_array, images),
                (bindings::storage_read(), &objects.frames),
            ];
            bindings::bind(
                device,
                label,
                wgpu::ShaderStages::VERTEX_FRAGMENT | wgpu::ShaderStages::COMPUTE,
                &[&own[..], &clouds.bindings(), &last].concat(),
            )
        };
        let group = bind("Sky::bind_group", &exposure, &objects.atlas);
        // Groups of equal layouts are interchangeable.
        let metering_bind_group =
            bind("Sky::metering_bind_group", &no_exposure, &objects.atlas).bind_group;
        let no_images = object_images::Bound::none(device);
        let imaging_bind_groups = [&no_images.atlas, &objects.silhouettes]
            .map(|images| bind("Sky::imaging_bind_group", &exposure, images).bind_group);
        Ok(Self {
            uniform,
            light,
            exposure,
            textures,
            transmittance,
            multiple,
            view,
            blur,
            sum_light,
            group,
            metering_bind_group,
            imaging_bind_groups,
            object_frames: bindings::bind(
                device,
                "Sky::object_frames",
                wgpu::ShaderStages::COMPUTE,
                &[(bindings::storage_read(), &objects.frames)],
            ),
            clouds,
            sampler,
            turbidity: f64::NAN,
            water: bytemuck::Zeroable::zeroed(),
            bed: bytemuck::Zeroable::zeroed(),
            made_for: None,
            made_by: 0,
        })
    }

    /// Brings a sky without clouds up to date with `light`, seen from `eye_height_m` over the sea.
    /// Records a compute pass only where a table changes.
    pub fn record(
        &mut self,
        recorder: &mut Recorder<'_>,
        queue: &wgpu::Queue,
        light: &Light,
        eye_height_m: f64,
    ) {
        let (clouds, eye_m) = (&Clouds::none(), [0.0, eye_height_m, 0.0]);
        let scene = CloudScene { clouds, time_s: 0.0, wind_mps: [0.0; 2], run_m: [0.0; 2], eye_m };
        self.record_under(recorder, queue, light, &scene);
    }

    /// Shows the bed as it was recorded last from the next record on.
    pub fn set_bed(&mut self, bed: &Bed) {
        self.bed = *bed.sunlight();
    }

    /// Brings the sky up to date with the clouds of `scene`, which are recorded in every frame.
    pub fn record_under(
        &mut self,
        recorder: &mut Recorder<'_>,
        queue: &wgpu::Queue,
        light: &Light,
        scene: &CloudScene<'_>,
    ) {
        let key = Key::new(light, scene.eye_m[1]);
        if self.turbidity != light.turbidity {
            (self.turbidity, self.water) = (light.turbidity, WaterOptics::of(light.turbidity));
        }
        self.uniform.write(queue, &uniform(light, &key, self.water, self.bed));
        let Self { transmittance, multiple, view, blur, sum_light, .. } = &*self;
        let kernels = [transmittance, multiple, view, blur, sum_light];
        let builds = kernels.map(|kernel| kernel.pipeline.builds()).iter().sum::<u32>()
            + self.clouds.builds();
        if std::mem::replace(&mut self.made_by, builds) != builds {
            // Each table depends on the ones before it, and the clouds are lit by them.
            self.clouds.forget();
            self.made_for = None;
        }
        self.clouds.record_volume(recorder, queue, scene, light);

        let haze_changed = self.made_for.is_none_or(|made| made.haze != key.haze);
        let light_changed = haze_changed
            || self.made_for.is_none_or(|made| made.sun_elevation_deg != key.sun_elevation_deg);
        let tables_changed = self.made_for != Some(key);
        let clouds_move = self.clouds.are_moving(scene);
        if !tables_changed && !clouds_move {
            return;
        }
        self.made_for = Some(key);
        recorder.compute("sky", |stages| {
            if haze_changed {
                stages.stage("sky transmittance", |pass| {
                    self.transmittance.dispatch(pass, TRANSMITTANCE_SIZE, 1);
                });
                stages.stage("sky multiple scattering", |pass| {
                    self.multiple.dispatch(pass, MULTIPLE_SIZE, 1);
                });
            }
            if tables_changed {
                stages.stage("sky view", |pass| {
                    // The eye's table comes first, then the sea's.
                    let tables = if light_changed { 2 } else { 1 };
                    self.view.dispatch(pass, VIEW_SIZE, tables);
                });
            }
            if light_changed {
                stages.stage("sky blur", |pass| {
                    let [width, height, depth] = BLURRED_SIZE;
                    self.blur.dispatch(pass, [width, height], depth);
                });
                stages.stage("sky light", |pass| self.sum_light.dispatch(pass, [1, 1], 1));
            }
            if clouds_move {
                // The cloudless sky lights the clouds, which are then part of its light.
                self.clouds.record_dome(stages, scene, &self.group.bind_group);
                stages.stage("clouds light on the sea", |pass| {
                    self.sum_light.dispatch(pass, [1, 1], 1);
                });
            }
        });
    }

    /// Group 2 of shaders that import `shading/sky.wgsl`.
    pub fn group(&self) -> &bindings::Group {
        &self.group
    }

    /// [`Sky::group`] without an exposure, for the pass that sets it.
    pub(super) fn metering_bind_group(&self) -> &wgpu::BindGroup {
        &self.metering_bind_group
    }

    /// The frames of the images of objects, for kernels that need nothing else of the sky.
    pub(super) fn object_frames(&self) -> &bindings::Group {
        &self.object_frames
    }

    /// [`Sky::group`] for the pass that draws a layer of the images of objects: it has none of that layer.
    pub(crate) fn imaging_bind_group(&self, layer: ImageLayer) -> &wgpu::BindGroup {
        &self.imaging_bind_groups[layer as usize]
    }

    /// The buffer of `SkyExposure` of `shading/sky_map.wgsl`.
    pub(super) fn exposure_buffer(&self) -> &wgpu::Buffer {
        &self.exposure
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        let Textures { transmittance, multiple, view, blurred } = &self.textures;
        [transmittance, multiple, view, blurred].into_iter().fold(
            self.uniform.allocations::<A>().with_buffer(&self.light).with_buffer(&self.exposure),
            A::with_texture,
        )
    }

    pub(crate) fn cloud_allocations<A: Allocations>(&self) -> A {
        self.clouds.allocations()
    }

    /// The constants of pipelines whose shaders import `shading/sky.wgsl`.
    pub fn constants(&self) -> [(&'static str, f64); 1] {
        [("CLOUDED", f64::from(self.clouds.options.are_shown()))]
    }

    /// The light on the sea as the GPU found it, for read-back, laid out as `SkyLight` of
    /// `shading/sky_map.wgsl`.
    #[cfg(test)]
    pub(crate) fn light_buffer(&self) -> &wgpu::Buffer {
        &self.light
    }

    /// The twin of `exposure` of `shading/sky.wgsl`, for a submitted frame in `light`.
    ///
    /// # Errors
    /// [`ReadbackError`] where the device does not answer.
    pub async fn exposure(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        light: &Light,
    ) -> Result<f32, ReadbackError> {
        let bytes = read_buffer(device, queue, &self.exposure).await?;
        let found: SkyExposure = bytemuck::pod_read_unaligned(&bytes);
        Ok(found.value * exposure_scale(light))
    }
}

fn exposure_scale(light: &Light) -> f32 {
    light.exposure_ev.exp2() as f32
}

fn uniform(light: &Light, key: &Key, water: WaterOptics, bed: WaterBed) -> SkyUniform {
    let (table_sin, table_cos) = key.sun_elevation_deg.to_radians().sin_cos();
    let eye_height_km = key.eye_height_m * 1e-3;
    SkyUniform {
        sun_direction: light.to_sun().map(|part| part as f32),
        haze: key.haze as f32,
        table_sun: [table_sin as f32, table_cos as f32],
        eye_height_km: eye_height_km as f32,
        eye_dip_rad: atmosphere::horizon_dip_rad(eye_height_km) as f32,
        exposure_scale: exposure_scale(light),
        _pad: [0.0; 3],
        water,
        bed,
    }
}

fn table(label: &str, size: [u32; 2]) -> TextureSpec<'_> {
    TextureSpec::storage(label, size, wgpu::TextureFormat::Rgba16Float)
}

fn sampled(dimension: wgpu::TextureViewDimension, view: &wgpu::TextureView) -> Binding<'_> {
    (bindings::texture(dimension), view)
}

fn stored(dimension: wgpu::TextureViewDimension, view: &wgpu::TextureView) -> Binding<'_> {
    (bindings::storage_texture(wgpu::TextureFormat::Rgba16Float, dimension), view)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::assert_layout;
    use crate::gpu::shader::resolve;

    #[test]
    fn structs_have_wgsl_layout() {
        let wgsl = resolve("shading/sky.wgsl").unwrap();
        assert_layout::<WaterOptics>(&wgsl);
        assert_layout::<WaterBed>(&wgsl);
        assert_layout::<SkyUniform>(&wgsl);
        assert_layout::<SkyLight>(&wgsl);
        assert_layout::<SkyExposure>(&wgsl);
    }

    #[test]
    fn sizes_agree_with_the_shaders() {
        let wgsl = resolve("shading/sky.wgsl").unwrap();
        let vector = |size: &[u32]| {
            let size: Vec<_> = size.iter().map(|texels| format!("{texels}.0")).collect();
            format!("vec{}<f32> = vec{}({});", size.len(), size.len(), size.join(", "))
        };
        for (name, size) in [
            ("TRANSMITTANCE_SIZE", &TRANSMITTANCE_SIZE[..]),
            ("MULTIPLE_SIZE", &MULTIPLE_SIZE),
            ("VIEW_SIZE", &VIEW_SIZE),
            ("BLURRED_SIZE", &BLURRED_SIZE),
        ] {
            assert!(wgsl.contains(&format!("const {name}: {}", vector(size))), "{name}");
        }
    }
}
