//! Spectra of Sofar's Spotter buoys: the CSV download of its dashboard and the JSON of its API.
//!
//! Density is varianceDensity in m2/Hz. a1, b1, a2, b2 are means of cos and sin of the Cartesian angle
//! TOWARDS which waves run (x east, y north), which is how `direction` = 270 - atan2(b1, a1) comes to be
//! the compass direction FROM which they come; directionalSpread = sqrt(2 (1 - r1)). Wind directions are
//! compass degrees FROM. Source: Sofar Ocean, Spotter technical reference manual and
//! docs.sofarocean.com/spotter-and-smart-mooring/spotter-data/wave-data; the relation of a1, b1 and
//! `direction` is checked in every file. Times are UTC.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::check::{self, Draft, DraftValues, Notes};
use super::text::{Angles, Source, iso_time, parse_time};
use super::*;

/// The quantities of each frequency, in the order of Sofar's columns.
const COLUMNS: [&str; 9] =
    ["f", "df", "a1", "b1", "a2", "b2", "varianceDensity", "direction", "directionalSpread"];

/// The quantities of each frequency as they stand in a file.
#[derive(Default)]
struct Columns {
    frequencies_hz: Vec<f64>,
    density: Vec<Option<f64>>,
    /// a1, b1, a2, b2.
    moments: [Vec<Option<f64>>; 4],
    from_deg: Vec<Option<f64>>,
    spread_deg: Vec<Option<f64>>,
}

impl Columns {
    /// Density and moments for a draft, or None where densities are missing.
    fn values(
        self,
        source: &Source,
        line: usize,
        notes: &mut Notes,
    ) -> Result<Option<DraftValues>, SpectrumFileError> {
        let n = self.frequencies_hz.len();
        let at = |values: &Vec<Option<f64>>, i: usize| values.get(i).copied().flatten();
        let (mut compared, mut contradicting) = (0, 0);
        let mut moments = Vec::with_capacity(n);
        for i in 0..n {
            let known = [0, 1, 2, 3].map(|k| at(&self.moments[k], i));
            let from_deg = at(&self.from_deg, i);
            if let Some(from_deg) = from_deg {
                Angles::FROM_COMPASS.checked(source, line, from_deg)?;
            }
            moments.push(match (known, from_deg, at(&self.spread_deg, i)) {
                ([Some(a1), Some(b1), Some(a2), Some(b2)], ..) => {
                    if let Some(from_deg) = from_deg.filter(|_| a1.hypot(b1) > 0.05) {
                        let difference = 270.0 - b1.atan2(a1).to_degrees() - from_deg;
                        compared += 1;
                        contradicting +=
                            usize::from((5.0..355.0).contains(&difference.rem_euclid(360.0)));
                    }
                    Some(Angles::TOWARDS_CARTESIAN.app_moments([a1, b1, a2, b2]))
                }
                (_, Some(from_deg), Some(spread_deg)) if self.moments.iter().all(Vec::is_empty) => {
                    if i == 0 {
                        notes.add(source, line, check::SPREAD_NOTE);
                    }
                    let towards = Angles::FROM_COMPASS.app_rad(from_deg);
                    Some(check::moments_of_spread(towards, spread_deg))
                }
                _ => None,
            });
        }
        if 2 * contradicting > compared {
            let problem = format!(
                "direction contradicts a1 and b1 at {contradicting} of {compared} frequencies"
            );
            let expected = "direction = 270 degrees - atan2(b1, a1)";
            return Err(source.error(
                line,
                problem,
                expected,
                "Check that columns have not been swapped or turned.",
            ));
        }
        let density: Option<Vec<f64>> = (0..n).map(|i| at(&self.density, i)).collect();
        if density.is_none() {
            notes.add(source, line, "a density is missing: the spectrum was left out");
        }
        Ok(density.map(|density| DraftValues::Moments(density, moments)))
    }
}

