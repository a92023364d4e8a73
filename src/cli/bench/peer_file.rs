//! `--peer-file`: other FFT libraries, measured by `scripts/peers` on the same random images, beside the rows
//! of the same problems.
//!
//! A row can name a file with the result of its first and its last image. That result is judged here by the
//! reference and the gate of Seaway's own results.

use std::fs;
use std::path::{Path, PathBuf};

use crate::bench::{Figures, Form, Outcome, Row, Size};
use crate::fft::lab::timing::{Regime, Timer, Times};
use crate::fft::lab::{self, Accuracy, Array, Gate, References, Shape};
use crate::fft::{Descriptor, Direction, Kind, Layout, Normalization, Precision};
use anyhow::{Context as _, bail, ensure};
use serde::Deserialize;

use super::report::peer_name;
use super::stored::Stored;
use crate::bench::RunInfo;
use crate::cli::fft_options::Problem;

/// The advice of errors about a file.
const WRITTEN_BY: &str = "scripts/peers writes such files, and docs/measuring.md lists their keys";

/// A row of a peer's file. The field names are its keys.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    algorithm: String,
    version: String,
    adapter: String,
    size: Size,
    dimensions: u32,
    kind: Kind,
    batch: u32,
    precision: Precision,
    direction: Direction,
    normalization: Normalization,
    layout: Layout,
    regime: Regime,
    placement: String,
    median_us: Option<f64>,
    p5_us: Option<f64>,
    p95_us: Option<f64>,
    samples: Option<usize>,
    repetitions: Option<u32>,
    timer: Option<Timer>,
    /// The error as the peer's own program states it, if there is no result to judge.
    relative_l2_error: Option<f64>,
    relative_max_error: Option<f64>,
    /// The file of the first and the last image of the result, beside the file of rows.
    result: Option<PathBuf>,
    /// The reason for missing figures.
    skipped: Option<String>,
}

/// The rows of all files.
#[derive(Debug, Default)]
pub struct PeerRows(Vec<Row>);

impl PeerRows {
    /// Reads and judges the rows of `paths`. The same rows in a later file are a second run, whose drift is
    /// stated; the figures are those of the faster run.
    pub fn read(paths: &[PathBuf]) -> anyhow::Result<Self> {
        let mut rows: Vec<Row> = Vec::new();
        let mut references = References::default();
        for path in paths {
            for row in read(path, &mut references)? {
                match rows.iter_mut().find(|known| are_runs_of_one(known, &row)) {
                    Some(known) => *known = joined(known, row),
                    None => rows.push(row),
                }
            }
        }
        Ok(Self(rows))
    }

    /// Sets the rows beside those of the same problems, and says what was left out.
    pub fn add_to(self, stored: &mut Stored<Row>) -> anyhow::Result<()> {
        match self.0.is_empty() {
            true => Ok(()),
            false => {
                self.set_beside(&mut stored.taken, &mut stored.rows);
                stored.write()
            }
        }
    }

    /// Sets the rows beside those of the same problems in `rows`, names the libraries in `taken`, and says what
    /// was left out.
    pub fn set_beside(self, taken: &mut RunInfo, rows: &mut Vec<Row>) {
        let (beside, others): (Vec<Row>, Vec<Row>) =
            self.0.into_iter().partition(|peer| rows.iter().any(|own| is_same_problem(own, peer)));
        let mut peers = Vec::new();
        for row in &beside {
            let on = match row.adapter == taken.adapter {
                true => String::new(),
                false => format!(" on {}", row.adapter),
            };
            let about = name(row) + &on;
            if !peers.contains(&about) {
                eprintln!("peer: {about}");
                peers.push(about);
            }
        }
        if !others.is_empty() {
            let mut problems: Vec<String> = others.iter().map(problem).collect();
            problems.dedup();
            eprintln!(
                "note: {} of {} rows of peers are left out, since no row here is of the same problem: {}",
                others.len(),
                others.len() + beside.len(),
                problems.join("; ")
            );
        }
        report_drift(&beside);
        beside.iter().for_each(|peer| remove(rows, peer));
        *rows = set_beside(rows, &beside);
        peers.retain(|peer| !taken.peers.contains(peer));
        taken.peers.extend(peers);
    }
}

/// The rows of one file.
fn read(path: &Path, references: &mut References) -> anyhow::Result<Vec<Row>> {
    let file = path.display();
    let text = fs::read_to_string(path)
        .with_context(|| format!("--peer-file: {file} could not be read; {WRITTEN_BY}"))?;
    let given: Vec<Given> = serde_json::from_str(&text)
        .with_context(|| format!("--peer-file: {file} has no rows of peers; {WRITTEN_BY}"))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let rows = given.into_iter().zip(1..).map(|(row, number)| {
        let algorithm = row.algorithm.clone();
        row.row(folder, references)
            .with_context(|| format!("--peer-file: {file}: row {number} ({algorithm})"))
    });
    rows.collect()
}

