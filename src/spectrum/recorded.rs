//! The waves of a recorded sea: a directional spectrum that a buoy measured or a wave model computed.
//!
//! S(omega) and every directional moment are linear between the frequencies of the record, because both
//! distributions are drawn with their own share. There are no waves below the first frequency. Beyond the
//! last one the short waves of this library go on (`short_waves.rs`).
//!
//! A buoy measures four moments of the distribution over directions at each frequency, and many
//! distributions have them. [`RecordedSpreading`] chooses one: by default, the one with the greatest
//! entropy (Lygre and Krogstad 1986).

use std::f64::consts::TAU;
use std::sync::Arc;

use super::distribution::{Distribution, even_directions};
use super::frequency::integrate_log;
use super::wind::friction_velocity_mps;
use super::{DirectionalSpectrum, GRAVITY_MPS2, InitialSpectrum};
use crate::settings::{
    Kind, RecordedDirections, RecordedSea, RecordedSpectrum, RecordedSpreading, RecordedWind,
    SeaState, Settings as _, Value,
};

/// S(omega) and D(theta; omega) at the frequencies of one record.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedWaves {
    omega_rad_per_s: Vec<f64>,
    density_m2_s: Vec<f64>,
    distributions: Vec<Distribution>,
    lowest_rad_per_s: f64,
}

impl RecordedWaves {
    /// The recorded waves of `sea` at the hour that its settings select; none without a record.
    pub fn of(sea: &SeaState) -> Option<Self> {
        let record = sea.recorded.as_ref()?;
        let spectrum = record.at_hour(sea.record_hour);
        let count = spectrum.last_index() + 1;
        let distribution = |index: usize| match &spectrum.directions {
            RecordedDirections::Moments(moments) => match sea.recorded_spreading {
                RecordedSpreading::MaximumEntropy => Distribution::maximum_entropy(moments[index]),
                RecordedSpreading::Cos2s => Distribution::cos_2s(moments[index]),
            },
            RecordedDirections::Table { towards_rad, density_per_rad } => {
                Distribution::table(towards_rad, &density_per_rad[index])
            }
        };
        Some(Self {
            omega_rad_per_s: spectrum.frequencies_hz[..count].iter().map(|hz| TAU * hz).collect(),
            density_m2_s: spectrum.density_m2_per_hz[..count]
                .iter()
                .map(|density| density / TAU)
                .collect(),
            distributions: (0..count).map(distribution).collect(),
            lowest_rad_per_s: TAU * record.lowest_frequency_hz(),
        })
    }

    /// The frequency in rad/s below which all spectra of the record have next to no waves: it does not
    /// change with the hour, so that the patches do not.
    pub fn lowest_rad_per_s(&self) -> f64 {
        self.lowest_rad_per_s
    }

    /// The frequencies in rad/s of the record.
    pub fn omega_rad_per_s(&self) -> &[f64] {
        &self.omega_rad_per_s
    }

    /// The first and the last frequency in rad/s.
    pub fn range_rad_per_s(&self) -> [f64; 2] {
        [self.omega_rad_per_s[0], self.omega_rad_per_s[self.omega_rad_per_s.len() - 1]]
    }

    /// The frequency in rad/s with the largest S(omega).
    pub fn peak_rad_per_s(&self) -> f64 {
        let largest = (0..self.density_m2_s.len())
            .max_by(|&one, &other| self.density_m2_s[one].total_cmp(&self.density_m2_s[other]));
        self.omega_rad_per_s[largest.unwrap_or(0)]
    }

    /// S(omega) in m2 s/rad.
    pub fn density_m2_s(&self, omega: f64) -> f64 {
        self.at(omega).iter().map(|(density, _)| density).sum()
    }

