//! Tests of the results of a frame besides its picture: the light before tone mapping, against the
//! picture, and the depth, against geometry.

use glam::DVec3;
use half::f16;
use seaway::frame::{Frame, FrameDesc, Sample};
use seaway::gpu::{Context, TextureSpec};
use seaway::mesh::{EARTH_RADIUS_M, SeaBounds, View};
use seaway::objects::{Model, Object};
use seaway::profile::Recorder;
use seaway::settings::{CameraPose, Light, Quality, QualityTier, Scenery, SeaState};

use crate::sampling::{Footprint, sample};
use crate::tone_twin::{encode, tone_map};
use seaway_core::testing::context;
use seaway_core::testing::tolerance::{at_least, at_most, near};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// The results of one frame, row by row.
#[derive(PartialEq)]
pub struct Drawn {
    picture: Vec<[u8; 4]>,
    pub hdr: Vec<[f16; 4]>,
    pub depth_m: Vec<f32>,
}

pub struct Bench {
    context: Context,
    frame: Frame,
}

impl Bench {
    fn new(sea: &SeaState, quality: &Quality) -> Self {
        let context = context();
        let frame = Frame::new(&context.device, &context.queue, sea, quality, FORMAT).unwrap();
        Self { context, frame }
    }

    pub fn with_layers(sea: &SeaState, quality: &Quality) -> Self {
        let mut bench = Self::new(sea, quality);
        bench.frame.keep_layers().unwrap();
        bench
    }

    pub fn set_objects(&mut self, models: &[Model], objects: Vec<Object>) {
        self.frame.set_objects(models, objects).unwrap();
    }

    /// The exposure of the last frame.
    pub fn exposure(&self, light: &Light) -> f64 {
        f64::from(pollster::block_on(self.frame.exposure(light)).unwrap())
    }

    fn read<T: bytemuck::Pod>(&self, texture: &wgpu::Texture) -> Vec<T> {
        self.context.read_texels(texture, 0, 0)
    }

    pub fn picture(&mut self, desc: &FrameDesc) -> Vec<[u8; 4]> {
        self.sample(desc, Sample::ONLY)
    }

    /// Draws one of a frame's samples, and returns the target's pixels.
    fn sample(&mut self, desc: &FrameDesc, sample: Sample) -> Vec<[u8; 4]> {
        let target = TextureSpec::target("target", desc.resolution, FORMAT)
            .with_usage(wgpu::TextureUsages::COPY_SRC)
            .create(&self.context.device);
        let view = target.create_view(&Default::default());
        self.context.submit(|encoder| {
            let recorder = &mut Recorder::new(encoder);
            match sample {
                Sample::ONLY => self.frame.record(recorder, desc, &view),
                sample => self.frame.record_sample(recorder, desc, sample, &view).unwrap(),
            }
        });
        self.read(&target)
    }

    /// The mean of `count` samples.
    fn draw_samples(&mut self, desc: &FrameDesc, count: u32) -> Drawn {
        let picture = Sample::all(count).map(|sample| self.sample(desc, sample)).last().unwrap();
        let layers = self.frame.layers().expect("they are kept");
        Drawn { picture, hdr: self.read(layers.hdr), depth_m: self.read(layers.depth_m) }
    }

    pub fn draw(&mut self, desc: &FrameDesc) -> Drawn {
        let picture = self.picture(desc);
        let layers = self.frame.layers().expect("they are kept");
        Drawn { picture, hdr: self.read(layers.hdr), depth_m: self.read(layers.depth_m) }
    }
}

pub fn quality() -> Quality {
    Quality { size: 64, cascades: 3, foam_texels: 0, ..Quality::of(QualityTier::Low) }
}

pub fn desc(resolution: [u32; 2], camera: CameraPose) -> FrameDesc {
    FrameDesc {
        time_s: 3.0,
        resolution,
        camera,
        scenery: Scenery { buoys: 0, ..Default::default() },
        ..Default::default()
    }
}

