//! Tests that nothing flickers: the picture under a turn of the camera by a part of a pixel, and the mesh
//! under waves that it cannot hold, from half a metre over the water to five kilometres.

use glam::{DVec2, DVec3, Vec2, Vec3};
use seaway::frame::FrameDesc;
use seaway::maps::cpu::Sea;
use seaway::mesh::{EARTH_RADIUS_M, Grid, SeaBounds, Tile, View};
use seaway::query::Point;
use seaway::query::cpu::Queries;
use seaway::settings::{CameraPose, Preset, Quality, QualityTier, Scenery};
use seaway::{Ocean, OceanOptions};

use crate::studio::Studio;
use seaway_core::testing::tolerance::{at_least, at_most};

const RESOLUTION: [u32; 2] = [112, 63];
/// The displayed picture, undithered and in all its steps.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;
const TIME_S: f64 = 20.0;
/// The number of samples of the reference.
const SAMPLES: u32 = 16;
/// By how much of a pixel the camera turns.
const TURN_PX: f64 = 0.1;

/// Returns the high tier's settings that stability depends on, as far as a software adapter has the time
/// for them.
fn quality() -> Quality {
    let low = Quality::of(QualityTier::Low);
    Quality { msaa_samples: 4, anisotropy: 4, cloud_steps: 64, cloud_texels: 128, ..low }
}

/// The most that the ratio may be.
const MOST: f64 = 1.15;

/// The displayed picture, encoded as sRGB, in steps of 8 bits.
fn draw(studio: &mut Studio, desc: &FrameDesc, samples: u32) -> Vec<f32> {
    let texels: Vec<f32> = bytemuck::pod_collect_to_vec(&studio.draw(desc, samples));
    texels.into_iter().map(|value| 255.0 * value).collect()
}

fn mean_difference(one: &[f32], other: &[f32]) -> f64 {
    let sum: f64 = one.iter().zip(other).map(|(a, b)| f64::from((a - b).abs())).sum();
    // Alpha is 1 in both.
    sum / (3 * one.len() / 4) as f64
}

/// Mean absolute difference of what is displayed before and after the camera has turned, in steps
/// of 8 bits.
fn flicker(studio: &mut Studio, desc: &FrameDesc, samples: u32) -> f64 {
    let view = View::new(&desc.camera, desc.resolution);
    let yaw_deg = desc.camera.yaw_deg + TURN_PX * f64::from(view.pixel_angle_rad).to_degrees();
    let turned =
        FrameDesc { camera: CameraPose { yaw_deg, ..desc.camera.clone() }, ..desc.clone() };
    let [before, after] = [desc, &turned].map(|desc| draw(studio, desc, samples));
    mean_difference(&before, &after)
}

/// A picture that holds no more than its pixels can show changes little when it moves by a tenth of one;
/// what is too fine for them flickers. The measure of how little is the picture of many samples, which
/// changes by its slopes alone.
fn turning_changes_no_more_than_it_must(presets: &[(&str, &str)]) {
    let mut studio = Studio::new(&quality(), RESOLUTION, FORMAT);
    println!("preset, mean change in steps of 8 bits: one sample, {SAMPLES} samples, ratio");
    let mut ratios = Vec::new();
    for (name, _) in presets {
        let staged = studio.stage(&Preset::load(name).unwrap(), TIME_S);
        // Rods of a buoy are thinner than a pixel here, and no part of the water.
        let desc = FrameDesc { scenery: Scenery { buoys: 0, ..Default::default() }, ..staged };
        let [one, many] = [1, SAMPLES].map(|samples| flicker(&mut studio, &desc, samples));
        println!("{name:20} {one:.4} {many:.4} {:.3}", one / many);
        ratios.push((name, one / many));
    }
    for (name, ratio) in ratios {
        at_most(ratio, MOST, name);
    }
}

/// Every other preset, since neighbours in the list are alike; `SEAWAY_EVERY_PRESET=1` takes all of them.
#[test]
fn turning_changes_the_picture_no_more_than_it_must() {
    let every = if std::env::var_os("SEAWAY_EVERY_PRESET").is_some() { 1 } else { 2 };
    let presets: Vec<_> = Preset::SHIPPED.iter().step_by(every).copied().collect();
    turning_changes_no_more_than_it_must(&presets);
}

