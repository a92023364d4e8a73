//! The shaders of the sea: those under `shaders/`, and those of the FFT that they import.
//!
//! ```
//! use seaway::gpu::shader::{LIBRARY, Module, resolve, source};
//!
//! // A shader that imports one of the sea's.
//! let mut module = Module::new(&LIBRARY);
//! module.add("mine", "#import \"maps/sample.wgsl\"\nfn height_m() -> f32 { return 0.0; }")?;
//! assert!(module.text().contains("fn ocean_displacement"));
//! assert!(source("maps/sample.wgsl").is_some());
//! assert!(resolve("shading/light.wgsl")?.contains("fn ocean_normal"));
//! # Ok::<(), seaway::gpu::shader::ShaderError>(())
//! ```

use std::io;
use std::path::{Path, PathBuf};

use include_dir::include_dir;
pub use seaway_core::gpu::shader::{Composed, Library, Module, Parts, ShaderError, Sources};

/// Every shader of this crate, with those of [`fft`](crate::fft).
pub static LIBRARY: Library = Library {
    files: include_dir!("$CARGO_MANIFEST_DIR/shaders"),
    folder: concat!(env!("CARGO_MANIFEST_DIR"), "/shaders"),
    below: &[&seaway_fft::SHADERS],
};

/// The source of one file, imports unresolved.
pub fn source(name: &str) -> Option<std::borrow::Cow<'static, str>> {
    LIBRARY.source(name)
}

/// Resolves the WGSL of `name` with its imports in front of it, as [`Library::resolve`] does.
///
/// # Errors
/// Those of [`Library::resolve`].
pub fn resolve(name: &str) -> Result<String, ShaderError> {
    LIBRARY.resolve(name)
}

/// The folders of the shaders in a clone of the repository whose folder `shaders` is `folder`.
#[doc(hidden)]
pub fn folders(folder: &Path) -> Vec<PathBuf> {
    let of_fft = folder.join("../crates/fft/shaders");
    [folder.to_owned()].into_iter().chain(of_fft.is_dir().then_some(of_fft)).collect()
}

/// Reads the shaders of a clone of the repository whose folder `shaders` is `folder`. Where the clone has
/// none of the FFT, they are the embedded ones.
///
/// # Errors
/// An error of the system where a folder or a file in it cannot be read.
pub fn read(folder: &Path) -> io::Result<Sources> {
    folders(folder).iter().try_fold(seaway_fft::SHADERS.embedded(), |sources, folder| {
        Ok(sources.with_all(&Sources::read(folder)?))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_file_on_disk_is_embedded_and_resolves() {
        assert!(LIBRARY.files().len() > 100);
        for (name, _) in LIBRARY.files() {
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
    fn dependents_of_a_file_are_its_importers() {
        let changed = BTreeSet::from(["shading/sky.wgsl".to_owned()]);
        let depends = |name| LIBRARY.compose(name).unwrap().depends(&changed);
        assert!(!depends("shading/tone.wgsl") && depends("shading/water.wgsl"));
    }

    #[test]
    fn sources_are_read_compared_and_tried_by_one_thread() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        for (name, text) in LIBRARY.files() {
            write(name, text);
        }
        write("shading/.tone.wgsl.swp", "an editor's");
        let before = read(folder.path()).unwrap();
        assert_eq!(before, LIBRARY.embedded());
        assert_eq!(before.check(&LIBRARY), Ok(()));
        write("shading/tone.wgsl", "// mine\n#import \"shading/no.wgsl\"\n");
        write("shading/new.wgsl", "");
        std::fs::remove_file(folder.path().join("shading/foam.wgsl")).unwrap();
        let after = read(folder.path()).unwrap();
        let changed: Vec<_> = after.changed_since(&before).into_iter().collect();
        assert_eq!(changed, ["shading/foam.wgsl", "shading/new.wgsl", "shading/tone.wgsl"]);
        assert!(before.changed_since(&before).is_empty());

        // A deleted file, and an import of one that never existed.
        let gone = after.check(&LIBRARY).unwrap_err().to_string();
        assert!(gone.contains("shading/foam.wgsl"), "{gone}");
        let after = after.with("shading/foam.wgsl", "");
        let missing = after.check(&LIBRARY).unwrap_err().to_string();
        assert!(missing.starts_with("shading/tone.wgsl:2: "), "{missing}");

        after.during(|| {
            assert!(source("shading/tone.wgsl").unwrap().starts_with("// mine"));
            let elsewhere = std::thread::spawn(|| source("shading/tone.wgsl")).join().unwrap();
            assert!(!elsewhere.unwrap().starts_with("// mine"), "another thread sees it");
        });
        assert!(!source("shading/tone.wgsl").unwrap().starts_with("// mine"));
        assert!(read(Path::new("/no/such/folder")).is_err());
    }
}
