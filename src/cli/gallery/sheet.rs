//! The contact sheet: small pictures in rows and columns, with their names.

use std::io::{self, Cursor};

use ab_glyph::{Font as _, FontRef, ScaleFont as _, point};
use anyhow::ensure;
use image::{ImageFormat, Rgb, RgbImage, imageops};

/// Width of the small pictures, unless the large ones are smaller.
const THUMBNAIL_WIDTH: u32 = 240;
const GAP: u32 = 6;
const TEXT_SIZE: f32 = 18.0;
const LINE: u32 = 26;
const PAPER: Rgb<u8> = Rgb([24, 26, 29]);
const INK: Rgb<u8> = Rgb([222, 226, 230]);

pub struct Sheet {
    picture: RgbImage,
    /// Size of the pictures that are put on it.
    resolution: [u32; 2],
    thumbnail: [u32; 2],
    /// Position of the first small picture.
    first: [u32; 2],
}

impl Sheet {
    /// An empty sheet with the names of its columns and rows.
    pub fn new<'a>(
        resolution: [u32; 2],
        rows: impl Iterator<Item = &'a str> + Clone,
        columns: &[String],
    ) -> anyhow::Result<Self> {
        let width = resolution[0].min(THUMBNAIL_WIDTH);
        let height = resolution[1] * width / resolution[0];
        let thumbnail = [width, height.max(1)];
        let font = Font::new()?;
        let names_width = rows.clone().map(|row| font.width(row)).max().unwrap_or(0);
        let first = [GAP + names_width + GAP, LINE + GAP];
        let end = |axis: usize, count: usize| {
            let step = u64::from(thumbnail[axis] + GAP);
            u64::from(first[axis]) + step * count as u64
        };
        let size = [end(0, columns.len()), end(1, rows.clone().count())];
        ensure!(
            size.iter().all(|&side| side <= MOST),
            "a sheet of {}x{} pixels is too large: choose fewer presets, suns or heights",
            size[0],
            size[1]
        );
        let picture = RgbImage::from_pixel(size[0] as u32, size[1] as u32, PAPER);
        let mut sheet = Self { picture, resolution, thumbnail, first };
        for (column, name) in columns.iter().enumerate() {
            let [x, _] = sheet.place(column, 0);
            font.draw(&mut sheet.picture, name, [x, GAP / 2], thumbnail[0]);
        }
        for (row, name) in rows.enumerate() {
            let [_, y] = sheet.place(0, row);
            font.draw(&mut sheet.picture, name, [GAP, y], names_width);
        }
        Ok(sheet)
    }

    /// Puts a picture, RGBA row by row, in its place.
    pub fn put(&mut self, column: usize, row: usize, rgba: &[u8]) {
        let [width, height] = self.resolution;
        let rgb = rgba.chunks_exact(4).flat_map(|texel| &texel[..3]).copied().collect();
        let picture = RgbImage::from_raw(width, height, rgb).expect("a picture of that size");
        let small = imageops::thumbnail(&picture, self.thumbnail[0], self.thumbnail[1]);
        let [x, y] = self.place(column, row);
        imageops::replace(&mut self.picture, &small, x.into(), y.into());
    }

    pub fn encode(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Cursor::new(Vec::new());
        self.picture.write_to(&mut bytes, ImageFormat::Png).map_err(io::Error::other)?;
        Ok(bytes.into_inner())
    }

    fn place(&self, column: usize, row: usize) -> [u32; 2] {
        let place = [column, row].map(|index| index as u32);
        std::array::from_fn(|axis| self.first[axis] + place[axis] * (self.thumbnail[axis] + GAP))
    }
}

/// Most pixels along a side that other programs open.
const MOST: u64 = 32_768;

