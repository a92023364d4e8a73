//! The initial amplitudes h0(k) of one particular sea with the given statistics.

use std::f64::consts::TAU;
use std::sync::Arc;

use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;
use rand_distr::{Distribution as _, StandardNormal};

use super::cascades::{cascades_of, single};
use super::slopes::SlopeCovariance;
use super::wind::displaced_over_rest;
use super::{
    Cascade, Clock, DirectionalSpectrum, Interpolation, MAX_CASCADES, Orbits, SeaSummary,
    SpectrumError,
};
use crate::platform::Cooperative;
use crate::profile;
use crate::settings::{SeaState, Settings as _};

/// h0(k) and omega(k) of every cascade: everything that determines the sea's motion. This is plain data,
/// made on the processor in double precision, on any thread.
///
/// Arrays are `[cascade][z][x]`, each index in the natural order of an FFT: 0, 1, ..., N/2-1,
/// -N/2, ..., -1 times dk, along the axes of the cascade's own lattice ([`Cascade::wave_vector`]).
#[derive(Clone, Debug, PartialEq)]
pub struct InitialSpectrum {
    /// Points along one side of each cascade's grid.
    pub size: u32,
    /// The sea state that this is one realisation of.
    pub sea: SeaState,
    /// The spectrum of `sea`, before any random draw.
    pub spectrum: Arc<DirectionalSpectrum>,
    /// Heights, periods and advice that follow from the spectrum.
    pub summary: SeaSummary,
    /// Patches and bands, coarsest first.
    pub cascades: Vec<Cascade>,
    /// The surface's variance in m2 within each cascade's band: the integral of the spectrum.
    pub variance_m2: Vec<f64>,
    /// The unit of `omega` and of the time.
    pub clock: Clock,
    /// The horizontal motion of the water as waves pass.
    pub orbits: Orbits,
    /// The root mean square ratio of the horizontal over the vertical displacement: 1 in deep water.
    pub orbit_ratio: f64,
    /// The ratio of the variance of the slopes on the displaced surface to that at rest
    /// ([`displaced_over_rest`]).
    pub displaced_over_rest: f64,
    /// h0(k) in metres; zero outside the cascade's band, at k = 0, and on the Nyquist row and
    /// column, which are their own mirror images and cannot hold a travelling wave.
    pub h0: Vec<[f32; 2]>,
    /// omega(k) as a multiple of 2 pi/T0, the same at k and -k; 0 where there is no wave.
    pub omega: Vec<u32>,
    slopes: Vec<SlopeCovariance>,
    unresolved: [f64; 3],
}

impl InitialSpectrum {
    /// Draws the sea of `sea`'s seed, of `cascade_count` cascades of `size` x `size` points.
    ///
    /// Psi(k) dk^2 is the variance of the wave at k, and h0 = 1/2 (xi_r + i xi_i) sqrt(Psi dk^2)
    /// with standard normal xi gives it: h(k, t) adds h0(k) and the mirrored one, each of which
    /// brings half (Tessendorf 2001, equation 42, with the factor that makes the variance right).
    /// xi depends on seed, cascade and wave vector only: a larger `size` refines the same sea.
    ///
    /// # Errors
    /// [`SpectrumError`] for a setting out of range, a size that is not a power of two from 16
    /// to 8192, or a cascade count other than 1 to 4.
    pub fn new(sea: &SeaState, size: u32, cascade_count: u32) -> Result<Self, SpectrumError> {
        Cooperative::finish(Self::new_in(&mut Cooperative::blocking(), sea, size, cascade_count))
    }

    pub(crate) async fn new_in(
        coop: &mut Cooperative,
        sea: &SeaState,
        size: u32,
        cascade_count: u32,
    ) -> Result<Self, SpectrumError> {
        profile::cooperative_scope!("spectrum::InitialSpectrum::new");
        sea.validate()?;
        SpectrumError::check_shape(size, cascade_count)?;
        let spectrum = DirectionalSpectrum::of(sea);
        let cascades = cascades_of(&spectrum, cascade_count, size);
        Ok(Self::drawn(coop, sea, spectrum, size, cascades).await)
    }