/// Unit vectors through the middles of the pixels.
pub fn rays(desc: &FrameDesc) -> Vec<DVec3> {
    let view = View::new(&desc.camera, desc.resolution);
    let [width, height] = desc.resolution;
    let [half_width, half_height] = view.half_extent.map(f64::from);
    let axes = [view.right, view.up, view.forward].map(|axis| axis.as_dvec3());
    let ray = |x: u32, y: u32| {
        let across = 2.0 * (f64::from(x) + 0.5) / f64::from(width) - 1.0;
        let up = 1.0 - 2.0 * (f64::from(y) + 0.5) / f64::from(height);
        (axes[0] * (across * half_width) + axes[1] * (up * half_height) + axes[2]).normalize()
    };
    (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| ray(x, y)).collect()
}

#[test]
fn layers_change_no_pixel_and_fit_the_picture() {
    for msaa_samples in [1, 4] {
        let quality = Quality { msaa_samples, ..quality() };
        let mut plain = Bench::new(&SeaState::default(), &quality);
        let mut kept = Bench::with_layers(&SeaState::default(), &quality);
        assert!(plain.frame.layers().is_none());
        for resolution in [[96, 54], [33, 70], [96, 54]] {
            let desc = desc(resolution, CameraPose::default());
            let drawn = kept.draw(&desc);
            assert!(plain.picture(&desc) == drawn.picture, "{msaa_samples} samples");
            let pixels = (resolution[0] * resolution[1]) as usize;
            assert_eq!((drawn.hdr.len(), drawn.depth_m.len()), (pixels, pixels));
        }
    }
}

#[test]
fn depth_ignores_the_samples_and_follows_the_quality() {
    let desc = desc([96, 54], CameraPose::default());
    let of = |msaa_samples| Quality { msaa_samples, ..quality() };
    let draw = |quality| Bench::with_layers(&SeaState::default(), &quality).draw(&desc);
    let (one, four) = (draw(of(1)), draw(of(4)));
    assert!(one.depth_m == four.depth_m && one.hdr != four.hdr);
    assert!(draw(Quality { tile_cells: 16, ..of(4) }).depth_m != four.depth_m);
}

#[test]
fn light_is_the_samples_mean_and_depth_the_first() {
    let camera = CameraPose { yaw_deg: 20.0, ..CameraPose::default() };
    let desc =
        FrameDesc { scenery: Scenery { buoys: 5, ..Default::default() }, ..desc([96, 54], camera) };
    for msaa_samples in [1, 4] {
        let quality = Quality { msaa_samples, ..quality() };
        let mut bench = Bench::with_layers(&SeaState::default(), &quality);
        let one = bench.draw(&desc);
        const COUNT: u32 = 9;
        let mut sum = vec![[0.0; 3]; one.hdr.len()];
        let mut first = Vec::new();
        for sample in Sample::all(COUNT - 1).map(|sample| Sample { count: COUNT, ..sample }) {
            // Until the last, the target has the light of each.
            bench.sample(&desc, sample);
            let hdr: Vec<[f16; 4]> = bench.read(bench.frame.layers().unwrap().hdr);
            for (sum, light) in sum.iter_mut().zip(&hdr) {
                (0..3).for_each(|channel| sum[channel] += light[channel].to_f64());
            }
            if sample.index == 0 {
                first = hdr;
            } else {
                assert!(hdr != first, "all look through the same points of the pixels");
            }
        }
        let mean = bench.draw_samples(&desc, COUNT);
        // The last sample must have added light, and as much, however bright the others were.
        let mut last = [0.0; 3];
        for (sum, found) in sum.iter().zip(&mean.hdr) {
            for channel in 0..3 {
                let all = f64::from(COUNT) * found[channel].to_f64();
                // Steps of 16-bit floats, since drivers may cut off: nothing else has so few bits.
                at_most(sum[channel] - all, all / 1000.0 + 1e-6, "light of eight samples of nine");
                last[channel] += all - sum[channel];
            }
        }
        for channel in 0..3 {
            let eight: f64 = sum.iter().map(|sum| sum[channel]).sum();
            near(
                8.0 * last[channel] / eight,
                1.0,
                0.1,
                "light of the last over that of the others",
            );
        }
        assert!(mean.depth_m == one.depth_m && mean.picture != one.picture);
        // Frames before leave nothing behind, and neither do samples.
        assert!(bench.draw(&desc) == one);
        bench.picture(&FrameDesc { resolution: [50, 40], ..desc.clone() });
        assert!(bench.draw_samples(&desc, COUNT) == mean);
    }
}

