//! The size of what to transform, as it is written: `256` for the points of a line, the side of a
//! square or of a cube, `1080x1920` for width and height, `128x64x32` for a volume. In JSON a
//! number, [width, height] or [width, height, depth].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::exit::Usage;

/// Longest side that is asked for: 2 GiB of complex numbers, the most that any binding holds.
const LONGEST: u32 = 1 << 28;

/// Sides, or one that stands for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Size {
    /// Of a line, a square or a cube.
    Side(u32),
    /// Width and height.
    Image([u32; 2]),
    /// Width, height and depth.
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
    /// Of `extent`, as far as there are `dimensions`.
    pub fn of(extent: [u32; 3], dimensions: u32) -> Self {
        let sides = &extent[..dimensions.clamp(1, 3) as usize];
        match *sides {
            [first, ..] if sides.iter().all(|side| *side == first) => Self::Side(first),
            [width, height] => Self::Image([width, height]),
            _ => Self::Volume(extent),
        }
    }

    /// Width, height and depth in so many dimensions. `None` where it is written for others.
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

    /// What sizes are sorted by: a side stands for all three.
    pub fn order(self) -> [u32; 3] {
        match self {
            Self::Side(side) => [side; 3],
            Self::Image([width, height]) => [width, height, 0],
            Self::Volume(extent) => extent,
        }
    }
}

/// The sides of squares that are powers of two, for what takes no others.
pub fn squares(sizes: &[Size], what: &str) -> Result<Vec<u32>, Usage> {
    let side = |size: &Size| match size.extent(2) {
        Some([width, height, _])
            if width == height && width.is_power_of_two() && (2..=8192).contains(&width) =>
        {
            Ok(width)
        }
        _ => Err(Usage(format!("--size {size}: {what} takes powers of two from 2 to 8192"))),
    };
    sizes.iter().map(side).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_they_are_written() {
        for (text, size, json) in [
            ("256", Size::Side(256), "256"),
            ("1080x1920", Size::Image([1080, 1920]), "[1080,1920]"),
            ("1x7", Size::Image([1, 7]), "[1,7]"),
            ("3x4x5", Size::Volume([3, 4, 5]), "[3,4,5]"),
        ] {
            let parsed: Size = text.parse().unwrap();
            assert_eq!((parsed, parsed.to_string()), (size, text.to_owned()));
            assert_eq!(serde_json::to_string(&parsed).unwrap(), json);
            assert_eq!(serde_json::from_str::<Size>(json).unwrap(), parsed);
        }
        for wrong in ["0", "", "x", "12x", "x12", "0x5", "12x0", "1x2x3x4", "-4", "999999999"] {
            let error = wrong.parse::<Size>().unwrap_err();
            assert!(error.contains("1080x1920"), "{wrong}: {error}");
        }
    }

    #[test]
    fn a_number_is_every_side_there_is() {
        for (dimensions, extent) in [(1, [8, 1, 1]), (2, [8, 8, 1]), (3, [8; 3])] {
            assert_eq!(Size::Side(8).extent(dimensions), Some(extent));
            assert_eq!(Size::of(extent, dimensions), Size::Side(8));
        }
        assert_eq!(Size::of([8, 4, 1], 2), Size::Image([8, 4]));
        assert_eq!(Size::of([8, 4, 1], 3), Size::Volume([8, 4, 1]));
        assert_eq!(Size::Image([8, 4]).extent(3), None);
        assert_eq!(Size::Volume([8; 3]).extent(2), None);
    }

    #[test]
    fn what_takes_squares_says_so() {
        let image = |text: &str| squares(&[text.parse().unwrap()], "an ocean");
        assert_eq!(image("64").ok(), Some(vec![64]));
        assert_eq!(image("64x64").ok(), Some(vec![64]));
        for wrong in ["64x32", "48", "1", "64x64x64"] {
            let Err(Usage(message)) = image(wrong) else { panic!("{wrong}") };
            assert!(message.contains("an ocean takes powers of two"), "{message}");
        }
    }
}
