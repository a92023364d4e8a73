//! The expected values of measurements, and their scatter by chance.
//!
//! At one instant the amplitude at k is h(k) = h0(k) e^(-i omega t) + conj(h0(-k)) e^(i omega t), a circular
//! complex Gaussian variable: |h(k)|^2 is exponentially distributed around (Psi(k) + Psi(-k)) dk^2/2, for any
//! two waves, and h(-k) is its conjugate. So each *pair* of opposite wave vectors brings 2 |h(k)|^2 to the
//! variance: one independent chi-square variable of two degrees of freedom, mean e and standard deviation e =
//! (Psi(k) + Psi(-k)) dk^2. A sum over pairs has the mean sum(e) and the variance sum(e^2); it is distributed
//! nearly as a chi-square variable of 2n degrees of freedom with n = sum(e)^2/sum(e^2) (Welch 1947;
//! Satterthwaite 1946), and exactly so where all pairs are alike and n counts them.

use std::f64::consts::TAU;

use super::lattice::Lattice;
use super::subject::along_and_across;
use super::{FrequencyBins, Subject};
use crate::platform::Cooperative;
use crate::settings::RecordedSpectrum;
use crate::spectrum::{Cascade, Clock, DirectionalSpectrum, Dispersion};

/// The theory of one sea in its maps. It takes about as long to compute as the sea's
/// [`InitialSpectrum`](crate::spectrum::InitialSpectrum).
#[derive(Clone, Debug)]
pub struct Theory {
    /// The sea that the theory describes.
    pub subject: Subject,
    /// The dispersion relation of its waves.
    pub dispersion: Dispersion,
    /// The bins of the measured spectrum, from the longest wave of the maps to the shortest.
    pub bins: FrequencyBins,
    /// The expectation of each bin.
    pub expected: Vec<ExpectedBin>,
    /// S(omega) of the whole sea: (rad/s, m2 s/rad), in equal steps of ln omega over the bins.
    pub curve: Vec<[f64; 2]>,
    /// Unit vector (x, z) towards which the wind blows.
    pub wind_towards: [f64; 2],
    /// The relative standard error of the variance of the heights at one instant.
    pub variance_error: f64,
    /// The relative standard errors of the variances of the slopes along and across the wind.
    pub slope_errors: [f64; 2],
    /// The mean direction towards which the waves run, in degrees from +X towards +Z.
    pub direction_deg: f64,
    /// The standard error of the mean direction of one seed's waves, in degrees.
    pub direction_error_deg: f64,
    /// The spectrum file that the sea comes from, at the hour that is drawn.
    pub recorded: Option<RecordedSpectrum>,
    /// The frequencies that the waves have in the maps.
    pub(super) clock: Clock,
    /// The relative standard error of 2 pi sqrt(m0/m2) of one seed's waves, which remains in Tz after
    /// any duration.
    pub period_error: f64,
    /// The frequencies within the bands, in rad/s, with their shares of the variance.
    shares: Vec<[f64; 2]>,
}

/// The expectation of one bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedBin {
    /// S(omega) in m2 s/rad, the mean over the bin.
    pub density_m2_s: f64,
    /// The expected variance in m2 of the wave vectors in the bin. It is not quite the integral over the
    /// bin, since a square lattice fills rings unevenly.
    pub variance_m2: f64,
    /// The expected mean (cos, sin) of the directions of the bin's waves, weighted by their variance.
    pub towards: [f64; 2],
    /// Pairs of opposite wave vectors in the bin.
    pub pairs: u32,
    /// The number of equal pairs with the same scatter.
    pub independent_pairs: f64,
}

impl ExpectedBin {
    /// The ratio of the standard deviation of a measurement to its mean.
    pub fn relative_standard_error(&self) -> f64 {
        self.independent_pairs.sqrt().recip()
    }

