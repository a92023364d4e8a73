//! Other FFTs, timed beside ours on the same task.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use anyhow::ensure;
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection, FftPlanner};
use seaway::fft::lab::timing::{Measurement, Method, Regime, Timer};
use seaway::fft::lab::{Accuracy, Gate, References};
use seaway::fft::{Descriptor, Direction, Placement};

use super::cufft::{self, Cufft};
use crate::cli::size::Size;

/// `--peer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Peer {
    /// rustfft on one processor core, in 32-bit floats
    Rustfft,
    /// NVIDIA's cuFFT (needs a build with the feature `cuda`)
    Cufft,
}

/// Median times of a peer's variants, in microseconds, by the name that each has in `peer_ratio`.
pub type Times = BTreeMap<String, f64>;

/// The peers that were asked for. Each task is timed once.
pub struct Peers {
    list: Vec<Peer>,
    cufft: Option<Cufft>,
    method: Method,
    known: HashMap<([u32; 2], u32, Direction, Option<Regime>), Times>,
    /// What could not be timed, and why.
    pub failures: Vec<String>,
}

impl Peers {
    /// Looks for what can be missing, before a GPU is needed.
    ///
    /// # Errors
    /// A peer is not part of this build, or its library is not there.
    pub fn find(list: &[Peer]) -> anyhow::Result<()> {
        if list.contains(&Peer::Cufft) { cufft::find() } else { Ok(()) }
    }

    /// Opens what runs on the GPU that `adapter` is.
    pub fn open(
        list: &[Peer],
        adapter: &wgpu::AdapterInfo,
        method: Method,
    ) -> anyhow::Result<Self> {
        let cufft = list.contains(&Peer::Cufft).then(|| Cufft::open(adapter)).transpose()?;
        let (known, failures) = (HashMap::new(), Vec::new());
        Ok(Self { list: list.to_vec(), cufft, method, known, failures })
    }

    /// What was opened and has a version.
    pub fn describe(&self) -> Option<String> {
        self.cufft.as_ref().map(Cufft::describe)
    }

    /// Median times of all peers on `task`. One that fails is left out, and noted.
    pub fn times(
        &mut self,
        task: &Descriptor,
        regime: Regime,
        references: &mut References,
    ) -> Times {
        // Theirs is planar, in 32-bit floats, and not scaled.
        let Descriptor { size, batch, direction, .. } = *task;
        let task = &Descriptor { size, batch, direction, ..Descriptor::default() };
        let mut times = Times::new();
        for peer in self.list.clone() {
            // A processor's caches are not what the regimes are about.
            let regime = (peer == Peer::Cufft).then_some(regime);
            let key = (task.size, task.batch, task.direction, regime);
            let known = self.known.get(&key).cloned();
            times.extend(known.unwrap_or_else(|| {
                let measured = self.measure(peer, task, regime, references);
                let measured = measured.unwrap_or_else(|error| {
                    let size = Size(task.size);
                    self.failures.push(format!("{size}, batch {}: {error:#}", task.batch));
                    Times::new()
                });
                self.known.insert(key, measured.clone());
                measured
            }));
        }
        times
    }

    fn measure(
        &self,
        peer: Peer,
        task: &Descriptor,
        regime: Option<Regime>,
        references: &mut References,
    ) -> anyhow::Result<Times> {
        match (peer, &self.cufft) {
            (Peer::Rustfft, _) => {
                let (measurement, accuracy) = rustfft(task, &self.method, references);
                ensure!(
                    Gate::of(task).passes(accuracy),
                    "rustfft gave a wrong result: {accuracy:?}"
                );
                Ok([("rustfft".to_owned(), measurement.median_us())].into())
            }
            (Peer::Cufft, None) => Ok(Times::new()),
            (Peer::Cufft, Some(cufft)) => {
                let regime = regime.unwrap_or(Regime::Hot);
                let mut times = Times::new();
                for (name, placement) in
                    [("cufft", Placement::OutOfPlace), ("cufft_in_place", Placement::InPlace)]
                {
                    let task = Descriptor { placement, ..task.clone() };
                    let measurement = cufft.measure(&task, regime, &self.method, references)?;
                    times.insert(name.to_owned(), measurement.median_us());
                }
                Ok(times)
            }
        }
    }
}

