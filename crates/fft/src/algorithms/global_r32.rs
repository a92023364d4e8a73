//! Butterflies of at most 32 points in global memory, documented in `global`.

use super::global::global;

global!(
    GlobalR32,
    32,
    "kernels of up to 32 points in global memory, one dispatch per stage: the fewest passes over memory, the most registers (Ukidave 2014, section 16.3)"
);