/// For the tiers that have glints: how much more a picture with them may change than many samples of
/// one without. As [`Quality::of`] says; measured are 3.4, 2.7 and 2.1.
const GLINTS_MOST: [(QualityTier, f64); 3] =
    [(QualityTier::Medium, 5.0), (QualityTier::High, 4.0), (QualityTier::Ultra, 3.5)];

/// A part of the sun's path on the breeze, with the pixels of a picture of 1080 rows: glints depend on
/// how much water a pixel sees.
struct SunPath {
    studio: Studio,
    desc: FrameDesc,
}

impl SunPath {
    const RESOLUTION: [u32; 2] = [64, 36];

    fn new(tier: QualityTier, glints: bool) -> Self {
        let tier = Quality::of(tier);
        // Neither bears on glints: the mesh, foam and clouds.
        let coarse = Quality {
            tile_cells: 8,
            finest_spacing_m: 0.4,
            foam_texels: 0,
            cloud_steps: 0,
            ..tier
        };
        let mut studio = Studio::new(&Quality { glints, ..coarse }, Self::RESOLUTION, FORMAT);
        let preset = Preset::load("breeze").unwrap();
        let whole = studio.stage(&preset, TIME_S);
        let [part, all] = [f64::from(Self::RESOLUTION[1]), 1080.0];
        let camera = CameraPose {
            yaw_deg: preset.light.sun_azimuth_deg,
            pitch_deg: -12.0,
            fov_deg: whole.camera.fov_deg * part / all,
            ..whole.camera
        };
        Self {
            desc: FrameDesc {
                camera,
                scenery: Scenery { buoys: 0, ..Default::default() },
                ..whole
            },
            studio,
        }
    }

    fn draw_at(&mut self, time_s: f64) -> Vec<f32> {
        draw(&mut self.studio, &FrameDesc { time_s, ..self.desc.clone() }, 1)
    }
}

/// Single facets are smaller than a pixel, and are meant to be seen: they come and go as the picture
/// moves, but no more than so much.
#[test]
fn turning_has_glints_sparkle_within_bounds() {
    println!("tier, mean change in steps of 8 bits: with glints, {SAMPLES} samples without, ratio");
    for (tier, most) in GLINTS_MOST {
        let mut path = SunPath::new(tier, true);
        let sparkling = flicker(&mut path.studio, &path.desc, 1);
        let mut path = SunPath::new(tier, false);
        let smooth = flicker(&mut path.studio, &path.desc, SAMPLES);
        println!("{tier:?} {sparkling:.3} {smooth:.3} {:.3}", sparkling / smooth);
        at_most(sparkling / smooth, most, format_args!("{tier:?}"));
    }
}

/// They rest where the water and the eye do, and twinkle as waves turn them.
#[test]
fn glints_rest_and_twinkle_with_the_sea() {
    let [mut glints, mut even] =
        [true, false].map(|glints| SunPath::new(QualityTier::Medium, glints));
    let first = glints.draw_at(TIME_S);
    assert_eq!(first, glints.draw_at(TIME_S), "the same frame again");
    let later_s = TIME_S + 1.0 / 30.0;
    let twinkling = mean_difference(&first, &glints.draw_at(later_s));
    assert_eq!(first, glints.draw_at(TIME_S), "the same frame, after another");
    let smooth = mean_difference(&even.draw_at(TIME_S), &even.draw_at(later_s));
    println!("a thirtieth of a second: {twinkling:.3} with glints, {smooth:.3} without");
    at_least(twinkling, 1.5 * smooth, "change in a thirtieth of a second");
}

/// The sea as a mesh shows it from one place, against the sea itself.
struct Meshed<'a> {
    sea: &'a Sea,
    grid: Grid,
    bounds: SeaBounds,
    view: View,
    anchor_m: DVec2,
    tiles: Vec<Tile>,
}

