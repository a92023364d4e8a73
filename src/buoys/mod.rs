//! Buoys moored around the origin, which give the eye a scale.
//!
//! Takes the ocean's maps, the sky and the view; gives what a pass draws besides the water.
//!
//! - [`MOORINGS`]: where they are moored and what they mark.
//! - `model`: their shape, made once.
//! - [`Buoys`]: a dispatch that floats those in view, and the pipelines that draw them.
//!
//! A buoy stays over its mooring, at the height of the water that is there at the moment, its mast along
//! the water's normal, without the waves that it is too wide to feel. It has no history: its pose follows
//! from the sea's time alone, and from what the mesh can show at its distance, since it floats on the
//! water that is drawn.

mod gpu_data;
mod model;
mod moorings;
mod stage;
#[cfg(test)]
mod tests;

pub use moorings::{MOORINGS, Mark, Mooring};
pub use stage::Buoys;

/// Waves that a buoy's hull is too wide to feel are left out: those that a mesh with vertices so far
/// apart could not show.
pub const FOOTPRINT_M: f64 = 2.5;

/// Every shader that this module hands to wgpu: label and complete WGSL.
#[cfg(test)]
pub(crate) fn shaders() -> Vec<(String, String)> {
    let resolved = |name: &str| crate::gpu::shader::resolve(name).expect(name);
    [stage::FLOAT, stage::DRAW, stage::LIGHT].map(|name| (name.to_owned(), resolved(name))).into()
}
