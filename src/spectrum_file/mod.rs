//! Readers and writers of directional wave spectra, which buoys measure and models forecast.
//!
//! [`read`] detects the format from the content and then from the name; [`write()`] writes each
//! [`Format`]. Files ending in `.gz` are unpacked. All directions of a [`RecordedSea`] are those
//! TOWARDS which waves run, in radians from +X (east) towards +Z (south): clockwise from above.
//! Waves from the north-west run towards +45 degrees in every format.
//!
//! # Formats
//! | format | directions in the file | densities |
//! |---|---|---|
//! | NDBC, five files ([`Format::NdbcRealtime`], [`Format::NdbcYearly`]) | compass, from | m2/Hz |
//! | WAVEWATCH III ASCII ([`Format::WaveWatch`]) | compass, towards, in radians | m2/Hz/rad |
//! | SWAN ASCII ([`Format::Swan`]) | NDIR compass, from; CDIR Cartesian, towards | m2/Hz/degree or J/m2/Hz/degree |
//! | Spotter CSV and JSON ([`Format::SpotterCsv`]) | moments Cartesian, towards | m2/Hz |
//! | plain CSV ([`Format::Csv`]) | as its comments state | as its comments state |
//! | plain JSON ([`Format::Json`]) | as in memory | as in memory |
//!
//! # Plain CSV
//! ```csv
//! # station: Buoy 7
//! # position_deg: 28.9, -78.5
//! # direction: from, nautical
//! # density: m2/Hz/deg
//! # time: 2020-06-08T03:50:00Z
//! # depth_m: 880
//! # wind: 5.2 m/s, 120
//! # frequencies: 2
//! frequency_hz,0,90,180,270
//! 0.10,0.001,0.020,0.001,0.000
//! 0.12,0.002,0.030,0.001,0.000
//! ```
//! `direction` is `from` or `towards`, then `nautical` (clockwise from north) or `cartesian`
//! (counterclockwise from east), and holds for waves and wind alike. `density` is `m2/Hz/deg` or
//! `m2/Hz/rad`. Both lines are required: a spectrum without them can be read in eight ways. Each
//! further `# time:` begins another record. `# frequencies`, where it is stated, guards against rows
//! that got lost. A header `frequency_hz,density,a1,b1,a2,b2` gives moments
//! instead, the means of cos, sin of the stated angle and of its double, with `# density: m2/Hz`.
//!
//! # Plain JSON
//! A [`RecordedSea`] as serde writes it.

mod check;
mod joined;
mod ndbc;
mod plain;
mod spotter;
mod swan;
mod text;
mod wave_watch;

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use check::Notes;
use serde::{Deserialize, Serialize};
use text::Source;

use crate::settings::{RecordedDirections, RecordedSea, RecordedSpectrum, RecordedWind};

pub use text::{iso_time, parse_time};

/// The largest file that is read, unpacked, in bytes.
pub const FILE_LIMIT_BYTES: usize = 64 << 20;

/// Directions in radians and each frequency's density per radian. Moments become tables of 72 directions.
fn table_of(spectrum: &RecordedSpectrum) -> (Vec<f64>, Vec<Vec<f64>>) {
    match spectrum.directions.clone() {
        RecordedDirections::Table { towards_rad, density_per_rad } => {
            (towards_rad, density_per_rad)
        }
        RecordedDirections::Moments(_) => spectrum.even_table(),
    }
}

/// The reasons for which a file is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpectrumFileError {
    /// No file has this name.
    #[error("{file}: there is no file of this name. Check the name, or add the file.")]
    NotFound {
        /// The name that was asked for.
        file: String,
    },
    /// The file exists and cannot be read.
    #[error("{file}: the file cannot be read ({reason}). Check its permissions.")]
    Unreadable {
        /// The path of the file.
        file: String,
        /// The system's message.
        reason: String,
    },
    /// The file is too large.
    #[error(
        "{file}: the file holds more than {} MiB unpacked, which is the limit. Cut it to fewer times or stations.",
        FILE_LIMIT_BYTES >> 20
    )]
    TooLarge {
        /// The name of the file.
        file: String,
    },
    /// The file is compressed and cannot be unpacked.
    #[error(
        "{file}: unpacking failed ({reason}). Download the file again, or unpack it by other means."
    )]
    Unpack {
        /// The name of the file.
        file: String,
        /// The message of the decompressor.
        reason: String,
    },
    /// The file is NetCDF or HDF5.
    #[error(
        "{file}: this is a NetCDF file, which is not read directly. Convert it with Python: pip install wavespectra netCDF4, \
         then\n  import wavespectra\n  wavespectra.{reader}(\"{file}\").isel(site=[0], missing_dims=\"ignore\").spec.to_swan(\"spectra.spec\")"
    )]
    NetCdf {
        /// The name of the file.
        file: String,
        /// The reader of wavespectra to try first.
        reader: &'static str,
    },
    /// Files that belong to this one are missing.
    #[error(
        "{file}: {} missing, without which NDBC spectra have no directions. Put the five files of one station and period \
         into one folder, or open them together.",
        .missing.join(", ") + if .missing.len() == 1 { " is" } else { " are" }
    )]
    Siblings {
        /// The name of the file.
        file: String,
        /// The names of the missing files.
        missing: Vec<String>,
    },
    /// The content is none of the known formats.
    #[error(
        "{file}: {problem}. Expected NDBC (.data_spec, .swdir, .swdir2, .swr1, .swr2 or yearly .txt), WAVEWATCH III or SWAN \
         (.spec), Spotter (.csv, .json) or Seaway's .csv and .json. Convert the file to one of these."
    )]
    Unknown {
        /// The name of the file.
        file: String,
        /// The beginning of the content.
        problem: String,
    },
    /// The content is damaged or senseless.
    #[error("{file}{}: {problem}. Expected {expected}. {remedy}", match .line { Some(line) => format!(", line {line}"), None => String::new() })]
    Invalid {
        /// The name of the file.
        file: String,
        /// The line, from 1.
        line: Option<usize>,
        /// The fault.
        problem: String,
        /// The content that was expected there.
        expected: String,
        /// What to do.
        remedy: String,
    },
}

