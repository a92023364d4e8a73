//! `--spectrum-file`: seas of measured spectra, and files of spectra of seas.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{NO_ADAPTER, folder, seaway_with};

/// Two times of NDBC's buoy 41010.
fn buoy() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/spectrum_file/tests/41010.data_spec")
}

fn report(line: &str, says: &[&str]) -> serde_json::Value {
    let outcome = seaway_with(&format!("spectrum {line} --format json"), &NO_ADAPTER);
    serde_json::from_str(&outcome.expect(0, says).stdout).unwrap()
}

fn number(report: &serde_json::Value, path: &str) -> f64 {
    report.pointer(path).and_then(serde_json::Value::as_f64).unwrap_or_else(|| panic!("{path}"))
}

#[test]
fn a_file_replaces_the_model() {
    let file = buoy();
    let line = format!("--spectrum-file {} --wind-speed-mps 7 --size 64", file.display());
    let found = report(&line, &["station 41010 (NDBC realtime)", "wind 7.0 m/s", "(as given)"]);
    let file_m = number(&found, "/recorded/file/significant_wave_height_m");
    let drawn_m = number(&found, "/recorded/drawn/significant_wave_height_m");
    let error_m = number(&found, "/recorded/drawn_height_error_m");
    assert!((drawn_m - file_m).abs() < 4.0 * error_m + 0.01 * file_m, "{drawn_m} of {file_m} m");
    let whole_m = number(&found, "/significant_wave_height_m");
    assert!((whole_m / file_m - 1.0).abs() < 0.03, "{whole_m} of {file_m} m");
    let later = report(&format!("{line} --spectrum-time 2020-06-08T03:50"), &["2020-06-08T03:50"]);
    assert_eq!(found["recorded"]["station"], "41010");
    assert_ne!(later["recorded"]["time"], found["recorded"]["time"]);
}

#[test]
fn a_preset_may_name_a_spectrum_file() {
    let out = folder("spectrum-preset");
    for extension in ["data_spec", "swdir", "swdir2", "swr1", "swr2"] {
        fs::copy(buoy().with_extension(extension), out.join(format!("b.{extension}"))).unwrap();
    }
    let preset = out.join("day.toml");
    fs::write(&preset, "[sea]\nspectrum_file = \"b.data_spec\"\nchoppiness = 0.5\n").unwrap();
    let of_file = report(&format!("--spectrum-file {} --choppiness 0.5", buoy().display()), &[]);
    let of_preset = report(&format!("--preset {}", preset.display()), &[]);
    for path in ["/significant_wave_height_m", "/mean_square_slope", "/recorded/drawn/spread_deg"] {
        assert_eq!(number(&of_file, path), number(&of_preset, path), "{path}");
    }
    for list in ["[\"b.data_spec\", \"b.swdir\"]", "[\n  \"b.data_spec\",\n  \"b.swdir\",\n]"] {
        fs::write(&preset, format!("[sea]\nspectrum_file = {list}\nchoppiness = 0.5\n")).unwrap();
        let of_list = report(&format!("--preset {}", preset.display()), &[]);
        assert_eq!(of_list["recorded"]["file"], of_preset["recorded"]["file"]);
    }
    let line = format!("spectrum --preset {}", preset.display());
    fs::write(&preset, "[sea]\nspectrum_file = \"b.data_spec\"\n\nchopiness = 0.5\n").unwrap();
    seaway_with(&line, &NO_ADAPTER).expect(1, &["day.toml", "line 4", "chopiness"]);
    fs::write(&preset, "[sea]\nspectrum_file = \"missing.spec\"\n").unwrap();
    seaway_with(&line, &NO_ADAPTER).expect(1, &["day.toml", "missing.spec", "no file"]);
}

