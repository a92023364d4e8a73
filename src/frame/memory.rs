//! What a frame keeps on the GPU, stage by stage.

use super::{Accumulation, Frame, Targets};
use crate::gpu::{Destroyed, Holdings, Memory};
use crate::platform;
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
        let [spectrum, fft, maps, foam, mesh, sky, clouds, water, buoys, spray, targets] =
            self.holdings();
        FrameMemory { spectrum, fft, maps, foam, mesh, sky, clouds, water, buoys, spray, targets }
    }

    /// Stage by stage, in the order of [`FrameMemory::stages`].
    fn holdings<H: Holdings>(&self) -> [H; 11] {
        let accumulation = self.accumulation.as_ref().map(Accumulation::holdings::<H>);
        let replaced = self.replaced.as_ref().map(Targets::holdings::<H>);
        let screen = self.targets.holdings::<H>() + self.tone_map.holdings();
        [
            self.ocean.spectrum_holdings(),
            self.ocean.fft_holdings(),
            self.ocean.maps().holdings(),
            self.foam.holdings(),
            self.mesh.holdings(),
            self.sky.holdings::<H>() + self.meter.holdings(),
            self.sky.cloud_holdings(),
            self.surface.water.holdings(),
            self.surface.buoys.holdings(),
            self.spray.as_ref().map(Spray::holdings).unwrap_or_default(),
            screen + [accumulation, replaced].into_iter().flatten().sum(),
        ]
    }

    /// Leaves nothing of it on the GPU. What uses its ocean or was recorded by it must not be submitted any
    /// more.
    pub(super) fn destroy(&self) {
        let _: [Destroyed; 11] = self.holdings();
    }
}

impl Drop for Frame {
    /// A browser would keep its buffers and textures for long.
    fn drop(&mut self) {
        if platform::FREES_LATE {
            self.destroy();
        }
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
