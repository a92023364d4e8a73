//! The water's kernels: the grid displaced by the maps, lit by sun and sky.

use super::foam_noise::{self, FoamNoise};
use super::{SceneBindings, Tiles, Visibility};
use crate::foam::{Foam, FoamSea};
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    Allocations, ComputeDescriptor, ComputePipeline, Pipelines, TextureSpec, Uniform, bindings,
    wgsl_struct,
};
use crate::mesh::Mesh;
use crate::profile::{Recorder, Stages};
use crate::spectrum::InitialSpectrum;

pub(super) const SHADERS: &[&str] = &["shading/displace.wgsl", "shading/light.wgsl"];

wgsl_struct! {
    /// The layout of `WaterUniform` in `shading/water_uniform.wgsl`.
    pub(super) struct WaterUniform {
        pub(super) base_covariance: [f32; 3],
        pub(super) height_deviation_m: f32,
        pub(super) covariance: [f32; 3],
        pub(super) orbit_ratio: f32,
        pub(super) glint_origin: [f32; 2],
        pub(super) bubbles_per_m: f32,
        pub(super) _padding: f32,
        pub(super) tiles: [FoamTile; FOAM_TILES.len()],
    }
}

wgsl_struct! {
    /// The layout of `FoamTile` in `shading/water_uniform.wgsl`.
    pub(super) struct FoamTile {
        pub(super) from_metres: [f32; 4],
        pub(super) origin: [f32; 2],
        pub(super) _padding: [f32; 2],
    }
}

/// Must equal `GLINT_TILE_M` of `shading/glints.wgsl`.
const GLINT_TILE_M: f64 = 64.0;

/// Sizes of the foam's tiles of noise in metres, and sine and cosine of their turns: neither in simple ratios
/// nor parallel, so that no repetition shows. The first two are of the net, the others of whitecaps.
pub(super) const FOAM_TILES: [(f64, [f64; 2]); 4] =
    [(5.3, [0.0, 1.0]), (13.7, [0.6, 0.8]), (97.0, [-0.28, 0.96]), (151.0, [0.352, 0.936])];

/// The properties that the look of the water depends on besides its maps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaterLook {
    /// The covariance (xx, zz, xz) of the slopes of all waves.
    pub covariance: [f64; 3],
    /// The share of the water that foam covers on average.
    pub foam_cover: f64,
    /// Scattering by bubbles under the crests, per metre.
    pub bubbles_per_m: f64,
    /// The covariance (xx, zz, xz) of the slopes of waves finer than the maps hold.
    pub base_covariance: [f64; 3],
    /// The standard deviation of the sea's height, a quarter of its significant wave height.
    pub height_deviation_m: f64,
    /// The ratio of horizontal to vertical displacement of the waves: 1 in deep water.
    pub orbit_ratio: f64,
}

impl WaterLook {
    /// The variance of the slopes along each axis of the calmest water: a perfect mirror would show
    /// nothing but points.
    const LEAST_VARIANCE: f64 = 1e-5;

    /// The scattering by bubbles in the uppermost metres under full foam: whitecaps of one per cent
    /// leave some 0.1 per metre behind (after Zhang, Lewis and Johnson 1998; by eye).
    const BUBBLES_PER_M: f64 = 10.0;
    const MOST_BUBBLES_PER_M: f64 = 0.3;

    /// The look of a sea with the given spectrum and foam.
    pub fn new(spectrum: &InitialSpectrum, foam: &FoamSea) -> Self {
        // The covariance of the displaced surface.
        let displaced =
            |covariance: [f64; 3]| covariance.map(|part| spectrum.displaced_over_rest * part);
        let [xx, zz, xz] = displaced(spectrum.unresolved_slope_covariance());
        let base_covariance = [xx + Self::LEAST_VARIANCE, zz + Self::LEAST_VARIANCE, xz];
        let covariance = (0..spectrum.cascades.len())
            .map(|cascade| displaced(spectrum.slope_covariance(cascade)))
            .fold(base_covariance, |sum, slopes| std::array::from_fn(|i| sum[i] + slopes[i]));
        Self {
            covariance,
            foam_cover: foam.cover.share,
            bubbles_per_m: (Self::BUBBLES_PER_M * foam.cover.share).min(Self::MOST_BUBBLES_PER_M),
            base_covariance,
            height_deviation_m: spectrum.significant_wave_height_m() / 4.0,
            orbit_ratio: spectrum.orbit_ratio,
        }
    }

