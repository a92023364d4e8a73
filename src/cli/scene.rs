//! The options of scene and quality, the same on every command that draws.

use std::path::PathBuf;
use std::sync::Arc;

use crate::OceanError;
use crate::eye::EyeLevel;
use crate::fft::lab::{Algorithm, AlgorithmChoice};
use crate::fft::{FftError, Unsupported};
use crate::frame::automatic_tier;
use crate::gpu::Context;
use crate::maps::MapsError;
use crate::settings::{
    CameraPose, Field, Light, Preset, PresetError, Quality, QualityTier, SeaState, SettingError,
    Settings, UserPresetError, UserPresets, Value,
};
use crate::spectrum::{SeaSummary, equilibrium_wind};
use crate::spectrum_file;
use anyhow::anyhow;

use super::args::{self, Overrides};
use super::exit::Usage;

const CAMERA: [&str; 5] = ["x_m", "y_m", "z_m", "yaw_deg", "pitch_deg"];
const SUN: [&str; 2] = ["sun_azimuth_deg", "sun_elevation_deg"];

/// The options of the sea.
#[derive(clap::Args)]
pub struct SeaArgs {
    /// Preset to start from: a shipped one or your own by name (see `seaway presets`), or a preset
    /// file. The options below override it [default: breeze]
    #[arg(long, value_name = "NAME|FILE")]
    preset: Option<String>,
    /// Wave spectra that a buoy measured or a model computed, in place of a spectrum model: NDBC (any of the
    /// five files), WAVEWATCH III, SWAN, Spotter, or Seaway's CSV and JSON; .gz too. FILE#POINT selects a
    /// point. Several files are one record, in order of time. The wind is the file's, or follows from its waves,
    /// and the depth the file's or the preset's; the options below override them
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = SeaState::TITLE)]
    spectrum_file: Vec<PathBuf>,
    /// Time of the spectrum file in UTC, as in 2019-02-10T05:40 [default: the time of its highest sea]
    #[arg(
        long,
        value_name = "TIME",
        value_parser = time,
        conflicts_with = "record_hour",
        help_heading = SeaState::TITLE
    )]
    spectrum_time: Option<i64>,
    #[command(flatten)]
    sea: Overrides<SeaState>,
}

/// Parses a time in UTC, to seconds since 1970.
fn time(text: &str) -> Result<i64, String> {
    spectrum_file::parse_time(text)
        .ok_or_else(|| "expected a time as in 2019-02-10T05:40".to_owned())
}

impl SeaArgs {
    /// The preset with the options applied to its sea, which has no other hours of a spectrum file than the
    /// one that is drawn.
    pub fn resolve(&self) -> anyhow::Result<Preset> {
        let mut scene = self.resolve_all_hours(false)?;
        scene.sea.keep_hour();
        Ok(scene)
    }

    /// The preset with the options applied to its sea, and all hours of a spectrum file; at the first of them
    /// for a voyage.
    fn resolve_all_hours(&self, is_voyage: bool) -> anyhow::Result<Preset> {
        let mut scene = load(self.preset_name())?;
        if !self.spectrum_file.is_empty() {
            let (record, notes) = spectrum_file::open_all(&self.spectrum_file)?;
            for note in notes {
                eprintln!("warning: {note}");
            }
            scene.sea.use_record(Arc::new(record));
        }
        if is_voyage {
            scene.sea.use_hour(0.0);
        }
        if let Some(time_unix_s) = self.spectrum_time {
            let record = scene.sea.recorded.as_ref();
            let hour = record.ok_or_else(|| {
                Usage(
                    "--spectrum-time needs --spectrum-file, or a preset with a spectrum file"
                        .to_owned(),
                )
            })?;
            let hour = hour.hour_of(time_unix_s).map_err(|error| Usage(error.to_string()))?;
            scene.sea.use_hour(hour);
        }
        if let Some(Value::Number(hour)) = self.sea.value("record_hour") {
            scene.sea.use_hour(hour);
        }
        self.sea.apply(&mut scene.sea)?;
        for field in self.sea.fields().filter(|field| !field.applies(&scene.sea)) {
            eprintln!("warning: --{} has no effect unless {}", field.flag(), field.condition);
        }
        for warning in SeaSummary::of(&scene.sea).warnings() {
            eprintln!("warning: {warning}");
        }
        if !self.spectrum_file.is_empty() {
            self.report_record(&scene.sea);
        }
        Ok(scene)
    }