impl<'a> Meshed<'a> {
    fn new(sea: &'a Sea, grid: Grid, bounds: SeaBounds, view: View) -> Self {
        let mut tiles = Vec::new();
        grid.select(&view, bounds, &mut tiles);
        let anchor_m = DVec2::from(grid.anchor_m(view.position_m));
        Self { sea, grid, bounds, view, anchor_m, tiles }
    }

    fn eye_from_anchor_m(&self) -> DVec3 {
        let eye = self.view.position_m;
        DVec3::new(eye.x - self.anchor_m.x, eye.y, eye.z - self.anchor_m.y)
    }

    /// Returns the place, relative to the eye, of the water that rests at `at_m` from the anchor and is
    /// displaced by `displacement_m`.
    fn relative_m(&self, at_m: DVec2, displacement_m: [f64; 3]) -> DVec3 {
        let eye = self.eye_from_anchor_m();
        let offset = at_m - DVec2::new(eye.x, eye.z);
        let drop_m = offset.length_squared() / (2.0 * EARTH_RADIUS_M);
        DVec3::new(offset.x, -eye.y - drop_m, offset.y) + DVec3::from(displacement_m)
    }

    fn true_point(&self, at_m: DVec2) -> DVec3 {
        let world = (at_m + self.anchor_m).to_array();
        self.relative_m(at_m, self.sea.displacement(world, 0.0))
    }

    /// Twin of `surface_point` in shading/water.wgsl.
    fn vertex(&self, (at_m, spacing_m): (Vec2, f32)) -> DVec3 {
        let at_m = at_m.as_dvec2();
        let world = (at_m + self.anchor_m).to_array();
        let distance_m = self.relative_m(at_m, [0.0; 3]).length();
        let [start_m, end_m] = self.bounds.fade_m(self.view.pixel_angle_rad);
        let past = ((distance_m - start_m) / (end_m - start_m)).clamp(0.0, 1.0);
        let fade = 1.0 - past * past * (3.0 - 2.0 * past);
        let displacement = self.sea.displacement(world, spacing_m.into());
        self.relative_m(at_m, displacement.map(|metres| fade * metres))
    }