/// Times rustfft on a batch of images, in place; also gives its error on the first and last
/// image.
fn rustfft(
    task: &Descriptor,
    method: &Method,
    references: &mut References,
) -> (Measurement, Accuracy) {
    let Descriptor { size, batch, direction, .. } = *task;
    let points = task.points() as usize;
    let mut images: Vec<Complex<f32>> = (0..batch)
        .flat_map(|index| seaway::fft::lab::noise(index, points))
        .map(|[re, im]| Complex { re, im })
        .collect();
    let mut transform = Transform2d::new(size.map(|side| side as usize), direction);
    transform.run(&mut images);
    let mut accuracy = Accuracy { relative_l2: 0.0, relative_max: 0.0 };
    for index in [0, batch - 1] {
        let result: Vec<[f32; 2]> = images[index as usize * points..][..points]
            .iter()
            .map(|value| [value.re, value.im])
            .collect();
        let one = Accuracy::of(&result, references.of(index, task));
        accuracy.relative_l2 = accuracy.relative_l2.max(one.relative_l2);
        accuracy.relative_max = accuracy.relative_max.max(one.relative_max);
    }
    let measurement = measure(method, || transform.run(&mut images));
    (measurement, accuracy)
}

/// Times work on the processor, as `fft::lab::timing` times work on the GPU, but with as many
/// repetitions as fill a sample.
pub fn measure(method: &Method, mut work: impl FnMut()) -> Measurement {
    let mut time_us = |repetitions: u32| {
        let start = Instant::now();
        (0..repetitions).for_each(|_| work());
        start.elapsed().as_secs_f64() * 1e6 / f64::from(repetitions)
    };
    let method = Method { max_repetitions: u32::MAX, ..*method };
    let once_us = time_us(1).max(0.01);
    let repetitions = method.repetitions(once_us);
    let samples = method.samples_within_budget(once_us * f64::from(repetitions));
    let mut samples_us: Vec<f64> = match samples {
        1 if method.samples > 1 => vec![once_us],
        _ => (0..samples).map(|_| time_us(repetitions)).collect(),
    };
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
    size: [usize; 2],
    /// For rows, and for columns.
    ffts: [std::sync::Arc<dyn Fft<f32>>; 2],
    scratch: Vec<Complex<f32>>,
    /// An image on its side, where it is no square.
    turned: Vec<Complex<f32>>,
}

impl Transform2d {
    fn new(size: [usize; 2], direction: Direction) -> Self {
        let mut planner = FftPlanner::new();
        let ffts = size.map(|side| planner.plan_fft(side, self::direction(direction)));
        let lengths = ffts.each_ref().map(|fft| fft.get_inplace_scratch_len());
        let scratch = vec![Complex::default(); lengths[0].max(lengths[1])];
        let [width, height] = size;
        let turned = if width == height { 0 } else { width * height };
        Self { size, ffts, scratch, turned: vec![Complex::default(); turned] }
    }

    fn run(&mut self, images: &mut [Complex<f32>]) {
        let Self { size: [width, height], ffts: [rows, columns], scratch, turned } = self;
        for image in images.chunks_exact_mut(*width * *height) {
            rows.process_with_scratch(image, scratch);
            if width == height {
                transpose(image, *width);
                columns.process_with_scratch(image, scratch);
                transpose(image, *width);
            } else {
                transpose_into(image, turned, [*width, *height]);
                columns.process_with_scratch(turned, scratch);
                transpose_into(turned, image, [*height, *width]);
            }
        }
    }
}

/// Points along the edge of what is transposed at a time, so that both sides stay in the cache.
const TILE: usize = 16;

/// Writes an image of `size` [width, height] to another on its side.
fn transpose_into(image: &[Complex<f32>], turned: &mut [Complex<f32>], size: [usize; 2]) {
    let [width, height] = size;
    for tile_y in (0..height).step_by(TILE) {
        for tile_x in (0..width).step_by(TILE) {
            for y in tile_y..(tile_y + TILE).min(height) {
                for x in tile_x..(tile_x + TILE).min(width) {
                    turned[x * height + y] = image[y * width + x];
                }
            }
        }
    }
}

/// Transposes a square in place.
fn transpose(image: &mut [Complex<f32>], side: usize) {
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
    use seaway::fft::Descriptor;
    use seaway::fft::lab::Gate;

    use super::*;

    #[test]
    fn rustfft_transforms_what_we_transform() {
        let mut references = References::default();
        for size in [[2; 2], [16; 2], [64; 2], [60; 2], [35, 48], [1, 17]] {
            for &direction in Direction::ALL {
                let task = Descriptor { size, batch: 3, direction, ..Default::default() };
                let method = Method { samples: 2, ..Method::default() };
                let (measurement, accuracy) = rustfft(&task, &method, &mut references);
                assert!(Gate::of(&task).passes(accuracy), "{size:?} {direction}: {accuracy:?}");
                assert_eq!(measurement.samples_us.len(), 2);
                assert!(measurement.median_us() > 0.0);
            }
        }
    }
}
