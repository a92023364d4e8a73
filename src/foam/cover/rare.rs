//! Breaking that is too rare to be waited for: importance sampling.
//!
//! A Gaussian process that comes as low as a rare wave that breaks does so, most likely, along one
//! path. Samples to which that path is added, at a moment drawn evenly, break about every second
//! time; each counts by its density in truth over that with which it was drawn (Adler, Blanchet and
//! Liu 2012, for one Gaussian field; here three, and the Jacobian of them).

use rand::Rng;

use super::process::{Derivatives, Process, product};
use crate::ocean::normal_quantile;

/// The path, and how it is weighed.
pub(super) struct Rare {
    /// What is added to the derivatives, by the time since the moment drawn.
    path: Vec<Derivatives>,
    /// The exponent of the density of a sample with the path over that without, by the derivatives
    /// at the moment drawn: their sum by these weights, less half the variance of that sum.
    weights: Derivatives,
    half_variance: f64,
}

impl Rare {
    /// Of so many samples, one is left as it is: what breaks along other paths is found as well, and
    /// no sample counts by more than that number.
    const PLAIN_EVERY: usize = 8;

    /// Waves break for about this share of the time for which there is foam of them.
    const BREAKING_OVER_FOAM: f64 = 0.15;

    /// For foam on the share `share` of the sea. `lost_variance` of J is added to what `process` has.
    pub(super) fn new(process: &Process, lost_variance: f64, share: f64) -> Self {
        let covariance = process.covariance();
        let deviations = -normal_quantile(Self::BREAKING_OVER_FOAM * share);
        // The least J that is so many deviations away: the gradient of J at a point, through the
        // covariance, leads to the next (the first-order reliability method's fixed point).
        let mut weights = [0.0; 3];
        let mut variance = 0.0;
        for _ in 0..12 {
            let [xx, zz, xz] = product(&covariance, weights);
            let gradient = [1.0 + zz, 1.0 + xx, -2.0 * xz];
            let along = product(&covariance, gradient);
            let seen: f64 = gradient.iter().zip(along).map(|(a, b)| a * b).sum();
            let all = (seen + lost_variance).max(1e-30).sqrt();
            // The part of J that is not in the process is as far from its mean, in its deviations.
            weights = gradient.map(|part| -deviations * part / all);
            variance = seen * (deviations / all).powi(2);
        }
        Self { path: process.covariance_with(weights), weights, half_variance: 0.5 * variance }
    }

    /// The sample number `number`, by what it is to count: the path is added to it.
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
        // Whichever way it was drawn, it could have been in each.
        let density = |derivatives: &Derivatives| {
            let sum: f64 = derivatives.iter().zip(self.weights).map(|(a, b)| a * b).sum();
            libm::exp(sum - self.half_variance)
        };
        let with_path = sample.iter().map(density).sum::<f64>() / len as f64;
        let plain = (Self::PLAIN_EVERY as f64).recip();
        (plain + (1.0 - plain) * with_path).recip()
    }
}
