//! The commands that measure the figures, as plain data, which commands and pages run alike. `Display` writes
//! them as the arguments of `seaway`.

use std::fmt;
use std::ops::RangeInclusive;

use crate::bench::other::Other;
use crate::bench::parameters::Sweep;
use crate::bench::{Peer, Series, Size};
use crate::fft::lab::timing::{Method, Regime};
use crate::fft::lab::{Algorithm, Value};
use crate::fft::{Descriptor, Direction, Kind, Layout, Placement, Precision};

/// A command of `seaway`.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `bench`: transforms.
    Bench(Box<Bench>),
    /// `bench --cpu`: the textbook algorithms, on lines of these lengths.
    Cpu(Vec<u32>),
    /// `bench --other`: another measurement at these sizes, with the usual batch if there is none.
    Other { other: Other, sizes: Vec<u32>, batch: Option<u32> },
    /// `kernel --lang spirv`: the size of a kernel.
    Kernel(KernelOf),
}

/// `bench`, with its options in the order in which they were set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bench {
    pub series: Series,
    /// A peer in place of the usual ones.
    pub peer: Option<Peer>,
    /// Samples and seconds for each transform, in place of the usual ones.
    pub effort: Option<(u32, f64)>,
    /// The names of the options.
    order: Vec<&'static str>,
}

/// The first kernel of an algorithm for rows of 256 x 256 points, with the stages in images, or another one.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelOf {
    pub algorithm: Algorithm,
    /// Its number, counted from 1.
    pub number: Option<usize>,
}

/// The peer of commands with complex numbers only that are timed beside no other library.
pub const NO_PEER: Peer = Peer::Realfft;

/// The largest problems of a page, so that all of them take some minutes and its memory stays small.
mod page {
    /// The longest line, and the longest one of a single invocation, which must not hold up a GPU for seconds.
    pub const LINE: u32 = 1 << 17;
    pub const LINE_OF_ONE: u32 = 1 << 12;
    pub const IMAGE: u32 = 1 << 10;
    /// The points of all lines together.
    pub const POINTS: u32 = 1 << 20;
    pub const SIZES: usize = 50;
    /// The longest line on the processor, by the definition of the transform.
    pub const LINE_OF_PROCESSOR: u32 = 1 << 10;
}

/// The GPU is seldom idle between measurements, so that less warms it up than in `bench`.
const WARM_UP_US: f64 = 50_000.0;

impl Command {
    /// The method of its times, if `usual` is that of others.
    pub fn method(&self, quick: bool, usual: &Method) -> Method {
        let method = |samples, budget_s: f64, warm_up_us| Method {
            samples,
            budget_us: budget_s * 1e6,
            warm_up_us,
            ..*usual
        };
        // Commands with hundreds of kernels bring their own budget.
        let effort = if let Self::Bench(bench) = self { bench.effort } else { None };
        match effort {
            _ if quick => Method { sample_us: usual.sample_us / 4.0, ..method(3, 0.02, 2_000.0) },
            Some((samples, budget_s)) => method(samples, budget_s, WARM_UP_US),
            None => method(usual.samples, 0.1, WARM_UP_US),
        }
    }

    /// The part of it that a page measures, if there is one.
    ///
    /// # Errors
    /// The reason why no page can, as a sentence.
    pub fn on_page(&self) -> Result<Option<Self>, &'static str> {
        let up_to = |sizes: &[u32], most: u32| -> Vec<u32> {
            sizes.iter().copied().filter(|size| *size <= most).collect()
        };
        let command = match self {
            Self::Bench(bench) => return Ok(bench.on_page()?.map(Self::from)),
            Self::Cpu(sizes) => Self::Cpu(up_to(sizes, page::LINE_OF_PROCESSOR)),
            Self::Other { other: Other::SharedBatch, .. } => {
                return Err("It takes all cores of the processor, and a page has one.");
            }
            Self::Other { other, sizes, batch } => {
                // Additive transforms always have the same number of values.
                let most = if *other == Other::Additive { u32::MAX } else { page::IMAGE };
                Self::Other { other: *other, sizes: up_to(sizes, most), batch: *batch }
            }
            Self::Kernel(_) => {
                return Err("Its sizes are those of SPIR-V, which this page does not write.");
            }
        };
        let (Self::Cpu(sizes) | Self::Other { sizes, .. }) = &command else { return Ok(None) };
        Ok((!sizes.is_empty()).then_some(command))
    }

    /// About how long it takes, in algorithms of one size.
    #[cfg(any(test, all(feature = "web", target_family = "wasm")))]
    pub fn steps(&self) -> usize {
        match self {
            Self::Bench(bench) => {
                let sweeps = bench.series.sweeps.iter().map(|sweep| sweep.values.len());
                let invocations = bench.series.invocations.as_ref().map_or(1, Vec::len);
                bench.series.steps() * sweeps.product::<usize>() * invocations
            }
            Self::Cpu(sizes) => 4 * sizes.len(),
            Self::Other { sizes, .. } => 4 * sizes.len(),
            Self::Kernel(_) => 1,
        }
    }
}

