//! Mixtures of two recorded spectra, for the hours between them.
//!
//! A mixture has the frequencies of both spectra. Between the frequencies of each, densities are linear and the
//! distributions over directions count by their share of the density, as [`RecordedWaves`] draws them. So the
//! sea changes continuously with the share, and reaches those of both spectra at its ends.
//!
//! [`RecordedWaves`]: super::RecordedWaves

use super::distribution::{Distribution, even_directions, fit_moments};
use super::equilibrium_wind;
use crate::settings::{RecordedDirections, RecordedSpectrum};

impl RecordedSpectrum {
    /// A spectrum has no waves below its first frequency: the density falls to 0 down to this share of it.
    const FIRST_RATIO: f64 = 0.9999;

    /// The mixture of this spectrum and the share `t` of another.
    ///
    /// It ends at the mean of the frequencies at which both end. The shorter spectrum continues in
    /// proportion to f^-4, as the equilibrium range does (Phillips 1985). Tables over different directions,
    /// and a table and moments, are mixed over directions 5 degrees apart.
    pub(crate) fn mixed(&self, other: &Self, t: f64) -> Self {
        let mix = |one: f64, other: f64| one + t * (other - one);
        let both = [self, other];
        let [one, other] = both.map(|spectrum| spectrum.frequencies_hz[spectrum.last_index()]);
        let last_hz = mix(one, other);
        let first_hz = self.frequencies_hz[0].min(both[1].frequencies_hz[0]);
        let starts_hz = both.map(|spectrum| match spectrum.density_m2_per_hz[0] > 0.0 {
            true => Self::FIRST_RATIO * spectrum.frequencies_hz[0],
            false => spectrum.frequencies_hz[0],
        });
        let own_hz = both.iter().flat_map(|spectrum| &spectrum.frequencies_hz).chain(&starts_hz);
        let inside = own_hz.copied().filter(|hz| (first_hz..last_hz).contains(hz));
        let mut frequencies_hz: Vec<f64> = inside.chain([last_hz]).collect();
        frequencies_hz.sort_by(f64::total_cmp);
        frequencies_hz.dedup();

        let resampled;
        let directions = if self.directions.has_directions_of(&both[1].directions) {
            both.map(|spectrum| &spectrum.directions)
        } else {
            resampled = both.map(|spectrum| {
                let (towards_rad, density_per_rad) = spectrum.even_table();
                RecordedDirections::Table { towards_rad, density_per_rad }
            });
            [&resampled[0], &resampled[1]]
        };
        let mut density_m2_per_hz = Vec::with_capacity(frequencies_hz.len());
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(frequencies_hz.len());
        for hz in &frequencies_hz {
            let mut row = vec![0.0; directions[0].row(0).len()];
            let (mut density, mut weights) = (0.0, 0.0);
            for ((spectrum, directions), share) in both.iter().zip(directions).zip([1.0 - t, t]) {
                for (index, part) in spectrum.neighbours(*hz) {
                    density += share * part;
                    // The trace gives directions to frequencies without waves, too.
                    let weight = share * (part + 1e-100);
                    weights += weight;
                    let values = row.iter_mut().zip(directions.row(index));
                    values.for_each(|(sum, value)| *sum += weight * value);
                }
            }
            row.iter_mut().for_each(|value| *value /= weights);
            density_m2_per_hz.push(density);
            rows.push(row);
        }
        let times = self.time_unix_s.zip(both[1].time_unix_s);
        let depths = self.depth_m.zip(both[1].depth_m);
        let winds = both.map(|spectrum| spectrum.wind.or_else(|| equilibrium_wind(spectrum)));
        Self {
            time_unix_s: times.map(|(one, other)| mix(one as f64, other as f64).round() as i64),
            depth_m: depths.map(|(one, other)| mix(one, other)).or(self.depth_m),
            wind: match winds {
                [Some(one), Some(other)] => Some(one.mixed(other, t)),
                [one, other] => one.or(other),
            },
            frequencies_hz,
            density_m2_per_hz,
            directions: directions[0].with_rows(rows),
        }
    }

    /// The index of the last frequency with waves, at least 1. Files round the densities of the last
    /// frequencies to 0, where there are short waves all the same.
    pub(super) fn last_index(&self) -> usize {
        let last = self.density_m2_per_hz.iter().rposition(|density| *density > 0.0);
        last.unwrap_or(self.frequencies_hz.len() - 1).max(1)
    }

