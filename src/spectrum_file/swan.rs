//! SWAN's standard spectral files, one- and two-dimensional, stationary and with times.
//!
//! Two-dimensional: variance (VaDens, m2/Hz/degree) or energy densities (EnDens, J/m2/Hz/degree) over
//! spectral directions, NDIR (compass degrees FROM which waves come) or CDIR (Cartesian degrees
//! TOWARDS which they run, counterclockwise from the x axis). Each location is FACTOR and a matrix with
//! a row per frequency, ZERO, or NODATA. One-dimensional: a row per frequency with the density, the mean
//! direction and the spread DSPRDEGR = sqrt(2 (1 - r1)) in degrees. Energy is divided by rho g with
//! SWAN's 1025 kg/m3 and 9.81 m/s2. Source: SWAN user manual, appendix "Spectrum files, input and
//! output". Times are UTC by custom; the files do not say so.

use super::check::{self, Draft, DraftValues, Notes};
use super::text::{Angles, Lines, Source, civil, parse_time};
use super::*;

/// rho g in N/m3.
const WEIGHT_N_PER_M3: f64 = 1025.0 * 9.81;

/// The most densities of one spectrum, and of all spectra of a file, which may say ZERO in place of each table.
const SPECTRUM_LIMIT: usize = 4_000_000;
const FILE_LIMIT: usize = 16_000_000;

struct Quantity {
    name: String,
    unit: String,
    exception: f64,
}

#[derive(Default)]
struct Header {
    timed: bool,
    spherical: bool,
    /// Coordinates and, where there is one, a name.
    locations: Vec<([f64; 2], String)>,
    frequencies_hz: Vec<f64>,
    /// The app's angles in radians, in the order of the file. One-dimensional files have none.
    directions: Option<Vec<f64>>,
    quantities: Vec<Quantity>,
}

impl Header {
    /// The number of densities of one spectrum.
    fn numbers(&self) -> usize {
        self.frequencies_hz.len() * self.directions.as_ref().map_or(1, Vec::len)
    }
}

pub(super) fn read(
    source: &Source,
    point: Option<&str>,
    notes: &mut Notes,
) -> Result<RecordedSea, SpectrumFileError> {
    let mut lines = source.lines();
    let header = header(&mut lines, notes)?;
    let named = |(i, (_, name)): (usize, &([f64; 2], String))| {
        if name.is_empty() { (i + 1).to_string() } else { name.clone() }
    };
    let names: Vec<String> = header.locations.iter().enumerate().map(named).collect();
    let chosen = match point {
        None => 0,
        Some(point) => {
            let number = point.parse().ok().and_then(|n: usize| n.checked_sub(1));
            let at = names.iter().position(|name| name == point).or(number);
            at.filter(|at| *at < names.len()).ok_or_else(|| {
                let expected = format!("a name or a number from 1 to {}", names.len());
                source.error(
                    0,
                    format!("there is no location \"{point}\""),
                    expected,
                    "Choose another.",
                )
            })?
        }
    };
    if names.len() > 1 {
        let others: Vec<&str> = names.iter().map(String::as_str).take(20).collect();
        let dots = if names.len() > 20 { " ..." } else { "" };
        let text = format!(
            "location {} of {} was read; write {}#NAME for another: {}{dots}",
            names[chosen],
            names.len(),
            source.name,
            others.join(", ")
        );
        notes.add(source, 0, text);
    }

    let mut drafts = Vec::new();
    let mut records = 0;
    let mut numbers = 0;
    loop {
        let mut time_unix_s = None;
        if header.timed {
            let Some(text) = lines.next_filled() else { break };
            let token = text.split_whitespace().next().unwrap_or("");
            time_unix_s = Some(parse_time(token).ok_or_else(|| {
                let problem = format!("\"{token}\" is not a time");
                source.damaged(lines.line, problem, "a time such as 20161011.000000")
            })?);
        } else if records > 0 {
            if lines.next_filled().is_some() {
                let problem = "there is more after the last location";
                return Err(source.damaged(
                    lines.line,
                    problem,
                    "the end of the file, or TIME in the header",
                ));
            }
            break;
        }
        records += 1;
        for location in 0..header.locations.len() {
            let block = block(&mut lines, &header, location, notes)?;
            if location != chosen {
                continue;
            }
            numbers += header.numbers();
            if numbers > FILE_LIMIT {
                let problem = format!("there are more than {FILE_LIMIT} densities up to here");
                return Err(source.damaged(lines.line, problem, "fewer times in one file"));
            }
            match block {
                Some((line, values)) => drafts.push(Draft {
                    line,
                    time_unix_s,
                    wind: None,
                    depth_m: None,
                    frequencies_hz: header.frequencies_hz.clone(),
                    values,
                }),
                None => notes.add(source, lines.line, NODATA_NOTE),
            }
        }
    }
    let ([x, y], name) = header.locations[chosen].clone();
    let stem = source.stem();
    let station = match (name.is_empty(), names.len()) {
        (false, _) => name,
        (true, 1) => stem.to_owned(),
        (true, _) => format!("{stem} {}", chosen + 1),
    };
    let position = header.spherical.then_some([y, x]);
    check::sea(source, station, "SWAN", position, drafts, notes)
}

