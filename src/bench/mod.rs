//! What a bench of transforms finds, as `seaway bench` writes it and a browser's laboratory gives it
//! to be saved: one [`Row`] for each algorithm on each task.

mod laboratory;
mod row;
mod size;

pub use laboratory::Laboratory;
pub use row::{Figures, Form, Outcome, Row, operations, parameters, placement};
pub use size::Size;
