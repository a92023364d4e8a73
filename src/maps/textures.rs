//! The maps with their sampler, uniform and bind group.

use super::CascadeSampling;
use super::gpu_data::{MAX_CASCADES, MAX_LEVELS, OceanCascade, OceanMaps};
use super::mips::LEVELS_PER_DISPATCH;
use super::sampling::coarsest_sampled_level;
use super::tiles;
use crate::choice::choices;
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    Allocations, Capabilities, Limit, Memory, Requirements, TextureSpec, Uniform, bindings,
};
use crate::spectrum::Interpolation;

choices! {
    /// The format of the numbers in maps.
    pub enum MapFormat {
        /// 16-bit floats, for rendering. They round at 5e-4 of the value.
        F16 = "f16",
        /// 32-bit floats, for measuring. They are interpolated only where the device has
        /// `FLOAT32_FILTERABLE`, and sampled at the nearest texel elsewhere.
        F32 = "f32",
    }
}

impl MapFormat {
    /// The format of the textures.
    pub fn texture_format(self) -> wgpu::TextureFormat {
        match self {
            Self::F16 => wgpu::TextureFormat::Rgba16Float,
            Self::F32 => wgpu::TextureFormat::Rgba32Float,
        }
    }

    /// The format's name in WGSL.
    pub(super) fn wgsl(self) -> &'static str {
        match self {
            Self::F16 => "rgba16float",
            Self::F32 => "rgba32float",
        }
    }
}

/// The shape of the maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapsDescriptor {
    /// Texels along one side, a power of two from 16 to 8192.
    pub size: u32,
    /// The number of cascades, 1 to 4.
    pub cascades: u32,
    /// The format of the texels.
    pub format: MapFormat,
    /// The most samples in a row along the longer side of a footprint, 1 to 16.
    pub anisotropy: u32,
}

/// The reasons why maps cannot be made.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapsError {
    /// The size is not a power of two, or out of range.
    #[error("maps of {size} x {size} texels are not possible: use a power of two from 16 to 8192")]
    Size {
        /// The requested number of texels along one side.
        size: u32,
    },
    /// The number of cascades is out of range.
    #[error("{cascades} cascades are not possible: use 1 to 4")]
    Cascades {
        /// The requested number of cascades.
        cascades: u32,
    },
    /// The number of samples is out of range.
    #[error("an anisotropy of {anisotropy} is not possible: use 1 to 16")]
    Anisotropy {
        /// The requested number of samples.
        anisotropy: u32,
    },
    /// The limits of the device's textures are too small.
    #[error(
        "the device cannot hold the maps: they need {limit} = {needed}, and it has {available}"
    )]
    Limit {
        /// The limit that is exceeded.
        limit: Limit,
        /// The value that the maps need.
        needed: u64,
        /// The value that the device was opened with.
        available: u64,
    },
    /// A shader file on disk was broken; the embedded ones are sound.
    #[error(transparent)]
    Shader(#[from] ShaderError),
}

impl MapsDescriptor {
    /// Checks the shape, and that a device can hold it.
    ///
    /// # Errors
    /// [`MapsError`] where it is out of range or exceeds a limit.
    pub fn check(&self, capabilities: &Capabilities) -> Result<(), MapsError> {
        let requirements = self.requirements()?;
        match requirements.missing(capabilities) {
            Some((limit, needed)) => {
                Err(MapsError::Limit { limit, needed, available: limit.of(capabilities) })
            }
            None => Ok(()),
        }
    }

    /// The features and limits that a device needs to hold the maps.
    ///
    /// # Errors
    /// [`MapsError`] where the shape is out of range.
    pub fn requirements(&self) -> Result<Requirements, MapsError> {
        if !self.size.is_power_of_two() || !(16..=8192).contains(&self.size) {
            return Err(MapsError::Size { size: self.size });
        }
        if !(1..=MAX_CASCADES as u32).contains(&self.cascades) {
            return Err(MapsError::Cascades { cascades: self.cascades });
        }
        if !(1..=16).contains(&self.anisotropy) {
            return Err(MapsError::Anisotropy { anisotropy: self.anisotropy });
        }
        let mut requirements = Requirements::default();
        requirements.need(Limit::TextureDimension2d, self.size.into());
        requirements.need(Limit::TextureArrayLayers, self.layers().into());
        Ok(requirements)
    }

