//! Several samples of one frame, each shifted by a part of a pixel, and the mean of their light.

use crate::gpu::shader::ShaderError;
use crate::gpu::{
    Allocations, Pipelines, RenderDescriptor, RenderPipeline, TextureSpec, Uniform, bindings,
    wgsl_struct,
};
use crate::profile::Recorder;
use crate::shading::HDR_FORMAT;

pub(super) const SHADER: &str = "frame/accumulate.wgsl";

/// One of the samples whose mean makes a frame.
///
/// ```no_run
/// use seaway::frame::{Frame, FrameDesc, FrameError, Sample};
/// use seaway::profile::Recorder;
///
/// # fn f(
/// #     device: &wgpu::Device, queue: &wgpu::Queue, frame: &mut Frame, desc: &FrameDesc,
/// #     target: &wgpu::TextureView,
/// # ) -> Result<(), FrameError> {
/// for sample in Sample::all(16) {
///     let mut encoder = device.create_command_encoder(&Default::default());
///     frame.record_sample(&mut Recorder::new(&mut encoder), desc, sample, target)?;
///     queue.submit([encoder.finish()]);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The index of the sample, from 0.
    pub index: u32,
    /// The number of samples, at least 1.
    pub count: u32,
}

impl Sample {
    /// The sample of a frame with only one.
    pub const ONLY: Self = Self { index: 0, count: 1 };

    /// All of `count` samples, in order.
    pub fn all(count: u32) -> impl ExactSizeIterator<Item = Self> {
        (0..count).map(move |index| Self { index, count })
    }

    /// Returns whether it is the last.
    pub fn is_last(self) -> bool {
        self.index + 1 >= self.count
    }

    /// Its place in the pixel, from the middle: to the right and downwards, in pixels, each from -0.5 to
    /// 0.5. The first is the middle itself.
    ///
    /// Roberts' R2 sequence (2018), the additive recurrence of the plastic number: any number of points
    /// covers the pixel evenly. Their plain mean is the box filter over the pixel.
    pub fn offset_px(self) -> [f32; 2] {
        const PLASTIC: f64 = 1.324_717_957_244_746;
        [1.0 / PLASTIC, 1.0 / (PLASTIC * PLASTIC)]
            .map(|step| ((0.5 + f64::from(self.index) * step).fract() - 0.5) as f32)
    }

    /// The side of the part of the pixel that it represents, in pixels: smaller waves become roughness.
    pub fn footprint_px(self) -> f32 {
        1.0 / (self.count as f32).sqrt()
    }
}

wgsl_struct! {
    /// The layout of `AccumulateUniform` in `frame/accumulate.wgsl`.
    struct AccumulateUniform {
        share: f32,
    }
}

/// The passes that average samples, and their textures.
#[derive(Debug)]
pub(super) struct Accumulation {
    add: RenderPipeline,
    copy: RenderPipeline,
    bind_group_layout: bindings::Layout,
    uniform: Uniform<AccumulateUniform>,
    /// Made for the current HDR target.
    means: Option<Means>,
}

#[derive(Debug)]
struct Means {
    hdr: wgpu::TextureView,
    /// Two textures: one is read while the other is written, since devices need not blend 32-bit floats.
    sides: [wgpu::TextureView; 2],
    from: [wgpu::BindGroup; 2],
    /// Bind one of them, and no sample, since the HDR target is written.
    copy_from: [wgpu::BindGroup; 2],
}

impl Accumulation {
    const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;