    /// The two shares of S(omega) in m2 s/rad, with their distributions.
    pub(super) fn at(&self, omega: f64) -> [(f64, &Distribution); 2] {
        let frequencies = &self.omega_rad_per_s;
        let last = frequencies.len() - 1;
        let next = frequencies.partition_point(|&recorded| recorded < omega).clamp(1, last);
        let [before, after] = [frequencies[next - 1], frequencies[next]];
        // A wavenumber at the very end may come back from the dispersion relation a rounding beyond it.
        let t = (omega - before) / (after - before);
        let is_inside = (-1e-9..=1.0 + 1e-9).contains(&t);
        let t = t.clamp(0.0, 1.0);
        [(next - 1, 1.0 - t), (next, t)].map(|(index, share)| {
            let density = if is_inside { share * self.density_m2_s[index] } else { 0.0 };
            (density, &self.distributions[index])
        })
    }

    /// The integral of S(omega) from one frequency to another, in m2.
    pub fn variance_m2(&self, first: f64, last: f64) -> f64 {
        integrate_log(first, last, 0.0014, |omega| self.density_m2_s(omega))
    }
}

impl InitialSpectrum {
    /// The spectrum of this one realisation at the given ascending frequencies: the variance of its waves
    /// between the middles to both neighbours, over the width, and the moments of their directions. So a
    /// sea that was drawn can stand beside the record that it was drawn from.
    ///
    /// A lattice of wave vectors fills narrow rings unevenly: each density is the theoretical one times the
    /// ratio of what was drawn to what the lattice holds on average.
    ///
    /// # Panics
    /// With less than two frequencies.
    pub fn as_record(&self, frequencies_hz: &[f64]) -> RecordedSpectrum {
        let count = frequencies_hz.len();
        let spectrum = &self.spectrum;
        let points = self.size as usize * self.size as usize;
        let edge = |index: usize| 0.5 * (frequencies_hz[index - 1] + frequencies_hz[index]);
        let edges: Vec<f64> = (1..count).map(edge).collect();
        let lowest_hz = 2.0 * frequencies_hz[0] - edges[0];
        let highest_hz = 2.0 * frequencies_hz[count - 1] - edges[count - 2];
        // The variance that was drawn and the mean over all seeds, and the sums of the moments.
        let mut bins = vec![([0.0; 2], [0.0; 4]); count];
        for (cascade, band) in self.cascades.iter().enumerate() {
            let dk = band.dk_rad_per_m();
            let layer = cascade * points..(cascade + 1) * points;
            let waves = self.h0[layer.clone()].iter().zip(&self.omega[layer]).enumerate();
            for (at, (h0, multiple)) in waves.filter(|(_, (h0, _))| **h0 != [0.0; 2]) {
                let hz = self.clock.omega_rad_per_s(*multiple) / TAU;
                if !(lowest_hz..=highest_hz).contains(&hz) {
                    continue;
                }
                let index = edges.partition_point(|edge| *edge < hz);
                let [x, z] = band.wave_vector(self.wave_index(at));
                let k = x.hypot(z);
                let [x, z] = [x / k, z / k];
                let variance_m2 = 2.0 * h0.iter().map(|part| f64::from(*part).powi(2)).sum::<f64>();
                let (sums, moments) = &mut bins[index];
                sums[0] += variance_m2;
                sums[1] += spectrum.ring(k).psi_m4(x, z, dk / k) * dk * dk;
                let terms = [x, z, x * x - z * z, 2.0 * x * z];
                moments.iter_mut().zip(terms).for_each(|(sum, term)| *sum += variance_m2 * term);
            }
        }
        let dispersion = &spectrum.dispersion;
        let density = bins.iter().enumerate().map(|(index, ([drawn, mean], _))| {
            let k = dispersion.wavenumber_rad_per_m(TAU * frequencies_hz[index]);
            let expected = TAU * spectrum.density_m3(k) / dispersion.group_velocity_mps(k);
            if *mean > 0.0 { drawn / mean * expected } else { 0.0 }
        });
        let moments = bins
            .iter()
            .map(|([drawn, _], sums)| sums.map(|sum| if *drawn > 0.0 { sum / drawn } else { 0.0 }));
        RecordedSpectrum {
            time_unix_s: None,
            depth_m: Some(self.sea.depth_m),
            wind: None,
            frequencies_hz: frequencies_hz.to_vec(),
            density_m2_per_hz: density.collect(),
            directions: RecordedDirections::Moments(moments.collect()),
        }
    }
}