#[test]
fn the_picture_is_the_tone_mapped_light() {
    // Where there are several samples a pixel, each is mapped by itself.
    let mut bench = Bench::with_layers(&SeaState::default(), &quality());
    // Into the sun: from glitter to the dark side of a wave.
    let camera = CameraPose { yaw_deg: 20.0, pitch_deg: 5.0, ..CameraPose::default() };
    let mut desc = desc([96, 54], camera);
    let drawn = bench.draw(&desc);
    for (byte, light) in drawn.picture.iter().zip(&drawn.hdr) {
        let light = [0, 1, 2].map(|channel| light[channel].to_f64());
        let exact = tone_map(light).map(|channel| 255.0 * encode(channel));
        for channel in 0..3 {
            // A step and a half of noise and rounding, and half of one for a GPU's powers.
            near(byte[channel], exact[channel], 2.0, format_args!("a channel of {light:?}"));
        }
    }
    // The light is radiance times the exposure, so that both grow alike.
    let exposure = |bench: &Bench, desc: &FrameDesc| {
        pollster::block_on(bench.frame.exposure(&desc.light)).unwrap()
    };
    let before = exposure(&bench, &desc);
    desc.light.exposure_ev = -2.0;
    let darker = bench.draw(&desc);
    near(before / exposure(&bench, &desc), 4.0, 1e-5, "two stops");
    for (bright, dark) in drawn.hdr.iter().zip(&darker.hdr) {
        for channel in 0..3 {
            let bright = bright[channel].to_f64();
            // Near the limit samples of a pixel are cut off before they are averaged.
            if (0.01..1000.0).contains(&bright) {
                let what = format_args!("a quarter of {bright}");
                near(4.0 * dark[channel].to_f64(), bright, 2e-3 * bright, what);
            }
        }
    }
    // A clear sky has some thousand candelas a square metre; the sun is far above.
    let sky = drawn.hdr[0].map(|channel| channel.to_f64());
    let sky_kcd = (0.2126 * sky[0] + 0.7152 * sky[1] + 0.0722 * sky[2]) / f64::from(before);
    seaway_core::testing::tolerance::between(sky_kcd, 1.0, 40.0, "luminance of the sky in kcd/m2");
}

/// Still water is known: it is a sphere, and the waves here are a hand high at most.
#[test]
fn a_calm_sea_lies_where_geometry_says() {
    let calm = SeaState { significant_wave_height_m: 0.01, ..SeaState::default() };
    let mut bench = Bench::with_layers(&calm, &Quality { size: 32, cascades: 1, ..quality() });
    const WAVES_M: f64 = 0.02;
    let bounds = SeaBounds::from_wave_height(0.01, calm.choppiness);
    for (resolution, y_m, pitch_deg) in [
        ([120, 90], 2.0, -10.0),
        ([120, 90], 2.0, -70.0),
        ([120, 90], 20.0, -35.0),
        ([120, 90], 20.0, -5.0),
        ([120, 90], 300.0, -4.0),
        ([120, 90], 9000.0, -10.0),
        // Pixels so fine that there are some at the horizon.
        ([64, 720], 9.0, 0.0),
    ] {
        let camera = CameraPose { y_m, pitch_deg, fov_deg: 60.0, ..CameraPose::default() };
        let desc = desc(resolution, camera);
        let pixel_rad = f64::from(View::new(&desc.camera, desc.resolution).pixel_angle_rad);
        // Four times where they are as high as a pixel, and what the pass leaves them beyond.
        let faded_m = 4.0 * bounds.vertical_m / pixel_rad / 0.8;
        let horizon = -(1.0 - (EARTH_RADIUS_M / (EARTH_RADIUS_M + y_m)).powi(2)).sqrt();
        let (mut checked, mut sum) = (0, 0.0);
        for (ray, found_m) in rays(&desc).into_iter().zip(bench.draw(&desc).depth_m) {
            let what = format!("from {y_m} m, {:.3} deg down", -ray.y.asin().to_degrees());
            // Where sky and water meet, which of them a pixel shows depends on the last step of its
            // position; but if it shows water, the water lies before the horizon.
            if (ray.y - horizon).abs() < 0.1 * pixel_rad {
                let most_m = 1.1 * (2.0 * EARTH_RADIUS_M * (y_m + 0.2)).sqrt();
                assert!(found_m == f32::INFINITY || f64::from(found_m) < most_m, "{what}");
                continue;
            }
            if ray.y > horizon {
                assert_eq!(found_m, f32::INFINITY, "{what}");
                continue;
            }
            // Where the ray enters the sphere.
            let middle = (EARTH_RADIUS_M + y_m) * ray.y;
            let exact_m = -middle - (middle * middle - y_m * (2.0 * EARTH_RADIUS_M + y_m)).sqrt();
            // Heights by which the drawn sea is off. It is drawn as a parabola; while there are waves,
            // they add theirs, chords of the curved sea (a triangle is no longer than 1/12 of its
            // distance), and Vulkan's coarsest steps of a pixel; where they have faded, there are
            // only roundings of the ray.
            let parabola_m = exact_m.powi(4) / (8.0 * EARTH_RADIUS_M.powi(3));
            let height_m = parabola_m
                + if exact_m > faded_m {
                    1e-6 * exact_m
                } else {
                    WAVES_M
                        + (exact_m / 12.0).powi(2) / (8.0 * EARTH_RADIUS_M)
                        + exact_m * pixel_rad / 16.0
                };
            let slope = -ray.y - exact_m / EARTH_RADIUS_M;
            let rounding_m = exact_m * (1e-5 + y_m / EARTH_RADIUS_M);
            near(found_m, exact_m, height_m / slope + rounding_m, what);
            if slope > 0.1 {
                checked += 1;
                sum += f64::from(found_m) / exact_m - 1.0;
            }
        }
        // Steps of a pixel cancel out, a wrong formula does not.
        at_least(checked, 1000, "pixels that look down on the water");
        let allowed = 1e-3 + y_m / EARTH_RADIUS_M;
        at_most((sum / f64::from(checked)).abs(), allowed, format_args!("mean error from {y_m} m"));
    }
}