    pub(super) fn new(pipelines: &Pipelines) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let texture = || bindings::unfiltered_texture(wgpu::TextureViewDimension::D2);
        let bind_group_layout = bindings::layout(
            device,
            "Accumulation::bind_group_layout",
            wgpu::ShaderStages::FRAGMENT,
            &[bindings::uniform(), texture(), texture()],
        );
        let pipeline = |fragment, format: wgpu::TextureFormat| {
            pipelines.render(RenderDescriptor {
                groups: vec![Some(bind_group_layout.clone())],
                ..RenderDescriptor::new("samples", SHADER, ["vertex", fragment], format)
            })
        };
        let (add, copy) = (pipeline("add", Self::FORMAT)?, pipeline("copy_mean", HDR_FORMAT)?);
        let uniform = Uniform::new(device, "Accumulation::uniform");
        Ok(Self { add, copy, bind_group_layout, uniform, means: None })
    }

    /// Makes the textures again where `hdr` is another.
    pub(super) fn fit(&mut self, device: &wgpu::Device, hdr: &wgpu::TextureView) {
        if self.means.as_ref().is_none_or(|means| means.hdr != *hdr) {
            self.means = Some(Means::new(device, &self.bind_group_layout, &self.uniform, hdr));
        }
    }

    /// Adds the HDR target to the mean, which replaces it after the last sample.
    pub(super) fn record(&self, recorder: &mut Recorder<'_>, queue: &wgpu::Queue, sample: Sample) {
        let Some(means) = &self.means else { return };
        self.uniform.write(queue, &AccumulateUniform { share: 1.0 / (sample.index + 1) as f32 });
        let written = sample.index as usize % 2;
        draw(recorder, "accumulate", &self.add, &means.from[1 - written], &means.sides[written]);
        if sample.is_last() {
            let from = &means.copy_from[written];
            draw(recorder, "mean of samples", &self.copy, from, &means.hdr);
        }
    }

    pub(super) fn allocations<A: Allocations>(&self) -> A {
        let sides = self.means.iter().flat_map(|means| &means.sides);
        sides.fold(self.uniform.allocations(), |memory, side| memory.with_texture(side.texture()))
    }
}

impl Means {
    fn new(
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        uniform: &Uniform<AccumulateUniform>,
        hdr: &wgpu::TextureView,
    ) -> Self {
        let size = [hdr.texture().width(), hdr.texture().height()];
        let side = |label| {
            TextureSpec::target(label, size, Accumulation::FORMAT)
                .with_usage(wgpu::TextureUsages::TEXTURE_BINDING)
                .create_view(device)
        };
        let sides = ["Accumulation::even", "Accumulation::odd"].map(side);
        let group = |mean: &wgpu::TextureView, light: &wgpu::TextureView| {
            bindings::group(device, "Accumulation::from", layout, &[uniform, mean, light])
        };
        Self {
            from: [&sides[0], &sides[1]].map(|mean| group(mean, hdr)),
            // The light is bound but not read: it must not be the written texture.
            copy_from: [&sides[0], &sides[1]].map(|mean| group(mean, mean)),
            hdr: hdr.clone(),
            sides,
        }
    }
}

fn draw(
    recorder: &mut Recorder<'_>,
    label: &'static str,
    pipeline: &RenderPipeline,
    bind_group: &wgpu::BindGroup,
    target: &wgpu::TextureView,
) {
    recorder.render_to(label, target, wgpu::LoadOp::Clear(wgpu::Color::BLACK), |pass| {
        pipeline.bind(pass, &[Some(bind_group)]);
        pass.draw(0..3, 0..1);
    });
}

// tests/sea/frame.rs compares the picture of the mean with single frames.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{assert_layout, assert_valid};

    #[test]
    fn the_shader_is_valid_with_matching_layout() {
        let text = crate::gpu::shader::resolve(SHADER).unwrap();
        assert_layout::<AccumulateUniform>(&text);
        assert_valid([(SHADER.to_owned(), text)]);
    }

    /// The integral of any smooth function over the pixel, such as a wave across it.
    #[test]
    fn any_number_of_samples_covers_the_pixel_evenly() {
        assert_eq!(Sample::ONLY.offset_px(), [0.0; 2]);
        for count in [4_u32, 16, 64, 300, 4096] {
            let offsets: Vec<[f32; 2]> = Sample::all(count).map(Sample::offset_px).collect();
            assert!(offsets.iter().flatten().all(|offset| offset.abs() <= 0.5));
            for [x, y] in [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, -1.0]] {
                let wave = |[right, down]: &[f32; 2]| {
                    (std::f64::consts::TAU * (x * f64::from(*right) + y * f64::from(*down))).cos()
                };
                let mean = offsets.iter().map(wave).sum::<f64>() / f64::from(count);
                // At random it would be 0.7 / sqrt(count).
                let allowed = 1.3 / f64::from(count);
                seaway_core::testing::tolerance::at_most(
                    mean.abs(),
                    allowed,
                    format_args!("{count}, {x} {y}"),
                );
            }
        }
    }
}
