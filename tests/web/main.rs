//! The pages of `web/` in a real browser: Chromium with SwiftShader. `scripts/test-web` builds them
//! and runs these, which are passed over otherwise.

#![cfg(all(feature = "cli", unix))]

mod browser;
mod comparison;
mod downloads;
mod fingers;
mod kernel;
mod laboratory;
mod papers;
mod sea;
mod shaders;
mod site;
mod visits;

/// Half of it is what the lowest tier draws.
const SIZE: [u32; 2] = [640, 360];

/// Said by the page once it has drawn the sea.
const SHOWN: &str = "first frame";
