//! The mirror image of a post on flat water, beside a picture of the post itself from the mirrored eye.

use glam::DVec3;
use image::RgbImage;
use nv_flip::{DEFAULT_PIXELS_PER_DEGREE, FlipImageRgb8, FlipPool};
use seaway::frame::FrameDesc;
use seaway::objects::{Object, Stand, post};
use seaway::settings::{
    CameraPose, Clouds, Light, Quality, QualityTier, Scenery, SeaState, ShortWaves,
};
use seaway_core::testing::tolerance::{at_least, at_most};

use crate::layers::{Bench, desc, rays};
use crate::tone_twin::{encode, tone_map};

const RESOLUTION: [u32; 2] = [240, 160];
const EYE_M: f64 = 1.6;
const POST_M: [f64; 2] = [7.0, 0.4];
/// The height of the post whose picture from below is the mirror image: far over the water, so that the sea is not
/// before it.
const RAISED_M: f64 = 400.0;

/// Fresnel's reflectance of water for unpolarised light.
fn fresnel(cosine: f64) -> f64 {
    let inside = (1.0 - (1.0 - cosine * cosine) / (1.34 * 1.34)).sqrt();
    let s = (cosine - 1.34 * inside) / (cosine + 1.34 * inside);
    let p = (1.34 * cosine - inside) / (1.34 * cosine + inside);
    0.5 * (s * s + p * p)
}

fn scene(y_m: f64, pitch_deg: f64, buoys: u32) -> FrameDesc {
    let camera = CameraPose { y_m, pitch_deg, fov_deg: 40.0, ..Default::default() };
    // The sun is behind the eye, and its glitter out of the picture.
    let light = Light { sun_elevation_deg: 35.0, sun_azimuth_deg: 150.0, ..Default::default() };
    let scenery = Scenery { buoys, ..Default::default() };
    FrameDesc { light, clouds: Clouds::none(), scenery, ..desc(RESOLUTION, camera) }
}

#[test]
fn flat_water_mirrors_a_post_as_it_looks_from_below() {
    let flat = SeaState {
        significant_wave_height_m: 0.001,
        short_waves: ShortWaves::Model,
        ..SeaState::default()
    };
    let quality = Quality {
        size: 32,
        cascades: 1,
        object_texels: 256,
        foam_texels: 0,
        ..Quality::of(QualityTier::Low)
    };
    let mut bench = Bench::with_layers(&flat, &quality);
    // It ends over the water, which wets and shows what is below.
    let mut pile = post();
    for vertex in &mut pile.vertices {
        vertex.position_m[1] = vertex.position_m[1].max(0.4);
    }
    // Light in kcd/m2, and distances. Each view has an exposure of its own.
    let mut draw = |height_m: f64, desc: &FrameDesc| {
        let stand = Stand::Fixed { height_m };
        bench.set_objects(
            std::slice::from_ref(&pile),
            vec![Object { position_m: POST_M, stand, ..Default::default() }],
        );
        let drawn = bench.draw(desc);
        let exposure = bench.exposure(&desc.light);
        let light = drawn
            .hdr
            .iter()
            .map(|[r, g, b, _]| DVec3::new(r.to_f64(), g.to_f64(), b.to_f64()) / exposure);
        (light.collect::<Vec<_>>(), drawn.depth_m)
    };
    let above = scene(EYE_M, -14.0, 1);
    let (with, with_m) = draw(0.0, &above);
    let (without, without_m) = draw(0.0, &scene(EYE_M, -14.0, 0));
    let (raised, _) = draw(RAISED_M, &scene(RAISED_M - EYE_M, 14.0, 1));
    let (sky, _) = draw(RAISED_M, &scene(RAISED_M - EYE_M, 14.0, 0));

    // The picture of water that mirrors the raised post, upside down, by Fresnel's equations.
    let [width, height] = RESOLUTION.map(|pixels| pixels as usize);
    let (mut expected, mut found, mut seen) = (Vec::new(), Vec::new(), Vec::new());
    let mut mirrored = 0;
    for (index, ray) in rays(&above).into_iter().enumerate() {
        let (x, y) = (index % width, index / width);
        let below = (height - 1 - y) * width + x;
        let change = raised[below] - sky[below];
        // Water alone: not the post itself, nor the sky.
        let is_water = with_m[index] == without_m[index] && ray.y < -0.02;
        let is_mirrored = is_water && change.abs().max_element() > 0.01 * sky[below].max_element();
        mirrored += u32::from(is_mirrored);
        let reflected = if is_water { fresnel(-ray.y) * change } else { DVec3::ZERO };
        expected.push(without[index] + reflected);
        found.push(if is_water { with[index] } else { without[index] });
        seen.push(is_mirrored);
    }
    at_least(mirrored, 300, "pixels of the mirror image");

    // The part of the picture around it, as a display shows it.
    let columns = (0..width).filter(|x| (0..height).any(|y| seen[y * width + x]));
    let (first, last) = (columns.clone().min().unwrap(), columns.max().unwrap());
    let rows = (0..height).filter(|y| (0..width).any(|x| seen[y * width + x]));
    let (top, bottom) = (rows.clone().min().unwrap(), rows.max().unwrap());
    let (across, down) = (first.saturating_sub(8)..(last + 9).min(width), top..bottom + 1);
    let exposure = 0.18 / without[bottom * width].element_sum() * 3.0;
    let picture = |light: &[DVec3]| {
        let mut picture = RgbImage::new(across.len() as u32, down.len() as u32);
        for (pixel, (y, x)) in
            picture.pixels_mut().zip(down.clone().flat_map(|y| across.clone().map(move |x| (y, x))))
        {
            let shown = tone_map((exposure * light[y * width + x]).to_array());
            pixel.0 = shown.map(|part| (255.0 * encode(part)).round() as u8);
        }
        picture
    };
    let flip = |one: &RgbImage, other: &RgbImage| {
        let image = |picture: &RgbImage| {
            FlipImageRgb8::with_data(picture.width(), picture.height(), picture.as_raw())
        };
        let error = nv_flip::flip(image(one), image(other), DEFAULT_PIXELS_PER_DEGREE);
        FlipPool::from_image(&error).mean()
    };
    let (expected, found, without) = (picture(&expected), picture(&found), picture(&without));
    if let Some(folder) = std::env::var_os("SEAWAY_PICTURES") {
        for (name, picture) in [("expected", &expected), ("found", &found), ("without", &without)] {
            picture.save(std::path::Path::new(&folder).join(format!("post-{name}.png"))).unwrap();
        }
    }
    at_most(flip(&expected, &found), 0.05, "FLIP of the mirror image");
    at_least(flip(&expected, &without), 0.08, "FLIP of water that mirrors no post");
}