impl RecordedSpectrum {
    /// The waves of `sea` as a table of `frequencies_hz` and of directions 5 degrees apart, for files.
    pub fn of(sea: &SeaState, frequencies_hz: Vec<f64>) -> Self {
        let spectrum = DirectionalSpectrum::of(sea);
        let (step, towards_rad) = even_directions();
        let ring = |hz: &f64| {
            let k = spectrum.dispersion.wavenumber_rad_per_m(TAU * hz);
            let ring = spectrum.ring(k);
            let row: Vec<f64> = towards_rad
                .iter()
                .map(|theta| ring.psi_m4(libm::cos(*theta), libm::sin(*theta), step))
                .collect();
            let sum = step * row.iter().sum::<f64>();
            let spread = |psi: f64| if sum > 0.0 { psi / sum } else { TAU.recip() };
            // S(f) = 2 pi F(k) dk/d omega, and the sum over directions is F(k)/k.
            let density = TAU * k * sum / spectrum.dispersion.group_velocity_mps(k);
            (density, row.into_iter().map(spread).collect())
        };
        let (density_m2_per_hz, density_per_rad) = frequencies_hz.iter().map(ring).unzip();
        Self {
            time_unix_s: None,
            depth_m: Some(sea.depth_m),
            wind: Some(RecordedWind {
                speed_mps: sea.wind_speed_mps,
                towards_deg: sea.wind_direction_deg.rem_euclid(360.0),
            }),
            frequencies_hz,
            density_m2_per_hz,
            directions: RecordedDirections::Table { towards_rad, density_per_rad },
        }
    }
}

impl SeaState {
    /// The most numbers of a record that is saved with settings: 350 spectra of a buoy.
    pub const MAX_RECORD_NUMBERS: usize = 100_000;

    /// Replaces the waves of the sea by those of `record`, at the time of its highest sea. Wind and depth are
    /// the record's, where it has them; without a wind, the one that the short waves show.
    pub fn use_record(&mut self, record: Arc<RecordedSea>) {
        let spectra = record.spectra().iter().zip(record.hours());
        let highest = spectra
            .max_by(|(one, _), (other, _)| one.variance_m2().total_cmp(&other.variance_m2()));
        let hour = highest.map_or(0.0, |(_, hour)| hour);
        self.recorded = Some(record);
        self.significant_wave_height_m = 0.0;
        self.swell_height_m = 0.0;
        self.swell_2_height_m = 0.0;
        self.use_hour(hour);
    }

    /// Reduces the record to spectra around the one that is drawn, of at most [`SeaState::MAX_RECORD_NUMBERS`]
    /// numbers. Returns the number of spectra before.
    pub fn limit_record(&mut self) -> Option<usize> {
        let record = self.recorded.as_ref()?;
        let (limited, later_h) = record.around(self.record_hour, Self::MAX_RECORD_NUMBERS)?;
        let before = record.spectra().len();
        self.recorded = Some(Arc::new(limited));
        self.record_hour = (self.record_hour - later_h).max(0.0);
        Some(before)
    }

    /// Reduces the record to the spectrum that is drawn.
    pub fn keep_hour(&mut self) {
        if let Some(record) = &self.recorded {
            self.recorded = Some(Arc::new(record.only_hour(self.record_hour)));
            self.record_hour = 0.0;
        }
    }

