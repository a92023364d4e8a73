//! Tests of the command `seaway bench --ocean`.

use std::fs;

use crate::support::{NO_ADAPTER, folder, seaway, seaway_with};

/// The smallest benchmark that shows that the command works.
const SMALL: &str = "bench --ocean --size 32 --samples 3 --budget-s 0.05";

const PLAIN: [&str; 7] = ["spectrum", "rows", "columns", "maps", "mips", "to_maps", "whole"];
const FUSED: [&str; 5] = ["spectrum_rows", "columns_maps", "mips", "to_maps", "whole"];

#[test]
fn stages_are_timed_in_both_regimes_and_maps_checked() {
    // Not a terminal: lines in place of a progress bar.
    let rows = seaway(&format!("{SMALL} --format json"))
        .expect(0, &["adapter: ", "32 x 32, cascades 4, fused, best"])
        .json();
    let rows = rows.as_array().expect("an array");
    let mut index = 0;
    for cascades in [1, 4] {
        for (path, stages) in [("plain", &PLAIN[..]), ("fused", &FUSED[..])] {
            for regime in ["hot", "frame"] {
                for stage in stages {
                    let row = &rows[index];
                    index += 1;
                    for (key, value) in [
                        ("path", path),
                        ("regime", regime),
                        ("algorithm", "best"),
                        ("map_format", "f16"),
                    ] {
                        assert_eq!(row[key], value, "{row}");
                    }
                    assert_eq!((&row["size"], &row["cascades"]), (&32.into(), &cascades.into()));
                    if row["skipped"].as_str().is_some_and(|why| why.contains("timestamps")) {
                        assert_eq!((regime, &row["stage"]), ("frame", &"whole".into()));
                        break;
                    }
                    assert_eq!(row["stage"], *stage, "{row}");
                    assert!(!row["adapter"].as_str().unwrap().is_empty());
                    let number =
                        |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{key}: {row}"));
                    assert!(number("median_us") > 0.0, "{row}");
                    assert!(number("p5_us") <= number("median_us"), "{row}");
                    assert!(number("median_us") <= number("p95_us"), "{row}");
                    assert!((1.0..=3.0).contains(&number("samples")), "{row}");
                    let error = number("relative_l2_error");
                    assert!(error > 0.0 && error < 6e-4, "{row}");
                    assert!(number("mips_error") < 2e-3, "{row}");
                    let stage_timer = row["stage_timer"].as_str().unwrap();
                    if regime == "hot" {
                        assert_eq!(stage_timer, "repeated");
                    } else {
                        assert_eq!(number("repetitions"), 1.0);
                        let known = ["within_pass", "pass_each", "submission_each"];
                        assert!(known.contains(&stage_timer), "{row}");
                    }
                    let by_wall = row["timer"] == "wall";
                    assert!(by_wall || row["timer"] == "gpu_timestamps", "{row}");
                }
            }
        }
    }
    assert_eq!(index, rows.len());
}

#[test]
fn a_step_can_be_stored_and_shown_again() {
    let file = folder("ocean-bench").join("ocean.json");
    let line = format!(
        "{SMALL} --cascades 2 --path fused --algorithm stockham-r4,stockham-r16 --row-lines 1 \
         --format json --out {}",
        file.display()
    );
    let rows = seaway(&line).expect(0, &[]).json();
    assert_eq!(rows[0]["parameters"]["row-lines"], 1, "{rows}");
    let stored: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!((&stored["rows"], &stored["complete"]), (&rows, &true.into()));
    assert!(stored["command"].as_str().unwrap().starts_with("seaway bench --ocean"), "{stored}");

    // Needs no adapter.
    let from = |format: &str| {
        let line = format!("bench --ocean --from {} --format {format}", file.display());
        seaway_with(&line, &NO_ADAPTER).expect(0, &[])
    };
    assert_eq!(from("json").json(), rows);
    let table = from("table").stdout;
    assert!(table.starts_with("size") && table.contains("in columns"), "{table}");
    assert!(from("csv").stdout.starts_with("algorithm,size,cascades,path,regime,stage,"));
    let markdown = from("markdown").stdout;
    assert!(markdown.contains("| 32 | 2 | fused | hot | stockham-r4 |"), "{markdown}");
    let summary = from("summary").stdout;
    assert!(summary.contains("| 32 x 2, stockham-r16 |"), "{summary}");

    // A file of one kind is not of the other.
    seaway(&format!("bench --from {}", file.display()))
        .expect_failure(1, &["ocean.json was not written by"]);
}

#[test]
fn the_impossible_is_refused_or_skipped_with_a_reason() {
    for (line, word) in [
        ("--batch 4", "--batch"),
        ("--peer rustfft", "--peer"),
        ("--cpu", "--cpu"),
        ("--cascades 5", "--cascades"),
        ("--format svg", "--format"),
        ("--algorithm auto --row-lines 1", "auto"),
    ] {
        seaway_with(&format!("bench --ocean {line}"), &NO_ADAPTER).expect_failure(2, &[word]);
    }
    seaway_with("bench --cascades 4", &NO_ADAPTER).expect_failure(2, &["--ocean"]);
    seaway_with("bench --path fused", &NO_ADAPTER).expect_failure(2, &["--ocean"]);
    seaway_with("bench --ocean", &NO_ADAPTER).expect_failure(3, &["no usable graphics adapter"]);

    // The maps begin at 16 texels.
    let line = "bench --ocean --size 8 --cascades 1 --path plain --format json";
    let rows = seaway(line).expect(0, &[]).json();
    assert_eq!(rows.as_array().unwrap().len(), 2, "{rows}");
    assert!(rows[0]["skipped"].as_str().unwrap().contains("16 to 8192"), "{rows}");
    assert!(rows[0].get("median_us").is_none());
}
