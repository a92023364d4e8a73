//! `seaway bench --cpu`: the algorithms of Mota 2022, table 2, on the processor.

use crate::fft::Direction;
use crate::fft::lab::cpu;
use crate::fft::lab::timing::{Method, Times};
use anyhow::ensure;
use rustfft::FftPlanner;
use rustfft::num_complex::Complex;
use serde::{Deserialize, Serialize};

use super::Format;
use super::peers::{self, measure};
use super::report::{self, Report, significant};
use crate::cli::exit::Usage;

/// Largest relative error against the definition: some hundred roundings.
const GATE: f64 = 1e-13;

/// The longest line. The time of the definition grows with the square of the length.
pub const LONGEST: u32 = 8192;

const ALGORITHMS: [&str; 5] = ["dft", "dit", "dif", "recursive", "rustfft"];

/// One algorithm on one length. The field names are the keys of the JSON output, which is stable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub algorithm: String,
    pub length: u32,
    pub precision: String,
    pub direction: Direction,
    pub median_us: f64,
    pub p5_us: f64,
    pub p95_us: f64,
    /// Relative to the definition.
    pub relative_l2_error: f64,
    pub timer: String,
    /// Median over rustfft's.
    pub peer_ratio: PeerRatio,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PeerRatio {
    pub rustfft: f64,
}

pub fn run(
    lengths: &[u32],
    direction: Direction,
    method: &Method,
    format: Format,
) -> anyhow::Result<()> {
    if matches!(format, Format::Summary | Format::Svg) {
        return Err(Usage("--cpu cannot write this --format: use table or markdown".into()).into());
    }
    report::print(&measure_all(lengths, direction, method)?, format)
}

pub fn measure_all(
    lengths: &[u32],
    direction: Direction,
    method: &Method,
) -> anyhow::Result<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    for &length in lengths {
        let first = rows.len();
        for algorithm in ALGORITHMS {
            rows.push(row(algorithm, length, direction, method)?);
        }
        let peer_us = rows.last().map_or(f64::NAN, |row| row.median_us);
        for row in &mut rows[first..] {
            row.peer_ratio.rustfft = row.median_us / peer_us;
        }
    }
    Ok(rows)
}

fn row(
    algorithm: &'static str,
    length: u32,
    direction: Direction,
    method: &Method,
) -> anyhow::Result<Row> {
    let line: Vec<cpu::Complex> = crate::fft::lab::noise(0, length as usize)
        .iter()
        .map(|value| value.map(f64::from))
        .collect();
    let mut transform = transform(algorithm, length as usize, direction)?;
    let error = relative_l2(&transform(&line), &cpu::dft(&line, direction));
    ensure!(
        error <= GATE,
        "{algorithm} at {length} points is wrong: relative L2 error {error:.1e}"
    );
    let measurement = measure(method, || {
        std::hint::black_box(transform(std::hint::black_box(&line)));
    });
    let Times { median_us, p5_us, p95_us, .. } = measurement.times();
    Ok(Row {
        algorithm: algorithm.to_owned(),
        length,
        precision: "f64".into(),
        direction,
        median_us,
        p5_us,
        p95_us,
        relative_l2_error: error,
        timer: "wall".into(),
        peer_ratio: PeerRatio { rustfft: f64::NAN },
    })
}

type Transform = Box<dyn FnMut(&[cpu::Complex]) -> Vec<cpu::Complex>>;

/// Each variant takes a line and returns a new one, so that all make one copy.
fn transform(
    algorithm: &'static str,
    length: usize,
    direction: Direction,
) -> anyhow::Result<Transform> {
    let dit = cpu::Dit::new(length, direction);
    let dif = cpu::Dif::new(length, direction);
    let (Some(dit), Some(dif)) = (dit, dif) else {
        anyhow::bail!("{length} is not a power of two");
    };
    Ok(match algorithm {
        "dft" => Box::new(move |line| cpu::dft(line, direction)),
        "recursive" => Box::new(move |line| cpu::recursive(line, direction).unwrap_or_default()),
        "dit" => Box::new(move |line| {
            let mut line = line.to_vec();
            dit.transform(&mut line);
            line
        }),
        "dif" => Box::new(move |line| {
            let mut line = line.to_vec();
            dif.transform(&mut line);
            line
        }),
        _ => {
            let fft = FftPlanner::new().plan_fft(length, peers::direction(direction));
            let mut scratch = vec![Complex::default(); fft.get_inplace_scratch_len()];
            Box::new(move |line| {
                let mut line: Vec<_> = line.iter().map(|&[re, im]| Complex { re, im }).collect();
                fft.process_with_scratch(&mut line, &mut scratch);
                line.iter().map(|value| [value.re, value.im]).collect()
            })
        }
    })
}

fn relative_l2(result: &[cpu::Complex], reference: &[cpu::Complex]) -> f64 {
    if result.len() != reference.len() {
        return f64::INFINITY;
    }
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|v| v * v).sum::<f64>();
    let parts = result.iter().flatten().zip(reference.iter().flatten());
    let error = norm(&mut parts.map(|(a, b)| a - b));
    (error / norm(&mut reference.iter().flatten().copied())).sqrt()
}

impl Report for Row {
    /// Laid out as in the thesis: lengths across, algorithms down, in milliseconds.
    fn cells(rows: &[Self]) -> Vec<Vec<String>> {
        let of =
            |algorithm: &'static str| rows.iter().filter(move |row| row.algorithm == algorithm);
        let lengths = of(ALGORITHMS[0]).map(|row| row.length.to_string());
        let headings = std::iter::once("time [ms]".to_owned()).chain(lengths).collect();
        let line = |algorithm| {
            let times = of(algorithm).map(|row| significant(row.median_us / 1000.0));
            std::iter::once(algorithm.to_owned()).chain(times).collect()
        };
        std::iter::once(headings).chain(ALGORITHMS.map(line)).collect()
    }
}
