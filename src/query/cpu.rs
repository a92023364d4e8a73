//! Queries of the sea on the processor: the twin of `shaders/query/points.wgsl` in double precision, for
//! callers that cannot wait a frame, have no GPU, or check one.

use std::sync::Arc;

use super::{LEAST_STRETCH, MAX_ITERATIONS, Point, SurfacePoint, TOLERANCE_M};
use crate::maps::CascadeSampling;
use crate::maps::cpu::{Cascade, Fields, Sea, sum_of_cascades};
use crate::ocean::{self, OceanOptions};
use crate::spectrum::{InitialSpectrum, Interpolation, whitecaps};

/// Queries a sea without a GPU.
///
/// It transforms the sea to each queried time and keeps the last two ([`Queries::keeping`]); points are
/// then cheap. With four cascades, on one core of a server of 2023, optimised:
///
/// | points along a side | a time | its memory | a point |
/// |---|---|---|---|
/// | 128 | 21 ms | 8 MB | 4 us |
/// | 256 | 100 ms | 31 MB | 5 us |
/// | 512 | 450 ms | 123 MB | 7 us |
///
/// A coarser sea than the drawn one has the same waves except the shortest, at a fraction of the cost:
/// prepare it with a smaller [`OceanOptions::size`].
#[derive(Clone, Debug)]
pub struct Queries {
    initial: Arc<InitialSpectrum>,
    sampling: Vec<CascadeSampling>,
    /// The kept times, from the most recently requested.
    moments: Vec<Arc<Moment>>,
    kept: usize,
}

/// The sea at one time, for queries from any thread.
#[derive(Clone, Debug)]
pub struct Moment {
    time_s: f64,
    ticks: u32,
    sea: Sea,
    /// The rates of change of (Dx, Dz, h).
    rates: Vec<Cascade<3>>,
}

impl Queries {
    /// Prepares queries of the sea that an ocean of `options` draws of `initial`, with the same blended
    /// cascades and interpolation, on a device that supports it
    /// ([`Maps::filterable`](crate::maps::Maps::filterable)). It does not transform yet.
    pub fn new(initial: impl Into<Arc<InitialSpectrum>>, options: &OceanOptions) -> Self {
        let initial = initial.into();
        let sampling = (0..initial.cascades.len())
            .map(|cascade| {
                let interpolation = if cascade < options.cubic_cascades as usize {
                    Interpolation::Cubic
                } else {
                    Interpolation::Linear
                };
                let blended = cascade < options.blended_cascades as usize;
                CascadeSampling::new(&initial, cascade, interpolation, blended)
            })
            .collect();
        Self { initial, sampling, moments: Vec::new(), kept: 2 }
    }

    /// Keeps the given number of times, at least one, in place of two.
    pub fn keeping(mut self, times: usize) -> Self {
        self.kept = times.max(1);
        self.moments.truncate(self.kept);
        self
    }

    /// The sea at `time_s`, 0 where it is not finite. It is a kept one, or replaces the least recently
    /// requested.
    pub fn at(&mut self, time_s: f64) -> Arc<Moment> {
        // The sea has one state per tick of its clock.
        let ticks = self.initial.clock.ticks(time_s);
        match self.moments.iter().position(|moment| moment.ticks == ticks) {
            Some(found) => self.moments[..=found].rotate_right(1),
            None => {
                self.moments.truncate(self.kept - 1);
                let moment = Moment::new(&self.initial, &self.sampling, time_s);
                self.moments.insert(0, Arc::new(moment));
            }
        }
        Arc::clone(&self.moments[0])
    }
}

impl Moment {
    fn new(initial: &InitialSpectrum, sampling: &[CascadeSampling], time_s: f64) -> Self {
        let interpolation: Vec<_> = sampling.iter().map(|cascade| cascade.interpolation).collect();
        let fields = ocean::cpu::coefficients(initial, &interpolation, time_s);
        let rates = ocean::cpu::rate_coefficients(initial, &interpolation, time_s);
        Self {
            time_s,
            ticks: initial.clock.ticks(time_s),
            sea: Sea {
                cascades: maps(initial, sampling, fields),
                choppiness: initial.sea.choppiness,
                foam_threshold: whitecaps::foam_threshold(initial),
            },
            rates: maps(initial, sampling, rates),
        }
    }

