//! Butterflies of at most 8 points in global memory, documented in `global`.

use super::global::global;

global!(
    GlobalR8,
    8,
    "8, 4 and 2-point kernels in global memory, one dispatch per stage (Ukidave 2014, section 16.3)"
);
