//! The band of frequencies that pass a filter.

/// A band of spatial frequencies, in cycles per image: f = sqrt(kx^2 + ky^2) for a wave that has kx
/// cycles across the width of the image and ky across its height.
///
/// Frequencies within the band pass, and beyond it a half cosine falls to 0 over `falloff` cycles: the
/// gain is 1 for low <= f <= high, else with d the distance from the nearer edge 1/2 + 1/2 cos(pi d /
/// falloff) for d < falloff, else 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    low: f64,
    high: f64,
    falloff: f64,
}

/// The reasons why a band is invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BandError {
    /// The band ends before it begins.
    #[error(
        "the band from {low} to {high} cycles is reversed: its lower end must not be above its upper one"
    )]
    UpsideDown {
        /// The lower end, in cycles.
        low: f64,
        /// The upper end, in cycles.
        high: f64,
    },
    /// An end is negative or no number.
    #[error("{name} is {value}: it must be a number of cycles, at least 0")]
    NoFrequency {
        /// The name of the end.
        name: &'static str,
        /// The value that was refused.
        value: f64,
    },
}

impl Band {
    /// The band of all frequencies, whose gain is 1.
    pub const ALL: Self = Self { low: 0.0, high: f64::INFINITY, falloff: 0.0 };

    /// A band from `low` to `high` cycles per image, both included, with `falloff` cycles on either
    /// side. `high` may be infinite.
    ///
    /// # Errors
    /// [`BandError`] where an end is negative or no number, or `low` is above `high`.
    pub fn new(low: f64, high: f64, falloff: f64) -> Result<Self, BandError> {
        for (name, value, may_be_infinite) in
            [("low", low, false), ("high", high, true), ("falloff", falloff, false)]
        {
            let is_number = value.is_finite() || may_be_infinite && value == f64::INFINITY;
            if !is_number || value < 0.0 {
                return Err(BandError::NoFrequency { name, value });
            }
        }
        if low > high {
            return Err(BandError::UpsideDown { low, high });
        }
        Ok(Self { low, high, falloff })
    }

    /// Its lower end, in cycles per image.
    pub fn low(&self) -> f64 {
        self.low
    }

    /// Its upper end, in cycles per image.
    pub fn high(&self) -> f64 {
        self.high
    }

    /// Cycles over which it falls to 0 beyond its ends.
    pub fn falloff(&self) -> f64 {
        self.falloff
    }

    /// The factor on a wave with the given cycles across the width and the height.
    pub fn gain(&self, cycles: [i32; 2]) -> f64 {
        let [x, y] = cycles.map(i64::from);
        let square = (x * x + y * y) as u64;
        let [least, most] = self.squares().map(u64::from);
        if (least..=most).contains(&square) {
            return 1.0;
        }
        // Whole numbers decide its side, since roots are rounded.
        let frequency = (square as f64).sqrt();
        let beyond = if square < least { self.low - frequency } else { frequency - self.high };
        match beyond.max(0.0) {
            beyond if beyond < self.falloff => {
                0.5 + 0.5 * (std::f64::consts::PI * beyond / self.falloff).cos()
            }
            _ => 0.0,
        }
    }

    /// The least and the largest square of frequencies within it, as whole numbers that rounding does
    /// not move across an edge.
    pub(super) fn squares(&self) -> [u32; 2] {
        [(self.low * self.low).ceil() as u32, (self.high * self.high).floor() as u32]
    }
}

impl Default for Band {
    fn default() -> Self {
        Self::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_belong_to_the_band() {
        let band = Band::new(5.0, 10.0, 0.0).unwrap();
        for (cycles, gain) in
            [([5, 0], 1.0), ([-3, 4], 1.0), ([4, 2], 0.0), ([6, -8], 1.0), ([10, 1], 0.0)]
        {
            assert_eq!(band.gain(cycles), gain, "{cycles:?}");
        }
        for low in [2.236068, 3.1622777, 8.062258, 8.0622577483, 5.0_f64.sqrt(), 65.0_f64.sqrt()] {
            let band = Band::new(low, f64::INFINITY, 0.0).unwrap();
            for cycles in [[1, 2], [1, 3], [1, 8], [4, 7]] {
                let gain = band.gain(cycles);
                assert!(gain == 0.0 || gain == 1.0, "{low} {cycles:?}: {gain}");
            }
        }
        assert_eq!(Band::ALL.gain([0, 0]), 1.0);
        assert_eq!(Band::ALL.gain([30_000, -30_000]), 1.0);
    }

    #[test]
    fn beyond_its_ends_it_falls_by_half_a_cosine() {
        let band = Band::new(8.0, 12.0, 4.0).unwrap();
        for (x, gain) in [(4, 0.0), (6, 0.5), (8, 1.0), (12, 1.0), (14, 0.5), (16, 0.0), (20, 0.0)]
        {
            assert!((band.gain([0, x]) - gain).abs() < 1e-12, "{x}");
        }
        let band = Band::new(8.2, 8.4, 1.0).unwrap();
        assert!(band.gain([8, 0]) > 0.8 && band.gain([9, 0]) > 0.2 && band.gain([7, 0]) == 0.0);
    }

    #[test]
    fn invalid_bands_are_errors() {
        let error = |low, high, falloff| Band::new(low, high, falloff).unwrap_err().to_string();
        assert!(error(9.0, 3.0, 0.0).contains("reversed"));
        assert!(error(-1.0, 3.0, 0.0).contains("low is -1"));
        assert!(error(0.0, f64::NAN, 0.0).contains("high is NaN"));
        assert!(error(0.0, 3.0, f64::INFINITY).contains("falloff is inf"));
        assert!(Band::new(3.0, f64::INFINITY, 2.0).is_ok());
    }
}
