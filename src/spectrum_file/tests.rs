//! Known directions, round trips, damaged files.

use super::*;

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::text::{civil, iso_time, parse_time, unix_time};

type Files = BTreeMap<String, Vec<u8>>;
type Outcome = Result<(RecordedSea, Vec<String>), SpectrumFileError>;

fn read_files(name: &str, files: &Files) -> Outcome {
    read(name, &|name| files.get(name).cloned())
}

fn read_text(name: &str, text: &str) -> Outcome {
    read_files(name, &Files::from([(name.to_owned(), text.into())]))
}

/// The first moment of all frequencies as a mean direction from +X towards +Z and a spread, in degrees.
fn direction_and_spread_deg(spectrum: &RecordedSpectrum) -> [f64; 2] {
    let moments = spectrum.moments();
    let [a, b] = [0, 1].map(|part| {
        let weighted = spectrum.density_m2_per_hz.iter().zip(&moments).map(|(s, m)| s * m[part]);
        let weighted: Vec<f64> = weighted.collect();
        RecordedSpectrum::trapezoid(&spectrum.frequencies_hz, &weighted) / spectrum.variance_m2()
    });
    [b.atan2(a).to_degrees(), (2.0 * (1.0 - a.hypot(b))).sqrt().to_degrees()]
}

fn towards_deg(spectrum: &RecordedSpectrum) -> f64 {
    direction_and_spread_deg(spectrum)[0]
}

/// Two times of a swell towards +45 degrees, wind towards -30, with directions every 45 degrees.
fn known_sea(moments: bool) -> RecordedSea {
    let frequencies_hz = vec![0.05, 0.0625, 0.08, 0.1, 0.125, 0.2];
    let towards_rad: Vec<f64> = (0..8).map(|i| f64::from(i) * TAU / 8.0).collect();
    let spectrum = |hour: i64| {
        let shape = [0.1, 2.0, 5.5, 3.0, 0.7, 0.03];
        let row = |frequency: usize| -> Vec<f64> {
            let sharpness = 4.0 - 0.5 * frequency as f64;
            let lobe = |t: &f64| (0.5 * (t - TAU / 8.0)).cos().powi(2).powf(sharpness);
            let row: Vec<f64> = towards_rad.iter().map(lobe).collect();
            let sum = row.iter().sum::<f64>() * TAU / 8.0;
            row.iter().map(|part| part / sum).collect()
        };
        let density_per_rad = (0..6).map(row).collect();
        let mut spectrum = RecordedSpectrum {
            time_unix_s: Some(1_591_588_200 + 3_600 * hour),
            wind: Some(RecordedWind { speed_mps: 9.5, towards_deg: 330.0 }),
            depth_m: Some(46.5),
            frequencies_hz: frequencies_hz.clone(),
            density_m2_per_hz: shape.map(|s| s * (1.0 + hour as f64)).to_vec(),
            directions: RecordedDirections::Table {
                towards_rad: towards_rad.clone(),
                density_per_rad,
            },
        };
        if moments {
            spectrum.directions = RecordedDirections::Moments(spectrum.moments());
        }
        spectrum
    };
    let position_deg = Some([28.875, -78.485]);
    let spectra = vec![spectrum(0), spectrum(1)];
    RecordedSea::new("41010".into(), "known".into(), position_deg, spectra).unwrap()
}

fn written(format: Format) -> Files {
    let moments = matches!(
        format,
        Format::NdbcRealtime | Format::NdbcYearly | Format::SpotterCsv | Format::SpotterJson
    );
    write(format, &known_sea(moments)).into_iter().collect()
}

fn first_name(files: &Files) -> &str {
    let density = files.keys().find(|name| name.ends_with(".data_spec") || name.contains("w20"));
    density.or(files.keys().next()).unwrap()
}

