//! Measurements of the white share of the sea, by one dispatch and a copy of 2 KiB now and then.

use wgpu::ShaderStages;

use crate::foam::Foam;
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    Allocations, ComputeDescriptor, ComputePipeline, Pipelines, ReadbackBuffer, Uniform, bindings,
    wgsl_struct,
};
use crate::maps::Maps;
use crate::profile::Recorder;

pub(super) const SHADER: &str = "measurement/whitecaps.wgsl";

const BLOCKS_A_SIDE: u32 = 16;
const BLOCKS: usize = (BLOCKS_A_SIDE * BLOCKS_A_SIDE) as usize;
/// The blocks along one side of the parts that are compared for the error.
const PART: usize = 4;
const BLOCKS_BYTES: u64 = (BLOCKS * size_of::<[f32; 2]>()) as u64;

wgsl_struct! {
    /// A square of the sea, and the resolution of its measurement.
    pub struct WhitecapSquare {
        /// The middle, (x, z) from the ocean's origin ([`Maps::set_origin`]).
        pub middle_m: [f32; 2],
        /// Half of the side, in metres.
        pub half_m: f32,
        /// The footprint of a pixel there, in metres, which selects the level of the foam and the waves.
        pub footprint_m: f32,
    }
}

impl Default for WhitecapSquare {
    /// A square of 1.2 km around the origin, seen from some hundred metres up.
    fn default() -> Self {
        Self { middle_m: [0.0; 2], half_m: 600.0, footprint_m: 2.0 }
    }
}

/// The whitecap cover at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WhitecapCover {
    /// The share of the surface, seen from above, that foam covers.
    pub share: f64,
    /// The standard deviation of `share` between seas of the same statistics, from the differences
    /// between parts of the square with a quarter of its side. It is too small where waves are longer
    /// than those parts, which need a larger square.
    pub standard_error: f64,
    /// The time of the sea, in seconds.
    pub time_s: f64,
}

/// Measures the whitecap cover of an ocean with its foam, at 16,384 points at a time. It neither waits
/// nor submits.
#[derive(Debug)]
pub struct Whitecaps {
    kernel: ComputePipeline,
    square: Uniform<WhitecapSquare>,
    blocks: wgpu::Buffer,
    group: wgpu::BindGroup,
    maps: wgpu::BindGroup,
    readback: ReadbackBuffer,
    time_s: Option<f64>,
}

impl Whitecaps {
    /// Prepares measurements of an ocean's `maps` and the foam on them.
    ///
    /// # Errors
    /// [`ShaderError`] where the shader on disk is broken.
    pub fn new(pipelines: &Pipelines, maps: &Maps, foam: &Foam) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let square = Uniform::with(device, "Whitecaps::square", &WhitecapSquare::default());
        let blocks = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Whitecaps::blocks"),
            size: BLOCKS_BYTES,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let bindings::Group { layout, bind_group } = bindings::bind(
            device,
            "Whitecaps::group",
            ShaderStages::COMPUTE,
            &[(bindings::uniform(), &square), (bindings::storage_read_write(), &blocks)],
        );
        let layouts = [Some(&layout), Some(&maps.group().layout), None, Some(&foam.group().layout)];
        let kernel = pipelines.compute(ComputeDescriptor {
            constants: maps.constants().into(),
            ..ComputeDescriptor::new("measured whitecaps", SHADER, "whitecaps", &layouts)
        })?;
        Ok(Self {
            kernel,
            square,
            blocks,
            group: bind_group,
            maps: maps.bind_group().clone(),
            readback: ReadbackBuffer::new(device, "Whitecaps::readback", BLOCKS_BYTES),
            time_s: None,
        })
    }

    pub(super) fn allocations<A: Allocations>(&self) -> A {
        A::default().with_buffer(&self.blocks)
            + self.square.allocations()
            + self.readback.allocations()
    }

    /// Measures another square from the next commands on.
    pub fn look_at(&self, queue: &wgpu::Queue, square: &WhitecapSquare) {
        self.square.write(queue, square);
    }

    /// Records a measurement at `time_s`, with `foam`, unless one is pending or the foam [is still
    /// behind](Foam::is_settling). Returns whether it did.
    pub fn record(&mut self, recorder: &mut Recorder<'_>, foam: &Foam, time_s: f64) -> bool {
        if self.readback.is_dropped() {
            self.readback.reset();
            self.time_s = None;
        }
        if self.time_s.is_some() || !self.readback.is_free() || foam.is_settling() {
            return false;
        }
        let Self { kernel, group, maps, .. } = self;
        recorder.compute("measured whitecaps", |stages| {
            stages.stage("whitecaps", |pass| {
                pass.set_pipeline(&kernel.get());
                pass.set_bind_group(0, &*group, &[]);
                pass.set_bind_group(1, &*maps, &[]);
                pass.set_bind_group(3, foam.bind_group(), &[]);
                pass.dispatch_workgroups(BLOCKS_A_SIDE, BLOCKS_A_SIDE, 1);
            });
        });
        let encoder = recorder.encoder();
        encoder.copy_buffer_to_buffer(&self.blocks, 0, self.readback.buffer(), 0, BLOCKS_BYTES);
        self.readback.map_on_submit(encoder);
        self.time_s = Some(time_s);
        true
    }

    /// The last measured cover, once, when it is ready.
    pub fn ready(&mut self) -> Option<WhitecapCover> {
        if !self.readback.is_ready() {
            return None;
        }
        let time_s = self.time_s.take()?;
        let cover = self.readback.read(|bytes| {
            let mut blocks = [[0.0_f32; 2]; BLOCKS];
            bytemuck::cast_slice_mut(&mut blocks).copy_from_slice(bytes);
            WhitecapCover::of(&blocks, time_s)
        })?;
        cover
            .inspect_err(|error| log::warn!("the measured whitecaps did not come back: {error}"))
            .ok()
    }
}

