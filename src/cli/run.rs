use std::path::PathBuf;

use crate::OceanPath;
use crate::fft::lab::AlgorithmChoice;
use crate::settings::QualityTier;

use super::Global;
use super::args;
use super::auto::Auto;
use super::scene::SceneArgs;

/// Settings that are not given come from the last session, or from the defaults for the adapter.
#[derive(clap::Args)]
#[cfg_attr(
    not(feature = "app"),
    allow(dead_code, reason = "without the window nothing reads them")
)]
pub struct Args {
    /// Quality of the picture [default: a tier that suits the adapter]
    #[arg(long, value_name = "TIER", value_parser = args::choice::<QualityTier>())]
    quality: Option<QualityTier>,
    /// Points along one side of each cascade's grid; a power of two [16 to 8192] [default: that of
    /// the last session, or of the tier]
    #[arg(long, value_name = "N", value_parser = args::ocean_size)]
    size: Option<u32>,
    /// FFT algorithm
    #[arg(long, value_name = "NAME", value_parser = args::ocean_algorithm())]
    algorithm: Option<AlgorithmChoice>,
    /// Passes of the ocean: `fused` evolves the spectrum and writes the maps within the FFT,
    /// `plain` uses a pass of its own for each
    #[arg(long, value_name = "NAME", value_parser = args::choice::<OceanPath>())]
    path: Option<OceanPath>,
    #[command(flatten)]
    auto: Auto,
    /// Width and height of the window, in logical pixels
    #[arg(long, value_name = "WxH", value_parser = args::resolution)]
    resolution: Option<[u32; 2]>,
    /// Start in full screen
    #[arg(long)]
    full_screen: bool,
    /// Wait for the display before each frame (vsync)
    #[arg(long, value_name = "BOOL")]
    vsync: Option<bool>,
    /// Maximum number of frames per second; 0 for no limit [0 to 1000]
    #[arg(long, value_name = "N", value_parser = args::number(0u32..=1000))]
    frame_cap: Option<u32>,
    /// Serve live profiles to puffin_viewer on 127.0.0.1:8585
    #[arg(long)]
    profile: bool,
    /// Watch the shaders in DIR, and reload those that change [default: the folder that seaway was
    /// built from]
    #[arg(long, value_name = "DIR", num_args = 0..=1)]
    watch_shaders: Option<Option<PathBuf>>,
    /// Move through the hours of the spectrum file, at H hours a minute, from the hour that is given
    /// [0.1 to 120] [default hour: the first]
    #[arg(long, value_name = "H", value_parser = args::number(0.1..=120.0))]
    voyage: Option<f64>,
    /// Ignore the settings of the last session, and do not save those of this one
    #[arg(long)]
    fresh: bool,
    /// For tests: what is to fail at which frame, as in surface-lost@20,device-lost@40
    #[cfg(feature = "app")]
    #[arg(long, hide = true, value_name = "FAULT@FRAME", value_delimiter = ',', value_parser = fault)]
    inject: Vec<(crate::app::Fault, u64)>,
    #[command(flatten)]
    scene: SceneArgs,
}

#[cfg(feature = "app")]
fn fault(text: &str) -> Result<(crate::app::Fault, u64), String> {
    let (fault, frame) = text.split_once('@').ok_or("expected FAULT@FRAME")?;
    let frame = frame.parse().map_err(|error| format!("{frame:?}: {error}"))?;
    Ok((fault.parse()?, frame))
}

#[cfg(feature = "app")]
pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    use super::exit::Usage;
    use crate::app::{self, RunOptions};

    let scene = args.scene.resolve_given(args.voyage.is_some())?;
    let is_recorded = scene.as_ref().is_some_and(|(_, scene)| scene.sea.recorded.is_some());
    if args.voyage.is_some() && !is_recorded {
        return Err(Usage(
            "--voyage needs --spectrum-file, or a preset with a spectrum file".to_owned(),
        )
        .into());
    }
    let options = RunOptions {
        scene,
        eye_above_water_m: args.scene.eye_level().above_water_m(),
        tier: args.quality,
        size: args.size,
        algorithm: args.algorithm,
        path: args.path,
        no_cache: args.auto.no_cache,
        limits: global.limits.into(),
        resolution: args.resolution,
        full_screen: args.full_screen,
        vsync: args.vsync,
        frame_cap: args.frame_cap,
        profile: args.profile,
        watch_shaders: args
            .watch_shaders
            .clone()
            .map(|folder| folder.unwrap_or_else(app::default_shader_folder)),
        voyage_hours_per_min: args.voyage,
        fresh: args.fresh,
        faults: args.inject.clone(),
    };
    Ok(app::run(options)?)
}

#[cfg(not(feature = "app"))]
pub fn run(_args: &Args, _global: &Global) -> anyhow::Result<()> {
    anyhow::bail!(
        "this seaway was built without the window: build it with the feature `app` (the default), \
         or use `seaway render`"
    )
}