    /// Moves to another hour of the record, with its wind and depth as [`SeaState::use_record`] has them.
    pub fn use_hour(&mut self, hour: f64) {
        self.follow_hour(hour);
        let depth_m =
            self.recorded.as_ref().and_then(|record| record.at_hour(self.record_hour).depth_m);
        if let Some(depth_m) = depth_m {
            self.set_within("depth_m", depth_m);
        }
    }

    /// Moves to another hour of the record and its wind. The depth stays, and with it the frequencies of the
    /// waves: from hour to hour their phases are the same.
    pub fn follow_hour(&mut self, hour: f64) {
        let Some(record) = self.recorded.clone() else { return };
        self.set_within("record_hour", hour);
        let spectrum = record.at_hour(hour);
        if let Some(wind) = spectrum.wind.or_else(|| equilibrium_wind(&spectrum)) {
            self.set_within("wind_speed_mps", wind.speed_mps);
            self.set_within("wind_direction_deg", wind.towards_deg.rem_euclid(360.0));
        }
    }

    /// Sets a number, or the nearest one that is possible.
    fn set_within(&mut self, name: &str, value: f64) {
        let field = Self::field(name).expect("a setting of the sea");
        if let Kind::Number { min, max, .. } = field.kind {
            // A value between the ends of a range is in it.
            let _ = field.set(self, Value::Number(value.clamp(min, max)));
        }
    }
}

