//! Spray, which a strong wind tears from breaking crests and blows along, and in a gale spindrift, its
//! long wisps over the water.
//!
//! It comes from the breaking that makes [foam](crate::foam), at some of the foam's own steps: a kernel
//! tests the water around the eye, cell by cell, and where it breaks writes the place and velocity of a
//! puff into the cell's slot. There is one slot for each cell and each of the last moments, so that
//! nothing depends on the order in which a GPU works; the flight of spray follows from its age alone, so
//! that the frame at a time does not depend on earlier frames.
//!
//! The shaders are `spray/tear.wgsl`, `spray/place.wgsl` and `spray/puff.wgsl`.
//!
//! ```no_run
//! use seaway::foam::Foam;
//! use seaway::mesh::SeaBounds;
//! use seaway::settings::Quality;
//! use seaway::spray::{Spray, SprayOptions};
//!
//! # fn f(
//! #     spray: &mut Spray, foam: &mut Foam, queue: &wgpu::Queue, time_s: f64,
//! #     recorder: &mut seaway::profile::Recorder<'_>, bounds: SeaBounds, eye_m: [f64; 2],
//! # ) {
//! // `Spray::new` takes the options of a quality, none for the low tier.
//! let options: Option<SprayOptions> = SprayOptions::of(&Quality::default());
//! // The steps of the foam tear it off; `Spray::place` and `Spray::draw` then draw it.
//! foam.record(recorder, queue, time_s, eye_m, eye_m, 8, &mut |pass, step| {
//!     spray.tear(pass, queue, step, eye_m, eye_m);
//! });
//! spray.update(queue, time_s, eye_m, &foam.sea().waves.sea, bounds);
//! # }
//! ```

mod gpu_data;
mod stage;
#[cfg(test)]
mod tests;

pub use stage::{Spray, SprayOptions};

use crate::settings::SeaState;

/// The age in seconds at which the last spray has fallen, or is too thin to be seen.
pub const LIFE_S: f64 = 2.8;

/// The approximate number of moments a second at which spray is torn off. They are steps of the foam.
const MOMENTS_PER_S: f64 = 10.0;

/// The wind speeds at which crests begin to throw spray, and do so all the time (Beaufort 5, "chance of
/// some spray", to 9).
const TORN_MPS: [f64; 2] = [8.0, 22.0];
/// The wind speeds at which the edges of crests begin to break into spindrift, and from which most spray
/// is spindrift (Beaufort 8 to 10).
const SPINDRIFT_MPS: [f64; 2] = [15.0, 25.0];
/// The largest share of puffs that are spindrift.
const MOST_SPINDRIFT: f64 = 0.6;

#[cfg(test)]
pub(crate) fn shaders() -> Vec<(String, String)> {
    let resolved = |name: &str| crate::gpu::shader::resolve(name).expect(name);
    [stage::TEAR, stage::PLACE, stage::PUFF].map(|name| (name.to_owned(), resolved(name))).into()
}

/// The effect of the wind on the crests of a sea.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tearing {
    /// The share of possible spray that is torn off: 1 in a storm, 0 where there is none.
    share: f64,
    spindrift: f64,
    wind_mps: [f64; 2],
}

impl Tearing {
    fn of(sea: &SeaState) -> Self {
        let rises = |[from, to]: [f64; 2]| {
            let t = ((sea.wind_speed_mps - from) / (to - from)).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        };
        let (sin, cos) = libm::sincos(sea.wind_direction_deg.to_radians());
        Self {
            share: sea.spray * rises(TORN_MPS),
            spindrift: MOST_SPINDRIFT * rises(SPINDRIFT_MPS),
            wind_mps: [cos, sin].map(|part| part * sea.wind_speed_mps),
        }
    }
}
