//! The steepness of a cascade's waves, and the part that its maps lose with each mip level: waves too
//! fine for a pixel must come back as roughness (Bruneton, Neyret and Holzschuch 2010).

use std::f64::consts::PI;

use super::{Cascade, DirectionalSpectrum, Interpolation};

/// Covariances of one cascade, expected over all seas of a spectrum: (xx, zz, xz) of the slopes, and
/// last the variance of the divergence dDx/dx + dDz/dz of the displacement.
///
/// The divergence of a wave is -k h times the ratio of the water's orbits ([`Orbits::ratio`]), and its
/// slope k h: in deep water their variances are equal, and in shallow water the divergence's is larger.
///
/// [`Orbits::ratio`]: super::Orbits::ratio
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SlopeCovariance {
    total: [f64; 4],
    /// The losses of each mip level where it is sampled, from level 0, of maps that are interpolated
    /// linearly and by cubic B-splines.
    lost: [Vec<[f64; 4]>; 2],
}

/// The interpolations in the order of `lost`.
const INTERPOLATIONS: [Interpolation; 2] = [Interpolation::Linear, Interpolation::Cubic];

impl SlopeCovariance {
    /// Rings of the band, in equal steps of ln k.
    const RINGS: u32 = 96;
    /// Directions of half a circle. The transfer function and k_i k_j are the same for k and -k.
    const DIRECTIONS: u32 = 48;

    /// Integrates k_i k_j Psi (1 - |H|^2) over the cascade's band, for every mip level of a map
    /// of `size` texels.
    pub(super) fn new(spectrum: &DirectionalSpectrum, cascade: &Cascade, size: u32) -> Self {
        let levels = size.ilog2() as usize + 1;
        let mut total = [0.0; 4];
        let mut lost = INTERPOLATIONS.map(|_| vec![[0.0; 4]; levels]);
        let texel_m = cascade.patch_size_m / f64::from(size);
        let d_theta = PI / f64::from(Self::DIRECTIONS);
        let span = libm::log(cascade.last_rad_per_m / cascade.first_rad_per_m);
        let d_ln_k = span / f64::from(Self::RINGS);
        let directions: Vec<[f64; 2]> = (0..Self::DIRECTIONS)
            .map(|step| {
                let (sin, cos) = libm::sincos(d_theta * (f64::from(step) + 0.5));
                [cos, sin]
            })
            .collect();
        for step in 0..Self::RINGS {
            let k = cascade.first_rad_per_m * libm::exp(d_ln_k * (f64::from(step) + 0.5));
            let ring = spectrum.ring(k);
            let widened = spectrum.orbits.ratio(k).powi(2);
            for &[x, z] in &directions {
                // Both ends of the diameter; the area element is k dk dtheta = k^2 dlnk dtheta.
                let both = ring.psi_m4(x, z, d_theta) + ring.psi_m4(-x, -z, d_theta);
                let weight = both * k * k * d_ln_k * d_theta * k * k;
                let share = [weight * x * x, weight * z * z, weight * x * z, weight * widened];
                add(&mut total, share, 1.0);
                let [u, v] = cascade.lattice_from_world([x, z].map(|part| k * texel_m * part));
                for (lost, interpolation) in lost.iter_mut().zip(INTERPOLATIONS) {
                    let kept = kept_power(interpolation, u, v);
                    for (lost, kept) in lost.iter_mut().zip(kept) {
                        add(lost, share, 1.0 - kept);
                    }
                }
            }
        }
        Self { total, lost }
    }

    pub(super) fn total(&self) -> [f64; 4] {
        self.total
    }

    pub(super) fn lost(&self, mip: u32, interpolation: Interpolation) -> [f64; 4] {
        let [linear, cubic] = &self.lost;
        let lost = match interpolation {
            Interpolation::Linear => linear,
            Interpolation::Cubic => cubic,
        };
        lost[(mip as usize).min(lost.len() - 1)]
    }
}

fn add(sum: &mut [f64; 4], share: [f64; 4], factor: f64) {
    for (sum, share) in sum.iter_mut().zip(share) {
        *sum += share * factor;
    }
}