impl From<Bench> for Command {
    fn from(bench: Bench) -> Self {
        Self::Bench(Box::new(bench))
    }
}

impl KernelOf {
    /// The transform, and its parameters.
    pub fn task(&self) -> Descriptor {
        let mut configuration = self.algorithm.into();
        set_in_images(&mut configuration);
        let image = Descriptor {
            batch: 4,
            direction: Direction::Inverse,
            layout: Layout::Pair,
            ..Descriptor::image([256; 2])
        };
        image.by(configuration)
    }
}

fn set_in_images(configuration: &mut crate::fft::lab::Configuration) {
    let set = configuration.set("ping-pong", Some(Value::Choice("image")));
    set.expect("the algorithms of the thesis run in images");
}

// Inlined into every figure, they would be a large part of a page.
impl Bench {
    /// Transforms of lines.
    #[inline(never)]
    pub fn lines() -> Self {
        let mut bench = Self::default().and("dimensions");
        bench.series.dimensions = vec![1];
        bench
    }

    #[inline(never)]
    fn and(mut self, name: &'static str) -> Self {
        self.order.push(name);
        self
    }

    #[inline(never)]
    pub fn size(mut self, sizes: &[u32]) -> Self {
        self.series.sizes = sizes.iter().map(|side| Size::Side(*side)).collect();
        self.and("size")
    }

    #[inline(never)]
    pub fn batch(mut self, batch: &[u32]) -> Self {
        self.series.batch = batch.to_vec();
        self.and("batch")
    }

    #[inline(never)]
    pub fn layout(mut self, layout: Layout) -> Self {
        self.series.layout = Some(layout);
        self.and("layout")
    }

    /// Sets the algorithms by their names.
    #[inline(never)]
    pub fn algorithm(mut self, names: &[&str]) -> Self {
        let choices = names.iter().map(|name| name.parse().expect("the name of an algorithm"));
        self.series.algorithms = choices.collect();
        self.and("algorithm")
    }

    #[inline(never)]
    pub fn kind(mut self, kind: Kind) -> Self {
        self.series.kinds = vec![kind];
        self.and("kind")
    }

