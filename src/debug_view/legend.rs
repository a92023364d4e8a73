//! The meaning of a view's colours, as data: panels draw it, and programs read values back.

use super::colours::{self, MARK};
use super::{DebugChoice, DebugView, MapChannel};
use crate::mesh::Grid;
use crate::spectrum::InitialSpectrum;

/// Must equal `DEBUG_JACOBIAN_REACH` of `debug_view/surface.wgsl`.
pub(super) const JACOBIAN_REACH: f64 = 1.0;
/// Must equal `DEBUG_ROUGHNESS_MOST` of the same file.
pub(super) const ROUGHNESS_MOST: f64 = 0.3;
/// Must equal `DEBUG_CAUSTICS_MOST` of the same file.
pub(super) const CAUSTICS_MOST: f64 = 3.0;
/// Must equal `DEBUG_STOPS_LOW` of `debug_view/display.wgsl`.
pub(super) const STOPS_LOW: f64 = -6.0;
/// Must equal `DEBUG_STOPS_HIGH` of the same file.
pub(super) const STOPS_HIGH: f64 = 8.0;
/// Must equal `DEBUG_STOPS_WHITE`: the tone map turns this grey, in stops, into the last of 255 steps.
pub(super) const STOPS_WHITE: f64 = 7.105;
/// The decades of a spectrum's scale: smaller amplitudes are invisible in the sea.
const DECADES: f64 = 4.0;
/// The standard deviations at the ends of a map's scale: one point in 16,000 is beyond.
const DEVIATIONS: f64 = 4.0;
/// The number of levels of detail that a legend lists.
const LEVELS: u32 = 8;

/// The meaning of the colours of a view.
#[derive(Clone, Debug, PartialEq)]
pub struct Legend {
    /// The name of the shown value.
    pub title: String,
    /// Its unit; empty for a ratio.
    pub unit: &'static str,
    /// The values and their colours.
    pub scale: Scale,
    /// Further notes in one line: the axes, marked values.
    pub note: String,
}

/// A relation between values and colours.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// A linear scale from `low` to `high`.
    Linear {
        /// The value at the first colour.
        low: f64,
        /// The value at the last colour.
        high: f64,
        /// The colours of the scale.
        colours: Colours,
    },
    /// A logarithmic scale from `low` to `high`, both above 0.
    Logarithmic {
        /// The value at the first colour.
        low: f64,
        /// The value at the last colour.
        high: f64,
        /// The colours of the scale.
        colours: Colours,
    },
    /// Classes with one colour each.
    Classes(Vec<Class>),
}

/// A class of values with its own colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// The name of the class.
    pub name: String,
    /// The colour in sRGB, 0 to 1.
    pub colour: [f64; 3],
}

/// The colours of a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// Colours from dark to light.
    Sequential,
    /// White in the middle; red at the high end.
    Diverging,
    /// White in the middle; red at the low end.
    DivergingReversed,
}

impl Colours {
    /// The sRGB colour at `position`, from 0 to 1 along the scale.
    pub fn at(self, position: f64) -> [f64; 3] {
        match self {
            Self::Sequential => colours::sequential(position),
            Self::Diverging => colours::diverging(2.0 * position - 1.0),
            Self::DivergingReversed => colours::diverging(1.0 - 2.0 * position),
        }
    }
}

impl Scale {
    /// The sRGB colour of `value`. For classes, `value` is the index of one.
    pub fn colour(&self, value: f64) -> [f64; 3] {
        match self {
            Self::Linear { low, high, colours } => colours.at((value - low) / (high - low)),
            Self::Logarithmic { low, high, colours } => {
                colours.at((value / low).ln() / (high / low).ln())
            }
            Self::Classes(classes) => {
                classes.get(value.max(0.0) as usize).map_or(MARK, |class| class.colour)
            }
        }
    }
}

