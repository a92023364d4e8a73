//! How much of the sea is white: one dispatch and a copy of 2 KiB, now and then.

use wgpu::ShaderStages;

use crate::foam::Foam;
use crate::gpu::shader::{ShaderError, compose};
use crate::gpu::{
    ComputeKernel, Holdings, Shuttle, Uniform, bindings, compute_kernel_with, wgsl_struct,
};
use crate::maps::Maps;
use crate::profile::Recorder;

pub(super) const SHADER: &str = "measurement/whitecaps.wgsl";

const BLOCKS_A_SIDE: u32 = 16;
const BLOCKS: usize = (BLOCKS_A_SIDE * BLOCKS_A_SIDE) as usize;
const BLOCKS_BYTES: u64 = (BLOCKS * size_of::<[f32; 2]>()) as u64;

wgsl_struct! {
    /// A square of the sea, and how closely it is looked at.
    pub struct WhitecapSquare {
        /// Its middle, (x, z) from the ocean's origin ([`Maps::set_origin`]).
        pub middle_m: [f32; 2],
        /// Half its side, in metres.
        pub half_m: f32,
        /// Of what a pixel sees there, in metres: it decides which level of the foam, and which waves,
        /// are looked at.
        pub footprint_m: f32,
    }
}

impl Default for WhitecapSquare {
    /// 1.2 km around the origin, as an eye some hundred metres up sees it.
    fn default() -> Self {
        Self { middle_m: [0.0; 2], half_m: 600.0, footprint_m: 2.0 }
    }
}

/// Whitecap cover as it was measured at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WhitecapCover {
    /// Share of the surface, seen from above, that foam covers.
    pub share: f64,
    /// Its standard deviation, from how parts of the square differ.
    pub standard_error: f64,
    /// The sea's time.
    pub time_s: f64,
}

/// Measures the whitecap cover of an ocean with its foam, of 16,384 points at a time. Nothing here waits
/// or submits.
#[derive(Debug)]
pub struct Whitecaps {
    kernel: ComputeKernel,
    square: Uniform<WhitecapSquare>,
    blocks: wgpu::Buffer,
    group: wgpu::BindGroup,
    maps: wgpu::BindGroup,
    shuttle: Shuttle,
    /// What is under way.
    time_s: Option<f64>,
}

impl Whitecaps {
    /// For an ocean's `maps` and the foam that is drawn on it.
    ///
    /// # Errors
    /// [`ShaderError`] where the shader on disk is broken.
    pub fn new(device: &wgpu::Device, maps: &Maps, foam: &Foam) -> Result<Self, ShaderError> {
        let square = Uniform::with(device, "Whitecaps::square", &WhitecapSquare::default());
        let blocks = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Whitecaps::blocks"),
            size: BLOCKS_BYTES,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let (layout, group) = bindings::bind(
            device,
            "Whitecaps::group",
            ShaderStages::COMPUTE,
            &[(bindings::uniform(), &square), (bindings::storage_read_write(), &blocks)],
        );
        let layouts =
            [Some(&layout), Some(maps.bind_group_layout()), None, Some(foam.bind_group_layout())];
        let module = compose(SHADER)?;
        let constants = maps.constants();
        let kernel = compute_kernel_with(
            device,
            "measured whitecaps",
            &module,
            "whitecaps",
            &layouts,
            &constants,
        )?;
        Ok(Self {
            kernel,
            square,
            blocks,
            group,
            maps: maps.bind_group().clone(),
            shuttle: Shuttle::new(device, "Whitecaps::shuttle", BLOCKS_BYTES),
            time_s: None,
        })
    }

    pub(super) fn holdings<H: Holdings>(&self) -> H {
        H::default().with_buffer(&self.blocks) + self.square.holdings() + self.shuttle.holdings()
    }

    /// Looks elsewhere, or more closely, from the next commands on.
    pub fn look_at(&self, queue: &wgpu::Queue, square: &WhitecapSquare) {
        self.square.write(queue, square);
    }

    /// Records a look at what is drawn at `time_s`, with `foam`, unless one is under way or the
    /// foam [is still behind](Foam::is_settling). True if it did.
    pub fn record(&mut self, recorder: &mut Recorder<'_>, foam: &Foam, time_s: f64) -> bool {
        if self.shuttle.is_left() {
            self.shuttle.clear();
            self.time_s = None;
        }
        if self.time_s.is_some() || !self.shuttle.is_free() || foam.is_settling() {
            return false;
        }
        let Self { kernel, group, maps, .. } = self;
        recorder.compute("measured whitecaps", |stages| {
            stages.stage("whitecaps", |pass| {
                pass.set_pipeline(&kernel.pipeline);
                pass.set_bind_group(0, &*group, &[]);
                pass.set_bind_group(1, &*maps, &[]);
                pass.set_bind_group(3, foam.bind_group(), &[]);
                pass.dispatch_workgroups(BLOCKS_A_SIDE, BLOCKS_A_SIDE, 1);
            });
        });
        let encoder = recorder.encoder();
        encoder.copy_buffer_to_buffer(&self.blocks, 0, self.shuttle.buffer(), 0, BLOCKS_BYTES);
        self.shuttle.depart_with(encoder);
        self.time_s = Some(time_s);
        true
    }

    /// What has come back.
    pub fn arrived(&mut self) -> Option<WhitecapCover> {
        if !self.shuttle.has_arrived() {
            return None;
        }
        let time_s = self.time_s.take()?;
        let cover = self.shuttle.unload(|bytes| {
            let mut blocks = [[0.0_f32; 2]; BLOCKS];
            bytemuck::cast_slice_mut(&mut blocks).copy_from_slice(bytes);
            WhitecapCover::of(&blocks, time_s)
        });
        cover
            .inspect_err(|error| log::warn!("the measured whitecaps did not come back: {error}"))
            .ok()
    }
}

impl WhitecapCover {
    /// From what is covered of the area of each block, and their area.
    fn of(blocks: &[[f32; 2]; BLOCKS], time_s: f64) -> Self {
        let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
            blocks.iter().map(|&[covered, area]| of(covered.into(), area.into())).sum()
        };
        let area = sum(&|_, area| area).max(1e-12);
        let share = sum(&|covered, _| covered) / area;
        let squares = sum(&|covered, area| (covered - share * area).powi(2));
        Self { share, standard_error: squares.sqrt() / area, time_s }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{assert_layout, shader};

    #[test]
    fn the_shader_has_as_many_blocks() {
        let text = shader::resolve(SHADER).unwrap();
        assert!(text.contains(&format!("const BLOCKS_A_SIDE: u32 = {BLOCKS_A_SIDE}u;")));
        assert_layout::<WhitecapSquare>(&text);
    }

    #[test]
    fn the_error_is_that_of_the_blocks() {
        let mut blocks = [[0.0, 2.0]; BLOCKS];
        for block in blocks.iter_mut().step_by(2) {
            block[0] = 0.4;
        }
        let cover = WhitecapCover::of(&blocks, 3.0);
        // Half of the blocks have a fifth, the others nothing.
        assert!((cover.share - 0.1).abs() < 1e-7, "{cover:?}");
        assert!((cover.standard_error - 0.1 / 16.0).abs() < 1e-7, "{cover:?}");
    }
}
