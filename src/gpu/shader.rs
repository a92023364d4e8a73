//! Shader sources by name (`"maps/store.wgsl"`), with `#import "shared/complex.wgsl"` lines
//! resolved. A debug build reads `shaders/` from disk where it exists, so that a shader can be
//! edited without a rebuild; a release build uses the copies embedded at build time. Both go
//! through the same resolver.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

/// Every shader file: name relative to `shaders/`, source.
pub const EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/shaders.rs"));

/// Why a shader could not be put together.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ShaderError {
    /// No file of that name.
    #[error("shader {name:?} does not exist (imported by {imported_by:?})")]
    Missing {
        /// The name looked for.
        name: String,
        /// The file that asked for it.
        imported_by: String,
    },
    /// An `#import` line that is not `#import "name"`.
    #[error("{file}:{line}: expected #import \"folder/file.wgsl\"")]
    BadImport {
        /// The file the line stands in.
        file: String,
        /// Its line, from 1.
        line: usize,
    },
}

/// The source of one file as it is, imports unresolved.
pub fn source(name: &str) -> Option<Cow<'static, str>> {
    let (_, embedded) = EMBEDDED.iter().find(|(embedded, _)| *embedded == name)?;
    // Debug builds read the file as it is now.
    #[cfg(all(debug_assertions, not(target_arch = "wasm32")))]
    {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders").join(name);
        if let Ok(text) = std::fs::read_to_string(path) {
            return Some(Cow::Owned(text));
        }
    }
    Some(Cow::Borrowed(*embedded))
}

/// The WGSL of `name` with its imports in front of it, each file once.
///
/// # Errors
/// [`ShaderError`] where a file is missing or an `#import` line is malformed.
pub fn resolve(name: &str) -> Result<String, ShaderError> {
    let mut module = Module::default();
    module.append(name, "the program")?;
    Ok(module.text)
}

/// As [`resolve`], for WGSL that is at hand rather than in a file (generated kernels).
///
/// # Errors
/// As [`resolve`].
pub fn resolve_text(label: &str, text: &str) -> Result<String, ShaderError> {
    let mut module = Module::default();
    module.add(label, text)?;
    Ok(module.text)
}

/// A module in the making: texts in order, what they import in front of them, each file once.
#[derive(Debug, Default)]
pub struct Module {
    seen: BTreeSet<String>,
    text: String,
}

impl Module {
    /// Adds `text`, called `label` in errors, and gives the lines of the module that it lies on,
    /// counted from 0: one for each of its own lines, an empty one for each import.
    ///
    /// # Errors
    /// As [`resolve`]. Nothing is added then.
    pub fn add(&mut self, label: &str, text: &str) -> Result<Range<usize>, ShaderError> {
        let mut body = String::with_capacity(text.len());
        for (index, line) in text.lines().enumerate() {
            if let Some(rest) = line.trim_start().strip_prefix("#import") {
                let quoted = rest.trim().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                let (file, line) = (label.to_owned(), index + 1);
                let import = quoted.ok_or(ShaderError::BadImport { file, line })?;
                self.append(import, label)?;
            } else {
                body.push_str(line);
            }
            body.push('\n');
        }
        let first = self.text.matches('\n').count();
        self.text.push_str(&body);
        Ok(first..first + body.matches('\n').count())
    }

    fn append(&mut self, name: &str, imported_by: &str) -> Result<(), ShaderError> {
        if !self.seen.insert(name.to_owned()) {
            return Ok(());
        }
        let text = source(name).ok_or_else(|| ShaderError::Missing {
            name: name.to_owned(),
            imported_by: imported_by.to_owned(),
        })?;
        self.add(name, &text).map(|_| ())
    }

    /// The module.
    pub fn text(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_on_disk_is_embedded_and_resolves() {
        assert!(!EMBEDDED.is_empty());
        for (name, _) in EMBEDDED {
            resolve(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }

    #[test]
    fn only_shaders_of_the_library_are_read() {
        for name in ["/etc/hostname", "../Cargo.toml", "shared/../shared/complex.wgsl", ""] {
            assert_eq!(source(name), None);
        }
    }

    #[test]
    fn imports_come_first_and_once() {
        let text =
            "#import \"shared/complex.wgsl\"\n#import \"shared/complex.wgsl\"\nfn last() {}\n";
        let resolved = resolve_text("test", text).unwrap();
        let complex = source("shared/complex.wgsl").unwrap();
        assert_eq!(resolved, format!("{complex}\n\nfn last() {{}}\n"));
        let mut module = Module::default();
        module.add("first", "#import \"shared/complex.wgsl\"\n").unwrap();
        let lines = module.add("test", text).unwrap();
        let text = module.text();
        let here: Vec<_> = text.lines().skip(lines.start).take(lines.len()).collect();
        assert_eq!(here, ["", "", "fn last() {}"]);
    }

    #[test]
    fn bad_imports_are_named() {
        assert_eq!(
            resolve_text("test", "\n#import shared\n"),
            Err(ShaderError::BadImport { file: "test".into(), line: 2 })
        );
        assert!(matches!(
            resolve_text("test", "#import \"no/such.wgsl\""),
            Err(ShaderError::Missing { imported_by, .. }) if imported_by == "test"
        ));
    }
}
