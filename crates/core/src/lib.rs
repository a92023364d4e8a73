//! The parts that the [Seaway](https://crates.io/crates/seaway) ocean and its Fourier transforms share.
//!
//! - [`gpu`]: a device and its capabilities, shader sources, bindings, uniforms, read-back and times.
//! - [`table`]: the entries of settings and of the parameters of FFTs, and what a value may be.
//! - [`choice`]: enums with names for files and command lines.
//! - [`platform`]: the differences between native programs and pages in a browser.

#[cfg(all(feature = "files", not(target_family = "wasm")))]
pub mod atomic_write;
pub mod choice;
pub mod gpu;
pub mod platform;
pub mod table;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
