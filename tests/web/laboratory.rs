//! Tests of the laboratory's page.

use seaway::fft::lab::Algorithm;
use serde_json::Value;

use crate::browser::{Browser, Site};
use seaway_core::testing::tolerance;

/// Errors pass that are no larger: as the gate has them for these lengths, relative to all of the image.
pub const GATE: f64 = 1e-6;

/// Runs the laboratory's page, and returns the rows that it offers for download.
fn laboratory(browser: &mut Browser, site: &Site) -> Vec<Value> {
    browser.allow_downloads();
    // Without a size in the address: 64 x 64, which suits a processor that plays GPU.
    browser.visit(&site.url("bench.html"));
    browser.wait("the last algorithm", |browser| {
        (browser.run("document.body?.dataset.done") == "true").then_some(())
    });
    let status = browser.run("document.getElementById('status').textContent");
    let clock = browser.run("document.getElementById('clock').textContent");
    println!("{status}\n{clock}");
    assert!(clock.as_str().unwrap().contains("in steps of"), "{clock}");
    browser.run("document.getElementById('save').click()");
    let file = browser.downloaded("json");
    assert_eq!(file.file_name().unwrap(), "seaway-bench.json");
    let rows: Vec<Value> = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(rows.len(), Algorithm::of_powers_of_two().count());
    let mut measured = 0;
    for row in &rows {
        assert!(row.get("failed").is_none(), "{row}");
        assert_eq!(row["size"], 64);
        let Some(median_us) = row["median_us"].as_f64() else {
            println!("{}: {}", row["algorithm"], row["skipped"]);
            assert!(row["skipped"].is_string(), "{row}");
            continue;
        };
        measured += 1;
        let error = row["relative_l2_error"].as_f64().unwrap();
        tolerance::at_most(error, GATE, format_args!("{}", row["algorithm"]));
        // Not finer than the clock.
        let number = |key: &str| row[key].as_f64().unwrap();
        let steps = median_us / (number("clock_step_us") / number("repetitions"));
        assert!((steps - steps.round()).abs() < 1e-6 * steps && steps >= 1.0, "{row}");
        for key in ["batch", "precision", "direction", "p5_us", "p95_us", "gflops", "adapter"] {
            assert!(!row[key].is_null(), "{key}: {row}");
        }
    }
    // All of them run at this size within the limits of any adapter.
    assert_eq!(measured, rows.len());
    assert_eq!(browser.errors(), Vec::<String>::new());
    rows
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn the_laboratory_verifies_and_times_every_algorithm() {
    let site = Site::serve();
    let mut browser = Browser::open([1000, 900]);
    browser.round_gpu_clock();
    let rows = laboratory(&mut browser, &site);
    for row in &rows {
        assert_eq!(row["timer"], "gpu_timestamps", "{row}");
        let step_us = row["clock_step_us"].as_f64().unwrap();
        tolerance::between(step_us, 99.0, 101.0, "the rounded clock's step in microseconds");
    }
    // The page shows no finer figures.
    let shown = browser.run(
        "[...document.querySelectorAll('#rows tbody tr')].map((row) => row.cells[1].textContent)",
    );
    let shown: Vec<String> = serde_json::from_value(shown).unwrap();
    for (row, shown) in rows.iter().zip(&shown) {
        let number = |key: &str| row[key].as_f64().unwrap();
        let known_us = number("clock_step_us") / number("repetitions");
        let units = shown.trim_end_matches(" us").parse::<f64>().unwrap()
            / 10_f64.powf(known_us.log10().floor());
        assert!((units - units.round()).abs() < 1e-6 * units, "{shown} of {row}");
    }
}

/// A browser that keeps the GPU's clock to itself has one of its own, which is rounded.
#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn the_laboratory_says_how_coarse_a_clock_is() {
    let site = Site::serve();
    let mut browser = Browser::open([1000, 900]);
    browser.before_pages(
        "if (window.GPUSupportedFeatures) {
            const has = GPUSupportedFeatures.prototype.has;
            GPUSupportedFeatures.prototype.has = function (name) {
                return name !== 'timestamp-query' && has.call(this, name);
            };
        }",
    );
    let rows = laboratory(&mut browser, &site);
    for row in rows.iter().filter(|row| row["median_us"].is_number()) {
        assert_eq!((&row["timer"], &row["gb_per_s"]), (&"wall".into(), &Value::Null), "{row}");
        // Chromium rounds to 100 us, and to 5 us where a page is isolated from others.
        let step_us = row["clock_step_us"].as_f64().unwrap();
        tolerance::between(step_us, 4.9, 101.0, "the clock's step in microseconds");
    }
}
