//! Clouds: they dim the sun, are part of the sky's light, and are mirrored by the sea.
//!
//! Takes [`CloudScene`]: the settings, the time, the wind and the eye. Gives the part of the sky's bind
//! group that `shading/clouds.wgsl` declares. Everything is a pure function of the frame.
//!
//! | texture | texels | depends on |
//! |---|---|---|
//! | noise | 64 x 64 x 64, 256 x 256 | nothing |
//! | sources: light inside plane slabs | 24 x 24 x 10 | nothing |
//! | volume of the low clouds, of three moments, four levels | N x N x 32 each | the moment, cover, kind, sun |
//! | shadow, of three moments, all levels | N x N each | the same |
//! | dome: what the sea mirrors, and the same blurred | 64 x 64, 64 x 64 x 6 | the frame |
//! | mean of clouds over the sea, by direction | 32 x 33 | the frame |
//!
//! A frame interpolates between two moments, `PERIOD_S` apart. Meanwhile the third is computed in slices, at
//! the pace of time; a frame out of turn computes the missing slices at once, with the same result.

mod cover;
mod moment;
mod slab;
#[cfg(test)]
mod slab_tests;
#[cfg(test)]
mod tests;

use bytemuck::Zeroable as _;

pub use self::moment::CloudScene;
use self::moment::{Key, SLOTS};
use crate::gpu::bindings::{self, Binding, Layout, Resource};
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    Allocations, ComputeDescriptor, ComputePipeline, Pipelines, TextureSpec, Uniform, one_level,
    wgsl_struct,
};
use crate::profile::{Recorder, Stages};
use crate::settings::{Light, Quality};

#[cfg(test)]
pub(super) const SHADERS: &[&str] = &[
    "shading/cloud_noise.wgsl",
    "shading/cloud_shape.wgsl",
    "shading/cloud_light.wgsl",
    "shading/cloud_levels.wgsl",
    "shading/cloud_shadow.wgsl",
    "shading/cloud_shadow_levels.wgsl",
    "shading/cloud_dome.wgsl",
    "shading/cloud_dome_blur.wgsl",
    "shading/cloud_mean.wgsl",
];

/// Layers of the volume between base and top.
const LAYERS: u32 = 32;
/// Levels of the volume. Each halves its depth.
const LEVELS: u32 = 4;
const SOLID_SIZE: u32 = 64;
const FLAT_SIZE: u32 = 256;
const DOME_SIZE: [u32; 3] = [64, 64, 6];
const MEAN_SIZE: [u32; 2] = [32, 33];
const SLICE_LAYERS: u32 = 2;
const SLICES: u32 = LAYERS / SLICE_LAYERS;
/// Slices of shapes and of light, and one for the results of both.
const UNITS: u32 = 2 * SLICES + 1;
const WORKGROUP: u32 = 8;
/// The alignment of the uniforms of slices.
const SLICE_STRIDE: u64 = 256;

wgsl_struct! {
    /// The layout of `CloudUniform` in `shading/cloud_map.wgsl`.
    pub(super) struct CloudUniform {
        pub(super) eye_uv: [f32; 2],
        pub(super) shadow_uv: [f32; 2],
        pub(super) bend_phase: [f32; 2],
        pub(super) wind: [f32; 2],
        pub(super) cirrus_uv: [f32; 2],
        pub(super) slots: [f32; 2],
        pub(super) blend: f32,
        pub(super) eye_height_m: f32,
        pub(super) _padding: [f32; 2],
        pub(super) detail_offset: [f32; 3],
        pub(super) base_m: f32,
        pub(super) shadow_offset_m: [f32; 2],
        pub(super) thickness_m: f32,
        pub(super) extinction_per_m: f32,
        pub(super) bottom_density: f32,
        pub(super) cover: f32,
        pub(super) shown: f32,
        pub(super) cirrus: f32,
        pub(super) cirrus_sunlight: f32,
        pub(super) texel_m: f32,
        pub(super) steps: u32,
        pub(super) any: u32,
    }
}