pub(super) fn read_csv(
    source: &Source,
    notes: &mut Notes,
) -> Result<RecordedSea, SpectrumFileError> {
    let mut lines = source.lines();
    let header = lines.require("a header")?;
    let cells = |text: &str| -> Vec<String> {
        text.split(',').map(|cell| cell.trim().trim_matches('"').trim().to_owned()).collect()
    };
    let names: Vec<String> = cells(header)
        .iter()
        .map(|name| name.split('(').next().unwrap_or("").trim().to_owned())
        .collect();
    let mut columns = HashMap::new();
    for (i, name) in names.iter().enumerate() {
        if columns.insert(name.as_str(), i).is_some() && !name.is_empty() {
            return Err(source.damaged(
                1,
                format!("the column {name} occurs twice"),
                "each column once",
            ));
        }
    }
    let count = |what: &str| {
        (0..).take_while(|i| columns.contains_key(format!("{what}_{i}").as_str())).count()
    };
    let n = count("varianceDensity");
    for required in ["f", "a1", "b1", "a2", "b2"] {
        let found = count(required);
        if n == 0 || found != n {
            let problem = format!(
                "there are {n} columns varianceDensity_0, ... and {found} columns {required}_0, ..."
            );
            return Err(source.error(
                1,
                problem,
                "as many of each, and at least 2",
                "Download the file with wave spectra included.",
            ));
        }
    }
    let mut position = None;
    let mut drafts = Vec::new();
    while let Some(text) = lines.next_filled() {
        let line = lines.line;
        let row = cells(text);
        if row.len() != names.len() {
            return Err(source.damaged(
                line,
                format!("the row has {} cells", row.len()),
                format!("{}", names.len()),
            ));
        }
        let value = |name: &str| -> Result<Option<f64>, SpectrumFileError> {
            let cell = columns.get(name).map_or("", |i| row[*i].as_str());
            if cell.is_empty() || cell == "-" {
                Ok(None)
            } else {
                source.number(line, cell).map(Some)
            }
        };
        let all = |what: &str| {
            (0..n).map(|i| value(&format!("{what}_{i}"))).collect::<Result<Vec<_>, _>>()
        };
        let Some(time) = value("Epoch Time")? else {
            return Err(source.damaged(line, "Epoch Time is missing", "seconds since 1970"));
        };
        // From the first GPS satellites to the year 2100, or 0 where `write_csv` had no time.
        if time != 0.0 && !(2.5e8..4.1e9).contains(&time) {
            return Err(source.damaged(
                line,
                format!("Epoch Time is {time}"),
                "seconds since 1970",
            ));
        }
        let Some(frequencies_hz) = all("f")?.into_iter().collect::<Option<Vec<f64>>>() else {
            notes.add(source, line, "a frequency is missing: the spectrum was left out");
            continue;
        };
        let read = Columns {
            frequencies_hz: frequencies_hz.clone(),
            density: all("varianceDensity")?,
            moments: [all("a1")?, all("b1")?, all("a2")?, all("b2")?],
            from_deg: all("direction")?,
            spread_deg: Vec::new(),
        };
        let Some(values) = read.values(source, line, notes)? else { continue };
        if let (Some(latitude), Some(longitude)) = (value("Latitude")?, value("Longitude")?) {
            position.get_or_insert([latitude, longitude]);
        }
        let wind = value("Wind Speed")?.zip(value("Wind Direction")?);
        drafts.push(Draft {
            line,
            time_unix_s: Some(time as i64),
            wind: wind.map(|(speed, from)| Angles::FROM_COMPASS.wind(speed, from)),
            depth_m: None,
            frequencies_hz,
            values,
        });
    }
    check::sea(source, source.stem().to_owned(), "Spotter CSV", position, drafts, notes)
}

