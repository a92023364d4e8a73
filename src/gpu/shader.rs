//! Shader sources by name (`"maps/store.wgsl"`), with `#import "shared/complex.wgsl"` lines
//! resolved. A debug build reads `shaders/` from disk where it exists, so that a shader can be
//! edited without a rebuild; a release build uses the copies embedded at build time. Both go
//! through the same resolver, and so do [`Sources`]: the files as they were at one moment, which a
//! program that watches them installs once it knows that they compile.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

/// Every shader file: name relative to `shaders/`, source.
pub const EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/shaders.rs"));

/// The reasons why a shader could not be composed, or was refused.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShaderError {
    /// A file does not exist.
    #[error("{}: shader {name:?} does not exist", place(imported_by, *line))]
    Missing {
        /// The name of the file.
        name: String,
        /// The file that imports it.
        imported_by: String,
        /// The line of the import, from 1; 0 where the program requested the file.
        line: usize,
    },
    /// An `#import` line that is not `#import "name"`.
    #[error("{file}:{line}: expected #import \"folder/file.wgsl\"")]
    BadImport {
        /// The file of the line.
        file: String,
        /// The number of the line, from 1.
        line: usize,
    },
    /// The WGSL does not compile.
    #[error("{file}:{line}: {message}")]
    Invalid {
        /// The file with the error.
        file: String,
        /// The number of the line, from 1.
        line: usize,
        /// The message of the compiler, and below it the line.
        message: String,
    },
    /// The WGSL compiles but does not fit the program's bindings or entry points.
    #[error("{label}: {message}")]
    Refused {
        /// The shader or its pipeline.
        label: String,
        /// The message of the device.
        message: String,
    },
}

/// Names a line of a file, or the file alone.
fn place(file: &str, line: usize) -> String {
    if line == 0 { file.to_owned() } else { format!("{file}:{line}") }
}

/// All shaders as they were at one moment. Clones share them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources(Arc<BTreeMap<String, String>>);

/// The sources of all threads, where a program has installed some.
static INSTALLED: RwLock<Option<Sources>> = RwLock::new(None);

thread_local! {
    /// The temporary sources of this thread.
    static TRIED: RefCell<Option<Sources>> = const { RefCell::new(None) };
}

impl Sources {
    /// The copies that were embedded when the program was built, which compile.
    pub fn embedded() -> Self {
        let files = EMBEDDED.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        Self(Arc::new(files.collect()))
    }

    /// Reads every `.wgsl` file below `folder`, named by its path from there.
    ///
    /// # Errors
    /// An error of the system where the folder or a file in it cannot be read.
    pub fn read(folder: &Path) -> std::io::Result<Self> {
        let mut files = BTreeMap::new();
        collect(folder, "", &mut files)?;
        Ok(Self(Arc::new(files)))
    }

    /// A copy with other contents of one file.
    pub fn with(&self, name: &str, text: impl Into<String>) -> Self {
        let mut files = BTreeMap::clone(&self.0);
        files.insert(name.to_owned(), text.into());
        Self(Arc::new(files))
    }

    /// The contents of one file.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The files that differ from those of `before`, or that only one of the two has.
    pub fn changed_since(&self, before: &Self) -> BTreeSet<String> {
        let names = self.0.keys().chain(before.0.keys());
        names.filter(|name| self.get(name) != before.get(name)).cloned().collect()
    }

    /// Checks that each file of the program and each import exists. Any shader of checked sources can
    /// then be composed without an error.
    ///
    /// # Errors
    /// [`ShaderError`] of the first file that cannot be composed.
    pub fn check(&self) -> Result<(), ShaderError> {
        let embedded = EMBEDDED.iter().map(|(name, _)| *name);
        if let Some(gone) = embedded.into_iter().find(|name| self.get(name).is_none()) {
            let (name, imported_by) = (gone.to_owned(), "the program".to_owned());
            return Err(ShaderError::Missing { name, imported_by, line: 0 });
        }
        self.during(|| self.0.keys().try_for_each(|name| compose(name).map(|_| ())))
    }

