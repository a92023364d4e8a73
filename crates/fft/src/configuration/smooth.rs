//! The parameters of a kernel for smooth lengths.

use super::parameters::parameters;

/// The largest radix: 32 values fill the registers of an invocation.
const LARGEST_RADIX: u32 = 32;
pub(crate) const MOST_LINES: u32 = 1024;

parameters! {
    /// The parameters of the algorithms for any length.
    pub struct SmoothParameters {}

    /// The distribution of the lines along one axis, or of their parts, over workgroups and invocations.
    pub struct SmoothLine {
        /// Primes beyond it have stages of their own.
        radix: u32 = "radix", Kind::Integer { min: 2, max: LARGEST_RADIX },
            "largest radix of a stage for " - "";
        /// A butterfly of the largest radix may have more.
        values_per_invocation: u32 = "values", Kind::Integer { min: 2, max: 64 },
            "maximum number of values that one invocation holds for " - "";
        lines_per_workgroup: u32 = "lines", Kind::Integer { min: 1, max: MOST_LINES },
            "adjacent " - " that one workgroup transforms";
        /// Fewer take less memory and more barriers.
        exchange_floats: u32 = "exchange", Kind::PowerOfTwo { min: 1, max: 4 },
            "floats of an element that are exchanged through workgroup memory at a time for "
            - "; up to 4 in layout pair";
        bank_padding: bool = "bank-padding", Kind::Flag,
            "whether some slots of workgroup memory stay empty against bank conflicts for " - "";
    }
}
