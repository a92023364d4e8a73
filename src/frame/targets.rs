//! What the HDR pass draws to.

use crate::gpu::TextureSpec;
use crate::shading::tone::{ToneInput, ToneSource};
use crate::shading::{DEPTH_FORMAT, Glare, GlarePyramid, HDR_FORMAT, ToneMap};

/// What the HDR pass draws to.
#[derive(Debug)]
pub(super) struct Targets {
    pub(super) resolution: [u32; 2],
    pub(super) samples: u32,
    /// One sample a pixel.
    pub(super) hdr: wgpu::TextureView,
    /// Several, to be resolved into `hdr`.
    pub(super) multisampled: Option<wgpu::TextureView>,
    pub(super) depth: wgpu::TextureView,
    /// Where the quality has glare.
    pub(super) glare: Option<GlarePyramid>,
    pub(super) source: ToneSource,
    /// Without the samples, for where `hdr` is their mean with those of other passes.
    pub(super) mean_source: ToneSource,
}

impl Targets {
    pub(super) fn new(
        device: &wgpu::Device,
        resolution: [u32; 2],
        samples: u32,
        tone_map: &ToneMap,
        glare: Option<&Glare>,
    ) -> Self {
        let target = |label, format, sample_count, usage| {
            TextureSpec::target(label, resolution, format)
                .with_usage(usage)
                .samples(sample_count)
                .create_view(device)
        };
        let none = wgpu::TextureUsages::empty();
        let bound = wgpu::TextureUsages::TEXTURE_BINDING;
        let hdr = target("Frame::hdr", HDR_FORMAT, 1, bound | wgpu::TextureUsages::COPY_SRC);
        let multisampled =
            (samples > 1).then(|| target("Frame::multisampled", HDR_FORMAT, samples, bound));
        let glare = glare.map(|glare| glare.pyramid(device, &hdr));
        let input = ToneInput {
            hdr: &hdr,
            samples: multisampled.as_ref(),
            glare: glare.as_ref().map(GlarePyramid::texture),
        };
        Self {
            resolution,
            samples,
            depth: target("Frame::depth", DEPTH_FORMAT, samples, none),
            source: tone_map.source(device, input),
            mean_source: tone_map.source(device, ToneInput { samples: None, ..input }),
            multisampled,
            glare,
            hdr,
        }
    }

    /// The HDR pass, over `clear`: nothing outside it reads the depth.
    pub(super) fn color_attachment(
        &self,
        clear: wgpu::Color,
    ) -> wgpu::RenderPassColorAttachment<'_> {
        let view = self.multisampled.as_ref().unwrap_or(&self.hdr);
        wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: self.multisampled.as_ref().map(|_| &self.hdr),
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store: wgpu::StoreOp::Store },
        }
    }

    /// Reversed: the far end is 0. `clears`: for the first pass of a frame that uses it.
    pub(super) fn depth_attachment(
        &self,
        clears: bool,
    ) -> wgpu::RenderPassDepthStencilAttachment<'_> {
        let load = if clears { wgpu::LoadOp::Clear(0.0) } else { wgpu::LoadOp::Load };
        wgpu::RenderPassDepthStencilAttachment {
            view: &self.depth,
            depth_ops: Some(wgpu::Operations { load, store: wgpu::StoreOp::Store }),
            stencil_ops: None,
        }
    }
}