    /// Runs `body` with these sources for the shaders of this thread.
    pub fn during<T>(&self, body: impl FnOnce() -> T) -> T {
        /// Restores the sources before, also where `body` panics.
        struct Before(Option<Sources>);
        impl Drop for Before {
            fn drop(&mut self) {
                TRIED.set(self.0.take());
            }
        }
        let _before = Before(TRIED.replace(Some(self.clone())));
        body()
    }

    /// The installed sources, if any.
    pub fn installed() -> Option<Self> {
        INSTALLED.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes these the sources of all threads. They must compile: the program does not expect its own
    /// shaders to fail.
    pub fn install(&self) {
        *INSTALLED.write().unwrap_or_else(PoisonError::into_inner) = Some(self.clone());
    }
}

fn collect(
    folder: &Path,
    prefix: &str,
    files: &mut BTreeMap<String, String>,
) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        let Some(name) = name.to_str() else { continue };
        if path.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), files)?;
        } else if path.extension().is_some_and(|extension| extension == "wgsl") {
            match std::fs::read_to_string(&path) {
                Ok(text) => {
                    files.insert(format!("{prefix}{name}"), text);
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

/// The source of one file, imports unresolved.
pub fn source(name: &str) -> Option<Cow<'static, str>> {
    let of = |sources: &Sources| sources.get(name).map(|text| Cow::Owned(text.to_owned()));
    if let Some(found) = TRIED.with_borrow(|tried| tried.as_ref().map(of)) {
        return found;
    }
    let installed = INSTALLED.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = installed.as_ref().map(of) {
        return found;
    }
    let (_, embedded) = EMBEDDED.iter().find(|(embedded, _)| *embedded == name)?;
    // Debug builds read the current file.
    #[cfg(all(debug_assertions, not(target_arch = "wasm32")))]
    {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders").join(name);
        if let Ok(text) = std::fs::read_to_string(path) {
            return Some(Cow::Owned(text));
        }
    }
    Some(Cow::Borrowed(*embedded))
}

/// Resolves the WGSL of `name` with its imports in front of it, each file once.
///
/// # Errors
/// [`ShaderError`] where a file is missing or an `#import` line is malformed.
pub fn resolve(name: &str) -> Result<String, ShaderError> {
    compose(name).map(|composed| composed.text)
}

/// Resolves WGSL text, such as a generated kernel, as [`resolve`] does.
///
/// # Errors
/// Those of [`resolve`].
pub fn resolve_text(label: &str, text: &str) -> Result<String, ShaderError> {
    let mut module = Module::default();
    module.add(label, text)?;
    Ok(module.text())
}

/// Composes the WGSL of `name`, as [`resolve`] does, with the origins of its lines.
///
/// # Errors
/// Those of [`resolve`].
pub fn compose(name: &str) -> Result<Composed, ShaderError> {
    let mut module = Module::default();
    module.append(name)?;
    Ok(module.composed())
}

/// Returns whether `name` or a file that it imports, directly or not, is one of `changed`.
///
/// # Errors
/// Those of [`resolve`].
pub fn depends(name: &str, changed: &BTreeSet<String>) -> Result<bool, ShaderError> {
    Ok(compose(name)?.depends(changed))
}

/// A whole module: its text, and the origin of each line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composed {
    text: String,
    parts: Parts,
}

impl Composed {
    /// The text of the module.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn into_parts(self) -> (String, Parts) {
        (self.text, self.parts)
    }

    /// The origins of its lines.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Returns whether one of `changed` is in it.
    pub fn depends(&self, changed: &BTreeSet<String>) -> bool {
        self.parts.depends(changed)
    }

    /// Replaces `from` by `to`, neither of which may have a line break.
    pub fn replace(mut self, from: &str, to: &str) -> Self {
        debug_assert!(!from.contains('\n') && !to.contains('\n'));
        self.text = self.text.replace(from, to);
        self
    }
}

/// The lines of a module by the file or text that they come from. Each file's lines lie together and in
/// order: an `#import` leaves an empty line behind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Parts(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Part {
    name: String,
    lines: Range<usize>,
}

