//! Butterflies of at most 16 points in global memory, documented in `global`.

use super::global::global;

global!(
    GlobalR16,
    16,
    "kernels of up to 16 points in global memory, one dispatch per stage: fewer passes over memory for more registers (Ukidave 2014, section 16.3)"
);
