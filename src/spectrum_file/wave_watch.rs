//! Formatted station spectra of WAVEWATCH III (`ww3_outp`, transfer files).
//!
//! A header with the numbers of frequencies, directions and points; frequencies in Hz; directions in
//! radians, compass, TOWARDS which waves run (the model writes 5/2 pi minus its Cartesian direction),
//! descending from east; for each time and point the name, latitude, longitude, depth in m, wind speed in
//! m/s and compass direction FROM which it blows (270 minus the Cartesian one), current, and
//! S(f, theta) in m2/Hz/rad, frequencies fastest. Source: WAVEWATCH III manual, section on point output;
//! `ww3_outp.F90`. Times are UTC.

use std::f64::consts::TAU;

use super::check::{self, Draft, DraftValues, Notes};
use super::text::{Angles, Source, civil, parse_time};
use super::*;

/// Directions have three digits, so those from 1 rad up are off by up to this many radians.
const DIRECTION_ROUNDING_RAD: f64 = 0.0055;

pub(super) fn read(
    source: &Source,
    point: Option<&str>,
    notes: &mut Notes,
) -> Result<RecordedSea, SpectrumFileError> {
    let mut lines = source.lines();
    let header = lines.require("a header")?;
    let quote = if header.starts_with('"') { '"' } else { '\'' };
    let counts: Vec<&str> =
        header.split(quote).nth(2).unwrap_or("").split_whitespace().take(3).collect();
    let [frequencies, directions, points] = counts[..] else {
        let expected = "'WAVEWATCH III SPECTRA' and the numbers of frequencies, directions, points";
        return Err(source.damaged(lines.line, "the header is incomplete", expected));
    };
    let frequency_count = source.count(lines.line, frequencies)?;
    let direction_count = source.count(lines.line, directions)?;
    let point_count = source.count(lines.line, points)?;
    let frequencies_hz = lines.numbers(frequency_count, "frequencies")?;
    let directions_rad = lines.numbers(direction_count, "directions")?;
    let line = lines.line;
    let mut angles = Vec::with_capacity(directions_rad.len());
    for direction in directions_rad {
        if !(-TAU..=2.0 * TAU).contains(&direction) {
            let problem = format!("the direction {direction} is out of range");
            return Err(source.error(
                line,
                problem,
                "radians, mostly 0 to 6.28",
                "Check the unit of the directions.",
            ));
        }
        angles.push(Angles::TOWARDS_COMPASS.app_rad(direction.to_degrees()));
    }
    snap_to_even_spacing(&mut angles);

    let mut chosen: Option<String> = None;
    let mut station = None;
    let mut others: Vec<String> = Vec::new();
    let mut drafts = Vec::new();
    while let Some(text) = lines.next_filled() {
        let line = lines.line;
        let time = parse_time(text).ok_or_else(|| {
            source.damaged(
                line,
                format!("\"{}\" is not a time", shown(text)),
                "a time such as 20200608 035000",
            )
        })?;
        let mut found = false;
        for _ in 0..point_count {
            let text = lines.require("a point's name, position, depth, wind and current")?;
            let line = lines.line;
            let mut parts = text.splitn(3, quote);
            let (Some(""), Some(name), Some(rest)) = (parts.next(), parts.next(), parts.next())
            else {
                let expected =
                    "a point's name in quotes, then its position, depth, wind and current";
                return Err(source.damaged(
                    line,
                    format!("\"{}\" is not a point", shown(text)),
                    expected,
                ));
            };
            let name = name.trim().to_owned();
            let values = point_values(source, line, rest)?;
            let numbers =
                lines.numbers(frequency_count.saturating_mul(direction_count), "densities")?;
            let wanted = chosen.as_deref().or(point).is_none_or(|wanted| wanted == name);
            if !wanted || found {
                if !others.contains(&name) {
                    others.push(name);
                }
                continue;
            }
            found = true;
            chosen = Some(name.clone());
            let [latitude, longitude, depth_m, wind_mps, wind_from_deg] = values;
            station.get_or_insert((name, [latitude, longitude]));
            Angles::FROM_COMPASS.checked(source, line, wind_from_deg)?;
            let row = |f: usize| numbers.iter().skip(f).step_by(frequency_count).copied().collect();
            drafts.push(Draft {
                line,
                time_unix_s: Some(time),
                wind: Some(Angles::FROM_COMPASS.wind(wind_mps, wind_from_deg)),
                depth_m: Some(depth_m),
                frequencies_hz: frequencies_hz.clone(),
                values: DraftValues::Table(angles.clone(), (0..frequency_count).map(row).collect()),
            });
        }
    }
    let Some((name, position_deg)) = station else {
        let (problem, expected) = match point {
            Some(point) if !others.is_empty() => (
                format!("there is not a point \"{point}\""),
                format!("one of {}", others.join(", ")),
            ),
            _ => ("there are no spectra after the header".into(), "a time and a point".into()),
        };
        return Err(source.damaged(lines.line, problem, expected));
    };
    others.retain(|other| *other != name);
    if !others.is_empty() {
        let text = format!(
            "point {name} was read; write {}#NAME for another: {}",
            source.name,
            others.join(", ")
        );
        notes.add(source, 0, text);
    }
    check::sea(source, name, "WAVEWATCH III", Some(position_deg), drafts, notes)
}

fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Latitude, longitude, depth, wind speed and direction. Fortran's fixed columns leave no blank before
/// a minus sign (`40.98-171.12`).
fn point_values(source: &Source, line: usize, rest: &str) -> Result<[f64; 5], SpectrumFileError> {
    let mut spaced = String::with_capacity(rest.len() + 4);
    for c in rest.chars() {
        if c == '-' && spaced.ends_with(|last: char| last.is_ascii_digit() || last == '.') {
            spaced.push(' ');
        }
        spaced.push(c);
    }
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    if tokens.len() < 5 {
        let expected =
            "latitude, longitude, depth, wind speed, wind direction, current, its direction";
        return Err(source.damaged(
            line,
            format!("the point has {} numbers", tokens.len()),
            expected,
        ));
    }
    let mut values = [0.0; 5];
    for (value, token) in values.iter_mut().zip(tokens) {
        *value = source.number(line, token)?;
    }
    Ok(values)
}

/// The model's directions are evenly spaced. Rounded ones make the weights of a trapezoid sum wrong by
/// some percent, so they are put back where that is within their rounding.
fn snap_to_even_spacing(angles: &mut [f64]) {
    let n = angles.len() as f64;
    let [sin, cos] = angles.iter().fold([0.0; 2], |[sin, cos], angle| {
        let (s, c) = (n * angle).sin_cos();
        [sin + s, cos + c]
    });
    let offset = sin.atan2(cos) / n;
    let step = TAU / n;
    let even = |angle: f64| offset + step * ((angle - offset) / step).round();
    if angles.iter().all(|angle| (even(*angle) - angle).abs() <= DIRECTION_ROUNDING_RAD) {
        angles.iter_mut().for_each(|angle| {
            let turned = even(*angle).rem_euclid(TAU);
            *angle = if turned >= TAU { 0.0 } else { turned };
        });
    }
}

/// Writes a file with eight digits where the model writes three.
pub(super) fn write(sea: &RecordedSea) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let name: String = sea.station().chars().filter(|c| *c != '\'').take(10).collect();
    for (suffix, run) in runs_of_equal_axes(sea) {
        let mut text = String::new();
        for (i, spectrum) in run.iter().enumerate() {
            let (towards, mut rows) = table_of(spectrum);
            // From east, descending as compass degrees, as the model has them.
            let order: Vec<usize> = (0..towards.len()).rev().collect();
            let frequencies = &spectrum.frequencies_hz;
            if i == 0 {
                text = format!(
                    "'WAVEWATCH III SPECTRA' {:6}{:6}{:6} 'spectral resolution for points'\n",
                    frequencies.len(),
                    towards.len(),
                    1
                );
                push_numbers(&mut text, frequencies.iter().copied());
                let directions = order
                    .iter()
                    .map(|i| Angles::TOWARDS_COMPASS.file_deg(towards[*i]).to_radians());
                push_numbers(&mut text, directions);
            }
            for (row, density) in rows.iter_mut().zip(&spectrum.density_m2_per_hz) {
                row.iter_mut().for_each(|part| *part *= density);
            }
            let [year, month, day, hour, minute, second] = civil(spectrum.time_unix_s.unwrap_or(0));
            let [latitude, longitude] = sea.position_deg().unwrap_or([0.0; 2]);
            let wind = spectrum.wind.unwrap_or(RecordedWind { speed_mps: 0.0, towards_deg: 0.0 });
            let wind_from = Angles::FROM_COMPASS.file_deg(wind.towards_deg.to_radians());
            text += &format!(
                "{year:04}{month:02}{day:02} {hour:02}{minute:02}{second:02}\n\
                 '{name:10}' {latitude:8.3} {longitude:8.3} {:9.1} {:6.2} {wind_from:6.1}   0.00   0.0\n",
                spectrum.depth_m.unwrap_or(9_999.0),
                wind.speed_mps,
            );
            push_numbers(&mut text, order.iter().flat_map(|i| rows.iter().map(|row| row[*i])));
        }
        files.push((format!("{}{suffix}.spec", file_stem(sea)), text.into()));
    }
    files
}

/// Appends numbers, seven a line. Those too small for a float of the model are zero.
fn push_numbers(text: &mut String, numbers: impl Iterator<Item = f64>) {
    for (i, number) in numbers.enumerate() {
        let number = if number.abs() < 1e-37 { 0.0 } else { number };
        let (mantissa, exponent) = match format!("{number:.7E}").split_once('E') {
            Some((mantissa, exponent)) => {
                (mantissa.to_owned(), exponent.parse::<i32>().unwrap_or(0))
            }
            None => (number.to_string(), 0),
        };
        text.push(if i > 0 && i % 7 == 0 { '\n' } else { ' ' });
        *text +=
            &format!(" {mantissa}E{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
    }
    text.push('\n');
}