const NORTH_WEST: [(&str, &str); 7] = [
    (
        "ww3.spec",
        "'WAVEWATCH III SPECTRA'     2     4     1 'points'\n 0.100E+00 0.200E+00\n  0.236E+01  0.785E+00  0.550E+01  0.393E+01\n\
         20220912 060000\n'A         '  40.98-171.12      46.6   5.00 300.0   0.18  94.1\n  1.0 1.0 0.0 0.0\n 0. 0. 0. 0.\n",
    ),
    (
        "nautical.spec",
        "SWAN   1   version\n$ comment\nLONLAT\n 1\n -78.5 28.9\nAFREQ\n 2\n 0.1\n 0.2\nNDIR\n 4\n 45\n 135\n 225\n 315\n\
         QUANT\n 1\nVaDens\nm2/Hz/degr\n -99\nFACTOR\n 0.01\n 0 0 0 100\n 0 0 0 100\n",
    ),
    (
        "cartesian.spec",
        "SWAN   1   version\nTIME\n 1\nLOCATIONS\n 1\n 0 0\nRFREQ\n 2\n 0.1\n 0.2\nCDIR\n 4\n 45\n 135\n 225\n 315\n\
         QUANT\n 1\nEnDens\nJ/m2/Hz/degr\n -99\n20200608.035000\nFACTOR\n 1\n 0 0 0 10055.25\n 0 0 0 10055.25\n",
    ),
    (
        "one_dimensional.spec",
        "SWAN   1\nLONLAT\n 1\n -78.5 28.9\nAFREQ\n 2\n 0.1\n 0.2\nQUANT\n 3\nVaDens\nm2/Hz\n -99\nNDIR\ndegr\n -999\nDSPRDEGR\ndegr\n -9\n\
         LOCATION 1\n 1.0 315.0 20.0\n 1.0 315.0 20.0\n",
    ),
    (
        "spotter.csv",
        "Epoch Time ,f_0,f_1,a1_0,a1_1,b1_0,b1_1,a2_0,a2_1,b2_0,b2_1,varianceDensity_0,varianceDensity_1,direction_0,direction_1,Wind Speed (m/s),Wind Direction (deg)\n\
         1591588200,0.1,0.2,0.6,0.6,-0.6,-0.6,0,0,-0.5,-0.5,1,1,315,315,5,300\n",
    ),
    (
        "SPOT.json",
        r#"{"data":{"spotterId":"SPOT-1","wind":[{"speed":5,"direction":300,"timestamp":"2020-06-08T03:50:00.000Z"}],"frequencyData":[{"timestamp":"2020-06-08T03:50:00.000Z",
         "frequency":[0.1,0.2],"varianceDensity":[1,1],"direction":[315,315],"directionalSpread":[20,20]}]}}"#,
    ),
    (
        "plain.csv",
        "# direction: from, nautical\n# density: m2/Hz/deg\n# wind: 5 m/s, 300\nfrequency_hz,45,135,225,315\n0.1,0,0,0,1\n0.2,0,0,0,1\n",
    ),
];

#[test]
fn waves_from_north_west_run_towards_plus_45() {
    // WAVEWATCH III rounds directions to 0.01 rad, which is 0.12 degrees on average here.
    for (name, text) in NORTH_WEST {
        let (sea, _) = read_text(name, text).unwrap_or_else(|e| panic!("{e}"));
        let spectrum = &sea.spectra()[0];
        assert!((towards_deg(spectrum) - 45.0).abs() < 0.2, "{name}: {}", towards_deg(spectrum));
        if let Some(wind) = spectrum.wind {
            assert!((wind.towards_deg - 30.0).abs() < 1e-9, "{name}: {wind:?}");
        }
    }
    for (convention, angle) in [
        ("from, nautical", 315.0),
        ("towards, nautical", 135.0),
        ("towards, cartesian", -45.0),
        ("from, cartesian", 135.0),
    ] {
        let text = format!(
            "# direction: {convention}\n# density: m2/Hz\nfrequency_hz,density,a1,b1,a2,b2\n{}{}",
            moments_row(0.1, angle),
            moments_row(0.2, angle)
        );
        let (sea, _) = read_text("moments.csv", &text).unwrap();
        assert!((towards_deg(&sea.spectra()[0]) - 45.0).abs() < 1e-9, "{convention}");
        let moments = sea.spectra()[0].moments()[0];
        assert!(moments[2].abs() < 1e-12 && (moments[3] - 0.7).abs() < 1e-12, "{moments:?}");
    }
}

fn moments_row(frequency: f64, angle_deg: f64) -> String {
    let (s1, c1) = angle_deg.to_radians().sin_cos();
    let (s2, c2) = (2.0 * angle_deg).to_radians().sin_cos();
    format!("{frequency},1,{},{},{},{}\n", 0.9 * c1, 0.9 * s1, 0.7 * c2, 0.7 * s2)
}