    /// The frequencies around `hz` and the part of the density there that has their directions, in m2/Hz.
    fn neighbours(&self, hz: f64) -> [(usize, f64); 2] {
        let last = self.last_index();
        let (frequencies, density) = (&self.frequencies_hz, &self.density_m2_per_hz);
        let next = frequencies[..=last].partition_point(|&own| own < hz).clamp(1, last);
        let [before, after] = [frequencies[next - 1], frequencies[next]];
        let t = (hz - before) / (after - before);
        let [one, other] = match t {
            _ if t < 0.0 => [0.0; 2],
            _ if t > 1.0 => [0.0, (after / hz).powi(4)],
            _ => [1.0 - t, t],
        };
        [(next - 1, one * density[next - 1]), (next, other * density[next])]
    }

    /// Directions in radians, 5 degrees apart, and each frequency's density per radian around them, with the
    /// moments of the spectrum. Moments have the distribution of greatest entropy (Lygre and Krogstad 1986).
    pub(crate) fn even_table(&self) -> (Vec<f64>, Vec<Vec<f64>>) {
        let (step, towards_rad) = even_directions();
        let row = |index: usize| {
            let distribution = match &self.directions {
                RecordedDirections::Moments(moments) => {
                    Distribution::maximum_entropy(moments[index])
                }
                RecordedDirections::Table { towards_rad, density_per_rad } => {
                    Distribution::table(towards_rad, &density_per_rad[index])
                }
            };
            let mean = |theta: &f64| {
                let (z, x) = libm::sincos(*theta);
                distribution.mean_density(x, z, step)
            };
            let mut row: Vec<f64> = towards_rad.iter().map(mean).collect();
            // The means are those of a wider distribution.
            fit_moments(&mut row, [1.0; 4], distribution.moments());
            row
        };
        let rows = (0..self.frequencies_hz.len()).map(row).collect();
        (towards_rad, rows)
    }
}