pub(super) fn read_json(
    source: &Source,
    value: &Value,
    notes: &mut Notes,
) -> Result<RecordedSea, SpectrumFileError> {
    let data = value.get("data").unwrap_or(value);
    let Some(records) = data.get("frequencyData").and_then(Value::as_array) else {
        let expected = "data.frequencyData (Spotter), or spectra (a RecordedSea of Seaway)";
        return Err(source.error(
            0,
            "the JSON holds no known spectra",
            expected,
            "Ask Sofar's API for includeFrequencyData=true&includeDirectionalMoments=true.",
        ));
    };
    let wind_at: HashMap<&str, &Value> = ["wind", "waves"]
        .into_iter()
        .filter_map(|key| data.get(key)?.as_array())
        .flatten()
        .filter_map(|entry| Some((entry.get("timestamp")?.as_str()?, entry)))
        .filter(|(_, entry)| entry.get("windSpeed").or(entry.get("speed")).is_some())
        .collect();
    let mut position = None;
    let mut drafts = Vec::new();
    for (i, record) in records.iter().enumerate() {
        let place = format!("frequencyData[{i}]");
        let all = |what: &str| -> Result<Vec<Option<f64>>, SpectrumFileError> {
            let Some(values) = record.get(what).filter(|values| !values.is_null()) else {
                return Ok(Vec::new());
            };
            let wrong =
                || source.damaged(0, format!("{place}.{what} is no list of numbers"), "numbers");
            let number = |value: &Value| match value {
                Value::Null => Ok(None),
                value => value.as_f64().map(Some).ok_or_else(wrong),
            };
            values.as_array().ok_or_else(wrong)?.iter().map(number).collect()
        };
        let stamp = record.get("timestamp").and_then(Value::as_str).unwrap_or("");
        let Some(time) = parse_time(stamp) else {
            let problem = format!("{place}.timestamp \"{stamp}\" is not a time");
            return Err(source.damaged(0, problem, "a time such as 2018-02-14T01:27:19.000Z"));
        };
        let read = Columns {
            frequencies_hz: all("frequency")?
                .into_iter()
                .collect::<Option<Vec<f64>>>()
                .unwrap_or_default(),
            density: all("varianceDensity")?,
            moments: [all("a1")?, all("b1")?, all("a2")?, all("b2")?],
            from_deg: all("direction")?,
            spread_deg: all("directionalSpread")?,
        };
        let n = read.frequencies_hz.len();
        let wrong = |list: &Vec<Option<f64>>| !list.is_empty() && list.len() != n;
        let uneven =
            wrong(&read.from_deg) || wrong(&read.spread_deg) || read.moments.iter().any(wrong);
        if n < 2 || read.density.len() != n || uneven {
            let problem =
                format!("the lists of {place} have different lengths, or numbers are missing");
            return Err(source.damaged(
                0,
                problem,
                "as many values as frequencies, and at least 2",
            ));
        }
        let frequencies_hz = read.frequencies_hz.clone();
        let Some(values) = read.values(source, 0, notes)? else { continue };
        let number = |key: &str| record.get(key).and_then(Value::as_f64);
        if let (Some(latitude), Some(longitude)) = (number("latitude"), number("longitude")) {
            position.get_or_insert([latitude, longitude]);
        }
        let wind = wind_at.get(stamp).and_then(|entry| {
            let either = |a: &str, b: &str| entry.get(a).or(entry.get(b)).and_then(Value::as_f64);
            let (speed, from) =
                (either("windSpeed", "speed")?, either("windDirection", "direction")?);
            Some(Angles::FROM_COMPASS.wind(speed, from))
        });
        drafts.push(Draft {
            line: 0,
            time_unix_s: Some(time),
            wind,
            depth_m: None,
            frequencies_hz,
            values,
        });
    }
    let station = data.get("spotterId").and_then(Value::as_str).unwrap_or("Spotter").to_owned();
    check::sea(source, station, "Spotter JSON", position, drafts, notes)
}

