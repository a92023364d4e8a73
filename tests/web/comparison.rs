//! FFTs compared beside the sea, on the visitor's own GPU.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::SHOWN;
use crate::browser::{Browser, Site, keep};
use crate::laboratory::GATE;
use seaway_core::testing::tolerance;

/// The left button is pressed there.
fn click(browser: &mut Browser, [x, y]: [f64; 2]) {
    for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
        let count = i32::from(kind != "mouseMoved");
        let button = if count > 0 { "left" } else { "none" };
        let event = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": count });
        browser.call("Input.dispatchMouseEvent", event);
        // A frame takes its time to see it.
        std::thread::sleep(Duration::from_millis(300));
    }
}

/// Returns the place of a control of the comparison that the page traces.
fn control(browser: &mut Browser, name: &str) -> [f64; 2] {
    let said = format!("compare: {name} at [");
    browser.wait_for_words(&said);
    // Where it is now.
    let latest = browser.console.iter().rev().find(|(_, words)| words.contains(&said));
    let words = latest.expect("it was said").1.clone();
    let [_, place] = [0, 1].map(|part| words.split(&said).nth(part).unwrap_or_default().to_owned());
    let numbers = place.split(']').next().unwrap().split_whitespace();
    let numbers: Vec<f64> = numbers.map(|number| number.parse().unwrap()).collect();
    [numbers[0], numbers[1]]
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn ffts_are_compared_beside_the_sea_with_coarse_clocks() {
    let site = Site::serve();
    let mut browser = Browser::open([640, 400]);
    // The others are bench.html's: beside a sea, a processor that plays GPU has little time for each.
    let algorithms = ["stockham-r8", "cooley-tukey", "four-step"];
    let stored = format!("[compare]\nalgorithms = {algorithms:?}");
    browser.before_pages(&format!(
        "if (location.hash) localStorage['config/seaway/view.toml'] = {}",
        Value::from(stored)
    ));
    browser.round_gpu_clock();
    browser.allow_downloads();
    let downloads = browser.folder.path().join("downloads");
    // A clear sky is drawn in no time, and the comparison gets a share of each frame.
    let cheap = "clouds.cloud_cover=0&clouds.cirrus_cover=0&camera.pitch_deg=60";
    browser.visit(&site.url(&format!("?log=trace#preset=breeze&size=64&paused=true&{cheap}")));
    browser.wait_for_words(SHOWN);
    browser.press("KeyC", "c");
    let start = control(&mut browser, "start");
    click(&mut browser, start);
    // The rows so far can be saved at any time: all of them, once the last row has figures. A click that
    // falls between two slow frames may be lost.
    let is_done = |row: &Value| !row["median_us"].is_null();
    let rows = browser.wait("every row", |browser| {
        let save = control(browser, "json");
        click(browser, save);
        std::thread::sleep(Duration::from_secs(4));
        let file = newest(&downloads, "json")?;
        let rows: Vec<Value> = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        std::fs::remove_file(file).unwrap();
        println!("{} rows", rows.len());
        (rows.len() == algorithms.len() && rows.iter().all(is_done)).then_some(rows)
    });
    for row in &rows {
        assert!(row.get("failed").is_none(), "{row}");
        let number = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{key}: {row}"));
        tolerance::at_most(number("relative_l2_error"), GATE, &row["algorithm"]);
        assert_eq!((number("size"), number("repetitions") >= 1.0), (64.0, true), "{row}");
        // Not finer than the clock.
        tolerance::between(number("clock_step_us"), 99.0, 101.0, "the rounded clock's step");
        let steps = number("median_us") / (number("clock_step_us") / number("repetitions"));
        assert!((steps - steps.round()).abs() < 1e-6 * steps && steps >= 1.0, "{row}");
    }
    println!("{:?}", rows.iter().map(|row| &row["median_us"]).collect::<Vec<_>>());
    let long = browser.long_tasks(200.0);
    keep("comparison", &browser.canvas());
    println!("tasks of the page over 200 ms, as [begin, duration]: {long:?}");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

/// A file of that kind that is there as a whole.
fn newest(folder: &Path, extension: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.find(|path| path.extension().is_some_and(|kind| kind == extension))
}
