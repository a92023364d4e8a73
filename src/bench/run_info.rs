//! The circumstances of a measurement.

use serde::{Deserialize, Serialize};

/// The circumstances of a measurement. The field names are keys of files, which are stable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunInfo {
    pub adapter: String,
    pub driver: String,
    /// The interface to the driver, as in `WGPU_BACKEND`.
    pub backend: String,
    /// Names and versions of the peers that have their own version.
    pub peers: Vec<String>,
    /// The start in UTC, ISO 8601.
    pub date: String,
    pub seaway: String,
    pub command: String,
    /// Whether all requested rows are there, so that the command was not interrupted.
    pub complete: bool,
}

impl RunInfo {
    /// Describes a measurement by this command that begins now.
    pub fn new(adapter: &wgpu::AdapterInfo, peers: Vec<String>, command: String) -> Self {
        let driver = [adapter.driver.as_str(), adapter.driver_info.as_str()];
        Self {
            adapter: adapter.name.clone(),
            driver: driver.join(" ").trim().to_owned(),
            backend: adapter.backend.to_str().to_owned(),
            peers,
            date: chrono::Utc::now().format("%Y-%m-%dT%H:%M:%SZ").to_string(),
            seaway: env!("CARGO_PKG_VERSION").into(),
            command,
            complete: false,
        }
    }

    /// Describes adapter and method in a sentence for documents.
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
