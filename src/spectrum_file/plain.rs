//! Our own CSV and JSON, as the documentation of [`spectrum_file`](super) defines them.

use super::check::{self, Draft, DraftValues, Notes};
use super::text::{Angles, Source, iso_time, parse_time};
use super::*;

const MOMENTS_HEADER: &str = "frequency_hz,density,a1,b1,a2,b2";

pub(super) fn is_csv(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.starts_with("frequency_hz"))
}

/// The statements of the comments so far.
#[derive(Default)]
struct Comments {
    station: Option<String>,
    source: Option<String>,
    position_deg: Option<[f64; 2]>,
    angles: Option<Angles>,
    /// The factor to m2/Hz/rad, 0 for m2/Hz.
    density: Option<f64>,
    time_unix_s: Option<i64>,
    depth_m: Option<f64>,
    wind: Option<[f64; 2]>,
    frequencies: Option<usize>,
}

/// The header row of a table.
enum Header {
    Moments,
    Directions(Vec<f64>),
}

pub(super) fn read_csv(
    source: &Source,
    notes: &mut Notes,
) -> Result<RecordedSea, SpectrumFileError> {
    let mut lines = source.lines();
    let mut comments = Comments::default();
    let mut header: Option<Header> = None;
    let mut drafts: Vec<Draft> = Vec::new();
    let mut announced = Vec::new();
    let mut open = false;
    while let Some(text) = lines.next_filled() {
        let line = lines.line;
        if let Some(comment) = text.strip_prefix('#') {
            open &= !read_comment(source, line, comment, &mut comments)?;
            continue;
        }
        let text = text.trim_end_matches(',');
        let cells: Vec<&str> = text.split(',').map(str::trim).collect();
        if cells[0] == "frequency_hz" {
            open = false;
            if cells.join(",") == MOMENTS_HEADER {
                header = Some(Header::Moments);
                continue;
            }
            let angles = stated(
                source,
                line,
                comments.angles,
                "direction",
                "from|towards, nautical|cartesian",
            )?;
            let mut directions = Vec::new();
            for cell in &cells[1..] {
                directions.push(angles.checked(source, line, source.number(line, cell)?)?);
            }
            header = Some(Header::Directions(directions));
            continue;
        }
        let mut numbers = Vec::with_capacity(cells.len());
        for cell in &cells {
            numbers.push(source.number(line, cell)?);
        }
        let Some(header) = &header else {
            return Err(source.damaged(line, "values come before the header", "frequency_hz,..."));
        };
        let angles =
            stated(source, line, comments.angles, "direction", "from|towards, nautical|cartesian")?;
        let factor = stated(
            source,
            line,
            comments.density,
            "density",
            "m2/Hz/deg, m2/Hz/rad or, for moments, m2/Hz",
        )?;
        let (width, is_table) = match header {
            Header::Moments => (6, false),
            Header::Directions(directions) => (1 + directions.len(), true),
        };
        if is_table != (factor > 0.0) {
            let expected = if is_table { "m2/Hz/deg or m2/Hz/rad" } else { "m2/Hz" };
            return Err(source.error(
                line,
                "the density's unit does not fit the header",
                expected,
                "Correct the line # density: ...",
            ));
        }
        if numbers.len() != width {
            return Err(source.damaged(
                line,
                format!("the row has {} cells", numbers.len()),
                format!("{width}"),
            ));
        }
        if !open {
            open = true;
            announced.push(comments.frequencies);
            drafts.push(Draft {
                line,
                time_unix_s: comments.time_unix_s.take(),
                wind: comments.wind.take().map(|[speed, angle]| angles.wind(speed, angle)),
                depth_m: comments.depth_m.take(),
                frequencies_hz: Vec::new(),
                values: match header {
                    Header::Moments => DraftValues::Moments(Vec::new(), Vec::new()),
                    Header::Directions(angles) => DraftValues::Table(angles.clone(), Vec::new()),
                },
            });
        }
        let Some(draft) = drafts.last_mut() else { continue };
        draft.frequencies_hz.push(numbers[0]);
        if let Some(value) = numbers[1..].iter().find(|value| **value < 0.0 && is_table) {
            return Err(source.damaged(line, format!("the density is {value}"), "at least 0"));
        }
        match &mut draft.values {
            DraftValues::Table(_, rows) => {
                rows.push(numbers[1..].iter().map(|s| factor * s).collect())
            }
            DraftValues::Moments(density, moments) => {
                density.push(numbers[1]);
                let m = [numbers[2], numbers[3], numbers[4], numbers[5]];
                moments.push(Some(angles.app_moments(m)));
            }
        }
    }
    for (draft, announced) in drafts.iter().zip(announced) {
        let found = draft.frequencies_hz.len();
        if let Some(announced) = announced.filter(|announced| *announced != found) {
            return Err(source.damaged(
                draft.line,
                format!("the spectrum has {found} rows"),
                format!("{announced}"),
            ));
        }
    }
    if drafts.len() > 1 && drafts.iter().any(|draft| draft.time_unix_s.is_none()) {
        let problem = "there are several spectra, and not each has a time";
        return Err(source.damaged(0, problem, "# time: 2020-06-08T03:50:00Z before each"));
    }
    let station = comments.station.unwrap_or_else(|| source.stem().to_owned());
    let kind = comments.source.unwrap_or_else(|| "CSV".to_owned());
    check::sea(source, station, &kind, comments.position_deg, drafts, notes)
}

fn stated<T: Copy>(
    source: &Source,
    line: usize,
    value: Option<T>,
    key: &str,
    expected: &str,
) -> Result<T, SpectrumFileError> {
    value.ok_or_else(|| {
        let problem = format!("no comment before this line states the {key}");
        source.error(
            line,
            problem,
            format!("# {key}: {expected}"),
            "Add that line above the header.",
        )
    })
}

