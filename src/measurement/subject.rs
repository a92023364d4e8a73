use std::sync::Arc;

use crate::settings::SeaState;
use crate::spectrum::{Cascade, DirectionalSpectrum, InitialSpectrum, Interpolation, SeaSummary};

/// The inputs of the theory: an [`InitialSpectrum`] without its waves.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// The state of the sea.
    pub sea: SeaState,
    /// The texels along one side of each cascade's maps.
    pub size: u32,
    /// The patches and bands, coarsest first.
    pub cascades: Vec<Cascade>,
    /// The interpolation of level 0 of each cascade's maps, whose waves have its prefilter.
    pub interpolation: Vec<Interpolation>,
    /// The predictions for the whole spectrum.
    pub summary: SeaSummary,
    /// The spectrum of the sea.
    pub spectrum: Arc<DirectionalSpectrum>,
    /// Variance of the surface in m2 within the bands: the integral of the spectrum.
    pub variance_m2: f64,
    /// Covariance (xx, zz, xz) of the slopes within the bands.
    pub slope_covariance: [f64; 3],
    /// Covariance (xx, zz, xz) of the slopes of waves outside of all bands.
    pub unresolved_slope_covariance: [f64; 3],
}

impl Subject {
    /// The subject of `initial` in maps with the given interpolation of each cascade, by default linear.
    pub fn of(initial: &InitialSpectrum, interpolation: &[Interpolation]) -> Self {
        let mut slope_covariance = [0.0; 3];
        for cascade in 0..initial.cascades.len() {
            let of_cascade = initial.slope_covariance(cascade);
            slope_covariance.iter_mut().zip(of_cascade).for_each(|(sum, part)| *sum += part);
        }
        Self {
            sea: initial.sea.clone(),
            size: initial.size,
            cascades: initial.cascades.clone(),
            interpolation: (0..initial.cascades.len())
                .map(|cascade| interpolation.get(cascade).copied().unwrap_or(Interpolation::Linear))
                .collect(),
            summary: initial.summary.clone(),
            spectrum: initial.spectrum.clone(),
            variance_m2: initial.variance_m2.iter().sum(),
            slope_covariance,
            unresolved_slope_covariance: initial.unresolved_slope_covariance(),
        }
    }
}

/// The parts of a slope covariance (xx, zz, xz) along and across the unit vector `towards`.
pub(super) fn along_and_across([xx, zz, xz]: [f64; 3], towards: [f64; 2]) -> [f64; 2] {
    let [x, z] = towards;
    let along = xx * x * x + zz * z * z + 2.0 * xz * x * z;
    [along, xx + zz - along]
}
