//! Other FFTs, timed beside Seaway's on the same task.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::fft::lab::timing::{Measurement, Method, Regime};
use crate::fft::lab::{self, Accuracy, Array, Gate, References, Shape};
use crate::fft::{Axis, Descriptor, Direction, Kind, Placement, Precision};
use anyhow::ensure;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::num_complex::Complex;
use rustfft::num_traits::FromPrimitive;
use rustfft::{Fft, FftNum, FftPlanner};

use super::cuda::{self, Cuda, Cufft, Kernel, Kernels};
use crate::bench::Peer;
use crate::bench::cpu::rustfft_direction as direction;
use crate::bench::processor::measure;

/// Median times of a peer's variants, in microseconds, by the name that each has in `peer_ratio`.
pub type Times = BTreeMap<String, f64>;

/// The requested peers. Each task is timed once.
pub struct Peers {
    list: Vec<Peer>,
    cufft: Option<Cufft>,
    kernels: Option<Kernels>,
    method: Method,
    known: HashMap<(Peer, Descriptor, Option<Regime>), Times>,
    /// The peers that could not be timed, with the reasons.
    pub failures: Vec<String>,
}

impl Peers {
    /// Checks for missing parts, before a GPU is needed. Fails if a peer is not part of this build, or its
    /// library was not found.
    pub fn find(list: &[Peer]) -> anyhow::Result<()> {
        list.iter().filter(|peer| peer.is_of_cuda()).try_for_each(|peer| cuda::find(*peer))
    }

    /// Opens the peers that run on the GPU of `adapter`.
    pub fn open(
        list: &[Peer],
        adapter: &wgpu::AdapterInfo,
        method: Method,
    ) -> anyhow::Result<Self> {
        Self::find(list)?;
        let has = |peer| list.contains(&peer);
        let first = list.iter().find(|peer| peer.is_of_cuda());
        let cuda = first.map(|peer| Cuda::open(adapter, *peer)).transpose()?;
        let cufft = cuda.clone().filter(|_| has(Peer::Cufft)).map(Cufft::open).transpose()?;
        let kernels = cuda.filter(|_| has(Peer::CudaKernels)).map(Kernels::open).transpose()?;
        let (known, failures) = (HashMap::new(), Vec::new());
        Ok(Self { list: list.to_vec(), cufft, kernels, method, known, failures })
    }

    /// The names and versions of the opened peers.
    pub fn describe(&self) -> Vec<String> {
        let cufft = self.cufft.as_ref().map(Cufft::describe);
        cufft.into_iter().chain(self.kernels.as_ref().map(Kernels::describe)).collect()
    }

    /// Median times of all peers on `task`. A peer that fails is left out, and noted.
    pub fn times(
        &mut self,
        task: &Descriptor,
        regime: Regime,
        references: &mut References,
    ) -> Times {
        // Theirs is planar, in floats of 32 or 64 bits, and not scaled.
        let precision = match task.precision {
            Precision::F64 => Precision::F64,
            Precision::F32 | Precision::F16 => Precision::F32,
        };
        let Descriptor { size, depth, batch, kind, direction, axes, .. } = *task;
        let task = &Descriptor {
            size,
            depth,
            batch,
            kind,
            direction,
            axes,
            precision,
            ..Descriptor::default()
        };
        let mut times = Times::new();
        for peer in self.list.clone() {
            if !peer.takes(kind) {
                continue;
            }
            // A processor's caches are not what the regimes are about.
            let regime = peer.is_of_cuda().then_some(regime);
            let key = (peer, task.clone(), regime);
            let known = self.known.get(&key).cloned();
            times.extend(known.unwrap_or_else(|| {
                let mut measured = Times::new();
                for (name, result) in self.measure(peer, task, regime, references) {
                    match result {
                        Ok(measurement) => {
                            measured.insert(name.to_owned(), measurement.median_us());
                        }
                        Err(error) => {
                            let [width, height] = task.size;
                            let size = format!("{width}x{height}x{}", task.depth);
                            let batch = task.batch;
                            let failure =
                                format!("{name}: {kind} {size}, batch {batch}: {error:#}");
                            self.failures.push(failure);
                        }
                    }
                }
                self.known.insert(key, measured.clone());
                measured
            }));
        }
        times
    }

    /// Times each variant of `peer` that takes `task`.
    fn measure(
        &self,
        peer: Peer,
        task: &Descriptor,
        regime: Option<Regime>,
        references: &mut References,
    ) -> Vec<(&'static str, anyhow::Result<Measurement>)> {
        let (method, regime) = (&self.method, regime.unwrap_or(Regime::Hot));
        match (peer, &self.cufft, &self.kernels) {
            (Peer::Rustfft, ..) => vec![("rustfft", on_processor(task, method, references))],
            (Peer::Realfft, ..) => vec![("realfft", on_processor(task, method, references))],
            (Peer::Cufft, Some(cufft), _) => {
                let places =
                    [("cufft", Placement::OutOfPlace), ("cufft_in_place", Placement::InPlace)];
                let time = |(name, placement)| {
                    let task = Descriptor { placement, ..task.clone() };
                    (name, cufft.measure(&task, regime, method, references))
                };
                places.map(time).into()
            }
            (Peer::CudaKernels, _, Some(kernels)) => Kernel::ALL
                .iter()
                .filter(|kernel| kernel.takes(task))
                .map(|kernel| {
                    (kernel.name, kernels.measure(kernel, task, regime, method, references))
                })
                .collect(),
            (Peer::Cufft | Peer::CudaKernels, ..) => Vec::new(),
        }
    }
}

