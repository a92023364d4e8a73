//! A recorded sea: the directional spectra that a buoy measured, or a wave model computed, at one place.

use std::f64::consts::TAU;

use crate::choice::choices;

choices! {
    /// The distribution over directions that is drawn for the moments of a buoy.
    #[non_exhaustive]
    pub enum RecordedSpreading {
        /// The distribution of greatest entropy with all four moments (Lygre and Krogstad 1986).
        MaximumEntropy = "maximum-entropy",
        /// cos-2s around the mean direction, with the first two moments only.
        Cos2s = "cos-2s",
    }
}

/// The spectra of one place, in ascending order of time.
///
/// Directions are those towards which waves and wind go, from +X (east) towards +Z (south): a swell that
/// comes from the north-west goes towards 45 degrees.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "UncheckedSea", deny_unknown_fields)]
pub struct RecordedSea {
    station: String,
    source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    position_deg: Option<[f64; 2]>,
    /// The lowest frequency of the longer record that this one is a part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    lowest_hz: Option<f64>,
    spectra: Vec<RecordedSpectrum>,
}

// No number in it is NaN: `new` checks them. With this, equal `Arc`s need no look at their numbers.
impl Eq for RecordedSea {}

/// A record before [`RecordedSea::new`] has checked it.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct UncheckedSea {
    #[serde(default)]
    station: String,
    #[serde(default)]
    source: String,
    #[serde(default)]
    position_deg: Option<[f64; 2]>,
    #[serde(default)]
    lowest_hz: Option<f64>,
    spectra: Vec<RecordedSpectrum>,
}

/// The spectrum of one time.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedSpectrum {
    /// Seconds since 1970-01-01 00:00 UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_unix_s: Option<i64>,
    /// Depth of the water in metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth_m: Option<f64>,
    /// Ascending frequencies in Hz, at least two.
    pub frequencies_hz: Vec<f64>,
    /// The one-sided spectrum S(f) of all directions at each frequency, in m2/Hz.
    pub density_m2_per_hz: Vec<f64>,
    /// The wind at 10 m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wind: Option<RecordedWind>,
    /// The distribution over directions at each frequency.
    pub directions: RecordedDirections,
}

/// The wind at 10 m above the water.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedWind {
    /// Speed in m/s.
    pub speed_mps: f64,
    /// Direction towards which it blows, in degrees from +X towards +Z.
    pub towards_deg: f64,
}

impl RecordedWind {
    /// The mean of both vectors, with the share `t` of the other.
    pub(crate) fn mixed(self, other: Self, t: f64) -> Self {
        let vector = |wind: Self| {
            let (sin, cos) = libm::sincos(wind.towards_deg.to_radians());
            [wind.speed_mps * cos, wind.speed_mps * sin]
        };
        let (one, other) = (vector(self), vector(other));
        let [x, z] = [0, 1].map(|axis| (1.0 - t) * one[axis] + t * other[axis]);
        Self { speed_mps: x.hypot(z), towards_deg: libm::atan2(z, x).to_degrees() }
    }
}

/// The distribution over directions at each frequency.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RecordedDirections {
    /// The means (a1, b1, a2, b2) of cos theta, sin theta, cos 2 theta and sin 2 theta.
    Moments(Vec<[f64; 4]>),
    /// The density over directions.
    Table {
        /// The directions in radians, ascending from at least 0 to below 2 pi.
        towards_rad: Vec<f64>,
        /// D at each frequency and direction, in 1/rad. It integrates to one.
        density_per_rad: Vec<Vec<f64>>,
    },
}

