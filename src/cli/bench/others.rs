//! `seaway bench --other`: what the papers measure besides single transforms.

use rayon::prelude::*;
use rustfft::FftPlanner;
use rustfft::num_complex::Complex;
use serde::{Deserialize, Serialize};

use super::Format;
use super::peers;
use super::report::{self, Report, significant};
use crate::choice::Choice as _;
use crate::cli::device::Gpu;
use crate::cli::exit::Usage;
use crate::fft::lab::additive::{self, AdditivePlan, Field};
use crate::fft::lab::timing::{self, Measurement, Method, Regime, Times};
use crate::fft::lab::{self, Algorithm, Gate, References, Workload};
use crate::fft::{Buffers, Descriptor, Direction, Layout, Plan};
use crate::filter::{Band, Channels, FilterDescriptor, ImageFilter};
use crate::gpu::{self, Context, ReadbackBuffer};
use anyhow::{Context as _, ensure};

/// The values of `--other`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Other {
    /// The band-pass filter of `seaway filter` on images of --size (Lloyd et al. 2008, figure 1)
    Filter,
    /// The passes of cooley-tukey-multipass with and without their arithmetic, beside a copy, on four
    /// images of --size (Lloyd et al. 2008, section 5)
    Passes,
    /// --batch lines of --size points in the processor's memory, of which the processor transforms a
    /// share and the GPU the rest (Zhang et al., section 5)
    SharedBatch,
    /// Additive transforms over GF(65536) of lines of --size values, 65,536 values in all (Mateer
    /// 2008, figures 4.5 and 4.6)
    Additive,
}

/// One measurement. The field names are the keys of the JSON output, which is stable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The measurement, a value of `--other`.
    pub measurement: Other,
    /// The case of it, such as the channels of a filter.
    pub case: String,
    pub size: u32,
    /// The lines or images.
    pub batch: u32,
    #[serde(flatten)]
    pub times: Times,
    /// Relative L2 error of the result. Of additive transforms, which are exact, the share of wrong values.
    pub error: f64,
}

/// The largest size: the values of the field of additive transforms.
pub const LARGEST: u32 = 1 << 16;

/// Largest error of a filter that lets all frequencies pass, of two transforms with the gate's 1e-6 each.
const FILTER_GATE: f64 = 2e-6;
const LINE_GATE: f64 = 1e-6;

pub fn run(
    others: &[Other],
    sizes: &[u32],
    batch: &[u32],
    method: &Method,
    gpu: &Gpu,
    format: Format,
) -> anyhow::Result<()> {
    if matches!(format, Format::Summary | Format::Svg) {
        let why = "--other cannot write this --format: use table or markdown";
        return Err(Usage(why.into()).into());
    }
    let rows = measure_all(others, sizes, batch, method, gpu)?;
    report::print(&rows, format)?;
    let wrong = rows.iter().filter(|row| !row.is_right()).count();
    ensure!(wrong == 0, "{wrong} of {} results were wrong", rows.len());
    Ok(())
}

pub fn measure_all(
    others: &[Other],
    sizes: &[u32],
    batch: &[u32],
    method: &Method,
    gpu: &Gpu,
) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for &other in others {
        for &size in sizes {
            let bench = Bench { other, size, method, context: &gpu.context };
            match other {
                Other::Filter => bench.filter(&mut rows)?,
                Other::Passes => bench.passes(&mut rows)?,
                Other::SharedBatch => {
                    for &batch in batch {
                        bench.shared_batch(batch, &mut rows)?;
                    }
                }
                Other::Additive => bench.additive(&mut rows)?,
            }
            gpu.check()?;
        }
    }
    Ok(rows)
}

impl Row {
    pub fn is_right(&self) -> bool {
        let most = match self.measurement {
            Other::Filter => FILTER_GATE,
            Other::Passes | Other::SharedBatch => LINE_GATE,
            Other::Additive => 0.0,
        };
        self.error <= most
    }
}

impl Report for Row {
    fn cells(rows: &[Self]) -> Vec<Vec<String>> {
        let headings =
            ["measurement", "case", "size", "batch", "median [us]", "5 % - 95 %", "error"];
        let line = |row: &Row| {
            let name = clap::ValueEnum::to_possible_value(&row.measurement);
            let Times { median_us, p5_us, p95_us, .. } = row.times;
            vec![
                name.map_or(String::new(), |name| name.get_name().to_owned()),
                row.case.clone(),
                row.size.to_string(),
                row.batch.to_string(),
                significant(median_us),
                format!("{} - {}", significant(p5_us), significant(p95_us)),
                format!("{:.1e}", row.error),
            ]
        };
        let headings = headings.map(String::from).to_vec();
        std::iter::once(headings).chain(rows.iter().map(line)).collect()
    }
}

struct Bench<'a> {
    other: Other,
    size: u32,
    method: &'a Method,
    context: &'a Context,
}

