//! The size of a transform as it is written: `256` for the points of a line, the side of a square or of a
//! cube, `1080x1920` for width and height, `128x64x32` for a volume. In JSON a number, [width, height] or
//! [width, height, depth].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Longest side: 2 GiB of complex numbers, the most that any binding holds.
const LONGEST: u32 = 1 << 28;

/// The sides of a line, image or volume, or one side that stands for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Size {
    /// The side of a line, a square or a cube.
    Side(u32),
    /// Width and height of an image.
    Image([u32; 2]),
    /// Width, height and depth of a volume.
    Volume([u32; 3]),
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| {
            let side = text.parse().ok().filter(|side| (1..=LONGEST).contains(side));
            side.ok_or_else(|| {
                format!(
                    "expected a side from 1 to {LONGEST}, WIDTHxHEIGHT, as in 1080x1920, or \
                     WIDTHxHEIGHTxDEPTH"
                )
            })
        };
        let sides = text.split('x').map(side).collect::<Result<Vec<_>, _>>()?;
        match sides[..] {
            [side] => Ok(Self::Side(side)),
            [width, height] => Ok(Self::Image([width, height])),
            [width, height, depth] => Ok(Self::Volume([width, height, depth])),
            _ => side("").map(Self::Side),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Side(side) => write!(f, "{side}"),
            Self::Image([width, height]) => write!(f, "{width}x{height}"),
            Self::Volume([width, height, depth]) => write!(f, "{width}x{height}x{depth}"),
        }
    }
}

impl Size {
    /// The size of the first `dimensions` sides of `extent`.
    pub fn of(extent: [u32; 3], dimensions: u32) -> Self {
        let sides = &extent[..dimensions.clamp(1, 3) as usize];
        match *sides {
            [first, ..] if sides.iter().all(|side| *side == first) => Self::Side(first),
            [width, height] => Self::Image([width, height]),
            _ => Self::Volume(extent),
        }
    }

    /// Width, height and depth in the given number of dimensions, 1 for missing ones. `None` if it is written
    /// for another number.
    pub fn extent(self, dimensions: u32) -> Option<[u32; 3]> {
        match (self, dimensions) {
            (Self::Side(side), 1) => Some([side, 1, 1]),
            (Self::Side(side), 2) => Some([side, side, 1]),
            (Self::Side(side), 3) => Some([side; 3]),
            (Self::Image([width, height]), 2) => Some([width, height, 1]),
            (Self::Volume(extent), 3) => Some(extent),
            _ => None,
        }
    }

    /// The key for sorting sizes: a side stands for all three.
    pub fn order(self) -> [u32; 3] {
        match self {
            Self::Side(side) => [side; 3],
            Self::Image([width, height]) => [width, height, 0],
            Self::Volume(extent) => extent,
        }
    }
}

/// The sides of squares that are powers of two, for commands that take no others.
pub fn squares(sizes: &[Size], what: &str, most: u32) -> Result<Vec<u32>, String> {
    let side = |size: &Size| match size.extent(2) {
        Some([width, height, _])
            if width == height && width.is_power_of_two() && (2..=most).contains(&width) =>
        {
            Ok(width)
        }
        _ => Err(format!("--size {size}: {what} takes powers of two from 2 to {most}")),
    };
    sizes.iter().map(side).collect()
}
