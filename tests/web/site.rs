//! The files of the pages, and what they say without WebGPU.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::browser::{Browser, Site};
use crate::{SHOWN, SIZE};
use seaway_core::testing::tolerance;

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn a_browser_without_webgpu_gets_its_message() {
    let site = Site::serve();
    let mut browser = Browser::without_webgpu(SIZE);
    for (page, hide) in [
        ("", ""),
        ("bench.html", ""),
        ("kernel.html", ""),
        // An older browser.
        ("", "Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined });"),
    ] {
        browser.before_pages(hide);
        browser.visit(&site.url(page));
        let message = browser.wait("the message", |browser| {
            let message = "document.getElementById('message')";
            let shown =
                browser.run(&format!("{message} && !{message}.hidden && {message}.innerText"));
            shown.as_str().filter(|text| text.contains("WebGPU")).map(str::to_owned)
        });
        println!("{message}");
        let picture = "document.querySelector('#message img')?.naturalWidth ?? -1";
        if page.is_empty() {
            browser.wait("the picture", |browser| {
                browser.run(picture).as_i64().filter(|width| *width > 0)
            });
        }
        if page.is_empty() {
            assert_eq!(browser.run("document.activeElement.id"), "message");
        }
        assert_eq!(browser.errors(), Vec::<String>::new());
    }
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn what_is_downloaded_is_small() {
    let site = Site::serve();
    let mut bytes = 0;
    for entry in std::fs::read_dir(&site.folder).unwrap() {
        let path = entry.unwrap().path();
        let size = compressed(&path);
        println!("{size:>9} {}", path.file_name().unwrap().display());
        bytes += size;
    }
    println!("{bytes:>9} in all");
    tolerance::at_most(bytes as f64, 4e6, "bytes of the pages, compressed");
}

/// Returns the size in bytes of a file as a host would send it.
fn compressed(path: &Path) -> usize {
    let zipped = Command::new("gzip").args(["-9", "-c"]).arg(path).output().unwrap();
    assert!(zipped.status.success());
    zipped.stdout.len()
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn the_files_of_a_page_are_of_one_version() {
    let site = Site::serve();
    let mut browser = Browser::open(SIZE);
    let mut versions = BTreeSet::new();
    for (page, names) in [
        ("", ["seaway.css", "ocean.js", "webgpu.js", "seaway.js", "seaway_bg.wasm"]),
        ("bench.html", ["seaway.css", "bench.js", "figures.js", "seaway.js", "seaway_bg.wasm"]),
        ("kernel.html", ["seaway.css", "kernel.js", "sheet.js", "seaway.js", "seaway_bg.wasm"]),
    ] {
        browser.visit(&site.url(page));
        let loaded = browser.wait("the program", |browser| {
            let loaded =
                browser.run("performance.getEntriesByType('resource').map((one) => one.name)");
            let loaded: Vec<String> = serde_json::from_value(loaded).unwrap();
            loaded.iter().any(|url| url.contains(".wasm")).then_some(loaded)
        });
        for name in names {
            assert!(
                loaded.iter().any(|url| url.contains(&format!("/{name}?v="))),
                "{name}: {loaded:#?}"
            );
        }
        let code = loaded.iter().filter(|url| !url.ends_with(".jpg") && !url.starts_with("data:"));
        for url in code {
            let version = url.split_once("?v=").unwrap_or_else(|| panic!("{url} has no version")).1;
            assert!(version.len() == 12 && version.chars().all(|c| c.is_ascii_hexdigit()), "{url}");
            versions.insert(version.to_owned());
        }
        if page.is_empty() {
            browser.wait_for_words(SHOWN);
        }
    }
    assert_eq!(versions.len(), 1, "{versions:?}");
    assert_eq!(browser.errors(), Vec::<String>::new());
}