    /// Draws a sea of `sea`'s spectrum in a single patch of side `side_m` along X and Z: all waves from
    /// the patch's side to four texels (two on grids below 64 points), in one cascade. It has the same
    /// statistics as the sea of [`InitialSpectrum::new`], and other waves.
    ///
    /// A patch smaller than [`least_patch_size_m`](super::least_patch_size_m) misses a part of the height
    /// ([`InitialSpectrum::lattice_sums`]).
    ///
    /// ```
    /// use seaway::settings::SeaState;
    /// use seaway::spectrum::{InitialSpectrum, least_patch_size_m};
    ///
    /// let sea = SeaState::default();
    /// let patch = InitialSpectrum::of_patch(&sea, 512, least_patch_size_m(&sea))?;
    /// let [variance_m2, _] = patch.lattice_sums(0);
    /// let share = 4.0 * variance_m2.sqrt() / patch.summary.significant_wave_height_m;
    /// assert!((share - 1.0).abs() < 0.01);
    /// # Ok::<(), seaway::spectrum::SpectrumError>(())
    /// ```
    ///
    /// # Errors
    /// [`SpectrumError`] for a setting, a size or a side out of range.
    pub fn of_patch(sea: &SeaState, size: u32, side_m: f64) -> Result<Self, SpectrumError> {
        sea.validate()?;
        SpectrumError::check_shape(size, 1)?;
        SpectrumError::check_side(side_m)?;
        let (spectrum, patch) = (DirectionalSpectrum::of(sea), vec![single(side_m, size)]);
        let mut coop = Cooperative::blocking();
        Ok(Cooperative::finish(Self::drawn(&mut coop, sea, spectrum, size, patch)))
    }

    /// Draws the waves of the same sea that are `shortest_m` long or longer, identical to those of
    /// [`InitialSpectrum::new`]. Cascades of shorter waves are empty. The finest band ends where it would
    /// with one more cascade, so that it leaves no gap.
    pub(crate) async fn of_long_waves_in(
        coop: &mut Cooperative,
        sea: &SeaState,
        size: u32,
        cascade_count: u32,
        shortest_m: f64,
    ) -> Result<Self, SpectrumError> {
        sea.validate()?;
        SpectrumError::check_shape(size, cascade_count)?;
        let last_rad_per_m = TAU / shortest_m;
        let spectrum = DirectionalSpectrum::of(sea);
        let mut bands = cascades_of(&spectrum, MAX_CASCADES, size);
        bands.truncate(cascade_count as usize);
        for band in &mut bands {
            let last = band.last_rad_per_m.min(last_rad_per_m);
            band.last_rad_per_m = last.max(band.first_rad_per_m);
        }
        Ok(Self::drawn(coop, sea, spectrum, size, bands).await)
    }

    async fn drawn(
        coop: &mut Cooperative,
        sea: &SeaState,
        spectrum: DirectionalSpectrum,
        size: u32,
        cascades: Vec<Cascade>,
    ) -> Self {
        let clock = Clock::of(sea);
        let points = size as usize * size as usize;
        let mut h0 = vec![[0.0; 2]; points * cascades.len()];
        let mut omega = vec![0; points * cascades.len()];
        for (index, cascade) in cascades.iter().enumerate() {
            let layer = index * points..(index + 1) * points;
            Drawing { spectrum: &spectrum, clock, seed: sea.seed, index, cascade, size }
                .draw(coop, &mut h0[layer.clone()], &mut omega[layer])
                .await;
        }
        let mut slopes = Vec::with_capacity(cascades.len());
        for cascade in &cascades {
            coop.yield_if_due().await;
            slopes.push(SlopeCovariance::new(&spectrum, cascade, size));
        }
        coop.yield_if_due().await;
        let summary = SeaSummary::new(sea, &spectrum);
        Self {
            size,
            sea: sea.clone(),
            displaced_over_rest: displaced_over_rest(
                [summary.mean_square_slope_along, summary.mean_square_slope_across],
                sea.choppiness,
            ),
            summary,
            variance_m2: cascades
                .iter()
                .map(|band| spectrum.band_variance_m2(band.first_rad_per_m, band.last_rad_per_m))
                .collect(),
            slopes,
            unresolved: unresolved(&spectrum, &cascades),
            orbits: spectrum.orbits,
            orbit_ratio: {
                let first = cascades.first().map_or(0.0, |band| band.first_rad_per_m);
                let last = cascades.iter().map(|band| band.last_rad_per_m).fold(first, f64::max);
                spectrum.mean_orbit_ratio(first, last)
            },
            cascades,
            clock,
            spectrum: Arc::new(spectrum),
            h0,
            omega,
        }
    }