    /// The number of mip levels, the first included. They end at 4 texels a side, the last level that
    /// sampling reads, or with those of one dispatch. Coarser ones would show nothing: each cascade's
    /// longest wave is shorter than their texels.
    pub fn levels(&self) -> u32 {
        1 + coarsest_sampled_level(self.size).max(LEVELS_PER_DISPATCH)
    }

    /// Layers of the texture that holds both kinds of map.
    pub(super) fn layers(&self) -> u32 {
        2 * self.cascades
    }
}

/// The sea as textures. The [module](super) lists the channels.
///
/// Both arrays are views of one texture, so that one dispatch makes the mips of both.
/// Clones share what is on the GPU.
#[derive(Clone, Debug)]
pub struct Maps {
    descriptor: MapsDescriptor,
    texture: wgpu::Texture,
    displacement: wgpu::TextureView,
    derivatives: wgpu::TextureView,
    sampler: wgpu::Sampler,
    uniform: Uniform<OceanMaps>,
    group: bindings::Group,
    /// The contents of the uniform, except for the origin.
    contents: OceanMaps,
    /// The contents at the end of a change of the sea.
    wanted: OceanMaps,
    patches: Vec<Patch>,
    filterable: bool,
    origin_m: [f64; 2],
}

#[derive(Clone, Copy, Debug)]
struct Patch {
    size_m: f64,
    rotation_rad: f64,
}

impl Patch {
    /// Turns a place into one along the patch's axes, in units of patches.
    fn patches(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = libm::sincos(self.rotation_rad);
        [cos * x + sin * z, cos * z - sin * x].map(|metres| metres / self.size_m)
    }
}

/// Replaces NaN and infinite values by 0, as times do ([`Clock::ticks`](crate::spectrum::Clock::ticks)):
/// one bad frame of a caller must not last.
pub(crate) fn finite<const N: usize>(values: [f64; N]) -> [f64; N] {
    values.map(|value| if value.is_finite() { value } else { 0.0 })
}