impl RecordedDirections {
    /// The part of the circle in radians that each of some ascending directions stands for: half of the way
    /// to both of its neighbours, which makes a weighted sum the periodic trapezoidal rule.
    pub fn widths_rad(towards_rad: &[f64]) -> impl Iterator<Item = f64> + '_ {
        let count = towards_rad.len();
        (0..count).map(move |index| {
            let before = towards_rad[(index + count - 1) % count];
            let after = towards_rad[(index + 1) % count];
            if count <= 2 { TAU / count as f64 } else { 0.5 * (after - before).rem_euclid(TAU) }
        })
    }

    /// The means of cos theta, sin theta, cos 2 theta and sin 2 theta of a table, by
    /// [`RecordedDirections::widths_rad`].
    pub fn table_moments(towards_rad: &[f64], density: &[f64]) -> [f64; 4] {
        let mut sums = [0.0; 5];
        for ((theta, width), density) in
            towards_rad.iter().zip(Self::widths_rad(towards_rad)).zip(density)
        {
            let weight = width * density;
            let (sin, cos) = libm::sincos(*theta);
            let terms = [1.0, cos, sin, cos * cos - sin * sin, 2.0 * sin * cos];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += weight * term);
        }
        let [total, a1, b1, a2, b2] = sums;
        if total > 0.0 { [a1, b1, a2, b2].map(|moment| moment / total) } else { [0.0; 4] }
    }
}

/// The figures of one recorded spectrum.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct RecordedSummary {
    /// Hs = 4 sqrt(m0), in metres.
    pub significant_wave_height_m: f64,
    /// The period of the frequency with the largest density, in seconds.
    pub peak_period_s: f64,
    /// The mean direction towards which the waves run, in degrees from +X towards +Z.
    pub direction_deg: f64,
    /// The directional spread sqrt(2 (1 - r1)) in degrees (Kuik, van Vledder and Holthuijsen 1988).
    pub spread_deg: f64,
}

/// The reason why spectra do not form a valid record.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}{}{what}", index.map_or_else(String::new, |index| format!("spectrum {} ", index + 1)), of(station))]
pub struct RecordedSeaError {
    /// The name of the station.
    station: String,
    /// The place of the spectrum in the record.
    index: Option<usize>,
    /// The fault, and the values that are possible.
    what: String,
}

fn of(station: &str) -> String {
    if station.is_empty() { String::new() } else { format!("of {station}: ") }
}

impl TryFrom<UncheckedSea> for RecordedSea {
    type Error = RecordedSeaError;

    fn try_from(sea: UncheckedSea) -> Result<Self, RecordedSeaError> {
        let [lowest, highest] = RecordedSpectrum::FREQUENCIES_HZ;
        if let Some(wrong) = sea.lowest_hz.filter(|hz| !(lowest..=highest).contains(hz)) {
            let what =
                format!("a lowest frequency of {wrong} Hz is not between {lowest} and {highest}");
            return Err(RecordedSeaError { station: sea.station, index: None, what });
        }
        let lowest_hz = sea.lowest_hz;
        let record = Self::new(sea.station, sea.source, sea.position_deg, sea.spectra)?;
        Ok(Self { lowest_hz, ..record })
    }
}

impl RecordedSea {
    /// The highest sea that is taken for one, in metres of Hs; the highest ever measured is 19 m (WMO 2016).
    pub const HIGHEST_M: f64 = 40.0;

    /// A record of `station`, from `source`, at (latitude, longitude) in degrees; `spectra` are sorted by
    /// their time.
    ///
    /// # Errors
    /// [`RecordedSeaError`] where there is no spectrum, or one with impossible numbers.
    pub fn new(
        station: String,
        source: String,
        position_deg: Option<[f64; 2]>,
        mut spectra: Vec<RecordedSpectrum>,
    ) -> Result<Self, RecordedSeaError> {
        let wrong =
            |index, what| RecordedSeaError { station: station.clone(), index: Some(index), what };
        if spectra.is_empty() {
            return Err(wrong(0, "the record has no spectrum".to_owned()));
        }
        if let Some([latitude, longitude]) = position_deg
            && !(latitude.abs() <= 90.0 && longitude.abs() <= 360.0)
        {
            return Err(wrong(0, format!("the position {latitude}, {longitude} is not on Earth")));
        }
        for (index, spectrum) in spectra.iter().enumerate() {
            spectrum.check().map_err(|what| wrong(index, what))?;
        }
        spectra.sort_by_key(|spectrum| spectrum.time_unix_s);
        Ok(Self { station, source, position_deg, lowest_hz: None, spectra })
    }

    /// The name of the station; empty where the file has none.
    pub fn station(&self) -> &str {
        &self.station
    }

    /// The format or the publisher of the record.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Latitude and longitude in degrees.
    pub fn position_deg(&self) -> Option<[f64; 2]> {
        self.position_deg
    }

