//! The way from the HDR target to a display: glare, filmic curve, encoding, dither.

use super::glare::GlareShares;
use super::{CompositeTargets, HDR_FORMAT, VisibilityTargets};
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    Allocations, ComputeDescriptor, ComputePipeline, Pipelines, RenderDescriptor, RenderPipeline,
    TextureSpec, Uniform, bindings, wgsl_struct,
};
use crate::profile::Recorder;

pub(super) const SHADERS: &[&str] = &["shading/tone.wgsl", "shading/display.wgsl"];

wgsl_struct! {
    /// The layout of `ToneUniform` in `shading/tone.wgsl`.
    struct ToneUniform {
        target_encodes: u32,
        dither_step: f32,
        frame: u32,
        scattered: f32,
        unscattered: f32,
    }
}

/// The kernels that map light, and the pass that puts the result into its target.
///
/// The kernels write a texture of their own, since devices need not let them write to a window. The pass
/// copies it.
#[derive(Debug)]
pub struct ToneMap {
    pixels: ComputePipeline,
    samples: ComputePipeline,
    display: RenderPipeline,
    bind_group_layout: bindings::Layout,
    output_layout: bindings::Layout,
    display_layout: bindings::Layout,
    sampler: wgpu::Sampler,
    /// The glare of a picture without glare.
    dark: wgpu::TextureView,
    uniform: Uniform<ToneUniform>,
    target_format: wgpu::TextureFormat,
}

impl ToneSource {
    /// A tone map of pixels alone, for pictures whose light is the mean of several passes.
    pub fn of_pixels(&self) -> Self {
        Self { samples: None, ..self.clone() }
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        A::default().with_texture(self.mapped.texture())
    }
}

/// An HDR target bound to a [`ToneMap`]. Make it once per target, not per frame.
#[derive(Clone, Debug)]
pub struct ToneSource {
    bind_group: wgpu::BindGroup,
    samples: Option<wgpu::BindGroup>,
    mapped: wgpu::TextureView,
    output: wgpu::BindGroup,
    display: wgpu::BindGroup,
}

/// The inputs of a [`ToneSource`].
#[derive(Clone, Copy, Debug)]
pub struct ToneInput<'a> {
    /// The light, of one sample a pixel.
    pub hdr: &'a wgpu::TextureView,
    /// The samples whose mean the light is. Each is mapped by itself, so that edges much brighter than
    /// white are smooth.
    pub samples: Option<&'a CompositeTargets>,
    /// The glare to add: [`GlarePyramid::texture`](super::GlarePyramid::texture).
    pub glare: Option<&'a wgpu::TextureView>,
}