    /// Reports the time, the wind and the depth of the sea that comes from a file.
    fn report_record(&self, sea: &SeaState) {
        let Some(record) = &sea.recorded else { return };
        let spectrum = record.at_hour(sea.record_hour);
        let station = if record.station().is_empty() { "unnamed" } else { record.station() };
        let time = spectrum.time_unix_s.map(spectrum_file::iso_time);
        let is_given = |names: &[&str]| self.sea.fields().any(|field| names.contains(&field.name));
        let wind = match spectrum.wind {
            _ if is_given(&["wind_speed_mps", "wind_direction_deg"]) => "as given",
            Some(_) if record.spectra().iter().any(|spectrum| spectrum.wind.is_some()) => {
                "from the file"
            }
            _ if equilibrium_wind(&spectrum).is_some() => "estimated from the short waves",
            _ => "of the preset",
        };
        let depth = match spectrum.depth_m {
            _ if is_given(&["depth_m"]) => "as given",
            Some(_) => "from the file",
            None => "of the preset",
        };
        eprintln!(
            "Spectrum: station {station} ({}), {} of {} times{}; wind {:.1} m/s towards {:.0} degrees \
             ({wind}); depth {:.0} m ({depth})",
            record.source(),
            record.hours().filter(|hour| *hour <= sea.record_hour).count().max(1),
            record.spectra().len(),
            time.map_or_else(String::new, |time| format!(", {time}")),
            sea.wind_speed_mps,
            sea.wind_direction_deg,
            sea.depth_m,
        );
    }

    pub fn preset_name(&self) -> &str {
        self.preset.as_deref().unwrap_or(Preset::DEFAULT_NAME)
    }
}

/// The grids of a sea that is not drawn.
#[derive(clap::Args)]
pub struct GridArgs {
    /// Points along one side of each cascade's grid; a power of two [16 to 8192] [default: 256]
    #[arg(long, value_name = "INTEGER", value_parser = args::one_setting::<Quality>("size"))]
    size: Option<Value>,
    /// Number of cascades, each of finer waves than the one before [1 to 4] [default: 4]
    #[arg(long, value_name = "INTEGER", value_parser = args::one_setting::<Quality>("cascades"))]
    cascades: Option<Value>,
}

impl GridArgs {
    /// The default quality with the options applied.
    pub fn resolve(&self) -> anyhow::Result<Quality> {
        let mut grid = Quality::default();
        set_all(&mut grid, ["size"], self.size.map(|size| [size]))?;
        set_all(&mut grid, ["cascades"], self.cascades.map(|cascades| [cascades]))?;
        Ok(grid)
    }
}

/// The sea, its light and the camera.
#[derive(clap::Args)]
pub struct SceneArgs {
    #[command(flatten)]
    sea: SeaArgs,
    /// Camera position in metres and angles in degrees: yaw 0 looks along +X and 90 along +Z; a positive
    /// pitch looks up. Y is the height above still water; where a wave is higher, the eye is raised above it.
    /// Below 0 the eye is under water
    #[arg(
        long,
        value_name = "X,Y,Z,YAW,PITCH",
        allow_hyphen_values = true,
        value_parser = args::setting_list::<CameraPose, 5>(CAMERA),
        help_heading = CameraPose::TITLE
    )]
    camera: Option<[Value; 5]>,
    /// Vertical field of view in degrees [10 to 110]
    #[arg(
        long,
        value_name = "NUMBER",
        value_parser = args::one_setting::<CameraPose>("fov_deg"),
        help_heading = CameraPose::TITLE
    )]
    fov_deg: Option<Value>,
    /// Height of the eye above the waves, in metres: the eye follows them, and the Y of --camera is
    /// ignored [0.5 to 50]
    #[arg(
        long,
        value_name = "METRES",
        allow_negative_numbers = true,
        value_parser = args::number(EyeLevel::HEIGHTS_M),
        help_heading = CameraPose::TITLE
    )]
    eye_above_water: Option<f64>,
    /// Position of the sun in degrees: azimuth from +X towards +Z, elevation above the horizon
    #[arg(
        long,
        value_name = "AZIMUTH,ELEVATION",
        allow_hyphen_values = true,
        value_parser = args::setting_list::<Light, 2>(SUN),
        conflicts_with_all = SUN,
        help_heading = Light::TITLE
    )]
    sun: Option<[Value; 2]>,
    #[command(flatten)]
    others: Overrides<Preset>,
}