impl Given {
    /// Checks the row and judges its result.
    fn row(self, folder: &Path, references: &mut References) -> anyhow::Result<Row> {
        let task = self.task()?;
        let outcome = match &self.skipped {
            Some(reason) => Outcome::skipped(reason),
            None => self.outcome(&task, folder, references)?,
        };
        Ok(Row {
            algorithm: self.algorithm,
            version: Some(self.version),
            drift: None,
            chosen: None,
            size: self.size,
            form: Form {
                kind: self.kind,
                dimensions: self.dimensions,
                batch: self.batch,
                precision: self.precision,
                direction: self.direction,
                normalization: self.normalization,
                layout: self.layout,
                regime: self.regime,
                placement: self.placement,
            },
            adapter: self.adapter,
            parameters: Default::default(),
            invocations: None,
            outcome,
        })
    }

    /// The transform, planar and out of place, as its result is stored.
    fn task(&self) -> anyhow::Result<Descriptor> {
        ensure!(
            ["out_of_place", "in_place"].contains(&&*self.placement),
            "`placement` is {:?}; it must be out_of_place or in_place",
            self.placement
        );
        ensure!(self.batch >= 1, "`batch` is 0; it must be at least 1");
        ensure!(self.precision != Precision::F16, "`precision` is f16; it must be f32 or f64");
        let extent = self.size.extent(self.dimensions).filter(|extent| !extent.contains(&0));
        let Some(extent) = extent else {
            bail!("`size` is {}, which is no size in {} dimensions", self.size, self.dimensions)
        };
        let &Self { kind, dimensions, batch, direction, normalization, precision, .. } = self;
        let problem = Problem { kind, dimensions, extent, batch };
        let task = problem.task(Layout::Planar);
        Ok(Descriptor { direction, normalization, precision, ..task })
    }

    fn outcome(
        &self,
        task: &Descriptor,
        folder: &Path,
        references: &mut References,
    ) -> anyhow::Result<Outcome<Box<Figures>>> {
        let time = |key: &str, time: Option<f64>| {
            let time = time.with_context(|| format!("`{key}` is missing, as is `skipped`"))?;
            ensure!(time.is_finite() && time > 0.0, "`{key}` is {time}, which is no time");
            Ok(time)
        };
        let times = Times {
            median_us: time("median_us", self.median_us)?,
            p5_us: time("p5_us", self.p5_us)?,
            p95_us: time("p95_us", self.p95_us)?,
            samples: self.samples.context("`samples` is missing")?,
            repetitions: self.repetitions.context("`repetitions` is missing")?,
            timer: self.timer.context("`timer` is missing")?,
        };
        let accuracy = match (&self.result, self.relative_l2_error) {
            (Some(result), _) => self.judged(task, &folder.join(result), references)?,
            (None, Some(relative_l2)) => {
                Accuracy { relative_l2, relative_max: self.relative_max_error.unwrap_or_default() }
            }
            (None, None) => bail!(
                "neither `result` nor `relative_l2_error` is there: a time counts only with the \
                 error of its result"
            ),
        };
        let gate = Gate::of(task);
        if !gate.passes(accuracy) {
            return Ok(Outcome::failed(gate.describe(accuracy)));
        }
        // How many bytes it moves is not known.
        let mut figures = Figures::new(task, times, accuracy, None);
        if self.result.is_none() {
            figures.relative_max_error = self.relative_max_error;
        }
        Ok(Outcome::Measured(Box::new(figures)))
    }

    /// The error of the first and the last image of a result.
    fn judged(
        &self,
        task: &Descriptor,
        path: &Path,
        references: &mut References,
    ) -> anyhow::Result<Accuracy> {
        let bytes = fs::read(path).with_context(|| {
            format!("its `result` {} could not be read: keep it beside the rows", path.display())
        })?;
        let shape = Shape::output(task);
        let images: Vec<_> = lab::ends(task.batch).collect();
        let needed = images.len() * shape.numbers() * self.precision.bytes() as usize;
        ensure!(
            bytes.len() == needed,
            "its `result` {} has {} bytes, and the first and last image have {needed}",
            path.display(),
            bytes.len()
        );
        let numbers: Vec<f64> = match self.precision {
            Precision::F64 => bytemuck::pod_collect_to_vec(&bytes),
            _ => {
                let numbers: Vec<f32> = bytemuck::pod_collect_to_vec(&bytes);
                numbers.into_iter().map(f64::from).collect()
            }
        };
        let mut accuracy = Accuracy::NONE;
        for (index, numbers) in images.into_iter().zip(numbers.chunks_exact(shape.numbers())) {
            let result = Array::of_numbers(numbers.to_vec(), shape.is_real);
            accuracy = accuracy.worse(references.of(index, task).accuracy(&result));
        }
        Ok(accuracy)
    }
}

/// Whether both rows are of the same transform under the same conditions. The layout and the factor of the
/// result, which the time hardly depends on, are each library's own.
fn is_same_problem(own: &Row, peer: &Row) -> bool {
    let form = |row: &Row| Form {
        normalization: Normalization::None,
        layout: Layout::Planar,
        ..row.form.clone()
    };
    own.version.is_none() && own.size == peer.size && form(own) == form(peer)
}

