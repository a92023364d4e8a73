//! The GPU of the tests. They fail where there is none: they do not skip.
//!
//! Each test program that needs a GPU includes this file.
#![allow(dead_code, reason = "each includer uses a part")]

use seaway::gpu::{Context, ContextOptions, LimitsPreset};

/// Opens a device with everything that the adapter offers.
pub fn context() -> Context {
    context_within(LimitsPreset::Adapter)
}

/// Opens a device with the limits of `limits`.
pub fn context_within(limits: LimitsPreset) -> Context {
    let options = ContextOptions { limits, ..ContextOptions::default() };
    pollster::block_on(Context::new(Context::headless_instance(), options))
        .expect("tests need an adapter")
}
