//! `seaway bench --cpu`: the algorithms of Mota 2022, table 2, on the processor.

use super::Format;
use super::report::{self, Report, significant};
use crate::bench::cpu::{self, ALGORITHMS, Row};
use crate::cli::exit::Usage;
use crate::fft::Direction;
use crate::fft::lab::timing::Method;

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
    let mut rows = Vec::new();
    for &length in lengths {
        let measured = pollster::block_on(cpu::measure(length, direction, method));
        rows.extend(measured.map_err(anyhow::Error::msg)?);
    }
    Ok(rows)
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
