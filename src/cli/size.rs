pub use crate::bench::Size;

use super::exit::Usage;

/// [`crate::bench::squares`], for the arguments of commands.
pub fn squares(sizes: &[Size], what: &str, most: u32) -> Result<Vec<u32>, Usage> {
    crate::bench::squares(sizes, what, most).map_err(Usage)
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
        let image = |text: &str| squares(&[text.parse().unwrap()], "an ocean", 8192);
        assert_eq!(image("64").ok(), Some(vec![64]));
        assert_eq!(image("64x64").ok(), Some(vec![64]));
        for wrong in ["64x32", "48", "1", "64x64x64"] {
            let Err(Usage(message)) = image(wrong) else { panic!("{wrong}") };
            assert!(message.contains("an ocean takes powers of two"), "{message}");
        }
    }
}
