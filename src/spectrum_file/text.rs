//! Bytes to text, lines, numbers and times, with the place of every error.

use std::f64::consts::TAU;

use super::*;

use flate2::read::MultiGzDecoder;
use serde_json::Value;

/// The text of one file, and the name under which errors and notes mention it.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) text: String,
}

impl Source {
    /// Unpacks and decodes a file.
    pub(super) fn new(name: &str, bytes: Vec<u8>) -> Result<Self, SpectrumFileError> {
        let file = || name.to_owned();
        let mut bytes = bytes;
        if bytes.starts_with(&[0x1f, 0x8b]) {
            let mut unpacked = Vec::new();
            MultiGzDecoder::new(&bytes[..])
                .take(FILE_LIMIT_BYTES as u64 + 1)
                .read_to_end(&mut unpacked)
                .map_err(|e| SpectrumFileError::Unpack { file: file(), reason: e.to_string() })?;
            bytes = unpacked;
        }
        if bytes.len() > FILE_LIMIT_BYTES {
            return Err(SpectrumFileError::TooLarge { file: file() });
        }
        let unknown = |problem: &str| SpectrumFileError::Unknown {
            file: name.to_owned(),
            problem: problem.to_owned(),
        };
        if bytes.starts_with(b"CDF") || bytes.starts_with(b"\x89HDF") {
            let names = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
            if names(b"spectral_wave_density") {
                // wavespectra's series for these has negative densities.
                let source = Self { name: file(), text: String::new() };
                let remedy = "Download them from ndbc.noaa.gov/historical_data.shtml.";
                let expected =
                    "the same data as five text files (41010w2023.txt.gz and d, i, j, k)";
                return Err(source.error(0, "this is NDBC's NetCDF", expected, remedy));
            }
            let readers =
                [(&b"d2fd"[..], "read_era5"), (b"efth", "read_ww3"), (b"density", "read_ncswan")];
            let reader = readers.into_iter().find(|(variable, _)| names(variable));
            let reader = reader.map_or("read_ww3", |(_, reader)| reader);
            return Err(SpectrumFileError::NetCdf { file: file(), reader });
        }
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            return Err(unknown("the text is UTF-16; save it as UTF-8"));
        }
        if bytes.contains(&0) {
            return Err(unknown("the file is binary"));
        }
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        // Units such as "°C" come in other encodings too, and no number does.
        let text = String::from_utf8_lossy(bytes).into_owned();
        if text.trim().is_empty() {
            return Err(unknown("the file is empty"));
        }
        if text.matches('\u{fffd}').count() > 16 + text.len() / 100 {
            return Err(unknown("the file is binary"));
        }
        Ok(Self { name: name.into(), text })
    }

    /// An error at a line. Line 0 stands for none.
    pub(super) fn error(
        &self,
        line: usize,
        problem: impl Into<String>,
        expected: impl Into<String>,
        remedy: impl Into<String>,
    ) -> SpectrumFileError {
        SpectrumFileError::Invalid {
            file: self.name.clone(),
            line: (line > 0).then_some(line),
            problem: problem.into(),
            expected: expected.into(),
            remedy: remedy.into(),
        }
    }

    /// An error whose likely cause is a damaged download.
    pub(super) fn damaged(
        &self,
        line: usize,
        problem: impl Into<String>,
        expected: impl Into<String>,
    ) -> SpectrumFileError {
        self.error(
            line,
            problem,
            expected,
            "Download the file again, or correct or remove this part.",
        )
    }

    pub(super) fn json(&self) -> Result<Value, SpectrumFileError> {
        serde_json::from_str(&self.text).map_err(|e| {
            self.damaged(e.line(), format!("the JSON is invalid ({e})"), "complete JSON")
        })
    }

    /// The problem and the expectation for a file whose name promises a format that its first line lacks.
    pub(super) fn known_by_name(&self) -> Option<(&'static str, &'static str)> {
        let name = self.name.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        if ndbc::role_of_realtime(name).is_some() || ndbc::yearly_letter(name).is_some() {
            return Some((
                "the header is missing",
                "a first line that begins with #YY MM DD hh mm",
            ));
        }
        if name.ends_with(".spec") {
            let expected = "'WAVEWATCH III SPECTRA' or SWAN at the beginning of the first line";
            return Some(("the header is missing", expected));
        }
        None
    }

    /// Notes a last line without line break: text that a broken download cuts off inside a number still
    /// reads as a number.
    pub(super) fn note_cut_end(&self, notes: &mut Notes) {
        if !self.text.ends_with(['\n', '\r', '}', ']']) {
            let line = self.text.lines().count();
            notes.add(
                self,
                line,
                "the last line has no line break: the file may have been cut off",
            );
        }
    }

    /// The name without folders and without anything behind its first dot.
    pub(super) fn stem(&self) -> &str {
        let file = self.name.rsplit(['/', '\\']).next().unwrap_or("");
        file.split('.').next().unwrap_or(file)
    }

    pub(super) fn lines(&self) -> Lines<'_> {
        Lines { source: self, inner: self.text.lines(), line: 0 }
    }

    /// A finite number. Fortran's D exponents and exponents without a letter (0.1-100) are understood.
    pub(super) fn number(&self, line: usize, token: &str) -> Result<f64, SpectrumFileError> {
        let value = token.parse().ok().or_else(|| fortran_number(token));
        value.filter(|value: &f64| value.is_finite()).ok_or_else(|| {
            let shown: String = token.chars().take(40).collect();
            self.damaged(line, format!("\"{shown}\" is not a finite number"), "a number")
        })
    }

    /// A number of things that follow.
    pub(super) fn count(&self, line: usize, token: &str) -> Result<usize, SpectrumFileError> {
        token.parse().ok().filter(|count| (1..=COUNT_LIMIT).contains(count)).ok_or_else(|| {
            let shown: String = token.chars().take(40).collect();
            let expected = format!("a whole number from 1 to {COUNT_LIMIT}");
            self.damaged(line, format!("\"{shown}\" is not a count"), expected)
        })
    }
}

