//! Why a spectrum or its stage could not be made.

use super::MAX_CASCADES;
use crate::gpu::Limit;
use crate::settings::SettingError;

/// Why a spectrum or its stage could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpectrumError {
    /// A setting of the sea state is out of range or not a number.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Not a power of two, too small or too large.
    #[error(
        "an ocean of {size} x {size} points is not possible: use a power of two from 16 to 8192"
    )]
    Size {
        /// The size asked for.
        size: u32,
    },
    /// No cascade, or too many.
    #[error("{count} cascades are not possible: use 1 to {MAX_CASCADES}")]
    CascadeCount {
        /// The count asked for.
        count: u32,
    },
    /// The device cannot hold the fields.
    #[error(
        "{cascades} cascades of {size} x {size} points need {needed} bytes in one buffer, and the \
         adapter's {limit} is {available}: choose a smaller size or fewer cascades"
    )]
    Limit {
        /// Points along one side.
        size: u32,
        /// Cascades.
        cascades: u32,
        /// The limit.
        limit: Limit,
        /// Bytes that it would have to be.
        needed: u64,
        /// Bytes that it is.
        available: u64,
    },
    /// A spectrum changed by hand, whose arrays do not have its size.
    #[error(
        "a spectrum of {cascades} cascades of {size} x {size} points has {needed} values of {what}, \
         and there are {given}"
    )]
    Values {
        /// The field.
        what: &'static str,
        /// Points along one side.
        size: u32,
        /// Cascades.
        cascades: u32,
        /// Values that it should have.
        needed: u64,
        /// Values that it has.
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
        /// The stage's cascades.
        cascades: u32,
        /// Points along one side of the spectrum's grids.
        given_size: u32,
        /// The spectrum's cascades.
        given_cascades: u32,
    },
}

impl SpectrumError {
    /// The least points along one side.
    pub(super) const MIN_SIZE: u32 = 16;
    /// The most.
    pub(super) const MAX_SIZE: u32 = 8192;

    /// Checks that there can be an ocean of that size and number of cascades.
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