wgsl_struct! {
    /// The layout of `CloudSlot` in `shading/cloud_slot.wgsl`.
    struct CloudSlot {
        cover_offset: [f32; 4],
        billow_offset: [f32; 3],
        cover: f32,
        to_sun: [f32; 3],
        thickness_m: f32,
        extinction_per_m: f32,
        bottom_density: f32,
        slot: u32,
        stratus: f32,
    }
}

/// The options that set the cost of clouds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CloudOptions {
    /// Steps along a line of sight; 0 turns clouds off.
    pub steps: u32,
    /// Texels along one side of the volume: a power of two.
    pub texels: u32,
}

impl CloudOptions {
    /// The options of skies without clouds.
    pub const NONE: Self = Self { steps: 0, texels: 1 };

    /// The options of a quality.
    pub fn of(quality: &Quality) -> Self {
        if quality.cloud_steps == 0 {
            return Self::NONE;
        }
        let texels = quality.cloud_texels.clamp(16, 256);
        Self { steps: quality.cloud_steps, texels: 1 << texels.ilog2() }
    }

    /// Returns whether there can be clouds.
    pub fn are_shown(&self) -> bool {
        self.steps > 0
    }
}

/// The clouds' textures and the kernels that fill them.
#[derive(Debug)]
pub(super) struct CloudField {
    pub(super) options: CloudOptions,
    uniform: Uniform<CloudUniform>,
    sampler: wgpu::Sampler,
    pub(super) textures: Textures,
    views: Views,
    kernels: Option<Kernels>,
    slots: [Slot; SLOTS as usize],
    /// The slot whose shapes are in the texture of shapes.
    shaped: Option<usize>,
    has_noise: bool,
    /// The dome shows no clouds.
    is_clear: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Textures {
    solid: wgpu::Texture,
    flat: wgpu::Texture,
    cover: wgpu::Texture,
    sources: wgpu::Texture,
    field: wgpu::Texture,
    pub(super) volume: wgpu::Texture,
    pub(super) shadow: wgpu::Texture,
    pub(super) dome: wgpu::Texture,
    pub(super) blurred: wgpu::Texture,
    pub(super) mean: wgpu::Texture,
}

#[derive(Clone, Debug)]
struct Views {
    solid: wgpu::TextureView,
    flat: wgpu::TextureView,
    volume: wgpu::TextureView,
    shadow: wgpu::TextureView,
    blurred: wgpu::TextureView,
    mean: wgpu::TextureView,
}

/// A slot of the volume: the moment that it is made for, and how many of its units are done.
#[derive(Clone, Debug, Default)]
struct Slot {
    key: Option<Key>,
    done: u32,
}

#[derive(Debug)]
struct Kernels {
    moments: Vec<Uniform<CloudSlot>>,
    slices: Vec<wgpu::BindGroup>,
    slice_buffer: wgpu::Buffer,
    solid: Kernel,
    flat: Kernel,
    /// Has a bind group for each slot, as have the kernels below.
    shape: Kernel,
    light: Kernel,
    /// Has a bind group for each level of each slot.
    levels: Kernel,
    shadow: Kernel,
    shadow_levels: Kernel,
    dome: Kernel,
    blur: Kernel,
    mean: Kernel,
}

#[derive(Debug)]
struct Kernel {
    pipeline: ComputePipeline,
    groups: Vec<wgpu::BindGroup>,
}

impl Kernel {
    fn new(
        pipelines: &Pipelines,
        (shader, entry_point): (&'static str, &'static str),
        types: &[wgpu::BindingType],
        groups: &[Vec<&dyn Resource>],
        others: &[Option<&Layout>],
    ) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let layout = bindings::layout(device, shader, wgpu::ShaderStages::COMPUTE, types);
        let layouts = [&[Some(&layout)], others].concat();
        let descriptor = ComputeDescriptor::new("sky", shader, entry_point, &layouts);
        let pipeline = pipelines.compute(descriptor)?;
        let group = |resources: &Vec<_>| bindings::group(device, shader, &layout, resources);
        Ok(Self { pipeline, groups: groups.iter().map(group).collect() })
    }

    fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>, group: usize, workgroups: [u32; 3]) {
        self.pipeline.bind(pass, &[Some(&self.groups[group])]);
        let [x, y, z] = workgroups;
        pass.dispatch_workgroups(x, y, z);
    }
}

impl CloudField {
    /// Creates the textures, of the least size where `options` have no clouds. [`CloudField::build`] follows.
    pub(super) fn new(device: &wgpu::Device, options: CloudOptions) -> Self {
        let textures = Textures::new(device, options);
        let view = |texture: &wgpu::Texture| texture.create_view(&Default::default());
        let array = wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        };
        let views = Views {
            solid: view(&textures.solid),
            flat: view(&textures.flat),
            volume: view(&textures.volume),
            shadow: textures.shadow.create_view(&array),
            blurred: view(&textures.blurred),
            mean: view(&textures.mean),
        };
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("Clouds::sampler"),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            address_mode_w: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..Default::default()
        });
        Self {
            options,
            uniform: Uniform::with(device, "Clouds::uniform", &CloudUniform::zeroed()),
            sampler,
            textures,
            views,
            kernels: None,
            slots: Default::default(),
            shaped: None,
            has_noise: false,
            is_clear: false,
        }
    }

    /// The bindings that `shading/clouds.wgsl` declares.
    pub(super) fn bindings(&self) -> [Binding<'_>; 7] {
        let d2 = wgpu::TextureViewDimension::D2;
        let d2_array = wgpu::TextureViewDimension::D2Array;
        let d3 = wgpu::TextureViewDimension::D3;
        [
            (bindings::uniform(), &self.uniform),
            (bindings::sampler(), &self.sampler),
            (bindings::texture(d3), &self.views.blurred),
            (bindings::texture(d2_array), &self.views.shadow),
            (bindings::texture(d3), &self.views.volume),
            (bindings::texture(d3), &self.views.solid),
            (bindings::texture(d2), &self.views.flat),
        ]
    }

    /// The mean of the clouds over the sea, for `shading/sky_light.wgsl`.
    pub(super) fn mean(&self) -> &wgpu::TextureView {
        &self.views.mean
    }

    /// Builds the kernels and their constant inputs where there can be clouds. `sky_layout` is the layout of
    /// the group that [`CloudField::bindings`] belong to. Fails with [`ShaderError`] where a shader is
    /// broken.
    pub(super) fn build(
        &mut self,
        pipelines: &Pipelines,
        queue: &wgpu::Queue,
        sky_layout: &Layout,
        table_sampler: &wgpu::Sampler,
    ) -> Result<(), ShaderError> {
        if !self.options.are_shown() {
            return Ok(());
        }
        queue.write_texture(
            self.textures.cover.as_image_copy(),
            bytemuck::cast_slice(&cover::maps()),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(8 * cover::SIZE),
                rows_per_image: None,
            },
            self.textures.cover.size(),
        );
        queue.write_texture(
            self.textures.sources.as_image_copy(),
            bytemuck::cast_slice(slab::table()),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(8 * slab::DEPTHS),
                rows_per_image: Some(slab::DEPTHS),
            },
            self.textures.sources.size(),
        );
        self.kernels = Some(Kernels::new(pipelines, self, sky_layout, table_sampler)?);
        Ok(())
    }

    pub(super) fn builds(&self) -> u32 {
        let kernels = self.kernels.iter().flat_map(Kernels::all);
        kernels.map(|kernel| kernel.pipeline.builds()).sum()
    }

    /// Makes the next frame compute everything again.
    pub(super) fn forget(&mut self) {
        self.slots = Default::default();
        self.has_noise = false;
        self.is_clear = false;
    }

    /// Brings the volume of the low clouds up to date, before the sky's light is known.
    pub(super) fn record_volume(
        &mut self,
        recorder: &mut Recorder<'_>,
        queue: &wgpu::Queue,
        scene: &CloudScene<'_>,
        light: &Light,
    ) {
        let CloudOptions { steps, texels } = self.options;
        let Some(kernels) = &self.kernels else { return };
        self.uniform.write(queue, &moment::uniform(scene, light, steps, texels));
        if !moment::is_any(scene.clouds) {
            return;
        }
        // The slots to work on, each with its first and last unit.
        let mut work = [(0, 0, 0); SLOTS as usize];
        if scene.clouds.cloud_cover > 0.0 {
            let (now, blend) = moment::moments(scene.time_s);
            let ahead = (blend * f64::from(UNITS)) as u32;
            let wanted = [(now, UNITS), (now + 1, UNITS), (now + 2, ahead)];
            for (work, (moment, units)) in work.iter_mut().zip(wanted) {
                let index = moment::slot(moment);
                let key = Key::new(moment, scene.clouds, light);
                let slot = &mut self.slots[index];
                if slot.key != Some(key) {
                    *slot = Slot { key: Some(key), done: 0 };
                    kernels.moments[index].write(queue, &key.uniform());
                }
                if slot.done >= units {
                    continue;
                }
                // Another slot may have overwritten the shapes.
                if self.shaped != Some(index) {
                    slot.done = 0;
                }
                self.shaped = Some(index);
                *work = (index, slot.done, units);
                slot.done = units;
            }
        }
        let makes_noise = !std::mem::replace(&mut self.has_noise, true);
        if !makes_noise && work.iter().all(|(_, from, to)| from == to) {
            return;
        }
        recorder.compute("clouds", |stages| {
            if makes_noise {
                stages.stage("clouds noise", |pass| {
                    kernels.solid.dispatch(pass, 0, [SOLID_SIZE / 4; 3]);
                    let side = FLAT_SIZE / WORKGROUP;
                    kernels.flat.dispatch(pass, 0, [side, side, 1]);
                });
            }
            for (index, from, to) in work {
                kernels.record_units(stages, index, texels, from, to);
            }
        });
    }

    /// Whether the sky's light needs the mean of the clouds, and has to be summed up in every frame.
    pub(super) fn are_moving(&self, scene: &CloudScene<'_>) -> bool {
        self.kernels.is_some() && (moment::is_any(scene.clouds) || !self.is_clear)
    }

    /// Renders the clouds as the sea mirrors them, once the light of the cloudless sky is known.
    pub(super) fn record_dome(
        &mut self,
        stages: &mut Stages<'_, '_>,
        scene: &CloudScene<'_>,
        sky: &wgpu::BindGroup,
    ) {
        let Some(kernels) = &self.kernels else { return };
        self.is_clear = !moment::is_any(scene.clouds);
        stages.stage("clouds dome", |pass| {
            pass.set_bind_group(2, sky, &[]);
            let [width, height, depth] = DOME_SIZE;
            let (x, y) = (width / WORKGROUP, height / WORKGROUP);
            kernels.dome.dispatch(pass, 0, [x, y, 1]);
            kernels.blur.dispatch(pass, 0, [x, y, depth]);
        });
        stages.stage("clouds mean", |pass| {
            pass.set_bind_group(2, sky, &[]);
            let [x, y] = MEAN_SIZE.map(|size| size.div_ceil(WORKGROUP));
            kernels.mean.dispatch(pass, 0, [x, y, 1]);
        });
    }

    pub(super) fn allocations<A: Allocations>(&self) -> A {
        let Textures { solid, flat, cover, sources, field, volume, shadow, dome, blurred, mean } =
            &self.textures;
        let memory = [solid, flat, cover, sources, field, volume, shadow, dome, blurred, mean]
            .into_iter()
            .fold(self.uniform.allocations(), A::with_texture);
        let Some(kernels) = &self.kernels else { return memory };
        let moments = kernels.moments.iter().map(Uniform::allocations).sum::<A>();
        memory.with_buffer(&kernels.slice_buffer) + moments
    }
}