impl SceneArgs {
    pub fn resolve(&self) -> anyhow::Result<Preset> {
        self.with_others(self.sea.resolve()?)
    }

    fn with_others(&self, mut scene: Preset) -> anyhow::Result<Preset> {
        self.others.apply(&mut scene)?;
        set_all(&mut scene.light, SUN, self.sun)?;
        set_all(&mut scene.camera, CAMERA, self.camera)?;
        set_all(&mut scene.camera, ["fov_deg"], self.fov_deg.map(|fov| [fov]))?;
        Ok(scene)
    }

    /// Warns about options whose effect `quality` does not draw.
    pub fn warn_of_what_is_not_shown(&self, quality: &Quality) {
        for hidden in self.not_shown(quality) {
            eprintln!("warning: {hidden}");
        }
    }

    fn not_shown(&self, quality: &Quality) -> Vec<String> {
        let sea = self.sea.sea.fields().filter_map(|field| Preset::field(field.name));
        let given = self.others.fields().chain(sea);
        let hidden = given.filter_map(|field| {
            let needed = quality.hidden(field)?.iter();
            let options =
                needed.map(|(name, value)| format!(" --{} {value}", name.replace('_', "-")));
            let options: String = options.collect();
            Some(format!("this quality does not draw --{}: add{options}", field.flag()))
        });
        hidden.collect()
    }

    /// The level of the eye: above still water or above the waves.
    pub fn eye_level(&self) -> EyeLevel {
        let on_water = |height_m| EyeLevel::OnWater { height_m };
        self.eye_above_water.map_or(EyeLevel::OverStillWater, on_water)
    }

    /// [`SceneArgs::resolve`] with the preset's name, or `None` if no option concerns the scene. A voyage begins
    /// at the first hour of a spectrum file where no hour is given.
    #[cfg(feature = "app")]
    pub fn resolve_given(&self, is_voyage: bool) -> anyhow::Result<Option<(String, Preset)>> {
        let given = self.sea.preset.is_some()
            || self.camera.is_some()
            || self.fov_deg.is_some()
            || self.sun.is_some()
            || self.others.fields().next().is_some()
            || !self.sea.spectrum_file.is_empty()
            || self.sea.spectrum_time.is_some()
            || self.sea.sea.fields().next().is_some();
        let resolve = || {
            let mut scene = self.sea.resolve_all_hours(is_voyage)?;
            if let Some(count) = scene.sea.limit_record() {
                eprintln!("warning: of {count} times, those around the drawn one are kept");
            }
            self.with_others(scene)
        };
        given.then(|| Ok((self.preset_name().to_owned(), resolve()?))).transpose()
    }

    pub fn preset_name(&self) -> &str {
        self.sea.preset_name()
    }
}

/// Adds advice to an error about an ocean that does not fit the adapter.
pub fn with_cure(error: OceanError) -> anyhow::Error {
    let is_limit = matches!(
        error,
        OceanError::Fft(FftError::Unsupported(Unsupported::Limit { .. }))
            | OceanError::Maps(MapsError::Limit { .. })
    );
    if is_limit {
        anyhow!("{error}: choose a smaller --size or fewer --cascades")
    } else {
        error.into()
    }
}