/// Whether both are runs of the same library on the same problem.
fn are_runs_of_one(row: &Row, other: &Row) -> bool {
    let key = |row: &Row| (row.algorithm.clone(), row.version.clone(), row.adapter.clone());
    key(row) == key(other) && row.size == other.size && row.form == other.form
}

/// Removes what an earlier file held of the same library, in any version, on the same problem. Times of a peer
/// that was measured with the rows stay.
fn remove(rows: &mut Vec<Row>, peer: &Row) {
    let is_earlier = |row: &mut Row| {
        row.version.is_some()
            && are_runs_of_one(&Row { version: peer.version.clone(), ..row.clone() }, peer)
    };
    let earlier: Vec<f64> = rows
        .extract_if(.., is_earlier)
        .filter_map(|row| Some(row.figures()?.times.median_us))
        .collect();
    for row in rows.iter_mut().filter(|row| is_same_problem(row, peer)) {
        let Outcome::Measured(figures) = &mut row.outcome else { continue };
        if figures.peer_us.get(&key(peer)).is_some_and(|us| earlier.contains(us)) {
            figures.peer_us.remove(&key(peer));
            figures.peer_ratio.remove(&key(peer));
        }
    }
}

/// The faster of two runs, with the change from the first to the last. A run without figures leaves none.
fn joined(first: &Row, last: Row) -> Row {
    let median_us = |row: &Row| row.figures().map(|figures| figures.times.median_us);
    match (median_us(first), median_us(&last)) {
        (None, _) => first.clone(),
        (_, None) => last,
        (Some(first_us), Some(last_us)) => {
            let faster = if last_us < first_us { last } else { first.clone() };
            Row { drift: Some(last_us / first_us - 1.0), ..faster }
        }
    }
}

/// The rows of each problem, then those of its peers, whose times are also in the rows.
fn set_beside(own: &[Row], peers: &[Row]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (index, row) in own.iter().enumerate() {
        let beside = || peers.iter().filter(|peer| is_same_problem(row, peer));
        let mut with_peers = row.clone();
        if let Outcome::Measured(figures) = &mut with_peers.outcome {
            for peer in beside() {
                let Some(peer_us) = peer.figures().map(|peer| peer.times.median_us) else {
                    continue;
                };
                let ratio = figures.times.median_us / peer_us;
                figures.peer_us.entry(key(peer)).or_insert(peer_us);
                figures.peer_ratio.entry(key(peer)).or_insert(ratio);
            }
        }
        rows.push(with_peers);
        for peer in beside() {
            let is_last = !own[index + 1..].iter().any(|later| is_same_problem(later, peer));
            if is_last {
                rows.push(with_copy(peer, own));
            }
        }
    }
    rows
}

/// The peer's row with the time of the copy on its own adapter.
fn with_copy(peer: &Row, own: &[Row]) -> Row {
    let mut peer = peer.clone();
    let same = |row: &&Row| is_same_problem(row, &peer) && row.adapter.contains(&peer.adapter);
    let copy_us = own.iter().filter(same).find_map(|row| row.figures()?.copy_us);
    if let Outcome::Measured(figures) = &mut peer.outcome {
        figures.copy_us = copy_us;
        figures.copy_ratio = copy_us.map(|copy_us| figures.times.median_us / copy_us);
    }
    peer
}

/// The name in `peer_us` and `peer_ratio`.
fn key(peer: &Row) -> String {
    match peer.form.placement.as_str() {
        "in_place" => format!("{}_in_place", peer.algorithm),
        _ => peer.algorithm.clone(),
    }
}

/// The algorithm of a row, or its library with the version.
pub fn name(row: &Row) -> String {
    match &row.version {
        Some(version) => format!("{} {version}", peer_name(&row.algorithm)),
        None => row.algorithm.clone(),
    }
}

/// A problem such as `512, batch 4, inverse, out of place`.
fn problem(row: &Row) -> String {
    let Form { batch, direction, placement, .. } = &row.form;
    format!("{}, batch {batch}, {direction}, {}", row.size, placement.replace('_', " "))
}

/// Says how much each peer changed from its first run to its last.
fn report_drift(rows: &[Row]) {
    let mut names: Vec<String> = rows.iter().map(name).collect();
    names.dedup();
    for peer in names {
        let of_peer = rows.iter().filter(|row| name(row) == peer);
        let drifts: Vec<f64> = of_peer.filter_map(|row| row.drift).collect();
        let least = drifts.iter().copied().reduce(f64::min);
        let most = drifts.iter().copied().reduce(f64::max);
        let Some((least, most)) = least.zip(most) else { continue };
        eprintln!(
            "note: from its first to its last run, {peer} took {:+.1}% to {:+.1}% more time; its \
             figures are those of the faster run",
            100.0 * least,
            100.0 * most
        );
    }
}