impl Kernels {
    fn new(
        pipelines: &Pipelines,
        field: &CloudField,
        sky_layout: &Layout,
        table_sampler: &wgpu::Sampler,
    ) -> Result<Self, ShaderError> {
        use wgpu::TextureViewDimension::{D2, D2Array, D3};
        let device = pipelines.device();
        let moments: Vec<_> = (0..SLOTS).map(|_| Uniform::new(device, "Clouds::moment")).collect();
        let CloudField { textures, views, sampler, .. } = field;
        let (slice_layout, slice_buffer, slices) = slices(device);

        let half = wgpu::TextureFormat::Rgba16Float;
        let bytes = wgpu::TextureFormat::Rgba8Unorm;
        let whole = |texture: &wgpu::Texture| texture.create_view(&Default::default());
        let level = |texture: &wgpu::Texture, level, dimension| {
            texture.create_view(&one_level(level, dimension))
        };
        let levels = |texture: &wgpu::Texture, dimension| -> Vec<_> {
            (0..texture.mip_level_count()).map(|at| level(texture, at, dimension)).collect()
        };
        let (cover, sources) = (whole(&textures.cover), whole(&textures.sources));
        let (field_view, dome) = (whole(&textures.field), whole(&textures.dome));
        let volume = levels(&textures.volume, D3);
        let shadow = levels(&textures.shadow, D2Array);

        let alone: &[Option<&Layout>] = &[];
        let sliced = &[Some(&slice_layout)][..];
        let with_sky = &[None, Some(sky_layout)][..];
        let (uniform, repeating) = (bindings::uniform(), bindings::sampler());
        let of_slots = |rest| of_slots(&moments, sampler, rest);
        let of_levels = |views| of_levels(&moments, sampler, views);
        let kernel = |name, types: &[_], groups: &[Vec<&dyn Resource>], others| {
            Kernel::new(pipelines, name, types, groups, others)
        };
        Ok(Self {
            solid: kernel(
                ("shading/cloud_noise.wgsl", "solid"),
                &[bindings::storage_texture(bytes, D3), bindings::storage_texture(bytes, D2)],
                &[vec![&views.solid, &views.flat]],
                alone,
            )?,
            flat: kernel(
                ("shading/cloud_noise.wgsl", "flat"),
                &[bindings::storage_texture(bytes, D3), bindings::storage_texture(bytes, D2)],
                &[vec![&views.solid, &views.flat]],
                alone,
            )?,
            shape: kernel(
                ("shading/cloud_shape.wgsl", "main"),
                &[
                    uniform,
                    repeating,
                    bindings::texture(D2),
                    bindings::texture(D3),
                    bindings::storage_texture(bytes, D3),
                ],
                &of_slots(&[&cover, &views.solid, &field_view]),
                sliced,
            )?,
            light: kernel(
                ("shading/cloud_light.wgsl", "main"),
                &[
                    uniform,
                    repeating,
                    bindings::texture(D3),
                    bindings::storage_texture(bytes, D3),
                    bindings::texture(D3),
                ],
                &of_slots(&[&field_view, &volume[0], &sources]),
                sliced,
            )?,
            levels: kernel(
                ("shading/cloud_levels.wgsl", "main"),
                &[uniform, repeating, bindings::texture(D3), bindings::storage_texture(bytes, D3)],
                &of_levels(&volume),
                alone,
            )?,
            shadow: kernel(
                ("shading/cloud_shadow.wgsl", "main"),
                &[
                    uniform,
                    repeating,
                    bindings::texture(D3),
                    bindings::storage_texture(bytes, D2Array),
                ],
                &of_slots(&[&field_view, &shadow[0]]),
                alone,
            )?,
            shadow_levels: kernel(
                ("shading/cloud_shadow_levels.wgsl", "main"),
                &[
                    uniform,
                    repeating,
                    bindings::texture(D2Array),
                    bindings::storage_texture(bytes, D2Array),
                ],
                &of_levels(&shadow),
                alone,
            )?,
            dome: kernel(
                ("shading/cloud_dome.wgsl", "main"),
                &[bindings::storage_texture(half, D2)],
                &[vec![&dome]],
                with_sky,
            )?,
            blur: kernel(
                ("shading/cloud_dome_blur.wgsl", "main"),
                &[bindings::texture(D2), repeating, bindings::storage_texture(half, D3)],
                &[vec![&dome, table_sampler, &views.blurred]],
                alone,
            )?,
            mean: kernel(
                ("shading/cloud_mean.wgsl", "main"),
                &[bindings::storage_texture(half, D2)],
                &[vec![&views.mean]],
                with_sky,
            )?,
            moments,
            slices,
            slice_buffer,
        })
    }

