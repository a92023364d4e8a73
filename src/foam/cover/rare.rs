//! Importance sampling of breaking that is too rare to wait for.
//!
//! A Gaussian process reaches the low values of a rare breaking wave most likely along one path. Samples
//! to which that path is added, at a moment drawn evenly, break about every second time; each has as its
//! weight the ratio of its true density to that of the draw (Adler, Blanchet and Liu 2012, for one
//! Gaussian field; here three, and the Jacobian of them).

use rand::Rng;

use super::process::{Derivatives, Process, product};
use crate::spectrum::whitecaps::normal_quantile;

/// The path and its weight.
pub(super) struct Rare {
    /// The addition to the derivatives, by the time since the drawn moment.
    path: Vec<Derivatives>,
    /// The exponent of the density ratio of a sample with and without the path is the sum of the
    /// derivatives at the drawn moment by these weights, less half the variance of that sum.
    weights: Derivatives,
    half_variance: f64,
}

impl Rare {
    /// One in this many samples stays as it is, to find breaking along other paths. It also bounds the
    /// weights.
    const PLAIN_EVERY: usize = 8;

    /// The approximate ratio of the time that waves break to the time with foam.
    const BREAKING_OVER_FOAM: f64 = 0.15;

    /// The path for foam on `share` of the sea. `lost_variance` of J adds to the variance of `process`.
    pub(super) fn new(process: &Process, lost_variance: f64, share: f64) -> Self {
        let covariance = process.covariance();
        let deviations = -normal_quantile(Self::BREAKING_OVER_FOAM * share);
        // The least J at this number of deviations: the gradient of J at a point, through the
        // covariance, leads to the next (the first-order reliability method's fixed point).
        let mut weights = [0.0; 3];
        let mut variance = 0.0;
        for _ in 0..12 {
            let [xx, zz, xz] = product(&covariance, weights);
            let gradient = [1.0 + zz, 1.0 + xx, -2.0 * xz];
            let along = product(&covariance, gradient);
            let seen: f64 = gradient.iter().zip(along).map(|(a, b)| a * b).sum();
            let all = (seen + lost_variance).max(1e-30).sqrt();
            // The lost part of J is as far from its mean, in its deviations.
            weights = gradient.map(|part| -deviations * part / all);
            variance = seen * (deviations / all).powi(2);
        }
        Self { path: process.covariance_with(weights), weights, half_variance: 0.5 * variance }
    }

    /// Adds the path to the sample with the given number, and returns its weight.
    pub(super) fn draw(
        &self,
        number: usize,
        sample: &mut [Derivatives],
        rng: &mut impl Rng,
    ) -> f64 {
        let len = sample.len();
        if !number.is_multiple_of(Self::PLAIN_EVERY) {
            let moment = (rng.next_u64() % len as u64) as usize;
            for (at, derivatives) in sample.iter_mut().enumerate() {
                let path = self.path[(at + len - moment) % len];
                derivatives.iter_mut().zip(path).for_each(|(derivative, path)| *derivative += path);
            }
        }
        // Any draw could have produced the sample.
        let density = |derivatives: &Derivatives| {
            let sum: f64 = derivatives.iter().zip(self.weights).map(|(a, b)| a * b).sum();
            libm::exp(sum - self.half_variance)
        };
        let with_path = sample.iter().map(density).sum::<f64>() / len as f64;
        let plain = (Self::PLAIN_EVERY as f64).recip();
        (plain + (1.0 - plain) * with_path).recip()
    }
}
