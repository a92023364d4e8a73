//! Pictures in files: PNG, JPEG and OpenEXR, as numbers that can be filtered.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use seaway::filter::picture::{Depth, Format, Picture};
//!
//! # fn f() -> Result<(), seaway::filter::picture::PictureError> {
//! let picture = Picture::read(Path::new("photograph.jpg"))?;
//! println!("{:?} pixels of {} floats", picture.size, picture.channels.floats());
//! // The format follows from the name: 16 bits a channel in PNG, floats in OpenEXR.
//! assert_eq!(Format::of(Path::new("copy.png"))?, Format::Png);
//! Picture { depth: Depth::Bits16, ..picture }.write(Path::new("copy.png"))?;
//! # Ok(())
//! # }
//! ```

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read as _, Write as _};
use std::path::{Path, PathBuf};

use exr::prelude::{
    AnyChannel, AnyChannels, Encoding, FlatSamples, Image, Layer, LayerAttributes, Vec2,
    WritableImage as _, read_first_flat_layer_from_file,
};
use image::codecs::jpeg::JpegEncoder;
use image::{
    DynamicImage, ImageBuffer, ImageDecoder as _, ImageFormat, ImageReader, Luma, LumaA, Rgb, Rgba,
};

use super::Channels;
use seaway_core::atomic_write;

/// The type of a number in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// A whole number from 0 to 255.
    Bits8,
    /// A whole number from 0 to 65,535.
    Bits16,
    /// A floating-point number of any size.
    Float,
}

/// A picture in memory, as floats.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The width and height in pixels.
    pub size: [u32; 2],
    /// The channels of its pixels.
    pub channels: Channels,
    /// Its pixels, `[y][x]`, [`Channels::floats`] floats each: as stored, with whole numbers divided by
    /// the largest, opacity last and 1 where the file has none.
    pub pixels: Vec<f32>,
    /// The type of its numbers in files.
    pub depth: Depth,
    /// Whether its file has opacity.
    pub has_opacity: bool,
}

/// The formats that a picture can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// PNG: 8 or 16 bits, from 0 to 1.
    Png,
    /// JPEG: 8 bits, from 0 to 1, with loss.
    Jpeg,
    /// OpenEXR, with numbers as 32-bit floats.
    Exr,
}

/// The reasons why a picture cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The file cannot be opened.
    #[error("{path} could not be read: {error}")]
    Open {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file is no picture of a supported kind.
    #[error("{path} is not a picture that can be read: PNG, JPEG and OpenEXR are")]
    Unknown {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file is a broken picture, or an unsupported variant.
    #[error("{path} could not be read: {message}")]
    Broken {
        /// The path of the file.
        path: PathBuf,
        /// The error of the decoder.
        message: String,
    },
    /// The picture has a value that is not finite, and would affect all others.
    #[error(
        "{path} has a value that is not finite at column {x}, row {y}, which a transform would \
         spread over the whole picture: replace it first"
    )]
    NotFinite {
        /// The path of the file.
        path: PathBuf,
        /// The column of the pixel.
        x: u32,
        /// The row of the pixel.
        y: u32,
    },
    /// The name of the file has no known format.
    #[error("{path}: the format follows from the extension: use .png, .jpg or .exr")]
    NoFormat {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error("{path} could not be written: {message}")]
    Write {
        /// The path of the file.
        path: PathBuf,
        /// The error of the encoder or the system.
        message: String,
    },
}

impl Format {
    /// Finds the format by the extension of a file name.
    ///
    /// # Errors
    /// [`PictureError::NoFormat`] where the extension is unknown.
    pub fn of(path: &Path) -> Result<Self, PictureError> {
        let end = path.extension().map(|end| end.to_string_lossy().to_lowercase());
        match end.as_deref() {
            Some("png") => Ok(Self::Png),
            Some("jpg" | "jpeg") => Ok(Self::Jpeg),
            Some("exr") => Ok(Self::Exr),
            _ => Err(PictureError::NoFormat { path: path.to_owned() }),
        }
    }
}

impl Picture {
    /// Reads a file, whatever its name.
    ///
    /// # Errors
    /// [`PictureError`] where it is no picture, or has values that are not finite.
    pub fn read(path: &Path) -> Result<Self, PictureError> {
        let open = |error| PictureError::Open { path: path.to_owned(), error };
        let mut start = Vec::new();
        File::open(path).map_err(open)?.take(4).read_to_end(&mut start).map_err(open)?;
        const EXR: [u8; 4] = [0x76, 0x2f, 0x31, 0x01];
        if start == EXR { Self::read_exr(path) } else { Self::read_integers(path) }
    }

