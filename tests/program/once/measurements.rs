//! The measurements that the repository keeps, and what is made of them: their own README's tables,
//! the plots, and the short table of the README at the top. After a new file in `measurements`,
//! write them again with
//!
//! ```text
//! UPDATE_REFERENCES=1 cargo test --test program measurements
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use seaway::fft::lab::Algorithm;
use seaway_core::choice::Choice as _;

use crate::support::{NO_ADAPTER, seaway_with};

const BEGIN: &str = "<!-- measurements -->\n";
const END: &str = "<!-- /measurements -->";

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the output of `bench` for a stored file.
fn made_of(file: &Path, format: &str) -> String {
    let ocean = if is_of_ocean(file) { " --ocean" } else { "" };
    let line = format!("bench{ocean} --from {} --format {format}", file.display());
    seaway_with(&line, &NO_ADAPTER).expect(0, &[]).stdout
}

/// Returns whether a file measures a step of the ocean, and not FFTs.
fn is_of_ocean(file: &Path) -> bool {
    file.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("-ocean"))
}

/// The file at `path` holds `text`, or is made to.
#[track_caller]
fn holds(path: &Path, text: &str) {
    if std::env::var_os("UPDATE_REFERENCES").is_some() {
        fs::write(path, text).unwrap();
    }
    let is = fs::read_to_string(path).unwrap_or_default();
    assert!(
        is == text,
        "{} is not what its measurements give: UPDATE_REFERENCES=1 writes it again",
        path.display()
    );
}

/// `document` with `section` between its marks.
fn with_section(document: &str, section: &str) -> String {
    let (before, rest) = document.split_once(BEGIN).expect("the section has a begin");
    let (_, after) = rest.split_once(END).expect("and an end");
    format!("{before}{BEGIN}{section}{END}{after}")
}

/// Stored files, in alphabetical order.
fn stored() -> Vec<PathBuf> {
    let folder = fs::read_dir(repository().join("measurements")).expect("the folder is kept");
    let mut files: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

#[test]
fn stored_files_give_the_same_tables_and_plot_everywhere() {
    let file = repository().join("tests/measurements/llvmpipe.json");
    holds(&file.with_extension("md"), &made_of(&file, "summary"));
    holds(&file.with_extension("svg"), &made_of(&file, "svg"));
}

/// Stored figures that follow from others still follow from them.
#[test]
fn stored_figures_follow_from_their_times() {
    let mut files = stored();
    files.push(repository().join("tests/measurements/llvmpipe.json"));
    for file in files {
        let stored: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        for row in stored["rows"].as_array().expect("an array") {
            let number = |key: &str| row[key].as_f64();
            let Some(gflops) = number("gflops") else { continue };
            let points = number("size").unwrap().powi(2);
            let operations = 5.0 * points * points.log2() * number("batch").unwrap();
            let expected = operations / number("median_us").unwrap() / 1000.0;
            assert!((gflops / expected - 1.0).abs() < 1e-9, "{}: {row}", file.display());
        }
    }
}

#[test]
fn the_readmes_show_what_was_measured() {
    let (mut all, mut short) = (String::new(), String::new());
    for file in stored() {
        let rows: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        assert_eq!(rows["complete"], true, "{} was interrupted", file.display());
        assert!(!rows.to_string().contains("\"failed\":"), "{}: a wrong result", file.display());
        let name = file.file_stem().unwrap().to_str().unwrap();
        let summary = made_of(&file, "summary");
        all += &format!("{summary}\n");
        if !is_of_ocean(&file) {
            holds(&file.with_extension("svg"), &made_of(&file, "svg"));
            all += &format!("![The same as a plot]({name}.svg)\n\n");
            short += &shortened(&summary);
            short += &format!("\n![All algorithms as a plot](measurements/{name}.svg)\n");
        }
    }
    for (path, section) in [("measurements/README.md", all), ("README.md", short)] {
        let section = if section.is_empty() { "None are kept yet.\n".into() } else { section };
        let path = repository().join(path);
        let text = fs::read_to_string(&path).unwrap();
        holds(&path, &with_section(&text, &section));
    }
}

/// On what, and of the first table what compares the fastest with the ceiling and the peers.
fn shortened(summary: &str) -> String {
    let (taken, tables) = summary.split_once("\n\n").expect("a sentence, then tables");
    let (on, _) = taken.split_once(", by `").expect("it says by what command");
    let table = tables.split("\n\n").next().unwrap_or_default();
    let stays = |line: &&str| {
        let name = line.trim_start_matches("| ").split(" |").next().unwrap_or_default();
        !Algorithm::NAMES.contains(&name) && !name.contains("rustfft")
    };
    let lines: Vec<_> = table.lines().filter(stays).map(|line| line.replace("**", "")).collect();
    format!("{on}.\n\n{}\n", lines.join("\n"))
}

#[test]
fn a_short_table_keeps_the_fastest_and_its_peers() {
    let summary = "A GPU (x), 2026-01-01, by `seaway bench`.\n\n| batch 4 [us] | 64 |\n|---|---|\n\
                   | dft | 9 |\n| auto | **2** |\n| rustfft | 8 |\n| best / cuFFT | 0.9 |\n\n| batch 16 |\n";
    assert_eq!(
        shortened(summary),
        "A GPU (x), 2026-01-01.\n\n| batch 4 [us] | 64 |\n|---|---|\n| auto | 2 |\n| best / cuFFT | 0.9 |\n"
    );
}

#[test]
fn a_section_is_replaced_between_its_marks() {
    let document = format!("a\n{BEGIN}old\nolder\n{END}\nb\n");
    assert_eq!(with_section(&document, "new\n"), format!("a\n{BEGIN}new\n{END}\nb\n"));
    assert_ne!(with_section(&document, "new\n"), document);
}