const NODATA_NOTE: &str = "the location has no data (a dry point): the spectrum was left out";

fn header(lines: &mut Lines<'_>, notes: &mut Notes) -> Result<Header, SpectrumFileError> {
    let source = lines.source;
    let mut header = Header::default();
    lines.require("SWAN")?;
    loop {
        let expected = "TIME, LONLAT or LOCATIONS, AFREQ or RFREQ, NDIR or CDIR, QUANT";
        let text = lines.require(expected)?;
        let keyword_line = lines.line;
        if text.starts_with('$') {
            continue;
        }
        let keyword = text.split_whitespace().next().unwrap_or("").to_ascii_uppercase();
        let count = |lines: &mut Lines<'_>, what: &str| {
            let text = lines.require(what)?;
            source.count(lines.line, text.split_whitespace().next().unwrap_or(""))
        };
        match keyword.as_str() {
            "TIME" => {
                let option = count(lines, "the time coding option")?;
                if option != 1 {
                    let problem = format!("times are coded by option {option}");
                    return Err(source.error(
                        lines.line,
                        problem,
                        "option 1, as in 20161011.000000",
                        "Write the file with option 1.",
                    ));
                }
                header.timed = true;
            }
            "LONLAT" | "LOCATIONS" => {
                header.spherical = keyword == "LONLAT";
                for _ in 0..count(lines, "the number of locations")? {
                    let text = lines.require("two coordinates")?;
                    let mut tokens = text.split_whitespace();
                    let (Some(x), Some(y)) = (tokens.next(), tokens.next()) else {
                        return Err(source.damaged(
                            lines.line,
                            "a coordinate is missing",
                            "two coordinates",
                        ));
                    };
                    let position = [source.number(lines.line, x)?, source.number(lines.line, y)?];
                    let name: Vec<&str> = tokens.collect();
                    header.locations.push((position, name.join(" ").trim_matches('\'').into()));
                }
            }
            "AFREQ" | "RFREQ" => {
                if keyword == "RFREQ" {
                    notes.add(
                        source,
                        keyword_line,
                        "the frequencies are relative to the current, and were taken as absolute",
                    );
                }
                for _ in 0..count(lines, "the number of frequencies")? {
                    let text = lines.require("a frequency")?;
                    let token = text.split_whitespace().next().unwrap_or("");
                    header.frequencies_hz.push(source.number(lines.line, token)?);
                }
            }
            "NDIR" | "CDIR" => {
                let nautical = keyword == "NDIR";
                if !nautical && !header.spherical {
                    let note =
                        "directions count from the x axis of the model's grid, taken as east";
                    notes.add(source, keyword_line, note);
                }
                let angles =
                    if nautical { Angles::FROM_COMPASS } else { Angles::TOWARDS_CARTESIAN };
                let mut directions = Vec::new();
                for _ in 0..count(lines, "the number of directions")? {
                    let text = lines.require("a direction")?;
                    let token = text.split_whitespace().next().unwrap_or("");
                    let direction = source.number(lines.line, token)?;
                    directions.push(angles.checked(source, lines.line, direction)?);
                }
                header.directions = Some(directions);
            }
            "QUANT" => {
                for _ in 0..count(lines, "the number of quantities")? {
                    let first = |lines: &mut Lines<'_>, what: &str| {
                        lines
                            .require(what)
                            .map(|text| text.split_whitespace().next().unwrap_or("").to_owned())
                    };
                    let name = first(lines, "a quantity's name")?;
                    let unit = first(lines, "a quantity's unit")?;
                    let exception = first(lines, "a quantity's exception value")?;
                    let exception = source.number(lines.line, &exception)?;
                    header.quantities.push(Quantity { name, unit, exception });
                }
                break;
            }
            _ => {
                let problem = format!("\"{keyword}\" is no part of the header");
                return Err(source.damaged(keyword_line, problem, expected));
            }
        }
    }
    for (empty, what) in [
        (header.locations.is_empty(), "LONLAT or LOCATIONS"),
        (header.frequencies_hz.is_empty(), "AFREQ or RFREQ"),
    ] {
        if empty {
            return Err(source.damaged(
                lines.line,
                format!("{what} is missing from the header"),
                what,
            ));
        }
    }
    if header.numbers() > SPECTRUM_LIMIT {
        let directions = header.directions.as_ref().map_or(0, Vec::len);
        let problem = format!(
            "{} frequencies x {directions} directions are too many",
            header.frequencies_hz.len()
        );
        return Err(source.damaged(
            lines.line,
            problem,
            format!("at most {SPECTRUM_LIMIT} densities of a spectrum"),
        ));
    }
    Ok(header)
}

