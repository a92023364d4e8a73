//! `--resume`: the files of a sequence that exist already. A file counts only after it was read to its end,
//! since a power failure or a broken copy may have cut it.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use super::stamp::Stamp;

#[derive(Debug)]
pub struct Contents {
    /// The settings that it was drawn with, if it has them.
    pub stamp: Option<String>,
    /// Why this program would not write such a file.
    pub fault: Option<Cow<'static, str>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExistingFile {
    Nothing,
    Frame,
    /// An incomplete file, or one of another kind, with the reason.
    Incomplete(String),
    /// A complete picture of something else, with the difference.
    Other(String),
}

/// Reads the file of a frame of `resolution` that `stamp` describes.
pub fn examine(
    path: &Path,
    resolution: [u32; 2],
    stamp: &Stamp,
    read: fn(&Path, [u32; 2]) -> io::Result<Contents>,
) -> ExistingFile {
    let contents = match read(path, resolution) {
        Ok(contents) => contents,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return ExistingFile::Nothing,
        Err(error) => return ExistingFile::Incomplete(error.to_string()),
    };
    // The settings come first: they say why a size is another.
    let difference = contents.stamp.as_deref().map(|text| stamp.difference(text));
    match (difference, contents.fault) {
        (Some(Some(difference)), _) => ExistingFile::Other(difference),
        (_, Some(fault)) => ExistingFile::Incomplete(fault.into_owned()),
        (Some(None), None) => ExistingFile::Frame,
        (None, None) => ExistingFile::Other("the file does not say with which".into()),
    }
}

#[cfg(test)]
pub mod tests {
    use std::fs;

    use super::*;

    /// Truncates `bytes`, and overwrites their end with zeros, at many places: `read` must reject each,
    /// without a panic.
    #[track_caller]
    pub fn every_injury_is_noticed(
        bytes: &[u8],
        resolution: [u32; 2],
        read: fn(&Path, [u32; 2]) -> io::Result<Contents>,
        stamp: &str,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let sound = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            read(&path, resolution).is_ok_and(|contents| {
                contents.fault.is_none() && contents.stamp.as_deref() == Some(stamp)
            })
        };
        assert!(sound(bytes));
        let ends = (bytes.len() - 40..bytes.len()).chain((0..bytes.len()).step_by(23));
        for end in ends {
            assert!(!sound(&bytes[..end]), "cut off at {end} of {}", bytes.len());
            // Bytes that were zero before are no damage.
            if bytes[end..].iter().any(|&byte| byte != 0) {
                let zeroed = [&bytes[..end], &vec![0; bytes.len() - end]].concat();
                assert!(!sound(&zeroed), "zeros from {end} of {}", bytes.len());
            }
        }
        // Whether one bit is noticed is the format's affair.
        for index in (0..bytes.len()).step_by(11) {
            let mut flipped = bytes.to_vec();
            flipped[index] ^= 0x55;
            sound(&flipped);
        }
        let [width, height] = resolution;
        fs::write(&path, bytes).unwrap();
        let fault = read(&path, [width + 1, height]).unwrap().fault.unwrap();
        assert_eq!(fault, format!("it is {width}x{height}"));
        assert_eq!(
            read(&folder.path().join("none"), resolution).unwrap_err().kind(),
            io::ErrorKind::NotFound
        );
    }

    #[test]
    fn what_is_found_is_judged() {
        use crate::OceanOptions;
        use crate::settings::{Preset, Quality};

        use crate::cli::render::stamp::Sequence;

        fn stamp(time_s: f64) -> Stamp {
            let quality = Quality::default();
            let ocean = OceanOptions::fixed(&quality);
            let sequence = Sequence::new(&Preset::default(), &quality, &ocean, [8, 6], 30.0);
            sequence.stamp(time_s)
        }
        fn contents(time_s: Option<f64>, fault: Option<&'static str>) -> io::Result<Contents> {
            let stamp = time_s.map(|time_s| stamp(time_s).text(7, "a GPU"));
            Ok(Contents { stamp, fault: fault.map(Cow::Borrowed) })
        }
        let found = |read| examine(Path::new("frame.png"), [8, 6], &stamp(1.0), read);
        let incomplete = |why: &str| ExistingFile::Incomplete(why.into());
        assert_eq!(found(|_, _| Err(io::ErrorKind::NotFound.into())), ExistingFile::Nothing);
        assert_eq!(found(|_, _| Err(io::Error::other("cut off"))), incomplete("cut off"));
        assert_eq!(found(|_, _| contents(Some(1.0), None)), ExistingFile::Frame);
        assert_eq!(found(|_, _| contents(Some(1.0), Some("cropped"))), incomplete("cropped"));
        assert_eq!(found(|_, _| contents(None, Some("cropped"))), incomplete("cropped"));
        // Whatever else is wrong with it: that it is of another time explains it.
        let other = ExistingFile::Other("time_s is 2.0 there and 1.0 here".into());
        assert_eq!(found(|_, _| contents(Some(2.0), None)), other);
        assert_eq!(found(|_, _| contents(Some(2.0), Some("cropped"))), other);
        assert!(matches!(found(|_, _| contents(None, None)), ExistingFile::Other(_)));
    }
}
