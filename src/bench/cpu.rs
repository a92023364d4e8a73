//! The algorithms of Mota 2022, table 2, on the processor.

use serde::{Deserialize, Serialize};

use super::processor;
use crate::fft::Direction;
use crate::fft::lab::cpu;
use crate::fft::lab::timing::{Method, Times};
use crate::platform::pause;

/// Largest relative error against the definition: some hundred roundings.
const GATE: f64 = 1e-13;

/// The longest line. The time of the definition grows with the square of the length.
pub const LONGEST: u32 = 8192;

/// The textbook algorithms, and the library beside them where it is built in.
#[cfg(feature = "cli")]
pub const ALGORITHMS: [&str; 5] = ["dft", "dit", "dif", "recursive", RUSTFFT];
#[cfg(not(feature = "cli"))]
pub const ALGORITHMS: [&str; 4] = ["dft", "dit", "dif", "recursive"];

const RUSTFFT: &str = "rustfft";

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
    /// Median over rustfft's; pages have no rustfft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peer_ratio: Option<PeerRatio>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PeerRatio {
    pub rustfft: f64,
}

/// Measures every algorithm on one length, a power of two.
///
/// # Errors
/// A message for the user if a result is wrong.
pub async fn measure(
    length: u32,
    direction: Direction,
    method: &Method,
) -> Result<Vec<Row>, String> {
    let mut rows: Vec<Row> = Vec::new();
    for algorithm in ALGORITHMS {
        rows.push(row(algorithm, length, direction, method)?);
        pause().await;
    }
    let peer = rows.iter().find(|row| row.algorithm == RUSTFFT).map(|row| row.median_us);
    for row in &mut rows {
        row.peer_ratio = peer.map(|us| PeerRatio { rustfft: row.median_us / us });
    }
    Ok(rows)
}

fn row(
    algorithm: &'static str,
    length: u32,
    direction: Direction,
    method: &Method,
) -> Result<Row, String> {
    let line: Vec<cpu::Complex> = crate::fft::lab::noise(0, length as usize)
        .iter()
        .map(|value| value.map(f64::from))
        .collect();
    let mut transform = transform(algorithm, length as usize, direction)?;
    let error = relative_l2(&transform(&line), &cpu::dft(&line, direction));
    if error > GATE || error.is_nan() {
        return Err(format!(
            "{algorithm} at {length} points is wrong: relative L2 error {error:.1e}"
        ));
    }
    let measurement = processor::measure(method, || {
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
        peer_ratio: None,
    })
}

type Transform = Box<dyn FnMut(&[cpu::Complex]) -> Vec<cpu::Complex>>;

/// Each variant takes a line and returns a new one, so that all make one copy.
fn transform(
    algorithm: &'static str,
    length: usize,
    direction: Direction,
) -> Result<Transform, String> {
    let dit = cpu::Dit::new(length, direction);
    let dif = cpu::Dif::new(length, direction);
    let (Some(dit), Some(dif)) = (dit, dif) else {
        return Err(format!("{length} is not a power of two"));
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
        #[cfg(feature = "cli")]
        RUSTFFT => {
            use rustfft::num_complex::Complex;

            let fft = rustfft::FftPlanner::new().plan_fft(length, rustfft_direction(direction));
            let mut scratch = vec![Complex::default(); fft.get_inplace_scratch_len()];
            Box::new(move |line| {
                let mut line: Vec<_> = line.iter().map(|&[re, im]| Complex { re, im }).collect();
                fft.process_with_scratch(&mut line, &mut scratch);
                line.iter().map(|value| [value.re, value.im]).collect()
            })
        }
        _ => return Err(format!("{algorithm} is not one of {}", ALGORITHMS.join(", "))),
    })
}

/// The direction in rustfft's terms.
#[cfg(feature = "cli")]
pub fn rustfft_direction(direction: Direction) -> rustfft::FftDirection {
    match direction {
        Direction::Forward => rustfft::FftDirection::Forward,
        Direction::Inverse => rustfft::FftDirection::Inverse,
    }
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