    fn read_integers(path: &Path) -> Result<Self, PictureError> {
        let open = |error| PictureError::Open { path: path.to_owned(), error };
        let broken = |error: image::ImageError| PictureError::Broken {
            path: path.to_owned(),
            message: error.to_string(),
        };
        // The contents decide the format, not the name.
        let file = BufReader::new(File::open(path).map_err(open)?);
        let reader = ImageReader::new(file).with_guessed_format().map_err(open)?;
        if !matches!(reader.format(), Some(ImageFormat::Png | ImageFormat::Jpeg)) {
            return Err(PictureError::Unknown { path: path.to_owned() });
        }
        let mut decoder = reader.into_decoder().map_err(broken)?;
        // Cameras record their orientation in the file.
        let orientation = decoder.orientation().map_err(broken)?;
        let mut image = DynamicImage::from_decoder(decoder).map_err(broken)?;
        image.apply_orientation(orientation);
        let colour = image.color();
        let size = [image.width(), image.height()];
        let depth = match colour.bytes_per_pixel() / colour.channel_count() {
            1 => Depth::Bits8,
            _ => Depth::Bits16,
        };
        let channels = if colour.has_color() { Channels::Colour } else { Channels::Grey };
        // Whole numbers are divided by the largest, exactly as the image crate does for floats.
        let pixels = match (channels, depth) {
            (Channels::Grey, Depth::Bits8) => shares(image.into_luma_alpha8().as_raw(), 255.0),
            (Channels::Grey, _) => shares(image.into_luma_alpha16().as_raw(), 65_535.0),
            (Channels::Colour, Depth::Bits8) => shares(image.into_rgba8().as_raw(), 255.0),
            (Channels::Colour, _) => shares(image.into_rgba16().as_raw(), 65_535.0),
        };
        Ok(Self { size, channels, pixels, depth, has_opacity: colour.has_alpha() })
    }

    fn read_exr(path: &Path) -> Result<Self, PictureError> {
        let broken = |message: String| PictureError::Broken { path: path.to_owned(), message };
        let image =
            read_first_flat_layer_from_file(path).map_err(|error| broken(error.to_string()))?;
        let layer = image.layer_data;
        let size = [layer.size.x() as u32, layer.size.y() as u32];
        let find = |name: &str| {
            layer.channel_data.list.iter().find(|channel| channel.name.to_string() == name)
        };
        let opacity = find("A");
        let (channels, names) = match (find("R"), find("Y")) {
            (Some(_), _) => (Channels::Colour, &["R", "G", "B"][..]),
            (None, Some(_)) => (Channels::Grey, &["Y"][..]),
            (None, None) => {
                let has: Vec<_> = layer
                    .channel_data
                    .list
                    .iter()
                    .map(|channel| channel.name.to_string())
                    .collect();
                return Err(broken(format!(
                    "its channels are {}: it needs R, G and B, or Y",
                    has.join(", ")
                )));
            }
        };
        let count = size[0] as usize * size[1] as usize;
        let floats = channels.floats();
        let mut pixels = vec![1.0; count * floats];
        for (number, name) in names.iter().enumerate() {
            let channel = find(name).ok_or_else(|| broken(format!("it has no channel {name}")))?;
            put(&mut pixels, floats, number, channel).map_err(broken)?;
        }
        if let Some(opacity) = opacity {
            put(&mut pixels, floats, floats - 1, opacity).map_err(broken)?;
        }
        if let Some(place) = pixels.iter().position(|value| !value.is_finite()) {
            let pixel = (place / floats) as u32;
            let (x, y) = (pixel % size[0], pixel / size[0]);
            return Err(PictureError::NotFinite { path: path.to_owned(), x, y });
        }
        let has_opacity = opacity.is_some();
        Ok(Self { size, channels, pixels, depth: Depth::Float, has_opacity })
    }

