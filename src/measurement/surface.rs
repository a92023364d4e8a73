//! One measurement of the whole surface: its heights and slopes, wave vector by wave vector.

use super::lattice::Lattice;
use super::theory::Theory;
use super::waves::{Texels, part, power, waves};
use crate::fft::lab::cpu::Complex;
use crate::platform::Cooperative;

/// The waves in the maps of all cascades at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// The sea's time of the last layer.
    pub time_s: f64,
    /// Variance of the heights in m2, summed over the cascades.
    pub variance_m2: f64,
    /// Covariance (xx, zz, xz) of the slopes at rest, dh/dx and dh/dz, summed over the cascades.
    pub slope_covariance: [f64; 3],
    /// Variance of the heights in m2 in each of the theory's bins, of the waves within the cascades' bands.
    pub bins_m2: Vec<f64>,
    /// Sums over the waves of each bin whose direction two looks tell apart: their variance in m2, and the
    /// variance times the cosine and the sine of that direction. All are 0 after one look alone.
    pub towards_m2: Vec<[f64; 3]>,
}

/// The heights' amplitudes of one cascade at an earlier time, which tell the waves towards k from those
/// towards -k.
///
/// At k they add up to h(t) = a e^(-i omega t) + conj(b) e^(i omega t), where a runs towards k and b against
/// it. Two times give two equations.
#[derive(Clone, Debug, Default)]
pub(super) struct Look {
    time_s: f64,
    heights: Vec<Complex>,
}

impl Look {
    /// The least |sin(omega (t2 - t1))| of waves that are told apart: below, errors of the maps count much.
    const LEAST_SINE: f64 = 0.25;

    /// |a|^2 and |b|^2 by the amplitude `now` and the earlier one of the same wave vector, at a phase of
    /// `turned` = omega (t2 - t1) in radians.
    fn powers(earlier: Complex, now: Complex, turned: f64) -> Option<[f64; 2]> {
        let (sin, cos) = libm::sincos(turned);
        if sin.abs() < Self::LEAST_SINE {
            return None;
        }
        // conj(b) = (now - earlier e^(-i turned)) / (2 i sin), and a is the rest.
        let [re, im] = earlier;
        let difference = [now[0] - (re * cos + im * sin), now[1] - (im * cos - re * sin)];
        let against = [difference[1] / (2.0 * sin), -difference[0] / (2.0 * sin)];
        let along = [re - against[0], im - against[1]];
        Some([power(along), power(against)])
    }
}

impl Surface {
    pub(super) fn empty(theory: &Theory) -> Self {
        Self {
            time_s: 0.0,
            variance_m2: 0.0,
            slope_covariance: [0.0; 3],
            bins_m2: vec![0.0; theory.bins.count()],
            towards_m2: vec![[0.0; 3]; theory.bins.count()],
        }
    }

    /// Adds a layer of the maps at `time_s`. `looks` has the last look at each cascade, and takes this one.
    pub(super) async fn add(
        &mut self,
        coop: &mut Cooperative,
        theory: &Theory,
        layer: Layer,
        time_s: f64,
        looks: &mut Vec<Look>,
    ) {
        looks.resize_with(theory.subject.cascades.len(), Look::default);
        let Layer { content, cascade, size, texels, .. } = layer;
        let waves = waves(coop, texels, size, theory.subject.interpolation[cascade]).await;
        let lattice = Lattice::new(size, &theory.subject.cascades[cascade]);
        match content {
            Content::Heights => {
                let look = &mut looks[cascade];
                let heights = self.add_heights(coop, theory, &lattice, &waves, time_s, look).await;
                *look = Look { time_s, heights };
            }
            Content::SlopesAlongZ => {
                let sum: f64 = waves.iter().skip(1).map(|wave| power(*wave)).sum();
                self.slope_covariance[1] += sum;
            }
        }
    }

    async fn add_heights(
        &mut self,
        coop: &mut Cooperative,
        theory: &Theory,
        lattice: &Lattice,
        waves: &[Complex],
        time_s: f64,
        earlier: &Look,
    ) -> Vec<Complex> {
        let [xx, _, xz] = &mut self.slope_covariance;
        // Parseval's theorem, without the mean, which is no wave.
        for (position, wave) in waves.iter().enumerate().skip(1) {
            let [h, x] = part(*wave, waves[lattice.opposite(position)]);
            self.variance_m2 += power(h);
            *xx += power(x);
            // dh/dz is i kz h. Its layer may be of another moment.
            *xz += lattice.wave_vector(position)[1] * (h[0] * x[1] - h[1] * x[0]);
            if position % TEXELS_A_TURN == 0 {
                coop.yield_if_due().await;
            }
        }
        let height = |pair: [i32; 2]| {
            let position = lattice.position(pair);
            part(waves[position], waves[lattice.opposite(position)])[0]
        };
        let mut heights = Vec::with_capacity(earlier.heights.len());
        let add = |k: f64, pairs: &[[i32; 2]]| {
            let omega = theory.dispersion.omega_rad_per_s(k);
            let bin = theory.bins.index_of(omega);
            let omega = theory.clock.omega_rad_per_s(theory.clock.multiple(omega));
            let turned = omega * (time_s - earlier.time_s);
            for pair in pairs {
                let now = height(*pair);
                self.bins_m2[bin] += 2.0 * power(now);
                let before = earlier.heights.get(heights.len());
                heights.push(now);
                let Some(powers) = before.and_then(|before| Look::powers(*before, now, turned))
                else {
                    continue;
                };
                let [x, z] = lattice.wave_vector(lattice.position(*pair)).map(|part| part / k);
                let [along, against] = powers.map(|power| 2.0 * power);
                let [variance_m2, of_x, of_z] = &mut self.towards_m2[bin];
                *variance_m2 += along + against;
                *of_x += (along - against) * x;
                *of_z += (along - against) * z;
            }
        };
        lattice.for_each_length(coop, add).await;
        heights
    }
}

/// The number of texels between two pauses.
const TEXELS_A_TURN: usize = 4096;

/// The fields of a surface in one layer of the maps.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// Its index among the maps', where those of displacement come first.
    pub index: u32,
    content: Content,
    cascade: usize,
    size: u32,
    /// One or two real fields, as real and imaginary parts, `[z][x]`.
    texels: Vec<Complex>,
}

#[derive(Clone, Copy, Debug)]
enum Content {
    /// The heights and the slopes along X.
    Heights,
    SlopesAlongZ,
}

impl Layer {
    /// Reads layer `index` of the maps with `cascades` cascades.
    pub fn read(index: u32, cascades: u32, texels: &Texels<'_>) -> Self {
        let (content, real, imaginary) = if index < cascades {
            // h and dh/dx in (Dx, Dz, h, dh/dx)
            (Content::Heights, 2, Some(3))
        } else {
            // dh/dz in (dh/dz, dDx/dz, dDx/dx, dDz/dz)
            (Content::SlopesAlongZ, 0, None)
        };
        let (cascade, size) = ((index % cascades) as usize, texels.size);
        Self { index, content, cascade, size, texels: texels.channels(real, imaginary) }
    }
}
