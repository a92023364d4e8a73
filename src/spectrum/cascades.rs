//! The cascades: patches that share the wavelengths between them. One periodic patch of N points spans
//! less than two decades of wavelength with a visible period; a cascade of ever smaller patches spans
//! them all. Each owns a half-open band of wavenumbers, and the bands are disjoint without a gap, so
//! that energy is counted once.

use std::f64::consts::{FRAC_PI_2, SQRT_2, TAU};

use super::{DirectionalSpectrum, WaveSystem};
use crate::settings::SeaState;

/// One periodic patch of sea and the waves that it carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cascade {
    /// Length after which the patch repeats, along both axes of its lattice.
    pub patch_size_m: f64,
    /// Direction (x, z) of the lattice's first axis: cosine and sine of the angle from X towards Z by
    /// which the lattice is turned.
    pub axis: [f64; 2],
    /// The longest waves that it carries: |k| is at least this.
    pub first_rad_per_m: f64,
    /// The shortest waves that it carries: |k| is below this.
    pub last_rad_per_m: f64,
}

impl Cascade {
    /// Spacing of the wave vectors, 2 pi/L.
    pub fn dk_rad_per_m(&self) -> f64 {
        TAU / self.patch_size_m
    }

    /// The angle from X towards Z by which the lattice is turned.
    pub fn rotation_rad(&self) -> f64 {
        libm::atan2(self.axis[1], self.axis[0])
    }

    /// Turns `lattice`, a vector along the lattice's axes, into one along X and Z.
    pub fn world_from_lattice(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        let [cos, sin] = self.axis;
        [cos * x - sin * z, sin * x + cos * z]
    }

    /// Turns `world`, a vector along X and Z, into one along the lattice's axes.
    pub fn lattice_from_world(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        let [cos, sin] = self.axis;
        [cos * x + sin * z, cos * z - sin * x]
    }

    /// The wave vector of indices (i, j) of the lattice, in rad/m along X and Z.
    pub fn wave_vector(&self, [i, j]: [i32; 2]) -> [f64; 2] {
        self.world_from_lattice([i, j].map(|index| self.dk_rad_per_m() * f64::from(index)))
    }

    /// Returns whether it carries no waves.
    pub fn is_empty(&self) -> bool {
        self.last_rad_per_m <= self.first_rad_per_m
    }

    /// Returns whether it carries waves of the given wavenumber.
    pub fn contains(&self, k_rad_per_m: f64) -> bool {
        self.first_rad_per_m <= k_rad_per_m && k_rad_per_m < self.last_rad_per_m
    }
}

/// The largest number of cascades.
pub const MAX_CASCADES: u32 = 4;

/// A band starts at this multiple of dk. On a coarser lattice the sum over wave vectors misses
/// the integral over the spectrum's peak (by 1.5% in Hs at 4 dk). Where a band starts within the
/// steep tail, it matters how many lattice points lie just outside its inner circle: at 6.61 the
/// sum over a k^-4 tail agrees with the integral to 0.6% whatever the wind's direction and the
/// spreading, where at 6 it is up to 9.5% too high.
const FIRST_INDEX: f64 = 6.61;

/// The ratios of patch lengths of successive cascades. Up to four lengths of any patch differ from whole
/// numbers of a finer one by a sixth of it at least, so that no common repetition shows; and the next
/// band starts below Nyquist of a 128-point grid (64 dk).
const RATIOS: [f64; 3] = [7.40, 7.81, 8.17];

/// The turn of each lattice against the one before: the golden section of a quarter turn, the symmetry
/// of a square lattice. So no two of four are within 13 degrees of each other, rows of one patch do not
/// line up with those of another, and neither do their roundings.
const TURN_RAD: f64 = FRAC_PI_2 * 0.381_966_011_250_105;

/// The finest band ends at this share of the grid's points, in dk: waves are four texels long there, and
/// a cubic B-spline keeps 97% of them wherever they are sampled ([`Interpolation`]). (Grids of 16 and 32
/// points have no such waves beyond the band's start, and carry what they can.)
///
/// [`Interpolation`]: super::Interpolation
const FINEST_LAST_INDEX: f64 = 0.25;

