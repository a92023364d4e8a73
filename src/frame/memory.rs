//! What a frame keeps on the GPU, stage by stage.

use super::{Accumulation, Frame, Targets};
use crate::gpu::{Destroyed, Holdings, Memory};
use crate::shading::GlarePyramid;
use crate::spray::Spray;

/// Buffers and textures of a frame's stages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameMemory {
    /// The sea's amplitudes and the packed spectra, which the transform works on.
    pub spectrum: Memory,
    /// The transform's tables, parameters and scratch.
    pub fft: Memory,
    /// Displacement and derivatives.
    pub maps: Memory,
    /// The foam's memory, with an ocean of its own.
    pub foam: Memory,
    /// The grid.
    pub mesh: Memory,
    /// The sky's tables.
    pub sky: Memory,
    /// Their volume, their shadow and their mirror image.
    pub clouds: Memory,
    /// The foam's noise.
    pub water: Memory,
    /// What floats on it.
    pub buoys: Memory,
    /// What flies over it.
    pub spray: Memory,
    /// What is drawn to before the picture: colour, samples, depth, glare.
    pub targets: Memory,
}

impl FrameMemory {
    /// The stages in the frame's order, under their names.
    pub fn stages(&self) -> [(&'static str, Memory); 11] {
        let Self { spectrum, fft, maps, foam, mesh, sky, clouds, water, buoys, spray, targets } =
            *self;
        [
            ("spectrum", spectrum),
            ("fft", fft),
            ("maps", maps),
            ("foam", foam),
            ("mesh", mesh),
            ("sky", sky),
            ("clouds", clouds),
            ("water", water),
            ("buoys", buoys),
            ("spray", spray),
            ("targets", targets),
        ]
    }

    /// All of them.
    pub fn total(&self) -> Memory {
        self.stages().into_iter().map(|(_, memory)| memory).sum()
    }
}

impl Frame {
    /// What the frame keeps on the GPU. Allocates nothing.
    pub fn memory(&self) -> FrameMemory {
        FrameMemory {
            spectrum: self.ocean.spectrum_memory(),
            fft: self.ocean.fft_memory(),
            maps: self.ocean.maps().holdings(),
            foam: self.foam.holdings(),
            mesh: self.mesh.holdings(),
            sky: self.sky.holdings::<Memory>() + self.meter.holdings(),
            clouds: self.sky.cloud_holdings(),
            water: self.surface.water.holdings(),
            buoys: self.surface.buoys.holdings(),
            spray: self.spray.as_ref().map(Spray::holdings).unwrap_or_default(),
            targets: self.target_holdings(),
        }
    }

    /// Leaves nothing of it on the GPU, at once: a browser would keep it for long. What uses its ocean or
    /// was recorded by it must not be submitted any more.
    pub fn destroy(self) {
        let stages: [Destroyed; 8] = [
            self.ocean.holdings(),
            self.foam.holdings(),
            self.mesh.holdings(),
            self.sky.holdings(),
            self.sky.cloud_holdings(),
            self.surface.water.holdings(),
            self.surface.buoys.holdings(),
            self.target_holdings(),
        ];
        let spray = self.spray.as_ref().map(Spray::holdings::<Destroyed>);
        let _: Destroyed = stages.into_iter().chain(spray).sum();
    }

    fn target_holdings<H: Holdings>(&self) -> H {
        let accumulation = self.accumulation.as_ref().map(Accumulation::holdings::<H>);
        let screen = self.targets.holdings::<H>() + self.tone_map.holdings();
        screen + accumulation.unwrap_or_default()
    }
}

impl Targets {
    /// Leaves nothing of them on the GPU.
    pub(super) fn destroy(self) {
        let _: Destroyed = self.holdings();
    }

    fn holdings<H: Holdings>(&self) -> H {
        let glare = self.glare.as_ref().map(GlarePyramid::holdings).unwrap_or_default();
        [&self.hdr, &self.depth]
            .into_iter()
            .chain(&self.multisampled)
            .fold(glare, |held: H, view| held.with_texture(view.texture()))
    }
}
