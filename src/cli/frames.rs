//! The frames of a sequence (`--frames`), and the sea's time in each (`--fps`, `--time`).

use std::ops::Range;
use std::str::FromStr;

use super::args;

/// Most frames, counted from 0: at 30 a second, nine hours.
const MOST: u32 = 1_000_000;

/// A range of frames; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames(Range<u32>);

impl Frames {
    pub fn count(&self) -> u32 {
        self.0.len() as u32
    }

    pub fn numbers(&self) -> Range<u32> {
        self.0.clone()
    }
}

impl FromStr for Frames {
    type Err = String;

    /// Parses `N`, the first N frames, or `A..B`, which excludes B as Rust's ranges do.
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let number = |text: &str| text.trim().parse::<u32>().ok().filter(|&number| number <= MOST);
        let Some((first, end)) = text.split_once("..") else {
            return match number(text) {
                Some(count @ 1..) => Ok(Self(0..count)),
                _ => Err(format!(
                    "expected a number of frames from 1 to {MOST}, or A..B for frames A to B - 1"
                )),
            };
        };
        if let (Some(first), Some(last)) = (number(first), end.strip_prefix('=').and_then(number)) {
            let end = last.saturating_add(1);
            return Err(format!("A..B does not include frame B: write {first}..{end} for {text}"));
        }
        let (Some(first), Some(end)) = (number(first), number(end)) else {
            return Err(format!(
                "expected A..B with two numbers from 0 to {MOST}, as in 100..200 for frames 100 to \
                 199"
            ));
        };
        if first == end {
            return Err(format!(
                "the range is empty, because A..B does not include frame B: write {first}..{} for \
                 frame {first} alone",
                first.saturating_add(1)
            ));
        }
        if first > end {
            return Err(format!("the range runs backwards: write {end}..{first}"));
        }
        Ok(Self(first..end))
    }
}

/// The sea time of each frame.
#[derive(clap::Args)]
pub struct SeaTime {
    /// Frames per second of sea time: frame K shows the sea at --time + K / --fps [0.001 to 1000]
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "30",
        allow_negative_numbers = true,
        value_parser = args::number(0.001..=1000.0)
    )]
    pub fps: f64,
    /// Sea time at frame 0, in seconds [-10000000 to 10000000]
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "0",
        allow_negative_numbers = true,
        value_parser = args::number(-1.0e7..=1.0e7)
    )]
    time: f64,
}

impl SeaTime {
    pub fn time_s(&self, frame: u32) -> f64 {
        self.time + f64::from(frame) / self.fps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_frames_excludes_its_end() {
        let parse = |text: &str| text.parse::<Frames>().map(|frames| frames.numbers());
        assert_eq!(parse("1"), Ok(0..1));
        assert_eq!(parse("1000000"), Ok(0..1_000_000));
        assert_eq!(parse("0..1"), Ok(0..1));
        assert_eq!(parse("7..12"), Ok(7..12));
        assert_eq!(parse("999999..1000000"), Ok(999_999..1_000_000));
        assert_eq!("7..12".parse::<Frames>().unwrap().count(), 5);
    }

    #[test]
    fn what_is_no_range_says_what_to_write() {
        for (text, hint) in [
            ("0", "from 1 to 1000000"),
            ("-3", "from 1 to 1000000"),
            ("1000001", "from 1 to 1000000"),
            ("many", "or A..B"),
            ("5..5", "write 5..6 for frame 5 alone"),
            ("9..4", "write 4..9"),
            ("3..=7", "write 3..8 for 3..=7"),
            ("3..", "as in 100..200"),
            ("..7", "as in 100..200"),
            ("..", "as in 100..200"),
            ("-3..7", "as in 100..200"),
            ("3...7", "as in 100..200"),
            ("3..7..9", "as in 100..200"),
            ("3..1000001", "from 0 to 1000000"),
            ("0..99999999999999999999", "from 0 to 1000000"),
        ] {
            let error = text.parse::<Frames>().unwrap_err();
            assert!(error.contains(hint), "{text}: {error}");
        }
    }
}