    /// Returns the place on the mesh of the water that rests at `at_m`.
    fn mesh_point(&self, at_m: DVec2) -> Option<DVec3> {
        let eye: Vec3 = self.eye_from_anchor_m().as_vec3();
        let lattice = at_m / self.grid.finest_spacing_m;
        let cells = f64::from(self.grid.tile_cells);
        let tile = self.tiles.iter().find(|tile| {
            let within = (lattice - Vec2::from(tile.corner).as_dvec2()) / f64::from(tile.spacing);
            within.min_element() >= 0.0 && within.max_element() < cells
        })?;
        let cell = (lattice - Vec2::from(tile.corner).as_dvec2()) / f64::from(tile.spacing);
        // Vertices slide within blocks of two by two cells: the triangle is one of eight.
        let first = (cell / 2.0).floor() * 2.0;
        let row = self.grid.tile_cells + 1;
        let corner = |x: u32, z: u32| {
            let index = (first.y as u32 + z) * row + first.x as u32 + x;
            self.grid.vertex(tile, index, eye)
        };
        for (x, z) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            // The order is that of `tile_indices`.
            for triangle in [[(0, 0), (0, 1), (1, 1)], [(0, 0), (1, 1), (1, 0)]] {
                let corners = triangle.map(|(dx, dz)| corner(x + dx, z + dz));
                let Some(weights) = barycentric(corners.map(|(at, _)| at.as_dvec2()), at_m) else {
                    continue;
                };
                let points = corners.map(|corner| self.vertex(corner));
                return Some((0..3).map(|i| weights[i] * points[i]).sum());
            }
        }
        None
    }

    /// How far, in pixels, the mesh is from the sea where the ray through a point of the picture meets
    /// still water: the distance between the surfaces, along the normal, as it is seen.
    fn error_px(&self, ndc: DVec2) -> Option<f64> {
        let [half_width, half_height] = self.view.half_extent.map(f64::from);
        let View { right, up, forward, .. } = self.view;
        let ray = right.as_dvec3() * (ndc.x * half_width)
            + up.as_dvec3() * (ndc.y * half_height)
            + forward.as_dvec3();
        let eye = self.eye_from_anchor_m();
        let along = eye.y / -ray.y;
        let at_m = DVec2::new(eye.x, eye.z) + along * DVec2::new(ray.x, ray.z);
        let to_horizon_m = (2.0 * EARTH_RADIUS_M * eye.y).sqrt();
        if ray.y >= 0.0 || along * ray.length() > to_horizon_m {
            return None;
        }
        let (point, mesh_point) = (self.true_point(at_m), self.mesh_point(at_m)?);
        let distance_m = point.length();
        let normal = self.normal(at_m);
        let apart_m = (mesh_point - point).dot(normal).abs();
        let across = (1.0 - (normal.dot(point) / distance_m).powi(2)).max(0.0).sqrt();
        // A wave that stands nearer than the near plane is not in the picture.
        (distance_m > 0.3)
            .then(|| apart_m * across / (distance_m * f64::from(self.view.pixel_angle_rad)))
    }

    fn normal(&self, at_m: DVec2) -> DVec3 {
        let world = (at_m + self.anchor_m).to_array();
        DVec3::from(self.sea.surface(world, 0.0).normal())
    }

    /// How many pixels the mesh is from the crests that stand out against what is behind them, along the
    /// water that rests on a line from under the eye towards a column of the picture, -1 to 1.
    fn silhouettes_px(&self, column: f64) -> Vec<f64> {
        /// Crests beyond are too many, and too alike.
        const REACH_M: f64 = 1000.0;
        let eye = self.eye_from_anchor_m();
        let View { right, forward, half_extent, .. } = &self.view;
        let ray = forward.as_dvec3() + right.as_dvec3() * (column * f64::from(half_extent[0]));
        let direction = DVec2::new(ray.x, ray.z).normalize();
        let at = |along_m: f64| DVec2::new(eye.x, eye.z) + along_m * direction;
        // Negative where the eye sees the water's upper side.
        let facing = |along_m: f64| self.normal(at(along_m)).dot(self.true_point(at(along_m)));
        let (mut along_m, mut before, mut highest) = (0.3, facing(0.3), f64::NEG_INFINITY);
        let mut errors_px = Vec::new();
        while along_m < REACH_M {
            let next_m = 1.005 * along_m;
            let after = facing(next_m);
            if before < 0.0 && after >= 0.0 {
                let (mut low, mut high) = (along_m, next_m);
                for _ in 0..12 {
                    let middle = 0.5 * (low + high);
                    *(if facing(middle) < 0.0 { &mut low } else { &mut high }) = middle;
                }
                let crest = self.true_point(at(low));
                let elevation = crest.y / crest.x.hypot(crest.z);
                let relative = crest.as_vec3().extend(1.0);
                let shown = self.view.frustum.iter().all(|plane| plane.dot(relative) >= 0.0);
                if elevation > highest && shown && crest.length() > 0.3 {
                    let mesh_point = self.mesh_point(at(low)).expect("what is shown has tiles");
                    let apart_m = (mesh_point - crest).dot(self.normal(at(low))).abs();
                    let pixel_m = crest.length() * f64::from(self.view.pixel_angle_rad);
                    errors_px.push(apart_m / pixel_m);
                }
                highest = highest.max(elevation);
            }
            (along_m, before) = (next_m, after);
        }
        errors_px
    }
}

/// Root mean square, and what 99 of 100 are less than.
fn statistics(mut errors: Vec<f64>) -> [f64; 2] {
    errors.sort_by(f64::total_cmp);
    let squares = errors.iter().map(|error| error * error).sum::<f64>();
    [(squares / errors.len() as f64).sqrt(), errors[errors.len() * 99 / 100]]
}

/// Weights of the corners at a point, unless it lies outside.
fn barycentric([a, b, c]: [DVec2; 3], at: DVec2) -> Option<[f64; 3]> {
    let area = (b - a).perp_dot(c - a);
    // Where vertices have slid onto each other there is none.
    if area.abs() < 1e-9 {
        return None;
    }
    let weights = [(b - at).perp_dot(c - at), (c - at).perp_dot(a - at), (a - at).perp_dot(b - at)]
        .map(|part| part / area);
    weights.iter().all(|weight| *weight >= -1e-6).then_some(weights)
}

