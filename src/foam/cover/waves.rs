//! The waves that make foam, as a texel of the foam sees them.

use std::f64::consts::TAU;

use crate::spectrum::DirectionalSpectrum;

pub(super) const BANDS: usize = 96;

/// Covariances of (Dxx, Dzz, Dxz): (xx xx, zz zz, xz xz, xx zz, xx xz, zz xz).
pub(super) type Covariance = [f64; 6];

/// The waves of a band of a sea's spectrum that make foam, as a place that drifts with the foam meets them.
pub(in crate::foam) struct Waves {
    components: Vec<Component>,
    pub(super) highest_rad_per_s: f64,
}

/// Waves of one wavenumber and direction.
struct Component {
    k_rad_per_m: f64,
    towards: [f64; 2],
    encounter_rad_per_s: f64,
    divergence_variance: f64,
}

impl Waves {
    /// Nodes of the spectrum in ln k, and directions.
    const NODES: usize = 192;
    const DIRECTIONS: usize = 48;

    /// The waves of `spectrum` with wavenumbers within `band_rad_per_m`, met at `drift_mps` along (x,
    /// z). Foam drifts along with its waves: it meets them less often, and each for longer.
    pub(in crate::foam) fn new(
        spectrum: &DirectionalSpectrum,
        [first, last]: [f64; 2],
        drift_mps: [f64; 2],
    ) -> Self {
        let mut components = Vec::new();
        let d_ln_k = libm::log(last / first) / Self::NODES as f64;
        let d_theta = TAU / Self::DIRECTIONS as f64;
        for node in 0..if last > first { Self::NODES } else { 0 } {
            let k = first * libm::exp(d_ln_k * (node as f64 + 0.5));
            let ring = spectrum.ring(k);
            let widened = spectrum.orbits.ratio(k).powi(2);
            for direction in 0..Self::DIRECTIONS {
                let (z, x) = libm::sincos(d_theta * (direction as f64 + 0.5));
                let doppler = k * (x * drift_mps[0] + z * drift_mps[1]);
                components.push(Component {
                    k_rad_per_m: k,
                    towards: [x, z],
                    // The process is as random backwards in time.
                    encounter_rad_per_s: (ring.omega_rad_per_s - doppler).abs(),
                    divergence_variance: widened
                        * k
                        * k
                        * ring.psi_m4(x, z, d_theta)
                        * k
                        * k
                        * d_ln_k
                        * d_theta,
                });
            }
        }
        let highest_rad_per_s =
            components.iter().map(|wave| wave.encounter_rad_per_s).fold(0.0, f64::max);
        Self { components, highest_rad_per_s }
    }

    /// The variance of the divergence of the waves for which `is_wanted` of the wavenumber.
    pub(in crate::foam) fn divergence_variance(&self, is_wanted: impl Fn(f64) -> bool) -> f64 {
        let wanted = self.components.iter().filter(|wave| is_wanted(wave.k_rad_per_m));
        wanted.map(|wave| wave.divergence_variance).sum()
    }

    /// Covariance densities of (Dxx, Dzz, Dxz) in s/rad, in bands of equal width from 0 to the highest
    /// frequency.
    pub(super) fn densities(&self, kept_power: impl Fn(f64, [f64; 2]) -> f64) -> Vec<Covariance> {
        let mut densities = vec![[0.0; 6]; BANDS];
        let width = self.band_rad_per_s();
        for wave in &self.components {
            let [x, z] = wave.towards;
            let [xx, zz, xz] = [x * x, z * z, x * z];
            let weight =
                wave.divergence_variance * kept_power(wave.k_rad_per_m, wave.towards) / width;
            let products = [xx * xx, zz * zz, xz * xz, xx * zz, xx * xz, zz * xz];
            // Shared between the two bands with the nearest middles.
            let at = (wave.encounter_rad_per_s / width - 0.5).clamp(0.0, (BANDS - 1) as f64);
            let (band, share) = (at as usize, at.fract());
            for (band, share) in [(band, 1.0 - share), ((band + 1).min(BANDS - 1), share)] {
                for (density, product) in densities[band].iter_mut().zip(products) {
                    *density += share * weight * product;
                }
            }
        }
        densities
    }

    /// The regression of the water's area around a texel, as far as its foam is interpolated, on the J
    /// that the texel sees, with amplitudes averaged like the foam.
    pub(super) fn interpolated<F: Fn(f64, [f64; 2]) -> f64>(&self, seen: &Seen<F>) -> f64 {
        let sinc = |x: f64| if x.abs() < 1e-6 { 1.0 } else { libm::sin(x) / x };
        let (mut all, mut left) = (1e-30, 1e-30);
        for wave in &self.components {
            let kept = (seen.kept_power)(wave.k_rad_per_m, wave.towards);
            let [x, z] = wave.towards.map(|part| 0.5 * part * wave.k_rad_per_m * seen.texel_m);
            all += wave.divergence_variance * kept;
            left += wave.divergence_variance * kept.sqrt() * (sinc(x) * sinc(z)).powi(2);
        }
        left / all
    }

    pub(super) fn band_rad_per_s(&self) -> f64 {
        self.highest_rad_per_s / BANDS as f64
    }
}

/// The part of the waves that a texel of the foam resolves.
pub(in crate::foam) struct Seen<F> {
    /// The resolved share of a wave's power, by its wavenumber and direction.
    pub(in crate::foam) kept_power: F,
    /// The side of the texel, in metres. Foam is interpolated between texels.
    pub(in crate::foam) texel_m: f64,
    /// The unresolved variance of J.
    pub(in crate::foam) lost_variance: f64,
    /// The unresolved share of the divergence's variance, 0 to 1.
    pub(in crate::foam) unseen: f64,
    /// Even foam per breaking share ([`super::Cover::over_breaking`]): the foam of texels that resolve
    /// nothing.
    pub(in crate::foam) over_breaking: [f64; 2],
}