struct Font(FontRef<'static>);

impl Font {
    fn new() -> anyhow::Result<Self> {
        Ok(Self(FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT)?))
    }

    fn width(&self, text: &str) -> u32 {
        let font = self.0.as_scaled(TEXT_SIZE);
        text.chars().map(|c| font.h_advance(font.glyph_id(c))).sum::<f32>().ceil() as u32
    }

    /// Writes a line whose top left corner is at `at`, as far as it has room.
    fn draw(&self, picture: &mut RgbImage, text: &str, at: [u32; 2], room: u32) {
        let font = self.0.as_scaled(TEXT_SIZE);
        let (left, baseline) = (at[0] as f32, at[1] as f32 + font.ascent());
        let mut along = 0.0;
        for glyph in text.chars().map(|c| font.glyph_id(c)) {
            let advance = font.h_advance(glyph);
            if along + advance > room as f32 + 1.0 {
                return;
            }
            let placed = glyph.with_scale_and_position(TEXT_SIZE, point(left + along, baseline));
            if let Some(outline) = self.0.outline_glyph(placed) {
                let corner = outline.px_bounds().min;
                outline.draw(|x, y, share| {
                    let (x, y) = (corner.x as i64 + i64::from(x), corner.y as i64 + i64::from(y));
                    let pixel = u32::try_from(x).ok().zip(u32::try_from(y).ok());
                    let Some(pixel) = pixel.and_then(|(x, y)| picture.get_pixel_mut_checked(x, y))
                    else {
                        return;
                    };
                    for (paper, ink) in pixel.0.iter_mut().zip(INK.0) {
                        let (from, to) = (f32::from(*paper), f32::from(ink));
                        *paper = (from + share.min(1.0) * (to - from)).round() as u8;
                    }
                });
            }
            along += advance;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_places_and_rows_and_columns_names() {
        let columns = ["low 2 m", "high 2 m", "low 30 m"].map(String::from);
        let rows = ["calm", "a-preset-with-a-long-name"];
        let mut sheet = Sheet::new([480, 270], rows.into_iter(), &columns).unwrap();
        for (row, column) in [(0, 0), (1, 2)] {
            let rgba = [40 + 80 * row as u8, 90 * column as u8, 7, 255].repeat(480 * 270);
            sheet.put(column, row, &rgba);
        }
        let picture = image::load_from_memory(&sheet.encode().unwrap()).unwrap().into_rgb8();
        let middle = |column: u32, row: u32| {
            let at = [column * 246 + sheet.first[0] + 120, row * 141 + sheet.first[1] + 67];
            picture.get_pixel(at[0], at[1]).0
        };
        assert_eq!((middle(0, 0), middle(2, 1)), ([40, 0, 7], [120, 180, 7]));
        assert_eq!(middle(1, 0), PAPER.0);
        // Ink above every column, and beside every row.
        let inked = |x: std::ops::Range<u32>, y: std::ops::Range<u32>| {
            let bright = |x: u32, y: u32| picture.get_pixel(x, y).0[1] > 150;
            y.flat_map(|y| x.clone().map(move |x| (x, y))).filter(|(x, y)| bright(*x, *y)).count()
        };
        for column in 0..3 {
            let x = sheet.first[0] + column * 246;
            assert!(inked(x..x + 240, 0..sheet.first[1]) > 30);
        }
        for row in 0..2 {
            let y = sheet.first[1] + row * 141;
            assert!(inked(0..sheet.first[0] - GAP, y..y + 135) > 20);
        }
        // The paper around is clean.
        assert_eq!(inked(0..sheet.first[0] - GAP, 0..sheet.first[1]), 0);
    }

    #[test]
    fn odd_sizes_stay_and_too_many_pictures_are_refused() {
        let columns = ["low 2 m".to_owned()];
        let sheet = Sheet::new([1, 4000], ["x"].into_iter(), &columns).unwrap();
        assert_eq!(sheet.thumbnail, [1, 4000]);
        assert_eq!(Sheet::new([4000, 1], ["x"].into_iter(), &columns).unwrap().thumbnail, [240, 1]);
        let many = vec![columns[0].clone(); 200];
        let error = Sheet::new([960, 540], ["x"].into_iter(), &many).err().unwrap();
        assert!(error.to_string().contains("fewer presets"), "{error}");
    }
}
