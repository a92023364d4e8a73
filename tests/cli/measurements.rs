//! The measurements that the repository keeps, and what is made of them: the README's tables and
//! their plots. After a new file in `measurements`, make them anew with
//!
//! ```text
//! UPDATE_REFERENCES=1 cargo test --test cli measurements
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{NO_ADAPTER, seaway_with};

const BEGIN: &str = "<!-- measurements -->\n";
const END: &str = "<!-- /measurements -->";

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What `bench` makes of a stored file.
fn made_of(file: &Path, format: &str) -> String {
    let line = format!("bench --from {} --format {format}", file.display());
    seaway_with(&line, &NO_ADAPTER).expect(0, &[]).stdout
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
        "{} is not what its measurements give: UPDATE_REFERENCES=1 makes it anew",
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
fn a_stored_file_gives_the_same_tables_and_plot_everywhere() {
    let file = repository().join("tests/measurements/llvmpipe.json");
    holds(&file.with_extension("md"), &made_of(&file, "summary"));
    holds(&file.with_extension("svg"), &made_of(&file, "svg"));
}

#[test]
fn the_readme_shows_what_was_measured() {
    let mut section = String::new();
    for file in stored() {
        let rows: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        assert_eq!(rows["complete"], true, "{} was interrupted", file.display());
        assert!(!rows.to_string().contains("\"failed\":"), "{}: a wrong result", file.display());
        let name = file.file_stem().unwrap().to_str().unwrap();
        let plot = file.with_extension("svg");
        holds(&plot, &made_of(&file, "svg"));
        section += &made_of(&file, "summary");
        section += &format!("\n![The same as a plot](measurements/{name}.svg)\n");
    }
    if section.is_empty() {
        section = "None are kept yet.\n".into();
    }
    let readme = repository().join("README.md");
    let text = fs::read_to_string(&readme).unwrap();
    holds(&readme, &with_section(&text, &section));
}

#[test]
fn a_section_is_replaced_between_its_marks() {
    let document = format!("a\n{BEGIN}old\nolder\n{END}\nb\n");
    assert_eq!(with_section(&document, "new\n"), format!("a\n{BEGIN}new\n{END}\nb\n"));
    assert_ne!(with_section(&document, "new\n"), document);
}