    /// Moves by `share` of the difference to `wanted`, from 0 to 1.
    pub fn change(&mut self, wanted: &Self, share: f64) {
        let move_to = |value: &mut f64, wanted: f64| *value += share * (wanted - *value);
        for (value, wanted) in [
            (&mut self.covariance, wanted.covariance),
            (&mut self.base_covariance, wanted.base_covariance),
        ] {
            value.iter_mut().zip(wanted).for_each(|(value, wanted)| move_to(value, wanted));
        }
        move_to(&mut self.foam_cover, wanted.foam_cover);
        move_to(&mut self.bubbles_per_m, wanted.bubbles_per_m);
        move_to(&mut self.height_deviation_m, wanted.height_deviation_m);
        move_to(&mut self.orbit_ratio, wanted.orbit_ratio);
    }
}

/// The options that set the cost of the water's picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaterDetail {
    /// The number of samples a pixel.
    pub samples: u32,
    /// Directions in which a pixel mirrors the sky: 1 or 3.
    pub mirror_samples: u32,
    /// Whether glitter comes from single facets.
    pub glints: bool,
}

/// The kernels that place and light the water, and the water's own bindings.
#[derive(Debug)]
pub struct Water {
    displace: ComputePipeline,
    /// Lights what each pixel sees of it.
    light: ComputePipeline,
    /// Light it where objects are near, and where it mirrors them, once there are any.
    with_objects: Option<[ComputePipeline; 2]>,
    shows_bed: bool,
    layout: bindings::Layout,
    bind_group: wgpu::BindGroup,
    uniform: Uniform<WaterUniform>,
    noise: wgpu::TextureView,
}

/// Constants of `shading/bed.wgsl` and `shading/object_images.wgsl`.
const BED: &str = "BED";
const NEAR_OBJECTS: &str = "NEAR_OBJECTS";
const MIRRORS_OBJECTS: &str = "MIRRORS_OBJECTS";

