//! The parameters of Stockham in global memory.

use super::parameters::parameters;

const LARGEST_RADIX: u32 = 32;

parameters! {
    /// The parameters of `global-r8`, `-r16` and `-r32`.
    pub struct GlobalParameters {
        workgroup_size: u32 = "workgroup-size", Kind::PowerOfTwo { min: 1, max: 1024 },
            "invocations in a workgroup";
        radix: u32 = "radix", Kind::PowerOfTwo { min: 2, max: LARGEST_RADIX },
            "points of the largest butterfly";
    }
}
