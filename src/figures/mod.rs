//! The figures and tables of the papers: their claims, the commands that measure them, as plain data, and
//! pictures and verdicts of what was measured. `seaway figures` and bench.html run and show them.

#[cfg(any(test, all(feature = "web", target_family = "wasm")))]
pub mod browser;
mod catalogue;
mod command;
mod draw;
mod frames;
mod html;
mod page;
mod sizes;

use serde::{Deserialize, Serialize};

use crate::bench::{Row, RunInfo, cpu, other};

pub use catalogue::Figure;
pub use command::{Bench, Command, NO_PEER};
pub use draw::Drawn;
pub use frames::{FrameRow, FrameTimes, Frames, Gain, Parts, SizeFrames};
pub use html::html;
pub use page::markdown;
pub use sizes::KernelSize;

/// The data of all figures: the rows of `bench`, and of `bench --cpu`. The field names are the keys of the
/// file, which is stable; files of `bench --out` have this form, too.
#[derive(Clone, Serialize, Deserialize)]
pub struct Measurements {
    #[serde(flatten)]
    pub taken: RunInfo,
    #[serde(default)]
    pub quick: bool,
    /// Whether a page measured it, with the commands that pages run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_browser: bool,
    /// The commands that measured it so far, where `figures` ran them.
    #[serde(default)]
    pub commands: Vec<String>,
    pub rows: Vec<Row>,
    #[serde(default)]
    pub cpu: Vec<cpu::Row>,
    /// The rows of `bench --other`.
    #[serde(default)]
    pub others: Vec<other::Row>,
    /// The sizes of kernels that `kernel` prints.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kernels: Vec<KernelSize>,
    /// Frames that `profile --compare` times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frames: Option<Frames>,
}

impl Measurements {
    /// No measurements yet.
    pub fn new(taken: RunInfo, quick: bool) -> Self {
        Self {
            taken,
            quick,
            in_browser: false,
            commands: Vec::new(),
            rows: Vec::new(),
            cpu: Vec::new(),
            others: Vec::new(),
            kernels: Vec::new(),
            frames: None,
        }
    }

    /// Whether the measurements say nothing about a GPU, being of `--quick` or of a software adapter.
    pub fn no_claim(&self) -> bool {
        let plays = ["llvmpipe", "lavapipe", "SwiftShader", "Basic Render Driver"];
        self.quick || plays.iter().any(|name| self.taken.adapter.contains(name))
    }

    /// The commands that measure `figure`: on a page, as far as a page can run them.
    ///
    /// # Errors
    /// The reason why no page measures it, as a sentence.
    pub fn commands_of(&self, figure: &Figure) -> Result<Vec<Command>, &'static str> {
        let all = (figure.commands)(self.quick);
        match self.in_browser {
            true => all.iter().filter_map(|command| command.on_page().transpose()).collect(),
            false => Ok(all),
        }
    }

    /// Whether `command` was measured.
    pub fn has(&self, command: &Command) -> bool {
        self.commands.contains(&command.to_string())
    }

    pub fn wrong(&self) -> Vec<String> {
        let own = self.rows.iter().filter(|row| row.version.is_none());
        let wrong = own.filter(|row| row.outcome.is_failed());
        let names = wrong.map(|row| format!("{} {}", row.algorithm, row.size));
        let others = self.others.iter().filter(|row| !row.is_right());
        names.chain(others.map(|row| format!("{} {}", row.case, row.size))).collect()
    }

    /// Draws `figure`, if it was measured.
    pub fn draw(&self, figure: &Figure) -> Option<Drawn> {
        let mut drawn = (figure.draw)(self)?;
        drawn.chart.subtitle = self.taken.adapter.clone();
        if self.no_claim() {
            drawn.chart.subtitle += ": no claim";
        }
        Some(drawn)
    }
}

/// The commands of all of `figures`, each once.
pub fn commands(figures: &[&'static Figure], of: impl Fn(&Figure) -> Vec<Command>) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    for command in figures.iter().flat_map(|figure| of(figure)) {
        if !commands.contains(&command) {
            commands.push(command);
        }
    }
    commands
}

/// The figures of these names, or all if there are no names.
///
/// # Errors
/// A message for the user about a name that no figure has.
pub fn chosen(names: &[String]) -> Result<Vec<&'static Figure>, String> {
    if names.is_empty() {
        return Ok(catalogue::all().collect());
    }
    names
        .iter()
        .map(|name| {
            catalogue::all().find(|figure| figure.name == name).ok_or_else(|| {
                let names: Vec<_> = catalogue::all().map(|figure| figure.name).collect();
                format!("--figure {name}: there are {}", names.join(", "))
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn stored() -> Measurements {
        let path = "measurements/nvidia-h200-figures/measurements.json";
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    pub fn drawn(measurements: &Measurements) -> Vec<(&'static Figure, Option<Drawn>)> {
        let figures = chosen(&[]).unwrap().into_iter();
        figures.map(|figure| (figure, measurements.draw(figure))).collect()
    }

    #[test]
    fn pages_measure_what_they_can_and_say_why_not() {
        let mut measurements = Measurements { in_browser: true, ..stored() };
        for quick in [true, false] {
            measurements.quick = quick;
            let of = |name: &str| {
                let figure = chosen(&[name.to_owned()]).unwrap()[0];
                let commands = measurements.commands_of(figure);
                commands.map(|all| all.iter().map(Command::to_string).collect::<Vec<_>>())
            };
            assert!(of("17").unwrap_err().contains("CUDA"));
            assert!(of("003-shared").is_err() && of("kernel-sizes").is_err());
            for figure in chosen(&[]).unwrap() {
                let commands = measurements.commands_of(figure);
                assert!(commands.is_err() || !commands.unwrap().is_empty(), "{}", figure.name);
            }
            if !quick {
                // The largest image, the largest number of points, and a sample of many sizes.
                assert!(of("004-radix").unwrap()[0].contains("--size 128,256,512,1024 "));
                assert!(of("16.7").unwrap()[0].contains("--batch 128 "));
                assert!(
                    of("003-schedule").unwrap()[0].contains("--size 4096,16384,65536 --batch 8")
                );
                assert!(of("004-batch").unwrap()[0].contains("--batch 1,16,256 "));
                assert!(of("002-steps").unwrap()[0].contains("--size 65,85,105,"));
            }
        }
    }
}
