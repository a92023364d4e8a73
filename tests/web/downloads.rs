//! Tests of the files that the sea's page offers for download.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::browser::{Browser, Site};
use crate::{SHOWN, SIZE};

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn a_screenshot_is_a_picture_of_the_canvas() {
    let site = Site::serve();
    let mut browser = Browser::open(SIZE);
    browser.allow_downloads();
    browser.visit(&site.url("#preset=breeze&size=64"));
    browser.wait_for_words(SHOWN);
    browser.press("F12", "F12");
    let path = browser.downloaded("png");
    let name = path.file_name().unwrap().to_str().unwrap();
    let said = browser.wait_for_words("Screenshot saved as ");
    assert!(said.contains(&format!("{name} in your downloads")), "{said}");
    let picture = image::open(&path).unwrap().to_rgb8();
    assert_eq!([picture.width(), picture.height()], SIZE);
    let colours: BTreeSet<_> = picture.pixels().map(|pixel| pixel.0).collect();
    assert!(colours.len() > 500, "{} colours", colours.len());
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn a_capture_is_one_archive() {
    let site = Site::serve();
    let mut browser = Browser::open(SIZE);
    browser.allow_downloads();
    // Fewer frames than usual: a processor that plays GPU draws few in a second.
    browser.before_pages(
        "try { localStorage['config/seaway/view.toml'] = 'capture_frames = 10'; } catch {}",
    );
    browser.visit(&site.url("#preset=breeze&size=64"));
    browser.wait_for_words(SHOWN);
    browser.press("F9", "F9");
    let path = browser.downloaded("zip");
    let said = browser.wait_for_words("Capture of ");
    assert!(said.contains("in your downloads") && !said.contains("puffin"), "{said}");
    println!("{said}: {} bytes", path.metadata().unwrap().len());

    let folder = path.with_extension("");
    let unpack = "import sys, zipfile\n\
        archive = zipfile.ZipFile(sys.argv[1])\n\
        assert archive.testzip() is None\n\
        archive.extractall(sys.argv[2])";
    let parent = folder.parent().unwrap();
    let status = Command::new("python3").args(["-c", unpack]).args([&path, parent]).status();
    assert!(status.unwrap().success());
    let names = std::fs::read_dir(&folder).expect("a folder of the archive's name");
    let names: BTreeSet<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    let expected = ["passes.csv", "summary.json", "summary.md", "trace.json"].map(Into::into);
    assert_eq!(names, BTreeSet::from(expected));
    let read = |name: &str| -> Value {
        serde_json::from_slice(&std::fs::read(folder.join(name)).unwrap()).unwrap()
    };
    assert!(read("trace.json")["traceEvents"].as_array().unwrap().len() > 100);
    let summary = read("summary.json");
    assert_eq!(summary["frames"], 10);
    let passes = summary["passes"].as_array().unwrap();
    for side in ["cpu", "gpu"] {
        assert!(passes.iter().any(|pass| pass["side"] == side), "{side}: {passes:#?}");
    }
    assert_eq!(browser.errors(), Vec::<String>::new());
}
