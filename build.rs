//! Embeds every `shaders/**/*.wgsl`, so that a release build and an embedder need no files on disk.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo")).join("shaders");
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();

    let mut table = String::from("&[\n");
    for file in &files {
        let name = file
            .strip_prefix(&root)
            .expect("collected below the root")
            .to_string_lossy()
            .replace('\\', "/");
        writeln!(table, "    ({name:?}, include_str!({:?})),", file.to_string_lossy())
            .expect("writing to a string");
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo")).join("shaders.rs");
    fs::write(out, table)?;
    println!("cargo::rerun-if-changed=shaders");
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "wgsl") {
            files.push(path);
        }
    }
    Ok(())
}