impl Maps {
    /// Creates empty maps.
    ///
    /// # Errors
    /// [`MapsError`] where the shape is out of range or the device cannot hold it.
    pub fn new(device: &wgpu::Device, descriptor: &MapsDescriptor) -> Result<Self, MapsError> {
        descriptor.check(&Capabilities::of(device))?;
        let texture = TextureSpec::storage(
            "Maps::texture",
            [descriptor.size; 2],
            descriptor.format.texture_format(),
        )
        .layers(descriptor.layers())
        .levels(descriptor.levels())
        .create(device);
        let array = |label, first_layer| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                label: Some(label),
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                base_array_layer: first_layer,
                array_layer_count: Some(descriptor.cascades),
                usage: Some(wgpu::TextureUsages::TEXTURE_BINDING),
                ..Default::default()
            })
        };
        let displacement = array("Maps::displacement", 0);
        let derivatives = array("Maps::derivatives", descriptor.cascades);

        let filterable = descriptor.format == MapFormat::F16
            || device.features().contains(wgpu::Features::FLOAT32_FILTERABLE);
        let filter = if filterable { wgpu::FilterMode::Linear } else { wgpu::FilterMode::Nearest };
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("Maps::sampler"),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: filter,
            min_filter: filter,
            mipmap_filter: if filterable {
                wgpu::MipmapFilterMode::Linear
            } else {
                wgpu::MipmapFilterMode::Nearest
            },
            ..Default::default()
        });
        let uniform = Uniform::new(device, "Maps::uniform");

        let array = wgpu::TextureViewDimension::D2Array;
        let (array, sampler_type) = if filterable {
            (bindings::texture(array), bindings::sampler())
        } else {
            (bindings::unfiltered_texture(array), bindings::nearest_sampler())
        };
        let group = bindings::bind(
            device,
            "Maps::bind_group",
            wgpu::ShaderStages::VERTEX_FRAGMENT | wgpu::ShaderStages::COMPUTE,
            &[
                (bindings::uniform(), &uniform),
                (array, &displacement),
                (array, &derivatives),
                (sampler_type, &sampler),
            ],
        );
        Ok(Self {
            descriptor: *descriptor,
            texture,
            displacement,
            derivatives,
            sampler,
            uniform,
            group,
            contents: bytemuck::Zeroable::zeroed(),
            wanted: bytemuck::Zeroable::zeroed(),
            patches: Vec::new(),
            filterable,
            origin_m: [0.0; 2],
        })
    }

    /// Sets the sea that the maps show: one entry per cascade, and the sea's choppiness and foam
    /// threshold. Entries past the number of cascades are ignored.
    pub fn set_sea(
        &mut self,
        queue: &wgpu::Queue,
        cascades: &[CascadeSampling],
        choppiness: f64,
        foam_threshold: f64,
    ) {
        self.prepare_sea(cascades, choppiness, foam_threshold);
        self.contents = self.wanted;
        self.write(queue);
    }

    /// Prepares a change to another sea with the same patches, which [`Maps::change`] moves to.
    pub(crate) fn prepare_sea(
        &mut self,
        cascades: &[CascadeSampling],
        choppiness: f64,
        foam_threshold: f64,
    ) {
        let cascades = &cascades[..cascades.len().min(self.descriptor.cascades as usize)];
        let size = self.descriptor.size;
        let mut contents: OceanMaps = bytemuck::Zeroable::zeroed();
        contents.cascade_count = cascades.len() as u32;
        contents.choppiness = choppiness as f32;
        contents.foam_threshold = foam_threshold as f32;
        contents.anisotropy = self.descriptor.anisotropy as f32;
        contents.texels = size as f32;
        for (index, cascade) in cascades.iter().enumerate() {
            let texel_m = cascade.patch_size_m / f64::from(size);
            let (sin, cos) = libm::sincos(cascade.rotation_rad);
            contents.cascades[index] = OceanCascade {
                axis_patches_per_m: [cos, sin].map(|part| (part / cascade.patch_size_m) as f32),
                log2_texel_m: texel_m.log2() as f32,
                last_lod: cascade.last_lod(size) as f32,
                cubic: u32::from(cascade.interpolation == Interpolation::Cubic && self.filterable),
                blended: cascade.blended.into(),
                ..bytemuck::Zeroable::zeroed()
            };
            let lost = &cascade.lost_covariance;
            for level in 0..MAX_LEVELS {
                // Entries past the last level hold the total.
                if let Some(covariance) = lost.get(level).or(lost.last()) {
                    contents.lost_covariance[index * MAX_LEVELS + level] =
                        covariance.map(|part| part as f32);
                }
            }
        }
        self.wanted = contents;
        self.patches = cascades
            .iter()
            .map(|cascade| Patch {
                size_m: cascade.patch_size_m,
                rotation_rad: cascade.rotation_rad,
            })
            .collect();
    }

    /// Moves by `share` of the remaining difference to the prepared sea, from 0 to 1.
    pub(crate) fn change(&mut self, queue: &wgpu::Queue, share: f32) {
        let Self { contents, wanted, .. } = self;
        let move_to = |value: &mut f32, wanted: f32| *value += share * (wanted - *value);
        move_to(&mut contents.choppiness, wanted.choppiness);
        move_to(&mut contents.foam_threshold, wanted.foam_threshold);
        let lost = contents.lost_covariance.as_flattened_mut().iter_mut();
        lost.zip(wanted.lost_covariance.as_flattened()).for_each(|(lost, to)| move_to(lost, *to));
        self.write(queue);
    }

    /// Moves the point that positions in shaders are relative to. It applies to commands submitted after
    /// this call.
    ///
    /// Keep it within some kilometres of the camera, so that single precision resolves positions
    /// around it; the sea does not move with it. A coordinate that is NaN or infinite is 0.
    pub fn set_origin(&mut self, queue: &wgpu::Queue, origin_m: [f64; 2]) {
        let origin_m = finite(origin_m);
        if origin_m != self.origin_m {
            self.origin_m = origin_m;
            self.write(queue);
        }
    }

    fn write(&mut self, queue: &wgpu::Queue) {
        self.contents = self.contents_from(self.origin_m);
        self.uniform.write(queue, &self.contents);
    }

    /// The uniform for positions relative to `origin_m`.
    pub(super) fn contents_from(&self, origin_m: [f64; 2]) -> OceanMaps {
        let mut contents = self.contents;
        let half_texel = 0.5 / f64::from(self.descriptor.size);
        for (cascade, patch) in contents.cascades.iter_mut().zip(&self.patches) {
            let at = patch.patches(origin_m);
            cascade.origin_uv = at.map(|at| (at.rem_euclid(1.0) + half_texel) as f32);
            let cells = tiles::skewed(at);
            cascade.origin_cell = cells.map(|at| at.floor() as i64 as i32);
            cascade.origin_in_cell = cells.map(|at| (at - at.floor()) as f32);
        }
        contents
    }

    /// The variance along an axis of the slopes that a mesh with vertices `spacing_m` apart does not show: the
    /// twin of `OceanSurface::lost` of the shader.
    pub(crate) fn lost_slope_variance(&self, spacing_m: f64) -> f64 {
        let contents = &self.contents;
        let cascades = contents.cascades.iter().take(contents.cascade_count as usize);
        let of_cascade = |(index, cascade): (usize, &OceanCascade)| {
            let lod = (spacing_m.log2() - f64::from(cascade.log2_texel_m)).max(0.0);
            let weight = (f64::from(cascade.last_lod) - lod).clamp(0.0, 1.0);
            let table = &contents.lost_covariance[index * MAX_LEVELS..][..MAX_LEVELS];
            let level = (lod as usize).min(MAX_LEVELS - 2);
            let share = (lod - level as f64).min(1.0);
            let variance = |level: usize| 0.5 * f64::from(table[level][0] + table[level][1]);
            let lost = variance(level) + share * (variance(level + 1) - variance(level));
            let total = variance(MAX_LEVELS - 1);
            total + weight * weight * (lost - total)
        };
        cascades.enumerate().map(|(index, cascade)| of_cascade((index, cascade))).sum()
    }

    /// Whether the device can filter the maps. Otherwise they are sampled at the nearest texel, and
    /// interpolations other than [`Interpolation::Linear`] are useless.
    pub fn filterable(&self) -> bool {
        self.filterable
    }

    /// The pipeline constants for shaders with `maps/sample.wgsl`, valid while the cascades keep their
    /// sampling: they leave out unused code.
    pub fn constants(&self) -> [(&'static str, f64); 2] {
        let any = |of: fn(&OceanCascade) -> u32| {
            f64::from(self.contents.cascades.iter().any(|cascade| of(cascade) != 0))
        };
        [
            ("OCEAN_CUBIC", any(|cascade| cascade.cubic)),
            ("OCEAN_BLENDED", any(|cascade| cascade.blended)),
        ]
    }

    /// The shape and format of the maps.
    pub fn descriptor(&self) -> &MapsDescriptor {
        &self.descriptor
    }

    /// The texture behind both arrays: displacement in layers `0..cascades`, derivatives in
    /// `cascades..2 * cascades`.
    pub fn texture(&self) -> &wgpu::Texture {
        &self.texture
    }

    /// The displacement (Dx, Dz, h, dh/dx), one layer per cascade, all mip levels.
    pub fn displacement(&self) -> &wgpu::TextureView {
        &self.displacement
    }

    /// The derivatives (dh/dz, dDx/dz, dDx/dx, dDz/dz), one layer per cascade, all mip levels.
    pub fn derivatives(&self) -> &wgpu::TextureView {
        &self.derivatives
    }

    /// The sampler, linear (but see [`MapFormat::F32`]) and repeating.
    pub fn sampler(&self) -> &wgpu::Sampler {
        &self.sampler
    }

    /// The memory that the maps take.
    pub fn memory(&self) -> Memory {
        self.allocations()
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        self.uniform.allocations::<A>().with_texture(&self.texture)
    }

    /// The layout of [`Self::bind_group`], visible to vertex, fragment and compute shaders.
    pub fn bind_group_layout(&self) -> &wgpu::BindGroupLayout {
        &self.group.layout
    }

    /// The bind group of shaders with [`sample_wgsl`](super::sample_wgsl).
    pub fn bind_group(&self) -> &wgpu::BindGroup {
        &self.group.bind_group
    }

    pub(crate) fn group(&self) -> &bindings::Group {
        &self.group
    }
}

#[cfg(test)]
mod tests {
    use crate::gpu::Context;
    use crate::ocean::{Ocean, OceanOptions};
    use crate::settings::SeaState;

    #[test]
    fn a_bad_origin_is_zero() {
        let Context { device, queue, .. } = seaway_core::testing::context();
        let options = OceanOptions { size: 16, cascades: 2, ..OceanOptions::default() };
        let mut ocean = Ocean::new(&device, &queue, &SeaState::default(), options).unwrap();
        let mut at = |origin_m| {
            ocean.set_origin(&queue, origin_m);
            bytemuck::bytes_of(&ocean.maps().contents).to_vec()
        };
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(at([bad, 70.0]) == at([0.0, 70.0]), "{bad}");
            assert!(at([-3.0, bad]) == at([-3.0, 0.0]), "{bad}");
        }
    }
}
