//! Tests of the command `seaway bench`.

use std::fs;

use seaway::fft::lab::reference::{self, Lines};
use seaway::fft::lab::{self, Algorithm};
use seaway::fft::{Descriptor, Direction};
use seaway_core::choice::Choice as _;

use crate::support::{NO_ADAPTER, folder, seaway, seaway_with};

/// The smallest benchmark that shows that the command works.
const SMALL: &str = "--size 64 --batch 2 --samples 3";

#[test]
fn every_algorithm_is_timed_and_checked() {
    let bench = seaway(&format!("bench {SMALL} --axes --format json")).expect(0, &["adapter: "]);
    let rows = bench.json();
    let rows = rows.as_array().expect("an array");
    // Every one, what is known to be best, and what `auto` makes of them.
    assert_eq!(rows.len(), Algorithm::ALL.len() + 2);
    for (row, name) in rows.iter().zip(Algorithm::NAMES.iter().chain(&["best", "auto"])) {
        assert_eq!(row["algorithm"], *name);
        let chosen = row["chosen"]["algorithm"].as_str();
        assert_eq!(
            ["best", "auto"].contains(name),
            chosen.is_some_and(|name| Algorithm::NAMES.contains(&name))
        );
        assert_eq!((&row["size"], &row["batch"]), (&64.into(), &2.into()));
        assert_eq!(row["dimensions"], 2, "{row}");
        for (key, value) in [
            ("kind", "complex"),
            ("precision", "f32"),
            ("normalization", "none"),
            ("direction", "inverse"),
            ("layout", "pair"),
            ("regime", "hot"),
            ("placement", "out_of_place"),
        ] {
            assert_eq!(row[key], value, "{row}");
        }
        assert!(!row["adapter"].as_str().unwrap().is_empty());
        if row.get("skipped").is_some() {
            assert!(row.get("median_us").is_none(), "{row}");
            continue;
        }
        let number = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{key}: {row}"));
        assert!(number("p5_us") <= number("median_us"), "{row}");
        assert!(number("median_us") <= number("p95_us"), "{row}");
        for key in [
            "p5_us",
            "copy_us",
            "row_us",
            "column_us",
            "row_encode_us",
            "column_encode_us",
            "repetitions",
        ] {
            assert!(number(key) > 0.0, "{key}: {row}");
        }
        assert_eq!(number("samples"), 3.0, "{row}");
        let (time_us, points) = (number("median_us"), 64.0 * 64.0_f64);
        let close =
            |key: &str, value: f64| assert!((number(key) / value - 1.0).abs() < 1e-9, "{row}");
        close("gflops", 2.0 * 5.0 * points * points.log2() / time_us / 1000.0);
        close("copy_ratio", time_us / number("copy_us"));
        let peer_us = row["peer_us"]["rustfft"].as_f64().unwrap();
        assert!((row["peer_ratio"]["rustfft"].as_f64().unwrap() - time_us / peer_us).abs() < 1e-9);
        let error = number("relative_l2_error");
        assert!(error > 0.0 && error <= 1e-6, "{row}");
        match row["timer"].as_str().unwrap() {
            "gpu_timestamps" => assert!(number("gb_per_s") > 0.0),
            // A software adapter has them by the processor's clock, too.
            "wall" => assert!(row["gb_per_s"].is_null() || number("gb_per_s") > 0.0),
            other => panic!("timer {other}"),
        }
    }
}