impl ToneMap {
    /// Builds a tone map that draws to views of `target_format`. Targets that are not of an sRGB format
    /// get sRGB-encoded values.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        pipelines: impl Into<Pipelines>,
        target_format: wgpu::TextureFormat,
    ) -> Result<Self, ShaderError> {
        let pipelines = pipelines.into();
        let device = pipelines.device();
        let d2 = wgpu::TextureViewDimension::D2;
        let (fragment, compute) = (wgpu::ShaderStages::FRAGMENT, wgpu::ShaderStages::COMPUTE);
        let bind_group_layout = bindings::layout(
            device,
            "ToneMap::bind_group_layout",
            fragment | compute,
            &[
                bindings::uniform(),
                bindings::unfiltered_texture(d2),
                bindings::texture(d2),
                bindings::sampler(),
            ],
        );
        // These targets give the layout only.
        let seen = VisibilityTargets::new(device, [1, 1], 1);
        let samples_layout = CompositeTargets::new(device, &seen).samples.layout;
        let output_layout = bindings::layout(
            device,
            "ToneMap::output_layout",
            compute,
            &[bindings::storage_texture(HDR_FORMAT, d2)],
        );
        let display_layout = bindings::layout(
            device,
            "ToneMap::display_layout",
            fragment,
            &[bindings::unfiltered_texture(d2)],
        );
        let kernel = |entry, samples| {
            let groups = [Some(&bind_group_layout), samples, Some(&output_layout)];
            pipelines.compute(ComputeDescriptor::new("tone map", SHADERS[0], entry, &groups))
        };
        let (pixels, samples) =
            (kernel("map_pixels", None)?, kernel("map_samples", Some(&samples_layout))?);
        let display = pipelines.render(RenderDescriptor {
            groups: vec![Some(display_layout.clone())],
            ..RenderDescriptor::new("tone map", SHADERS[1], ["vertex", "fragment"], target_format)
        })?;
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("ToneMap::sampler"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        // wgpu clears textures.
        let dark = TextureSpec::new(
            "ToneMap::dark",
            [1; 2],
            HDR_FORMAT,
            wgpu::TextureUsages::TEXTURE_BINDING,
        )
        .create_view(device);
        let uniform = Uniform::new(device, "ToneMap::uniform");
        Ok(Self {
            pixels,
            samples,
            display,
            bind_group_layout,
            output_layout,
            display_layout,
            sampler,
            dark,
            uniform,
            target_format,
        })
    }

    /// The declaration of a pipeline with the same bindings and target whose fragment shader imports
    /// `shading/tone.wgsl`.
    pub(crate) fn pass_descriptor(
        &self,
        stage: &'static str,
        shader: &'static str,
        fragment: &'static str,
    ) -> RenderDescriptor {
        RenderDescriptor {
            stage,
            shader: shader.into(),
            entry_points: ["vertex", fragment],
            groups: vec![Some(self.bind_group_layout.clone())],
            ..self.display.declaration().clone()
        }
    }

    pub(crate) fn target_format(&self) -> wgpu::TextureFormat {
        self.target_format
    }

    /// Binds an HDR target for [`ToneMap::record`].
    pub fn source(&self, device: &wgpu::Device, input: ToneInput<'_>) -> ToneSource {
        let ToneInput { hdr, samples, glare } = input;
        let glare = glare.unwrap_or(&self.dark);
        let resources: [&dyn bindings::Resource; 4] = [&self.uniform, hdr, glare, &self.sampler];
        let layout = &self.bind_group_layout;
        let size = hdr.texture().size();
        let mapped =
            TextureSpec::storage("ToneSource::mapped", [size.width, size.height], HDR_FORMAT)
                .create_view(device);
        ToneSource {
            output: bindings::group(device, "ToneSource::output", &self.output_layout, &[&mapped]),
            display: bindings::group(
                device,
                "ToneSource::display",
                &self.display_layout,
                &[&mapped],
            ),
            mapped,
            bind_group: bindings::group(device, "ToneMap::source", layout, &resources),
            samples: samples.map(|targets| targets.samples.bind_group.clone()),
        }
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        self.uniform.allocations::<A>().with_texture(self.dark.texture())
    }

    /// Draws `source` to `target`, which has the same size, with the given shares of glare. The dither
    /// depends on the pixel and on `frame` alone.
    pub fn record(
        &self,
        recorder: &mut Recorder<'_>,
        queue: &wgpu::Queue,
        source: &ToneSource,
        glare: GlareShares,
        target: &wgpu::TextureView,
        frame: u32,
    ) {
        let GlareShares { scattered, unscattered } = glare;
        self.uniform.write(
            queue,
            &ToneUniform {
                target_encodes: self.target_format.is_srgb().into(),
                dither_step: dither_step(self.target_format),
                frame,
                scattered,
                unscattered,
            },
        );
        recorder.compute("tone map", |stages| {
            stages.stage("tone map", |pass| {
                let kernel = if source.samples.is_some() { &self.samples } else { &self.pixels };
                let ToneSource { bind_group, samples, output, .. } = source;
                kernel.bind(pass, &[Some(bind_group), samples.as_ref(), Some(output)]);
                let size = source.mapped.texture().size();
                pass.dispatch_workgroups(size.width.div_ceil(8), size.height.div_ceil(8), 1);
            });
        });
        Self::draw(&self.display, recorder, &source.display, target);
    }

    /// Does the same as [`ToneMap::record`], with a pipeline of [`ToneMap::pass_descriptor`].
    pub(crate) fn record_with(
        &self,
        pipeline: &RenderPipeline,
        recorder: &mut Recorder<'_>,
        queue: &wgpu::Queue,
        source: &ToneSource,
        target: &wgpu::TextureView,
    ) {
        self.uniform.write(
            queue,
            &ToneUniform {
                target_encodes: self.target_format.is_srgb().into(),
                dither_step: 0.0,
                frame: 0,
                scattered: 0.0,
                unscattered: 1.0,
            },
        );
        Self::draw(pipeline, recorder, &source.bind_group, target);
    }

    fn draw(
        pipeline: &RenderPipeline,
        recorder: &mut Recorder<'_>,
        source: &wgpu::BindGroup,
        target: &wgpu::TextureView,
    ) {
        recorder.render_to("display", target, wgpu::LoadOp::Clear(wgpu::Color::BLACK), |pass| {
            pipeline.bind(pass, &[Some(source)]);
            pass.draw(0..3, 0..1);
        });
    }
}

