//! Shader sources by name (`"maps/store.wgsl"`), with `#import "shared/complex.wgsl"` lines
//! resolved. Each crate has a [`Library`] of its own, and may import from those of the crates below it.
//! A debug build reads the files from disk where they exist, so that a shader can be edited without a
//! rebuild; a release build uses the copies embedded at build time. Both go through the same resolver,
//! and so do [`Sources`]: the files as they were at one moment, which a program that watches them
//! installs once it knows that they compile.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use include_dir::Dir;

/// The shaders of a crate, embedded when it was built.
#[derive(Debug)]
pub struct Library {
    /// The files that are embedded in the program.
    pub files: Dir<'static>,
    /// The absolute path of their folder when the crate was built.
    pub folder: &'static str,
    /// The libraries of the crates below, whose files these shaders may import.
    pub below: &'static [&'static Library],
}

/// The reasons why a shader could not be composed, or was refused.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
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
    /// Reads every `.wgsl` file below `folder`, named by its path from there.
    ///
    /// # Errors
    /// An error of the system where the folder or a file in it cannot be read.
    pub fn read(folder: &Path) -> std::io::Result<Self> {
        let mut files = BTreeMap::new();
        collect(folder, "", &mut files)?;
        Ok(Self(Arc::new(files)))
    }

    /// A copy in which the files of `others` replace those of the same names.
    pub fn with_all(&self, others: &Self) -> Self {
        let mut files = BTreeMap::clone(&self.0);
        files.extend(others.0.iter().map(|(name, text)| (name.clone(), text.clone())));
        Self(Arc::new(files))
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

    /// Checks that each file of `library` and each import exists. Any shader of checked sources can then
    /// be composed without an error.
    ///
    /// # Errors
    /// [`ShaderError`] of the first file that cannot be composed.
    pub fn check(&self, library: &'static Library) -> Result<(), ShaderError> {
        let files = library.files();
        if let Some((gone, _)) = files.iter().find(|(name, _)| self.get(name).is_none()) {
            let (name, imported_by) = ((*gone).to_owned(), "the program".to_owned());
            return Err(ShaderError::Missing { name, imported_by, line: 0 });
        }
        self.during(|| self.0.keys().try_for_each(|name| library.compose(name).map(|_| ())))
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

impl Library {
    /// The names and sources of all files, with those of the crates below.
    ///
    /// # Panics
    /// Panics where a file is no text.
    pub fn files(&self) -> Vec<(&str, &str)> {
        fn add<'a>(folder: &'a Dir<'_>, files: &mut Vec<(&'a str, &'a str)>) {
            for file in folder.files() {
                let (name, text) = (file.path().to_str(), file.contents_utf8());
                files.push(name.zip(text).expect("shaders are texts"));
            }
            folder.dirs().for_each(|folder| add(folder, files));
        }
        let mut files = Vec::new();
        add(&self.files, &mut files);
        self.below.iter().for_each(|library| files.extend(library.files()));
        files
    }

    /// The copies that were embedded, which compile.
    pub fn embedded(&self) -> Sources {
        let files = self.files().into_iter().map(|(name, text)| (name.to_owned(), text.to_owned()));
        Sources(Arc::new(files.collect()))
    }

    /// The source of one file, imports unresolved.
    pub fn source(&'static self, name: &str) -> Option<Cow<'static, str>> {
        let of = |sources: &Sources| sources.get(name).map(|text| Cow::Owned(text.to_owned()));
        if let Some(found) = TRIED.with_borrow(|tried| tried.as_ref().map(of)) {
            return found;
        }
        let installed = INSTALLED.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = installed.as_ref().map(of) {
            return found;
        }
        let Some(embedded) = self.files.get_file(name) else {
            return self.below.iter().find_map(|library| library.source(name));
        };
        // Debug builds read the current file.
        #[cfg(all(debug_assertions, not(target_arch = "wasm32")))]
        {
            if let Ok(text) = std::fs::read_to_string(Path::new(self.folder).join(name)) {
                return Some(Cow::Owned(text));
            }
        }
        embedded.contents_utf8().map(Cow::Borrowed)
    }

    /// Resolves the WGSL of `name` with its imports in front of it, each file once.
    ///
    /// # Errors
    /// [`ShaderError`] where a file is missing or an `#import` line is malformed.
    pub fn resolve(&'static self, name: &str) -> Result<String, ShaderError> {
        self.compose(name).map(|composed| composed.text)
    }

    /// Resolves WGSL text, such as a generated kernel, as [`Library::resolve`] does.
    ///
    /// # Errors
    /// Those of [`Library::resolve`].
    pub fn resolve_text(&'static self, label: &str, text: &str) -> Result<String, ShaderError> {
        self.compose_text(label, text).map(|composed| composed.text)
    }

    /// Composes WGSL text, called `label` in errors, with the origins of its lines.
    ///
    /// # Errors
    /// Those of [`Library::resolve`].
    pub fn compose_text(&'static self, label: &str, text: &str) -> Result<Composed, ShaderError> {
        let mut module = Module::new(self);
        module.add(label, text)?;
        Ok(module.composed())
    }

    /// Composes the WGSL of `name`, as [`Library::resolve`] does, with the origins of its lines.
    ///
    /// # Errors
    /// Those of [`Library::resolve`].
    pub fn compose(&'static self, name: &str) -> Result<Composed, ShaderError> {
        let mut module = Module::new(self);
        module.append(name)?;
        Ok(module.composed())
    }
}

/// A whole module: its text, and the origin of each line; or a text alone, whose imports are resolved where
/// it is added to a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Composed {
    text: String,
    parts: Parts,
}

impl<T: Into<String>> From<T> for Composed {
    fn from(text: T) -> Self {
        Self { text: text.into(), parts: Parts::default() }
    }
}

impl Composed {
    /// The text of the module.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text and the origins of its lines.
    pub fn into_parts(self) -> (String, Parts) {
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
    is_file: bool,
    lines: Range<usize>,
}

impl Parts {
    /// The names of the files and texts, with imports first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|part| part.name.as_str())
    }

    /// The same files and those of `other`, for a text made of both whose lines have no origin.
    pub fn of_both(&self, other: &Self) -> Self {
        let parts = self.0.iter().chain(&other.0);
        Self(parts.map(|part| Part { lines: 0..0, ..part.clone() }).collect())
    }

    /// Returns whether one of `changed` is among them.
    pub fn depends(&self, changed: &BTreeSet<String>) -> bool {
        self.names().any(|name| changed.contains(name))
    }

    /// The file of `line` of the module, and the number of the line in it, both counted from 1.
    pub fn origin(&self, line: usize) -> Option<(&str, usize)> {
        let (part, line) = self.part(line)?;
        Some((&part.name, line))
    }

    fn part(&self, line: usize) -> Option<(&Part, usize)> {
        let index = line.checked_sub(1)?;
        // The parts of a part were added after it.
        let part = self.0.iter().rev().find(|part| part.lines.contains(&index))?;
        Some((part, index - part.lines.start + 1))
    }

    /// The error `said` about `line` of `text`, for the file that it came from; none where it came from
    /// no file.
    pub fn blame(&self, text: &str, line: usize, said: &str) -> Option<ShaderError> {
        let (part, own_line) = self.part(line).filter(|(part, _)| part.is_file)?;
        let mut message = said.to_owned();
        if let Some(wrong) = text.lines().nth(line - 1) {
            message.push('\n');
            message.push_str(wrong.trim());
        }
        Some(ShaderError::Invalid { file: part.name.clone(), line: own_line, message })
    }
}

/// A module under construction: texts in order, with their imports in front of them, each file once.
#[derive(Debug)]
pub struct Module {
    library: &'static Library,
    seen: BTreeSet<String>,
    text: String,
    parts: Parts,
}

impl Module {
    /// A module without text, whose imports are files of `library`.
    pub fn new(library: &'static Library) -> Self {
        Self { library, seen: BTreeSet::new(), text: String::new(), parts: Parts::default() }
    }

    /// Adds `text`, called `label` in errors, and returns its lines in the module, counted from 0: one
    /// for each of its own lines, an empty one for each import.
    ///
    /// # Errors
    /// Those of [`Library::resolve`].
    pub fn add(&mut self, label: &str, text: &str) -> Result<Range<usize>, ShaderError> {
        self.add_part(label, text, false)
    }

    fn add_part(
        &mut self,
        label: &str,
        text: &str,
        is_file: bool,
    ) -> Result<Range<usize>, ShaderError> {
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
        self.parts.0.push(Part { name: label.to_owned(), is_file, lines: lines.clone() });
        Ok(lines)
    }

    /// Adds a composed module, called `label` in errors, but for the files that are already here, and
    /// returns its lines. They keep their origins.
    ///
    /// # Errors
    /// Those of [`Library::resolve`], where it is a text with imports.
    pub fn add_composed(
        &mut self,
        label: &str,
        Composed { text, parts }: &Composed,
    ) -> Result<Range<usize>, ShaderError> {
        if parts.0.is_empty() {
            return self.add(label, text);
        }
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mut next = self.text.matches('\n').count();
        let first = next;
        for part in &parts.0 {
            if part.is_file && !self.seen.insert(part.name.clone()) {
                continue;
            }
            self.text.extend(lines[part.lines.clone()].iter().copied());
            let own = next..next + part.lines.len();
            next = own.end;
            self.parts.0.push(Part { lines: own, ..part.clone() });
        }
        Ok(first..next)
    }

    /// Adds the file `name`, unless it is already part of the module.
    ///
    /// # Errors
    /// Those of [`Library::resolve`].
    pub fn append(&mut self, name: &str) -> Result<(), ShaderError> {
        self.import(name, "the program", 0)
    }

    fn import(&mut self, name: &str, imported_by: &str, line: usize) -> Result<(), ShaderError> {
        if !self.seen.insert(name.to_owned()) {
            return Ok(());
        }
        let text = self.library.source(name).ok_or_else(|| ShaderError::Missing {
            name: name.to_owned(),
            imported_by: imported_by.to_owned(),
            line,
        })?;
        self.add_part(name, &text, true).map(|_| ())
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
    use include_dir::{DirEntry, File};

    use super::*;

    const fn library(
        files: &'static [DirEntry<'static>],
        below: &'static [&'static Library],
    ) -> Library {
        Library { files: Dir::new("", files), folder: "/no/such/folder", below }
    }

    const fn file(name: &'static str, text: &'static str) -> DirEntry<'static> {
        DirEntry::File(File::new(name, text.as_bytes()))
    }

    static BELOW: Library = library(&[file("x/base.wgsl", "// base\nconst BASE = 1;\n")], &[]);
    static LIBRARY: Library = library(
        &[
            file("x/one.wgsl", "#import \"x/base.wgsl\"\nconst ONE = BASE;\n"),
            file(
                "x/two.wgsl",
                "// two\n\n#import \"x/one.wgsl\"\n#import \"x/base.wgsl\"\nconst TWO = ONE;",
            ),
        ],
        &[&BELOW],
    );

    #[test]
    fn imports_come_first_and_once() {
        let text = "#import \"x/base.wgsl\"\n#import \"x/base.wgsl\"\nfn last() {}\n";
        let resolved = LIBRARY.resolve_text("test", text).unwrap();
        let base = LIBRARY.source("x/base.wgsl").unwrap();
        assert_eq!(resolved, format!("{base}\n\nfn last() {{}}\n"));
        let mut module = Module::new(&LIBRARY);
        module.add("first", "#import \"x/base.wgsl\"\n").unwrap();
        let lines = module.add("test", text).unwrap();
        let text = module.text();
        let here: Vec<_> = text.lines().skip(lines.start).take(lines.len()).collect();
        assert_eq!(here, ["", "", "fn last() {}"]);
    }

    #[test]
    fn bad_imports_are_named() {
        assert_eq!(
            LIBRARY.resolve_text("test", "\n#import shared\n"),
            Err(ShaderError::BadImport { file: "test".into(), line: 2 })
        );
        assert!(matches!(
            LIBRARY.resolve_text("test", "#import \"no/such.wgsl\""),
            Err(ShaderError::Missing { imported_by, .. }) if imported_by == "test"
        ));
    }

    #[test]
    fn every_line_knows_its_file_through_imports() {
        let composed = LIBRARY.compose("x/two.wgsl").unwrap();
        let names: Vec<_> = composed.parts().names().collect();
        assert_eq!(names, ["x/base.wgsl", "x/one.wgsl", "x/two.wgsl"]);
        for (line, text) in composed.text().lines().enumerate() {
            let (file, own) = composed.parts().origin(line + 1).unwrap();
            let original = LIBRARY.source(file).unwrap();
            let original = original.lines().nth(own - 1).unwrap();
            if !original.starts_with("#import") {
                assert_eq!(original, text, "{file}:{own}");
            }
        }
        let last = composed.text().lines().count();
        assert_eq!(composed.parts().origin(last), Some(("x/two.wgsl", 5)));
        assert_eq!(composed.parts().origin(last + 1), None);
        assert_eq!(composed.parts().origin(0), None);
    }

    #[test]
    fn composed_texts_keep_the_origins_of_lines() {
        let hook = LIBRARY.compose("x/one.wgsl").unwrap();
        let mut module = Module::new(&LIBRARY);
        module.add("kernel", "// first\n").unwrap();
        assert_eq!(module.add_composed("hook", &hook).unwrap(), 1..5);
        // Files stand in a module once.
        assert_eq!(module.add_composed("another hook", &hook).unwrap(), 5..5);
        module.add("kernel", "// last\n").unwrap();
        let (text, parts) = module.composed().into_parts();
        assert_eq!(text.lines().filter(|line| line.contains("const")).count(), 2);
        assert_eq!(parts.origin(3), Some(("x/base.wgsl", 2)));
        assert_eq!(parts.origin(5), Some(("x/one.wgsl", 2)));
        assert_eq!(parts.origin(6), Some(("kernel", 1)));
        // Only lines of files are errors of files.
        assert!(matches!(
            parts.blame(&text, 3, "wrong"),
            Some(ShaderError::Invalid { file, line: 2, .. }) if file == "x/base.wgsl"
        ));
        assert_eq!(parts.blame(&text, 6, "wrong"), None);
    }

    #[test]
    fn dependents_of_a_file_are_its_importers() {
        for (name, file, expected) in [
            ("x/two.wgsl", "x/base.wgsl", true),
            ("x/two.wgsl", "x/one.wgsl", true),
            ("x/one.wgsl", "x/two.wgsl", false),
            ("x/base.wgsl", "x/one.wgsl", false),
        ] {
            let changed = BTreeSet::from([file.to_owned()]);
            assert_eq!(LIBRARY.compose(name).unwrap().depends(&changed), expected, "{name} {file}");
        }
    }
}
