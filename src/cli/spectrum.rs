//! `seaway spectrum`: oceanography's predictions for a sea state, as numbers and as curves. Needs no adapter.

use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

use crate::measurement::{Subject, Theory};
use crate::settings::{Preset, RecordedSea, RecordedSpectrum, RecordedSummary, SeaState};
use crate::spectrum::wind::cox_munk_slope_variance;
use crate::spectrum::{DirectionalSpectrum, InitialSpectrum, WaveDirections, WaveSystem};
use crate::spectrum_file;
use serde::Serialize;

use super::output;
use super::scene::{GridArgs, SeaArgs};

const AFTER_HELP: &str = "\
Figures of the whole sea (keys of --format json):
  significant_wave_height_m         Hs = 4 sqrt(m0)
  peak_period_s                     of the system with the highest waves
  mean_zero_crossing_period_s       Tz = 2 pi sqrt(m0/m2)
  mean_square_slope, .._along, .._across
                                    variance of the slopes of all waves (with
                                    --short-waves model, of those down to 2 mm),
                                    along and across the wind, on the surface as
                                    choppiness displaces it; measured_.. is the
                                    variance by Cox and Munk (1954), which
                                    levels off beyond 14 m/s (Katzberg 2006)
  unresolved_mean_square_slope      the part of it that is too fine for the maps
                                    of the cascades and is drawn as roughness
With --spectrum-file, the figures of the file stand beside those of the waves
that this seed has drawn from it, up to the file's last frequency (recorded).
Curve: S(omega) in m2 s/rad, for all systems together, at frequencies in equal
steps of ln omega.

Examples:
  seaway spectrum --wind-speed-mps 12 --fetch-m 80000
  seaway spectrum --preset crossing-seas --format csv > crossing.csv
  seaway spectrum --spectrum-file 41010.data_spec
  seaway spectrum --preset storm --out storm --file-format swan";

#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Output format; csv has the curve only
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Folder for the directional spectrum S(f, theta) of the sea as a file of --file-format
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Format of the file in --out
    #[arg(long, value_enum, default_value_t = FileFormat::Csv, requires = "out")]
    file_format: FileFormat,
    /// Number of points of the curve [2 to 100000]
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    points: u32,
    #[command(flatten)]
    grid: GridArgs,
    #[command(flatten)]
    sea: SeaArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The figures, as aligned tables
    Table,
    /// The figures and the curve, as JSON
    Json,
    /// The curve, as comma-separated values
    Csv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FileFormat {
    /// Five files as NDBC publishes them for the last 45 days
    NdbcRealtime,
    /// Five files as in NDBC's archive
    NdbcYearly,
    /// Station spectra of WAVEWATCH III (ASCII)
    Wavewatch,
    /// Two-dimensional spectra of SWAN (ASCII)
    Swan,
    /// CSV of a Spotter
    SpotterCsv,
    /// JSON of a Spotter
    SpotterJson,
    /// A table of frequencies and directions
    Csv,
    /// The same as JSON
    Json,
}

impl From<FileFormat> for spectrum_file::Format {
    fn from(format: FileFormat) -> Self {
        match format {
            FileFormat::NdbcRealtime => Self::NdbcRealtime,
            FileFormat::NdbcYearly => Self::NdbcYearly,
            FileFormat::Wavewatch => Self::WaveWatch,
            FileFormat::Swan => Self::Swan,
            FileFormat::SpotterCsv => Self::SpotterCsv,
            FileFormat::SpotterJson => Self::SpotterJson,
            FileFormat::Csv => Self::Csv,
            FileFormat::Json => Self::Json,
        }
    }
}

/// The figures of a spectrum file, and those of the waves that the seed has drawn from it.
#[derive(Serialize)]
struct RecordedRow {
    station: String,
    source: String,
    time: Option<String>,
    file: RecordedSummary,
    drawn: RecordedSummary,
    /// The standard error of the drawn wave height by chance.
    drawn_height_error_m: f64,
}

/// The field names are the keys of the JSON output, which is stable.
#[derive(Serialize)]
struct Report {
    preset: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded: Option<RecordedRow>,
    significant_wave_height_m: f64,
    peak_period_s: f64,
    peak_wavelength_m: f64,
    mean_zero_crossing_period_s: f64,
    mean_square_slope: f64,
    mean_square_slope_along: f64,
    mean_square_slope_across: f64,
    /// By Cox and Munk, from the wind alone.
    measured_mean_square_slope_along: f64,
    measured_mean_square_slope_across: f64,
    unresolved_mean_square_slope: f64,
    systems: Vec<SystemRow>,
    cascades: Vec<CascadeRow>,
    omega_rad_per_s: Vec<f64>,
    s_m2_s_per_rad: Vec<f64>,
}

/// The wind sea, or a swell, before its short waves are replaced by measured ones.
#[derive(Serialize)]
struct SystemRow {
    name: &'static str,
    significant_wave_height_m: f64,
    peak_period_s: f64,
    direction_deg: f64,
}

