//! The GPU memory of a frame, stage by stage. A new stage is one line of [`Stages::STAGES`].

use std::iter;

use super::{Accumulation, Frame, Targets};
use crate::gpu::{Allocations, Destroyed, Memory};
use crate::platform;
use crate::shading::{CompositeTargets, GlarePyramid, Underwater};
use crate::spray::Spray;

/// A stage's name, and a function to its buffers and textures.
type Stage<A> = (&'static str, fn(&Frame) -> A);

/// The stages of a frame, for each kind of [`Allocations`].
trait Stages: Allocations + 'static {
    /// All stages, in the frame's order.
    const STAGES: &'static [Stage<Self>];
}

impl<A: Allocations + 'static> Stages for A {
    const STAGES: &'static [Stage<A>] = &[
        // The sea's amplitudes, and the packed spectra, which the transform works on.
        ("spectrum", |frame| frame.ocean.spectrum_allocations()),
        // The transform's tables, parameters and scratch.
        ("fft", |frame| frame.ocean.fft_allocations()),
        ("maps", |frame| frame.ocean.maps().allocations()),
        // The foam's memory, and its ocean.
        ("foam", |frame| frame.foam.allocations()),
        ("mesh", |frame| frame.mesh.allocations()),
        ("sky", |frame| frame.sky.allocations::<A>() + frame.meter.allocations()),
        ("bed", |frame| frame.bed.allocations()),
        // The clouds' volume, shadow and mirror image.
        ("clouds", |frame| frame.sky.cloud_allocations()),
        ("water", |frame| {
            let underwater = frame.surface.underwater.iter().map(Underwater::allocations);
            frame.surface.water.allocations::<A>() + underwater.sum()
        }),
        ("objects", |frame| {
            frame.surface.objects.allocations::<A>() + frame.object_images.allocations()
        }),
        ("spray", |frame| frame.spray.iter().map(Spray::allocations).sum()),
        // The textures that are drawn to before the picture: colour, samples, depth, glare and means.
        ("targets", |frame| {
            let targets =
                iter::once(&frame.targets).chain(&frame.replaced).map(Targets::allocations);
            let means = frame.accumulation.iter().map(Accumulation::allocations);
            let background = frame.surface.background.allocations::<A>();
            background + frame.tone_map.allocations() + targets.chain(means).sum()
        }),
    ];
}

/// The memory of a frame's stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameMemory([(&'static str, Memory); Memory::STAGES.len()]);

impl FrameMemory {
    fn new(allocations: impl Fn(fn(&Frame) -> Memory) -> Memory) -> Self {
        Self(std::array::from_fn(|index| {
            let (name, stage) = Memory::STAGES[index];
            (name, allocations(stage))
        }))
    }

    /// The stages in the frame's order, with their names.
    pub fn stages(&self) -> &[(&'static str, Memory)] {
        &self.0
    }

    /// The memory of the stage `name`, or `None` if no stage has that name.
    pub fn of(&self, name: &str) -> Option<Memory> {
        self.0.iter().find(|(stage, _)| *stage == name).map(|(_, memory)| *memory)
    }

    /// The memory of all stages.
    pub fn total(&self) -> Memory {
        self.0.iter().map(|(_, memory)| *memory).sum()
    }
}

impl Default for FrameMemory {
    /// All stages with nothing allocated.
    fn default() -> Self {
        Self::new(|_| Memory::default())
    }
}

impl Frame {
    /// The memory of the frame. It does not allocate.
    pub fn memory(&self) -> FrameMemory {
        FrameMemory::new(|stage| stage(self))
    }

    /// Destroys the frame's buffers and textures. Commands that use them must not be submitted any more.
    pub(super) fn destroy(&self) {
        for (_, stage) in Destroyed::STAGES {
            let Destroyed = stage(self);
        }
    }
}

impl Drop for Frame {
    /// A browser would keep the buffers and textures for a long time.
    fn drop(&mut self) {
        if platform::FREES_LATE {
            self.destroy();
        }
    }
}

impl Targets {
    pub(super) fn destroy(self) {
        let Destroyed = self.allocations();
    }

    fn allocations<A: Allocations>(&self) -> A {
        let glare: A = self.glare.as_ref().map(GlarePyramid::allocations).unwrap_or_default();
        let CompositeTargets { overlay, hdr, .. } = &self.composite;
        [hdr, overlay]
            .into_iter()
            .fold(glare + self.seen.allocations() + self.source.allocations(), |held, view| {
                held.with_texture(view.texture())
            })
    }
}
