//! Tests of the papers' figures on the laboratory's page.

use std::process::Command;

use serde_json::Value;

use crate::browser::{Browser, Site};

fn wait_for_papers(browser: &mut Browser, state: &str) {
    browser.wait(state, |browser| {
        (browser.run("document.body?.dataset.papers") == state).then_some(())
    });
}

fn text(browser: &mut Browser, selector: &str) -> String {
    let text = browser.run(&format!("document.querySelector('{selector}')?.innerText ?? ''"));
    text.as_str().unwrap().to_owned()
}

/// Figures are measured on a page, which stops and goes on, and its file is drawn by the command.
#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn a_page_measures_figures_for_the_command() {
    let site = Site::serve();
    let mut browser = Browser::open([390, 800]);
    browser.allow_downloads();
    browser.visit(&site.url("bench.html?figures=table-2,004-radix,17"));
    browser.wait("the first figure", |browser| {
        let shown = browser.run("document.querySelector('#section-table-2 svg') !== null");
        (shown == true).then_some(())
    });
    browser.run("document.getElementById('stop').click()");
    wait_for_papers(&mut browser, "stopped");
    assert_eq!(text(&mut browser, "#measure"), "Go on");
    assert!(text(&mut browser, "#papers-status").starts_with("Stopped."));
    assert_eq!(browser.run("document.querySelector('#section-004-radix svg')"), Value::Null);
    browser.run("document.getElementById('measure').click()");
    wait_for_papers(&mut browser, "done");
    let section = text(&mut browser, "#section-004-radix");
    assert!(section.contains("Here: ") && section.contains("seaway bench"), "{section}");
    assert!(text(&mut browser, "#section-17").contains("It needs CUDA"));
    // Pictures and listings scroll in their own boxes.
    let is_wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    assert_eq!(browser.run(is_wide), false);

    browser.run("document.getElementById('papers-html').click()");
    let page = std::fs::read_to_string(browser.downloaded("html")).unwrap();
    assert_eq!(page.matches("<svg ").count(), 2);
    browser.run("document.getElementById('papers-json').click()");
    let file = browser.downloaded("json");
    assert_eq!(browser.errors(), Vec::<String>::new());
    let measurements: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let rows = measurements["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["median_us"].is_number()), "{rows:?}");
    assert_eq!(measurements["complete"], true);
    let out = browser.folder.path().join("drawn");
    let mut figures = Command::new(env!("CARGO_BIN_EXE_seaway"));
    figures.args(["figures", "--figure", "table-2,004-radix,17", "--from"]);
    let drawn = figures.arg(&file).arg("--out").arg(&out).output().unwrap();
    assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
    assert!(out.join("table-2.svg").exists() && out.join("004-radix.svg").exists());
    let index = std::fs::read_to_string(out.join("index.md")).unwrap();
    assert!(index.contains("bench.html") && index.contains("It needs CUDA"), "{index}");
}