/// The columns of a spectrum in the order of [`COLUMNS`].
fn columns_of(spectrum: &RecordedSpectrum) -> [Vec<f64>; 9] {
    let f = &spectrum.frequencies_hz;
    let n = f.len();
    let width = |i: usize| match (i.checked_sub(1), i + 1 < n) {
        (Some(below), true) => 0.5 * (f[i + 1] - f[below]),
        (Some(below), false) => f[i] - f[below],
        (None, _) => f.get(1).map_or(0.0, |next| next - f[0]),
    };
    let moments: Vec<[f64; 4]> =
        spectrum.moments().into_iter().map(|m| Angles::TOWARDS_CARTESIAN.file_moments(m)).collect();
    let column = |k: usize| moments.iter().map(|m| m[k]).collect();
    let from = |m: &[f64; 4]| (270.0 - m[1].atan2(m[0]).to_degrees()).rem_euclid(360.0);
    let spread = |m: &[f64; 4]| (2.0 * (1.0 - m[0].hypot(m[1])).max(0.0)).sqrt().to_degrees();
    [
        f.clone(),
        (0..n).map(width).collect(),
        column(0),
        column(1),
        column(2),
        column(3),
        spectrum.density_m2_per_hz.clone(),
        moments.iter().map(from).collect(),
        moments.iter().map(spread).collect(),
    ]
}

/// Wind speed and the compass direction from which it blows.
fn wind_from(wind: &RecordedWind) -> (f64, f64) {
    (wind.speed_mps, Angles::FROM_COMPASS.file_deg(wind.towards_deg.to_radians()))
}

/// Writes all digits.
pub(super) fn write_csv(sea: &RecordedSea) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for (suffix, run) in runs_of_equal_axes(sea) {
        let mut text =
            String::from("Epoch Time,Significant Wave Height (m),Latitude (deg),Longitude (deg)");
        for column in COLUMNS {
            (0..run[0].frequencies_hz.len()).for_each(|i| text += &format!(",{column}_{i}"));
        }
        text += ",Wind Speed (m/s),Wind Direction (deg)\n";
        for spectrum in run {
            text += &format!(
                "{},{:.3}",
                spectrum.time_unix_s.unwrap_or(0),
                spectrum.summary().significant_wave_height_m
            );
            match sea.position_deg() {
                Some([latitude, longitude]) => text += &format!(",{latitude},{longitude}"),
                None => text += ",,",
            }
            columns_of(spectrum).iter().flatten().for_each(|value| text += &format!(",{value}"));
            match spectrum.wind.as_ref().map(wind_from) {
                Some((speed, from)) => text += &format!(",{speed},{from}\n"),
                None => text += ",,\n",
            }
        }
        files.push((format!("{}{suffix}.csv", file_stem(sea)), text.into()));
    }
    files
}

pub(super) fn write_json(sea: &RecordedSea) -> Vec<(String, Vec<u8>)> {
    let (mut waves, mut winds, mut records) = (Vec::new(), Vec::new(), Vec::new());
    for spectrum in sea.spectra() {
        let mut record = Map::new();
        let stamp = iso_time(spectrum.time_unix_s.unwrap_or(0)).replace('Z', ".000Z");
        let placed = |mut entry: Map<String, Value>| {
            if let Some([latitude, longitude]) = sea.position_deg() {
                entry.insert("latitude".into(), latitude.into());
                entry.insert("longitude".into(), longitude.into());
            }
            entry.insert("timestamp".into(), stamp.clone().into());
            Value::Object(entry)
        };
        for (name, values) in COLUMNS.into_iter().zip(columns_of(spectrum)) {
            record.insert(if name == "f" { "frequency" } else { name }.into(), values.into());
        }
        records.push(placed(record));
        let height = (
            "significantWaveHeight".to_owned(),
            spectrum.summary().significant_wave_height_m.into(),
        );
        waves.push(placed(Map::from_iter([height])));
        if let Some((speed, from)) = spectrum.wind.as_ref().map(wind_from) {
            let entry = [("speed".to_owned(), speed.into()), ("direction".to_owned(), from.into())];
            winds.push(placed(Map::from_iter(entry)));
        }
    }
    let data = json!({ "data": { "spotterId": sea.station(), "waves": waves, "wind": winds, "frequencyData": records } });
    vec![(format!("{}-spotter.json", file_stem(sea)), data.to_string().into())]
}
