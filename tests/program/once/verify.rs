//! Tests of the command `seaway verify`.

use seaway::fft::Direction;
use seaway::fft::lab::Algorithm;
use seaway_core::choice::Choice as _;

use crate::support::{NO_ADAPTER, seaway, seaway_with};
use seaway_core::testing::tolerance::at_most;

#[test]
fn every_algorithm_and_direction_is_checked() {
    let rows = seaway("verify --size 2,32 --batch 3 --format json").expect(0, &["passed"]).json();
    let rows = rows.as_array().expect("an array");
    assert_eq!(rows.len(), 2 * Algorithm::ALL.len() * Direction::ALL.len());
    for row in rows {
        assert!(Algorithm::NAMES.contains(&row["algorithm"].as_str().unwrap()), "{row}");
        assert!(Direction::NAMES.contains(&row["direction"].as_str().unwrap()), "{row}");
        assert_eq!(row["batch"], 3);
        let algorithm: Algorithm = row["algorithm"].as_str().unwrap().parse().unwrap();
        if row["size"] == 32 && algorithm.takes_powers_of_two() {
            assert_eq!(row["passed"], true, "{row}");
            at_most(row["relative_l2_error"].as_f64().unwrap(), 1e-6, row);
            at_most(row["max_error"].as_f64().unwrap(), 4e-6, row);
        } else {
            assert!(row["passed"] == true || row["skipped"].is_string(), "{row}");
        }
    }
}

#[test]
fn every_kind_and_dimension_is_checked() {
    let line = "verify --size 9 --kind real,dct1,dct4 --dimensions 1,3 --batch 2 \
                --algorithm mixed-radix,dft --format json";
    let rows = seaway(line).expect(0, &["passed"]).json();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 3 * 2 * 2 * 2);
    for row in rows {
        assert_eq!((&row["size"], &row["batch"]), (&9.into(), &2.into()), "{row}");
        if row["algorithm"] == "mixed-radix" {
            assert_eq!(row["passed"], true, "{row}");
            at_most(row["relative_l2_error"].as_f64().unwrap(), 1e-6, row);
        } else {
            assert!(row["passed"] == true || row["skipped"].is_string(), "{row}");
        }
    }
}

/// Without a size it is a list, of which options choose.
#[test]
fn the_list_is_checked_in_part() {
    let line = "verify --dimensions 3 --kind real,complex --precision f32,f64 \
                --algorithm mixed-radix --format json";
    let few = seaway(line).expect(0, &["passed"]).json();
    let rows = seaway(&format!("{line} --all")).expect(0, &["passed"]).json();
    let rows = rows.as_array().unwrap();
    assert!((20..100).contains(&rows.len()), "{}", rows.len());
    assert!((8..15).contains(&few.as_array().unwrap().len()), "{few}");
    assert!(rows.iter().all(|row| row["dimensions"] == 3));
    let passed = rows.iter().filter(|row| row["passed"] == true).count();
    assert!(passed >= 10, "{passed}");
}

#[test]
fn it_prints_a_table() {
    let line = "verify --size 16 --batch 1 --algorithm stockham-r2";
    let table = seaway(line).expect(0, &["2 transforms passed"]).stdout;
    assert!(table.starts_with("algorithm") && table.contains("passed"), "{table}");
    seaway_with(line, &NO_ADAPTER).expect_failure(3, &["no usable graphics adapter"]);
}

#[test]
fn tuned_transforms_are_checked_too() {
    let line = "verify --size 64 --batch 2 --algorithm stockham-r8 --row-lines 2 --column-lines 4 \
                --row-exchange 1 --column-radix 4 --column-padding 0 --format json";
    let rows = seaway(line).expect(0, &["2 transforms passed"]).json();
    assert!(rows[0]["passed"] == true, "{rows}");
    // Each number may be right, and the device too small for it.
    let line = "verify --limits webgpu --size 64 --batch 2 --algorithm stockham-r8 \
                --row-lines 1024 --format json";
    let rows = seaway(line).expect(0, &[]).json();
    assert!(rows[0]["skipped"].as_str().unwrap().contains("row-lines is 1024"), "{rows}");
}

#[test]
fn precisions_and_scales_are_checked_too() {
    let line = "verify --size 64 --batch 3 --precision f32,f16 --algorithm stockham-r8,four-step \
                --format json";
    for (scale, scales) in [("", ["none", "ortho"]), (" --normalization points", ["points"; 2])] {
        let rows = seaway(&format!("{line}{scale}")).expect(0, &["passed"]).json();
        assert_eq!(rows.as_array().unwrap().len(), 8);
        for (index, row) in rows.as_array().unwrap().iter().enumerate() {
            let (precision, gate) = [("f32", 1e-6), ("f16", 5e-4)][index / 4];
            assert_eq!(row["precision"], precision);
            assert_eq!(row["normalization"], scales[index / 4]);
            // Not every algorithm keeps 16-bit numbers; this one does.
            if row["algorithm"] == "stockham-r8" || precision == "f32" {
                let error = row["relative_l2_error"].as_f64().unwrap_or(f64::NAN);
                assert!(row["passed"] == true && error <= gate, "{row}");
                assert_eq!(error > 1e-6, precision == "f16", "{row}");
            }
        }
    }
}

#[test]
fn additive_transforms_are_checked_by_name() {
    let line = "verify --algorithm gao-mateer,dft,wang-zhu-cantor --size 8,12 --batch 3";
    let rows = seaway(&format!("{line} --format json")).expect(0, &["8 transforms passed"]).json();
    let rows: Vec<_> = rows.as_array().unwrap().iter().collect();
    let (additive, others): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|row| row["kind"] == "additive");
    assert!(others.len() == 4 && others.iter().all(|row| row["algorithm"] == "dft"));
    assert_eq!(additive.len(), 2 * 2 * Direction::ALL.len());
    for row in additive {
        assert_eq!((&row["precision"], &row["batch"]), (&"GF(2^16)".into(), &3.into()), "{row}");
        match row["size"].as_u64() {
            // Exact, so without any error.
            Some(8) => assert!(row["passed"] == true && row["max_error"] == 0.0, "{row}"),
            _ => assert!(row["skipped"].as_str().unwrap().contains("lines of 2^k values"), "{row}"),
        }
    }
    let line = "verify --algorithm gao-mateer --twiddles table";
    seaway(line).expect_failure(2, &["additive transforms have no parameters"]);
    let line = "verify --algorithm fastest";
    seaway(line).expect_failure(2, &["dft, wang-zhu-cantor, gao-mateer"]);
}
