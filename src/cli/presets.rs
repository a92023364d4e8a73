//! `seaway presets`: the sea states that ship, and the user's own.

use crate::settings::{Preset, UserPresets};
use crate::spectrum::SeaSummary;
use serde::Serialize;

use super::output::{self, Format};

#[derive(clap::Args)]
pub struct Args {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Print one preset as TOML instead, as a starting point for a preset of your own
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "format")]
    show: Option<String>,
}

#[derive(Serialize)]
/// The field names are the keys of the JSON output, which is stable.
struct Row {
    name: String,
    description: String,
    significant_wave_height_m: f64,
    peak_period_s: f64,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(wanted) = &args.show {
        let preset = super::scene::load(wanted)?;
        let shipped = Preset::SHIPPED.iter().find(|(name, _)| name == wanted);
        return output::print(&shipped.map_or(preset.to_toml(), |(_, text)| (*text).to_owned()));
    }
    let mut rows = Preset::SHIPPED
        .iter()
        .map(|(name, text)| Ok(row(name, &Preset::parse(name, text)?)))
        .collect::<anyhow::Result<Vec<_>>>()?;
    for own in UserPresets::of_user().map_or_else(|| Ok(Vec::new()), |own| own.list())? {
        match own.content {
            Ok((preset, _)) => rows.push(row(&own.name, &preset)),
            Err(error) => eprintln!("warning: {error}"),
        }
    }
    match args.format {
        Format::Json => output::print_json(&rows),
        Format::Table => {
            let headings = ["name", "Hs [m]", "Tp [s]", "description"].map(String::from).to_vec();
            let cells = |row: &Row| {
                vec![
                    row.name.clone(),
                    format!("{:6.2}", row.significant_wave_height_m),
                    format!("{:6.1}", row.peak_period_s),
                    row.description.clone(),
                ]
            };
            let table: Vec<_> = std::iter::once(headings).chain(rows.iter().map(cells)).collect();
            output::print(&output::table(&table))
        }
    }
}

fn row(name: &str, preset: &Preset) -> Row {
    let summary = SeaSummary::of(&preset.sea);
    Row {
        name: name.to_owned(),
        description: preset.description.clone(),
        significant_wave_height_m: summary.significant_wave_height_m,
        peak_period_s: summary.peak_period_s,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_have_seas_that_their_winds_allow() {
        for (name, text) in Preset::SHIPPED {
            let sea = Preset::parse(name, text).unwrap().sea;
            assert_eq!(SeaSummary::of(&sea).warnings().next(), None, "{name}");
        }
    }
}
