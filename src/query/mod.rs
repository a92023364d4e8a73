//! Queries of the sea at points of the world: height, normal and velocity of the drawn surface.
//!
//! ```no_run
//! use seaway::query::{Point, Queries, When};
//!
//! # fn f(
//! #     device: &wgpu::Device, queue: &wgpu::Queue, encoder: &mut wgpu::CommandEncoder,
//! #     ocean: &seaway::Ocean, time_s: f64,
//! # ) -> Result<(), seaway::query::QueryError> {
//! let mut queries = Queries::new(device, queue, ocean, Default::default())?; // once
//! let buoy = Point::at([12.0, 34.0]);
//! // Behind `ocean.encode(encoder, time_s)`:
//! let mut request = queries.encode(queue, encoder, ocean, When::Drawn { time_s }, &[buoy])?;
//! // After a submission, a frame or two later:
//! if let Some(answer) = request.answer() {
//!     let surface = answer?.points[0];
//!     println!("{} m", surface.height_m);
//!     // A diver 5 m under still water, or in the air above a deep trough.
//!     println!("{} m deep, under water: {}", surface.depth_m(-5.0), surface.is_over(-5.0));
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The waves move water sideways too, so the water at (x, z) rests somewhere else: at the p for which
//! p + choppiness D(p) = (x, z). Both kinds of queries solve that by Newton's method, with the Jacobian
//! of the maps, from p = (x, z) to a residual of 0.1 mm. In a storm with a choppiness of 1.6 that samples
//! the maps five times on average and nine at most; the plain iteration p = (x, z) - choppiness D(p)
//! takes eight and more than thirty.
//!
//! [`Queries`] run on the GPU: thousands of points in one dispatch, at the cost of sampling the maps,
//! the answers a frame or two later. [`cpu::Queries`] are their twin in double precision, with immediate
//! answers, but have to transform the sea themselves. Both agree to about 1.5 mm where the maps store
//! 16-bit floats ([`MapFormat::F16`](crate::maps::MapFormat::F16)), whose roundings grow with the waves:
//! their tests allow 1 mm and a thousandth of Hs.
//!
//! A point includes all waves, or those that a length can show ([`Point::footprint_m`]). The drawn mesh
//! has only waves that its vertices can show: with [`Levels::spacing_m`] of the distance from the eye to
//! where its water is at rest ([`SurfacePoint::at_rest_m`] of another answer will do), a point lies on
//! the mesh. Some 30 m from the eye the ripples that the mesh leaves out are some millimetres high.
//!
//! A surface that has folded over (J < 0) has several answers, of which one is given. The
//! earth's curve is left out.
//!
//! [`Levels::spacing_m`]: crate::mesh::Levels::spacing_m

pub mod cpu;
mod error;
mod gpu;
mod gpu_data;
mod request;

pub use error::QueryError;
pub use gpu::{Queries, QueryOptions, When};
pub use request::{Answer, Request};

const MAX_ITERATIONS: u32 = 24;
/// The residual at which the iteration ends.
const TOLERANCE_M: f64 = 1e-4;
/// The least stretch along the water's axis of compression that steps assume.
const LEAST_STRETCH: f64 = 0.05;

/// A place at the sea to query.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// (x, z) in the world. Where one is NaN or infinite, no water is found
    /// ([`SurfacePoint::is_solved`]), which leaves the other points of a request unaffected.
    pub position_m: [f64; 2],
    /// The spacing of a mesh that shows all waves of interest: shorter ones are left out of height,
    /// normal and velocity, since a ship does not feel ripples. 0 means all waves, as do negative
    /// numbers and NaN; infinity leaves none.
    pub footprint_m: f64,
    /// Whether `position_m` is where the water rests, and not where it is: a point that drifts with a drop of water
    /// in place of a fixed one, past which the water moves.
    pub is_at_rest: bool,
}

impl Point {
    /// A point (x, z) with all waves.
    pub fn at(position_m: [f64; 2]) -> Self {
        Self { position_m, ..Self::default() }
    }

    /// The water that rests at (x, z), wherever the waves carry it.
    pub fn of_water(at_rest_m: [f64; 2]) -> Self {
        Self { position_m: at_rest_m, is_at_rest: true, ..Self::default() }
    }

    /// The footprint as a number with a finite logarithm: no wave is longer than a thousand kilometres.
    fn sound_footprint_m(&self) -> f64 {
        const LONGEST_M: f64 = 1e6;
        if self.footprint_m.is_nan() { 0.0 } else { self.footprint_m.clamp(0.0, LONGEST_M) }
    }
}

impl From<[f64; 2]> for Point {
    fn from(position_m: [f64; 2]) -> Self {
        Self::at(position_m)
    }
}

/// The surface at a [`Point`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// The height above still water, in metres.
    pub height_m: f64,
    /// The unit normal (x, y, z), upwards.
    pub normal: [f64; 3],
    /// The velocity (x, y, z) of the water that is at the point. `None` where it was not requested.
    pub velocity_mps: Option<[f64; 3]>,
    /// The place (x, z) of that water in the world: that of the point, within `residual_m`, or where the waves have
    /// carried the water of [`Point::of_water`].
    pub position_m: [f64; 2],
    /// The place (x, z) in the world where that water rests.
    pub at_rest_m: [f64; 2],
    /// The ratio of the surface's area to that at rest: below 1 the water is compressed, below 0 folded.
    pub jacobian: f64,
    /// The horizontal distance from the point to the water that was found for it.
    pub residual_m: f64,
}

impl SurfacePoint {
    /// The residual below which water counts as being at the point.
    pub const SOLVED_M: f64 = 1e-3;

    /// The distance in metres from the surface down to the height `y_m` at the point, negative in the air.
    ///
    /// There the water moves less than at the surface ([`SurfacePoint::velocity_mps`]), and how much less
    /// depends on the waves: the motion of one with wavenumber k fades as exp(-k depth) in deep water, so that
    /// half a wavelength down 4% is left. Answers hold the sum over all waves, from which the velocity at a
    /// depth cannot be told.
    pub fn depth_m(&self, y_m: f64) -> f64 {
        self.height_m - y_m
    }

    /// Returns whether the height `y_m` at the point is under water.
    pub fn is_over(&self, y_m: f64) -> bool {
        self.depth_m(y_m) > 0.0
    }

    /// Returns whether the water at the point was found. It always is where J is 0.1 or more and the
    /// point is finite, within some kilometres of the others of its request.
    pub fn is_solved(&self) -> bool {
        self.residual_m <= Self::SOLVED_M
    }
}

/// Every shader that this module compiles: label and complete WGSL.
#[cfg(test)]
pub(crate) fn shaders() -> Vec<(String, String)> {
    let text = crate::gpu::shader::resolve(gpu::SHADER).expect("shipped shaders resolve");
    vec![(gpu::SHADER.to_owned(), text)]
}