impl Parts {
    /// The names of the files and texts, with imports first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|part| part.name.as_str())
    }

    /// Returns whether one of `changed` is among them.
    pub fn depends(&self, changed: &BTreeSet<String>) -> bool {
        self.names().any(|name| changed.contains(name))
    }

    /// The file of `line` of the module, and the number of the line in it, both counted from 1.
    pub fn origin(&self, line: usize) -> Option<(&str, usize)> {
        let index = line.checked_sub(1)?;
        // The parts of a part were added after it.
        let part = self.0.iter().rev().find(|part| part.lines.contains(&index))?;
        Some((&part.name, index - part.lines.start + 1))
    }

    /// The error `said` about `line` of `text`, for the file that it came from; none where it came from
    /// no file.
    pub fn blame(&self, text: &str, line: usize, said: &str) -> Option<ShaderError> {
        let (file, own_line) = self.origin(line)?;
        source(file)?;
        let mut message = said.to_owned();
        if let Some(wrong) = text.lines().nth(line - 1) {
            message.push('\n');
            message.push_str(wrong.trim());
        }
        Some(ShaderError::Invalid { file: file.to_owned(), line: own_line, message })
    }

    fn push(&mut self, name: &str, lines: Range<usize>) {
        self.0.push(Part { name: name.to_owned(), lines });
    }
}

/// A module under construction: texts in order, with their imports in front of them, each file once.
#[derive(Debug, Default)]
pub struct Module {
    seen: BTreeSet<String>,
    text: String,
    parts: Parts,
}

impl Module {
    /// Adds `text`, called `label` in errors, and returns its lines in the module, counted from 0: one
    /// for each of its own lines, an empty one for each import.
    ///
    /// # Errors
    /// Those of [`resolve`].
    pub fn add(&mut self, label: &str, text: &str) -> Result<Range<usize>, ShaderError> {
        let mut body = String::with_capacity(text.len());
        for (index, line) in text.lines().enumerate() {
            if let Some(rest) = line.trim_start().strip_prefix("#import") {
                let quoted = rest.trim().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                let (file, line) = (label.to_owned(), index + 1);
                let import = quoted.ok_or(ShaderError::BadImport { file, line })?;
                self.import(import, label, line)?;
            } else {
                body.push_str(line);
            }
            body.push('\n');
        }
        let first = self.text.matches('\n').count();
        let lines = first..first + body.matches('\n').count();
        self.text.push_str(&body);
        self.parts.push(label, lines.clone());
        Ok(lines)
    }

    /// Adds a composed text as [`Module::add`] does. Its lines keep their origins in `parts`.
    ///
    /// # Errors
    /// Those of [`resolve`].
    pub fn add_composed(
        &mut self,
        label: &str,
        text: &str,
        parts: &Parts,
    ) -> Result<Range<usize>, ShaderError> {
        let lines = self.add(label, text)?;
        for Part { name, lines: own } in &parts.0 {
            self.parts.push(name, lines.start + own.start..lines.start + own.end);
        }
        Ok(lines)
    }

    /// Adds the file `name`, unless it is already part of the module.
    ///
    /// # Errors
    /// Those of [`resolve`].
    pub fn append(&mut self, name: &str) -> Result<(), ShaderError> {
        self.import(name, "the program", 0)
    }

    fn import(&mut self, name: &str, imported_by: &str, line: usize) -> Result<(), ShaderError> {
        if !self.seen.insert(name.to_owned()) {
            return Ok(());
        }
        let text = source(name).ok_or_else(|| ShaderError::Missing {
            name: name.to_owned(),
            imported_by: imported_by.to_owned(),
            line,
        })?;
        self.add(name, &text).map(|_| ())
    }

    /// The text of the module.
    pub fn text(self) -> String {
        self.text
    }