/// Reads the spectra of a file and returns notes about everything that was repaired or left out.
///
/// `files` returns the bytes of a file by its name, of this one and of its siblings (NDBC spectra are
/// five files; any of them may be named). `name#POINT` selects a point by its name in WAVEWATCH III
/// and SWAN files, or by its number from 1 in SWAN files; the first one is read otherwise.
///
/// # Errors
/// Every damage that is not plainly harmless is an error with file, line, problem and remedy.
pub fn read(
    name: &str,
    files: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<(RecordedSea, Vec<String>), SpectrumFileError> {
    let (name, point, bytes) = match (files(name), name.rsplit_once('#')) {
        (Some(bytes), _) => (name, None, bytes),
        (None, Some((file, point))) => match files(file) {
            Some(bytes) => (file, Some(point), bytes),
            None => return Err(SpectrumFileError::NotFound { file: file.into() }),
        },
        _ => return Err(SpectrumFileError::NotFound { file: name.into() }),
    };
    let source = Source::new(name, bytes)?;
    let mut notes = Notes::default();
    let first = source.text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("");
    let lower = name.to_ascii_lowercase();
    let sea = if first.starts_with("'WAVEWATCH III") || first.starts_with("\"WAVEWATCH III") {
        wave_watch::read(&source, point, &mut notes)?
    } else if first.starts_with("SWAN") {
        swan::read(&source, point, &mut notes)?
    } else if first.starts_with(['{', '[']) || lower.ends_with(".json") {
        let value = source.json()?;
        if value.get("spectra").is_some() {
            plain::read_json(&source)?
        } else {
            spotter::read_json(&source, &value, &mut notes)?
        }
    } else if ndbc::is_header(first) {
        ndbc::read(&source, files, &mut notes)?
    } else if first.contains("Epoch Time") || first.contains("varianceDensity_0") {
        spotter::read_csv(&source, &mut notes)?
    } else if plain::is_csv(&source.text) {
        plain::read_csv(&source, &mut notes)?
    } else if let Some(problem) = source.known_by_name() {
        return Err(source.error(1, problem.0, problem.1, "Download the file again."));
    } else {
        let shown: String = first.chars().take(40).collect();
        let problem = format!("the file begins with \"{shown}\"");
        return Err(SpectrumFileError::Unknown { file: name.into(), problem });
    };
    source.note_cut_end(&mut notes);
    Ok((sea, notes.into_strings()))
}

/// Reads a file up to a byte more than [`FILE_LIMIT_BYTES`], which shows that it is over the limit.
///
/// # Errors
/// Those of the system.
pub fn read_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path)?;
    file.take(FILE_LIMIT_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads the spectra of the file at `path`, with its siblings beside it, and returns notes as [`read`] does.
///
/// # Errors
/// As [`read`].
pub fn open(path: &Path) -> Result<(RecordedSea, Vec<String>), SpectrumFileError> {
    open_by(path, &read_bytes)
}

/// Reads the files at `paths` as one record in order of time, and returns notes as [`read`] does. The five
/// files of an NDBC buoy are read once, whether one of them is named or several. Of spectra of the same time
/// the first is kept. Spectra without times are an hour apart, in the order of the files.
///
/// # Errors
/// Returns the errors of [`read`] for any of the files, and one where only some of the files have times.
pub fn open_all(paths: &[PathBuf]) -> Result<(RecordedSea, Vec<String>), SpectrumFileError> {
    open_all_by(paths, &read_bytes)
}

/// Reads `files`, names and bytes, as one record, as [`open_all`] does. Siblings are found among them.
///
/// # Errors
/// Returns the errors of [`open_all`].
pub fn read_all(
    files: &[(String, Vec<u8>)],
) -> Result<(RecordedSea, Vec<String>), SpectrumFileError> {
    let paths: Vec<PathBuf> = files.iter().map(|(name, _)| name.into()).collect();
    open_all_by(&paths, &|path| {
        let file = files.iter().find(|(name, _)| Path::new(name) == path);
        file.map(|(_, bytes)| bytes.clone()).ok_or_else(|| std::io::ErrorKind::NotFound.into())
    })
}

/// Reads the bytes of a file.
type ReadBytes<'a> = &'a dyn Fn(&Path) -> std::io::Result<Vec<u8>>;

fn open_all_by(
    paths: &[PathBuf],
    read_bytes: ReadBytes<'_>,
) -> Result<(RecordedSea, Vec<String>), SpectrumFileError> {
    let have_been_read = RefCell::new(HashSet::new());
    let read_and_note = |path: &Path| {
        let bytes = read_bytes(path)?;
        have_been_read.borrow_mut().insert(path.to_owned());
        Ok(bytes)
    };
    let (mut parts, mut notes) = (Vec::new(), Vec::new());
    for path in paths {
        if have_been_read.borrow().contains(path) {
            continue;
        }
        let (record, more) = open_by(path, &read_and_note)?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        parts.push((name.to_string_lossy().into_owned(), record));
        notes.extend(more);
    }
    if parts.is_empty() {
        return Err(SpectrumFileError::NotFound { file: String::new() });
    }
    let record = joined::join(parts, &mut notes)?;
    Ok((record, notes))
}

fn open_by(
    path: &Path,
    read_bytes: ReadBytes<'_>,
) -> Result<(RecordedSea, Vec<String>), SpectrumFileError> {
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let refused = RefCell::new(None);
    let read_file = |name: &str| match read_bytes(&folder.join(name)) {
        Ok(bytes) => Some(bytes),
        Err(error) => {
            if error.kind() != std::io::ErrorKind::NotFound {
                refused.replace(Some(error.to_string()));
            }
            None
        }
    };
    let result = read(&name, &read_file);
    match (result, refused.into_inner()) {
        (Err(SpectrumFileError::NotFound { .. }), Some(reason)) => {
            Err(SpectrumFileError::Unreadable { file: path.display().to_string(), reason })
        }
        (Err(SpectrumFileError::NotFound { .. }), None) => {
            Err(SpectrumFileError::NotFound { file: path.display().to_string() })
        }
        (result, _) => result,
    }
}

/// The formats that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// The five files of NDBC's last 45 days: `.data_spec`, `.swdir`, `.swdir2`, `.swr1`, `.swr2`.
    NdbcRealtime,
    /// The five yearly files of NDBC's archive, named `41010w2023.txt` and with d, i, j, k for w.
    NdbcYearly,
    /// The formatted station spectra of WAVEWATCH III.
    WaveWatch,
    /// SWAN's standard spectral file with two-dimensional spectra.
    Swan,
    /// The CSV download of Sofar's Spotter.
    SpotterCsv,
    /// The JSON of Sofar's API.
    SpotterJson,
    /// Our own CSV.
    Csv,
    /// Our own JSON.
    Json,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 8] = [
        Self::NdbcRealtime,
        Self::NdbcYearly,
        Self::WaveWatch,
        Self::Swan,
        Self::SpotterCsv,
        Self::SpotterJson,
        Self::Csv,
        Self::Json,
    ];
}

