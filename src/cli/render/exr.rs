//! OpenEXR files: linear light and depth, for grading and compositing.
//!
//! R, G and B are 16-bit floats: the HDR pass stores no others, so that nothing is lost. They hold light
//! before tone mapping with middle grey at 0.18, of the primaries of Rec. 709; `whiteLuminance` is the
//! luminance of a value of 1. Z is a 32-bit float: metres from the eye along the ray through the middle of
//! the pixel, one sample a pixel, infinite where that meets the sky or
//! water without end. Both are stored without loss (ZIP, 16
//! lines a block).

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::path::Path;

use crate::mesh::View;
use crate::settings::CameraPose;
use exr::meta::attribute::{AttributeValue, Chromaticities, Matrix4x4, SampleType, Text};
use exr::prelude::{
    AnyChannel, AnyChannels, Encoding, Error, FlatSamples, Image, Layer, LayerAttributes,
    ReadChannels as _, ReadLayers as _, Vec2, WritableImage as _, read,
};
use glam::{Mat4, Vec4};
use half::f16;

use super::resume::Contents;
use super::stamp;
use crate::cli::headless::Layers;

pub struct Header<'a> {
    pub resolution: [u32; 2],
    pub fps: f64,
    pub camera: &'a CameraPose,
    pub stamp: String,
}

/// The channels of a file, in its order.
const CHANNELS: [(&str, SampleType); 4] = [
    ("B", SampleType::F16),
    ("G", SampleType::F16),
    ("R", SampleType::F16),
    ("Z", SampleType::F32),
];

/// Encodes `layers`. Equal arguments give equal bytes.
pub fn encode(header: &Header<'_>, layers: &Layers) -> io::Result<Vec<u8>> {
    let light = |channel: usize| {
        FlatSamples::F16(layers.hdr.iter().map(|texel: &[f16; 4]| texel[channel]).collect())
    };
    let samples = [light(2), light(1), light(0), FlatSamples::F32(layers.depth_m.clone())];
    let channels =
        CHANNELS.iter().zip(samples).map(|(&(name, _), samples)| AnyChannel::new(name, samples));
    let size = header.resolution.map(|pixels| pixels as usize);
    let layer = Layer::new(
        Vec2(size[0], size[1]),
        attributes(header, layers.exposure)?,
        Encoding::SMALL_LOSSLESS,
        AnyChannels::sort(channels.collect()),
    );
    let mut image = Image::from_layer(layer);
    image.attributes.chromaticities = Some(Chromaticities {
        red: Vec2(0.64, 0.33),
        green: Vec2(0.3, 0.6),
        blue: Vec2(0.15, 0.06),
        white: Vec2(0.3127, 0.329),
    });
    let mut bytes = Cursor::new(Vec::new());
    image.write().to_buffered(&mut bytes).map_err(failed)?;
    Ok(bytes.into_inner())
}

fn attributes(header: &Header<'_>, exposure: f32) -> io::Result<LayerAttributes> {
    let view = View::new(header.camera, header.resolution);
    let text = |text: &str| {
        Text::new_or_none(text).ok_or_else(|| io::Error::other("a header's text is not Latin-1"))
    };
    let [half_width, half_height] = view.half_extent;
    let field_deg = |half: f32| 2.0 * half.atan().to_degrees();
    Ok(LayerAttributes {
        software_name: Some(text(stamp::SOFTWARE)?),
        comments: Some(text(
            "R, G, B: light before tone mapping, linear, middle grey at 0.18. Z: metres from the \
             eye along the ray through the middle of the pixel, infinite where it meets the \
             sky or water without end.",
        )?),
        // The value is per kcd/m2.
        white_luminance: Some(1000.0 / exposure),
        frames_per_second: Some(rational(header.fps)),
        world_to_camera: Some(matrix(camera_from_world(&view))),
        world_to_normalized_device: Some(matrix(screen_from_world(&view))),
        screen_window_width: 2.0 * half_width,
        near_clip_plane: Some(View::NEAR_M),
        horizontal_field_of_view: Some(field_deg(half_width)),
        vertical_field_of_view: Some(field_deg(half_height)),
        // One and no more: the crate writes several in an order of their own each time.
        other: [(text(stamp::KEY)?, AttributeValue::Text(text(&header.stamp)?))].into(),
        ..LayerAttributes::default()
    })
}

/// Returns the frame rate as a fraction, to thousandths.
fn rational(fps: f64) -> (i32, u32) {
    if fps.fract() == 0.0 { (fps as i32, 1) } else { ((fps * 1000.0).round() as i32, 1000) }
}

/// OpenEXR's camera looks along +z with x to the right and y up, so it is left-handed.
fn camera_from_world(view: &View) -> Mat4 {
    let relative = view.position_m.as_vec3();
    let rotation = Mat4::from_cols(
        view.right.extend(0.0),
        view.up.extend(0.0),
        view.forward.extend(0.0),
        Vec4::W,
    )
    .transpose();
    rotation * Mat4::from_translation(-relative)
}

/// OpenEXR's screen has (0, 0) at the top left of the picture and (1, 1) at its bottom right.
fn screen_from_world(view: &View) -> Mat4 {
    let [half_width, half_height] = view.half_extent;
    let screen_from_camera = Mat4::from_cols(
        Vec4::new(0.5 / half_width, 0.0, 0.0, 0.0),
        Vec4::new(0.0, -0.5 / half_height, 0.0, 0.0),
        Vec4::new(0.5, 0.5, 0.0, 1.0),
        Vec4::new(0.0, 0.0, View::NEAR_M, 0.0),
    );
    screen_from_camera * camera_from_world(view)
}

