//! The five files of a buoy of the US National Data Buoy Center.
//!
//! `.data_spec` (archive: w) has S(f) in m2/Hz; `.swdir` (d) and `.swdir2` (i) alpha1 and alpha2 in
//! compass degrees FROM which waves come; `.swr1` (j) and `.swr2` (k) r1 and r2, in hundredths in the
//! archive. D(f, A) = (1/pi) (0.5 + r1 cos(A - alpha1) + r2 cos 2(A - alpha2)), so r1 and r2 are the
//! first two Fourier coefficients. 999 stands for missing values. Source: NDBC, Measurement Descriptions
//! and Units, ndbc.noaa.gov/measdes.shtml; Earle, Steele and Wang 1999 for the moments.
//!
//! The files hold neither position nor wind nor depth. Times are UTC, to the minute.

use std::collections::{HashMap, HashSet};

use super::check::{self, Draft, DraftValues, Notes};
use super::text::{Angles, Source, civil, unix_time};
use super::*;

/// The endings of the last 45 days' files, and the letters of the archive's, in the order
/// S(f), alpha1, alpha2, r1, r2.
const ENDINGS: [&str; 5] = [".data_spec", ".swdir", ".swdir2", ".swr1", ".swr2"];
const LETTERS: [u8; 5] = *b"wdijk";
const MEANINGS: [&str; 5] = ["spectral densities", "alpha1", "alpha2", "r1", "r2"];
/// What the header of the last 45 days' files names.
const COLUMNS: [&str; 5] = ["spec_1", "alpha1_1", "alpha2_1", "r1_1", "r2_1"];
const MISSING: f64 = 999.0;

struct Row {
    line: usize,
    time_unix_s: i64,
    frequencies_hz: Vec<f64>,
    values: Vec<Option<f64>>,
}

/// Returns whether a line is the header of such a file.
pub(super) fn is_header(line: &str) -> bool {
    let mut tokens = line.trim_start_matches('#').split_whitespace();
    matches!(tokens.next(), Some("YY" | "YYYY" | "yr")) && tokens.next() == Some("MM")
}

pub(super) fn role_of_realtime(name: &str) -> Option<usize> {
    ENDINGS.iter().position(|ending| name.to_ascii_lowercase().ends_with(ending))
}

/// The place of the archive's letter in a name such as `41010w2023.txt`: the last one before a year.
pub(super) fn yearly_letter(name: &str) -> Option<usize> {
    let bytes = name.as_bytes();
    let digits =
        |at: usize| bytes.get(at..at + 4).is_some_and(|d| d.iter().all(u8::is_ascii_digit));
    (1..bytes.len())
        .rev()
        .find(|at| LETTERS.contains(&bytes[*at].to_ascii_lowercase()) && digits(at + 1))
}

/// The five files of a station in the order of [`ENDINGS`].
struct FiveFiles {
    realtime: bool,
    station: String,
    sources: Vec<Source>,
}