    /// The time of the sea, in seconds.
    pub fn time_s(&self) -> f64 {
        self.time_s
    }

    /// The maps of the sea, by the water at rest.
    pub fn sea(&self) -> &Sea {
        &self.sea
    }

    /// The surface at each of `points`.
    pub fn query(&self, points: &[Point]) -> Vec<SurfacePoint> {
        points.iter().map(|point| self.surface_at(*point)).collect()
    }

    /// Returns the surface at one point.
    pub fn surface_at(&self, point: Point) -> SurfacePoint {
        let [x, z] = point.position_m;
        let footprint_m = point.sound_footprint_m();
        let choppiness = self.sea.choppiness;
        let look = |at_rest: [f64; 2]| {
            let fields: Fields = sum_of_cascades(&self.sea.cascades, at_rest, footprint_m);
            let residual =
                [at_rest[0] + choppiness * fields[0] - x, at_rest[1] + choppiness * fields[1] - z];
            (fields, residual)
        };
        let mut at_rest = [x, z];
        let (mut fields, mut residual) = look(at_rest);
        if point.is_at_rest {
            return self.found(at_rest, footprint_m, &fields);
        }
        for _ in 0..MAX_ITERATIONS {
            if residual[0].hypot(residual[1]) <= TOLERANCE_M {
                break;
            }
            let [_, _, _, _, _, dxz, dxx, dzz] = fields;
            let step = step([dxx, dzz, dxz].map(|stretch| choppiness * stretch), residual);
            at_rest = [at_rest[0] - step[0], at_rest[1] - step[1]];
            (fields, residual) = look(at_rest);
        }

        let residual_m = residual[0].hypot(residual[1]);
        SurfacePoint { residual_m, ..self.found(at_rest, footprint_m, &fields) }
    }

    fn found(&self, at_rest_m: [f64; 2], footprint_m: f64, fields: &Fields) -> SurfacePoint {
        let surface = self.sea.surface_of(fields);
        let [dx, dz, h] = sum_of_cascades(&self.rates, at_rest_m, footprint_m);
        let choppiness = self.sea.choppiness;
        SurfacePoint {
            height_m: fields[2],
            normal: surface.normal(),
            velocity_mps: Some([choppiness * dx, h, choppiness * dz]),
            position_m: [0, 1].map(|axis| at_rest_m[axis] + choppiness * fields[axis]),
            at_rest_m,
            jacobian: surface.jacobian(),
            residual_m: 0.0,
        }
    }
}

fn maps<const FIELDS: usize>(
    initial: &InitialSpectrum,
    sampling: &[CascadeSampling],
    level_0: Vec<Vec<[f64; FIELDS]>>,
) -> Vec<Cascade<FIELDS>> {
    let cascades = sampling.iter().cloned().zip(level_0);
    cascades.map(|(sampling, level_0)| Cascade::new(sampling, initial.size, level_0)).collect()
}

/// The twin of `query_step`: the move of water at rest that moves the displaced water by `residual`,
/// given the derivatives (xx, zz, xz) of its displacement.
fn step([dxx, dzz, dxz]: [f64; 3], [x, z]: [f64; 2]) -> [f64; 2] {
    let middle = 1.0 + 0.5 * (dxx + dzz);
    let half = 0.5 * (dxx - dzz);
    let radius = half.hypot(dxz);
    let [major, minor] =
        [middle + radius, middle - radius].map(|stretch| 1.0 / stretch.abs().max(LEAST_STRETCH));
    let mean = 0.5 * (major + minor);
    let spread = 0.5 * (major - minor) / radius.max(1e-9);
    [mean * x + spread * (half * x + dxz * z), mean * z + spread * (dxz * x - half * z)]
}

#[cfg(test)]
#[path = "cpu_tests.rs"]
mod tests;