/// The wind that raises the short waves of a spectrum, for records without a wind: in the equilibrium
/// range, where S(f) f^4 is constant, S(f) = 4 beta I u* g (2 pi)^-3 f^-4 (Phillips 1985, with beta = 0.012 and
/// I = 2.5 as Voermans et al. 2020 use them for buoys). The range begins at 1.5 times the frequency from 0.15 Hz
/// up, where no swell is, with the largest S(f) f^4, and has five frequencies; without so many there is no
/// estimate.
pub fn equilibrium_wind(spectrum: &RecordedSpectrum) -> Option<RecordedWind> {
    const BETA: f64 = 0.012;
    const SPREADING: f64 = 2.5;
    const FIRST_HZ: f64 = 0.15;
    const LAST_HZ: f64 = 0.5;
    const COUNT: usize = 5;
    const PAST_THE_PEAK: f64 = 1.5;
    let level = |index: &usize| {
        spectrum.density_m2_per_hz[*index] * spectrum.frequencies_hz[*index].powi(4)
    };
    let within: Vec<usize> = (0..spectrum.frequencies_hz.len())
        .filter(|&index| (FIRST_HZ..=LAST_HZ).contains(&spectrum.frequencies_hz[index]))
        .collect();
    let peak = within.iter().max_by(|one, other| level(one).total_cmp(&level(other)))?;
    let first_hz = PAST_THE_PEAK * spectrum.frequencies_hz[*peak];
    let first = within.partition_point(|&index| spectrum.frequencies_hz[index] < first_hz);
    let first = first.min(within.len().checked_sub(COUNT)?);
    let range = &within[first..first + COUNT];
    let mean = range.iter().map(level).sum::<f64>() / COUNT as f64;
    let friction_mps = mean * TAU.powi(3) / (4.0 * BETA * SPREADING * GRAVITY_MPS2);
    // The friction velocity grows with the wind.
    let (mut low, mut high) = (0.0, 120.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if friction_velocity_mps(middle) < friction_mps { low = middle } else { high = middle }
    }
    let mut towards = [0.0; 2];
    for &index in range {
        let [a1, b1, ..] = spectrum.moments_at(index);
        towards[0] += level(&index) * a1;
        towards[1] += level(&index) * b1;
    }
    let towards_deg = libm::atan2(towards[1], towards[0]).to_degrees();
    Some(RecordedWind { speed_mps: high, towards_deg })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::measurement::{Subject, Theory};
    use crate::settings::{Preset, RecordedSummary};

    /// The sea of each shipped record, and two of NDBC's files.
    fn recorded_seas() -> Vec<(String, SeaState)> {
        let shipped = Preset::SHIPPED.iter().map(|(name, _)| *name);
        let shipped = shipped.map(|name| (name.to_owned(), Preset::load(name).unwrap().sea));
        let mut seas: Vec<_> = shipped.filter(|(_, sea)| sea.recorded.is_some()).collect();
        let folder =
            concat!(env!("CARGO_MANIFEST_DIR"), "/src/spectrum_file/tests/41010.data_spec");
        let (record, _) = crate::spectrum_file::open(Path::new(folder)).unwrap();
        for hour in record.hours().collect::<Vec<_>>() {
            let mut sea = SeaState::default();
            sea.use_record(Arc::new(record.clone()));
            sea.use_hour(hour);
            seas.push((format!("41010 after {hour} h"), sea));
        }
        seas
    }

    /// The mean of the waves of many seeds, beside the record: Hs, the peak, the mean direction and the spread.
    #[test]
    fn drawn_seas_measure_as_their_records() {
        const SEEDS: u32 = 24;
        let seas = recorded_seas();
        assert_eq!(seas.len(), 6);
        for (name, sea) in seas {
            let spectrum = sea.recorded.as_ref().unwrap().at_hour(sea.record_hour);
            let frequencies_hz = &spectrum.frequencies_hz;
            let mut mean = RecordedSpectrum {
                density_m2_per_hz: vec![0.0; frequencies_hz.len()],
                directions: RecordedDirections::Moments(vec![[0.0; 4]; frequencies_hz.len()]),
                ..spectrum.clone()
            };
            for seed in 0..SEEDS {
                let sea = SeaState { seed, ..sea.clone() };
                let drawn = InitialSpectrum::new(&sea, 128, 4).unwrap().as_record(frequencies_hz);
                mean = mean.mixed(&drawn, 1.0 / f64::from(seed + 1));
            }
            let (file, drawn) = (spectrum.summary(), mean.summary());
            println!("{name}: {file:?}\n  drawn {drawn:?}");
            let height = drawn.significant_wave_height_m / file.significant_wave_height_m;
            // The relative standard error of the height is half of the variance's.
            let theory = Theory::of(Subject::of(&InitialSpectrum::new(&sea, 128, 4).unwrap(), &[]));
            let chance = 0.5 * theory.variance_error / f64::from(SEEDS).sqrt();
            println!("  Hs {height:.4}, of which by chance {chance:.4}");
            assert!((height - 1.0).abs() < 0.01 + 2.0 * chance, "{name}: Hs {height}");
            let bin = |summary: RecordedSummary| {
                let hz = summary.peak_period_s.recip();
                frequencies_hz.iter().position(|own| (own - hz).abs() < 1e-9).unwrap()
            };
            assert!(bin(file).abs_diff(bin(drawn)) <= 1, "{name}: the peak");
            let turned =
                (drawn.direction_deg - file.direction_deg + 180.0).rem_euclid(360.0) - 180.0;
            assert!(turned.abs() < 2.0, "{name}: {turned} degrees");
            let spread = drawn.spread_deg / file.spread_deg;
            assert!((spread - 1.0).abs() < 0.05, "{name}: spread {spread}");
        }
    }

    /// The moments of Psi at the frequencies of a record are the record's, where a distribution has them.
    #[test]
    fn the_spectrum_keeps_the_moments_of_its_record() {
        for (name, sea) in recorded_seas() {
            let spectrum = sea.recorded.as_ref().unwrap().at_hour(sea.record_hour);
            let waves = RecordedWaves::of(&sea).unwrap();
            for (index, distribution) in waves.distributions.iter().enumerate() {
                let [a1, b1, a2, b2] = spectrum.moments_at(index);
                let found = distribution.moments();
                let first = (found[0] - a1).hypot(found[1] - b1);
                assert!(first < 1e-9, "{name}, {index}: {found:?} of {a1} {b1}");
                // Rounding to hundredths and to 4 degrees makes some moments impossible.
                let off = (found[2] - a2).hypot(found[3] - b2);
                assert!(off < 0.25, "{name}, {index}: {found:?} of {a2} {b2}");
            }
        }
    }

    #[test]
    fn a_flat_record_has_a_finite_theory() {
        for (_, sea) in recorded_seas() {
            let mut spectrum = sea.recorded.as_ref().unwrap().at_hour(sea.record_hour);
            spectrum.density_m2_per_hz.fill(0.0);
            let record = RecordedSea::new("".into(), "test".into(), None, vec![spectrum]).unwrap();
            for significant_wave_height_m in [0.0, 2.0] {
                let recorded = Some(Arc::new(record.clone()));
                let sea = SeaState { recorded, significant_wave_height_m, ..sea.clone() };
                let initial = InitialSpectrum::new(&sea, 64, 4).unwrap();
                let theory = Theory::of(Subject::of(&initial, &[]));
                assert!(initial.h0.as_flattened().iter().all(|part| part.is_finite()));
                let figures = format!("{:?} {theory:?}", initial.summary);
                assert!(!figures.contains("NaN") && !figures.contains("inf"), "{figures}");
            }
        }
    }

    /// A gale's short waves show its wind; a swell alone shows none.
    #[test]
    fn the_wind_follows_from_the_short_waves() {
        for wind_speed_mps in [6.0, 10.0, 15.0] {
            let sea = SeaState { wind_speed_mps, wind_direction_deg: 75.0, ..Default::default() };
            let frequencies_hz = (5..60).map(|index| 0.01 * f64::from(index)).collect();
            let wind = equilibrium_wind(&RecordedSpectrum::of(&sea, frequencies_hz)).unwrap();
            let ratio = wind.speed_mps / wind_speed_mps;
            println!("{wind_speed_mps} m/s: {wind:?}");
            assert!((0.6..1.5).contains(&ratio), "{wind_speed_mps} m/s: {wind:?}");
            assert!((wind.towards_deg - 75.0).abs() < 1.0, "{wind:?}");
        }
    }

    /// Between two spectra, variance and moments are linear, and the patches stay as they are.
    #[test]
    fn hours_between_two_spectra_are_mixed() {
        let (_, sea) = recorded_seas().pop().unwrap();
        let record = sea.recorded.as_ref().unwrap();
        let [first, last] = [0, 1].map(|index| &record.spectra()[index]);
        let hours: Vec<f64> = record.hours().collect();
        let middle = record.at_hour(0.25 * hours[1]);
        for index in 0..first.last_index().min(last.last_index()) {
            let mixed =
                0.75 * first.density_m2_per_hz[index] + 0.25 * last.density_m2_per_hz[index];
            assert!((middle.density_m2_per_hz[index] - mixed).abs() < 1e-12);
            let [a, b, m] = [first, last, &middle]
                .map(|spectrum| spectrum.density_m2_per_hz[index] * spectrum.moments_at(index)[0]);
            assert!((m - (0.75 * a + 0.25 * b)).abs() < 1e-12);
        }
        assert_eq!(record.at_hour(-1.0), *first);
        assert_eq!(record.at_hour(1e4), *last);
        for hour in hours {
            let sea = SeaState { record_hour: hour, ..sea.clone() };
            let mut alone = sea.clone();
            alone.keep_hour();
            let text = toml::to_string(alone.recorded.as_ref().unwrap()).unwrap();
            let read: RecordedSea = toml::from_str(&text).unwrap();
            assert_eq!(Some(&read), alone.recorded.as_deref());
            for other in [SeaState { record_hour: 0.0, ..sea.clone() }, alone] {
                let [one, other] = [&sea, &other].map(|sea| crate::spectrum::cascades(sea, 4, 128));
                assert_eq!(one, other);
            }
        }
    }
}