    /// Writes a file atomically in the format of its name. PNG and JPEG hold values from 0 to 1: returns
    /// the share of the values that were clamped to this range.
    ///
    /// # Errors
    /// [`PictureError`] where the name has no format, or the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<f64, PictureError> {
        let format = Format::of(path)?;
        let failed = |message: String| PictureError::Write { path: path.to_owned(), message };
        let mut bytes = Cursor::new(Vec::new());
        match format {
            Format::Exr => {
                self.encode_exr(&mut bytes).map_err(|error| failed(error.to_string()))?
            }
            Format::Png => {
                let image = self.integers(self.depth != Depth::Bits8, self.has_opacity);
                image
                    .write_to(&mut bytes, ImageFormat::Png)
                    .map_err(|error| failed(error.to_string()))?;
            }
            Format::Jpeg => {
                const QUALITY: u8 = 95;
                let encoder = JpegEncoder::new_with_quality(&mut bytes, QUALITY);
                self.integers(false, false)
                    .write_with_encoder(encoder)
                    .map_err(|error| failed(error.to_string()))?;
            }
        }
        atomic_write::write(path, |file| file.write_all(bytes.get_ref()))
            .map_err(|error| failed(error.to_string()))?;
        if format == Format::Exr {
            return Ok(0.0);
        }
        let floats = self.channels.floats();
        let values = self.pixels.chunks_exact(floats).flat_map(|pixel| &pixel[..floats - 1]);
        // Values that round to an end are within the range.
        let step =
            if self.depth == Depth::Bits8 || format == Format::Jpeg { 255.0 } else { 65_535.0 };
        let beyond = values.filter(|value| **value * step < -0.5 || **value * step > step + 0.5);
        let count = self.pixels.len() / floats * (floats - 1);
        Ok(beyond.count() as f64 / count.max(1) as f64)
    }

    /// Decodes sRGB's curve in all channels except opacity, into linear light.
    pub fn decode_srgb(&mut self) {
        self.map(|value| match value <= 0.040_45 {
            true => value / 12.92,
            false => ((value + 0.055) / 1.055).powf(2.4),
        });
    }

    /// Encodes sRGB's curve, the inverse of [`Picture::decode_srgb`]. Values below 0 stay negative.
    pub fn encode_srgb(&mut self) {
        self.map(|value| match value <= 0.003_130_8 {
            true => value * 12.92,
            false => 1.055 * value.powf(1.0 / 2.4) - 0.055,
        });
    }

    fn map(&mut self, change: impl Fn(f32) -> f32) {
        let floats = self.channels.floats();
        for pixel in self.pixels.chunks_exact_mut(floats) {
            pixel[..floats - 1].iter_mut().for_each(|value| *value = change(*value));
        }
    }

    fn integers(&self, wide: bool, opacity: bool) -> DynamicImage {
        let [width, height] = self.size;
        let floats = self.channels.floats();
        let kept = if opacity { floats } else { floats - 1 };
        let values = || self.pixels.chunks_exact(floats).flat_map(move |pixel| &pixel[..kept]);
        let wides = || values().map(|value| (value.clamp(0.0, 1.0) * 65_535.0).round() as u16);
        let bytes = || values().map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8);
        fn whole<P: image::Pixel>(
            width: u32,
            height: u32,
            values: Vec<P::Subpixel>,
        ) -> ImageBuffer<P, Vec<P::Subpixel>> {
            ImageBuffer::from_raw(width, height, values).expect("as many values as pixels take")
        }
        let (w, h) = (width, height);
        match (self.channels, opacity, wide) {
            (Channels::Grey, false, false) => whole::<Luma<u8>>(w, h, bytes().collect()).into(),
            (Channels::Grey, false, true) => whole::<Luma<u16>>(w, h, wides().collect()).into(),
            (Channels::Grey, true, false) => whole::<LumaA<u8>>(w, h, bytes().collect()).into(),
            (Channels::Grey, true, true) => whole::<LumaA<u16>>(w, h, wides().collect()).into(),
            (Channels::Colour, false, false) => whole::<Rgb<u8>>(w, h, bytes().collect()).into(),
            (Channels::Colour, false, true) => whole::<Rgb<u16>>(w, h, wides().collect()).into(),
            (Channels::Colour, true, false) => whole::<Rgba<u8>>(w, h, bytes().collect()).into(),
            (Channels::Colour, true, true) => whole::<Rgba<u16>>(w, h, wides().collect()).into(),
        }
    }

    fn encode_exr(&self, bytes: &mut Cursor<Vec<u8>>) -> exr::error::UnitResult {
        let floats = self.channels.floats();
        let mut names = match self.channels {
            Channels::Grey => vec!["Y"],
            Channels::Colour => vec!["R", "G", "B"],
        };
        names.extend(self.has_opacity.then_some("A"));
        let channel = |(number, name): (usize, &str)| {
            let number = if name == "A" { floats - 1 } else { number };
            let values = self.pixels.iter().skip(number).step_by(floats).copied();
            AnyChannel::new(name, FlatSamples::F32(values.collect()))
        };
        let channels = names.into_iter().enumerate().map(channel).collect();
        let [width, height] = self.size.map(|side| side as usize);
        let layer = Layer::new(
            Vec2(width, height),
            LayerAttributes::default(),
            Encoding::SMALL_LOSSLESS,
            AnyChannels::sort(channels),
        );
        Image::from_layer(layer).write().to_buffered(bytes)
    }

    /// The default name of a filtered picture, beside the original.
    pub fn default_name(path: &Path) -> PathBuf {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let end = match Format::of(path) {
            Ok(Format::Exr) => "exr",
            _ => "png",
        };
        path.with_file_name(format!("{stem}-filtered.{end}"))
    }
}

