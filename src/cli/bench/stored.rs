//! Measurements as a file: the rows with what they were taken on, when and how.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use seaway::atomic_write;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A file of `--out`, of rows of one kind. The field names are its keys, which are stable.
#[derive(Debug, Serialize, Deserialize)]
pub struct Stored<Row> {
    #[serde(flatten)]
    pub taken: Taken,
    /// As `--format json` prints them.
    pub rows: Vec<Row>,
}

/// How measurements were taken.
#[derive(Debug, Serialize, Deserialize)]
pub struct Taken {
    /// The adapter's name.
    pub adapter: String,
    /// The driver's name and version.
    pub driver: String,
    /// The interface that wgpu drove it by, as in `WGPU_BACKEND`.
    pub backend: String,
    /// Peers that have a version of their own.
    pub peers: Vec<String>,
    /// When it began, in UTC, ISO 8601.
    pub date: String,
    /// Seaway's version.
    pub seaway: String,
    /// The arguments.
    pub command: String,
    /// All rows that the command asks for are there: it was not interrupted.
    pub complete: bool,
}

impl Taken {
    /// By this command, now; not complete yet.
    pub fn new(adapter: &wgpu::AdapterInfo, peers: Vec<String>) -> Self {
        let words = std::env::args().skip(1);
        let driver = [adapter.driver.as_str(), adapter.driver_info.as_str()];
        Self {
            adapter: adapter.name.clone(),
            driver: driver.join(" ").trim().to_owned(),
            backend: adapter.backend.to_str().to_owned(),
            peers,
            date: chrono::Utc::now().format("%Y-%m-%dT%H:%M:%SZ").to_string(),
            seaway: env!("CARGO_PKG_VERSION").into(),
            command: std::iter::once("seaway".to_owned())
                .chain(words)
                .collect::<Vec<_>>()
                .join(" "),
            complete: false,
        }
    }

    /// On what and how, in a sentence for documents.
    pub fn describe(&self) -> String {
        let mut text = format!("{} ({}, {})", self.adapter, self.backend, self.driver);
        for peer in &self.peers {
            text += &format!(", {peer}");
        }
        let day = self.date.split('T').next().unwrap_or_default();
        text += &format!(", {day}, by `{}`", self.command);
        if !self.complete {
            text += " (interrupted)";
        }
        text + ".\n"
    }
}

impl<Row: Serialize + DeserializeOwned> Stored<Row> {
    pub fn new(adapter: &wgpu::AdapterInfo, peers: Vec<String>) -> Self {
        Self { taken: Taken::new(adapter, peers), rows: Vec::new() }
    }

    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let name = path.display();
        let text = fs::read_to_string(path).with_context(|| format!("{name} could not be read"))?;
        serde_json::from_str(&text)
            .with_context(|| format!("{name} was not written by this kind of `seaway bench --out`"))
    }

    /// Replaces the file in one step: whenever the command is interrupted, what was measured so
    /// far is there.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let json = self.json()?;
        atomic_write::write(path, |file| file.write_all(json.as_bytes()))
            .with_context(|| format!("{} could not be written", path.display()))
    }

    /// A line for each row, so that versions of a file can be compared.
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
    use seaway::fft::lab::timing::Timer;

    use super::super::row::Row;
    use super::super::row::tests::{measured, row};
    use super::*;

    #[test]
    fn a_stored_file_is_read_back() {
        let taken = Taken {
            adapter: "A".into(),
            driver: "B 1".into(),
            backend: "vulkan".into(),
            peers: vec!["cuFFT 12.0".into()],
            date: "2026-01-01T00:00:00Z".into(),
            seaway: "0.1.0".into(),
            command: "seaway bench".into(),
            complete: false,
        };
        let mut stored = Stored { taken, rows: Vec::new() };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.json");
        for _ in 0..3 {
            stored.write(&path).unwrap();
            let read = Stored::read(&path).unwrap();
            assert_eq!((&read.rows, &*read.taken.driver), (&stored.rows, "B 1"));
            stored.rows.push(row("fast", measured(2.0, Timer::GpuTimestamps)));
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
