//! `seaway spectrum`: oceanography's predictions for a sea state, as numbers and as curves. Needs no adapter.

use crate::settings::Preset;
use crate::spectrum::wind::cox_munk_slope_variance;
use crate::spectrum::{DirectionalSpectrum, InitialSpectrum, SeaSummary, WaveSystem};
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
Curve: S(omega) in m2 s/rad, for all systems together, at frequencies in equal
steps of ln omega.

Examples:
  seaway spectrum --wind-speed-mps 12 --fetch-m 80000
  seaway spectrum --preset crossing-seas --format csv > crossing.csv";

#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Output format; csv has the curve only
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
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

/// The field names are the keys of the JSON output, which is stable.
#[derive(Serialize)]
struct Report {
    preset: String,
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
    let summary = SeaSummary::of(&sea);
    let initial = InitialSpectrum::new(&sea, grid.size, grid.cascades)?;
    let spectrum = DirectionalSpectrum::of(&sea);
    let [along, across] = cox_munk_slope_variance(&sea);
    let [xx, zz, _] = initial.unresolved_slope_covariance();
    let displaced = initial.displaced_over_rest;
    let (omega_rad_per_s, s_m2_s_per_rad) = curve(&spectrum, args.points);
    let report = Report {
        preset: args.sea.preset_name().to_owned(),
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
        systems: systems(&spectrum),
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

fn systems(spectrum: &DirectionalSpectrum) -> Vec<SystemRow> {
    let row = |system: &WaveSystem| SystemRow {
        name: system.name,
        significant_wave_height_m: 4.0 * system.frequency.total_variance_m2().sqrt(),
        peak_period_s: std::f64::consts::TAU / system.frequency.peak_rad_per_s(),
        direction_deg: system.towards[1].atan2(system.towards[0]).to_degrees(),
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
        [&sea[..], &systems, &cascades].map(output::table).join("\n")
    }
}