/// Finds the siblings of a file by its name.
fn five_files(
    source: &Source,
    files: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<FiveFiles, SpectrumFileError> {
    let header = source.text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    if header.contains("WVHT") || header.contains("WDIR") {
        let problem = "this is a summary of wave heights and periods";
        let remedy = "Load the station's .data_spec with .swdir, .swdir2, .swr1 and .swr2.";
        return Err(source.error(1, problem, "spectra", remedy));
    }
    let realtime = COLUMNS.iter().any(|column| header.contains(column));
    let packed = source.name.ends_with(".gz");
    let stem = source.name.strip_suffix(".gz").unwrap_or(&source.name);
    let unnamed = |expected: String| {
        let problem = "the name does not tell which of the five files this is";
        source.error(0, problem, expected, "Rename the file as NDBC names it.")
    };
    let (station, names, role) = if realtime {
        let role = role_of_realtime(stem)
            .ok_or_else(|| unnamed(format!("a name that ends in one of {}", ENDINGS.join(", "))))?;
        let station = &stem[..stem.len() - ENDINGS[role].len()];
        (station, ENDINGS.map(|ending| format!("{station}{ending}")), role)
    } else {
        let at = yearly_letter(stem).ok_or_else(|| {
            unnamed("a name such as 41010w2023.txt, with w, d, i, j or k before the year".into())
        })?;
        let letter = stem.as_bytes()[at].to_ascii_lowercase();
        let role = LETTERS.iter().position(|known| *known == letter).unwrap_or(0);
        let (before, behind) = (&stem[..at], &stem[at + 1..]);
        (before, LETTERS.map(|letter| format!("{before}{}{behind}", char::from(letter))), role)
    };
    let mut sources = Vec::new();
    let mut missing = Vec::new();
    for (i, name) in names.iter().enumerate() {
        if i == role {
            sources.push(Source { name: source.name.clone(), text: source.text.clone() });
            continue;
        }
        let zipped = format!("{name}.gz");
        let candidates = if packed { [&zipped, name] } else { [name, &zipped] };
        match candidates.into_iter().find_map(|name| Some((name, files(name)?))) {
            Some((name, bytes)) => sources.push(Source::new(name, bytes)?),
            None => missing.push(format!("{name} ({})", MEANINGS[i])),
        }
    }
    if !missing.is_empty() {
        return Err(SpectrumFileError::Siblings { file: source.name.clone(), missing });
    }
    let station = station.rsplit(['/', '\\']).next().unwrap_or(station).to_owned();
    Ok(FiveFiles { realtime, station, sources })
}

pub(super) fn read(
    source: &Source,
    files: &dyn Fn(&str) -> Option<Vec<u8>>,
    notes: &mut Notes,
) -> Result<RecordedSea, SpectrumFileError> {
    let FiveFiles { realtime, station, sources } = five_files(source, files)?;
    let mut tables = Vec::new();
    for (role, file) in sources.iter().enumerate() {
        tables.push(rows(file, realtime, role, notes)?);
        if file.name != source.name {
            file.note_cut_end(notes);
        }
    }
    let unit = if realtime { 1.0 } else { unit_of_r(&sources, &tables, notes) };

    let first = &sources[0];
    let times: HashSet<i64> = tables[0].iter().map(|row| row.time_unix_s).collect();
    let mut later: Vec<HashMap<i64, &Row>> = Vec::new();
    for (source, table) in sources.iter().zip(&tables).skip(1) {
        later.push(table.iter().map(|row| (row.time_unix_s, row)).collect());
        for row in table.iter().filter(|row| !times.contains(&row.time_unix_s)) {
            let note = format!("this time is missing in {} and was left out", first.name);
            notes.add(source, row.line, note);
        }
    }
    let mut drafts = Vec::new();
    'rows: for row in &tables[0] {
        let mut parts = Vec::new();
        for (source, times) in sources[1..].iter().zip(&later) {
            let Some(part) = times.get(&row.time_unix_s) else {
                let note = format!("this time is missing in {} and was left out", source.name);
                notes.add(first, row.line, note);
                continue 'rows;
            };
            let same = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-6;
            let axes = part.frequencies_hz.iter().zip(&row.frequencies_hz);
            if part.frequencies_hz.len() != row.frequencies_hz.len() || !axes.clone().all(same) {
                let note =
                    format!("the frequencies differ from {}: the time was left out", first.name);
                notes.add(source, part.line, note);
                continue 'rows;
            }
            parts.push((source, *part));
        }
        let Some(density) = row.values.iter().copied().collect::<Option<Vec<f64>>>() else {
            notes.add(first, row.line, "a spectral density is missing: the time was left out");
            continue;
        };
        let moments = (0..density.len()).map(|i| moments(&parts, i, unit));
        let moments = moments.collect::<Result<Vec<_>, _>>()?;
        drafts.push(Draft {
            line: row.line,
            time_unix_s: Some(row.time_unix_s),
            wind: None,
            depth_m: None,
            frequencies_hz: row.frequencies_hz.clone(),
            values: DraftValues::Moments(density, moments),
        });
    }
    let kind = if realtime { "NDBC realtime" } else { "NDBC yearly" };
    check::sea(first, station, kind, None, drafts, notes)
}

/// The moments of one frequency, from the rows of alpha1, alpha2, r1 and r2 with their files. None where
/// one of the four is missing.
fn moments(
    parts: &[(&Source, &Row)],
    frequency: usize,
    unit: f64,
) -> Result<Option<[f64; 4]>, SpectrumFileError> {
    let mut values = [0.0; 4];
    for (i, (value, (source, row))) in values.iter_mut().zip(parts).enumerate() {
        let Some(found) = row.values[frequency] else { return Ok(None) };
        *value = found;
        if i < 2 {
            Angles::FROM_COMPASS.checked(source, row.line, found)?;
            continue;
        }
        *value *= unit;
        // Rounding in hundredths takes a perfectly narrow sea above 1 by less than that.
        if !(0.0..=1.001).contains(value) {
            let problem = format!("{} is {found}", MEANINGS[i + 1]);
            let expected = if unit == 1.0 { "0 to 1" } else { "hundredths, 0 to 100" };
            let remedy = "Check that this is the file that its name says.";
            return Err(source.error(row.line, problem, expected, remedy));
        }
    }
    let [alpha1, alpha2, r1, r2] = values;
    let (s1, c1) = alpha1.to_radians().sin_cos();
    let (s2, c2) = (2.0 * alpha2).to_radians().sin_cos();
    Ok(Some(Angles::FROM_COMPASS.app_moments([r1 * c1, r1 * s1, r2 * c2, r2 * s2])))
}