#[test]
fn ndbc_directions_are_those_from_which_waves_come() {
    let row = |values: &str| format!("#YY MM DD hh  .10 .20\n98 06 08 03 {values}\n");
    let files = Files::from(
        [("w", "1 1"), ("d", "315 315"), ("i", "135 315"), ("j", "90 90"), ("k", "70 70")]
            .map(|(letter, values)| (format!("44004{letter}1998.txt"), row(values).into_bytes())),
    );
    let (sea, notes) = read_files("44004j1998.txt", &files).unwrap();
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!(sea.spectra()[0].time_unix_s, unix_time([1998, 6, 8, 3, 0, 0]));
    assert!((towards_deg(&sea.spectra()[0]) - 45.0).abs() < 1e-9);
    for moments in sea.spectra()[0].moments() {
        let expected = [0.9 * 0.5_f64.sqrt(), 0.9 * 0.5_f64.sqrt(), 0.0, 0.7];
        assert!(moments.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{moments:?}");
    }
}

/// The expected Hs in m, mean direction and spread in degrees are those of wavespectra 4.9.
#[test]
fn ndbc_sample_has_the_known_sea_state() {
    let files = Files::from([
        ("41010.data_spec".into(), include_bytes!("tests/41010.data_spec").to_vec()),
        ("41010.swdir".into(), include_bytes!("tests/41010.swdir").to_vec()),
        ("41010.swdir2".into(), include_bytes!("tests/41010.swdir2").to_vec()),
        ("41010.swr1".into(), include_bytes!("tests/41010.swr1").to_vec()),
        ("41010.swr2".into(), include_bytes!("tests/41010.swr2").to_vec()),
    ]);
    let (sea, _) = read_files("41010.swr2", &files).unwrap();
    assert_eq!(sea.station(), "41010");
    assert_eq!(iso_time(sea.spectra()[0].time_unix_s.unwrap()), "2020-06-08T02:50:00Z");
    let expected = [[1.1371, 156.021, 46.171], [1.1188, 158.617, 49.650]];
    for (spectrum, [hs_m, from_deg, spread_deg]) in sea.spectra().iter().zip(expected) {
        // wavespectra adds up rectangles rather than trapezoids, which matters at the ends only.
        let [towards, spread] = direction_and_spread_deg(spectrum);
        assert!((spectrum.summary().significant_wave_height_m / hs_m - 1.0).abs() < 2e-3);
        assert!((towards - 90.0 - from_deg + 180.0).rem_euclid(360.0) - 180.0 < 0.1);
        assert!((from_deg - towards + 90.0 + 180.0).rem_euclid(360.0) - 180.0 < 0.1);
        assert!((spread - spread_deg).abs() < 0.1);
    }
}

/// The limit is the digits that the formats are written with: 7 after the point (NDBC), 8 (WAVEWATCH
/// III), 6 of the largest density (SWAN). Those with a table at one end only lose the higher moments.
#[test]
fn written_spectra_read_back_equal() {
    for format in Format::ALL {
        for moments in [false, true] {
            let sea = known_sea(moments);
            let files: Files = write(format, &sea).into_iter().collect();
            for name in files.keys() {
                let (read, notes) = read_files(name, &files).unwrap_or_else(|e| panic!("{e}"));
                assert!(notes.is_empty(), "{format:?}: {notes:?}");
                assert_eq!(read.spectra().len(), 2);
                for (a, b) in read.spectra().iter().zip(sea.spectra()) {
                    let axis = a.frequencies_hz.iter().zip(&b.frequencies_hz);
                    assert!(axis.clone().all(|(a, b)| (a - b).abs() < 1e-6));
                    assert_eq!(a.time_unix_s, b.time_unix_s, "{format:?}");
                    let density = a.density_m2_per_hz.iter().zip(&b.density_m2_per_hz);
                    assert!(density.clone().all(|(a, b)| (a - b).abs() < 1e-4 * (0.01 + b)));
                    // The means over 5 degrees are a little wider than the distribution.
                    let table = matches!(format, Format::WaveWatch | Format::Swan);
                    let tolerance = if table && moments { 2e-3 } else { 1e-3 };
                    let pairs =
                        a.moments().into_iter().flatten().zip(b.moments().into_iter().flatten());
                    for (a, b) in pairs {
                        assert!((a - b).abs() < tolerance, "{format:?}: {a} for {b}");
                    }
                    if let (
                        RecordedDirections::Table { density_per_rad: a, .. },
                        RecordedDirections::Table { density_per_rad: b, .. },
                    ) = (&a.directions, &b.directions)
                    {
                        assert!(
                            a.iter()
                                .flatten()
                                .zip(b.iter().flatten())
                                .all(|(a, b)| (a - b).abs() < 1e-3)
                        );
                    }
                    let windy =
                        !matches!(format, Format::NdbcRealtime | Format::NdbcYearly | Format::Swan);
                    assert_eq!(windy, a.wind.is_some());
                    if let Some(wind) = a.wind {
                        assert!((wind.towards_deg - 330.0).abs() < 1e-6 && wind.speed_mps == 9.5);
                    }
                }
                if let Some(position) = read.position_deg() {
                    assert!(
                        (position[0] - 28.875).abs() < 1e-3 && (position[1] + 78.485).abs() < 1e-3
                    );
                }
            }
        }
    }
}

#[test]
fn times_count_the_days() {
    assert_eq!(unix_time([1970, 1, 1, 0, 0, 0]), Some(0));
    assert_eq!(unix_time([2020, 6, 8, 3, 50, 0]), Some(1_591_588_200));
    assert_eq!(unix_time([2023, 2, 29, 0, 0, 0]), None);
    for time in (-5_000_000_000..7_000_000_000).step_by(12_345_677) {
        assert_eq!(unix_time(civil(time)), Some(time));
        assert_eq!(parse_time(&iso_time(time)), Some(time));
    }
    assert_eq!(parse_time("20200608 035000"), parse_time("2020-06-08T03:50:00.000Z"));
    assert_eq!(parse_time("2020-06-08T03:50:00+02:00"), None);
}

#[test]
fn a_point_is_chosen_by_name() {
    let single =
        String::from_utf8(written(Format::WaveWatch).into_values().next().unwrap()).unwrap();
    let header = single.replacen("     1 'spectral", "     2 'spectral", 1);
    let at = header.find("20200608").unwrap();
    let (head, records) = header.split_at(at);
    let mut text = head.to_owned();
    for record in records.split("20200608 ").skip(1) {
        let (time, point) = record.split_once('\n').unwrap();
        text += &format!("20200608 {time}\n{point}{}", point.replace("41010 ", "B     "));
    }
    let (sea, notes) = read_text("two.spec", &text).unwrap();
    assert_eq!((sea.station(), sea.spectra().len(), notes.len()), ("41010", 2, 1));
    assert!(notes[0].contains("two.spec#NAME") && notes[0].ends_with(": B"), "{notes:?}");
    let files = Files::from([("two.spec".into(), text.into())]);
    assert_eq!(read_files("two.spec#B", &files).unwrap().0.station(), "B");
    assert!(read_files("two.spec#C", &files).unwrap_err().to_string().contains("41010, B"));
}

#[test]
fn packed_files_are_read_up_to_the_limit() {
    let pack = |bytes: &[u8]| {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    };
    for format in Format::ALL {
        let files: Files = written(format)
            .into_iter()
            .map(|(name, bytes)| (format!("{name}.gz"), pack(&bytes)))
            .collect();
        let (sea, _) = read_files(first_name(&files), &files).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(sea.spectra().len(), 2);
        let mut cut = files.clone();
        cut.values_mut().for_each(|bytes| bytes.truncate(bytes.len() / 2));
        assert!(matches!(
            read_files(first_name(&cut), &cut),
            Err(SpectrumFileError::Unpack { .. })
        ));
    }
    let bomb = Files::from([("bomb.csv".into(), pack(&vec![b' '; FILE_LIMIT_BYTES + 1]))]);
    assert!(matches!(read_files("bomb.csv", &bomb), Err(SpectrumFileError::TooLarge { .. })));
}

/// Damaged files must be refused, noted, or give spectra of the intact file.
#[derive(Default)]
struct Damage {
    cases: usize,
    refused: usize,
    noted: usize,
}

impl Damage {
    fn check(&mut self, what: &str, name: &str, files: &Files, intact: &RecordedSea) {
        self.cases += 1;
        let outcome = catch_unwind(AssertUnwindSafe(|| read_files(name, files)));
        match outcome.unwrap_or_else(|_| panic!("{what}: panicked")) {
            Err(e) => {
                let message = e.to_string();
                let named = files.keys().any(|file| message.contains(file.as_str()));
                assert!(named && message.len() > 40, "{what}: {message}");
                self.refused += 1;
            }
            Ok((_, notes)) if !notes.is_empty() => self.noted += 1,
            Ok((sea, _)) => {
                let known = |s: &RecordedSpectrum| {
                    intact.spectra().iter().any(|known| {
                        known.density_m2_per_hz == s.density_m2_per_hz
                            && known.frequencies_hz == s.frequencies_hz
                            && known.directions == s.directions
                    })
                };
                assert!(sea.spectra().iter().all(known), "{what}: silently wrong");
            }
        }
    }

    /// Checks a text in place of one of the files.
    fn check_text(
        &mut self,
        what: &str,
        name: &str,
        text: String,
        files: &Files,
        intact: &RecordedSea,
    ) {
        let mut damaged = files.clone();
        damaged.insert(name.to_owned(), text.into_bytes());
        self.check(&format!("{name}: {what}"), name, &damaged, intact);
    }
}

#[test]
fn no_damage_is_read_silently_wrong() {
    let mut damage = Damage::default();
    for format in Format::ALL {
        let files = written(format);
        let intact = read_files(first_name(&files), &files).unwrap().0;
        for (name, bytes) in &files {
            let text = String::from_utf8(bytes.clone()).unwrap();
            let parts = 30;
            for i in 0..parts {
                let cut = text.len() * i / parts + i % 3;
                let what = format!("cut at byte {cut}");
                damage.check_text(&what, name, text[..cut].into(), &files, &intact);
            }
            let lines: Vec<&str> = text.lines().collect();
            for at in (0..lines.len()).step_by(1 + lines.len() / 40) {
                let mut fewer = lines.clone();
                fewer.remove(at);
                let mut more = lines.clone();
                more.insert(at, lines[at]);
                let mut swapped = lines.clone();
                swapped.swap(at, (at + 1) % lines.len());
                // A model's matrix with two rows swapped is a matrix as good as before.
                let ordered = !matches!(format, Format::WaveWatch | Format::Swan);
                let swapped = if ordered { swapped } else { Vec::new() };
                for (what, lines) in
                    [("without", fewer), ("with twice", more), ("with swapped", swapped)]
                {
                    let text = lines.join("\n") + "\n";
                    damage.check_text(
                        &format!("{what} line {}", at + 1),
                        name,
                        text,
                        &files,
                        &intact,
                    );
                }
            }
            // Whole numbers replaced by what is none. Commas and blanks keep their places.
            let separators = |c: char| c.is_whitespace() || ",[]{}:()\"'".contains(c);
            let starts: Vec<(usize, usize)> = text
                .split(separators)
                .filter(|token| token.parse::<f64>().is_ok())
                .map(|token| (token.as_ptr() as usize - text.as_ptr() as usize, token.len()))
                .collect();
            for (start, length) in starts.iter().step_by(1 + starts.len() / 12) {
                for junk in ["NaN", "inf", "-1e400", "x", "9999999999"] {
                    let text = format!("{}{junk}{}", &text[..*start], &text[start + length..]);
                    damage.check_text(
                        &format!("{junk} at byte {start}"),
                        name,
                        text,
                        &files,
                        &intact,
                    );
                }
            }
            for (what, bytes) in [
                ("empty", Vec::new()),
                ("binary", vec![0, 1, 2, 3]),
                ("a picture", b"\x89PNG\r\n\x1a\n\0\0".to_vec()),
                (
                    "UTF-16",
                    text.encode_utf16().fold(vec![0xff, 0xfe], |mut all, c| {
                        all.extend(c.to_le_bytes());
                        all
                    }),
                ),
                ("a page", b"<!DOCTYPE html>\n<html>404</html>\n".to_vec()),
                ("NetCDF", b"CDF\x01\0\0".to_vec()),
                ("packed junk", b"\x1f\x8b junk".to_vec()),
            ] {
                let mut damaged = files.clone();
                damaged.insert(name.clone(), bytes);
                let refused = damage.refused;
                damage.check(&format!("{name}: {what}"), name, &damaged, &intact);
                assert_eq!(damage.refused, refused + 1, "{name}: {what}");
            }
        }
    }
    assert!(damage.cases > 1_500 && 2 * damage.refused > damage.cases, "{} cases", damage.cases);
    eprintln!("{} damaged files: {} refused, {} noted", damage.cases, damage.refused, damage.noted);
}

#[test]
fn changed_bytes_never_panic() {
    const BYTES: &[u8] = b"0123456789.-+eE ,:\n\"'{}[]()#N\xff\xc3";
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for format in Format::ALL {
        let files = written(format);
        for name in files.keys() {
            for _ in 0..300 {
                let mut damaged = files.clone();
                let Some(bytes) = damaged.get_mut(name) else { continue };
                for _ in 0..=random(4) {
                    let at = random(bytes.len());
                    bytes[at] = BYTES[random(BYTES.len())];
                }
                let outcome = catch_unwind(AssertUnwindSafe(|| read_files(name, &damaged)));
                assert!(outcome.is_ok(), "{name}: {}", String::from_utf8_lossy(&damaged[name]));
            }
        }
    }
}

/// Replaces text in one of a format's files and returns the outcome.
fn with(format: Format, ending: &str, from: &str, to: &str) -> Outcome {
    let mut files = written(format);
    let name = files.keys().find(|name| name.ends_with(ending)).unwrap().clone();
    let text = String::from_utf8(files[&name].clone()).unwrap();
    assert!(text.contains(from), "{name} has no {from:?}:\n{text}");
    files.insert(name.clone(), text.replace(from, to).into());
    read_files(&name, &files)
}

#[test]
fn errors_name_line_reason_and_remedy() {
    use Format::*;
    let cases: [(Format, &str, &str, &str, &str); 22] = [
        (
            NdbcRealtime,
            ".swdir",
            "alpha1_1",
            "alpha2_1",
            "line 1: the header does not name alpha1_1",
        ),
        (NdbcRealtime, ".swr1", " 0.", " 37.", "line 2: r1 is 37."),
        (NdbcRealtime, ".data_spec", " 11.", " -11.", "line 2: spectral densities is -11"),
        (NdbcRealtime, ".data_spec", " 11.0", " 99999990.0", "significant wave height"),
        (NdbcRealtime, ".data_spec", "(0.080000)", "(0.062500)", "the frequencies differ"),
        (NdbcRealtime, ".swdir", " 315.", " 915.", "direction 915"),
        (NdbcYearly, "k2020.txt", ".080000", "", "line 2: the row has 6 values. Expected 5"),
        (NdbcYearly, "k2020.txt", "#YY  MM", "#AA  MM", "the header is missing"),
        (
            NdbcYearly,
            "w2020.txt",
            "2020 06 08",
            "2020 13 08",
            "line 2: the row does not begin with a date",
        ),
        (
            WaveWatch,
            ".spec",
            "     6     8 ",
            "     6     9 ",
            "there are 10 directions. Expected 9",
        ),
        (
            WaveWatch,
            ".spec",
            "     6     8 ",
            " 9999999999  9999999999 ",
            "line 1: \"9999999999\" is not a count",
        ),
        (WaveWatch, ".spec", "     6     8 ", " 99999  99999 ", "not a finite number"),
        (WaveWatch, ".spec", "E+00", "E+02", "out of range"),
        (Swan, ".spec", "m2/Hz/degr   ", "cm2/Hz/degr  ", "the quantity is VaDens in cm2/Hz/degr"),
        (Swan, ".spec", "VaDens", "AcDens", "the quantity is AcDens"),
        (Swan, ".spec", "NDIR", "XDIR", "\"XDIR\" is no part of the header"),
        (Swan, ".spec", "FACTOR\n", "FACTOR\n -1 ", "the factor is -1"),
        (SpotterCsv, ".csv", "a1_0", "c1_0", "0 columns a1_0"),
        (SpotterCsv, ".csv", "a1_", "x1_", "Download the file with wave spectra included"),
        (
            Csv,
            ".csv",
            "# direction: from, nautical\n",
            "",
            "no comment before this line states the direction",
        ),
        (Csv, ".csv", "m2/Hz/deg", "m2/Hz", "the density's unit does not fit the header"),
        (
            Json,
            ".json",
            "\"towards_rad\":[0.0,",
            "\"towards_rad\":[7.0,",
            "the directions are not three or more that ascend",
        ),
    ];
    for (format, ending, from, to, expected) in cases {
        let error = with(format, ending, from, to).expect_err(expected).to_string();
        assert!(error.contains(expected), "{format:?} {from:?}: {error}");
        assert!(error.contains("Expected") && error.ends_with('.'), "{error}");
    }
    let swapped = with(SpotterCsv, ".csv", "a1_", "tmp_").is_err();
    assert!(swapped);
    let mut files = written(SpotterCsv);
    let text = String::from_utf8(files["41010.csv"].clone()).unwrap();
    let text = text.replace("a1_", "tmp_").replace("b1_", "a1_").replace("tmp_", "b1_");
    files.insert("41010.csv".into(), text.into());
    // At 45 degrees the exchange of a1 and -b1 is a turn by 180 degrees.
    assert!(
        read_files("41010.csv", &files).unwrap_err().to_string().contains("contradicts a1 and b1")
    );
    let mut files = written(NdbcRealtime);
    files.remove("41010.swr2");
    let error = read_files("41010.swdir", &files).unwrap_err().to_string();
    assert!(error.contains("41010.swr2 (r2) is missing"), "{error}");
}

/// ZERO stands for a table of any size.
#[test]
fn swan_headers_do_not_fill_the_memory() {
    let header = |count: usize, times: usize| {
        let axis = |from: f64, to: f64| -> String {
            let step = (to - from) / count as f64;
            (0..count).map(|index| format!("{:.6}\n", from + step * index as f64)).collect()
        };
        let zeros: String =
            (0..times).map(|time| format!("2020{:02}01.000000\nZERO\n", 1 + time % 12)).collect();
        format!(
            "SWAN   1\nTIME\n1\nLONLAT\n1\n0 0\nAFREQ\n{count}\n{}NDIR\n{count}\n{}QUANT\n1\nVaDens\nm2/Hz/degr\n-99\n{zeros}",
            axis(0.01, 1.0),
            axis(0.0, 360.0),
        )
    };
    let refused =
        |count, times| read_text("zero.spec", &header(count, times)).unwrap_err().to_string();
    let error = refused(100_000, 1);
    assert!(
        error.contains("line 200015: 100000 frequencies x 100000 directions are too many"),
        "{error}"
    );
    let error = refused(2_000, 5);
    assert!(error.contains("line 4025: there are more than 16000000 densities"), "{error}");
}

#[test]
fn harmless_damage_is_repaired_and_noted() {
    use Format::*;
    let missing_row = with(NdbcRealtime, ".swr1", "2020 06 08 04", "2020 06 08 05").unwrap();
    assert_eq!((missing_row.0.spectra().len(), missing_row.1.len()), (1, 2), "{:?}", missing_row.1);

    // A missing direction between neighbours of the same direction is that direction.
    let intact = read_files("41010.csv", &written(SpotterCsv)).unwrap().0;
    let mut files = written(NdbcRealtime);
    let text = String::from_utf8(files["41010.swr1"].clone()).unwrap();
    let row: Vec<&str> = text.lines().nth(1).unwrap().split(' ').collect();
    let text = text.replace(row[9], "999.0");
    files.insert("41010.swr1".into(), text.into());
    let (sea, notes) = read_files("41010.swr1", &files).unwrap();
    assert!(notes[0].contains("interpolated between neighbours"), "{notes:?}");
    for (a, b) in sea.spectra()[0].moments().iter().zip(intact.spectra()[0].moments()) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.05), "{a:?} {b:?}");
    }

    let text = "# direction: from, nautical\n# density: m2/Hz/deg\nfrequency_hz,0,10,20,30,40\n0.2,0,1,1,1,0\n0.1,1,1,1,1,1\n";
    let (sea, notes) = read_text("sector.csv", text).unwrap();
    assert!(notes[0].contains("descend") && notes[1].contains("sector"), "{notes:?}");
    assert_eq!(sea.spectra()[0].frequencies_hz, [0.1, 0.2]);
    for (density, expected) in sea.spectra()[0].density_m2_per_hz.iter().zip([50.0, 30.0]) {
        assert!((density - expected).abs() < 1e-9);
    }

    let closing = "# direction: from, nautical\n# density: m2/Hz/deg\nfrequency_hz,0,90,180,270,360\n0.1,1,0,0,0,1\n0.2,1,0,0,0,1\n";
    let (sea, notes) = read_text("closing.csv", closing).unwrap();
    assert!(notes[0].contains("repeated direction") && notes.len() == 1, "{notes:?}");
    assert!((sea.spectra()[0].density_m2_per_hz[0] - 90.0).abs() < 1e-9);

    let impossible = "# direction: from, nautical\n# density: m2/Hz\nfrequency_hz,density,a1,b1,a2,b2\n0.1,1,0.9,0,-0.9,0\n0.2,1,0,0,0,0\n";
    assert!(
        read_text("impossible.csv", impossible).unwrap().1[0].contains("belong to no distribution")
    );
    let dry = NORTH_WEST[1].1.replace("FACTOR\n 0.01\n 0 0 0 100\n 0 0 0 100\n", "NODATA\n");
    assert!(read_text("dry.spec", &dry).unwrap_err().to_string().contains("dry point"));
    let fortran = NORTH_WEST[0].1.replace("1.0 1.0 0.0 0.0", "1.0D+00 1.0 0.1-100 0.0");
    assert!(read_text("fortran.spec", &fortran).is_ok());
}

