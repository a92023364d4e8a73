//! The sequences of files: their names, and what each holds.

use std::path::{Path, PathBuf};

use super::files::{Depth, Format};
use super::images::Image;
use super::index::ImageRow;

/// Digits of a frame's number in names.
const DIGITS: usize = 5;

/// The files of one kind, one for each frame.
pub struct Sequence {
    pub cascade: usize,
    pub content: Content,
    /// The name before the frame's number.
    pub stem: String,
}

#[derive(Clone, Copy)]
pub enum Content {
    Image { image: Image, format: Format, depth: Depth, range: [[f64; 2]; 3] },
    Mesh,
}

impl Sequence {
    fn extension(&self) -> &'static str {
        match self.content {
            Content::Image { format, .. } => format.name(),
            Content::Mesh => "glb",
        }
    }

    pub fn path(&self, out: &Path, frame: u32) -> PathBuf {
        out.join(format!("{}_{frame:0DIGITS$}.{}", self.stem, self.extension()))
    }

    /// The row of its images in the index.
    pub fn row(&self) -> Option<ImageRow> {
        let Content::Image { image, format, depth, range } = self.content else { return None };
        let (sample, range) = match (format, depth) {
            (Format::Png, _) => ("uint16", range),
            (Format::Exr, Depth::Half) => ("half", [[0.0, 1.0]; 3]),
            _ => ("float", [[0.0, 1.0]; 3]),
        };
        Some(ImageRow {
            name: image.name(),
            channels: image.channels(),
            file: format!("{}_{{frame}}.{}", self.stem, self.extension()),
            frame_digits: DIGITS,
            format: format.name(),
            sample,
            offset: range.map(|[low, _]| low),
            scale: range.map(|[low, high]| high - low),
        })
    }
}

pub fn patch_name(combined: bool, cascade: usize) -> String {
    if combined { "sea".into() } else { format!("cascade{cascade}") }
}

/// Returns whether a file has the name of an image of a bake.
pub fn is_of_a_bake(name: &str) -> bool {
    let parts = || {
        let (stem, extension) = name.rsplit_once('.')?;
        let (stem, frame) = stem.rsplit_once('_')?;
        let (patch, image) = stem.split_once('_')?;
        let number = patch.strip_prefix("cascade").unwrap_or("0");
        let is_patch = (patch == "sea" || patch.starts_with("cascade")) && is_number(number);
        let mut images = Image::OF_CASCADE.into_iter().chain(Image::OF_SEA);
        let is_image = images.any(|known| known.name() == image);
        let is_frame = frame.len() >= DIGITS && is_number(frame);
        Some(is_patch && is_image && is_frame && Format::of_name(extension).is_some())
    };
    parts().unwrap_or(false)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_bake_are_recognised() {
        for name in ["cascade0_slopes_00000.exr", "sea_foam_00012.png", "sea_normal_123456.npy"] {
            assert!(is_of_a_bake(name), "{name}");
        }
        for name in [
            "bake.json",
            "sea_00000.glb",
            "sea_foam_1.exr",
            "cascade_slopes_00000.exr",
            "sea_foam_00000.jpg",
            "my_foam_00000.exr",
            "frame_0000.png",
        ] {
            assert!(!is_of_a_bake(name), "{name}");
        }
    }
}
