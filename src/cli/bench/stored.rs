//! Measurements as a file: the rows with adapter, date and method.

use std::path::{Path, PathBuf};

use crate::bench::{Row, RunInfo};
use anyhow::ensure;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::cli::output;

/// A file of `--out`, of rows of one kind. The field names are its keys, which are stable.
#[derive(Debug, Serialize, Deserialize)]
pub struct Stored<R> {
    #[serde(flatten)]
    pub taken: RunInfo,
    pub rows: Vec<R>,
    /// The path of `--out`, to which rows are written, if it was given.
    #[serde(skip)]
    out: Option<PathBuf>,
}

/// The command line of this program.
pub fn command() -> String {
    let words = std::env::args().skip(1);
    std::iter::once("seaway".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

impl<F, M> Stored<Row<F, M>>
where
    Row<F, M>: Serialize + DeserializeOwned,
{
    /// No rows yet, to be written to `out` as they come: at once, so that a file that cannot be written is known
    /// before an hour's work.
    pub fn new(
        adapter: &wgpu::AdapterInfo,
        peers: Vec<String>,
        out: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let (taken, out) = (RunInfo::new(adapter, peers, command()), out.map(Path::to_owned));
        let stored = Self { taken, rows: Vec::new(), out };
        stored.write()?;
        Ok(stored)
    }

    pub fn read(path: &Path) -> anyhow::Result<Self> {
        output::read_json(path, "this kind of `seaway bench --out`")
    }

    /// Adds rows. The file then holds everything measured so far, in case the command is interrupted.
    pub fn keep(&mut self, rows: impl IntoIterator<Item = Row<F, M>>) -> anyhow::Result<()> {
        self.rows.extend(rows);
        self.write()
    }

    /// Shows the rows of a file that was read, and writes them to `out`.
    pub fn write_to(&mut self, out: Option<&Path>) -> anyhow::Result<()> {
        self.out = out.map(Path::to_owned);
        self.write()
    }

    /// Marks the measurement as complete.
    pub fn finish(&mut self) -> anyhow::Result<()> {
        self.taken.complete = true;
        self.write()
    }

    /// Writes the file of `--out`, if it was given.
    pub fn write(&self) -> anyhow::Result<()> {
        self.out.as_ref().map_or(Ok(()), |out| output::write(out, &self.json()?))
    }

    /// Fails if a result was wrong.
    pub fn check(&self) -> anyhow::Result<()> {
        let wrong = self.rows.iter().filter(|row| row.outcome.is_failed()).count();
        ensure!(wrong == 0, "{wrong} of {} results were wrong", self.rows.len());
        Ok(())
    }

    /// Writes a line for each row, so that versions of a file can be compared.
    fn json(&self) -> anyhow::Result<String> {
        let rows = self
            .rows
            .iter()
            .map(|row| Ok(format!("    {}", serde_json::to_string(row)?)))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let rows = rows.join(",\n");
        let taken = serde_json::to_string_pretty(&self.taken)?;
        let taken = taken.trim_end_matches("\n}");
        Ok(format!("{taken},\n  \"rows\": [\n{rows}\n  ]\n}}\n"))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::fft::lab::timing::Timer;

    use super::super::rows::{measured, row};
    use super::*;

    #[test]
    fn a_stored_file_is_read_back() {
        let taken = RunInfo {
            adapter: "A".into(),
            driver: "B 1".into(),
            backend: "vulkan".into(),
            peers: vec!["cuFFT 12.0".into()],
            date: "2026-01-01T00:00:00Z".into(),
            seaway: "0.1.0".into(),
            command: "seaway bench".into(),
            complete: false,
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.json");
        let mut stored = Stored { taken, rows: Vec::new(), out: Some(path.clone()) };
        for _ in 0..2 {
            stored.keep([row("fast", measured(2.0, Timer::GpuTimestamps))]).unwrap();
            let read = Stored::read(&path).unwrap();
            assert_eq!((&read.rows, &*read.taken.driver), (&stored.rows, "B 1"));
        }
        let lines = fs::read_to_string(&path).unwrap();
        assert_eq!(lines.lines().filter(|line| line.contains("\"fast\"")).count(), 2);
        fs::write(&path, "[]").unwrap();
        let error = format!("{:#}", Stored::<Row>::read(&path).unwrap_err());
        assert!(error.contains("rows.json was not written by"), "{error}");
    }

    /// Figures are drawn again from stored times: one bit of difference moves the last digit of a table.
    #[test]
    fn times_are_read_back_to_the_last_bit() {
        let mut state = 1_u64;
        for _ in 0..10_000 {
            // Knuth's linear congruential generator: its upper bits fill the mantissa.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let time_us = f64::from_bits(0x4000_0000_0000_0000 | (state >> 10));
            let text = serde_json::to_string(&time_us).unwrap();
            let read: f64 = serde_json::from_str(&text).unwrap();
            assert_eq!(read.to_bits(), time_us.to_bits(), "{text}");
        }
    }
}