/// The cascades of `sea`, coarsest first; `count` is taken as 1 to [`MAX_CASCADES`].
///
/// Patch lengths and bands follow from the sea state alone, as if the grid had 128 points. A larger
/// `size` only extends the finest band, up to (N/4) dk. A smaller one (16, 32 or 64 points: for tests
/// and slow machines) cuts each band at its own Nyquist wavenumber, (N/2) dk, and the waves between are
/// missing. The first patch length moves in steps of sqrt 2, and the others with it, so that dragging
/// the wind does not reshuffle the sea at every step.
pub fn cascades(sea: &SeaState, count: u32, size: u32) -> Vec<Cascade> {
    cascades_of(&DirectionalSpectrum::of(sea), count, size)
}

/// The [`cascades`] of a spectrum.
pub(super) fn cascades_of(spectrum: &DirectionalSpectrum, count: u32, size: u32) -> Vec<Cascade> {
    let count = count.clamp(1, MAX_CASCADES) as usize;
    let nyquist_index = 0.5 * f64::from(size);
    let finest_index = finest_index(size);

    let mut patch_sizes = Vec::with_capacity(count);
    let mut patch_size_m = round_up_to_step(least_size_m(spectrum));
    patch_sizes.push(patch_size_m);
    for ratio in &RATIOS[..count - 1] {
        patch_size_m /= ratio;
        patch_sizes.push(patch_size_m);
    }
    let first = |patch_size_m: f64| FIRST_INDEX * (TAU / patch_size_m);
    patch_sizes
        .iter()
        .enumerate()
        .map(|(index, &patch_size_m)| {
            let dk_rad_per_m = TAU / patch_size_m;
            let last = match patch_sizes.get(index + 1) {
                Some(&next) => first(next).min(nyquist_index * dk_rad_per_m),
                None => finest_index * dk_rad_per_m,
            };
            Cascade {
                patch_size_m,
                axis: {
                    let (sin, cos) = libm::sincos(TURN_RAD * index as f64);
                    [cos, sin]
                },
                first_rad_per_m: first(patch_size_m),
                last_rad_per_m: last,
            }
        })
        .collect()
}

/// The side in metres from which one patch holds the longest waves of `sea`, with the height of its spectrum:
/// 6.6 of their lengths.
pub fn least_patch_size_m(sea: &SeaState) -> f64 {
    least_size_m(&DirectionalSpectrum::of(sea))
}

fn least_size_m(spectrum: &DirectionalSpectrum) -> f64 {
    let lowest = WaveSystem::lowest_rad_per_s(spectrum.systems());
    FIRST_INDEX * TAU / spectrum.dispersion.wavenumber_rad_per_m(lowest)
}

/// A single patch along X and Z with all waves that a grid of `size` points holds.
pub(super) fn single(patch_size_m: f64, size: u32) -> Cascade {
    let mut patch =
        Cascade { patch_size_m, axis: [1.0, 0.0], first_rad_per_m: 0.0, last_rad_per_m: 0.0 };
    patch.first_rad_per_m = patch.dk_rad_per_m();
    patch.last_rad_per_m = finest_index(size) * patch.dk_rad_per_m();
    patch
}

/// The end of the finest band, in dk.
fn finest_index(size: u32) -> f64 {
    let share = if size < 64 { 0.5 } else { FINEST_LAST_INDEX };
    share * f64::from(size)
}