impl Water {
    /// Builds the kernels, and the foam's texture.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        pipelines: &Pipelines,
        queue: &wgpu::Queue,
        scene: &SceneBindings<'_>,
        (mesh, visibility): (&Mesh, &Visibility),
        foam: &Foam,
        detail: WaterDetail,
    ) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let uniform = Uniform::new(device, "Water::uniform");
        let noise = foam_texture(device, queue);
        let layout = bindings::layout(
            device,
            "Water::bind_group_layout",
            wgpu::ShaderStages::VERTEX_FRAGMENT | wgpu::ShaderStages::COMPUTE,
            &[
                &Foam::binding_types()[..],
                &[bindings::uniform(), bindings::texture(wgpu::TextureViewDimension::D2)],
            ]
            .concat(),
        );
        let bind_group = bind(device, &layout, &uniform, &noise, foam);
        let displace = pipelines.compute(ComputeDescriptor {
            groups: scene.with_view(mesh.placing_group()).layouts(Some(&layout)),
            constants: scene.constants(&looks(foam, detail)),
            ..ComputeDescriptor::new("water", SHADERS[0], "displace", &[])
        })?;
        let light =
            pipelines.compute(Self::descriptor(scene, visibility, foam, detail, &layout))?;
        Ok(Self {
            displace,
            light,
            with_objects: None,
            shows_bed: false,
            layout,
            bind_group,
            uniform,
            noise,
        })
    }

    fn descriptor(
        scene: &SceneBindings<'_>,
        visibility: &Visibility,
        foam: &Foam,
        detail: WaterDetail,
        layout: &bindings::Layout,
    ) -> ComputeDescriptor {
        let mut kernel = visibility.kernel(scene, "water", SHADERS[1], Some(layout));
        kernel.constants.extend(looks(foam, detail));
        kernel.constants.extend([(BED, 0.0), (NEAR_OBJECTS, 0.0), (MIRRORS_OBJECTS, 0.0)]);
        kernel
    }

    /// Compiles the kernels for a sea with a visible bed or without, and with objects near the water from
    /// the first time on that there are any. Returns whether that changed anything.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn show(
        &mut self,
        pipelines: &Pipelines,
        has_bed: bool,
        has_objects: bool,
    ) -> Result<bool, ShaderError> {
        let has_objects = has_objects || self.with_objects.is_some();
        if self.shows_bed == has_bed && self.with_objects.is_some() == has_objects {
            return Ok(false);
        }
        let kernel = |is_near: bool, mirrors: bool| {
            let mut kernel = self.light.declaration().clone();
            let chosen = [(BED, has_bed), (NEAR_OBJECTS, is_near), (MIRRORS_OBJECTS, mirrors)];
            for (name, value) in &mut kernel.constants {
                if let Some((_, chosen)) = chosen.iter().find(|(chosen, _)| chosen == name) {
                    *value = f64::from(*chosen);
                }
            }
            pipelines.compute(kernel)
        };
        let with_objects = match has_objects {
            true => Some([kernel(true, true)?, kernel(false, true)?]),
            false => None,
        };
        if self.shows_bed != has_bed {
            self.light = kernel(false, false)?;
        }
        (self.with_objects, self.shows_bed) = (with_objects, has_bed);
        Ok(true)
    }

    /// Draws with other foam from now on.
    pub fn set_foam(&mut self, device: &wgpu::Device, foam: &Foam) {
        let Self { layout, uniform, noise, .. } = self;
        self.bind_group = bind(device, layout, uniform, noise, foam);
    }

    /// The declaration of a kernel that finds the same pieces of water and keeps another value for them,
    /// by an entry point of a shader that imports `shading/surface.wgsl`.
    pub(crate) fn surface_kernel(
        &self,
        stage: &'static str,
        shader: &'static str,
        entry_point: &'static str,
    ) -> ComputeDescriptor {
        Self::alike(&self.light, stage, shader, entry_point)
    }

    /// The same for tiles near objects, once there are any.
    pub(super) fn kernel_near_objects(
        &self,
        stage: &'static str,
        shader: &'static str,
        entry_point: &'static str,
    ) -> Option<ComputeDescriptor> {
        let [near, _] = self.with_objects.as_ref()?;
        Some(Self::alike(near, stage, shader, entry_point))
    }

    fn alike(
        light: &ComputePipeline,
        stage: &'static str,
        shader: &'static str,
        entry_point: &'static str,
    ) -> ComputeDescriptor {
        let light = light.declaration();
        ComputeDescriptor {
            stage,
            shader: light.shader.of_file(shader),
            entry_point,
            ..light.clone()
        }
    }

    /// Describes the water of the frame by its look, and the place of the grid's anchor
    /// ([`crate::mesh::Grid::anchor_m`]) in the world and in the frame that drifts with the foam:
    /// neither glints nor the foam's pattern may move with the grid.
    pub fn update(
        &self,
        queue: &wgpu::Queue,
        look: &WaterLook,
        anchor_m: [f64; 2],
        foam_anchor_m: [f64; 2],
    ) {
        let tiles = FOAM_TILES.map(|(size_m, [sin, cos])| {
            let [x, z] = foam_anchor_m;
            FoamTile {
                from_metres: [cos, sin, -sin, cos].map(|element| (element / size_m) as f32),
                origin: [cos * x - sin * z, sin * x + cos * z]
                    .map(|metres| (metres / size_m).rem_euclid(1.0) as f32),
                _padding: [0.0; 2],
            }
        });
        self.uniform.write(
            queue,
            &WaterUniform {
                base_covariance: look.base_covariance.map(|element| element as f32),
                height_deviation_m: look.height_deviation_m.max(1e-3) as f32,
                covariance: look.covariance.map(|element| element as f32),
                orbit_ratio: look.orbit_ratio as f32,
                glint_origin: anchor_m.map(|metres| metres.rem_euclid(GLINT_TILE_M) as f32),
                bubbles_per_m: look.bubbles_per_m as f32,
                _padding: 0.0,
                tiles,
            },
        );
    }

    /// The tile of noise that breaks up foam: noise and its square, uniform from 0 to 1.
    pub(crate) fn foam_noise(&self) -> &wgpu::TextureView {
        &self.noise
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        self.uniform.allocations::<A>().with_texture(self.noise.texture())
    }

    /// Places the vertices of `mesh`'s tiles on the waves, before the passes that draw them and after
    /// all changes of maps and light.
    pub fn displace(&self, recorder: &mut Recorder<'_>, scene: &SceneBindings<'_>, mesh: &Mesh) {
        recorder.compute("displacement", |stages| {
            stages.stage("displacement", |pass| {
                let scene = scene.with_view(mesh.placing_group());
                self.displace.bind(pass, &scene.groups(Some(&self.bind_group)));
                mesh.place(pass);
            });
        });
    }

    /// Lights the samples that see water.
    pub fn light(
        &self,
        stages: &mut Stages<'_, '_>,
        scene: &SceneBindings<'_>,
        visibility: &Visibility,
    ) {
        let with_objects = self.with_objects.iter().flatten().map(|kernel| (kernel, Tiles::Few));
        let kernels = std::iter::once((&self.light, Tiles::Many)).chain(with_objects);
        self.light_by(stages, "water", kernels, scene, visibility);
    }

    /// Lights samples with kernels of [`Water::surface_kernel`] that go through lists of tiles.
    pub(super) fn light_by<'a>(
        &self,
        stages: &mut Stages<'_, '_>,
        stage: &'static str,
        kernels: impl IntoIterator<Item = (&'a ComputePipeline, Tiles)>,
        scene: &SceneBindings<'_>,
        visibility: &Visibility,
    ) {
        stages.stage(stage, |pass| {
            for (kernel, tiles) in kernels {
                visibility.dispatch(pass, kernel, scene, Some(&self.bind_group), tiles);
            }
        });
    }

    /// Lights all samples with a kernel of [`Water::surface_kernel`].
    pub(crate) fn light_with(
        &self,
        stages: &mut Stages<'_, '_>,
        kernel: &ComputePipeline,
        scene: &SceneBindings<'_>,
        visibility: &Visibility,
    ) {
        stages.stage("water", |pass| {
            visibility.dispatch_everywhere(pass, kernel, scene, Some(&self.bind_group));
        });
    }
}