/// OpenEXR multiplies rows of coordinates from the left: its rows are glam's columns.
fn matrix(columns: Mat4) -> Matrix4x4 {
    columns.to_cols_array()
}

/// Reads all of a file, if it is of `resolution`.
pub fn read_file(path: &Path, resolution: [u32; 2]) -> io::Result<Contents> {
    let mut file = BufReader::new(File::open(path)?);
    let meta = exr::meta::MetaData::read_from_buffered(&mut file, false).map_err(failed)?;
    let header = &meta.headers[0];
    let stamp = match header.own_attributes.other.get(stamp::KEY.as_bytes()) {
        Some(AttributeValue::Text(text)) => Some(text.to_string()),
        _ => None,
    };
    let Vec2(width, height) = header.layer_size;
    let channels = header.channels.list.iter();
    let kinds = channels.map(|channel| (channel.name.as_slice(), channel.sample_type));
    let fault = if [width, height] != resolution.map(|pixels| pixels as usize) {
        Some(Cow::Owned(format!("it is {width}x{height}")))
    } else if !kinds.eq(CHANNELS.map(|(name, kind)| (name.as_bytes(), kind))) {
        Some(Cow::Borrowed("its channels are not those of light and depth"))
    } else {
        read_layer(BufReader::new(File::open(path)?)).map_err(failed)?;
        None
    };
    Ok(Contents { stamp, fault })
}

/// Reads the first layer of a file with all of its channels.
pub fn read_layer(
    file: impl Read + Seek + Send,
) -> Result<Image<Layer<AnyChannels<FlatSamples>>>, Error> {
    read()
        .no_deep_data()
        .largest_resolution_level()
        .all_channels()
        .first_valid_layer()
        .all_attributes()
        .from_buffered(file)
}

fn failed(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        error => io::Error::new(io::ErrorKind::InvalidData, error),
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::cli::render::resume::tests::every_injury_is_noticed;

    const RESOLUTION: [u32; 2] = [23, 37];

    fn header() -> Header<'static> {
        static CAMERA: std::sync::LazyLock<CameraPose> = std::sync::LazyLock::new(|| CameraPose {
            x_m: 100.0,
            z_m: -20.0,
            ..CameraPose::default()
        });
        Header { resolution: RESOLUTION, fps: 23.976, camera: &CAMERA, stamp: "fps = 1.5".into() }
    }

    fn layers() -> Layers {
        let pixels = 23 * 37;
        Layers {
            hdr: (0..pixels)
                .map(|i| [i as f32, 0.18, 1e-4 * i as f32, 1.0].map(f16::from_f32))
                .collect(),
            depth_m: (0..pixels)
                .map(|i| if i < 50 { f32::INFINITY } else { 1.1 * i as f32 })
                .collect(),
            exposure: 0.25,
        }
    }

    #[test]
    fn what_is_written_is_read_back_to_the_bit() {
        let bytes = encode(&header(), &layers()).unwrap();
        assert!(bytes == encode(&header(), &layers()).unwrap(), "not the same bytes again");
        let image = read_layer(Cursor::new(&bytes)).unwrap();
        let channels = &image.layer_data.channel_data.list;
        let samples = |name: &str| {
            let channel = channels.iter().find(|channel| channel.name == *name).expect(name);
            &channel.sample_data
        };
        for (name, index) in [("R", 0), ("G", 1), ("B", 2)] {
            let written = layers().hdr.iter().map(|texel| texel[index]).collect();
            assert_eq!(*samples(name), FlatSamples::F16(written), "{name}");
        }
        assert_eq!(*samples("Z"), FlatSamples::F32(layers().depth_m));
        let attributes = &image.layer_data.attributes;
        assert_eq!(attributes.white_luminance, Some(4000.0));
        assert_eq!(attributes.frames_per_second, Some((23976, 1000)));
        assert_eq!(image.attributes.chromaticities.unwrap().green, Vec2(0.3, 0.6));
    }

    #[test]
    fn every_injury_is_seen() {
        let bytes = encode(&header(), &layers()).unwrap();
        every_injury_is_noticed(&bytes, RESOLUTION, read_file, "fps = 1.5");
    }

    /// The standard's own words: rows times matrix, +z into the picture, (0, 0) at the top left.
    #[test]
    fn the_matrices_are_those_of_the_standard() {
        let header = header();
        let view = View::new(header.camera, RESOLUTION);
        let times = |point: Vec3, matrix: Matrix4x4| {
            let point = point.extend(1.0).to_array();
            let column = |j: usize| (0..4).map(|i| point[i] * matrix[4 * i + j]).sum::<f32>();
            Vec4::from_array(std::array::from_fn(column))
        };
        let attributes = attributes(&header, 1.0).unwrap();
        let camera = attributes.world_to_camera.unwrap();
        let screen = attributes.world_to_normalized_device.unwrap();
        let eye = view.position_m.as_vec3();
        let [half_width, half_height] = view.half_extent;
        for (x, y, corner) in
            [(-1.0, 1.0, [0.0, 0.0]), (1.0, -1.0, [1.0, 1.0]), (0.0, 0.0, [0.5; 2])]
        {
            let offset = Vec3::new(x * half_width, y * half_height, 1.0) * 30.0;
            let point = eye + view.right * offset.x + view.up * offset.y + view.forward * offset.z;
            assert!(times(point, camera).truncate().abs_diff_eq(offset, 1e-4), "{offset}");
            let found = times(point, screen);
            assert!((found.x / found.w - corner[0]).abs() < 1e-5, "{found}");
            assert!((found.y / found.w - corner[1]).abs() < 1e-5, "{found}");
        }
    }
}