/// A buoy in a calm may measure no waves at all.
#[test]
fn a_flat_sea_has_finite_figures() {
    let flat = folder("spectrum-flat").join("flat.csv");
    let text = "# direction: from, nautical\n# density: m2/Hz\n# time: 2020-06-08T03:50:00Z\n\
                frequency_hz,density,a1,b1,a2,b2\n0.05,0,0,0,0,0\n0.1,0,0,0,0,0\n0.2,0,0,0,0,0\n";
    fs::write(&flat, text).unwrap();
    let line = format!("--spectrum-file {} --size 64", flat.display());
    let found = report(&line, &["no energy"]);
    assert!(!found.to_string().contains("null"), "{found}");
    assert!(number(&found, "/significant_wave_height_m") < 0.2, "{found}");
    for format in ["table", "csv"] {
        let outcome = seaway_with(&format!("spectrum {line} --format {format}"), &NO_ADAPTER);
        let shown = outcome.expect(0, &[]).stdout;
        assert!(!shown.contains("NaN") && !shown.contains("inf"), "{shown}");
    }
}

#[test]
fn several_files_are_one_record() {
    let out = folder("spectrum-several");
    let file = |name: &str, hour: u32| {
        let path = out.join(name);
        let rows = "frequency_hz,0,120,240\n0.1,0,0,0\n0.2,0,0.02,0\n";
        let head = "# direction: from, nautical\n# density: m2/Hz/deg";
        fs::write(&path, format!("{head}\n# time: 2020-06-08T{hour:02}:00:00Z\n{rows}")).unwrap();
        path.display().to_string()
    };
    let [late, early] = [file("late.csv", 6), file("early.csv", 4)];
    let at = "--spectrum-time 2020-06-08T05:00 --size 64";
    for files in [
        format!("--spectrum-file {late} {early}"),
        format!("--spectrum-file {late} --spectrum-file {early}"),
    ] {
        let found = report(&format!("{files} {at}"), &["2 times", "2020-06-08T05:00"]);
        assert_eq!(found["recorded"]["time"], "2020-06-08T05:00:00Z");
    }
}

/// A written sea, read back, is the sea, to what 72 directions and the digits of each format hold.
#[test]
fn written_spectra_are_read_back() {
    let line = "--preset crossing-seas --size 64 --wind-speed-mps 8 --wind-direction-deg 30 --depth-m 1000";
    let original = report(line, &[]);
    for (format, name) in [
        ("csv", "seaway.csv"),
        ("spotter-csv", "seaway.csv"),
        ("json", "seaway.json"),
        ("swan", "seaway.spec"),
        ("wavewatch", "seaway.spec"),
    ] {
        let out = folder(&format!("spectrum-{format}"));
        let out_line = format!("{line} --out {} --file-format {format}", out.display());
        report(&out_line, &["Wrote"]);
        let wind = "--wind-speed-mps 8 --wind-direction-deg 30 --depth-m 1000";
        let back = format!("--size 64 {wind} --spectrum-file {}", out.join(name).display());
        let back = report(&back, &["station seaway"]);
        for (path, tolerance) in [
            ("/significant_wave_height_m", 0.01),
            ("/mean_square_slope_along", 0.05),
            ("/mean_square_slope_across", 0.05),
        ] {
            let ratio = number(&back, path) / number(&original, path);
            assert!((ratio - 1.0).abs() < tolerance, "{format} {path}: {ratio}");
        }
    }
}

#[test]
fn impossible_spectrum_files_say_why() {
    let out = folder("spectrum-bad");
    let fails = |name: &str, text: &str, says: &[&str]| {
        let path = out.join(name);
        fs::write(&path, text).unwrap();
        let line = format!("spectrum --spectrum-file {}", path.display());
        seaway_with(&line, &NO_ADAPTER).expect(1, says);
    };
    fails("empty.spec", "", &["empty.spec"]);
    fails("poem.txt", "The sea was wet as wet could be", &["poem.txt", "Expected NDBC"]);
    fails("model.nc", "CDF\u{1} and so on", &["NetCDF", "pip install wavespectra"]);
    let half = fs::read_to_string(buoy()).unwrap();
    fails("41010.data_spec", &half[..half.len() / 3], &["41010.swdir", "missing"]);
    let line =
        format!("spectrum --spectrum-file {} --spectrum-time 1999-01-01T00:00", buoy().display());
    seaway_with(&line, &NO_ADAPTER).expect(2, &["the record has"]);
    let line = "spectrum --spectrum-time 2020-01-01T00:00";
    seaway_with(line, &NO_ADAPTER).expect(2, &["--spectrum-file"]);
    seaway_with("spectrum --spectrum-time noon", &NO_ADAPTER).expect(2, &["2019-02-10T05:40"]);
}