    /// Whether `other` has the same waves, maybe with other amplitudes: wave vectors, frequencies and random
    /// numbers.
    pub fn has_the_waves_of(&self, other: &Self) -> bool {
        let waves = |of: &Self| (of.size, of.sea.seed, of.sea.depth_m, of.clock);
        waves(self) == waves(other) && self.cascades == other.cascades
    }

    /// The theoretical significant wave height in metres of the cascades' waves: 4 sqrt of the bands'
    /// summed variance.
    pub fn significant_wave_height_m(&self) -> f64 {
        4.0 * self.variance_m2.iter().sum::<f64>().sqrt()
    }

    /// The variance in m2 and the mean square slope that one cascade's lattice carries, expected over all
    /// seas of this spectrum: sums over its wave vectors, where `variance_m2` is an integral.
    pub fn lattice_sums(&self, cascade: usize) -> [f64; 2] {
        let band = &self.cascades[cascade];
        let dk = band.dk_rad_per_m();
        let half = self.size as i32 / 2;
        let mut sums = [0.0; 2];
        for [i, j] in octant(half) {
            let k = dk * f64::from(i * i + j * j).sqrt();
            if !band.contains(k) {
                continue;
            }
            let ring = self.spectrum.ring(k);
            for_each_mirror_image(i, j, |x, z| {
                let [x, z] = band.wave_vector([x, z]).map(|part| part / k);
                let variance_m2 = ring.psi_m4(x, z, dk / k) * dk * dk;
                sums[0] += variance_m2;
                sums[1] += k * k * variance_m2;
            });
        }
        sums
    }

    /// The horizontal scale lambda of the displacement, for renderers of the surface.
    pub fn choppiness(&self) -> f64 {
        self.sea.choppiness
    }

    /// The sea whose surface is the rate of change of this one's, in m/s: its amplitudes are (-i omega
    /// h0) for h0 e^(-i omega t). Its other fields describe this sea.
    pub(crate) fn rates(&self) -> Self {
        let mut rates = self.clone();
        for (h0, omega) in rates.h0.iter_mut().zip(&self.omega) {
            let omega_rad_per_s = self.clock.omega_rad_per_s(*omega);
            let [re, im] = h0.map(f64::from);
            *h0 = [omega_rad_per_s * im, -omega_rad_per_s * re].map(|part| part as f32);
        }
        rates
    }

    /// Covariance (xx, zz, xz) of the slopes of one cascade's waves, expected over all seas of this spectrum.
    pub fn slope_covariance(&self, cascade: usize) -> [f64; 3] {
        let [xx, zz, xz, _] = self.slopes[cascade].total();
        [xx, zz, xz]
    }

    /// Variance of the divergence dDx/dx + dDz/dz of the displacement of one cascade's waves before
    /// choppiness, expected over all seas of this spectrum: to first order that of the Jacobian. In deep
    /// water it is the variance of the slopes along both axes together.
    pub fn divergence_variance(&self, cascade: usize) -> f64 {
        self.slopes[cascade].total()[3]
    }

