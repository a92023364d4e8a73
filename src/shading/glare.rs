//! Glare: the share of the light that a lens, or an eye, scatters over the picture (`shading/glare.wgsl`).
//! Takes the HDR target; gives a texture that [`ToneMap`](super::ToneMap) adds.
//!
//! Every doubling of the angle gets the same share, so that the glare around the sun falls by the square
//! of the angle, as it does in eyes and lenses. Glare moves light and adds none: a picture with glare is
//! as bright as one without.

use super::HDR_FORMAT;
use crate::gpu::bindings;
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    Allocations, ComputeDescriptor, ComputePipeline, Pipelines, TextureSpec, one_level,
};
use crate::profile::Recorder;

pub(super) const SHADERS: &[&str] = &["shading/glare.wgsl"];

/// Octaves of the angle over which light is scattered: from a fraction of a pixel to the picture.
const OCTAVES: f32 = 10.0;
/// Must equal `GLARE_SCALE` of `shading/glare.wgsl`.
const SCALE: f32 = 0.0625;
const WORKGROUP: u32 = 8;

/// The kernels of the glare. Clones share what is on the GPU.
#[derive(Clone, Debug)]
pub struct Glare {
    layout: bindings::Layout,
    sampler: wgpu::Sampler,
    first: ComputePipeline,
    down: ComputePipeline,
    up: ComputePipeline,
}

/// The glare of one HDR target. Make it once per target, not per frame.
#[derive(Debug)]
pub struct GlarePyramid {
    /// The light at successively halved sizes, from half of the target's.
    levels: wgpu::Texture,
    /// The sum of each level and all coarser ones.
    sums: wgpu::Texture,
    /// The finest sum, which is the result.
    glare: wgpu::TextureView,
    /// The steps from the target down to the coarsest level.
    down: Vec<Step>,
    /// The steps from the coarsest level up to the finest sum.
    up: Vec<Step>,
}

#[derive(Debug)]
struct Step {
    bind_group: wgpu::BindGroup,
    workgroups: [u32; 2],
}

/// Shares of the light in a picture with glare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlareShares {
    /// The factor of the glare's texture.
    pub(super) scattered: f32,
    /// The share of the light that stays in place.
    pub(super) unscattered: f32,
}

impl GlareShares {
    /// The shares of a picture without glare.
    pub const NONE: Self = Self { scattered: 0.0, unscattered: 1.0 };
}

impl Glare {
    /// Builds the kernels.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(pipelines: impl Into<Pipelines>) -> Result<Self, ShaderError> {
        let pipelines = pipelines.into();
        let device = pipelines.device();
        let d2 = wgpu::TextureViewDimension::D2;
        let layout = bindings::layout(
            device,
            "Glare::layout",
            wgpu::ShaderStages::COMPUTE,
            &[
                bindings::texture(d2),
                bindings::sampler(),
                bindings::storage_texture(HDR_FORMAT, d2),
                bindings::texture(d2),
            ],
        );
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("Glare::sampler"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let kernel = |entry| {
            let layouts = [Some(&layout)];
            pipelines.compute(ComputeDescriptor::new("glare", SHADERS[0], entry, &layouts))
        };
        let (first, down, up) = (kernel("first")?, kernel("down")?, kernel("up")?);
        Ok(Self { layout, sampler, first, down, up })
    }

    /// Creates the textures for the glare of `hdr`, which must have one sample a pixel.
    pub fn pyramid(&self, device: &wgpu::Device, hdr: &wgpu::TextureView) -> GlarePyramid {
        let size = hdr.texture().size();
        let count = level_count(size.width.min(size.height));
        let half = [size.width, size.height].map(|pixels| pixels.div_ceil(2));
        let texture =
            |label| TextureSpec::storage(label, half, HDR_FORMAT).levels(count).create(device);
        let (levels, sums) = (texture("Glare::levels"), texture("Glare::sums"));
        let view = |texture: &wgpu::Texture, level| {
            texture.create_view(&one_level(level, wgpu::TextureViewDimension::D2))
        };
        let step = |source: &wgpu::TextureView,
                    texture: &wgpu::Texture,
                    number: u32,
                    level: &wgpu::TextureView| {
            let out = view(texture, number);
            let size = texture.size().mip_level_size(number, wgpu::TextureDimension::D2);
            Step {
                bind_group: bindings::group(
                    device,
                    "Glare::bind_group",
                    &self.layout,
                    &[source, &self.sampler, &out, level],
                ),
                workgroups: [size.width, size.height].map(|texels| texels.div_ceil(WORKGROUP)),
            }
        };
        let down = (0..count).map(|number| {
            let above = (number > 0).then(|| view(&levels, number - 1));
            let source = above.as_ref().unwrap_or(hdr);
            step(source, &levels, number, source)
        });
        let up = (0..count - 1).rev().map(|number| {
            // The coarsest level is its own sum.
            let coarser = if number + 2 == count { &levels } else { &sums };
            step(&view(coarser, number + 1), &sums, number, &view(&levels, number))
        });
        let (down, up) = (down.collect(), up.collect());
        let glare = view(if count > 1 { &sums } else { &levels }, 0);
        GlarePyramid { glare, down, up, levels, sums }
    }