    /// The spectra in ascending order of time, at least one.
    pub fn spectra(&self) -> &[RecordedSpectrum] {
        &self.spectra
    }

    /// The hours of each spectrum after the first; spectra without a time are an hour apart.
    pub fn hours(&self) -> impl Iterator<Item = f64> + '_ {
        let first = self.spectra[0].time_unix_s;
        self.spectra.iter().enumerate().map(move |(index, spectrum)| {
            match (first, spectrum.time_unix_s) {
                (Some(first), Some(time)) => (time - first) as f64 / 3600.0,
                _ => index as f64,
            }
        })
    }

    /// The hours from the first spectrum to the last.
    pub fn last_hour(&self) -> f64 {
        self.hours().last().unwrap_or(0.0)
    }

    /// The spectrum `hour` hours after the first. Between two spectra, densities and moments are linear in
    /// time; before the first and after the last, the sea is as it was then.
    pub fn at_hour(&self, hour: f64) -> RecordedSpectrum {
        let hours: Vec<f64> = self.hours().collect();
        let next = hours.partition_point(|&recorded| recorded <= hour);
        let before = next.saturating_sub(1);
        if hour <= hours[before] || next == hours.len() {
            return self.spectra[before].clone();
        }
        let t = (hour - hours[next - 1]) / (hours[next] - hours[next - 1]);
        self.spectra[next - 1].mixed(&self.spectra[next], t)
    }

    /// The hours from the first spectrum to a time in seconds since 1970.
    ///
    /// # Errors
    /// [`RecordedSeaError`] where the record does not reach to that time, or has no times.
    pub fn hour_of(&self, time_unix_s: i64) -> Result<f64, RecordedSeaError> {
        let ends = [0, self.spectra.len() - 1].map(|index| self.spectra[index].time_unix_s);
        let wrong = |what| RecordedSeaError { station: self.station.clone(), index: None, what };
        match ends {
            [Some(first), Some(last)] if (first..=last).contains(&time_unix_s) => {
                Ok((time_unix_s - first) as f64 / 3600.0)
            }
            [Some(first), Some(last)] => {
                let hours = |time: i64| (time - first) as f64 / 3600.0;
                Err(wrong(format!(
                    "the record has {:.1} hours, and the time is {:.1} hours after its first spectrum",
                    hours(last),
                    hours(time_unix_s)
                )))
            }
            _ => Err(wrong("the record has no times".to_owned())),
        }
    }

    /// The same record with the spectra around `hour` that have at most `numbers` numbers together, and the
    /// hours by which its first spectrum is later; none where it has no more.
    pub fn around(&self, hour: f64, numbers: usize) -> Option<(Self, f64)> {
        let total: usize = self.spectra.iter().map(RecordedSpectrum::numbers).sum();
        if total <= numbers {
            return None;
        }
        let hours: Vec<f64> = self.hours().collect();
        let count = (self.spectra.len() * numbers / total).max(1);
        let nearest = hours.partition_point(|&recorded| recorded < hour);
        let first = nearest.saturating_sub(count / 2).min(self.spectra.len() - count);
        Some((self.part(self.spectra[first..first + count].to_vec()), hours[first]))
    }

    /// The same record with the spectrum of one hour alone.
    pub fn only_hour(&self, hour: f64) -> Self {
        self.part(vec![self.at_hour(hour)])
    }

    /// A record of `spectra`, which are a part of this one's, with the lowest frequency of all.
    fn part(&self, spectra: Vec<RecordedSpectrum>) -> Self {
        let is_shorter = spectra.len() < self.spectra.len();
        Self {
            station: self.station.clone(),
            source: self.source.clone(),
            position_deg: self.position_deg,
            lowest_hz: self.lowest_hz.or_else(|| is_shorter.then(|| self.lowest_frequency_hz())),
            spectra,
        }
    }

    /// The frequency in Hz below which every spectrum holds less than a thousandth of the variance of the
    /// highest of them. A part of a record keeps the frequency of the whole record, and so the same patches.
    ///
    /// Noise at the first frequencies of a buoy would make the patches many times larger.
    pub fn lowest_frequency_hz(&self) -> f64 {
        const INVISIBLE: f64 = 1e-3;
        if let Some(lowest_hz) = self.lowest_hz {
            return lowest_hz;
        }
        let highest = self.spectra.iter().map(RecordedSpectrum::variance_m2).fold(0.0, f64::max);
        let lowest = |spectrum: &RecordedSpectrum| {
            let mut sum = 0.0;
            let frequencies = spectrum.frequencies_hz.windows(2);
            let densities = spectrum.density_m2_per_hz.windows(2);
            for (f, s) in frequencies.zip(densities) {
                sum += 0.5 * (s[0] + s[1]) * (f[1] - f[0]);
                if sum > INVISIBLE * highest {
                    return f[0];
                }
            }
            f64::INFINITY
        };
        let lowest = self.spectra.iter().map(lowest).fold(f64::INFINITY, f64::min);
        if lowest.is_finite() { lowest } else { self.spectra[0].frequencies_hz[0] }
    }
}