    /// The horizontal axis of the orbits over the wave vector, in metres, for a height of 1: the waves of one
    /// cascade, [z][x] in FFT order. It is 0 where there is no wave.
    pub(super) fn axis_over_k_m(&self, cascade: usize) -> Vec<f32> {
        let size = self.size as usize;
        let dk = self.cascades[cascade].dk_rad_per_m();
        let layer = cascade * size * size;
        let mut axes = vec![0.0; size * size];
        for [i, j] in octant(self.size as i32 / 2).skip(1) {
            let mut axis = None;
            for_each_mirror_image(i, j, |x, z| {
                let place = |x, z| position(z, self.size) * size + position(x, self.size);
                let at = place(x, z);
                // A wave of frequency 0 stands still, and may have been put there by hand.
                let heights = [at, place(-x, -z)].map(|at| self.h0[layer + at]);
                if self.omega[layer + at] != 0 || heights != [[0.0; 2]; 2] {
                    axes[at] = *axis.get_or_insert_with(|| {
                        let k = dk * f64::from(i * i + j * j).sqrt();
                        (self.orbits.ratio(k) / k) as f32
                    });
                }
            });
        }
        axes
    }

    /// The index of the wave vector at place `at` of a layer.
    pub(super) fn wave_index(&self, at: usize) -> [i32; 2] {
        let size = self.size as usize;
        [at % size, at / size].map(|place| {
            let index = place as i32;
            if index < self.size as i32 / 2 { index } else { index - self.size as i32 }
        })
    }

    /// The divergence's variance of this realisation, over the whole patch and all time.
    pub(crate) fn drawn_divergence_variance(&self, cascade: usize) -> f64 {
        let points = self.size as usize * self.size as usize;
        let band = &self.cascades[cascade];
        let waves = &self.h0[cascade * points..(cascade + 1) * points];
        waves
            .iter()
            .enumerate()
            .filter(|(_, h0)| **h0 != [0.0; 2])
            .map(|(at, h0)| {
                let k_squared: f64 =
                    band.wave_vector(self.wave_index(at)).iter().map(|k| k * k).sum();
                let amplitude_squared: f64 = h0.iter().map(|part| f64::from(*part).powi(2)).sum();
                2.0 * k_squared * self.orbits.ratio(k_squared.sqrt()).powi(2) * amplitude_squared
            })
            .sum()
    }

    /// Covariance (xx, zz, xz) of the slopes of the waves that no cascade holds, mostly shorter than the
    /// maps resolve: the spectrum's integral beyond its bands.
    pub fn unresolved_slope_covariance(&self) -> [f64; 3] {
        self.unresolved
    }

    /// Covariance (xx, zz, xz) of the slopes that a mip level of one cascade's maps has lost
    /// where it is sampled: the sum over k of k_i k_j Psi dk^2 (1 - |H(k)|^2), expected over all
    /// seas of this spectrum, H being the transfer function of the prefilter of `interpolation`,
    /// of `mip` averages over 2 x 2 texels, and of the interpolation between texels, which above
    /// level 0 is linear. Levels past the last are the last.
    pub fn slope_covariance_lost(
        &self,
        cascade: usize,
        mip: u32,
        interpolation: Interpolation,
    ) -> [f64; 3] {
        let [xx, zz, xz, _] = self.slopes[cascade].lost(mip, interpolation);
        [xx, zz, xz]
    }

    /// The part of the divergence's variance ([`InitialSpectrum::divergence_variance`]) that a mip level of
    /// one cascade's maps has lost, as [`InitialSpectrum::slope_covariance_lost`] gives it for the slopes.
    pub fn divergence_variance_lost(
        &self,
        cascade: usize,
        mip: u32,
        interpolation: Interpolation,
    ) -> f64 {
        self.slopes[cascade].lost(mip, interpolation)[3]
    }
}