    /// Computes the glare of the target of `pyramid`.
    pub fn record(&self, recorder: &mut Recorder<'_>, pyramid: &GlarePyramid) {
        recorder.compute("glare", |stages| {
            stages.stage("glare", |pass| {
                let steps =
                    |pass: &mut wgpu::ComputePass<'_>, kernel: &ComputePipeline, steps: &[Step]| {
                        pass.set_pipeline(&kernel.get());
                        for Step { bind_group, workgroups: [x, y] } in steps {
                            pass.set_bind_group(0, bind_group, &[]);
                            pass.dispatch_workgroups(*x, *y, 1);
                        }
                    };
                let (first, rest) = pyramid.down.split_at(1);
                steps(pass, &self.first, first);
                steps(pass, &self.down, rest);
                steps(pass, &self.up, &pyramid.up);
            });
        });
    }
}

impl GlarePyramid {
    /// The glare, at half the target's size, in the scale of [`GlarePyramid::shares`].
    pub fn texture(&self) -> &wgpu::TextureView {
        &self.glare
    }

    /// The shares of a picture that scatters `scattered` of its light, 0 to 1. They scatter less where
    /// pixels are too coarse to show the smallest angles.
    pub fn shares(&self, scattered: f64) -> GlareShares {
        let each = scattered as f32 / OCTAVES;
        GlareShares {
            scattered: each / SCALE,
            unscattered: 1.0 - each * self.levels.mip_level_count() as f32,
        }
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        [&self.levels, &self.sums].into_iter().fold(A::default(), A::with_texture)
    }
}

/// The number of levels of a pyramid over `side` pixels, down to about four pixels.
fn level_count(side: u32) -> u32 {
    side.max(8).ilog2() - 2
}

#[cfg(test)]
mod tests {
    use half::f16;

    use super::super::tests::{context, submit, texels};
    use super::*;
    use seaway_core::testing::tolerance::{between, near};

    const SIDE: u32 = 256;

    /// The shares and the glare's texels, in rows of `SIDE / 2`, of a picture of `light`.
    fn glare_of(light: impl Fn(u32, u32) -> f32) -> (GlareShares, Vec<f32>) {
        let (device, queue) = (&context().device, &context().queue);
        let size = wgpu::Extent3d { width: SIDE, height: SIDE, depth_or_array_layers: 1 };
        let hdr = TextureSpec::new(
            "target",
            [SIDE; 2],
            HDR_FORMAT,
            wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        )
        .create(device);
        let pixels = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)));
        let data: Vec<[f16; 4]> = pixels.map(|(x, y)| [f16::from_f32(light(x, y)); 4]).collect();
        let rows = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(8 * SIDE),
            rows_per_image: None,
        };
        queue.write_texture(hdr.as_image_copy(), bytemuck::cast_slice(&data), rows, size);
        let glare = Glare::new(device).unwrap();
        let pyramid = glare.pyramid(device, &hdr.create_view(&Default::default()));
        submit(|recorder| glare.record(recorder, &pyramid));
        let found = texels(&pyramid.sums, 0);
        (pyramid.shares(0.1), found.iter().map(|texel| texel[1]).collect())
    }

    #[test]
    fn even_light_stays_even() {
        let (GlareShares { scattered, unscattered }, glare) = glare_of(|_, _| 0.37);
        for found in glare {
            // 16-bit floats at every level.
            near(scattered * found + unscattered * 0.37, 0.37, 1e-3, "light");
        }
    }

    #[test]
    fn glare_falls_by_the_square_and_conserves_light() {
        let bright = 30_000.0;
        let lit = |x, y| if (x, y) == (SIDE / 2, SIDE / 2) { bright } else { 0.0 };
        let (GlareShares { scattered, unscattered }, glare) = glare_of(lit);
        // Light at the widest angles leads out of the picture, or back into it.
        let sum = 4.0 * scattered * glare.iter().sum::<f32>();
        near(sum / bright, 1.0 - unscattered, 0.15 * (1.0 - unscattered), "what is scattered");
        let half = SIDE as usize / 2;
        let at = |distance: usize| {
            let ring = [(0, distance), (distance, 0)].map(|(x, y)| {
                let texel = |x: usize, y: usize| f64::from(glare[y * half + x]);
                0.5 * (texel(half / 2 + x, half / 2 + y) + texel(half / 2 - x, half / 2 - y))
            });
            0.5 * (ring[0] + ring[1])
        };
        for distance in [2, 3, 4, 6, 8, 12, 16] {
            let falls = at(distance) / at(2 * distance);
            between(falls, 2.0, 8.0, format_args!("from {distance} texels to twice as far"));
        }
        between(at(2) / at(32), 90.0, 720.0, "from 2 texels to 32");
    }
}