fn round_up_to_step(length_m: f64) -> f64 {
    // One octave below the logarithm's, in case that was rounded up past a whole number.
    let octave = libm::exp2(libm::floor(libm::log2(length_m)) - 1.0);
    [1.0, SQRT_2, 2.0, 2.0 * SQRT_2]
        .into_iter()
        .map(|steps| steps * octave)
        .find(|&step| step >= length_m)
        .unwrap_or(4.0 * octave)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice;
    use crate::settings::SpectrumModel;
    use crate::spectrum::Dispersion;

    fn windy(wind_speed_mps: f64) -> SeaState {
        SeaState { wind_speed_mps, ..Default::default() }
    }

    fn index(cascade: &Cascade, k: f64) -> f64 {
        k / cascade.dk_rad_per_m()
    }

    #[test]
    fn bands_are_disjoint_without_a_gap_and_below_nyquist() {
        for count in 1..=MAX_CASCADES {
            for size in [128, 256, 1024, 8192] {
                let cascades = cascades(&windy(11.0), count, size);
                assert_eq!(cascades.len(), count as usize);
                for pair in cascades.windows(2) {
                    assert_eq!(pair[0].last_rad_per_m, pair[1].first_rad_per_m);
                    assert!(index(&pair[0], pair[0].last_rad_per_m) < 64.0);
                }
                for cascade in &cascades {
                    assert!((index(cascade, cascade.first_rad_per_m) - FIRST_INDEX).abs() < 1e-12);
                    assert!(cascade.first_rad_per_m < cascade.last_rad_per_m);
                }
                let finest = cascades.last().unwrap();
                let shortest = 0.25 * f64::from(size);
                assert!((index(finest, finest.last_rad_per_m) - shortest).abs() < 1e-9 * shortest);
            }
        }
    }

    #[test]
    fn only_the_finest_band_grows_with_the_grid() {
        let coarse = cascades(&windy(11.0), 4, 128);
        let fine = cascades(&windy(11.0), 4, 1024);
        assert_eq!(coarse[..3], fine[..3]);
        assert_eq!(coarse[3].patch_size_m, fine[3].patch_size_m);
        assert_eq!(coarse[3].first_rad_per_m, fine[3].first_rad_per_m);
        assert!(coarse[3].last_rad_per_m < fine[3].last_rad_per_m);
    }

    #[test]
    fn small_grids_cut_bands_at_their_own_nyquist() {
        for size in [16, 32, 64] {
            for cascade in cascades(&windy(11.0), 4, size) {
                let end = index(&cascade, cascade.last_rad_per_m);
                assert!(end <= 0.5 * f64::from(size) + 1e-9 && end > FIRST_INDEX, "{size}: {end}");
            }
        }
    }

    #[test]
    fn the_first_band_holds_the_peak_of_every_model() {
        for &spectrum in SpectrumModel::ALL {
            for depth_m in [2.0, 20.0, 5_000.0] {
                for wind_speed_mps in [0.5, 3.0, 14.0, 40.0] {
                    let sea = SeaState { spectrum, depth_m, wind_speed_mps, ..Default::default() };
                    let peak = WaveSystem::of(&sea)[0].frequency.peak_rad_per_s();
                    let dispersion = Dispersion::of(&sea);
                    let first = cascades(&sea, 4, 128)[0];
                    assert!(
                        first.first_rad_per_m
                            <= dispersion.wavenumber_rad_per_m(0.6 * peak) * (1.0 + 1e-12)
                    );
                    assert!(first.contains(dispersion.wavenumber_rad_per_m(peak)), "{sea:?}");
                }
            }
        }
    }

    #[test]
    fn lengths_are_not_in_simple_ratios() {
        let cascades = cascades(&windy(11.0), 4, 128);
        for (index, coarse) in cascades.iter().enumerate() {
            for fine in &cascades[index + 1..] {
                let ratio = coarse.patch_size_m / fine.patch_size_m;
                for repeats in 1..=4 {
                    let multiple = ratio * f64::from(repeats);
                    assert!((multiple - multiple.round()).abs() > 0.15, "{repeats} x {ratio}");
                }
            }
        }
    }

    #[test]
    fn lattices_are_turned_against_each_other() {
        let cascades = cascades(&windy(11.0), 4, 128);
        for (index, coarse) in cascades.iter().enumerate() {
            for fine in &cascades[index + 1..] {
                let turn_rad = (fine.rotation_rad() - coarse.rotation_rad()).rem_euclid(FRAC_PI_2);
                let apart = turn_rad.min(FRAC_PI_2 - turn_rad).to_degrees();
                assert!(apart > 13.0, "{apart} degrees");
            }
            let there = coarse.world_from_lattice([3.0, -5.0]);
            let back = coarse.lattice_from_world(there);
            assert!((back[0] - 3.0).abs() < 1e-12 && (back[1] + 5.0).abs() < 1e-12);
        }
    }

    #[test]
    fn dragging_the_wind_rarely_changes_the_patches() {
        let lengths: Vec<f64> = (0..=100)
            .map(|step| cascades(&windy(5.0 + 0.1 * f64::from(step)), 4, 256)[0].patch_size_m)
            .collect();
        let changes = lengths.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!(changes <= 3, "{changes} changes from 5 to 15 m/s");
        for length in lengths {
            let steps = 2.0 * length.log2();
            assert!((steps - steps.round()).abs() < 1e-9, "{length} m");
        }
    }

    #[test]
    fn rounding_up_is_exact_on_its_steps() {
        for (length, step) in [
            (1.0, 1.0),
            (1.01, SQRT_2),
            (SQRT_2, SQRT_2),
            (1.42, 2.0),
            (1024.0, 1024.0),
            (1024.1, 1024.0 * SQRT_2),
            (0.01, 2.0_f64.powi(-7) * SQRT_2),
        ] {
            assert_eq!(round_up_to_step(length), step, "{length}");
        }
    }
}
