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
}

impl Surface {
    pub(super) fn empty(theory: &Theory) -> Self {
        Self {
            time_s: 0.0,
            variance_m2: 0.0,
            slope_covariance: [0.0; 3],
            bins_m2: vec![0.0; theory.bins.count()],
        }
    }

    pub(super) async fn add(&mut self, coop: &mut Cooperative, theory: &Theory, layer: Layer) {
        let Layer { content, cascade, size, texels, .. } = layer;
        let waves = waves(coop, texels, size, theory.subject.interpolation[cascade]).await;
        let lattice = Lattice::new(size, &theory.subject.cascades[cascade]);
        match content {
            Content::Heights => self.add_heights(coop, theory, &lattice, &waves).await,
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
    ) {
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
        let add = |k: f64, pairs: &[[i32; 2]]| {
            let bin = theory.bins.index_of(theory.dispersion.omega_rad_per_s(k));
            let both = |pair: &[i32; 2]| 2.0 * power(height(*pair));
            self.bins_m2[bin] += pairs.iter().map(both).sum::<f64>();
        };
        lattice.for_each_length(coop, add).await;
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
