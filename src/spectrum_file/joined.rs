//! Several files as one record.

use std::collections::HashSet;

use super::*;

/// Joins the records of files into one in order of time, and adds notes about spectra that were left out.
/// Records without times follow each other in the order of the files.
pub(super) fn join(
    mut parts: Vec<(String, RecordedSea)>,
    notes: &mut Vec<String>,
) -> Result<RecordedSea, SpectrumFileError> {
    if parts.len() == 1 {
        return Ok(parts.remove(0).1);
    }
    let spectra_with_time = |record: &RecordedSea| {
        record.spectra().iter().filter(|spectrum| spectrum.time_unix_s.is_some()).count()
    };
    let timed = parts.iter().find(|(_, record)| spectra_with_time(record) > 0);
    let untimed =
        parts.iter().find(|(_, record)| spectra_with_time(record) < record.spectra().len());
    if let (Some((timed, _)), Some((untimed, _))) = (timed, untimed) {
        return Err(SpectrumFileError::Invalid {
            file: untimed.clone(),
            line: None,
            problem: format!("spectra of this file have no times, and those of {timed} have"),
            expected: "times in all files, or in none".to_owned(),
            remedy: "Add the times to the file, or open it alone.".to_owned(),
        });
    }
    let names = |name: fn(&RecordedSea) -> &str| {
        let mut names: Vec<&str> = parts.iter().map(|(_, record)| name(record)).collect();
        names.retain(|name| !name.is_empty());
        let mut known = HashSet::new();
        names.retain(|name| known.insert(*name));
        let more = names.len().saturating_sub(MOST_NAMES);
        names.truncate(MOST_NAMES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        names.join(", ") + &more
    };
    let (station, source) = (names(RecordedSea::station), names(RecordedSea::source));
    let position_deg = parts[0].1.position_deg();
    let is_one_place = parts.iter().all(|(_, record)| record.position_deg() == position_deg);
    let first = parts[0].0.clone();
    let mut times = HashSet::new();
    let mut spectra = Vec::new();
    for (file, record) in parts {
        let before = spectra.len();
        let is_new = |spectrum: &&RecordedSpectrum| {
            spectrum.time_unix_s.is_none_or(|time_unix_s| times.insert(time_unix_s))
        };
        spectra.extend(record.spectra().iter().filter(is_new).cloned());
        let left_out = record.spectra().len() - (spectra.len() - before);
        if left_out > 0 {
            notes.push(format!(
                "{file}: {left_out} of {} spectra were left out, since files before it have these times",
                record.spectra().len()
            ));
        }
    }
    RecordedSea::new(station, source, position_deg.filter(|_| is_one_place), spectra).map_err(
        |error| SpectrumFileError::Invalid {
            file: first,
            line: None,
            problem: error.to_string(),
            expected: "a possible sea".to_owned(),
            remedy: "Open the files one by one.".to_owned(),
        },
    )
}

/// The largest number of stations or sources that a joined record names.
const MOST_NAMES: usize = 3;