/// The factor to m2/Hz per radian, or to m2/Hz without directions.
fn density_factor(
    source: &Source,
    line: usize,
    quantity: &Quantity,
    per_direction: bool,
) -> Result<f64, SpectrumFileError> {
    let unit = quantity.unit.to_ascii_lowercase();
    let (energy, rest) = match (unit.strip_prefix("m2/hz"), unit.strip_prefix("j/m2/hz")) {
        (Some(rest), _) => (1.0, rest),
        (_, Some(rest)) => (1.0 / WEIGHT_N_PER_M3, rest),
        _ => (f64::NAN, ""),
    };
    let named = match quantity.name.to_ascii_lowercase().as_str() {
        "vadens" => energy == 1.0,
        "endens" => energy < 1.0,
        _ => false,
    };
    let angular = match rest {
        "" if !per_direction => Some(1.0),
        "/degr" | "/deg" if per_direction => Some(1_f64.to_degrees()),
        "/rad" if per_direction => Some(1.0),
        _ => None,
    };
    angular.filter(|_| named).map(|angular| angular * energy).ok_or_else(|| {
        let problem = format!("the quantity is {} in {}", quantity.name, quantity.unit);
        let expected = "VaDens in m2/Hz/degr or EnDens in J/m2/Hz/degr (without /degr in files without directions)";
        source.error(line, problem, expected, "Write the file with one of these quantities.")
    })
}

/// One location's block, or None where it has no data.
fn block(
    lines: &mut Lines<'_>,
    header: &Header,
    location: usize,
    notes: &mut Notes,
) -> Result<Option<(usize, DraftValues)>, SpectrumFileError> {
    let source = lines.source;
    let quantity = &header.quantities[0];
    let frequencies = header.frequencies_hz.len();
    let factor = density_factor(source, lines.line, quantity, header.directions.is_some())?;
    let text = lines.require("FACTOR, ZERO, NODATA or LOCATION")?;
    let line = lines.line;
    let keyword = text.split_whitespace().next().unwrap_or("").to_ascii_uppercase();
    let zero_table = |angles: &Vec<f64>| {
        DraftValues::Table(angles.clone(), vec![vec![0.0; angles.len()]; frequencies])
    };
    match (keyword.as_str(), &header.directions) {
        ("NODATA", _) => Ok(None),
        ("ZERO", Some(angles)) => Ok(Some((line, zero_table(angles)))),
        ("ZERO", None) => {
            Ok(Some((line, DraftValues::Moments(vec![0.0; frequencies], vec![None; frequencies]))))
        }
        ("FACTOR", Some(angles)) => {
            let text = lines.require("the factor")?;
            let scale = source.number(lines.line, text.split_whitespace().next().unwrap_or(""))?;
            if scale < 0.0 {
                return Err(source.damaged(
                    lines.line,
                    format!("the factor is {scale}"),
                    "at least 0",
                ));
            }
            let mut rows = Vec::new();
            let mut missing = false;
            for _ in 0..frequencies {
                let row = lines.numbers(angles.len(), "densities of a frequency")?;
                missing |= row.contains(&quantity.exception);
                if let Some(value) =
                    row.iter().find(|value| **value < 0.0 && **value != quantity.exception)
                {
                    return Err(source.damaged(
                        lines.line,
                        format!("the density is {value}"),
                        "at least 0",
                    ));
                }
                rows.push(row.iter().map(|value| value * scale * factor).collect());
            }
            Ok((!missing).then_some((line, DraftValues::Table(angles.clone(), rows))))
        }
        ("LOCATION", None) => one_dimensional(lines, header, factor, line, location, notes),
        _ => {
            let expected = match &header.directions {
                Some(_) => "FACTOR, ZERO or NODATA",
                None => "LOCATION, ZERO or NODATA",
            };
            let shown: String = text.chars().take(40).collect();
            Err(source.damaged(line, format!("\"{shown}\" does not begin a spectrum"), expected))
        }
    }
}