impl Bench<'_> {
    fn row(&self, case: &str, batch: u32, measurement: &Measurement, error: f64) -> Row {
        let (case, times) = (case.to_owned(), measurement.times());
        Row { measurement: self.other, case, size: self.size, batch, times, error }
    }

    fn time(
        &self,
        encode: impl Fn(&mut wgpu::ComputePass<'_>, u32),
    ) -> anyhow::Result<Measurement> {
        let Context { device, queue, .. } = self.context;
        Ok(pollster::block_on(timing::measure(device, queue, self.method, encode))?)
    }

    fn run(&self, encode: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
        let Context { device, queue, .. } = self.context;
        let mut encoder = device.create_command_encoder(&Default::default());
        encode(&mut encoder.begin_compute_pass(&Default::default()));
        queue.submit([encoder.finish()]);
    }

    fn filter(&self, rows: &mut Vec<Row>) -> anyhow::Result<()> {
        let Context { device, queue, .. } = self.context;
        for (case, channels) in [("grey", Channels::Grey), ("colour", Channels::Colour)] {
            let task = FilterDescriptor { size: [self.size; 2], channels, algorithm: None };
            let filter = ImageFilter::new(device, &task)?;
            let floats = (self.size * self.size) as usize * channels.floats();
            let mut pixels = lab::noise(0, floats.div_ceil(2)).into_flattened();
            pixels.truncate(floats);
            filter.set_pixels(queue, &pixels);
            filter.set_band(queue, &Band::ALL, 0.0);
            self.run(|pass| filter.encode(pass));
            let bytes = pollster::block_on(gpu::read_buffer(device, queue, filter.result()))?;
            let error = relative_l2(&bytemuck::pod_collect_to_vec::<_, f32>(&bytes), &pixels);
            filter.set_band(queue, &Band::new(4.0, f64::from(self.size) / 8.0, 4.0)?, 0.0);
            let measurement = self.time(|pass, _| filter.encode(pass))?;
            rows.push(self.row(case, 1, &measurement, error));
        }
        Ok(())
    }

    fn passes(&self, rows: &mut Vec<Row>) -> anyhow::Result<()> {
        let Context { device, queue, .. } = self.context;
        let task =
            Descriptor { batch: 4, layout: Layout::Pair, ..Descriptor::image([self.size; 2]) };
        let task = task.by(Algorithm::CooleyTukeyMultipass);
        pollster::block_on(async {
            let whole = Workload::new(device, queue, &task, Regime::Hot).await?;
            whole.run();
            let accuracy = whole.accuracy([0, 3], &mut References::default()).await?;
            ensure!(Gate::of(&task).passes(accuracy), Gate::of(&task).describe(accuracy));
            let bare = Workload::without_arithmetic(device, queue, &task, Regime::Hot).await?;
            let copy = Workload::copy(device, queue, &task, Regime::Hot).await?;
            let cases = [("with arithmetic", whole, accuracy.relative_l2), ("without", bare, 0.0)];
            for (case, workload, error) in cases.into_iter().chain([("a copy", copy, 0.0)]) {
                let measurement = workload.measure(self.method, None).await?;
                rows.push(self.row(case, task.batch, &measurement, error));
            }
            Ok(())
        })
    }

    /// Times the lines on the GPU alone, on the processor alone, and on both at once. All of the processor's
    /// cores take part.
    fn shared_batch(&self, batch: u32, rows: &mut Vec<Row>) -> anyhow::Result<()> {
        let Context { device, queue, .. } = self.context;
        let length = self.size as usize;
        let given = lab::noise(0, length * batch as usize);
        let fft = FftPlanner::<f32>::new().plan_fft_forward(length);
        for percent in PROCESSOR_PERCENT {
            let own = (batch * percent).div_ceil(100);
            let (own_lines, others) = given.split_at(own as usize * length);
            let mut computed = vec![Complex::<f32>::default(); own_lines.len()];
            let on_gpu = match batch - own {
                0 => None,
                lines => {
                    let plan = Plan::new(device, &Descriptor::lines(self.size, lines))?;
                    let [input, output] = [plan.input_bytes(), plan.output_bytes()]
                        .map(|bytes| lab::data::storage(device, "shared batch", bytes));
                    let bound = plan.bind(device, &Buffers::new(&input, &output))?;
                    Some((input, output, bound))
                }
            };
            let mut read = Ok(Vec::new());
            let mut share = || {
                let pending = on_gpu.as_ref().map(|(input, output, bound)| {
                    queue.write_buffer(input, 0, bytemuck::cast_slice(others));
                    self.run(|pass| bound.encode(pass));
                    ReadbackBuffer::copy_of(device, queue, output)
                });
                // One piece of work for each core.
                let piece = (own as usize).div_ceil(rayon::current_num_threads()).max(1) * length;
                let pieces = computed.par_chunks_mut(piece).zip(own_lines.par_chunks(piece));
                pieces.for_each(|(to, from)| {
                    to.iter_mut()
                        .zip(from)
                        .for_each(|(to, [re, im])| *to = Complex { re: *re, im: *im });
                    fft.process(to);
                });
                if let Some(pending) = pending {
                    let polled = device.poll(wgpu::PollType::wait_indefinitely());
                    let bytes = polled.ok().and_then(|_| pending.take());
                    read = bytes.context("the GPU did not answer").and_then(|bytes| Ok(bytes?));
                }
            };
            // The first run compiles kernels and makes buffers.
            share();
            let measurement = peers::measure(self.method, &mut share);
            let mut result: Vec<[f32; 2]> =
                computed.iter().map(|value| [value.re, value.im]).collect();
            result.extend(bytemuck::pod_collect_to_vec::<_, [f32; 2]>(&read?));
            let error = line_errors(&given, &result, length).fold(0.0, f64::max);
            rows.push(self.row(
                &format!("{percent}% on the processor"),
                batch,
                &measurement,
                error,
            ));
        }
        Ok(())
    }

    fn additive(&self, rows: &mut Vec<Row>) -> anyhow::Result<()> {
        const DEGREE: u32 = 16;
        const VALUES: u32 = LARGEST;
        let Context { device, queue, .. } = self.context;
        let lines = VALUES / self.size;
        let field = Field::new(DEGREE)?;
        // Knuth's multiplicative hash: every value of the field in some order.
        let given: Vec<u32> = (0..VALUES).map(|n| n.wrapping_mul(40_503) % VALUES).collect();
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        for (name, method) in METHODS {
            let transform = additive::Transform::new(&field, method, self.size.ilog2())?;
            let all = |values: &mut [u32], direction| {
                let mut lines = values.chunks_exact_mut(self.size as usize);
                lines.try_for_each(|line| transform.transform(line, direction))
            };
            let mut values = given.clone();
            all(&mut values, Direction::Forward)?;
            let mut back = values.clone();
            all(&mut back, Direction::Inverse)?;
            let mut work = values.clone();
            let measurement = peers::measure(self.method, || {
                // It worked a moment ago.
                let _ = all(std::hint::black_box(&mut work), Direction::Inverse);
            });
            let case = format!("{name}, processor");
            rows.push(self.row(&case, lines, &measurement, mistakes(&back, &given)));

            let plan = AdditivePlan::new(device, &transform, lines, additive::Product::default())?;
            let buffer = gpu::filled(device, "additive", usage, bytemuck::cast_slice(&values));
            let bound = plan.bind(device, &buffer)?;
            self.run(|pass| bound.encode(pass, Direction::Inverse));
            let bytes = pollster::block_on(gpu::read_buffer(device, queue, &buffer))?;
            let back: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
            let measurement = self.time(|pass, _| bound.encode(pass, Direction::Inverse))?;
            rows.push(self.row(
                &format!("{name}, GPU"),
                lines,
                &measurement,
                mistakes(&back, &given),
            ));
        }
        Ok(())
    }
}

