//! PNG files: the picture as a screen shows it.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use png::{BitDepth, ColorType, Decoder, DecodingError, Encoder, SrgbRenderingIntent};

use super::resume::Contents;
use super::stamp;

/// A file of `rgba` without its alpha, which means nothing here.
pub fn encode([width, height]: [u32; 2], rgba: &[u8], stamp: String) -> io::Result<Vec<u8>> {
    let rgb: Vec<u8> = rgba.chunks_exact(4).flat_map(|texel| &texel[..3]).copied().collect();
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    encoder.add_text_chunk("Software".into(), stamp::SOFTWARE.into())?;
    encoder.add_text_chunk(stamp::KEY.into(), stamp)?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb)?;
    writer.finish()?;
    Ok(bytes)
}

/// Reads all of a file, if it is of `resolution`.
pub fn read(path: &Path, resolution: [u32; 2]) -> io::Result<Contents> {
    let failed = |error: DecodingError| match error {
        DecodingError::IoError(error) => error,
        error => io::Error::new(io::ErrorKind::InvalidData, error),
    };
    let mut reader = Decoder::new(BufReader::new(File::open(path)?)).read_info().map_err(failed)?;
    let info = reader.info();
    let found = [info.width, info.height];
    let texts = &info.uncompressed_latin1_text;
    let stamp = texts.iter().find(|chunk| chunk.keyword == stamp::KEY);
    let stamp = stamp.map(|chunk| chunk.text.clone());
    let kind = (info.color_type, info.bit_depth);
    let fault = if found != resolution {
        Some(Cow::Owned(format!("it is {}x{}", found[0], found[1])))
    } else if kind != (ColorType::Rgb, BitDepth::Eight) {
        Some(Cow::Borrowed("it is not an 8-bit RGB picture"))
    } else {
        let mut rgb = vec![0; resolution[0] as usize * resolution[1] as usize * 3];
        reader.next_frame(&mut rgb).map_err(failed)?;
        // The checksum of the last piece, and the mark at the end.
        reader.finish().map_err(failed)?;
        None
    };
    Ok(Contents { stamp, fault })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::render::resume::tests::every_injury_is_noticed;

    const STAMP: &str = "time_s = 1.5\n[sea]\n";

    #[test]
    fn a_file_is_read_back_and_every_injury_noticed() {
        let resolution = [23, 17];
        let rgba: Vec<u8> = (0..23 * 17 * 4).map(|i: u32| (i * i % 251) as u8).collect();
        let bytes = encode(resolution, &rgba, STAMP.into()).unwrap();
        let picture = image::load_from_memory(&bytes).unwrap().into_rgb8();
        for (pixel, texel) in picture.pixels().zip(rgba.chunks_exact(4)) {
            assert_eq!(pixel.0, texel[..3]);
        }
        every_injury_is_noticed(&bytes, resolution, read, STAMP);
    }
}