fn unresolved(spectrum: &DirectionalSpectrum, cascades: &[Cascade]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    let mut first = 0.0;
    for next in cascades.iter().map(Some).chain([None]) {
        let last = next.map_or(f64::INFINITY, |cascade| cascade.first_rad_per_m);
        let gap = spectrum.slope_covariance(first, last);
        sum.iter_mut().zip(gap).for_each(|(sum, gap)| *sum += gap);
        first = next.map_or(first, |cascade| cascade.last_rad_per_m);
    }
    sum
}

struct Drawing<'a> {
    spectrum: &'a DirectionalSpectrum,
    clock: Clock,
    seed: u32,
    index: usize,
    cascade: &'a Cascade,
    size: u32,
}

impl Drawing<'_> {
    /// Fills one layer. Most of the cost depends on |k| alone, and up to eight wave vectors, mirrored in
    /// the axes and diagonals, share it.
    async fn draw(&self, coop: &mut Cooperative, h0: &mut [[f32; 2]], omega: &mut [u32]) {
        let dk = self.cascade.dk_rad_per_m();
        let half = self.size as i32 / 2;
        for j in 0..half {
            coop.yield_if_due().await;
            for i in j..half {
                let length = f64::from(i * i + j * j).sqrt();
                let k = dk * length;
                if !self.cascade.contains(k) {
                    continue;
                }
                let ring = self.spectrum.ring(k);
                let multiple = self.clock.multiple(ring.omega_rad_per_s);
                for_each_mirror_image(i, j, |x, z| {
                    let towards = [x, z].map(|index| f64::from(index) / length);
                    let [towards_x, towards_z] = self.cascade.world_from_lattice(towards);
                    let psi = ring.psi_m4(towards_x, towards_z, length.recip());
                    let amplitude = 0.5 * dk * psi.sqrt();
                    let xi = normals(self.seed, self.index as u32, x, z);
                    let [z, x] = [z, x].map(|index| position(index, self.size));
                    let at = z * self.size as usize + x;
                    h0[at] = xi.map(|xi| (amplitude * xi) as f32);
                    omega[at] = multiple;
                });
            }
        }
    }
}

/// The place of index `i` in the order of an FFT.
fn position(i: i32, size: u32) -> usize {
    i.rem_euclid(size as i32) as usize
}

/// The pairs of indices i >= j >= 0 below `half`, (0, 0) first.
fn octant(half: i32) -> impl Iterator<Item = [i32; 2]> {
    (0..half).flat_map(move |j| (j..half).map(move |i| [i, j]))
}

/// Calls `body` once for each of (+-i, +-j) and (+-j, +-i), given i >= j >= 0.
fn for_each_mirror_image(i: i32, j: i32, mut body: impl FnMut(i32, i32)) {
    let both_signs = |index: i32| [index, -index].into_iter().take(if index == 0 { 1 } else { 2 });
    for z in both_signs(j) {
        for x in both_signs(i) {
            body(x, z);
            if i != j {
                body(z, x);
            }
        }
    }
}

/// Two standard normal numbers that belong to wave vector (i, j) of a cascade of a seed, on
/// every machine and at every grid size. Each wave vector has a generator of its own, seeded
/// by a key that is unique to it (indices are within 14 bits at the largest size).
fn normals(seed: u32, cascade: u32, i: i32, j: i32) -> [f64; 2] {
    let bits = |index: i32| u64::from((index + 8_192) as u32);
    let key = u64::from(seed) << 32 | u64::from(cascade) << 28 | bits(i) << 14 | bits(j);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(mix(key));
    [StandardNormal.sample(&mut rng), StandardNormal.sample(&mut rng)]
}

/// A bijection in which every bit of the result depends on every bit of the key (the finaliser of
/// SplitMix64; Stafford 2011, variant 13): neighbouring keys are a few bits apart, and seeding alone
/// would not separate them well enough.
fn mix(mut key: u64) -> u64 {
    key = (key ^ (key >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    key = (key ^ (key >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ (key >> 31)
}

#[cfg(test)]
#[path = "initial_tests.rs"]
mod tests;
