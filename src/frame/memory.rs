//! What a frame keeps on the GPU, stage by stage.

use super::{Accumulation, Frame, Targets};
use crate::gpu::Memory;
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
            maps: self.ocean.maps().memory(),
            foam: self.foam.memory(),
            mesh: self.mesh.memory(),
            sky: self.sky.memory() + self.meter.memory(),
            clouds: self.sky.cloud_memory(),
            water: self.surface.water.memory(),
            buoys: self.surface.buoys.memory(),
            spray: self.spray.as_ref().map(Spray::memory).unwrap_or_default(),
            targets: self.targets.memory()
                + self.tone_map.memory()
                + self.accumulation.as_ref().map(Accumulation::memory).unwrap_or_default(),
        }
    }
}

impl Targets {
    fn memory(&self) -> Memory {
        let glare = self.glare.as_ref().map(GlarePyramid::memory).unwrap_or_default();
        [&self.hdr, &self.depth]
            .into_iter()
            .chain(&self.multisampled)
            .fold(glare, |memory, view| memory.with_texture(view.texture()))
    }
}