    fn all(&self) -> [&Kernel; 10] {
        let Self {
            solid, flat, shape, light, levels, shadow, shadow_levels, dome, blur, mean, ..
        } = self;
        [solid, flat, shape, light, levels, shadow, shadow_levels, dome, blur, mean]
    }

    /// Records units `from..to` of a slot: layers of shapes, then layers of light, then the rest.
    fn record_units(
        &self,
        stages: &mut Stages<'_, '_>,
        slot: usize,
        texels: u32,
        from: u32,
        to: u32,
    ) {
        let side = texels.div_ceil(WORKGROUP);
        let part = |first: u32| (from.max(first) - first, to.clamp(first, first + SLICES) - first);
        for (label, kernel, (from, to)) in
            [("clouds shape", &self.shape, part(0)), ("clouds light", &self.light, part(SLICES))]
        {
            if from < to {
                stages.stage(label, |pass| {
                    pass.set_bind_group(1, &self.slices[from as usize], &[]);
                    kernel.dispatch(pass, slot, [side, side, (to - from) * SLICE_LAYERS]);
                });
            }
        }
        if from < UNITS && to == UNITS {
            stages.stage("clouds shadow", |pass| {
                self.shadow.dispatch(pass, slot, [side, side, 1]);
                let (levels, shadow_levels) = (&self.levels.groups, &self.shadow_levels.groups);
                let [levels, shadow_levels] =
                    [levels, shadow_levels].map(|groups| groups.len() / SLOTS as usize);
                for level in 0..shadow_levels {
                    let side = (texels >> (level + 1)).div_ceil(WORKGROUP);
                    let group = slot * shadow_levels + level;
                    self.shadow_levels.dispatch(pass, group, [side, side, 1]);
                }
                for level in 0..levels {
                    let side = (texels >> (level + 1)).div_ceil(WORKGROUP);
                    let group = slot * levels + level;
                    self.levels.dispatch(pass, group, [side, side, LAYERS >> (level + 1)]);
                }
            });
        }
    }
}