impl Legend {
    /// The legend of `choice` for a sea of `spectrum` on `grid`; none for the picture.
    pub fn of(choice: &DebugChoice, spectrum: &InitialSpectrum, grid: &Grid) -> Option<Self> {
        let linear = |low, high, colours| Scale::Linear { low, high, colours };
        let (unit, scale, note) = match choice.view {
            DebugView::Picture => return None,
            DebugView::Jacobian => (
                "",
                linear(1.0 - JACOBIAN_REACH, 1.0 + JACOBIAN_REACH, Colours::DivergingReversed),
                "magenta: folded over".to_owned(),
            ),
            DebugView::Roughness => (
                "rms slope",
                linear(0.0, ROUGHNESS_MOST, Colours::Sequential),
                "averaged within the pixel".to_owned(),
            ),
            DebugView::Foam => (
                "",
                linear(0.0, 1.0, Colours::Sequential),
                "fraction of the water, before the pattern".to_owned(),
            ),
            DebugView::Caustics => (
                "",
                linear(0.0, CAUSTICS_MOST, Colours::Sequential),
                "sunlight over its mean".to_owned(),
            ),
            DebugView::Medium => {
                let names = ["water from above", "surface from below", "open water"];
                let classes = (0..).zip(names).map(|(index, name)| Class {
                    name: name.to_owned(),
                    colour: colours::category(index),
                });
                ("", Scale::Classes(classes.collect()), "sky and objects are dark".to_owned())
            }
            DebugView::Lod | DebugView::Wireframe => {
                let classes = (0..LEVELS).map(|level| Class {
                    name: metres(grid.finest_spacing_m * f64::from(level).exp2()),
                    colour: colours::category(level),
                });
                let note = "spacing of the vertices; the colours repeat beyond that";
                ("", Scale::Classes(classes.collect()), note.to_owned())
            }
            DebugView::Luminance => (
                "stops above middle grey",
                linear(STOPS_LOW, STOPS_HIGH, Colours::Sequential),
                format!("magenta stripes: white from {STOPS_WHITE:.1} up"),
            ),
            DebugView::Map => {
                let cascade = cascade(choice, spectrum);
                let reach = map_reach(choice.channel, spectrum, cascade);
                (
                    choice.channel.unit(),
                    linear(-reach, reach, Colours::Diverging),
                    format!(
                        "{} wide, turned {:.0} deg, {} texels",
                        metres(spectrum.cascades[cascade].patch_size_m),
                        spectrum.cascades[cascade].rotation_rad().to_degrees(),
                        spectrum.size
                    ),
                )
            }
            DebugView::Spectrum => {
                let cascade = cascade(choice, spectrum);
                let high = spectrum_high_m(spectrum, cascade);
                let edge = f64::from(spectrum_reach(spectrum, cascade))
                    * spectrum.cascades[cascade].dk_rad_per_m();
                (
                    "m",
                    Scale::Logarithmic {
                        low: high / 10f64.powf(DECADES),
                        high,
                        colours: Colours::Sequential,
                    },
                    format!("kx right, kz down, up to {edge:.3} rad/m at the edges"),
                )
            }
        };
        let title = match choice.view {
            DebugView::Map => {
                let cascade = cascade(choice, spectrum);
                format!("Map {} of cascade {cascade}", choice.channel.symbol())
            }
            DebugView::Spectrum => format!("|h(k, t)| of cascade {}", cascade(choice, spectrum)),
            view => view.title().to_owned(),
        };
        Some(Self { title, unit, scale, note })
    }
}

pub(super) fn cascade(choice: &DebugChoice, spectrum: &InitialSpectrum) -> usize {
    (choice.cascade as usize).min(spectrum.cascades.len().saturating_sub(1))
}

/// The value at the high end of a map's scale. The spectrum gives the spread of displacements and
/// derivatives; the variance of D is at most that of h, and the same holds for the slopes.
pub(super) fn map_reach(channel: MapChannel, spectrum: &InitialSpectrum, cascade: usize) -> f64 {
    let [xx, zz, _] = spectrum.slope_covariance(cascade);
    let variance = match channel {
        MapChannel::Dx | MapChannel::Dz | MapChannel::Height => spectrum.variance_m2[cascade],
        MapChannel::HByX => xx,
        MapChannel::HByZ => zz,
        MapChannel::DxByX | MapChannel::DzByZ | MapChannel::DxByZ => xx + zz,
    };
    round_up(DEVIATIONS * variance.sqrt())
}

/// The value at the high end of a spectrum's scale: twice the largest |h0|, which two waves in phase
/// reach, rounded up to a power of ten.
pub(super) fn spectrum_high_m(spectrum: &InitialSpectrum, cascade: usize) -> f64 {
    let points = spectrum.size as usize * spectrum.size as usize;
    let h0 = &spectrum.h0[cascade * points..(cascade + 1) * points];
    let largest_squared = h0.iter().map(|[re, im]| re * re + im * im).fold(0.0, f32::max);
    let largest_m = 2.0 * f64::from(largest_squared).sqrt();
    10f64.powf(largest_m.max(1e-9).log10().ceil())
}

/// The decimal logarithms at both ends of a spectrum's scale.
pub(super) fn spectrum_decades(high_m: f64) -> [f64; 2] {
    [high_m.log10() - DECADES, high_m.log10()]
}

/// The number of wave vectors from the middle of a spectrum's picture to its edge, which holds all waves
/// of the cascade.
pub(super) fn spectrum_reach(spectrum: &InitialSpectrum, cascade: usize) -> u32 {
    let band = &spectrum.cascades[cascade];
    let carried = (band.last_rad_per_m / band.dk_rad_per_m()).ceil().max(1.0);
    (carried as u32).min(spectrum.size / 2)
}

/// Rounds up to the next of 1, 2, 5, 10, 20, ..
fn round_up(value: f64) -> f64 {
    let value = value.max(1e-9);
    let decade = 10f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * decade);
    steps.into_iter().find(|step| value <= step * (1.0 + 1e-9)).unwrap_or(10.0 * decade)
}

/// A length with as many digits as are read at a glance.
fn metres(length_m: f64) -> String {
    match length_m {
        length if length < 1.0 => format!("{length:.2} m"),
        length if length < 10.0 => format!("{length:.1} m"),
        length => format!("{length:.0} m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_end_at_round_numbers() {
        for (value, expected) in
            [(0.031, 0.05), (1.0, 1.0), (1.1, 2.0), (5.1, 10.0), (300.0, 500.0)]
        {
            assert!((round_up(value) / expected - 1.0).abs() < 1e-9, "{value}");
        }
        assert!(round_up(0.0) > 0.0);
    }

    #[test]
    fn a_legend_maps_values_to_its_colours() {
        let linear = Scale::Linear { low: -2.0, high: 2.0, colours: Colours::Diverging };
        let alike = |found: [f64; 3], expected: [f64; 3]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
        };
        alike(linear.colour(0.0), colours::diverging(0.0));
        alike(linear.colour(1.0), colours::diverging(0.5));
        let logarithmic =
            Scale::Logarithmic { low: 1e-3, high: 10.0, colours: Colours::Sequential };
        alike(logarithmic.colour(0.1), colours::sequential(0.5));
    }
}