/// Times a library on the processor, after checking its result.
fn on_processor(
    task: &Descriptor,
    method: &Method,
    references: &mut References,
) -> anyhow::Result<Measurement> {
    let (measurement, accuracy) = match task.precision {
        Precision::F64 => timed::<f64>(task, method, references),
        _ => timed::<f32>(task, method, references),
    };
    ensure!(Gate::of(task).passes(accuracy), "the result is wrong: {accuracy:?}");
    Ok(measurement)
}

/// Times rustfft in place, or realfft out of place, on a batch; also returns its error on the first and last
/// image.
fn timed<T: Float>(
    task: &Descriptor,
    method: &Method,
    references: &mut References,
) -> (Measurement, Accuracy) {
    let [from, to] = [Shape::input(task), Shape::output(task)];
    let mut input = Numbers::<T>::default();
    (0..task.batch).for_each(|index| input.push(lab::input(task, index)));
    let mut transform = Transform::new(task);
    let mut output = Numbers::default();
    output.resize(to, task.batch);
    transform.run(&mut input, &mut output, [from, to]);
    let mut accuracy = Accuracy::NONE;
    let result = if task.kind == Kind::Real { &output } else { &input };
    for index in lab::ends(task.batch) {
        let expected = references.of(index, task);
        accuracy = accuracy.worse(expected.accuracy(&result.array(to, index)));
    }
    let measurement = measure(method, || transform.run(&mut input, &mut output, [from, to]));
    (measurement, accuracy)
}

/// The types that a processor computes in.
trait Float: FftNum + Into<f64> + FromPrimitive + Default {}

impl Float for f32 {}

impl Float for f64 {}

/// A batch of complex or real numbers.
#[derive(Default)]
struct Numbers<T> {
    complex: Vec<Complex<T>>,
    real: Vec<T>,
}

impl<T: Float> Numbers<T> {
    fn push(&mut self, array: Array) {
        let number = |part: f64| T::from_f64(part).unwrap_or(T::zero());
        match array {
            Array::Complex(values) => {
                let values = values.into_iter();
                let complex = values.map(|[re, im]| Complex { re: number(re), im: number(im) });
                self.complex.extend(complex);
            }
            Array::Real(values) => self.real.extend(values.into_iter().map(number)),
        }
    }

    fn resize(&mut self, shape: Shape, batch: u32) {
        let count = shape.values() * batch as usize;
        match shape.is_real {
            true => self.real.resize(count, T::zero()),
            false => self.complex.resize(count, Complex::default()),
        }
    }

    fn array(&self, shape: Shape, index: u32) -> Array {
        let (first, count) = (index as usize * shape.values(), shape.values());
        match shape.is_real {
            true => {
                let values = self.real[first..][..count].iter();
                Array::Real(values.map(|value| (*value).into()).collect())
            }
            false => {
                let values = self.complex[first..][..count].iter();
                let parts = |value: &Complex<T>| [value.re.into(), value.im.into()];
                Array::Complex(values.map(parts).collect())
            }
        }
    }
}

/// rustfft along each axis, with a transpose before and after those that are not rows, and realfft along the
/// rows of real numbers.
struct Transform<T: Float> {
    /// Plans for the axes of complex numbers.
    ffts: Vec<(Axis, Arc<dyn Fft<T>>)>,
    rows: Option<Rows<T>>,
    scratch: Vec<Complex<T>>,
    /// A transposed image or volume, unless it is square.
    turned: Vec<Complex<T>>,
    /// A copy of half a spectrum, which must not change.
    work: Vec<Complex<T>>,
}

/// realfft along the rows in one direction, and its scratch memory.
enum Rows<T: Float> {
    ToComplex(Arc<dyn RealToComplex<T>>, Vec<T>),
    ToReal(Arc<dyn ComplexToReal<T>>),
}

impl<T: Float> Transform<T> {
    fn new(task: &Descriptor) -> Self {
        let mut planner = FftPlanner::new();
        let is_real = task.kind == Kind::Real;
        let ffts: Vec<_> = task
            .axes
            .list()
            .iter()
            .filter(|axis| !is_real || **axis != Axis::Row)
            .map(|axis| {
                let length = task.length(*axis) as usize;
                (*axis, planner.plan_fft(length, direction(task.direction)))
            })
            .collect();
        let width = task.size[0] as usize;
        let rows = is_real.then(|| match task.direction {
            Direction::Forward => {
                let fft = RealFftPlanner::new().plan_fft_forward(width);
                Rows::ToComplex(fft, vec![T::zero(); width])
            }
            Direction::Inverse => Rows::ToReal(RealFftPlanner::new().plan_fft_inverse(width)),
        });
        let needs = ffts.iter().map(|(_, fft)| fft.get_inplace_scratch_len());
        let of_rows = match &rows {
            Some(Rows::ToComplex(fft, _)) => fft.get_scratch_len(),
            Some(Rows::ToReal(fft)) => fft.get_scratch_len(),
            None => 0,
        };
        let scratch = vec![Complex::default(); needs.max().unwrap_or(0).max(of_rows)];
        Self { ffts, rows, scratch, turned: Vec::new(), work: Vec::new() }
    }