    #[inline(never)]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.series.precisions = vec![precision];
        self.and("precision")
    }

    #[inline(never)]
    pub fn in_place(mut self) -> Self {
        self.series.placements = vec![Placement::InPlace];
        self.and("placement")
    }

    #[inline(never)]
    pub fn streaming(mut self) -> Self {
        self.series.regimes = vec![Regime::Streaming];
        self.and("regime")
    }

    #[inline(never)]
    pub fn axes(mut self) -> Self {
        self.series.axes = true;
        self.and("axes")
    }

    /// Sets a parameter.
    #[inline(never)]
    pub fn with(mut self, name: &'static str, value: Value) -> Self {
        self.series.parameters.0.push((name, value));
        self.and(name)
    }

    #[inline(never)]
    pub fn sweep(mut self, name: &'static str, values: impl IntoIterator<Item = Value>) -> Self {
        self.series.sweeps.push(Sweep { name, values: values.into_iter().collect() });
        self.and("sweep")
    }

    /// Sets the invocations of single lines to the powers of two of a range.
    #[inline(never)]
    pub fn invocations(mut self, range: RangeInclusive<u32>) -> Self {
        let powers = range.filter(|number| number.is_power_of_two());
        self.series.invocations = Some(powers.collect());
        self.and("invocations")
    }

    #[inline(never)]
    pub fn peer(mut self, peer: Peer) -> Self {
        self.peer = Some(peer);
        self.and("peer")
    }

    #[inline(never)]
    pub fn effort(mut self, samples: u32, budget_s: f64) -> Self {
        self.effort = Some((samples, budget_s));
        self.and("samples").and("budget-s")
    }

    fn on_page(&self) -> Result<Option<Self>, &'static str> {
        if self.peer == Some(Peer::CudaKernels) {
            return Err("It needs CUDA, which browsers do not offer.");
        }
        let mut bench = self.clone();
        let series = &mut bench.series;
        let (is_of_one, is_of_lines) = (series.invocations.is_some(), series.dimensions == [1]);
        let most = if is_of_lines { page::LINE } else { page::IMAGE };
        let sides = series.sizes.iter().filter_map(|size| size.extent(1)).map(|[side, ..]| side);
        let mut sides: Vec<u32> = match is_of_one {
            true => sides.map(|side| side.min(page::LINE_OF_ONE)).collect(),
            false => sides.filter(|side| *side <= most).collect(),
        };
        let every = sides.len().div_ceil(page::SIZES).max(1);
        sides = sides.into_iter().step_by(every).collect();
        let Some(&largest) = sides.iter().max() else { return Ok(None) };
        if is_of_lines {
            let most = page::POINTS / largest;
            let fits = |batch: &u32| *batch <= most;
            match series.batch.iter().any(fits) {
                true => series.batch.retain(fits),
                false => series.batch = vec![most],
            }
        }
        series.sizes = sides.into_iter().map(Size::Side).collect();
        Ok(Some(bench))
    }

    /// The value of an option as it is written; `None` for a flag. `sweeps` counts those that were written.
    fn value(&self, name: &str, sweeps: &mut usize) -> Option<String> {
        let Series {
            sizes,
            algorithms,
            dimensions,
            batch,
            kinds,
            precisions,
            layout,
            placements,
            regimes,
            ..
        } = &self.series;
        let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        Some(match name {
            "size" => list(sizes),
            "algorithm" => list(algorithms),
            "dimensions" => list(dimensions),
            "batch" => list(batch),
            "kind" => list(kinds),
            "precision" => list(precisions),
            "layout" => list(layout.as_slice()),
            "placement" => list(placements),
            "regime" => list(regimes),
            "axes" => return None,
            "invocations" => match self.series.invocations.as_deref() {
                Some([first, .., last]) => format!("{first}..{last}"),
                numbers => list(numbers.unwrap_or_default()),
            },
            "peer" => list(self.peer.as_slice()),
            "samples" => number(self.effort.map(|(samples, _)| samples.into())),
            "budget-s" => number(self.effort.map(|(_, seconds)| seconds)),
            "sweep" => {
                *sweeps += 1;
                self.series.sweeps[*sweeps - 1].to_string()
            }
            parameter => list(self.series.parameters.get(parameter).as_slice()),
        })
    }
}

fn list(items: &[impl fmt::Display]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

impl fmt::Display for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bench")?;
        let mut sweeps = 0;
        for name in &self.order {
            write!(f, " --{name}")?;
            if let Some(value) = self.value(name, &mut sweeps) {
                write!(f, " {value}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bench(bench) => bench.fmt(f),
            Self::Cpu(sizes) => write!(f, "bench --cpu --size {}", list(sizes)),
            Self::Other { other, sizes, batch } => {
                write!(f, "bench --other {other} --size {}", list(sizes))?;
                batch.map_or(Ok(()), |batch| write!(f, " --batch {batch}"))
            }
            Self::Kernel(KernelOf { algorithm, number }) => {
                write!(
                    f,
                    "kernel --algorithm {algorithm} --size 256 --layout pair --ping-pong image \
                     --lang spirv"
                )?;
                number.map_or(Ok(()), |number| write!(f, " --kernel {number}"))
            }
        }
    }
}