/// One step of the format's encoding; 0 where steps are too fine to see.
fn dither_step(format: wgpu::TextureFormat) -> f32 {
    use wgpu::TextureFormat as F;
    match format {
        F::Rgba8Unorm | F::Rgba8UnormSrgb | F::Bgra8Unorm | F::Bgra8UnormSrgb => 1.0 / 255.0,
        F::Rgb10a2Unorm => 1.0 / 1023.0,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use half::f16;

    use super::super::tests::{context, submit};
    use super::*;
    use crate::gpu::assert_layout;
    use crate::tone_twin::{encode, tone_map};
    use seaway_core::testing::tolerance::{at_most, near};

    #[test]
    fn the_uniform_has_wgsl_layout() {
        assert_layout::<ToneUniform>(&crate::gpu::shader::resolve(SHADERS[0]).unwrap());
    }

    /// The bytes that the pass makes of a row of colours.
    fn mapped(colours: &[[f32; 3]], height: u32, format: wgpu::TextureFormat) -> Vec<u8> {
        let (device, queue) = (&context().device, &context().queue);
        let size = wgpu::Extent3d { width: colours.len() as u32, height, depth_or_array_layers: 1 };
        let texture = |format, usage| {
            TextureSpec::new("target", [size.width, size.height], format, usage).create(device)
        };
        use wgpu::TextureUsages as Usages;
        let hdr =
            texture(wgpu::TextureFormat::Rgba32Float, Usages::TEXTURE_BINDING | Usages::COPY_DST);
        let row = colours.iter().map(|[r, g, b]| [*r, *g, *b, 1.0]);
        let rows: Vec<[f32; 4]> = (0..height).flat_map(|_| row.clone()).collect();
        queue.write_texture(
            hdr.as_image_copy(),
            bytemuck::cast_slice(&rows),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(16 * size.width),
                rows_per_image: None,
            },
            size,
        );
        let target = texture(format, Usages::RENDER_ATTACHMENT | Usages::COPY_SRC);
        let view = |texture: &wgpu::Texture| texture.create_view(&Default::default());
        let tone = ToneMap::new(device, format).unwrap();
        let input = ToneInput { hdr: &view(&hdr), samples: None, glare: None };
        let source = tone.source(device, input);
        let none = GlareShares::NONE;
        submit(|recorder| tone.record(recorder, queue, &source, none, &view(&target), 0));
        context().read_texels(&target, 0, 0)
    }

    fn displayed(colours: &[[f32; 3]]) -> Vec<[f32; 3]> {
        mapped(colours, 1, wgpu::TextureFormat::Rgba16Float)
            .chunks_exact(8)
            .map(|texel| {
                let halves: [f16; 4] = bytemuck::pod_read_unaligned(texel);
                std::array::from_fn(|channel| halves[channel].to_f32())
            })
            .collect()
    }

    /// The hue angle in degrees.
    fn hue([r, g, b]: [f64; 3]) -> f64 {
        (3f64.sqrt() * (g - b)).atan2(2.0 * r - g - b).to_degrees()
    }

    fn saturation([r, g, b]: [f64; 3]) -> f64 {
        let high = r.max(g).max(b);
        (high - r.min(g).min(b)) / high
    }

    const COLOURS: [[f32; 3]; 5] =
        [[1.0, 0.35, 0.05], [1.0, 0.6, 0.2], [1.0, 0.15, 0.05], [0.2, 0.45, 1.0], [0.1, 0.5, 0.4]];

    fn stops() -> impl Iterator<Item = f32> {
        (0..200).map(|i| 2f32.powf(-12.0 + i as f32 * 0.14))
    }

    #[test]
    fn the_shader_agrees_with_its_twin() {
        let mut lights: Vec<[f32; 3]> = stops().map(|light| [light; 3]).collect();
        for colour in COLOURS {
            lights.extend(stops().map(|light| colour.map(|c| c * light)));
        }
        for (light, found) in lights.iter().zip(displayed(&lights)) {
            let exact = tone_map(light.map(f64::from)).map(encode);
            for (found, exact) in found.into_iter().zip(exact) {
                // The tolerance is half a step of a 16-bit float, and the error of a GPU's powers.
                near(found, exact, 1e-3, format_args!("a channel of {light:?}"));
            }
        }
    }

    #[test]
    fn greys_stay_grey_and_in_order() {
        let greys: Vec<_> = stops().map(|light| [light; 3]).collect();
        let mut last = 0.0;
        for (light, [r, g, b]) in stops().zip(displayed(&greys)) {
            near(r, g, 2e-3, format_args!("red beside green at {light}"));
            near(b, g, 2e-3, format_args!("blue beside green at {light}"));
            at_most(last - g, 1e-3, format_args!("darker than the grey before {light}"));
            assert!(g <= 1.0, "{light}: {g}");
            last = g;
        }
        at_most(1.0 - last, 0.02, "white, from 1");
        let grey = displayed(&[[0.18; 3]])[0][1];
        near(grey, encode(0.18), 3e-3, "middle grey");
    }

    /// Tests the twin, which has the exact bounds of the curve.
    #[test]
    fn colours_keep_their_hue_and_bleach_towards_white() {
        for colour in COLOURS.map(|colour| colour.map(f64::from)) {
            let mut last_mean = 0.0;
            for light in stops().map(|light| colour.map(|c| c * f64::from(light))) {
                let found = tone_map(light);
                let mean = found.iter().sum::<f64>();
                assert!(mean >= last_mean, "{light:?}: {found:?}");
                last_mean = mean;
                if saturation(found) > 0.05 && mean > 0.03 {
                    let shift = (hue(found) - hue(colour) + 540.0) % 360.0 - 180.0;
                    assert!(shift.abs() < 20.0, "{light:?}: {found:?} turned by {shift}");
                }
            }
            let brightest = tone_map(colour.map(|c| c * 3000.0));
            assert!(saturation(brightest) < 0.2, "{colour:?}: {brightest:?}");
        }
    }

    #[test]
    fn impossible_colours_stay_in_range() {
        for encoded in displayed(&[[-1.0, 0.0, 0.0], [f32::INFINITY; 3], [1e30, 0.0, 0.0]]) {
            assert!(encoded.iter().all(|value| (0.0..=1.0).contains(value)), "{encoded:?}");
        }
    }

    #[test]
    fn dither_averages_to_the_value_between_two_steps() {
        let colour = [0.2, 0.21, 0.22];
        let exact = tone_map(colour.map(f64::from)).map(encode);
        let [bytes, by_target] =
            [wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureFormat::Rgba8UnormSrgb]
                .map(|format| mapped(&[colour; 64], 64, format));
        // An sRGB target encodes by itself. It may be off by a tenth of a step more than rounding
        // is (Vulkan and Direct3D allow 0.6 of a step in all), and so may the mean.
        for (what, bytes, extra) in
            [("encoded here", &bytes, 0.0), ("encoded by the target", &by_target, 0.1)]
        {
            for channel in 0..3 {
                let exact = 255.0 * exact[channel];
                let values = || bytes.iter().skip(channel).step_by(4).map(|byte| f64::from(*byte));
                let mean = values().sum::<f64>() / 4096.0;
                let what = format_args!("channel {channel}, {what}");
                near(mean, exact, 0.1 + extra, format_args!("mean of {what}"));
                // The noise is less than one step and rounding half of one.
                let furthest = values().map(|value| (value - exact).abs()).fold(0.0, f64::max);
                assert!(furthest <= 1.5 + 0.1 + extra, "{what}: {furthest} steps off");
            }
        }
        // How many bytes differ depends on the processor or GPU; a value next to the middle
        // between two steps may be rounded to either, and nothing further.
        let furthest = bytes.iter().zip(&by_target).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(furthest <= Some(1), "a byte {furthest:?} steps apart");
    }
}