/// The most frequencies, directions or stations that a header may announce.
const COUNT_LIMIT: usize = 100_000;

fn fortran_number(token: &str) -> Option<f64> {
    let token = token.to_ascii_uppercase();
    let digits = token.trim_start_matches(['+', '-']);
    let plain = digits.bytes().all(|b| b.is_ascii_digit() || b"+-.DE".contains(&b));
    if !plain || !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    if token.contains('D') {
        return token.replacen('D', "E", 1).parse().ok();
    }
    let sign = token.rfind(['+', '-']).filter(|at| *at > 0 && !token.contains('E'))?;
    format!("{}E{}", &token[..sign], &token[sign..]).parse().ok()
}

/// The lines of a file with their numbers.
pub(super) struct Lines<'a> {
    pub(super) source: &'a Source,
    inner: std::str::Lines<'a>,
    /// The number of the line that was returned last, from 1.
    pub(super) line: usize,
}

impl<'a> Lines<'a> {
    /// The next line that holds something.
    pub(super) fn next_filled(&mut self) -> Option<&'a str> {
        loop {
            let line = self.inner.next()?;
            self.line += 1;
            if !line.trim().is_empty() {
                return Some(line.trim());
            }
        }
    }

    /// The next line that holds something, or an error at the end of the file.
    pub(super) fn require(&mut self, expected: &str) -> Result<&'a str, SpectrumFileError> {
        let line = self.next_filled();
        line.ok_or_else(|| {
            self.source.damaged(self.line, "the file ends after this line", expected)
        })
    }

    /// `count` numbers, on as many lines as they take.
    pub(super) fn numbers(
        &mut self,
        count: usize,
        what: &str,
    ) -> Result<Vec<f64>, SpectrumFileError> {
        let mut numbers = Vec::new();
        while numbers.len() < count {
            let expected = format!("{count} {what}, of which {} came", numbers.len());
            for token in self.require(&expected)?.split_whitespace() {
                numbers.push(self.source.number(self.line, token)?);
            }
        }
        if numbers.len() > count {
            let problem = format!("there are {} {what}", numbers.len());
            return Err(self.source.damaged(self.line, problem, format!("{count}")));
        }
        Ok(numbers)
    }
}

/// The convention by which a file counts angles: app angle = sign * angle + offset, in degrees. The
/// app's angle runs from +X (east) towards +Z (south), which is clockwise like compass degrees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Angles {
    sign: f64,
    offset_deg: f64,
}

impl Angles {
    /// Compass degrees from which waves come: north-west, 315, is +45.
    pub(super) const FROM_COMPASS: Self = Self { sign: 1.0, offset_deg: 90.0 };
    /// Compass degrees towards which waves run: south-east, 135, is +45.
    pub(super) const TOWARDS_COMPASS: Self = Self { sign: 1.0, offset_deg: -90.0 };
    /// Degrees counterclockwise from east, towards which waves run: south-east, -45, is +45.
    pub(super) const TOWARDS_CARTESIAN: Self = Self { sign: -1.0, offset_deg: 0.0 };
    /// Degrees counterclockwise from east, from which waves come: north-west, 135, is +45.
    pub(super) const FROM_CARTESIAN: Self = Self { sign: -1.0, offset_deg: 180.0 };

    /// The app's angle in radians, in [0, 2 pi).
    pub(super) fn app_rad(self, angle_deg: f64) -> f64 {
        let angle = (self.sign * angle_deg + self.offset_deg).rem_euclid(360.0).to_radians();
        if angle >= TAU { 0.0 } else { angle }
    }

