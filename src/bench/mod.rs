//! Measurements of transforms and of the ocean's steps, in one form for every command, panel and page.
//!
//! - An [`Outcome`] is figures, or the reason why there are none.
//! - A [`Row`] is one transform as `seaway bench` writes it. [`Laboratory`] checks and times transforms.
//! - [`Chart`] is a picture of many rows.
//! - A [`Series`] is the transforms of a command or of a figure, one after another; [`other`] and [`cpu`] are
//!   measurements of another kind.
//! - [`comparison`] times transforms and whole steps of the ocean in turn, while frames are drawn.

mod bars;
mod chart;
pub mod comparison;
pub mod cpu;
pub mod laboratory;
pub mod other;
mod outcome;
pub mod parameters;
mod peer;
mod problem;
pub mod processor;
mod row;
mod run_info;
pub mod series;
mod size;

pub(crate) use chart::Scale;
pub use chart::{Chart, Line};
pub use laboratory::Laboratory;
pub use outcome::Outcome;
pub use peer::Peer;
pub use problem::Problem;
pub use row::{Figures, Form, Row};
pub use run_info::RunInfo;
pub use series::Series;
pub use size::{Size, squares};