/// The point at the end of each ray lies on the surface that the maps describe.
#[test]
fn rays_end_on_the_waves() {
    let sea = SeaState { significant_wave_height_m: 3.0, ..SeaState::default() };
    let quality = Quality { tile_cells: 32, finest_spacing_m: 0.1, ..quality() };
    let mut bench = Bench::with_layers(&sea, &quality);
    let camera = CameraPose { y_m: 12.0, pitch_deg: -40.0, fov_deg: 50.0, ..CameraPose::default() };
    let desc = desc([96, 54], camera);
    let eye = View::new(&desc.camera, desc.resolution).position_m;
    let depth_m = bench.draw(&desc).depth_m;
    let ends: Vec<DVec3> =
        rays(&desc).iter().zip(&depth_m).map(|(ray, &t)| eye + *ray * f64::from(t)).collect();
    assert!(ends.iter().all(|end| end.is_finite()), "the picture shows no sky");
    // Where the water at the end of the ray rests: it has moved by the displacement there.
    let mut rest: Vec<[f64; 2]> = ends.iter().map(|end| [end.x, end.z]).collect();
    let mut heights = vec![0.0; ends.len()];
    for _ in 0..30 {
        let footprints: Vec<Footprint> =
            rest.iter().map(|at| Footprint::square(at.map(|metres| metres as f32), 0.1)).collect();
        let sampled = sample(&bench.context, bench.frame.ocean().maps(), &footprints);
        for (index, sampled) in sampled.iter().enumerate() {
            let [x, y, z] = sampled.displacement.map(f64::from);
            rest[index] = [ends[index].x - x, ends[index].z - z];
            heights[index] = y;
        }
    }
    let mut errors: Vec<f64> = ends
        .iter()
        .zip(&heights)
        .map(|(end, height)| {
            let drop_m = (end.x * end.x + end.z * end.z) / (2.0 * EARTH_RADIUS_M);
            (end.y - height + drop_m).abs()
        })
        .collect();
    errors.sort_by(f64::total_cmp);
    let share = |share: f64| errors[(share * (errors.len() - 1) as f64) as usize];
    let spread = heights.iter().map(|height| height * height).sum::<f64>() / heights.len() as f64;
    at_least(spread.sqrt(), 0.3, "standard deviation of the waves in view");
    // The mesh draws chords of the waves, and where these fold there is more than one surface.
    at_most(share(0.5), 0.02, "median error in metres of height");
    at_most(share(0.98), 0.15, "98 of 100 errors in metres of height");
}