    /// The ratio of a measurement to its mean at `deviations` standard deviations from the median, as a
    /// Gaussian counts them: 68% of all lie between -1 and 1. Few waves scatter more upwards than
    /// downwards, and never below 0 (Wilson and Hilferty 1931).
    pub fn ratio_at(&self, deviations: f64) -> f64 {
        let ninth = 1.0 / (9.0 * self.independent_pairs);
        let root = 1.0 - ninth + deviations * ninth.sqrt();
        root.max(0.0).powi(3)
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Scatter {
    mean: f64,
    variance: f64,
}

impl Scatter {
    fn add(&mut self, mean: f64) {
        self.mean += mean;
        self.variance += mean * mean;
    }

    /// The number of equal variables with the same scatter.
    fn independent(&self) -> f64 {
        if self.variance > 0.0 { self.mean * self.mean / self.variance } else { 0.0 }
    }

    fn relative_error(&self) -> f64 {
        if self.mean > 0.0 { self.variance.sqrt() / self.mean } else { 0.0 }
    }
}

impl Theory {
    const CURVE_POINTS: u32 = 240;

    /// Computes the expectations for `subject`.
    pub fn of(subject: Subject) -> Self {
        Cooperative::finish(Self::of_in(&mut Cooperative::blocking(), subject))
    }

    pub(super) async fn of_in(coop: &mut Cooperative, subject: Subject) -> Self {
        let spectrum = &*subject.spectrum;
        let bins = bins_of(spectrum, &subject.cascades);
        let wind_towards = spectrum.wind_towards;
        let mut scatter = vec![(Scatter::default(), 0, [0.0; 2]); bins.count()];
        let mut direction = DirectionScatter::default();
        let mut heights = Scatter::default();
        let mut slopes = [Scatter::default(); 2];
        let mut moments = Moments::default();
        for cascade in &subject.cascades {
            let lattice = Lattice::new(subject.size, cascade);
            let dk = lattice.dk_rad_per_m();
            let add = |k: f64, pairs: &[[i32; 2]]| {
                let ring = spectrum.ring(k);
                let bin = &mut scatter[bins.index_of(ring.omega_rad_per_s)];
                for pair in pairs {
                    let [x, z] = cascade.wave_vector(*pair).map(|part| part / k);
                    let width_rad = dk / k;
                    let ways =
                        [[x, z], [-x, -z]].map(|[x, z]| ring.psi_m4(x, z, width_rad) * dk * dk);
                    let variance_m2 = ways[0] + ways[1];
                    bin.0.add(variance_m2);
                    bin.1 += 1;
                    heights.add(variance_m2);
                    let slope = [x * x, z * z, x * z].map(|part| k * k * variance_m2 * part);
                    let [along, across] = along_and_across(slope, wind_towards);
                    slopes[0].add(along);
                    slopes[1].add(across);
                    for (way, sign) in ways.into_iter().zip([1.0, -1.0]) {
                        moments.add(way, ring.omega_rad_per_s);
                        direction.add(way, [sign * x, sign * z]);
                        bin.2[0] += sign * x * way;
                        bin.2[1] += sign * z * way;
                    }
                }
            };
            lattice.for_each_length(coop, add).await;
        }
        let mut expected = Vec::with_capacity(scatter.len());
        for (index, (scatter, pairs, towards)) in scatter.into_iter().enumerate() {
            coop.yield_if_due().await;
            expected.push(ExpectedBin {
                density_m2_s: mean_density(spectrum, &bins, index),
                variance_m2: scatter.mean,
                towards: towards
                    .map(|sum| if scatter.mean > 0.0 { sum / scatter.mean } else { 0.0 }),
                pairs,
                independent_pairs: scatter.independent(),
            });
        }
        coop.yield_if_due().await;
        Self {
            expected,
            curve: curve(spectrum, &bins),
            dispersion: spectrum.dispersion,
            bins,
            wind_towards,
            variance_error: heights.relative_error(),
            slope_errors: slopes.map(|scatter| scatter.relative_error()),
            direction_deg: direction.towards_rad().to_degrees(),
            direction_error_deg: direction.error_rad().to_degrees(),
            recorded: {
                let sea = &subject.sea;
                sea.recorded.as_ref().map(|record| record.at_hour(sea.record_hour))
            },
            clock: Clock::of(&subject.sea),
            period_error: moments.relative_error_of_the_period(),
            shares: shares(spectrum, &subject.cascades),
            subject,
        }
    }

    /// The significant wave height 4 sqrt(m0) of the bands, in metres.
    pub fn significant_wave_height_m(&self) -> f64 {
        4.0 * self.subject.variance_m2.sqrt()
    }

    /// The mean square slopes of the bands along and across the wind.
    pub fn mean_square_slopes(&self) -> [f64; 2] {
        along_and_across(self.subject.slope_covariance, self.wind_towards)
    }

    /// The mean square slopes of the whole spectrum along and across the wind.
    pub fn whole_mean_square_slopes(&self) -> [f64; 2] {
        let beyond = along_and_across(self.subject.unresolved_slope_covariance, self.wind_towards);
        let [along, across] = self.mean_square_slopes();
        [along + beyond[0], across + beyond[1]]
    }

    /// The expected number of upward crossings of the still level at a point between two samples
    /// `step_s` seconds apart: below at the first and above at the second.
    ///
    /// The signs of two Gaussian variables with correlation r differ with probability acos(r)/pi (Rice
    /// 1944, section 3.8), and of those times half are upwards. With ever closer samples this tends to
    /// `step_s` over Tz = 2 pi sqrt(m0/m2); distant samples miss crossings.
    pub fn rises_in(&self, step_s: f64) -> f64 {
        let half = 0.5 * step_s;
        // (1 - r)/2, without the loss of taking r from 1.
        let apart: f64 = self
            .shares
            .iter()
            .map(|[omega, share]| share * libm::sin(omega * half) * libm::sin(omega * half))
            .sum();
        libm::asin(apart.clamp(0.0, 1.0).sqrt()) / std::f64::consts::PI
    }

    /// Tz = 2 pi sqrt(m0/m2) of the bands, in seconds.
    pub fn mean_zero_crossing_period_s(&self) -> f64 {
        let m2: f64 = self.shares.iter().map(|[omega, share]| share * omega * omega).sum();
        TAU / m2.sqrt()
    }
}

fn bins_of(spectrum: &DirectionalSpectrum, cascades: &[Cascade]) -> FrequencyBins {
    let first = cascades.first().map_or(1.0, |cascade| cascade.first_rad_per_m);
    let last = cascades.last().map_or(2.0, |cascade| cascade.last_rad_per_m);
    let [first, last] = [first, last].map(|k| spectrum.dispersion.omega_rad_per_s(k));
    FrequencyBins::new(first, last)
}

fn mean_density(spectrum: &DirectionalSpectrum, bins: &FrequencyBins, index: usize) -> f64 {
    let [first, last] = [index, index + 1]
        .map(|edge| spectrum.dispersion.wavenumber_rad_per_m(bins.edge_rad_per_s(edge)));
    spectrum.band_variance_m2(first, last) / bins.width_rad_per_s(index)
}

/// S(omega) over the bins, from F(k) over d omega/d k.
fn curve(spectrum: &DirectionalSpectrum, bins: &FrequencyBins) -> Vec<[f64; 2]> {
    let [first, last] = [0, bins.count()].map(|edge| bins.edge_rad_per_s(edge));
    let step = libm::log(last / first) / f64::from(Theory::CURVE_POINTS - 1);
    let at = |index: u32| {
        let omega = first * libm::exp(step * f64::from(index));
        let k = spectrum.dispersion.wavenumber_rad_per_m(omega);
        [omega, spectrum.density_m3(k) / spectrum.dispersion.group_velocity_mps(k)]
    };
    (0..Theory::CURVE_POINTS).map(at).collect()
}

fn shares(spectrum: &DirectionalSpectrum, cascades: &[Cascade]) -> Vec<[f64; 2]> {
    /// The step in ln k: a swell's peak is a few hundredths wide.
    const STEP: f64 = 0.012;
    let mut shares = Vec::new();
    for cascade in cascades {
        let span = libm::log(cascade.last_rad_per_m / cascade.first_rad_per_m);
        let steps = (span / STEP).ceil();
        let step = span / steps;
        for index in 0..steps as u32 {
            let k = cascade.first_rad_per_m * libm::exp(step * (f64::from(index) + 0.5));
            shares.push([spectrum.dispersion.omega_rad_per_s(k), spectrum.density_m3(k) * k]);
        }
    }
    let sum: f64 = shares.iter().map(|[_, share]| share).sum();
    shares.iter_mut().for_each(|[_, share]| *share /= sum);
    shares.retain(|[_, share]| *share > 0.0);
    shares
}

/// The mean direction of a random draw of waves, and its scatter.
#[derive(Clone, Copy, Debug, Default)]
struct DirectionScatter {
    /// The sums of the mean variances times x and z.
    sum: [f64; 2],
    /// The sums of their squares times xx, zz and xz.
    squares: [f64; 3],
}

impl DirectionScatter {
    /// Adds a wave towards (x, z) whose variance is exponentially distributed around `mean`.
    fn add(&mut self, mean: f64, [x, z]: [f64; 2]) {
        self.sum[0] += mean * x;
        self.sum[1] += mean * z;
        let products = [x * x, z * z, x * z];
        self.squares.iter_mut().zip(products).for_each(|(sum, part)| *sum += mean * mean * part);
    }

    fn towards_rad(&self) -> f64 {
        libm::atan2(self.sum[1], self.sum[0])
    }

    /// To first order: the standard deviation of the sum across the mean direction, over the sum.
    fn error_rad(&self) -> f64 {
        let length = self.sum[0].hypot(self.sum[1]);
        if length <= 0.0 {
            return std::f64::consts::PI;
        }
        let [x, z] = self.sum.map(|sum| sum / length);
        let [_, across] = along_and_across(self.squares, [x, z]);
        across.max(0.0).sqrt() / length
    }
}

/// The moments m0 and m2 of a random draw of waves, with their covariance.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    m0: f64,
    m2: f64,
    variance_m0: f64,
    variance_m2: f64,
    covariance: f64,
}

impl Moments {
    /// Adds a wave whose variance is exponentially distributed around `mean`.
    fn add(&mut self, mean: f64, omega_rad_per_s: f64) {
        let squared = omega_rad_per_s * omega_rad_per_s;
        self.m0 += mean;
        self.m2 += squared * mean;
        self.variance_m0 += mean * mean;
        self.variance_m2 += (squared * mean) * (squared * mean);
        self.covariance += mean * mean * squared;
    }

    /// The relative error of sqrt(m0/m2), to first order.
    fn relative_error_of_the_period(&self) -> f64 {
        if self.m0 <= 0.0 || self.m2 <= 0.0 {
            return 0.0;
        }
        let [of_m0, of_m2] =
            [self.variance_m0 / self.m0.powi(2), self.variance_m2 / self.m2.powi(2)];
        let both = self.covariance / (self.m0 * self.m2);
        0.5 * (of_m0 + of_m2 - 2.0 * both).max(0.0).sqrt()
    }
}