impl RecordedSpectrum {
    /// Frequencies in Hz that waves of wind and swell have, with room.
    pub(crate) const FREQUENCIES_HZ: [f64; 2] = [0.005, Self::HIGHEST_HZ];

    /// The highest frequency in Hz that a record may have.
    pub const HIGHEST_HZ: f64 = 10.0;

    /// Times in seconds since 1970, to the year 5138.
    const TIMES_S: std::ops::RangeInclusive<i64> = -100_000_000_000..=100_000_000_000;

    fn check(&self) -> Result<(), String> {
        let count = self.frequencies_hz.len();
        let [lowest, highest] = Self::FREQUENCIES_HZ;
        if count < 2 {
            return Err(format!("{count} frequencies are too few; at least 2 are needed"));
        }
        if let Some(wrong) = self.frequencies_hz.iter().find(|hz| !(lowest..=highest).contains(*hz))
        {
            return Err(format!("a frequency of {wrong} Hz is not between {lowest} and {highest}"));
        }
        if let Some(pair) = self.frequencies_hz.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(format!("the frequencies do not ascend: {} Hz, then {}", pair[0], pair[1]));
        }
        if self.density_m2_per_hz.len() != count {
            let found = self.density_m2_per_hz.len();
            return Err(format!("{found} densities stand against {count} frequencies"));
        }
        let is_density = |density: &f64| density.is_finite() && *density >= 0.0;
        if let Some(wrong) = self.density_m2_per_hz.iter().find(|density| !is_density(density)) {
            return Err(format!("a density of {wrong} m2/Hz is not a number from 0"));
        }
        let height_m = 4.0 * self.variance_m2().sqrt();
        if height_m > RecordedSea::HIGHEST_M {
            return Err(format!(
                "a sea of {height_m:.1} m (Hs) is higher than any measured sea: are its densities in m2/Hz?"
            ));
        }
        if let Some(wrong) = self.time_unix_s.filter(|time| !Self::TIMES_S.contains(time)) {
            return Err(format!("a time of {wrong} s since 1970 is not possible"));
        }
        match &self.directions {
            RecordedDirections::Moments(moments) => {
                if moments.len() != count {
                    let found = moments.len();
                    return Err(format!(
                        "{found} sets of moments stand against {count} frequencies"
                    ));
                }
                let is_mean = |mean: &f64| mean.abs() <= 1.001;
                if let Some(wrong) = moments.iter().flatten().find(|mean| !is_mean(mean)) {
                    return Err(format!("a directional moment of {wrong} is not within -1 and 1"));
                }
            }
            RecordedDirections::Table { towards_rad, density_per_rad } => {
                let is_direction = |rad: &f64| (0.0..TAU).contains(rad);
                let ascends = towards_rad.windows(2).all(|pair| pair[0] < pair[1]);
                if towards_rad.len() < 3 || !ascends || !towards_rad.iter().all(is_direction) {
                    return Err(
                        "the directions are not three or more that ascend from 0 to below \
                                2 pi"
                            .to_owned(),
                    );
                }
                let fits =
                    |row: &Vec<f64>| row.len() == towards_rad.len() && row.iter().all(is_density);
                if density_per_rad.len() != count || !density_per_rad.iter().all(fits) {
                    return Err(format!(
                        "the table over directions is not one of {count} frequencies by {} \
                         directions of numbers from 0",
                        towards_rad.len()
                    ));
                }
                let integral = |row: &Vec<f64>| -> f64 {
                    let widths = RecordedDirections::widths_rad(towards_rad);
                    widths.zip(row).map(|(width, density)| width * density).sum()
                };
                let rows = density_per_rad.iter().map(integral);
                if let Some(wrong) = rows.into_iter().find(|sum| (sum - 1.0).abs() > 0.01) {
                    return Err(format!(
                        "a row of the table over directions integrates to {wrong:.4} in place of 1: \
                         are its densities per radian?"
                    ));
                }
            }
        }
        if let Some(wrong) = self.depth_m.filter(|depth_m| !(depth_m.is_finite() && *depth_m > 0.0))
        {
            return Err(format!("a depth of {wrong} m is not possible"));
        }
        let is_wind = |wind: &RecordedWind| {
            (0.0..=120.0).contains(&wind.speed_mps) && wind.towards_deg.is_finite()
        };
        if let Some(wind) = self.wind.filter(|wind| !is_wind(wind)) {
            return Err(format!("a wind of {} m/s is not possible", wind.speed_mps));
        }
        Ok(())
    }

    /// The number of its densities and moments.
    fn numbers(&self) -> usize {
        let count = self.frequencies_hz.len();
        count
            * match &self.directions {
                RecordedDirections::Moments(_) => 6,
                RecordedDirections::Table { towards_rad, .. } => 2 + towards_rad.len(),
            }
    }

    /// The variance m0 in m2, with S(f) linear between its frequencies.
    pub fn variance_m2(&self) -> f64 {
        Self::trapezoid(&self.frequencies_hz, &self.density_m2_per_hz)
    }

    /// The integral of `y` over `x` by the trapezoidal rule.
    pub(crate) fn trapezoid(x: &[f64], y: &[f64]) -> f64 {
        let pieces = x.windows(2).zip(y.windows(2));
        pieces.map(|(x, y)| 0.5 * (x[1] - x[0]) * (y[0] + y[1])).sum()
    }

    /// The means (a1, b1, a2, b2) of cos theta, sin theta, cos 2 theta and sin 2 theta at each frequency.
    pub fn moments(&self) -> Vec<[f64; 4]> {
        (0..self.frequencies_hz.len()).map(|frequency| self.moments_at(frequency)).collect()
    }

    /// The means (a1, b1, a2, b2) of cos theta, sin theta, cos 2 theta and sin 2 theta at the frequency of
    /// index `frequency`.
    pub fn moments_at(&self, frequency: usize) -> [f64; 4] {
        match &self.directions {
            RecordedDirections::Moments(moments) => moments[frequency],
            RecordedDirections::Table { towards_rad, density_per_rad } => {
                RecordedDirections::table_moments(towards_rad, &density_per_rad[frequency])
            }
        }
    }

    /// The significant height, mean direction and spread of the whole spectrum.
    pub fn summary(&self) -> RecordedSummary {
        // The trapezoidal rule, for the variance and its moments alike.
        let count = self.frequencies_hz.len();
        let mut sums = [0.0; 3];
        for index in 0..count {
            let before = self.frequencies_hz[index.saturating_sub(1)];
            let after = self.frequencies_hz[(index + 1).min(count - 1)];
            let variance_m2 = 0.5 * (after - before) * self.density_m2_per_hz[index];
            let [a1, b1, ..] = self.moments_at(index);
            sums[0] += variance_m2;
            sums[1] += variance_m2 * a1;
            sums[2] += variance_m2 * b1;
        }
        let [variance_m2, a1, b1] = sums;
        let r1 = if variance_m2 > 0.0 { a1.hypot(b1) / variance_m2 } else { 0.0 };
        let peak = (0..count)
            .max_by(|&one, &other| {
                self.density_m2_per_hz[one].total_cmp(&self.density_m2_per_hz[other])
            })
            .unwrap_or(0);
        RecordedSummary {
            significant_wave_height_m: 4.0 * variance_m2.sqrt(),
            peak_period_s: self.frequencies_hz[peak].recip(),
            direction_deg: libm::atan2(b1, a1).to_degrees(),
            spread_deg: (2.0 * (1.0 - r1).max(0.0)).sqrt().to_degrees(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Preset, SeaState};

    /// A record of a spectrum every hour, each with its number of the hour in millimetres of wind.
    fn hourly(count: i64) -> RecordedSea {
        let gale = Preset::load("measured-gale").unwrap().sea.recorded.unwrap();
        let spectrum = |hour: i64| RecordedSpectrum {
            time_unix_s: Some(3600 * hour),
            wind: Some(RecordedWind { speed_mps: 1e-3 * hour as f64, towards_deg: 350.0 }),
            ..gale.spectra()[0].clone()
        };
        let spectra = (0..count).map(spectrum).collect();
        RecordedSea::new("hourly".into(), "test".into(), None, spectra).unwrap()
    }

    #[test]
    fn a_long_record_is_limited_around_the_drawn_hour() {
        let record = hourly(3000);
        for hour in [0.0, 1234.5, 2999.0] {
            let mut sea = SeaState { recorded: Some(record.clone().into()), ..Default::default() };
            sea.use_hour(hour);
            let drawn = record.at_hour(hour);
            assert_eq!(sea.limit_record(), Some(3000));
            let limited = sea.recorded.as_ref().unwrap();
            assert!(limited.spectra().len() > 300, "{}", limited.spectra().len());
            assert_eq!(limited.at_hour(sea.record_hour), drawn, "{hour}");
            assert_eq!(limited.lowest_frequency_hz(), record.lowest_frequency_hz());
            assert_eq!(sea.limit_record(), None);
        }
    }

    #[test]
    fn wind_and_time_are_between_those_of_both_spectra() {
        let mut first = hourly(1).spectra()[0].clone();
        let mut last = RecordedSpectrum { time_unix_s: Some(3600), ..first.clone() };
        first.wind = Some(RecordedWind { speed_mps: 10.0, towards_deg: 350.0 });
        last.wind = Some(RecordedWind { speed_mps: 10.0, towards_deg: 10.0 });
        let mixed = first.mixed(&last, 0.5);
        let wind = mixed.wind.unwrap();
        assert!(wind.towards_deg.abs() < 1e-9, "{wind:?}");
        assert!((wind.speed_mps - 10.0 * 10.0_f64.to_radians().cos()).abs() < 1e-9, "{wind:?}");
        assert_eq!(mixed.time_unix_s, Some(1800));
    }

    #[test]
    fn impossible_records_are_refused() {
        let good = hourly(1).spectra()[0].clone();
        let refused = |change: &dyn Fn(&mut RecordedSpectrum), reason: &str| {
            let mut spectrum = good.clone();
            change(&mut spectrum);
            let record = RecordedSea::new("41010".into(), "test".into(), None, vec![spectrum]);
            let error = record.unwrap_err().to_string();
            assert!(error.contains(reason) && error.contains("41010"), "{error}");
        };
        refused(&|spectrum| spectrum.frequencies_hz[3] = 0.01, "do not ascend");
        refused(&|spectrum| spectrum.frequencies_hz[0] = f64::NAN, "not between");
        refused(&|spectrum| spectrum.density_m2_per_hz[0] = -1.0, "not a number from 0");
        refused(&|spectrum| spectrum.density_m2_per_hz[0] = 1e9, "higher than any");
        refused(&|spectrum| spectrum.density_m2_per_hz.truncate(3), "densities stand against");
        refused(&|spectrum| spectrum.depth_m = Some(-3.0), "depth");
        refused(&|spectrum| spectrum.time_unix_s = Some(i64::MAX), "time");
        refused(&|spectrum| spectrum.directions = RecordedDirections::Moments(vec![]), "moments");
        let table = |towards_rad: Vec<f64>, density: f64| {
            move |spectrum: &mut RecordedSpectrum| {
                let row = vec![density; towards_rad.len()];
                let density_per_rad = vec![row; spectrum.frequencies_hz.len()];
                let towards_rad = towards_rad.clone();
                spectrum.directions = RecordedDirections::Table { towards_rad, density_per_rad };
            }
        };
        refused(&table(vec![0.0, 3.0, 2.0], 0.16), "three or more that ascend");
        refused(&table(vec![0.0, 2.0, 4.0], 9.0), "integrates to");
        let none = RecordedSea::new("41010".into(), "test".into(), None, Vec::new());
        assert!(none.unwrap_err().to_string().contains("no spectrum"));
    }
}