/// Density, mean direction and spread of each frequency.
fn one_dimensional(
    lines: &mut Lines<'_>,
    header: &Header,
    factor: f64,
    line: usize,
    location: usize,
    notes: &mut Notes,
) -> Result<Option<(usize, DraftValues)>, SpectrumFileError> {
    let source = lines.source;
    let column =
        |wanted: &str| header.quantities.iter().position(|q| q.name.eq_ignore_ascii_case(wanted));
    let direction = column("NDIR").map(|i| (i, Angles::FROM_COMPASS));
    let direction = direction.or(column("CDIR").map(|i| (i, Angles::TOWARDS_CARTESIAN)));
    let (Some((direction, angles)), Some(spread)) = (direction, column("DSPRDEGR")) else {
        return Err(source.error(
            line,
            "the spectra have no directions",
            "two-dimensional spectra, or NDIR or CDIR with DSPRDEGR",
            "Write the file with SPECOUT ... SPEC2D.",
        ));
    };
    let (mut density, mut moments) = (Vec::new(), Vec::new());
    for _ in 0..header.frequencies_hz.len() {
        let row = lines.numbers(header.quantities.len(), "quantities of a frequency")?;
        let known =
            |i: usize| Some(row[i]).filter(|value| *value != header.quantities[i].exception);
        // Without energy SWAN writes exception values throughout.
        density.push(factor * known(0).unwrap_or(0.0));
        moments.push(match (known(direction), known(spread)) {
            (Some(direction), Some(spread)) => {
                if !(0.0..=90.0).contains(&spread) {
                    return Err(source.damaged(
                        lines.line,
                        format!("the spread is {spread}"),
                        "0 to 81.03 degrees",
                    ));
                }
                let towards = angles.checked(source, lines.line, direction)?;
                Some(check::moments_of_spread(towards, spread))
            }
            _ => None,
        });
    }
    if location == 0 {
        notes.add(source, line, check::SPREAD_NOTE);
    }
    Ok(Some((line, DraftValues::Moments(density, moments))))
}

/// Writes a two-dimensional file with NDIR and six digits of the largest density.
pub(super) fn write(sea: &RecordedSea) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for (suffix, run) in runs_of_equal_axes(sea) {
        let timed = run.iter().any(|spectrum| spectrum.time_unix_s.is_some());
        let mut text = format!(
            "{:40}Swan standard spectral file, version\n$   Written by Seaway\n",
            "SWAN   1"
        );
        let entry = |text: &mut String, what: &str, meaning: &str| {
            *text += &format!("{what:40}{meaning}\n")
        };
        if timed {
            entry(&mut text, "TIME", "time-dependent data");
            entry(&mut text, "     1", "time coding option");
        }
        let [latitude, longitude] = sea.position_deg().unwrap_or([0.0; 2]);
        entry(&mut text, "LONLAT", "locations in spherical coordinates");
        entry(&mut text, "     1", "number of locations");
        text += &format!("  {longitude:.6}  {latitude:.6}\n");
        for (i, spectrum) in run.iter().enumerate() {
            let (towards, rows) = table_of(spectrum);
            if i == 0 {
                entry(&mut text, "AFREQ", "absolute frequencies in Hz");
                entry(
                    &mut text,
                    &format!("{:6}", spectrum.frequencies_hz.len()),
                    "number of frequencies",
                );
                for f in &spectrum.frequencies_hz {
                    text += &format!("{f:>13.7}\n");
                }
                entry(&mut text, "NDIR", "spectral nautical directions in degr");
                entry(&mut text, &format!("{:6}", towards.len()), "number of directions");
                for angle in &towards {
                    text += &format!("{:>11.4}\n", Angles::FROM_COMPASS.file_deg(*angle));
                }
                text += "QUANT\n";
                entry(&mut text, "     1", "number of quantities in table");
                entry(&mut text, "VaDens", "variance densities in m2/Hz/degr");
                entry(&mut text, "m2/Hz/degr", "unit");
                entry(&mut text, "   -99", "exception value");
            }
            if timed {
                let [year, month, day, hour, minute, second] =
                    civil(spectrum.time_unix_s.unwrap_or(0));
                let time = format!("{year:04}{month:02}{day:02}.{hour:02}{minute:02}{second:02}");
                entry(&mut text, &time, "date and time");
            }
            let rows: Vec<Vec<f64>> = rows
                .iter()
                .zip(&spectrum.density_m2_per_hz)
                .map(|(row, density)| {
                    row.iter().map(|part| part * density * 1_f64.to_radians()).collect()
                })
                .collect();
            let largest = rows.iter().flatten().copied().fold(0.0, f64::max);
            if largest <= 0.0 {
                text += "ZERO\n";
                continue;
            }
            // The factor as it is read back, so that its rounding adds no error.
            let factor = format!("{:.8E}", largest / 999_998.0);
            let scale: f64 = factor.parse().unwrap_or(1.0);
            text += &format!("FACTOR\n    {factor}\n");
            for row in rows {
                for value in row {
                    text += &format!(" {:6.0}", value / scale);
                }
                text.push('\n');
            }
        }
        files.push((format!("{}{suffix}.spec", file_stem(sea)), text.into()));
    }
    files
}
