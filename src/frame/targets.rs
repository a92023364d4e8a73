use crate::shading::tone::{ToneInput, ToneSource};
use crate::shading::{CompositeTargets, Glare, GlarePyramid, ToneMap, VisibilityTargets};

#[derive(Debug)]
pub(super) struct Targets {
    pub(super) resolution: [u32; 2],
    pub(super) seen: VisibilityTargets,
    pub(super) composite: CompositeTargets,
    /// Whether the last frame drew over it.
    pub(super) is_drawn_over: bool,
    /// None where the quality has no glare.
    pub(super) glare: Option<GlarePyramid>,
    pub(super) source: ToneSource,
    /// The source without samples, for light that is the mean of several passes.
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
        let seen = VisibilityTargets::new(device, resolution, samples);
        let composite = CompositeTargets::new(device, &seen);
        let glare = glare.map(|glare| glare.pyramid(device, &composite.hdr));
        let input = ToneInput {
            hdr: &composite.hdr,
            samples: (samples > 1).then_some(&composite),
            glare: glare.as_ref().map(GlarePyramid::texture),
        };
        let source = tone_map.source(device, input);
        Self {
            resolution,
            mean_source: source.of_pixels(),
            source,
            seen,
            composite,
            is_drawn_over: false,
            glare,
        }
    }
}
