//! Other FFTs, timed beside ours on the same task.

use std::time::Instant;

use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection, FftPlanner};
use seaway::fft::timing::{Measurement, Timer};
use seaway::fft::{Accuracy, Direction};

use crate::cli::workload::{self, References};

/// `--peer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Peer {
    /// rustfft on one processor core, in 32-bit floats
    Rustfft,
    /// NVIDIA's cuFFT (needs a build with the feature `cuda`)
    Cufft,
}

impl Peer {
    pub fn name(self) -> &'static str {
        match self {
            Self::Rustfft => "rustfft",
            Self::Cufft => "cufft",
        }
    }
}

/// Microseconds that one sample takes at least.
const SAMPLE_US: f64 = 4000.0;

/// Times rustfft on a batch of square images, in place; also gives its error on the first and last
/// image.
pub fn rustfft(
    side: u32,
    batch: u32,
    direction: Direction,
    samples: u32,
    references: &mut References,
) -> (Measurement, Accuracy) {
    let points = workload::points([side; 2]);
    let mut images: Vec<Complex<f32>> = (0..batch)
        .flat_map(|index| workload::image(index, points))
        .map(|[re, im]| Complex { re, im })
        .collect();
    let mut transform = Transform2d::new(side as usize, direction);
    transform.run(&mut images);
    let mut accuracy = Accuracy { relative_l2: 0.0, relative_max: 0.0 };
    for index in [0, batch - 1] {
        let result: Vec<[f32; 2]> = images[index as usize * points..][..points]
            .iter()
            .map(|value| [value.re, value.im])
            .collect();
        let one = Accuracy::of(&result, references.of(index, [side; 2], direction));
        accuracy.relative_l2 = accuracy.relative_l2.max(one.relative_l2);
        accuracy.relative_max = accuracy.relative_max.max(one.relative_max);
    }
    let measurement = measure(samples, SAMPLE_US, || transform.run(&mut images));
    (measurement, accuracy)
}

/// Times work on the processor, as `fft::timing` times work on the GPU.
pub fn measure(samples: u32, sample_us: f64, mut work: impl FnMut()) -> Measurement {
    let mut time_us = |repetitions: u32| {
        let start = Instant::now();
        (0..repetitions).for_each(|_| work());
        start.elapsed().as_secs_f64() * 1e6 / f64::from(repetitions)
    };
    let once_us = time_us(1).max(0.01);
    let repetitions = ((sample_us / once_us) as u32).max(1);
    let mut samples_us: Vec<f64> = (0..samples.max(1)).map(|_| time_us(repetitions)).collect();
    samples_us.sort_by(f64::total_cmp);
    Measurement { samples_us, repetitions, timer: Timer::Wall }
}

/// rustfft's name for `direction`.
pub fn direction(direction: Direction) -> FftDirection {
    match direction {
        Direction::Forward => FftDirection::Forward,
        Direction::Inverse => FftDirection::Inverse,
    }
}

/// rustfft in two dimensions: rows, transpose, rows, transpose.
struct Transform2d {
    side: usize,
    fft: std::sync::Arc<dyn Fft<f32>>,
    scratch: Vec<Complex<f32>>,
}

impl Transform2d {
    fn new(side: usize, direction: Direction) -> Self {
        let fft = FftPlanner::new().plan_fft(side, self::direction(direction));
        let scratch = vec![Complex::default(); fft.get_inplace_scratch_len()];
        Self { side, fft, scratch }
    }

    fn run(&mut self, images: &mut [Complex<f32>]) {
        for image in images.chunks_exact_mut(self.side * self.side) {
            for _ in 0..2 {
                self.fft.process_with_scratch(image, &mut self.scratch);
                transpose(image, self.side);
            }
        }
    }
}

/// Transposes a square in place, tile by tile, so that both sides of an exchange stay in the cache.
fn transpose(image: &mut [Complex<f32>], side: usize) {
    const TILE: usize = 16;
    for tile_y in (0..side).step_by(TILE) {
        for tile_x in (tile_y..side).step_by(TILE) {
            for y in tile_y..(tile_y + TILE).min(side) {
                for x in tile_x.max(y + 1)..(tile_x + TILE).min(side) {
                    image.swap(y * side + x, x * side + y);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use seaway::choice::Choice as _;
    use seaway::fft::{Descriptor, Gate};

    use super::*;

    #[test]
    fn rustfft_transforms_what_we_transform() {
        let mut references = References::default();
        for side in [2, 16, 64] {
            for &direction in Direction::ALL {
                let (measurement, accuracy) = rustfft(side, 3, direction, 2, &mut references);
                let gate = Gate::of(&Descriptor { size: [side; 2], ..Default::default() });
                assert!(gate.passes(accuracy), "{side} {direction}: {accuracy:?}");
                assert_eq!(measurement.samples_us.len(), 2);
                assert!(measurement.median_us() > 0.0);
            }
        }
    }
}