pub fn load(name_or_path: &str) -> anyhow::Result<Preset> {
    let loaded = match UserPresets::of_user() {
        Some(own) => own.find(name_or_path),
        None => Preset::load(name_or_path).map_err(UserPresetError::from),
    };
    loaded.map_err(|error| match error {
        UserPresetError::Preset(PresetError::Malformed { .. } | PresetError::Invalid { .. }) => {
            anyhow!("{error}\n`seaway presets --show breeze` prints a preset to start from")
        }
        error => error.into(),
    })
}

/// Sets the named settings to `values`, if they are given.
pub fn set_all<S: Settings, const COUNT: usize>(
    settings: &mut S,
    names: [&'static str; COUNT],
    values: Option<[Value; COUNT]>,
) -> Result<(), SettingError> {
    let fields = names.map(args::field::<S>);
    let set = |(field, value): (&Field<S>, Value)| field.set(settings, value);
    fields.into_iter().zip(values.into_iter().flatten()).try_for_each(set)
}

/// The quality of the picture, and the FFT algorithm.
#[derive(clap::Args)]
pub struct QualityArgs {
    /// Tier of quality: a named set of the options below [default: high, so that frames are the
    /// same everywhere; for `profile`, a tier that suits the adapter]
    #[arg(
        long,
        value_name = "TIER",
        value_parser = args::choice::<QualityTier>(),
        help_heading = Quality::TITLE
    )]
    quality: Option<QualityTier>,
    /// FFT algorithm [default: the best known for the adapter; for `render` and `gallery`, which want a
    /// name, one that is the same on every adapter]
    #[arg(
        long,
        value_name = "NAME",
        value_parser = args::ocean_algorithm(),
        help_heading = Quality::TITLE
    )]
    algorithm: Option<AlgorithmChoice>,
    #[command(flatten)]
    overrides: Overrides<Quality>,
}

impl QualityArgs {
    /// The default tier. It is fixed and not measured, so that the same arguments give the same frames
    /// everywhere.
    pub const FIXED_TIER: QualityTier = QualityTier::High;

    /// The tier and the quality on `context`: if no tier was given, the suitable ones, which are printed.
    pub fn resolve_on(&self, context: &Context) -> anyhow::Result<(QualityTier, Quality)> {
        let tier = self.quality.unwrap_or_else(|| {
            let tier = automatic_tier(&context.adapter_info);
            let kind = match context.adapter_info.device_type {
                wgpu::DeviceType::Cpu => "software adapter",
                wgpu::DeviceType::IntegratedGpu => "integrated GPU",
                wgpu::DeviceType::VirtualGpu => "virtual GPU",
                wgpu::DeviceType::DiscreteGpu => "discrete GPU",
                wgpu::DeviceType::Other => "adapter of unknown kind",
            };
            eprintln!("Quality: {tier} ({kind}); choose another with --quality");
            tier
        });
        Ok((tier, self.resolve(tier)?))
    }

    /// The tier, if one was given.
    pub fn tier(&self) -> Option<QualityTier> {
        self.quality
    }

    /// The algorithm, or the best known if none was given.
    pub fn algorithm(&self) -> AlgorithmChoice {
        self.algorithm.unwrap_or(AlgorithmChoice::Best)
    }

    /// The algorithm, if one was given by name: for a command whose pictures must be reproducible.
    pub fn fixed_algorithm(&self, command: &str) -> Result<Option<Algorithm>, Usage> {
        match self.algorithm {
            Some(AlgorithmChoice::Auto) => Err(Usage(format!(
                "--algorithm auto depends on measurements, which differ from run to run, and frames of \
                 `seaway {command}` must not: choose an algorithm by name"
            ))),
            Some(AlgorithmChoice::Best) => Err(Usage(format!(
                "--algorithm best differs from adapter to adapter, and frames of `seaway {command}` must \
                 not: choose an algorithm by name"
            ))),
            asked => Ok(asked.and_then(AlgorithmChoice::named)),
        }
    }