#[test]
fn lines_volumes_and_reals_are_timed_beside_peers() {
    let line = "bench --kind complex,real,dct2 --dimensions 1,3 --size 12,6x5x4 --batch 3 --samples 3 \
                --budget-s 0.05 --algorithm mixed-radix,stockham-r8 --axes --direction forward \
                --format json";
    let rows = seaway(line).expect(0, &["12 points, real, batch 3, f32"]).json();
    let rows = rows.as_array().unwrap();
    // 12 in one and in three dimensions, and a volume.
    assert_eq!(rows.len(), 2 * 3 * 3);
    let mut timed = 0;
    for row in rows {
        let dimensions = row["dimensions"].as_u64().unwrap();
        let points = match row["size"].as_array() {
            Some(sides) => sides.iter().map(|side| side.as_f64().unwrap()).product::<f64>(),
            None => row["size"].as_f64().unwrap().powi(dimensions as i32),
        };
        assert!([12.0, 1728.0, 120.0].contains(&points), "{row}");
        assert_eq!((&row["layout"], &row["batch"]), (&"planar".into(), &3.into()));
        let Some(time_us) = row["median_us"].as_f64() else {
            assert!(!row["skipped"].as_str().unwrap().is_empty(), "{row}");
            assert_eq!(row["algorithm"], "stockham-r8", "{row}");
            continue;
        };
        timed += 1;
        let complex = row["kind"] == "complex";
        let operations = if complex { 5.0 } else { 2.5 } * 3.0 * points * points.log2();
        let gflops = row["gflops"].as_f64().unwrap();
        assert!((gflops / (operations / time_us / 1000.0) - 1.0).abs() < 1e-9, "{row}");
        assert_eq!(row["depth_us"].is_number(), dimensions == 3, "{row}");
        assert!(row["copy_us"].as_f64().unwrap() > 0.0, "{row}");
        let peers: Vec<_> = row["peer_us"].as_object().unwrap().keys().collect();
        match row["kind"].as_str().unwrap() {
            "complex" => assert_eq!(peers, ["rustfft"], "{row}"),
            "real" => assert_eq!(peers, ["realfft"], "{row}"),
            _ => assert!(peers.is_empty(), "{row}"),
        }
    }
    assert!(timed >= 9, "{timed}");
}

#[test]
fn what_cannot_run_is_skipped_with_the_reason() {
    let line = "bench --limits webgpu --size 48,64 --batch 3 --samples 3 --placement in-place \
                --algorithm stockham-r2 --regime streaming --layout planar --format json";
    let rows = seaway(line).expect(0, &[]).json();
    assert_eq!(rows.as_array().unwrap().len(), 2);
    assert!(rows[0]["skipped"].as_str().unwrap().contains("powers of two"), "{rows}");
    // And this is too small to outgrow a cache.
    assert!(rows[1]["skipped"].as_str().unwrap().contains("larger batch"), "{rows}");
    assert!(rows[1].get("median_us").is_none());
    assert_eq!(rows[1]["placement"], "in_place");
}

#[test]
fn tables_for_people_spreadsheets_and_documents() {
    let line = format!("bench {SMALL} --algorithm stockham-r4,cooley-tukey --placement in-place");
    let table = seaway(&line).expect(0, &[]).stdout;
    assert!(table.starts_with("algorithm"), "{table}");
    assert!(table.contains("% of copy") && table.contains("time / rustfft"), "{table}");
    let csv = seaway(&format!("{line} --format csv")).expect(0, &[]).stdout;
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines.len(), 3, "{csv}");
    assert!(lines[0].starts_with("algorithm,kind,dimensions,size,batch,precision"), "{csv}");
    assert!(lines[2].starts_with("cooley-tukey,complex,2,64,2,f32,inverse"), "{csv}");
    let markdown = seaway(&format!("{line} --format markdown")).expect(0, &[]).stdout;
    assert!(markdown.contains("| stockham-r4 | 64 | 2 | hot |"), "{markdown}");
}

#[test]
fn what_was_measured_can_be_stored_and_shown_again() {
    let file = folder("bench").join("rows.json");
    let line = format!(
        "bench --size 16,64 --batch 2 --samples 3 --algorithm stockham-r8,dft --placement out-of-place,in-place \
         --row-lines 1 --budget-s 0.5 --format json --out {}",
        file.display()
    );
    // Not a terminal: lines in place of a progress bar.
    let rows = seaway(&line).expect(0, &["64 x 64, batch 2, f32, in-place, hot"]).json();
    assert_eq!(rows.as_array().unwrap().len(), 8);
    assert_eq!(rows[0]["parameters"]["row-lines"], 1, "{rows}");
    let stored: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!((&stored["rows"], &stored["complete"]), (&rows, &true.into()));
    assert!(
        stored["command"].as_str().unwrap().starts_with("seaway bench --size 16,64"),
        "{stored}"
    );
    for key in ["adapter", "driver", "backend", "date", "seaway"] {
        assert!(!stored[key].as_str().unwrap().is_empty(), "{key}: {stored}");
    }

    // Needs no adapter.
    let from = |format: &str| {
        let line = format!("bench --from {} --format {format}", file.display());
        seaway_with(&line, &NO_ADAPTER).expect(0, &[])
    };
    assert_eq!(from("json").json(), rows);
    assert!(from("table").stdout.contains("in place"));
    let summary = from("summary").stdout;
    assert!(summary.contains("| batch 2, in place [us] | 16 | 64 |"), "{summary}");
    assert!(summary.contains("| best / copy |"), "{summary}");
    let svg = from("svg").stdout;
    assert!(svg.starts_with("<svg") && svg.contains("stockham-r8</text>"), "{svg}");

    let missing = file.with_file_name("none.json");
    seaway(&format!("bench --from {}", missing.display()))
        .expect_failure(1, &["none.json could not be read"]);
    seaway(&format!("bench --out {}/none/rows.json", file.display()))
        .expect_failure(1, &["rows.json could not be written"]);
    seaway(&format!("bench --from {} --size 64", file.display())).expect_failure(2, &["--size"]);
}

