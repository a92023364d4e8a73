//! Images as files: OpenEXR, PNG of 16 bits, and NumPy's. Equal images give equal bytes.

use std::fs::File;
use std::io::{self, BufReader, Cursor};
use std::path::Path;

use exr::prelude::{
    AnyChannel, AnyChannels, Encoding, FlatSamples, Image, Layer, LayerAttributes, Text, Vec2,
    WritableImage as _,
};
use half::f16;
use png::{BitDepth, ColorType, Decoder, Encoder};

use super::images::Rgb;
use crate::cli::npy;
use crate::cli::render::exr::read_layer;
use crate::cli::render::stamp;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// OpenEXR, without loss (ZIP)
    Exr,
    /// 16 bits a channel, of which bake.json has offset and scale
    Png,
    /// NumPy, in 32-bit floats
    Npy,
}

/// The floats of OpenEXR files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Depth {
    /// 16 bits
    Half,
    /// 32 bits
    Float,
}

impl Format {
    pub fn name(self) -> &'static str {
        match self {
            Self::Exr => "exr",
            Self::Png => "png",
            Self::Npy => "npy",
        }
    }

    pub fn of_name(name: &str) -> Option<Self> {
        [Self::Exr, Self::Png, Self::Npy].into_iter().find(|format| format.name() == name)
    }

    /// Bytes of a point without compression.
    pub fn bytes(self, depth: Depth) -> u64 {
        match (self, depth) {
            (Self::Png, _) | (Self::Exr, Depth::Half) => 6,
            (Self::Npy, _) | (Self::Exr, Depth::Float) => 12,
        }
    }
}

/// Channels in a file's order, and their index among red, green and blue.
const CHANNELS: [(&str, usize); 3] = [("B", 2), ("G", 1), ("R", 0)];

/// Encodes an image of `size` x `size` points as OpenEXR, in one thread.
pub fn exr(size: u32, depth: Depth, image: &[Rgb]) -> io::Result<Vec<u8>> {
    let channel = |(name, index): (&str, usize)| {
        let values = image.iter().map(|rgb| rgb[index] as f32);
        let samples = match depth {
            Depth::Half => FlatSamples::F16(values.map(f16::from_f32).collect()),
            Depth::Float => FlatSamples::F32(values.collect()),
        };
        AnyChannel::new(name, samples)
    };
    let layer = Layer::new(
        Vec2(size as usize, size as usize),
        LayerAttributes {
            software_name: Text::new_or_none(stamp::SOFTWARE),
            ..LayerAttributes::default()
        },
        Encoding::SMALL_LOSSLESS,
        AnyChannels::sort(CHANNELS.map(channel).into_iter().collect()),
    );
    let mut bytes = Cursor::new(Vec::new());
    let image = Image::from_layer(layer);
    image.write().non_parallel().to_buffered(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.into_inner())
}

/// Encodes an image as PNG: each channel is 0 at the low end of its `range` and 65535 at the high end.
pub fn png(size: u32, range: &[[f64; 2]; 3], image: &[Rgb]) -> io::Result<Vec<u8>> {
    let sample = |(value, [low, high]): (f64, &[f64; 2])| {
        (65535.0 * (value - low) / (high - low)).round().clamp(0.0, 65535.0) as u16
    };
    let samples = image.iter().flat_map(|rgb| rgb.iter().copied().zip(range).map(sample));
    let data: Vec<u8> = samples.flat_map(u16::to_be_bytes).collect();
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, size, size);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Sixteen);
    encoder.set_compression(png::Compression::Fast);
    encoder.add_text_chunk("Software".into(), stamp::SOFTWARE.into())?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&data)?;
    writer.finish()?;
    Ok(bytes)
}

/// Returns whether a file is complete: it is read to its end, since a power failure or a broken copy may have
/// cut it.
pub fn is_complete(path: &Path, format: Format, depth: Depth, size: u32) -> bool {
    let is_complete = match format {
        Format::Exr => is_exr(path, depth, size),
        Format::Png => is_png(path, size),
        Format::Npy => {
            let shape = [size as usize, size as usize, 3];
            npy::read(path).map(|array| array.shape == shape && array.single)
        }
    };
    is_complete.unwrap_or(false)
}

fn is_exr(path: &Path, depth: Depth, size: u32) -> anyhow::Result<bool> {
    let image = read_layer(BufReader::new(File::open(path)?))?;
    let is_kind = |(channel, (name, _)): (&AnyChannel<FlatSamples>, (&str, usize))| {
        channel.name == *name
            && match channel.sample_data {
                FlatSamples::F16(_) => depth == Depth::Half,
                FlatSamples::F32(_) => depth == Depth::Float,
                FlatSamples::U32(_) => false,
            }
    };
    let channels = &image.layer_data.channel_data.list;
    Ok(image.layer_data.size == Vec2(size as usize, size as usize)
        && channels.len() == CHANNELS.len()
        && channels.iter().zip(CHANNELS).all(is_kind))
}

fn is_png(path: &Path, size: u32) -> anyhow::Result<bool> {
    let mut reader = Decoder::new(BufReader::new(File::open(path)?)).read_info()?;
    let info = reader.info();
    let kind = (info.color_type, info.bit_depth);
    if [info.width, info.height] != [size; 2] || kind != (ColorType::Rgb, BitDepth::Sixteen) {
        return Ok(false);
    }
    reader.next_frame(&mut vec![0; 6 * size as usize * size as usize])?;
    reader.finish()?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn cut_files_are_not_complete() {
        let folder = tempfile::tempdir().unwrap();
        let size = 16;
        let image: Vec<Rgb> = (0..256).map(|at| [f64::from(at), -1.0, 0.5]).collect();
        let range = [[0.0, 256.0], [-1.0, 1.0], [0.0, 1.0]];
        let path = folder.path().join("image.npy");
        let values: Vec<f32> = image.iter().flatten().map(|value| *value as f32).collect();
        npy::write_f32(&path, &[16, 16, 3], &values).unwrap();
        let files = [
            (Format::Exr, Depth::Half, exr(size, Depth::Half, &image).unwrap()),
            (Format::Exr, Depth::Float, exr(size, Depth::Float, &image).unwrap()),
            (Format::Png, Depth::Half, png(size, &range, &image).unwrap()),
            (Format::Npy, Depth::Half, fs::read(&path).unwrap()),
        ];
        for (format, depth, bytes) in files {
            let path = folder.path().join(format.name());
            fs::write(&path, &bytes).unwrap();
            assert!(is_complete(&path, format, depth, size), "{format:?}");
            assert!(!is_complete(&path, format, depth, 32), "{format:?}");
            for end in [0, 20, bytes.len() / 2, bytes.len() - 1] {
                fs::write(&path, &bytes[..end]).unwrap();
                assert!(!is_complete(&path, format, depth, size), "{format:?} {end}");
            }
        }
        let half = exr(size, Depth::Half, &image).unwrap();
        fs::write(&path, half).unwrap();
        assert!(!is_complete(&path, Format::Exr, Depth::Float, size));
    }
}