/// The shares of a batch that the processor takes.
pub const PROCESSOR_PERCENT: [u32; 7] = [0, 10, 25, 50, 75, 90, 100];

/// The names of additive transforms.
pub const METHODS: [(&str, additive::Method); 2] = [
    (additive::Method::NAMES[0], additive::Method::ALL[0]),
    (additive::Method::NAMES[1], additive::Method::ALL[1]),
];

/// The share of `found` that differs from `expected`.
pub fn mistakes(found: &[u32], expected: &[u32]) -> f64 {
    let wrong = found.iter().zip(expected).filter(|(found, expected)| found != expected).count();
    wrong as f64 / expected.len() as f64
}

fn relative_l2(found: &[f32], expected: &[f32]) -> f64 {
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|v| v * v).sum::<f64>();
    let [found, expected] = [found, expected].map(|all| all.iter().copied().map(f64::from));
    let error = norm(&mut found.zip(expected.clone()).map(|(a, b)| a - b));
    (error / norm(&mut expected.clone())).sqrt()
}

/// The relative L2 errors of the first and the last line, against rustfft in 64-bit floats.
fn line_errors<'a>(
    given: &'a [[f32; 2]],
    found: &'a [[f32; 2]],
    length: usize,
) -> impl Iterator<Item = f64> + 'a {
    let fft = FftPlanner::<f64>::new().plan_fft_forward(length);
    [0, given.len() - length].into_iter().map(move |first| {
        let line = given[first..][..length].iter().map(|value| value.map(f64::from));
        let mut line: Vec<_> = line.map(|[re, im]| Complex { re, im }).collect();
        fft.process(&mut line);
        let expected: Vec<f32> =
            line.iter().flat_map(|value| [value.re as f32, value.im as f32]).collect();
        relative_l2(found[first..][..length].as_flattened(), &expected)
    })
}
