//! The debug view of a command's frames.

use crate::debug_view::{DebugChoice, DebugView, MapChannel};
use crate::spectrum::MAX_CASCADES;

use super::args;
use super::exit::Usage;

const HEADING: &str = "Debug view";

/// A debug view and its options.
// (A heading for all of them would be that of the options after them, too.)
#[derive(clap::Args)]
pub struct ViewArgs {
    /// View to draw: the picture, or a debug view of the simulation
    #[arg(
        long,
        value_name = "NAME",
        default_value = "picture",
        value_parser = args::choice::<DebugView>(),
        help_heading = HEADING
    )]
    view: DebugView,
    /// With --view map: channel to show, a displacement (dx, dz, h) or one of its derivatives [default: h]
    #[arg(
        long,
        value_name = "NAME",
        value_parser = args::choice::<MapChannel>(),
        help_heading = HEADING
    )]
    view_channel: Option<MapChannel>,
    /// With --view map or spectrum: cascade to show, from 0, the longest waves [default: 0]
    #[arg(
        long,
        value_name = "N",
        value_parser = args::number(0u32..=MAX_CASCADES - 1),
        help_heading = HEADING
    )]
    view_cascade: Option<u32>,
}

impl ViewArgs {
    /// Resolves the options for a sea with the given number of cascades. Fails for an option that the view
    /// does not use, or a cascade that the sea lacks.
    pub fn choice(&self, cascades: u32) -> Result<DebugChoice, Usage> {
        let Self { view, view_channel, view_cascade } = *self;
        if view_channel.is_some() && view != DebugView::Map {
            return Err(Usage(format!(
                "--view-channel needs --view map, and does not apply to {view}"
            )));
        }
        if view_cascade.is_some() && ![DebugView::Map, DebugView::Spectrum].contains(&view) {
            let views = "--view map or --view spectrum";
            return Err(Usage(format!(
                "--view-cascade needs {views}, and does not apply to {view}"
            )));
        }
        if let Some(cascade) = view_cascade.filter(|&cascade| cascade >= cascades) {
            return Err(Usage(format!(
                "--view-cascade {cascade}: there are {cascades} cascades, counted from 0"
            )));
        }
        let usual = DebugChoice::default();
        Ok(DebugChoice {
            view,
            channel: view_channel.unwrap_or(usual.channel),
            cascade: view_cascade.unwrap_or(usual.cascade),
        })
    }
}