#[derive(Serialize)]
struct CascadeRow {
    patch_size_m: f64,
    first_rad_per_m: f64,
    last_rad_per_m: f64,
    significant_wave_height_m: f64,
    mean_square_slope: f64,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let grid = args.grid.resolve()?;
    let Preset { sea, .. } = args.sea.resolve()?;
    let initial = InitialSpectrum::new(&sea, grid.size, grid.cascades)?;
    let (summary, spectrum) = (&initial.summary, &initial.spectrum);
    let [along, across] = cox_munk_slope_variance(&sea);
    let [xx, zz, _] = initial.unresolved_slope_covariance();
    let displaced = initial.displaced_over_rest;
    let (omega_rad_per_s, s_m2_s_per_rad) = curve(spectrum, args.points);
    if let Some(folder) = &args.out {
        write_file(folder, args.file_format.into(), &initial)?;
    }
    let report = Report {
        preset: args.sea.preset_name().to_owned(),
        recorded: recorded(&initial),
        significant_wave_height_m: summary.significant_wave_height_m,
        peak_period_s: summary.peak_period_s,
        peak_wavelength_m: summary.peak_wavelength_m,
        mean_zero_crossing_period_s: summary.mean_zero_crossing_period_s,
        mean_square_slope: displaced * summary.mean_square_slope,
        mean_square_slope_along: displaced * summary.mean_square_slope_along,
        mean_square_slope_across: displaced * summary.mean_square_slope_across,
        measured_mean_square_slope_along: along,
        measured_mean_square_slope_across: across,
        unresolved_mean_square_slope: displaced * (xx + zz),
        systems: systems(&sea, spectrum),
        cascades: cascades(&initial),
        omega_rad_per_s,
        s_m2_s_per_rad,
    };
    match args.format {
        Format::Json => output::print_json(&report),
        Format::Csv => output::print(&report.csv()),
        Format::Table => output::print(&report.table()),
    }
}

/// Writes the directional spectrum of a sea: up to 1 Hz in steps of 6%, or the spectrum file's own.
fn write_file(
    folder: &Path,
    format: spectrum_file::Format,
    InitialSpectrum { sea, summary, spectrum, .. }: &InitialSpectrum,
) -> anyhow::Result<()> {
    const LAST_HZ: f64 = 1.0;
    const STEP: f64 = 1.06;
    let [first, _] = spectrum.range_rad_per_m();
    let first_hz = spectrum.dispersion.omega_rad_per_s(first) / TAU;
    let last_hz = LAST_HZ.max(6.0 / summary.peak_period_s).min(RecordedSpectrum::HIGHEST_HZ);
    let count = ((last_hz / first_hz).ln() / STEP.ln()).max(2.0) as i32;
    let frequencies_hz = || (0..=count).map(|index| first_hz * STEP.powi(index)).collect();
    let added = [sea.significant_wave_height_m, sea.swell_height_m, sea.swell_2_height_m];
    let record = match &sea.recorded {
        // The file itself, if nothing was scaled or added.
        Some(record) if added == [0.0; 3] => RecordedSea::clone(record),
        other => {
            let name = other.as_ref().map_or("seaway", |record| record.station()).to_owned();
            let spectrum = RecordedSpectrum::of(sea, frequencies_hz());
            RecordedSea::new(name, "Seaway".to_owned(), None, vec![spectrum])?
        }
    };
    output::make_folder(folder)?;
    for (name, bytes) in spectrum_file::write(format, &record) {
        let path = folder.join(name);
        output::write_encoded(&path, Ok(bytes))?;
        eprintln!("Wrote {}", path.display());
    }
    Ok(())
}

fn recorded(initial: &InitialSpectrum) -> Option<RecordedRow> {
    let record = initial.sea.recorded.as_ref()?;
    let spectrum = record.at_hour(initial.sea.record_hour);
    let drawn = initial.as_record(&spectrum.frequencies_hz).summary();
    let theory = Theory::of(Subject::of(initial, &[]));
    Some(RecordedRow {
        station: record.station().to_owned(),
        source: record.source().to_owned(),
        time: spectrum.time_unix_s.map(spectrum_file::iso_time),
        file: spectrum.summary(),
        drawn,
        drawn_height_error_m: 0.5 * theory.variance_error * drawn.significant_wave_height_m,
    })
}

/// S(omega) in equal steps of ln omega: F(k) over d omega/d k.
fn curve(spectrum: &DirectionalSpectrum, points: u32) -> (Vec<f64>, Vec<f64>) {
    let dispersion = &spectrum.dispersion;
    let [first, last] = spectrum.range_rad_per_m().map(|k| dispersion.omega_rad_per_s(k));
    let step = (last / first).ln() / f64::from(points - 1);
    let at = |index: u32| {
        let omega = first * (step * f64::from(index)).exp();
        let k = dispersion.wavenumber_rad_per_m(omega);
        // Where there are no waves: 0, and not -0.
        (omega, 0.0 + spectrum.density_m3(k) / dispersion.group_velocity_mps(k))
    };
    (0..points).map(at).unzip()
}

