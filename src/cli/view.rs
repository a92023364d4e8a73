//! What frames show in place of the picture.

use seaway::debug_view::{DebugChoice, DebugView, MapChannel};
use seaway::spectrum::MAX_CASCADES;

use super::args;

/// A debug view, and of what.
#[derive(clap::Args)]
#[command(next_help_heading = "Debug view")]
pub struct ViewArgs {
    /// What to show: the picture, or a view into the simulation
    #[arg(
        long,
        value_name = "NAME",
        default_value = "picture",
        value_parser = args::choice::<DebugView>()
    )]
    view: DebugView,
    /// Of --view map: displacement dx, dz, h, and its derivatives
    #[arg(
        long,
        value_name = "NAME",
        default_value = "h",
        value_parser = args::choice::<MapChannel>()
    )]
    view_channel: MapChannel,
    /// Of --view map and spectrum: the cascade, from the longest waves to the shortest
    #[arg(
        long,
        value_name = "N",
        default_value = "0",
        value_parser = args::number(0u32..=MAX_CASCADES - 1)
    )]
    view_cascade: u32,
}

impl ViewArgs {
    /// What the options come to.
    pub fn choice(&self) -> DebugChoice {
        DebugChoice { view: self.view, channel: self.view_channel, cascade: self.view_cascade }
    }
}