/// Returns the names and contents of the files of a sea in a format.
///
/// Formats of moments integrate tables. WAVEWATCH III and SWAN, which are tables, have moments as the
/// distributions of greatest entropy over 72 directions. WAVEWATCH III, SWAN and the yearly NDBC files have one
/// frequency axis: a sea whose axis changes becomes several files, numbered from the second. Formats that need
/// times give 1970 to spectra without a time.
pub fn write(format: Format, sea: &RecordedSea) -> Vec<(String, Vec<u8>)> {
    match format {
        Format::NdbcRealtime => ndbc::write_realtime(sea),
        Format::NdbcYearly => ndbc::write_yearly(sea),
        Format::WaveWatch => wave_watch::write(sea),
        Format::Swan => swan::write(sea),
        Format::SpotterCsv => spotter::write_csv(sea),
        Format::SpotterJson => spotter::write_json(sea),
        Format::Csv => plain::write_csv(sea),
        Format::Json => plain::write_json(sea),
    }
}

/// The station's name as part of a file name.
fn file_stem(sea: &RecordedSea) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let stem: String = sea.station().trim().chars().take(60).map(kept).collect();
    if stem.is_empty() { "sea".into() } else { stem }
}

/// Runs of consecutive spectra with the same frequencies and directions.
fn runs_of_equal_axes(sea: &RecordedSea) -> impl Iterator<Item = (String, &[RecordedSpectrum])> {
    let directions = |spectrum: &RecordedSpectrum| match &spectrum.directions {
        RecordedDirections::Moments(_) => Vec::new(),
        RecordedDirections::Table { towards_rad, .. } => towards_rad.clone(),
    };
    sea.spectra()
        .chunk_by(move |a, b| {
            a.frequencies_hz == b.frequencies_hz && directions(a) == directions(b)
        })
        .enumerate()
        .map(|(i, run)| (if i == 0 { String::new() } else { format!("-{}", i + 1) }, run))
}
