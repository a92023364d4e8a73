use std::f64::consts::TAU;

use rand_distr::{Distribution, StandardNormal};

use super::waves::{BANDS, Covariance, Seen, Waves};
use crate::fft::Direction;
use crate::fft::lab::cpu;

/// (Dxx, Dzz, Dxz) at a place that drifts with the foam, each times the choppiness, at evenly spaced
/// moments around a circle.
pub(super) struct Process {
    /// The covariance by waves of each whole multiple of the lowest frequency, from 1 on.
    covariances: Vec<Covariance>,
    factors: Vec<Factor>,
    transform: cpu::Dit,
    len: usize,
}

pub(super) type Derivatives = [f64; 3];

impl Process {
    /// A process of `len` moments, a power of two.
    pub(super) fn new<F: Fn(f64, [f64; 2]) -> f64>(
        waves: &Waves,
        choppiness: f64,
        seen: &Seen<F>,
        len: usize,
        step_s: f64,
    ) -> Self {
        let densities = waves.densities(&seen.kept_power);
        let width = waves.band_rad_per_s();
        let d_omega = TAU / (len as f64 * step_s);
        let mut covariances: Vec<Covariance> = (1..len / 2)
            .map(|index| d_omega * index as f64)
            .take_while(|&omega| omega < waves.highest_rad_per_s)
            .map(|omega| densities[((omega / width) as usize).min(BANDS - 1)])
            .collect();
        // Bands that hold a frequency more or less than their width would change the waves' variance.
        let variance = |of: &[Covariance]| of.iter().map(variance_of_j).sum::<f64>();
        let (all, sampled) = (width * variance(&densities), variance(&covariances));
        let scale = choppiness * choppiness * if sampled > 0.0 { all / sampled } else { 0.0 };
        covariances.iter_mut().flatten().for_each(|part| *part *= scale);
        let factors = covariances.iter().map(Factor::of).collect();
        let transform = cpu::Dit::new(len, Direction::Inverse).expect("a power of two");
        Self { covariances, factors, transform, len }
    }

    /// Two samples, in the real and the imaginary part, each with the variance of the spectrum.
    pub(super) fn sample(&self, rng: &mut impl rand::Rng) -> [Vec<cpu::Complex>; 3] {
        let mut fields = [(); 3].map(|()| vec![[0.0; 2]; self.len]);
        for (index, factor) in self.factors.iter().enumerate() {
            let mut normals = || StandardNormal.sample(rng);
            let white: [cpu::Complex; 3] = std::array::from_fn(|_| [normals(), normals()]);
            for part in 0..2 {
                let derivatives = factor.times(white.map(|white| white[part]));
                for (field, derivative) in fields.iter_mut().zip(derivatives) {
                    field[index + 1][part] = derivative;
                }
            }
        }
        fields.iter_mut().for_each(|field| self.transform.transform(field));
        fields
    }

    pub(super) fn covariance(&self) -> Covariance {
        std::array::from_fn(|at| self.covariances.iter().map(|covariance| covariance[at]).sum())
    }

    /// The variance of J at one moment, to first order.
    pub(super) fn variance_of_j(&self) -> f64 {
        variance_of_j(&self.covariance())
    }

    /// Covariance of the derivatives at every moment with their sum by `weights` at the first.
    pub(super) fn covariance_with(&self, weights: Derivatives) -> Vec<Derivatives> {
        let mut fields = [(); 3].map(|()| vec![[0.0; 2]; self.len]);
        for (index, covariance) in self.covariances.iter().enumerate() {
            for (field, part) in fields.iter_mut().zip(product(covariance, weights)) {
                field[index + 1][0] = part;
            }
        }
        fields.iter_mut().for_each(|field| self.transform.transform(field));
        (0..self.len).map(|at| [0, 1, 2].map(|field: usize| fields[field][at][0])).collect()
    }
}

/// The variance of J to first order, which is that of Dxx + Dzz.
fn variance_of_j(&[xxxx, zzzz, _, xxzz, ..]: &Covariance) -> f64 {
    xxxx + zzzz + 2.0 * xxzz
}

pub(super) fn product(
    &[xxxx, zzzz, xzxz, xxzz, xxxz, zzxz]: &Covariance,
    [a, b, c]: Derivatives,
) -> Derivatives {
    [xxxx * a + xxzz * b + xxxz * c, xxzz * a + zzzz * b + zzxz * c, xxxz * a + zzxz * b + xzxz * c]
}

pub(super) fn jacobian([xx, zz, xz]: Derivatives) -> f64 {
    (1.0 + xx) * (1.0 + zz) - xz * xz
}

/// A matrix whose product with its transpose is a covariance (Cholesky).
struct Factor {
    xx: f64,
    zz_xx: f64,
    zz: f64,
    xz_xx: f64,
    xz_zz: f64,
    xz: f64,
}

impl Factor {
    fn of(&[xxxx, zzzz, xzxz, xxzz, xxxz, zzxz]: &Covariance) -> Self {
        let over = |value: f64, by: f64| if by > 0.0 { value / by } else { 0.0 };
        let xx = xxxx.max(0.0).sqrt();
        let (zz_xx, xz_xx) = (over(xxzz, xx), over(xxxz, xx));
        let zz = (zzzz - zz_xx * zz_xx).max(0.0).sqrt();
        let xz_zz = over(zzxz - xz_xx * zz_xx, zz);
        let xz = (xzxz - xz_xx * xz_xx - xz_zz * xz_zz).max(0.0).sqrt();
        Self { xx, zz_xx, zz, xz_xx, xz_zz, xz }
    }

    fn times(&self, [a, b, c]: Derivatives) -> Derivatives {
        [self.xx * a, self.zz_xx * a + self.zz * b, self.xz_xx * a + self.xz_zz * b + self.xz * c]
    }
}
