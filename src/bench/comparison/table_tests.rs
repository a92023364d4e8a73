use super::table::*;
use super::*;
use crate::fft::Precision;

fn measured(median_us: f64, images_measured: u32, settled: bool) -> Option<Outcome<Measured>> {
    Some(Outcome::Measured(Measured {
        median_us: Some(median_us),
        p5_us: Some(0.9 * median_us),
        p95_us: Some(1.2 * median_us),
        copy_share: Some(0.5),
        speed_up: Some(2.0),
        relative_max_error: 3e-7,
        relative_l2_error: 1e-7,
        workgroup_bytes: 8192,
        dispatches: 2,
        images_measured,
        scale: f64::from(16_u32.div_ceil(2) / images_measured.div_ceil(2)),
        samples: 30,
        settled,
        known_us: None,
        repetitions: 30,
        bytes_moved: Some(1 << 24),
    }))
}

/// A table with a row of every outcome.
pub(crate) fn example() -> Table {
    let line = |entry, kind, algorithm: &str, outcome: Option<Outcome<Measured>>| Line {
        entry,
        kind,
        algorithm: algorithm.to_owned(),
        chosen: (algorithm == "best").then(|| "stockham-r8".to_owned()),
        configuration: None,
        baseline: entry == Some(0),
        pending: outcome.is_none().then_some("waiting"),
        outcome,
    };
    use RowKind::{FusedStep, PlainStep, Transform};
    Table {
        size: 512,
        batch: 16,
        precision: Precision::F32,
        timer: Timer::GpuTimestamps,
        clock_step_us: None,
        rows: vec![
            line(None, Transform, "copy", measured(5.0, 16, true)),
            line(Some(0), Transform, "best", measured(10.0, 16, true)),
            line(Some(1), Transform, "dft", measured(12_345.0, 1, false)),
            line(
                Some(2),
                Transform,
                "four-step",
                Some(Outcome::skipped("too <long>, \"it\" says")),
            ),
            line(
                Some(3),
                PlainStep,
                "stockham-r2",
                Some(Outcome::failed("relative L2 error 1e-1")),
            ),
            line(Some(4), FusedStep, "stockham-r8", None),
        ],
    }
}

#[test]
fn each_row_says_what_is_known_of_it() {
    let text = example().text();
    let cell = |row: usize, column: &str| {
        let column = text.headings.iter().position(|heading| heading == column).unwrap();
        text.rows[row][column].as_str()
    };
    assert!(text.rows.iter().all(|row| row.len() == text.headings.len()));
    assert_eq!(cell(0, "largest error"), "-");
    assert_eq!((cell(1, "algorithm"), cell(1, "note")), ("best (stockham-r8)", "baseline"));
    assert_eq!((cell(1, "median [us]"), cell(1, "% of copy")), ("10.0", "50"));
    assert_eq!(cell(2, "note"), "measured on 1 of 16 images, multiplied by 8; settling");
    assert_eq!(cell(3, "median [us]"), "-");
    assert!(cell(4, "note").starts_with("FAILED"), "a wrong result has no time");
    assert_eq!(cell(4, "median [us]"), "-");
    assert_eq!(cell(5, "note"), "waiting");
    assert!(example().title().contains("16 images of 512 x 512"));
}

#[test]
fn csv_and_json_hold_the_same() {
    let table = example();
    let csv = table.csv();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 1 + table.rows.len());
    let columns = lines[0].split(',').count();
    assert_eq!(lines[1].split(',').count(), columns);
    assert!(lines[1].starts_with("transform,copy,,512,16,f32,gpu_timestamps,false,5.0,"), "{csv}");
    assert!(lines[4].ends_with(",,\"too <long>, \"\"it\"\" says\","), "{}", lines[4]);
    assert!(lines[5].ends_with(",,,relative L2 error 1e-1"), "{}", lines[5]);
    assert!(lines[6].ends_with(",waiting,,"), "{}", lines[6]);
    let json = serde_json::to_value(&table).unwrap();
    assert_eq!(json["size"], 512);
    assert_eq!(json["rows"][1]["median_us"], 10.0);
    assert_eq!(json["rows"][1]["chosen"], "stockham-r8");
    assert_eq!(json["rows"][3]["skipped"], "too <long>, \"it\" says");
    assert!(json["rows"][4].get("median_us").is_none());
    assert!(table.markdown("An adapter").starts_with("Inverse FFT of 16 images"));
}

#[test]
fn the_picture_is_well_formed_whatever_is_known() {
    let mut none = example();
    none.rows.retain(|line| line.measured().is_none());
    let empty = Table { rows: Vec::new(), ..example() };
    for table in [example(), none, empty] {
        let svg = table.svg("A & B");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(svg.contains("A &amp; B") && !svg.contains("<long>"));
        for tag in ["svg", "text"] {
            let count = |what: &str| svg.matches(what).count();
            assert_eq!(count(&format!("<{tag} ")), count(&format!("</{tag}>")), "{tag}");
        }
    }
    let svg = example().svg("");
    // A bar for each row that has a time, and the background.
    assert_eq!(svg.matches("<rect").count(), 1 + 3);
}