    /// The module with the origins of its lines.
    pub fn composed(self) -> Composed {
        Composed { text: self.text, parts: self.parts }
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

    fn three() -> Sources {
        Sources::embedded()
            .with("x/base.wgsl", "// base\nconst BASE = 1;\n")
            .with("x/one.wgsl", "#import \"x/base.wgsl\"\nconst ONE = BASE;\n")
            .with(
                "x/two.wgsl",
                "// two\n\n#import \"x/one.wgsl\"\n#import \"x/base.wgsl\"\nconst TWO = ONE;",
            )
    }

    #[test]
    fn every_line_knows_its_file_through_imports() {
        three().during(|| {
            let composed = compose("x/two.wgsl").unwrap();
            let names: Vec<_> = composed.parts().names().collect();
            assert_eq!(names, ["x/base.wgsl", "x/one.wgsl", "x/two.wgsl"]);
            for (line, text) in composed.text().lines().enumerate() {
                let (file, own) = composed.parts().origin(line + 1).unwrap();
                let original = source(file).unwrap();
                let original = original.lines().nth(own - 1).unwrap();
                if !original.starts_with("#import") {
                    assert_eq!(original, text, "{file}:{own}");
                }
            }
            let last = composed.text().lines().count();
            assert_eq!(composed.parts().origin(last), Some(("x/two.wgsl", 5)));
            assert_eq!(composed.parts().origin(last + 1), None);
            assert_eq!(composed.parts().origin(0), None);
        });
    }

    #[test]
    fn composed_texts_keep_the_origins_of_lines() {
        three().during(|| {
            let (text, parts) = compose("x/one.wgsl").unwrap().into_parts();
            let mut module = Module::default();
            module.add("kernel", "// first\n").unwrap();
            let lines = module.add_composed("hook", &text, &parts).unwrap();
            assert_eq!(lines, 1..5);
            module.add("kernel", "// last\n").unwrap();
            let (_, parts) = module.composed().into_parts();
            assert_eq!(parts.origin(3), Some(("x/base.wgsl", 2)));
            assert_eq!(parts.origin(5), Some(("x/one.wgsl", 2)));
            assert_eq!(parts.origin(6), Some(("kernel", 1)));
        });
    }

    #[test]
    fn dependents_of_a_file_are_its_importers() {
        let changed = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        three().during(|| {
            for (name, files, expected) in [
                ("x/two.wgsl", ["x/base.wgsl"], true),
                ("x/two.wgsl", ["x/one.wgsl"], true),
                ("x/one.wgsl", ["x/two.wgsl"], false),
                ("x/base.wgsl", ["x/one.wgsl"], false),
            ] {
                assert_eq!(depends(name, &changed(&files)), Ok(expected), "{name} {files:?}");
            }
        });
        // Of the shipped shaders, the tone map stands alone, and the water needs the sky.
        assert_eq!(depends("shading/tone.wgsl", &changed(&["shading/sky.wgsl"])), Ok(false));
        assert_eq!(depends("shading/water.wgsl", &changed(&["shading/sky.wgsl"])), Ok(true));
    }

    #[test]
    fn sources_are_read_compared_and_tried_by_one_thread() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        for (name, text) in EMBEDDED {
            write(name, text);
        }
        write("shading/.tone.wgsl.swp", "an editor's");
        let before = Sources::read(folder.path()).unwrap();
        assert_eq!(before, Sources::embedded());
        assert_eq!(before.check(), Ok(()));
        write("shading/tone.wgsl", "// mine\n#import \"shading/no.wgsl\"\n");
        write("shading/new.wgsl", "");
        std::fs::remove_file(folder.path().join("fft/copy.wgsl")).unwrap();
        let after = Sources::read(folder.path()).unwrap();
        let changed: Vec<_> = after.changed_since(&before).into_iter().collect();
        assert_eq!(changed, ["fft/copy.wgsl", "shading/new.wgsl", "shading/tone.wgsl"]);
        assert!(before.changed_since(&before).is_empty());

        // A deleted file, and an import of one that never existed.
        let gone = after.check().unwrap_err().to_string();
        assert!(gone.contains("fft/copy.wgsl"), "{gone}");
        let after = after.with("fft/copy.wgsl", "");
        let missing = after.check().unwrap_err().to_string();
        assert!(missing.starts_with("shading/tone.wgsl:2: "), "{missing}");

        after.during(|| {
            assert!(source("shading/tone.wgsl").unwrap().starts_with("// mine"));
            let elsewhere = std::thread::spawn(|| source("shading/tone.wgsl")).join().unwrap();
            assert!(!elsewhere.unwrap().starts_with("// mine"), "another thread sees it");
        });
        assert!(!source("shading/tone.wgsl").unwrap().starts_with("// mine"));
        assert!(Sources::read(Path::new("/no/such/folder")).is_err());
    }
}