fn shares<T: Copy + Into<f64>>(values: &[T], largest: f64) -> Vec<f32> {
    values.iter().map(|value| ((*value).into() / largest) as f32).collect()
}

fn put(
    pixels: &mut [f32],
    floats: usize,
    number: usize,
    channel: &AnyChannel<FlatSamples>,
) -> Result<(), String> {
    let values: Vec<f32> = channel.sample_data.values_as_f32().collect();
    if values.len() != pixels.len() / floats {
        return Err(format!("its channel {} has fewer values than pixels", channel.name));
    }
    for (pixel, value) in pixels.chunks_exact_mut(floats).zip(values) {
        pixel[number] = value;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp(channels: Channels, depth: Depth, has_opacity: bool) -> Picture {
        let size = [5, 3];
        let floats = channels.floats();
        let steps = if depth == Depth::Bits8 { 255.0 } else { 65_535.0 };
        let pixels = (0..15 * floats).map(|n| {
            let is_opacity = n % floats == floats - 1;
            let value = (n as f32 * 997.0) % steps / steps;
            if is_opacity && !has_opacity { 1.0 } else { value.floor_to(steps) }
        });
        Picture { size, channels, pixels: pixels.collect(), depth, has_opacity }
    }

    trait FloorTo {
        fn floor_to(self, steps: f32) -> f32;
    }

    impl FloorTo for f32 {
        fn floor_to(self, steps: f32) -> f32 {
            ((f64::from((self * steps).floor())) / f64::from(steps)) as f32
        }
    }

    #[test]
    fn lossless_pictures_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        for channels in [Channels::Grey, Channels::Colour] {
            for has_opacity in [false, true] {
                for (depth, name) in
                    [(Depth::Bits8, "a.png"), (Depth::Bits16, "b.PNG"), (Depth::Float, "c.exr")]
                {
                    let picture = ramp(channels, depth, has_opacity);
                    let path = folder.path().join(name);
                    assert_eq!(picture.write(&path).unwrap(), 0.0);
                    assert_eq!(Picture::read(&path).unwrap(), picture, "{name}");
                }
            }
        }
    }

    #[test]
    fn jpeg_is_read_and_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jpg");
        let pixels = (0..64 * 64).flat_map(|n| [n as f32 % 64.0 / 63.0, 0.5, 0.25, 1.0]).collect();
        let picture = Picture {
            size: [64, 64],
            channels: Channels::Colour,
            pixels,
            depth: Depth::Bits8,
            has_opacity: false,
        };
        picture.write(&path).unwrap();
        let read = Picture::read(&path).unwrap();
        assert_eq!(
            (read.size, read.channels, read.depth),
            ([64, 64], Channels::Colour, Depth::Bits8)
        );
        let worst = read.pixels.iter().zip(&picture.pixels).map(|(a, b)| (a - b).abs());
        assert!(worst.fold(0.0, f32::max) < 0.05);
    }

    #[test]
    fn clamped_values_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let mut picture = ramp(Channels::Grey, Depth::Bits8, false);
        picture.pixels[0] = -0.5;
        picture.pixels[2] = 1.5;
        picture.pixels[4] = 1.001;
        let share = picture.write(&folder.path().join("a.png")).unwrap();
        assert!((share - 2.0 / 15.0).abs() < 1e-12, "{share}");
        assert_eq!(picture.write(&folder.path().join("a.exr")).unwrap(), 0.0);
    }

    #[test]
    fn invalid_pictures_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("text.png"), "no picture at all").unwrap();
        std::fs::write(path("empty.png"), "").unwrap();
        std::fs::write(path("half.png"), [0x89, b'P', b'N', b'G', 13, 10, 26, 10, 0, 0]).unwrap();
        let error = |name: &str| Picture::read(&path(name)).unwrap_err().to_string();
        assert!(error("text.png").contains("PNG, JPEG and OpenEXR are"), "{}", error("text.png"));
        assert!(error("empty.png").contains("PNG, JPEG and OpenEXR are"));
        assert!(error("half.png").contains("could not be read"));
        assert!(error("none.png").contains("could not be read"));
        assert!(Format::of(Path::new("a.bmp")).unwrap_err().to_string().contains(".exr"));
        let mut picture = ramp(Channels::Colour, Depth::Float, false);
        picture.pixels[4 * 7 + 1] = f32::NAN;
        picture.write(&path("nan.exr")).unwrap();
        assert!(error("nan.exr").contains("column 2, row 1"), "{}", error("nan.exr"));
        let nowhere = path("none").join("a.png");
        assert!(picture.write(&nowhere).is_err());
    }
}
