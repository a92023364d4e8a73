//! The kernels of a transform for use in other programs.
//!
//! A [`Sheet`] describes them as plain data: the shaders, what to bind, how to dispatch, and the tables.
//! `seaway kernel` prints it, its `--html` writes it as a page, and kernel.html shows it in a browser, where a
//! `Form` holds the visitor's choices.

#[cfg(any(test, all(feature = "web", target_family = "wasm")))]
mod form;
#[cfg(any(test, all(feature = "web", target_family = "wasm")))]
mod hooked;
mod host;
#[cfg(feature = "cli")]
pub mod html;
pub mod languages;
#[cfg(any(test, all(feature = "web", target_family = "wasm")))]
pub mod page;
mod sheet;
#[cfg(all(test, feature = "cli"))]
mod tests;

#[cfg(any(test, all(feature = "web", target_family = "wasm")))]
pub use form::{Form, fields};
pub use sheet::{Shader, Sheet};