/// A plain CSV file of a spectrum at each of some hours, of which the variance differs from hour to hour.
fn hours_csv(hours: &[u32]) -> Vec<u8> {
    let spectrum = |hour: &u32| {
        let (density, time) = (1 + hour, format!("# time: 2020-06-08T{hour:02}:00:00Z\n"));
        format!("{time}frequency_hz,0,120,240\n0.1,0,0,0\n0.2,{density},0,0\n")
    };
    let spectra: String = hours.iter().map(spectrum).collect();
    format!("# station: Buoy 7\n# direction: from, nautical\n# density: m2/Hz/deg\n{spectra}")
        .into()
}

fn untimed_csv(density: f64) -> Vec<u8> {
    let rows = format!("frequency_hz,0,120,240\n0.1,0,0,0\n0.2,{density},0,0\n");
    format!("# direction: from, nautical\n# density: m2/Hz/deg\n{rows}").into()
}

fn read_together(files: &[(&str, Vec<u8>)]) -> Outcome {
    let files = files.iter().map(|(name, bytes)| (name.to_string(), bytes.clone()));
    read_all(&files.collect::<Vec<_>>())
}

#[test]
fn files_together_are_one_record_in_order_of_time() {
    let (sea, notes) = read_together(&[
        ("late.csv", hours_csv(&[3, 4])),
        ("early.csv", hours_csv(&[1, 2])),
        ("again.csv", hours_csv(&[2, 5])),
    ])
    .unwrap();
    assert_eq!(
        (sea.station(), sea.hours().collect::<Vec<_>>()),
        ("Buoy 7", vec![0.0, 1.0, 2.0, 3.0, 4.0])
    );
    let variances: Vec<f64> = sea.spectra().iter().map(RecordedSpectrum::variance_m2).collect();
    assert!(variances.windows(2).all(|pair| pair[0] < pair[1]), "{variances:?}");
    assert!(
        matches!(&notes[..], [note] if note.starts_with("again.csv: 1 of 2 spectra")),
        "{notes:?}"
    );

    let [high, low] = [untimed_csv(9.0), untimed_csv(1.0)];
    let (sea, notes) = read_together(&[("a.csv", high.clone()), ("b.csv", low)]).unwrap();
    assert_eq!((sea.hours().collect::<Vec<_>>(), notes), (vec![0.0, 1.0], vec![]));
    let [first, last] = [0, 1].map(|index| sea.spectra()[index].variance_m2());
    assert!(first > last, "{first} {last}");

    let mixed = read_together(&[("timed.csv", hours_csv(&[1])), ("untimed.csv", high)]);
    let error = mixed.unwrap_err().to_string();
    assert!(error.starts_with("untimed.csv: ") && error.contains("open it alone"), "{error}");
}