    pub fn resolve(&self, tier: QualityTier) -> anyhow::Result<Quality> {
        let mut quality = Quality::of(tier);
        self.overrides.apply(&mut quality)?;
        Ok(quality)
    }
}

/// The number of samples that a picture is the mean of.
#[derive(clap::Args)]
pub struct SamplesArgs {
    /// Samples per pixel, taken at one time of the sea and averaged before tone mapping. More
    /// samples smooth edges and glitter, for stills and as a reference; N samples take N times as
    /// long. Values above 1 replace --msaa-samples [1 to 4096]
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        value_parser = args::number(1u32..=4096),
        help_heading = Quality::TITLE
    )]
    pub samples: u32,
}

impl SamplesArgs {
    /// Leaves antialiasing to the samples if there are several: edges smoothed by both would be blurred
    /// twice.
    pub fn apply(&self, quality: &mut Quality) {
        if self.samples > 1 {
            quality.msaa_samples = 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        scene: SceneArgs,
        #[command(flatten)]
        quality: QualityArgs,
    }

    fn parse(line: &str) -> Command {
        Command::try_parse_from(line.split(' ')).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn what_a_quality_does_not_draw_is_said() {
        let hidden = |line: &str| {
            let Command { scene, quality } = parse(line);
            let tier = quality.tier().unwrap();
            scene.not_shown(&quality.resolve(tier).unwrap()).len()
        };
        assert_eq!(hidden("x --quality low"), 0);
        assert_eq!(hidden("x --quality low --cloud-cover 0.5"), 1);
        assert_eq!(hidden("x --quality low --cloud-cover 0.5 --spray 2"), 2);
        assert_eq!(hidden("x --quality low --cloud-cover 0.5 --cloud-steps 16"), 0);
        assert_eq!(hidden("x --quality high --cloud-cover 0.5 --spray 2"), 0);
    }

    #[test]
    fn options_are_put_over_the_preset() {
        let storm = Preset::load("storm").unwrap();
        let scene =
            parse("x --preset storm --wind-speed-mps 12.5 --camera -1,2,3,90,-5 --sun -10,5")
                .scene
                .resolve()
                .unwrap();
        assert_eq!(scene.sea, SeaState { wind_speed_mps: 12.5, ..storm.sea });
        assert_eq!(
            scene.camera,
            CameraPose {
                x_m: -1.0,
                y_m: 2.0,
                z_m: 3.0,
                yaw_deg: 90.0,
                pitch_deg: -5.0,
                ..storm.camera
            }
        );
        assert_eq!(
            scene.light,
            Light { sun_azimuth_deg: -10.0, sun_elevation_deg: 5.0, ..storm.light }
        );
    }

    #[test]
    fn the_tier_comes_first_and_the_options_over_it() {
        let quality = parse("x --quality low --size 64").quality;
        let tier = quality.tier().unwrap();
        assert_eq!(quality.resolve(tier).unwrap(), Quality { size: 64, ..Quality::of(tier) });
    }

    #[test]
    fn values_between_the_allowed_ones_are_wrong_usage() {
        for (line, hint) in [
            ("x --size 300", "a power of two from 16 to 8192: 256 and 512 are"),
            ("x --msaa-samples 3", "one of 1, 4: 1 and 4 are"),
            ("x --tile-cells 7", "a multiple of 2 from 4 to 64: 6 and 8 are"),
            ("x --foam-texels 100", "64 and 128 are"),
            ("x --foam-texels 8", "0 and 16 are"),
            ("x --spray-cells 20", "a multiple of 8"),
        ] {
            let error = Command::try_parse_from(line.split(' ')).err().unwrap().to_string();
            assert!(error.contains(hint), "{line}: {error}");
        }
        for line in ["x --foam-texels 0", "x --foam-texels 16", "x --foam-texels 1024"] {
            parse(line).quality.resolve(QualityTier::High).unwrap();
        }
    }
}