    /// The file's angle in degrees, in [0, 360).
    pub(super) fn file_deg(self, towards_rad: f64) -> f64 {
        let angle = (self.sign * (towards_rad.to_degrees() - self.offset_deg)).rem_euclid(360.0);
        if angle >= 360.0 { 0.0 } else { angle }
    }

    /// The app's moments for moments of the file's angle.
    pub(super) fn app_moments(self, [a1, b1, a2, b2]: [f64; 4]) -> [f64; 4] {
        let turned = |a: f64, b: f64, times: f64| {
            let (sin, cos) = (times * self.offset_deg).to_radians().sin_cos();
            let b = self.sign * b;
            [a * cos - b * sin, a * sin + b * cos]
        };
        let ([a1, b1], [a2, b2]) = (turned(a1, b1, 1.0), turned(a2, b2, 2.0));
        [a1, b1, a2, b2]
    }

    /// The file's moments for the app's, the inverse of [`Self::app_moments`].
    pub(super) fn file_moments(self, moments: [f64; 4]) -> [f64; 4] {
        let inverse = Self { sign: self.sign, offset_deg: -self.sign * self.offset_deg };
        inverse.app_moments(moments)
    }

    pub(super) fn wind(self, speed_mps: f64, angle_deg: f64) -> RecordedWind {
        RecordedWind { speed_mps, towards_deg: self.app_rad(angle_deg).to_degrees() }
    }

    /// A direction of the file, which must be within -360 .. 720 degrees.
    pub(super) fn checked(
        self,
        source: &Source,
        line: usize,
        angle_deg: f64,
    ) -> Result<f64, SpectrumFileError> {
        if !(-360.0..=720.0).contains(&angle_deg) {
            let problem = format!("the direction {angle_deg} is out of range");
            return Err(source.damaged(line, problem, "degrees from -360 to 720"));
        }
        Ok(self.app_rad(angle_deg))
    }
}

/// Seconds since 1970 of a UTC date, if it is one.
/// Days are counted as in H. Hinnant, chrono-compatible low-level date algorithms, 2013.
pub(super) fn unix_time(date: [i64; 6]) -> Option<i64> {
    let [year, month, day, hour, minute, second] = date;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, 28 + i64::from(leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let valid = (1800..2200).contains(&year)
        && (1..=12).contains(&month)
        && (1..=lengths[(month - 1) as usize]).contains(&day)
        && (0..24).contains(&hour)
        && (0..60).contains(&minute)
        && (0..=60).contains(&second);
    if !valid {
        return None;
    }
    let year_from_march = year - i64::from(month <= 2);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = 365 * year_from_march + year_from_march / 4 - year_from_march / 100
        + year_from_march / 400
        + day_of_year
        - 719_468;
    Some(86_400 * days + 3_600 * hour + 60 * minute + second)
}

/// Year, month, day, hour, minute, second of seconds since 1970, the inverse of [`unix_time`].
pub(super) fn civil(time_unix_s: i64) -> [i64; 6] {
    let (days, rest) = (time_unix_s.div_euclid(86_400), time_unix_s.rem_euclid(86_400));
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = 400 * era + year_of_era + i64::from(month <= 2);
    [year, month, day, rest / 3_600, rest / 60 % 60, rest % 60]
}

/// Parses a time in UTC to seconds since 1970: `2020-06-08T03:50:00.000Z`, or of compact digits such as `20200608 035000` or
/// `20200608.035000`. Other offsets than Z are refused.
pub fn parse_time(text: &str) -> Option<i64> {
    let text = text.trim();
    let text = text.strip_suffix('Z').or(text.strip_suffix("+00:00")).unwrap_or(text);
    let iso = text.contains('-');
    let whole = if iso { text.split('.').next()? } else { text };
    let digits: String = whole.chars().filter(char::is_ascii_digit).collect();
    let separators = |c: char| c.is_ascii_digit() || "-:T. ".contains(c);
    let plausible = text.chars().all(separators) && text.matches('-').count() <= 2;
    if !plausible || !(digits.len() == 14 || (iso && digits.len() == 12)) {
        return None;
    }
    let part = |from: usize, to: usize| digits.get(from..to).map_or(Some(0), |d| d.parse().ok());
    unix_time([part(0, 4)?, part(4, 6)?, part(6, 8)?, part(8, 10)?, part(10, 12)?, part(12, 14)?])
}

/// The time in ISO 8601, as in 2020-06-08T03:50:00Z.
pub fn iso_time(time_unix_s: i64) -> String {
    let [year, month, day, hour, minute, second] = civil(time_unix_s);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}