fn bind(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    uniform: &Uniform<WaterUniform>,
    noise: &wgpu::TextureView,
    foam: &Foam,
) -> wgpu::BindGroup {
    let [map, levels, sampler] = foam.resources();
    let resources: [&dyn bindings::Resource; 5] = [map, levels, sampler, uniform, noise];
    bindings::group(device, "Water::bind_group", layout, &resources)
}

fn looks(foam: &Foam, detail: WaterDetail) -> [(&'static str, f64); 3] {
    [
        ("FOAM_DETAILED", f64::from(foam.options().is_detailed())),
        ("SKY_NODES", f64::from(detail.mirror_samples > 1)),
        ("GLINTS", f64::from(detail.glints)),
    ]
}

fn foam_texture(device: &wgpu::Device, queue: &wgpu::Queue) -> wgpu::TextureView {
    let noise = FoamNoise::tile();
    let texture = TextureSpec::new(
        "Water::foam_noise",
        [foam_noise::SIZE; 2],
        wgpu::TextureFormat::Rg8Unorm,
        wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
    )
    .levels(noise.levels.len() as u32)
    .create(device);
    for (level, texels) in noise.levels.iter().enumerate() {
        let size = foam_noise::SIZE >> level;
        queue.write_texture(
            wgpu::TexelCopyTextureInfo { mip_level: level as u32, ..texture.as_image_copy() },
            bytemuck::cast_slice(texels),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(2 * size),
                rows_per_image: None,
            },
            wgpu::Extent3d { width: size, height: size, depth_or_array_layers: 1 },
        );
    }
    texture.create_view(&Default::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_uniform_has_wgsl_layout() {
        let wgsl = crate::gpu::shader::resolve("shading/water.wgsl").unwrap();
        crate::gpu::assert_layout::<WaterUniform>(&wgsl);
        crate::gpu::assert_layout::<FoamTile>(&wgsl);
    }
}