impl RecordedDirections {
    fn has_directions_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Moments(_), Self::Moments(_)) => true,
            (Self::Table { towards_rad: one, .. }, Self::Table { towards_rad: other, .. }) => {
                one == other
            }
            _ => false,
        }
    }

    /// The moments of one frequency, or its densities over directions.
    fn row(&self, frequency: usize) -> &[f64] {
        match self {
            Self::Moments(moments) => &moments[frequency],
            Self::Table { density_per_rad, .. } => &density_per_rad[frequency],
        }
    }

    /// Replaces the rows.
    fn with_rows(&self, rows: Vec<Vec<f64>>) -> Self {
        match self {
            Self::Moments(_) => Self::Moments(
                rows.iter().map(|row| std::array::from_fn(|index| row[index])).collect(),
            ),
            Self::Table { towards_rad, .. } => {
                Self::Table { towards_rad: towards_rad.clone(), density_per_rad: rows }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use crate::settings::{RecordedSea, SeaState};
    use crate::spectrum::RecordedWaves;

    /// S(f) of a bump with directions around `towards_rad`, at `count` frequencies from `first_hz` on.
    fn bump(first_hz: f64, step_hz: f64, count: u32, towards_rad: f64) -> RecordedSpectrum {
        let frequencies_hz: Vec<f64> =
            (0..count).map(|index| first_hz + step_hz * f64::from(index)).collect();
        let density = |hz: &f64| 1.0 / (1.0 + ((hz - 0.1) / 0.03).powi(4));
        let turned = |hz: &f64| {
            let (sin, cos) = (towards_rad + hz).sin_cos();
            let (sin_2, cos_2) = (2.0 * (towards_rad + hz)).sin_cos();
            [0.8 * cos, 0.8 * sin, 0.5 * cos_2, 0.5 * sin_2]
        };
        RecordedSpectrum {
            time_unix_s: None,
            depth_m: None,
            wind: None,
            density_m2_per_hz: frequencies_hz.iter().map(density).collect(),
            directions: RecordedDirections::Moments(frequencies_hz.iter().map(turned).collect()),
            frequencies_hz,
        }
    }

    /// The same spectrum as a table over `count` directions.
    fn table(spectrum: RecordedSpectrum, count: u32) -> RecordedSpectrum {
        let towards_rad: Vec<f64> =
            (0..count).map(|index| TAU * f64::from(index) / f64::from(count)).collect();
        let row = |[a1, b1, a2, b2]: [f64; 4]| {
            let distribution = Distribution::maximum_entropy([a1, b1, a2, b2]);
            let density = |theta: &f64| distribution.mean_density(theta.cos(), theta.sin(), 0.0);
            let row: Vec<f64> = towards_rad.iter().map(density).collect();
            let sum = row.iter().sum::<f64>() * TAU / f64::from(count);
            row.iter().map(|density| density / sum).collect()
        };
        let density_per_rad = spectrum.moments().into_iter().map(row).collect();
        RecordedSpectrum {
            directions: RecordedDirections::Table { towards_rad, density_per_rad },
            ..spectrum
        }
    }

    /// The directional density towards 48 directions at 400 frequencies, and the last frequency.
    fn drawn(record: &RecordedSea, record_hour: f64) -> (Vec<f64>, f64) {
        let recorded = Some(record.clone().into());
        let waves = RecordedWaves::of(&SeaState { recorded, record_hour, ..Default::default() });
        let waves = waves.unwrap();
        let frequencies = (0..400).map(|index| TAU * (0.02 + 0.001 * f64::from(index) + 3e-6));
        let density = frequencies.flat_map(|omega| {
            let parts = waves.at(omega);
            (0..48).map(move |index| {
                let (sin, cos) = (TAU * f64::from(index) / 48.0).sin_cos();
                let towards = parts.iter().map(|(density, distribution)| {
                    density * distribution.mean_density(cos, sin, TAU / 48.0)
                });
                towards.sum::<f64>()
            })
        });
        (density.collect(), waves.range_rad_per_s()[1])
    }

    /// The sea does not jump at a recorded hour, whatever the frequencies and the directions of the spectra
    /// around it. Where their directions differ, lobes are a little wider between the hours.
    #[test]
    fn the_drawn_sea_is_continuous_at_recorded_hours() {
        let coarse = bump(0.04, 0.01, 30, 0.5);
        let fine = bump(0.031, 0.007, 60, 2.5);
        let calm = RecordedSpectrum {
            density_m2_per_hz: coarse
                .frequencies_hz
                .iter()
                .map(|hz| if *hz < 0.2 { 1.0 } else { 0.0 })
                .collect(),
            ..coarse.clone()
        };
        let flat = RecordedSpectrum { density_m2_per_hz: vec![0.0; 30], ..coarse.clone() };
        for (name, one, other, bound) in [
            ("the same frequencies", coarse.clone(), bump(0.04, 0.01, 30, 2.0), 1e-6),
            ("other frequencies", coarse.clone(), fine.clone(), 0.01),
            ("other last waves", coarse.clone(), calm, 1e-6),
            ("a flat sea", coarse.clone(), flat, 1e-6),
            ("other directions", table(coarse.clone(), 36), table(fine.clone(), 40), 0.02),
            ("moments and a table", coarse.clone(), table(fine.clone(), 36), 0.02),
        ] {
            let record = RecordedSea::new("".into(), "test".into(), None, vec![one, other]);
            let record = record.unwrap();
            for (hour, near) in [(0.0, 1e-8), (1.0, 1.0 - 1e-8), (0.5, 0.5 + 1e-8)] {
                let ((at, at_last), (close, close_last)) =
                    (drawn(&record, hour), drawn(&record, near));
                let largest = at.iter().copied().fold(0.1, f64::max);
                let off = at.iter().zip(&close).map(|(one, other)| (one - other).abs());
                let off = off.fold(0.0, f64::max) / largest;
                println!("{name}, hour {hour}: {off:.2e}");
                assert!(off < bound, "{name}, hour {hour}: {off}");
                assert!((at_last - close_last).abs() < 1e-6, "{name}, hour {hour}");
            }
        }
    }

    #[test]
    fn even_tables_have_the_moments_of_the_spectrum() {
        let spectrum = bump(0.04, 0.01, 30, 0.5);
        let (towards_rad, rows) = spectrum.even_table();
        for (row, expected) in rows.iter().zip(spectrum.moments()) {
            let moments = RecordedDirections::table_moments(&towards_rad, row);
            for (moment, expected) in moments.into_iter().zip(expected) {
                assert!((moment - expected).abs() < 2e-6, "{moments:?}, {expected}");
            }
        }
    }

    /// Frequencies beyond those of the other spectrum count, and the mixture has the variance of both.
    #[test]
    fn mixtures_keep_the_waves_of_both_frequency_axes() {
        let (swell, sea) = (bump(0.03, 0.01, 12, 0.0), bump(0.2, 0.01, 20, 1.0));
        for t in [0.0, 0.3, 1.0] {
            let mixed = swell.mixed(&sea, t);
            assert!(mixed.frequencies_hz.windows(2).all(|pair| pair[0] < pair[1]));
            let expected = (1.0 - t) * swell.variance_m2();
            let below = mixed.frequencies_hz.iter().zip(&mixed.density_m2_per_hz);
            let (frequencies_hz, density_m2_per_hz) =
                below.filter(|(hz, _)| **hz <= 0.14 + 1e-9).unzip();
            let directions = mixed.directions.clone();
            let long =
                RecordedSpectrum { frequencies_hz, density_m2_per_hz, directions, ..mixed.clone() };
            assert!((long.variance_m2() - expected).abs() < 1e-9, "{t}");
        }
    }
}