/// |H|^2 of mip levels 0, 1, 2, ...: the share of a wave's power that is left where the level is
/// sampled, for a wave whose phase advances by `u` and `v` radians a texel of level 0 along the axes
/// of the lattice. It is above 1 by a little for long waves at the first levels of cubic maps, whose
/// texels the prefilter raises.
///
/// Along each axis, averaging two texels 2^m apart multiplies the amplitude by cos(2^m u/2).
pub(crate) fn kept_power(
    interpolation: Interpolation,
    u: f64,
    v: f64,
) -> impl Iterator<Item = f64> {
    let mut cosines = [libm::cos(0.5 * u), libm::cos(0.5 * v)];
    let level_0 = interpolation.kept_power(u) * interpolation.kept_power(v);
    let mut averaged = (interpolation.prefilter(u) * interpolation.prefilter(v)).powi(2);
    std::iter::once(level_0).chain(std::iter::repeat_with(move || {
        let product = cosines[0] * cosines[1];
        averaged *= product * product;
        // cos 2a = 2 cos^2 a - 1
        cosines = cosines.map(|cosine| 2.0 * cosine * cosine - 1.0);
        // Interpolation is linear between texels twice as far apart as those last averaged.
        let doubled = cosines.map(|cosine| 2.0 * cosine * cosine - 1.0);
        averaged * (2.0 + doubled[0]) * (2.0 + doubled[1]) / 9.0
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::SeaState;
    use crate::spectrum::cascades;

    /// The longest waves have flat orbits at this depth, of 1.5 and more.
    const DEPTH_M: f64 = 5.0;

    /// The sum over the lattice that the integral stands for, with H evaluated by averaging the
    /// wave over a texel of the mip level, and its power over the places between two texels.
    fn lattice_sum(
        spectrum: &DirectionalSpectrum,
        cascade: &Cascade,
        size: u32,
        mip: u32,
        interpolation: Interpolation,
    ) -> [f64; 4] {
        let dk = cascade.dk_rad_per_m();
        let half = size as i32 / 2;
        let transfer = |index: i32| {
            let advance = PI * 2.0 * f64::from(index) / f64::from(size);
            let texels = 1 << mip;
            let (re, im) = (0..texels).fold((0.0, 0.0), |(re, im), texel| {
                let phase = advance * f64::from(texel);
                (re + phase.cos(), im + phase.sin())
            });
            let averaged = (re * re + im * im) / f64::from(texels * texels);
            if mip == 0 {
                return interpolation.kept_power(advance);
            }
            let cos = (advance * f64::from(texels)).cos();
            let interpolated: f64 = (0..200)
                .map(|step| (f64::from(step) + 0.5) / 200.0)
                .map(|t| (1.0 - t) * (1.0 - t) + t * t + 2.0 * t * (1.0 - t) * cos)
                .sum();
            interpolation.prefilter(advance).powi(2) * averaged * interpolated / 200.0
        };
        let transfers: Vec<f64> = (0..=half).map(transfer).collect();
        let mut sum = [0.0; 4];
        for j in 1 - half..half {
            for i in 1 - half..half {
                let [kx, kz] = cascade.wave_vector([i, j]);
                if cascade.contains((kx * kx + kz * kz).sqrt()) {
                    let kept =
                        transfers[i.unsigned_abs() as usize] * transfers[j.unsigned_abs() as usize];
                    let variance = spectrum.psi_m4(kx, kz) * dk * dk * (1.0 - kept);
                    // D = i (k/|k|) coth(k d) h.
                    let divergence = (kx * kx + kz * kz) / (DEPTH_M * kx.hypot(kz)).tanh().powi(2);
                    add(&mut sum, [kx * kx, kz * kz, kx * kz, divergence], variance);
                }
            }
        }
        sum
    }

    #[test]
    fn the_integral_agrees_with_the_sum_over_wave_vectors() {
        let sea = SeaState {
            wind_direction_deg: 25.0,
            depth_m: DEPTH_M,
            fetch_m: 2e4,
            ..Default::default()
        };
        let spectrum = DirectionalSpectrum::of(&sea);
        for size in [128, 256] {
            for (index, cascade) in cascades(&sea, 3, size).iter().enumerate() {
                let covariance = SlopeCovariance::new(&spectrum, cascade, size);
                let largest = covariance.total()[0].max(covariance.total()[1]);
                for (interpolation, mip) in INTERPOLATIONS
                    .into_iter()
                    .flat_map(|each| (0..=size.ilog2()).map(move |mip| (each, mip)))
                {
                    let sum = lattice_sum(&spectrum, cascade, size, mip, interpolation);
                    let lost = covariance.lost(mip, interpolation);
                    for (integral, sum) in lost.into_iter().zip(sum) {
                        let tolerance = 0.03 * sum.abs() + 1e-3 * largest;
                        assert!(
                            (integral - sum).abs() < tolerance,
                            "N {size} cascade {index} mip {mip} {interpolation}: {integral}, {sum}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_last_level_has_lost_everything() {
        let sea = SeaState::default();
        let spectrum = DirectionalSpectrum::of(&sea);
        let cascade = cascades(&sea, 4, 128)[1];
        let covariance = SlopeCovariance::new(&spectrum, &cascade, 128);
        for interpolation in INTERPOLATIONS {
            let (total, lost) = (covariance.total(), covariance.lost(99, interpolation));
            assert!((lost[0] / total[0] - 1.0).abs() < 0.01);
            assert!((lost[1] / total[1] - 1.0).abs() < 0.01);
        }
    }
}