/// The mesh of a tier at 1080p against the sea, from heights over the water: everywhere, and at the
/// silhouettes of crests. `allowed_px` are [RMS, 99 of 100] of both.
fn the_mesh_is_near_the_sea(
    tier: QualityTier,
    presets: &[&str],
    heights_m: &[f64],
    allowed_px: [[f64; 2]; 2],
) {
    const COUNT: u32 = 2000;
    const COLUMNS: u32 = 40;
    let quality = Quality::of(tier);
    let options = OceanOptions::fixed(&quality);
    println!("preset, height [m], vertices, pixels of error: RMS, 99 of 100; of crests, how many");
    for name in presets {
        let preset = Preset::load(name).unwrap();
        let spectrum = Ocean::prepare(&preset.sea, &options).unwrap();
        let hs_m = spectrum.significant_wave_height_m();
        let bounds = SeaBounds::from_wave_height(hs_m, preset.sea.choppiness);
        let moment = Queries::new(spectrum, &options).at(20.0);
        let under = moment.surface_at(Point::at([0.0; 2])).height_m;
        for height_m in heights_m {
            let camera = CameraPose {
                y_m: under + height_m,
                yaw_deg: preset.camera.yaw_deg,
                // The horizon lies in the picture, and so does much of the water.
                pitch_deg: -12.0,
                ..CameraPose::default()
            };
            let view = View::new(&camera, [1920, 1080]);
            let grid = Grid::of(&quality);
            let meshed = Meshed::new(moment.sea(), grid, bounds, view);
            let vertices = meshed.tiles.len() * grid.tile_vertices() as usize;
            // Evenly over the picture.
            let places = (0..COUNT).map(|index| {
                let place = [0.754_877_666, 0.569_840_291].map(|step| f64::from(index) * step);
                2.0 * DVec2::from(place.map(f64::fract)) - 1.0
            });
            let errors_px: Vec<f64> = places.filter_map(|ndc| meshed.error_px(ndc)).collect();
            assert!(errors_px.len() > COUNT as usize / 3, "the picture shows water");
            let columns = (0..COLUMNS)
                .map(|column| 2.0 * (f64::from(column) + 0.5) / f64::from(COLUMNS) - 1.0);
            let crests_px: Vec<f64> =
                columns.flat_map(|column| meshed.silhouettes_px(column)).collect();
            let crests = crests_px.len();
            // From high above, waves hide nothing.
            assert!(crests > 200 || *height_m > 100.0, "{crests} crests are seen");
            let [all, of_crests] =
                [errors_px, if crests > 0 { crests_px } else { vec![0.0] }].map(statistics);
            println!(
                "{name:8} {height_m:6} {vertices:8} {:.3} {:.3}  {:.3} {:.3} {crests}",
                all[0], all[1], of_crests[0], of_crests[1]
            );
            let what = ["RMS", "99 of 100", "RMS at crests", "99 of 100 at crests"];
            let found = [all, of_crests].concat();
            for ((what, found), most) in what.iter().zip(found).zip(allowed_px.concat()) {
                at_most(found, most, format_args!("{what} of {name} from {height_m} m"));
            }
        }
    }
}

/// The mesh leaves out waves that its triangles cannot show, and draws chords of the others: by so
/// little, from any height, that what is missing is a matter of shading, and crests are no polygons.
#[test]
fn the_mesh_is_never_far_from_the_sea() {
    the_mesh_is_near_the_sea(
        QualityTier::High,
        &["breeze", "gale", "storm"],
        &[0.5, 2.0, 10.0, 50.0, 200.0, 1000.0, 5000.0],
        [[0.6, 2.0], [0.75, 2.0]],
    );
}

#[test]
fn the_finest_mesh_is_nearer_to_the_sea() {
    the_mesh_is_near_the_sea(
        QualityTier::Ultra,
        &["breeze", "gale"],
        &[0.5, 10.0],
        [[0.4, 1.3], [0.5, 1.3]],
    );
}