    /// Transforms complex numbers in place, others from `input` to `output`, of the given shapes.
    fn run(&mut self, input: &mut Numbers<T>, output: &mut Numbers<T>, shapes: [Shape; 2]) {
        let [from, to] = shapes;
        match self.rows.take() {
            None => self.along(&mut input.complex, from.extent),
            Some(Rows::ToComplex(fft, mut row)) => {
                let length = fft.complex_len();
                let reals = input.real.chunks_exact(row.len());
                for (real, half) in reals.zip(output.complex.chunks_exact_mut(length)) {
                    row.copy_from_slice(real);
                    fft.process_with_scratch(
                        &mut row,
                        half,
                        &mut self.scratch[..fft.get_scratch_len()],
                    )
                    .expect("rows of the plan's length");
                }
                self.along(&mut output.complex, to.extent);
                self.rows = Some(Rows::ToComplex(fft, row));
            }
            Some(Rows::ToReal(fft)) => {
                let mut work = std::mem::take(&mut self.work);
                work.clear();
                work.extend_from_slice(&input.complex);
                self.along(&mut work, from.extent);
                let length = fft.len();
                let halves = work.chunks_exact_mut(fft.complex_len());
                for (half, real) in halves.zip(output.real.chunks_exact_mut(length)) {
                    // Rounding, of what it refuses.
                    half[0].im = T::zero();
                    if length.is_multiple_of(2) {
                        half[length / 2].im = T::zero();
                    }
                    fft.process_with_scratch(
                        half,
                        real,
                        &mut self.scratch[..fft.get_scratch_len()],
                    )
                    .expect("rows of the plan's length");
                }
                self.work = work;
                self.rows = Some(Rows::ToReal(fft));
            }
        }
    }

    /// Transforms the axes of complex numbers.
    fn along(&mut self, values: &mut [Complex<T>], extent: [usize; 3]) {
        let Self { ffts, scratch, turned, .. } = self;
        let [width, height, depth] = extent;
        for (axis, fft) in ffts {
            let sides = match axis {
                Axis::Row => {
                    fft.process_with_scratch(values, &mut scratch[..fft.get_inplace_scratch_len()]);
                    continue;
                }
                Axis::Column => [width, height],
                // Slices as rows of an image.
                Axis::Depth => [width * height, depth],
            };
            let scratch = &mut scratch[..fft.get_inplace_scratch_len()];
            for image in values.chunks_exact_mut(sides[0] * sides[1]) {
                if sides[0] == sides[1] {
                    transpose(image, sides[0]);
                    fft.process_with_scratch(image, scratch);
                    transpose(image, sides[0]);
                    continue;
                }
                turned.resize(image.len(), Complex::default());
                transpose_into(image, turned, sides);
                fft.process_with_scratch(turned, scratch);
                transpose_into(turned, image, [sides[1], sides[0]]);
            }
        }
    }
}

/// Side of a tile of a transpose in points, so that both images stay in the cache.
const TILE: usize = 16;

/// Transposes an image of `size` [width, height] into another.
fn transpose_into<T: Copy>(image: &[T], turned: &mut [T], size: [usize; 2]) {
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

fn transpose<T>(image: &mut [T], side: usize) {
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
    use crate::choice::Choice as _;
    use crate::fft::Axes;

    use super::*;

    #[test]
    fn peers_transform_what_we_transform() {
        fn check<T: Float>(task: &Descriptor) {
            let method = Method { samples: 2, budget_us: 1000.0, ..Method::default() };
            let (measurement, accuracy) = timed::<T>(task, &method, &mut References::default());
            assert!(Gate::of(task).passes(accuracy), "{accuracy:?}: {task:?}");
            assert!(measurement.median_us() > 0.0);
        }
        for (size, depth, axes) in [
            ([2, 2], 1, Axes::Both),
            ([16, 16], 1, Axes::Both),
            ([35, 48], 1, Axes::Both),
            ([1, 17], 1, Axes::Both),
            ([60, 7], 1, Axes::Rows),
            ([8, 6], 5, Axes::All),
            ([7, 5], 35, Axes::All),
        ] {
            for kind in [Kind::Complex, Kind::Real] {
                for &direction in Direction::ALL {
                    let task = Descriptor {
                        size,
                        depth,
                        axes,
                        kind,
                        direction,
                        batch: 3,
                        ..Default::default()
                    };
                    check::<f32>(&task);
                    check::<f64>(&Descriptor { precision: Precision::F64, ..task });
                }
            }
        }
    }
}
