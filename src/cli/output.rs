//! Output on stdout, and the folders of a command's files.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use crate::text_table::TextTable;
use anyhow::{Context as _, ensure};
use seaway_core::atomic_write;

/// The values of `--format` for commands that list things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// An aligned table
    Table,
    /// JSON, whose snake_case keys name the units
    Json,
}

/// The values of `--format` for commands that measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum TableFormat {
    /// An aligned table
    Table,
    /// JSON, whose snake_case keys name the units, as in the JSON file
    Json,
    /// Comma-separated values, with a row for each pass
    Csv,
    /// Markdown, as in the Markdown file
    Markdown,
}

/// Writes `text` to stdout. A reader that closes the pipe (`seaway info | head`) is no error.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("the result could not be written")
        }
        _ => Ok(()),
    }
}

/// A value as a message shows it: the beginning of a long one.
pub fn shown(value: &impl std::fmt::Display) -> String {
    const LONGEST: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ..", &text[..end]),
        None => text,
    }
}

pub fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print(&(serde_json::to_string_pretty(value)? + "\n"))
}

/// Replaces the file in one step, so that it is complete or unchanged.
pub fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    write_encoded(path, Ok(text))
}

/// [`write`] for contents that may have failed to encode.
pub fn write_encoded(path: &Path, contents: io::Result<impl AsRef<[u8]>>) -> anyhow::Result<()> {
    contents
        .and_then(|bytes| atomic_write::write(path, |file| file.write_all(bytes.as_ref())))
        .with_context(|| format!("{} could not be written", path.display()))
}

/// Refuses to start if a folder has the name of a file to write. The `cure` is another name to choose.
pub fn check_name(path: &Path, cure: &str) -> anyhow::Result<()> {
    ensure!(
        !path.is_dir(),
        "{} could not be written: a folder has its name. Remove the folder, or choose another {cure}",
        path.display()
    );
    Ok(())
}

/// Reads a JSON file that `by` wrote.
pub fn read_json<T: serde::de::DeserializeOwned>(path: &Path, by: &str) -> anyhow::Result<T> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("{name} could not be read"))?;
    serde_json::from_str(&text).with_context(|| format!("{name} was not written by {by}"))
}

/// Creates the folder of a command's files if it does not exist, and checks that they can be
/// written, before any work is done.
pub fn make_folder(out: &Path) -> anyhow::Result<()> {
    let failed = || format!("the folder {} could not be created", out.display());
    ensure!(
        !out.exists() || out.is_dir(),
        "{}: a file has its name. Choose another folder",
        failed()
    );
    fs::create_dir_all(out).with_context(failed)?;
    atomic_write::check_folder(out)
        .with_context(|| format!("the folder {} cannot be written to", out.display()))?;
    Ok(())
}

/// Checks that the folder of a command's files can be created or written to, without creating it: for a
/// folder that is put in place complete or not at all.
pub fn check_folder(out: &Path) -> anyhow::Result<()> {
    let parent = match out.parent() {
        _ if out.exists() => out,
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    make_folder(parent)
}

/// Checks that a command's file can be written, before any work is done.
pub fn check_file(out: &Path) -> anyhow::Result<()> {
    let failed = || format!("{} cannot be written", out.display());
    ensure!(!out.is_dir(), "{}: it is a folder. Name a file in this folder", failed());
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    ensure!(
        folder.is_dir(),
        "{}: there is no folder {}. Create it first",
        failed(),
        folder.display()
    );
    let is_special = fs::metadata(out).is_ok_and(|found| !found.is_file());
    if is_special { Ok(()) } else { atomic_write::check_folder(folder).with_context(failed) }
}

/// The command line, with the program's name without its folder.
pub fn command_line() -> Vec<String> {
    let mut words: Vec<String> =
        std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(program) = words.first_mut() {
        let stem = Path::new(&*program).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        *program = stem.unwrap_or_else(|| "seaway".to_owned());
    }
    words
}

/// Lines up columns with two spaces between them; the first row holds the headings.
pub fn table(rows: &[Vec<String>]) -> String {
    TextTable::of(rows).aligned()
}