/// The bindings of a kernel for each slot: its moment, then `rest`.
fn of_slots<'a>(
    moments: &'a [Uniform<CloudSlot>],
    sampler: &'a wgpu::Sampler,
    rest: &[&'a dyn Resource],
) -> Vec<Vec<&'a dyn Resource>> {
    moments
        .iter()
        .map(|moment| {
            let first: [&dyn Resource; 2] = [moment, sampler];
            [&first[..], rest].concat()
        })
        .collect()
}

/// The bindings of a kernel for each slot and each pair of neighbouring levels: the source, then the target.
fn of_levels<'a>(
    moments: &'a [Uniform<CloudSlot>],
    sampler: &'a wgpu::Sampler,
    views: &'a [wgpu::TextureView],
) -> Vec<Vec<&'a dyn Resource>> {
    let pairs = |moment| views.windows(2).map(move |two| (moment, &two[0], &two[1]));
    moments
        .iter()
        .flat_map(pairs)
        .map(|(moment, finer, coarser): (&Uniform<_>, _, _)| -> Vec<&dyn Resource> {
            vec![moment, sampler, finer, coarser]
        })
        .collect()
}

/// The offsets of slices, as group 1 of the kernels that work in slices.
fn slices(device: &wgpu::Device) -> (Layout, wgpu::Buffer, Vec<wgpu::BindGroup>) {
    let mut contents = vec![0_u8; (u64::from(SLICES) * SLICE_STRIDE) as usize];
    for (slice, chunk) in (0..).zip(contents.chunks_exact_mut(SLICE_STRIDE as usize)) {
        let first_layer: u32 = slice * SLICE_LAYERS;
        chunk[..4].copy_from_slice(&first_layer.to_le_bytes());
    }
    let usage = wgpu::BufferUsages::UNIFORM;
    let buffer = crate::gpu::filled(device, "Clouds::slices", usage, &contents);
    let stages = wgpu::ShaderStages::COMPUTE;
    let layout = bindings::layout(device, "Clouds::slice_layout", stages, &[bindings::uniform()]);
    let groups = (0..u64::from(SLICES))
        .map(|slice| {
            let binding = wgpu::BufferBinding {
                buffer: &buffer,
                offset: slice * SLICE_STRIDE,
                size: std::num::NonZeroU64::new(16),
            };
            bindings::group(device, "Clouds::slice", &layout, &[&binding])
        })
        .collect();
    (layout, buffer, groups)
}