#[test]
fn numbers_of_16_bits_move_half_the_bytes() {
    let line = format!("bench {SMALL} --algorithm stockham-r8 --precision f32,f16 --format json");
    let rows = seaway(&line).expect(0, &[]).json();
    let bytes = |row: usize| {
        let row = &rows[row];
        row["gb_per_s"].as_f64().unwrap_or_else(|| panic!("{row}"))
            * row["median_us"].as_f64().unwrap()
    };
    assert!((bytes(0) / bytes(1) - 2.0).abs() < 1e-9, "{rows}");
    assert_eq!(rows[1]["precision"], "f16");
    assert_eq!(rows[1]["normalization"], "ortho");
    assert!(rows[1]["relative_l2_error"].as_f64().unwrap() > 1e-6, "{rows}");
}

#[test]
fn without_an_adapter_nothing_is_timed() {
    seaway_with("bench", &NO_ADAPTER).expect_failure(3, &["no usable graphics adapter"]);
}

#[test]
#[cfg(not(feature = "cuda"))]
fn without_its_feature_cuda_says_how_to_build_it() {
    // Judged before an adapter is looked for.
    for peer in ["cufft", "cuda-kernels"] {
        let option = format!("--peer {peer}");
        seaway_with(&format!("bench {option}"), &NO_ADAPTER)
            .expect_failure(2, &[&option, "needs the feature `cuda`", "--features cuda"]);
    }
}

/// Passes where CUDA is installed, too: there, this is no NVIDIA adapter.
#[test]
#[cfg(feature = "cuda")]
fn without_cuda_it_says_what_was_looked_for() {
    let software = [("WGPU_ADAPTER_NAME", "llvmpipe")];
    for peer in ["cufft", "cuda-kernels"] {
        let option = format!("--peer {peer}");
        let outcome = seaway_with(&format!("bench {SMALL} {option}"), &software);
        let missing = outcome.stderr.contains("library was not found (looked for lib")
            && outcome.stderr.contains("NVIDIA's driver");
        let other = outcome.stderr.contains("not one of the devices that CUDA lists")
            || outcome.stderr.contains("LD_LIBRARY_PATH");
        assert!(missing || other, "{}", outcome.stderr);
        outcome.expect_failure(3, &[&option]);
    }
}

#[test]
fn the_textbook_algorithms_run_on_the_processor() {
    let line = "bench --cpu --size 16,64 --samples 3";
    let rows = seaway_with(&format!("{line} --format json"), &NO_ADAPTER).expect(0, &[]).json();
    let rows = rows.as_array().expect("an array");
    assert_eq!(rows.len(), 10);
    for name in ["dft", "dit", "dif", "recursive", "rustfft"] {
        let row = rows.iter().find(|row| row["algorithm"] == name).expect(name);
        assert!(row["median_us"].as_f64().unwrap() > 0.0, "{row}");
        assert!(row["peer_ratio"]["rustfft"].as_f64().unwrap() > 0.0, "{row}");
        assert_eq!((&row["precision"], &row["length"]), (&"f64".into(), &16.into()));
    }
    let table = seaway(line).expect(0, &[]).stdout;
    assert!(table.starts_with("time [ms]  16"), "{table}");
    seaway(&format!("{line} --batch 2")).expect_failure(2, &["--batch"]);
    seaway(&format!("{line} --format svg")).expect_failure(2, &["--cpu", "--format"]);
}

