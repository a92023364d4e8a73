//! Measurements of transforms and of the ocean's steps, in one form for every command, panel and page.
//!
//! - An [`Outcome`] is figures, or the reason why there are none.
//! - A [`Row`] is one transform as `seaway bench` writes it. [`Laboratory`] checks and times transforms.
//! - [`Chart`] is a picture of many rows.
//! - [`comparison`] times transforms and whole steps of the ocean in turn, while frames are drawn.

mod bars;
mod chart;
pub mod comparison;
pub mod laboratory;
mod outcome;
mod problem;
mod row;
mod size;

pub(crate) use chart::Scale;
pub use chart::{Chart, Line};
pub use laboratory::Laboratory;
pub use outcome::Outcome;
pub use problem::Problem;
pub use row::{Figures, Form, Row};
pub use size::Size;