#[test]
fn five_files_of_a_buoy_together_are_one_record() {
    let packed = |bytes: &[u8]| {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), Default::default());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    };
    let files: Vec<_> = written(Format::NdbcRealtime).into_iter().collect();
    let alone = read_files("41010.data_spec", &written(Format::NdbcRealtime)).unwrap();
    assert_eq!(read_all(&files).unwrap(), alone);
    let gz = |(name, bytes): &(String, Vec<u8>)| (format!("{name}.gz"), packed(bytes));
    let mut files: Vec<_> = files.iter().rev().map(gz).collect();
    assert_eq!(read_all(&files).unwrap().0, alone.0);
    // Another station's file beside them has its own times.
    files.push(("other.csv".into(), hours_csv(&[0])));
    let (sea, notes) = read_all(&files).unwrap();
    assert_eq!((sea.station(), sea.spectra().len(), notes), ("41010, Buoy 7", 3, vec![]));
    assert_eq!(sea.position_deg(), None);
    files.remove(2);
    let error = read_all(&files).unwrap_err().to_string();
    assert!(error.contains("is missing") && error.contains("open them together"), "{error}");
}

#[test]
fn paths_together_are_one_record() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["b.csv", "a.csv"].map(|name| folder.path().join(name));
    std::fs::write(&paths[0], hours_csv(&[7])).unwrap();
    std::fs::write(&paths[1], hours_csv(&[6])).unwrap();
    let (sea, _) = open_all(&paths).unwrap();
    assert_eq!(sea.hours().collect::<Vec<_>>(), [0.0, 1.0]);
    let missing = folder.path().join("missing.csv");
    let error = open_all(&[paths[0].clone(), missing]).unwrap_err();
    assert!(matches!(&error, SpectrumFileError::NotFound { .. }), "{error}");
}
