//! `seaway bench --other`: what the papers measure besides single transforms.

use rayon::prelude::*;
use rustfft::FftPlanner;
use rustfft::num_complex::Complex;

use super::Format;
use super::report::{self, Report, significant};
use crate::bench::other::{self, Other, Row, relative_l2};
use crate::bench::processor;
use crate::cli::device::Gpu;
use crate::cli::exit::Usage;
use crate::fft::lab;
use crate::fft::lab::timing::{Method, Times};
use crate::fft::{Buffers, Descriptor, Plan};
use crate::gpu::{Context, ReadbackBuffer};
use anyhow::{Context as _, ensure};

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
            match other {
                Other::SharedBatch => {
                    for &batch in batch {
                        rows.extend(shared_batch(size, batch, method, &gpu.context)?);
                    }
                }
                other => {
                    let measured = other::measure(other, size, method, &gpu.context);
                    let measured = pollster::block_on(measured);
                    rows.extend(measured.map_err(anyhow::Error::from_boxed)?);
                }
            }
            gpu.check()?;
        }
    }
    Ok(rows)
}

impl Report for Row {
    fn cells(rows: &[Self]) -> Vec<Vec<String>> {
        let headings =
            ["measurement", "case", "size", "batch", "median [us]", "5 % - 95 %", "error"];
        let line = |row: &Row| {
            let Times { median_us, p5_us, p95_us, .. } = row.times;
            vec![
                row.measurement.to_string(),
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

/// Times the lines on the GPU alone, on the processor alone, and on both at once. All of the processor's
/// cores take part.
fn shared_batch(
    size: u32,
    batch: u32,
    method: &Method,
    context: &Context,
) -> anyhow::Result<Vec<Row>> {
    let Context { device, queue, .. } = context;
    let mut rows = Vec::new();
    let length = size as usize;
    let given = lab::noise(0, length * batch as usize);
    let fft = FftPlanner::<f32>::new().plan_fft_forward(length);
    for percent in PROCESSOR_PERCENT {
        let own = (batch * percent).div_ceil(100);
        let (own_lines, others) = given.split_at(own as usize * length);
        let mut computed = vec![Complex::<f32>::default(); own_lines.len()];
        let on_gpu = match batch - own {
            0 => None,
            lines => {
                let plan = Plan::new(device, &Descriptor::lines(size, lines))?;
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
                other::run(context, |pass| bound.encode(pass));
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
        let measurement = processor::measure(method, &mut share);
        let mut result: Vec<[f32; 2]> = computed.iter().map(|value| [value.re, value.im]).collect();
        result.extend(bytemuck::pod_collect_to_vec::<_, [f32; 2]>(&read?));
        let error = line_errors(&given, &result, length).fold(0.0, f64::max);
        let case = format!("{percent}% on the processor");
        rows.push(Row::new(Other::SharedBatch, size, &case, batch, &measurement, error));
    }
    Ok(rows)
}

/// The shares of a batch that the processor takes.
const PROCESSOR_PERCENT: [u32; 7] = [0, 10, 25, 50, 75, 90, 100];

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
