//! The size of images to transform, as it is written: `256` for a square, `1080x1920` for width and
//! height. In JSON a number, or [width, height].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::exit::Usage;

/// Longest side that is asked for: beyond it no adapter has the memory for the simplest transform.
const LONGEST: u32 = 1 << 24;

/// Width and height.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "Written", from = "Written")]
pub struct Size(pub [u32; 2]);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Square(u32),
    Sides([u32; 2]),
}

impl From<Size> for Written {
    fn from(Size([width, height]): Size) -> Self {
        if width == height { Self::Square(width) } else { Self::Sides([width, height]) }
    }
}

impl From<Written> for Size {
    fn from(written: Written) -> Self {
        match written {
            Written::Square(side) => Self([side; 2]),
            Written::Sides(sides) => Self(sides),
        }
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| {
            let side = text.parse().ok().filter(|side| (1..=LONGEST).contains(side));
            side.ok_or_else(|| {
                format!("expected a side from 1 to {LONGEST}, or WIDTHxHEIGHT, as in 1080x1920")
            })
        };
        match text.split_once('x') {
            Some((width, height)) => Ok(Self([side(width)?, side(height)?])),
            None => Ok(Self([side(text)?; 2])),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self([width, height]) = *self;
        if width == height { write!(f, "{width}") } else { write!(f, "{width}x{height}") }
    }
}

impl Size {
    /// `64 x 64`, for sentences.
    pub fn in_words(self) -> String {
        let Self([width, height]) = self;
        format!("{width} x {height}")
    }
}

/// The sides of squares that are powers of two, for what takes no others.
pub fn squares(sizes: &[Size], what: &str) -> Result<Vec<u32>, Usage> {
    let side = |size: &Size| {
        let Size([width, height]) = *size;
        let is_one = width == height && width.is_power_of_two() && (2..=8192).contains(&width);
        is_one.then_some(width).ok_or_else(|| {
            Usage(format!("--size {size}: {what} takes powers of two from 2 to 8192"))
        })
    };
    sizes.iter().map(side).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_they_are_written() {
        for (text, size, json) in [
            ("256", [256; 2], "256"),
            ("1080x1920", [1080, 1920], "[1080,1920]"),
            ("1x7", [1, 7], "[1,7]"),
        ] {
            let parsed: Size = text.parse().unwrap();
            assert_eq!((parsed, parsed.to_string()), (Size(size), text.to_owned()));
            assert_eq!(serde_json::to_string(&parsed).unwrap(), json);
            assert_eq!(serde_json::from_str::<Size>(json).unwrap(), parsed);
        }
        for wrong in ["0", "", "x", "12x", "x12", "0x5", "12x0", "1x2x3", "-4", "99999999"] {
            let error = wrong.parse::<Size>().unwrap_err();
            assert!(error.contains("1080x1920"), "{wrong}: {error}");
        }
    }

    #[test]
    fn what_takes_squares_says_so() {
        assert_eq!(squares(&[Size([64; 2])], "an ocean").ok(), Some(vec![64]));
        for wrong in [[64, 32], [48, 48], [1, 1]] {
            let Err(Usage(message)) = squares(&[Size(wrong)], "an ocean") else {
                panic!("{wrong:?}")
            };
            assert!(message.contains("an ocean takes powers of two"), "{message}");
        }
    }
}
