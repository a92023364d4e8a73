//! One look at the whole surface: its heights and slopes, wave vector by wave vector.

use super::lattice::Lattice;
use super::theory::Theory;
use super::waves::{Texels, part, power, waves};

/// What the maps held at one moment, of every cascade.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// The sea's time of the last layer that was read.
    pub time_s: f64,
    /// Variance of the heights in m2, summed over the cascades.
    pub variance_m2: f64,
    /// Covariance (xx, zz, xz) of the slopes at rest, dh/dx and dh/dz, summed over the cascades.
    pub slope_covariance: [f64; 3],
    /// Variance of the heights in m2 in each of the theory's bins, of the waves within the
    /// cascades' bands.
    pub bins_m2: Vec<f64>,
}

impl Surface {
    /// Nothing yet.
    pub(super) fn empty(theory: &Theory) -> Self {
        Self {
            time_s: 0.0,
            variance_m2: 0.0,
            slope_covariance: [0.0; 3],
            bins_m2: vec![0.0; theory.bins.count()],
        }
    }

    /// Adds the heights of one cascade, from its displacement layer.
    pub(super) fn add_heights(&mut self, theory: &Theory, cascade: usize, texels: &Texels<'_>) {
        /// Of h in (Dx, Dz, h, dDx/dz).
        const HEIGHT: usize = 2;
        let waves = waves(
            texels.channels(HEIGHT, None),
            texels.size,
            theory.subject.interpolation[cascade],
        );
        // Parseval; without the mean, which is no wave.
        self.variance_m2 += waves.iter().skip(1).map(|wave| power(*wave)).sum::<f64>();
        let subject = &theory.subject;
        let lattice = Lattice::new(texels.size, &subject.cascades[cascade]);
        lattice.for_each_length(|k, pairs| {
            let bin = theory.bins.index_of(theory.dispersion.omega_rad_per_s(k));
            // The conjugate at -k brings as much again.
            let both = |pair: &[i32; 2]| 2.0 * power(waves[lattice.position(*pair)]);
            self.bins_m2[bin] += pairs.iter().map(both).sum::<f64>();
        });
    }

    /// Adds the slopes of one cascade, from its layer of derivatives.
    pub(super) fn add_slopes(&mut self, theory: &Theory, cascade: usize, texels: &Texels<'_>) {
        /// Of dh/dx and dh/dz in (dh/dx, dh/dz, dDx/dx, dDz/dz).
        const SLOPES: [usize; 2] = [0, 1];
        let waves = waves(
            texels.channels(SLOPES[0], Some(SLOPES[1])),
            texels.size,
            theory.subject.interpolation[cascade],
        );
        let lattice = Lattice::new(texels.size, &theory.subject.cascades[cascade]);
        let mut sum = [0.0; 3];
        for (position, wave) in waves.iter().enumerate().skip(1) {
            let [x, z] = part(*wave, waves[lattice.opposite(position)]);
            sum[0] += power(x);
            sum[1] += power(z);
            sum[2] += x[0] * z[0] + x[1] * z[1];
        }
        self.slope_covariance.iter_mut().zip(sum).for_each(|(all, sum)| *all += sum);
    }
}
