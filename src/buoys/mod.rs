//! Buoys moored around the origin, which give the eye a scale.
//!
//! Takes the ocean's maps, the sky and the view; gives the objects that a pass draws besides the water.
//!
//! - [`MOORINGS`]: their places and marks.
//! - `model`: their shape, made once.
//! - [`Buoys`]: a dispatch that floats those in view, and the pipelines that draw them.
//!
//! A buoy stays over its mooring, at the height of the water there, its mast along the water's normal,
//! without waves shorter than its hull. It has no history: its pose follows from the sea's time alone,
//! and the resolution of the mesh at its distance, since it floats on the drawn water.

mod gpu_data;
mod model;
mod moorings;
mod stage;
#[cfg(test)]
mod tests;

pub use moorings::{MOORINGS, Mark, Mooring};
pub use stage::Buoys;

/// The footprint of a buoy's hull: it does not feel waves that a mesh of this spacing could not show.
pub const FOOTPRINT_M: f64 = 2.5;

/// Every shader that this module compiles: label and complete WGSL.
#[cfg(test)]
pub(crate) fn shaders() -> Vec<(String, String)> {
    let resolved = |name: &str| crate::gpu::shader::resolve(name).expect(name);
    [stage::FLOAT, stage::DRAW, stage::LIGHT].map(|name| (name.to_owned(), resolved(name))).into()
}