#[test]
fn images_of_any_size_are_timed() {
    let line =
        "bench --size 15,12x35 --batch 2 --samples 3 --budget-s 0.2 --algorithm best,stockham-r8";
    let rows = seaway(&format!("{line} --format json")).expect(0, &["12 x 35, batch 2"]).json();
    assert_eq!(rows.as_array().unwrap().len(), 4);
    assert_eq!((&rows[0]["size"], &rows[2]["size"]), (&15.into(), &serde_json::json!([12, 35])));
    for row in [&rows[0], &rows[2]] {
        assert_eq!(row["chosen"]["algorithm"], "mixed-radix", "{row}");
        assert!(row["peer_ratio"]["rustfft"].as_f64().unwrap() > 0.0, "{row}");
    }
    for row in [&rows[1], &rows[3]] {
        assert!(row["skipped"].as_str().unwrap().contains("mixed-radix"), "{row}");
    }
    for wrong in ["0", "12x", "axb", "1x999999999"] {
        seaway(&format!("bench --size {wrong}")).expect_failure(2, &["1080x1920"]);
    }
    for command in ["--ocean", "--cpu"] {
        seaway(&format!("bench {command} --size 48")).expect_failure(2, &["powers of two"]);
    }
}

/// The other measurements of the papers are checked, too.
#[test]
fn other_measurements_are_right() {
    let line = "bench --other filter,passes,shared-batch,additive --size 64 --batch 8 --samples 3 \
                --budget-s 0.02 --format json";
    let rows = seaway(line).expect(0, &[]).json();
    let rows = rows.as_array().unwrap();
    let count = |name: &str| rows.iter().filter(|row| row["measurement"] == name).count();
    assert_eq!(["filter", "passes", "shared-batch", "additive"].map(count), [2, 3, 7, 4]);
    for row in rows {
        assert!(row["median_us"].as_f64() > Some(0.0) && row["size"] == 64, "{row}");
    }
    for (options, words) in [
        ("--other filter --size 100", "powers of two"),
        ("--other filter --size 64 --algorithm best", "--algorithm"),
        ("--other nothing --size 64", "shared-batch"),
    ] {
        let outcome = seaway(&format!("bench {options}"));
        assert_eq!(outcome.code, 2, "{options}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(words), "{options}: {}", outcome.stderr);
    }
}

/// The same algorithm with a parameter at one value after another, and a line by more invocations each
/// time: each row has its speed-up over the first.
#[test]
fn parameters_and_invocations_are_swept() {
    let line = "bench --size 64 --algorithm stockham-r2,dft --sweep row-butterflies=1,2 --sweep \
                twiddles=table,texture --samples 3 --budget-s 0.05 --peer rustfft --format json";
    let rows = seaway(line).expect(0, &[]).json();
    let rows = rows.as_array().unwrap();
    let values: Vec<_> = rows
        .iter()
        .map(|row| {
            (row["parameters"]["row-butterflies"].as_u64(), row["parameters"]["twiddles"].as_str())
        })
        .collect();
    let [one, two] = [Some(1), Some(2)];
    let [table, texture] = [Some("table"), Some("texture")];
    assert_eq!(values, [(one, table), (one, texture), (two, table), (two, texture)]);
    assert_eq!(rows[0]["speed_up"], 1.0);
    for row in rows {
        let expected = rows[0]["median_us"].as_f64().unwrap() / row["median_us"].as_f64().unwrap();
        assert!((row["speed_up"].as_f64().unwrap() - expected).abs() < 1e-9);
        assert!(row["relative_l2_error"].as_f64().unwrap() < 1e-6);
    }

    let line =
        "bench --size 64 --invocations 1..64 --algorithm stockham-r2 --samples 3 --budget-s 0.05";
    let rows = seaway(&format!("{line} --format json")).expect(0, &[]).json();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 7);
    for (row, invocations) in rows.iter().zip([1, 2, 4, 8, 16, 32]) {
        assert_eq!(row["invocations"], invocations);
        assert_eq!((&row["dimensions"], &row["batch"]), (&1.into(), &1.into()));
        assert_eq!(row["parameters"]["row-butterflies"], 32 / invocations);
    }
    assert!(rows[6]["skipped"].as_str().unwrap().contains("32 butterflies"), "{}", rows[6]);
    let table = seaway(line).expect(0, &[]).stdout;
    assert!(table.contains("invocations") && table.contains("speed-up"), "{table}");
    let svg = seaway(&format!("{line} --format svg")).expect(0, &[]).stdout;
    assert!(svg.starts_with("<svg") && svg.contains("invocations"), "{svg}");

    for (options, words) in [
        ("--sweep row-butterflies", "NAME=V"),
        ("--sweep row-nothing=1", "no algorithm has a parameter row-nothing"),
        ("--sweep row-butterflies=3", "power of two"),
        ("--sweep row-butterflies=1,2 --algorithm dft", "--algorithm stockham-r4"),
        ("--invocations 3", "powers of two"),
        ("--invocations 1..8 --algorithm best", "--algorithm"),
        ("--invocations 1..8 --batch 2", "--batch"),
        ("--invocations 1..8 --tiles true --algorithm cooley-tukey", "no parameter tiles"),
    ] {
        let outcome = seaway(&format!("bench --size 64 {options}"));
        assert_eq!(outcome.code, 2, "{options}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(words), "{options}: {}", outcome.stderr);
    }
}

/// A row as scripts/peers writes it.
fn peer_row(median_us: f64, size: u32, result: serde_json::Value) -> serde_json::Value {
    serde_json::json!({
        "algorithm": "fftw", "version": "3.3.10, 1 thread", "adapter": "A processor",
        "size": size, "dimensions": 2, "kind": "complex", "batch": 2, "precision": "f32",
        "direction": "inverse", "normalization": "none", "layout": "planar", "regime": "hot",
        "placement": "out_of_place", "median_us": median_us, "p5_us": median_us,
        "p95_us": median_us, "samples": 3, "repetitions": 1, "timer": "wall", "result": result,
    })
}

#[test]
fn a_peers_rows_stand_beside_those_of_the_same_problem() {
    let folder = folder("peer-file");
    let at = |name: &str| folder.join(name);
    let own = at("own.json");
    let line = "bench --size 16 --batch 2 --algorithm stockham-r2,dft --samples 3 --budget-s 0.1";
    seaway(&format!("{line} --out {}", own.display())).expect(0, &[]);
    // The right result for the first and the last image.
    let task = Descriptor { batch: 2, direction: Direction::Inverse, ..Descriptor::image([16; 2]) };
    let images = [0, 1].map(|index| {
        reference::transform(lab::input(&task, index), &task, &mut Lines::default()).unwrap()
    });
    let numbers = images.iter().flat_map(|image| image.numbers());
    let right: Vec<u8> = numbers.flat_map(|number| (*number as f32).to_le_bytes()).collect();
    fs::write(at("right.f32"), &right).unwrap();
    fs::write(at("wrong.f32"), vec![0; right.len()]).unwrap();
    fs::write(at("short.f32"), &right[8..]).unwrap();
    let write = |name: &str, rows: &[serde_json::Value]| {
        fs::write(at(name), serde_json::to_string_pretty(rows).unwrap()).unwrap();
    };
    let with = |files: &str, format: &str| {
        let files: Vec<_> = files.split(',').map(|file| at(file).display().to_string()).collect();
        let (own, files) = (own.display(), files.join(","));
        let line = format!("bench --from {own} --peer-file {files} --format {format}");
        seaway_with(&line, &NO_ADAPTER)
    };

    write("before.json", &[peer_row(10.0, 16, "right.f32".into()), peer_row(9.0, 32, "no".into())]);
    // The result of another problem is judged all the same.
    with("before.json", "json").expect_failure(1, &["row 2 (fftw)", "no could not be read"]);
    let mut other = peer_row(9.0, 32, serde_json::Value::Null);
    other["relative_l2_error"] = 1e-7.into();
    write("before.json", &[peer_row(10.0, 16, "right.f32".into()), other]);
    write("after.json", &[peer_row(11.0, 16, "right.f32".into())]);
    let outcome = with("before.json,after.json", "json").expect(
        0,
        &[
            "peer: FFTW 3.3.10, 1 thread on A processor",
            "1 of 2 rows of peers are left out",
            "32, batch 2, inverse, out of place",
            "+10.0%",
        ],
    );
    let rows = outcome.json();
    assert_eq!(rows.as_array().unwrap().len(), 3, "{rows}");
    let peer = &rows[2];
    assert_eq!(
        (&peer["algorithm"], &peer["version"]),
        (&"fftw".into(), &"3.3.10, 1 thread".into())
    );
    assert_eq!(peer["median_us"], 10.0, "of the faster run: {peer}");
    assert!((peer["drift"].as_f64().unwrap() - 0.1).abs() < 1e-9, "{peer}");
    for error in ["relative_l2_error", "relative_max_error"] {
        assert!((1e-9..1e-6).contains(&peer[error].as_f64().unwrap()), "{peer}");
        assert!(rows[0][error].is_number(), "{rows}");
    }
    for row in &rows.as_array().unwrap()[..2] {
        assert_eq!(row["peer_us"]["fftw"], 10.0, "{row}");
        let ratio = row["median_us"].as_f64().unwrap() / 10.0;
        assert!((row["peer_ratio"]["fftw"].as_f64().unwrap() - ratio).abs() < 1e-9, "{row}");
    }
    let table = with("before.json", "table").expect(0, &[]).stdout;
    assert!(table.contains("FFTW 3.3.10, 1 thread") && table.contains("time / FFTW"), "{table}");
    let summary = with("before.json", "summary").expect(0, &[]).stdout;
    assert!(summary.contains("| FFTW | **") || summary.contains("| FFTW | 10.0 |"), "{summary}");
    assert!(summary.contains("best / FFTW") && summary.contains("3.3.10"), "{summary}");
    let csv = with("before.json", "csv").expect(0, &[]).stdout;
    assert!(csv.starts_with("algorithm,version,kind"), "{csv}");
    let markdown = with("before.json", "markdown").expect(0, &[]).stdout;
    assert!(markdown.contains("| FFTW 3.3.10, 1 thread | 16 |"), "{markdown}");
    let svg = with("before.json", "svg").expect(0, &[]).stdout;
    assert!(svg.contains(">FFTW</text>"), "{svg}");

    // Kept rows give way to those of a later run.
    let kept = at("kept.json");
    for (from, peer, expected) in [(&own, "before.json", 10.0), (&kept, "after.json", 11.0)] {
        let line = format!(
            "bench --from {} --peer-file {} --format json --out {}",
            from.display(),
            at(peer).display(),
            kept.display()
        );
        let rows = seaway_with(&line, &NO_ADAPTER).expect(0, &[]).json();
        assert_eq!(rows.as_array().unwrap().len(), 3, "{rows}");
        assert_eq!(rows[2]["median_us"], expected, "{rows}");
        assert_eq!(rows[0]["peer_us"]["fftw"], expected, "{rows}");
    }

    // A wrong result has no time.
    write("wrong.json", &[peer_row(1.0, 16, "wrong.f32".into())]);
    let rows = with("wrong.json", "json").expect(0, &[]).json();
    assert!(rows[2]["failed"].as_str().unwrap().contains("relative L2 error"), "{rows}");
    assert!(rows[0]["peer_us"].get("fftw").is_none(), "{rows}");

    let good = || peer_row(1.0, 16, "right.f32".into());
    let changed = |key: &str, value: serde_json::Value| {
        let mut row = good();
        row[key] = value;
        row
    };
    let mut without = good();
    without.as_object_mut().unwrap().remove("batch");
    for (row, words) in [
        (without, ["missing field `batch`", "line "]),
        (
            changed("median", 1.0.into()),
            ["unknown field `median`", "scripts/peers writes such files"],
        ),
        (changed("median_us", serde_json::Value::Null), ["row 1 (fftw)", "`median_us` is missing"]),
        (
            changed("placement", "inplace".into()),
            ["row 1 (fftw)", "must be out_of_place or in_place"],
        ),
        (changed("result", serde_json::Value::Null), ["row 1 (fftw)", "relative_l2_error"]),
        (changed("result", "short.f32".into()), ["short.f32 has 4088 bytes", "have 4096"]),
        (changed("result", "none.f32".into()), ["none.f32 could not be read", "beside the rows"]),
    ] {
        write("bad.json", &[row]);
        with("bad.json", "table").expect_failure(1, &[words[0], words[1], "--peer-file"]);
    }
    with("none.json", "table").expect_failure(1, &["none.json could not be read", "scripts/peers"]);
    let line = format!("bench --ocean --peer-file {}", at("before.json").display());
    seaway(&line).expect_failure(2, &["--peer-file"]);
}