/// Reads a comment and returns whether it ends the table before it. Unknown comments are skipped.
fn read_comment(
    source: &Source,
    line: usize,
    comment: &str,
    comments: &mut Comments,
) -> Result<bool, SpectrumFileError> {
    let Some((key, value)) = comment.split_once(':') else { return Ok(false) };
    let value = value.trim();
    let wrong = |expected: &str| {
        source.damaged(line, format!("\"{value}\" is no {}", key.trim()), expected)
    };
    let numbers = |text: &str| -> Result<Vec<f64>, SpectrumFileError> {
        text.split(',')
            .map(|part| {
                source
                    .number(line, part.trim().trim_end_matches("m/s").trim_end_matches(" m").trim())
            })
            .collect()
    };
    match key.trim() {
        "station" => comments.station = Some(value.to_owned()),
        "source" => comments.source = Some(value.to_owned()),
        "position_deg" => match numbers(value)?[..] {
            [latitude, longitude] => comments.position_deg = Some([latitude, longitude]),
            _ => return Err(wrong("latitude, longitude")),
        },
        "direction" => {
            let words: Vec<String> =
                value.split(',').map(|word| word.trim().to_ascii_lowercase()).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            comments.angles = Some(match words[..] {
                ["from", "nautical"] => Angles::FROM_COMPASS,
                ["towards" | "to", "nautical"] => Angles::TOWARDS_COMPASS,
                ["from", "cartesian"] => Angles::FROM_CARTESIAN,
                ["towards" | "to", "cartesian"] => Angles::TOWARDS_CARTESIAN,
                _ => return Err(wrong("from|towards, nautical|cartesian")),
            });
        }
        "density" => {
            comments.density = Some(match value {
                "m2/Hz/deg" => 1_f64.to_degrees(),
                "m2/Hz/rad" => 1.0,
                "m2/Hz" => 0.0,
                _ => return Err(wrong("m2/Hz/deg, m2/Hz/rad or, for moments, m2/Hz")),
            });
        }
        "time" => {
            let time =
                parse_time(value).ok_or_else(|| wrong("a time such as 2020-06-08T03:50:00Z"))?;
            comments.time_unix_s = Some(time);
            return Ok(true);
        }
        "frequencies" => comments.frequencies = Some(source.count(line, value)?),
        "depth_m" => match numbers(value)?[..] {
            [depth_m] => comments.depth_m = Some(depth_m),
            _ => return Err(wrong("metres")),
        },
        "wind" => match numbers(value)?[..] {
            [speed, angle] => comments.wind = Some([speed, angle]),
            _ => return Err(wrong("a speed in m/s and a direction")),
        },
        _ => {}
    }
    Ok(false)
}

pub(super) fn read_json(source: &Source) -> Result<RecordedSea, SpectrumFileError> {
    serde_json::from_str(&source.text).map_err(|e| {
        source.damaged(
            e.line(),
            format!("the JSON is not a RecordedSea ({e})"),
            "the fields that Seaway writes",
        )
    })
}

pub(super) fn write_csv(sea: &RecordedSea) -> Vec<(String, Vec<u8>)> {
    let one_line = |text: &str| text.replace(['\n', '\r'], " ");
    let mut text = format!(
        "# station: {}\n# source: {}\n# direction: from, nautical\n",
        one_line(sea.station()),
        one_line(sea.source())
    );
    if let Some([latitude, longitude]) = sea.position_deg() {
        text += &format!("# position_deg: {latitude}, {longitude}\n");
    }
    for spectrum in sea.spectra() {
        if let Some(time) = spectrum.time_unix_s {
            text += &format!("# time: {}\n", iso_time(time));
        }
        if let Some(depth_m) = spectrum.depth_m {
            text += &format!("# depth_m: {depth_m}\n");
        }
        if let Some(wind) = spectrum.wind {
            let from = Angles::FROM_COMPASS.file_deg(wind.towards_deg.to_radians());
            text += &format!("# wind: {} m/s, {from}\n", wind.speed_mps);
        }
        text += &format!("# frequencies: {}\n", spectrum.frequencies_hz.len());
        match &spectrum.directions {
            RecordedDirections::Moments(moments) => {
                text += &format!("# density: m2/Hz\n{MOMENTS_HEADER}\n");
                for ((f, s), moments) in
                    spectrum.frequencies_hz.iter().zip(&spectrum.density_m2_per_hz).zip(moments)
                {
                    let [a1, b1, a2, b2] = Angles::FROM_COMPASS.file_moments(*moments);
                    text += &format!("{f},{s},{a1},{b1},{a2},{b2}\n");
                }
            }
            RecordedDirections::Table { towards_rad, density_per_rad } => {
                text += "# density: m2/Hz/deg\nfrequency_hz";
                towards_rad.iter().for_each(|angle| {
                    text += &format!(",{}", Angles::FROM_COMPASS.file_deg(*angle))
                });
                text.push('\n');
                for ((f, s), row) in spectrum
                    .frequencies_hz
                    .iter()
                    .zip(&spectrum.density_m2_per_hz)
                    .zip(density_per_rad)
                {
                    text += &f.to_string();
                    row.iter().for_each(|d| text += &format!(",{}", d * s * 1_f64.to_radians()));
                    text.push('\n');
                }
            }
        }
    }
    vec![(format!("{}.csv", file_stem(sea)), text.into())]
}

pub(super) fn write_json(sea: &RecordedSea) -> Vec<(String, Vec<u8>)> {
    let text = serde_json::to_string(sea).unwrap_or_default();
    vec![(format!("{}.json", file_stem(sea)), text.into())]
}