/// The unit of r1 and r2 in the archive, which has whole hundredths. Values of which none exceeds 1 and
/// some are fractions have been scaled already.
fn unit_of_r(sources: &[Source], tables: &[Vec<Row>], notes: &mut Notes) -> f64 {
    let values = || tables[3].iter().chain(&tables[4]).flat_map(|row| row.values.iter().flatten());
    let scaled = values().all(|r| *r <= 1.0) && values().any(|r| r.fract() != 0.0);
    if scaled {
        let note = "r1 and r2 are fractions rather than NDBC's hundredths, and were read as such";
        notes.add(&sources[3], 0, note);
    }
    if scaled { 1.0 } else { 0.01 }
}

/// The rows of one of the files.
fn rows(
    source: &Source,
    realtime: bool,
    role: usize,
    notes: &mut Notes,
) -> Result<Vec<Row>, SpectrumFileError> {
    let mut lines = source.lines();
    let header = lines.require("a header")?;
    if !is_header(header) {
        let expected = "a header that begins with #YY MM DD hh";
        return Err(source.damaged(lines.line, "the header is missing", expected));
    }
    if realtime && !header.contains(COLUMNS[role]) {
        let problem = format!("the header does not name {}", COLUMNS[role]);
        let expected = format!("the file of {}", MEANINGS[role]);
        return Err(source.error(
            lines.line,
            problem,
            expected,
            "Check that the five files have not been swapped.",
        ));
    }
    if !realtime && header.contains("_1") {
        let problem = "this file is of the last 45 days, and its siblings are of the archive";
        return Err(source.error(
            lines.line,
            problem,
            "five files of one kind",
            "Load files of one kind.",
        ));
    }
    let columns: Vec<&str> = header.split_whitespace().collect();
    let date_columns = if columns.get(4) == Some(&"mm") { 5 } else { 4 };
    let mut frequencies = Vec::new();
    if !realtime {
        for token in columns.iter().skip(date_columns) {
            frequencies.push(source.number(lines.line, token)?);
        }
        if let Some(f) = frequencies.windows(2).find(|f| f[0] == f[1]) {
            return Err(source.damaged(
                lines.line,
                format!("the frequency {} occurs twice", f[0]),
                "ascending frequencies",
            ));
        }
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut times = HashSet::new();
    while let Some(text) = lines.next_filled() {
        let line = lines.line;
        if text.starts_with('#') {
            continue;
        }
        let tokens: Vec<&str> = text.split_whitespace().collect();
        let date_error = || {
            source.damaged(
                line,
                "the row does not begin with a date and time",
                "YY MM DD hh mm in UTC",
            )
        };
        let mut date = [0; 6];
        for (part, token) in date.iter_mut().zip(tokens.get(..date_columns).ok_or_else(date_error)?)
        {
            *part = token.parse().map_err(|_| date_error())?;
        }
        if tokens[0].len() <= 2 {
            date[0] += if date[0] >= 60 { 1900 } else { 2000 };
        }
        let time_unix_s = unix_time(date).ok_or_else(date_error)?;
        let mut values = &tokens[date_columns..];
        let mut numbers = Vec::new();
        if realtime {
            frequencies.clear();
            if role == 0 {
                // The separation frequency of wind sea and swell comes first.
                values = values.get(1..).unwrap_or_default();
            }
            let pairs = values.chunks(2);
            for pair in pairs {
                let frequency = pair.get(1).and_then(|f| f.strip_prefix('(')?.strip_suffix(')'));
                let Some(frequency) = frequency else {
                    let problem = format!("\"{}\" is no value with its frequency", pair.join(" "));
                    return Err(source.damaged(line, problem, "pairs such as 0.060 (0.063)"));
                };
                numbers.push(pair[0]);
                frequencies.push(source.number(line, frequency)?);
            }
        } else {
            numbers.extend_from_slice(values);
            if numbers.len() != frequencies.len() {
                let problem = format!("the row has {} values", numbers.len());
                return Err(source.damaged(
                    line,
                    problem,
                    format!("{} as in the header", frequencies.len()),
                ));
            }
        }
        let mut parsed = Vec::with_capacity(numbers.len());
        for token in numbers {
            let value = if token == "MM" { MISSING } else { source.number(line, token)? };
            // Older files have as many nines as their columns allow.
            let missing = value == MISSING || value == 9_999.0 || value == 99_999.0;
            if value < 0.0 && role != 1 && role != 2 {
                return Err(source.damaged(
                    line,
                    format!("{} is {value}", MEANINGS[role]),
                    "at least 0",
                ));
            }
            parsed.push((!missing).then_some(value));
        }
        if !times.insert(time_unix_s) {
            notes.add(source, line, "a second row of the same time was left out");
            continue;
        }
        rows.push(Row { line, time_unix_s, frequencies_hz: frequencies.clone(), values: parsed });
    }
    if rows.is_empty() {
        return Err(source.damaged(
            lines.line,
            "the file has no rows",
            "rows of values after the header",
        ));
    }
    Ok(rows)
}

/// S(f), alpha1, alpha2 in degrees, r1 and r2 of each frequency.
fn columns_of(spectrum: &RecordedSpectrum) -> Vec<[f64; 5]> {
    let angle = |a: f64, b: f64| b.atan2(a).to_degrees().rem_euclid(360.0);
    let moments = spectrum.moments();
    let columns = |(density, moments): (&f64, &[f64; 4])| {
        let [a1, b1, a2, b2] = Angles::FROM_COMPASS.file_moments(*moments);
        [*density, angle(a1, b1), 0.5 * angle(a2, b2), a1.hypot(b1), a2.hypot(b2)]
    };
    spectrum.density_m2_per_hz.iter().zip(&moments).map(columns).collect()
}

/// Writes the files of the last 45 days, the newest time first.
pub(super) fn write_realtime(sea: &RecordedSea) -> Vec<(String, Vec<u8>)> {
    let mut texts = [
        "#YY  MM DD hh mm Sep_Freq  < spec_1 (freq_1) spec_2 (freq_2) spec_3 (freq_3) ... >\n",
        "#YY  MM DD hh mm alpha1_1 (freq_1) alpha1_2 (freq_2) alpha1_3 (freq_3) ... >\n",
        "#YY  MM DD hh mm alpha2_1 (freq_1) alpha2_2 (freq_2) alpha2_3 (freq_3) ... >\n",
        "#YY  MM DD hh mm r1_1 (freq_1) r1_2 (freq_2) r1_3 (freq_3) ... >\n",
        "#YY  MM DD hh mm r2_1 (freq_1) r2_2 (freq_2) r2_3 (freq_3) ... >\n",
    ]
    .map(String::from);
    for spectrum in sea.spectra().iter().rev() {
        let [year, month, day, hour, minute, _] = civil(spectrum.time_unix_s.unwrap_or(0));
        let columns = columns_of(spectrum);
        for (role, text) in texts.iter_mut().enumerate() {
            *text += &format!("{year:04} {month:02} {day:02} {hour:02} {minute:02}");
            if role == 0 {
                *text += " 9.999"; // the separation frequency is unknown
            }
            for (values, f) in columns.iter().zip(&spectrum.frequencies_hz) {
                *text += &format!(" {:.7} ({f:.6})", values[role]);
            }
            text.push('\n');
        }
    }
    let stem = file_stem(sea);
    ENDINGS
        .iter()
        .zip(texts)
        .map(|(ending, text)| (format!("{stem}{ending}"), text.into()))
        .collect()
}

/// Writes the files of the archive, r1 and r2 in hundredths.
pub(super) fn write_yearly(sea: &RecordedSea) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let stem = file_stem(sea);
    for (suffix, run) in runs_of_equal_axes(sea) {
        let [year, ..] = civil(run[0].time_unix_s.unwrap_or(0));
        for (role, letter) in LETTERS.into_iter().enumerate() {
            let mut text = String::from("#YY  MM DD hh mm");
            for f in &run[0].frequencies_hz {
                text += &format!("  {}", format!("{f:.6}").trim_start_matches('0'));
            }
            text.push('\n');
            for spectrum in run {
                let [year, month, day, hour, minute, _] = civil(spectrum.time_unix_s.unwrap_or(0));
                text += &format!("{year:04} {month:02} {day:02} {hour:02} {minute:02}");
                for values in columns_of(spectrum) {
                    text += &format!(
                        "  {:.5}",
                        if role >= 3 { 100.0 * values[role] } else { values[role] }
                    );
                }
                text.push('\n');
            }
            files.push((format!("{stem}{}{year:04}{suffix}.txt", char::from(letter)), text.into()));
        }
    }
    files
}