fn systems(sea: &SeaState, spectrum: &DirectionalSpectrum) -> Vec<SystemRow> {
    let recorded = || sea.recorded.as_ref().map(|record| record.at_hour(sea.record_hour).summary());
    let row = |system: &WaveSystem| SystemRow {
        name: system.name,
        significant_wave_height_m: 4.0 * system.frequency.total_variance_m2().sqrt(),
        peak_period_s: TAU / system.frequency.peak_rad_per_s(),
        direction_deg: match system.directions {
            WaveDirections::Spread { towards: [x, z], .. } => z.atan2(x).to_degrees(),
            WaveDirections::Recorded => recorded().map_or(0.0, |summary| summary.direction_deg),
        },
    };
    spectrum.systems().iter().map(row).collect()
}

fn cascades(initial: &InitialSpectrum) -> Vec<CascadeRow> {
    let row = |(index, variance_m2): (usize, &f64)| {
        let cascade = &initial.cascades[index];
        let [xx, zz, _] = initial.slope_covariance(index);
        CascadeRow {
            patch_size_m: cascade.patch_size_m,
            first_rad_per_m: cascade.first_rad_per_m,
            last_rad_per_m: cascade.last_rad_per_m,
            significant_wave_height_m: 4.0 * variance_m2.sqrt(),
            mean_square_slope: xx + zz,
        }
    };
    initial.variance_m2.iter().enumerate().map(row).collect()
}

impl RecordedRow {
    fn table(&self) -> Vec<Vec<String>> {
        let row = |name: &str, summary: &RecordedSummary| {
            vec![
                name.to_owned(),
                format!("{:.2}", summary.significant_wave_height_m),
                format!("{:.2}", summary.peak_period_s),
                format!("{:.0}", summary.direction_deg),
                format!("{:.0}", summary.spread_deg),
            ]
        };
        let headings = ["up to the last frequency", "Hs [m]", "Tp [s]", "to [deg]", "spread [deg]"];
        let mut drawn = row("waves of this seed", &self.drawn);
        drawn[1] += &format!(" +- {:.2}", self.drawn_height_error_m);
        vec![headings.map(str::to_owned).to_vec(), row("spectrum file", &self.file), drawn]
    }
}

impl Report {
    fn csv(&self) -> String {
        let rows = self.omega_rad_per_s.iter().zip(&self.s_m2_s_per_rad);
        let rows = rows.map(|(omega, s)| format!("{omega:e},{s:e}\n"));
        "omega_rad_per_s,s_m2_s_per_rad\n".to_owned() + &rows.collect::<String>()
    }

    fn table(&self) -> String {
        let number = |name: &str, value: String| vec![name.to_owned(), value];
        let against = |ours: f64, measured: f64| format!("{ours:.5}  (Cox and Munk {measured:.5})");
        let sea = [
            number("Hs", format!("{:.2} m", self.significant_wave_height_m)),
            number(
                "Tp",
                format!("{:.2} s, {:.1} m long", self.peak_period_s, self.peak_wavelength_m),
            ),
            number("Tz", format!("{:.2} s", self.mean_zero_crossing_period_s)),
            number(
                "slope variance along the wind",
                against(self.mean_square_slope_along, self.measured_mean_square_slope_along),
            ),
            number(
                "slope variance across the wind",
                against(self.mean_square_slope_across, self.measured_mean_square_slope_across),
            ),
            number(
                "of both, too fine for the maps",
                format!("{:.5}", self.unresolved_mean_square_slope),
            ),
        ];
        let recorded: Vec<Vec<String>> =
            self.recorded.iter().flat_map(RecordedRow::table).collect();
        let headings = |names: &[&str]| vec![names.iter().map(|&name| name.to_owned()).collect()];
        let mut systems: Vec<Vec<String>> = headings(&["system", "Hs [m]", "Tp [s]", "to [deg]"]);
        systems.extend(self.systems.iter().map(|row| {
            vec![
                row.name.to_owned(),
                format!("{:.2}", row.significant_wave_height_m),
                format!("{:.2}", row.peak_period_s),
                format!("{:.0}", row.direction_deg),
            ]
        }));
        let mut cascades: Vec<Vec<String>> =
            headings(&["patch [m]", "from [rad/m]", "to [rad/m]", "Hs [m]", "slope variance"]);
        cascades.extend(self.cascades.iter().map(|row| {
            vec![
                format!("{:.2}", row.patch_size_m),
                format!("{:.4}", row.first_rad_per_m),
                format!("{:.4}", row.last_rad_per_m),
                format!("{:.3}", row.significant_wave_height_m),
                format!("{:.5}", row.mean_square_slope),
            ]
        }));
        let tables: [&[Vec<String>]; 4] = [&sea, &recorded, &systems, &cascades];
        let tables = tables.into_iter().filter(|table| !table.is_empty());
        tables.map(output::table).collect::<Vec<_>>().join("\n")
    }
}