impl Textures {
    fn new(device: &wgpu::Device, options: CloudOptions) -> Self {
        use wgpu::TextureDimension::{D2, D3};
        use wgpu::TextureFormat::{Rgba8Unorm, Rgba16Float};
        // Without clouds the textures have the least size.
        let shown = options.are_shown();
        let texture = |label, size: [u32; 3], levels, dimension, format| {
            let [width, height, depth] = if shown { size } else { [1; 3] };
            let spec = TextureSpec::storage(label, [width, height], format)
                .with_usage(wgpu::TextureUsages::COPY_DST)
                .levels(if shown { levels } else { 1 });
            match dimension {
                D3 => spec.solid(depth).create(device),
                _ => spec.layers(depth).create(device),
            }
        };
        let n = options.texels;
        let solid = [SOLID_SIZE; 3];
        let flat = [FLAT_SIZE, FLAT_SIZE, 1];
        let cover = [cover::SIZE, cover::SIZE, 1];
        let sources = [slab::DEPTHS, slab::DEPTHS, slab::LAYERS];
        let [dome_width, dome_height, _] = DOME_SIZE;
        let [mean_width, mean_height] = MEAN_SIZE;
        let (volume, shadow) = ([n, n, LAYERS * SLOTS], [n, n, SLOTS]);
        Self {
            solid: texture("Clouds::solid", solid, 1, D3, Rgba8Unorm),
            flat: texture("Clouds::flat", flat, 1, D2, Rgba8Unorm),
            cover: texture("Clouds::cover", cover, 1, D2, Rgba16Float),
            sources: texture("Clouds::sources", sources, 1, D3, Rgba16Float),
            field: texture("Clouds::field", [n, n, LAYERS], 1, D3, Rgba8Unorm),
            volume: texture("Clouds::volume", volume, LEVELS, D3, Rgba8Unorm),
            shadow: texture("Clouds::shadow", shadow, n.ilog2() + 1, D2, Rgba8Unorm),
            dome: texture("Clouds::dome", [dome_width, dome_height, 1], 1, D2, Rgba16Float),
            blurred: texture("Clouds::blurred", DOME_SIZE, 1, D3, Rgba16Float),
            mean: texture("Clouds::mean", [mean_width, mean_height, 1], 1, D2, Rgba16Float),
        }
    }
}