impl WhitecapCover {
    /// Computes the cover from the covered area of each block, and the block's area.
    ///
    /// Blocks are shorter than waves and their groups, so that neighbours are correlated. The error
    /// comes from the sums over all squares of [`PART`] x [`PART`] blocks, which overlap (the moving
    /// blocks of Künsch 1989, in two dimensions and around the edges).
    fn of(blocks: &[[f32; 2]; BLOCKS], time_s: f64) -> Self {
        let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
            blocks.iter().map(|&[covered, area]| of(covered.into(), area.into())).sum()
        };
        let area = sum(&|_, area| area).max(1e-12);
        let share = sum(&|covered, _| covered) / area;
        let side = BLOCKS_A_SIDE as usize;
        let excess = |x: usize, z: usize| {
            let [covered, area] = blocks[z % side * side + x % side].map(f64::from);
            covered - share * area
        };
        let part = |x: usize, z: usize| -> f64 {
            (0..PART * PART).map(|at| excess(x + at % PART, z + at / PART)).sum()
        };
        let squares: f64 = (0..BLOCKS).map(|at| part(at % side, at / side).powi(2)).sum();
        // Each block is in as many parts as a part has blocks. Deviations from the sample mean are too
        // small by one part's share.
        let parts = (PART * PART) as f64;
        let variance = squares / parts / (1.0 - parts / BLOCKS as f64);
        Self { share, standard_error: variance.sqrt() / area, time_s }
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

    fn blocks(share: impl Fn(usize, usize) -> f64) -> [[f32; 2]; BLOCKS] {
        let side = BLOCKS_A_SIDE as usize;
        std::array::from_fn(|at| [2.0 * share(at % side, at / side) as f32, 2.0])
    }

    /// Many seas have random white patches of 1 to 4 blocks a side: the error that each reports is the
    /// scatter of their shares between seas.
    #[test]
    fn the_error_is_the_scatter_between_seas() {
        const SEAS: usize = 400;
        for patch in [1, 2, 3] {
            let covers: Vec<WhitecapCover> = (0..SEAS)
                .map(|sea| {
                    let at = |axis: u64| (noise([sea, 0, 0], axis) * patch as f64) as usize;
                    let [x0, z0] = [at(1), at(2)];
                    let white = |x: usize, z: usize| {
                        noise([sea, (x + x0) / patch, 1 + (z + z0) / patch], 3)
                    };
                    WhitecapCover::of(&blocks(|x, z| 0.2 * white(x, z)), 3.0)
                })
                .collect();
            let mean = covers.iter().map(|cover| cover.share).sum::<f64>() / SEAS as f64;
            let scatter = covers.iter().map(|cover| (cover.share - mean).powi(2)).sum::<f64>();
            let scatter = (scatter / (SEAS - 1) as f64).sqrt();
            let reported = covers.iter().map(|cover| cover.standard_error.powi(2)).sum::<f64>();
            let reported = (reported / SEAS as f64).sqrt();
            println!("{patch}: {mean:.4} {scatter:.5} {reported:.5}");
            // The scatter of 400 seas is known to 3.5%. Parts that are not much longer than the patches
            // cut some in two: with a factor of 1 - patch / (3 PART) along each axis the error remains.
            let seen = 1.0 - patch as f64 / (3.0 * PART as f64);
            seaway_core::testing::tolerance::near(
                reported / scatter,
                seen.max(0.75),
                0.15,
                "error over scatter",
            );
            assert!((mean - 0.1).abs() < 0.003, "{mean}");
        }
    }

    fn noise(of: [usize; 3], seed: u64) -> f64 {
        use rand::{Rng as _, SeedableRng as _};
        let number = of.into_iter().fold(seed, |sum, part| sum.wrapping_mul(4099) + part as u64);
        let mut rng = rand::rngs::Xoshiro256PlusPlus::seed_from_u64(number);
        rng.next_u64() as f64 / u64::MAX as f64
    }
}
