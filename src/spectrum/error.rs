use super::MAX_CASCADES;
use crate::gpu::Limit;
use crate::settings::SettingError;

/// The reasons why a spectrum or its stage cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpectrumError {
    /// A setting of the sea state is out of range or not a number.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The size is not a power of two, or out of range.
    #[error(
        "an ocean of {size} x {size} points is not possible: use a power of two from 16 to 8192"
    )]
    Size {
        /// The requested number of points along one side.
        size: u32,
    },
    /// The number of cascades is 0 or too large.
    #[error("{count} cascades are not possible: use 1 to {MAX_CASCADES}")]
    CascadeCount {
        /// The requested number of cascades.
        count: u32,
    },
    /// The side of a single patch is not a positive number of metres.
    #[error("a patch of {side_m} m is not possible: use a side from 1 to 1000000 m")]
    Side {
        /// The requested length of one side, in metres.
        side_m: f64,
    },
    /// The device cannot hold the fields.
    #[error(
        "{cascades} cascades of {size} x {size} points need {needed} bytes in one buffer, and the \
         adapter's {limit} is {available}: choose a smaller size or fewer cascades"
    )]
    Limit {
        /// The number of points along one side.
        size: u32,
        /// The requested number of cascades.
        cascades: u32,
        /// The limit that is exceeded.
        limit: Limit,
        /// The number of bytes needed.
        needed: u64,
        /// The number of bytes that the device allows.
        available: u64,
    },
    /// The arrays of a modified spectrum do not have its size.
    #[error(
        "a spectrum of {cascades} cascades of {size} x {size} points has {needed} values of {what}, \
         and there are {given}"
    )]
    Values {
        /// The name of the array's field.
        what: &'static str,
        /// The number of points along one side.
        size: u32,
        /// The number of cascades it has.
        cascades: u32,
        /// The expected number of values.
        needed: u64,
        /// The number of values found.
        given: u64,
    },
    /// A spectrum of one shape was given to a stage of another.
    #[error(
        "a spectrum of {given_cascades} cascades of {given_size} x {given_size} points does not fit \
         a stage of {cascades} cascades of {size} x {size}"
    )]
    Shape {
        /// Points along one side of the stage's grids.
        size: u32,
        /// The number of the stage's cascades.
        cascades: u32,
        /// Points along one side of the spectrum's grids.
        given_size: u32,
        /// The number of the spectrum's cascades.
        given_cascades: u32,
    },
}

impl SpectrumError {
    pub(super) const MIN_SIZE: u32 = 16;
    pub(super) const MAX_SIZE: u32 = 8192;

    /// Checks that a single patch can have this side.
    pub(super) fn check_side(side_m: f64) -> Result<(), Self> {
        if (1.0..=1e6).contains(&side_m) { Ok(()) } else { Err(Self::Side { side_m }) }
    }

    /// Checks that an ocean can have this size and number of cascades.
    pub(crate) fn check_shape(size: u32, cascades: u32) -> Result<(), Self> {
        if !size.is_power_of_two() || !(Self::MIN_SIZE..=Self::MAX_SIZE).contains(&size) {
            return Err(Self::Size { size });
        }
        if !(1..=MAX_CASCADES).contains(&cascades) {
            return Err(Self::CascadeCount { count: cascades });
        }
        Ok(())
    }
}
