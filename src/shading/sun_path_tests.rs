//! The sun's path on the water, drawn, against a sum over the facets that make it: what a footprint
//! averages away comes back as roughness, so that neither distance nor resolution nor the size of the
//! maps changes how bright the path is.
//!
//! Pictures are lit by the water's own kernel up to its glitter and keep radiance per irradiance,
//! without glints, air and exposure. The sum takes points of the same realised sea at the same time,
//! from the twin of the maps' finest level: no mips, no footprints, no mesh, in double precision. Waves
//! finer than the maps hold are a Gaussian around each point.

use std::f64::consts::{SQRT_2, TAU};

use glam::{DVec2, DVec3};

use super::facets_tests::{direction, fresnel_exact};
use super::tests::{context, submit, sun, texels, update};
use super::{SceneBindings, Sky, Visibility, VisibilityTargets, Water, WaterDetail, WaterLook};
use crate::foam::{Foam, FoamOptions, FoamSea};
use crate::gpu::shader::{self, LIBRARY, Sources};
use crate::maps::CascadeSampling;
use crate::maps::cpu::{Cascade, Sea, sum_of_cascades};
use crate::mesh::{EARTH_RADIUS_M, Grid, Mesh, SeaBounds, View};
use crate::ocean::{self, Ocean, OceanOptions};
use crate::settings::{CameraPose, Quality, QualityTier, SeaState};
use crate::spectrum::{Interpolation, MAX_CASCADES};
use seaway_core::testing::tolerance::{at_least, at_most, near};

const SUN_ELEVATION_DEG: f64 = 25.0;
const TIME_S: f64 = 40.0;

/// Pixels of the coarsest picture, the middle of one of 96 x 54. The pixels of finer pictures divide its
/// own, so that bands agree.
const COARSEST: [u32; 2] = [32, 54];
const FINER: [u32; 3] = [1, 2, 4];

/// The path reaches this far to both sides of the sun, in columns of the picture.
const HALF_WIDTH_DEG: f64 = 10.0;
/// Elevations of the eye as seen from the water: the edges of the bands.
const BANDS_DEG: [[f64; 2]; 5] = [[2.5, 5.0], [5.0, 8.0], [8.0, 14.0], [14.0, 25.0], [25.0, 45.0]];
/// The bands that make the path, whose brightness is promised.
const PROMISED: std::ops::Range<usize> = 1..BANDS_DEG.len();
/// The number of compared parts: each band, and the path.
const PARTS: usize = BANDS_DEG.len() + 1;
const PATH: usize = BANDS_DEG.len();

fn sea(wind_speed_mps: f64) -> SeaState {
    SeaState { wind_speed_mps, ..SeaState::default() }
}

const WIND_MPS: f64 = 7.0;
/// Waves as high as the lower eye.
const FRESH_WIND_MPS: f64 = 12.0;

/// Small maps, interpolated linearly, with patches blended, and large maps, interpolated by splines and
/// with rows of samples. The mesh of the latter is coarser than that of `high`, to save time: its
/// vertices take most of it.
fn qualities() -> [Quality; 2] {
    let [low, high] = [QualityTier::Low, QualityTier::High].map(Quality::of);
    [
        Quality { blended_cascades: 1, foam_texels: 0, ..low },
        Quality {
            size: 512,
            tile_cells: 8,
            msaa_samples: 1,
            blended_cascades: 0,
            foam_texels: 0,
            ..high
        },
    ]
}

/// Eyes at one height: the more there are, the less water each sees.
#[derive(Clone, Copy, Debug)]
struct Eyes {
    /// The height over the moving water beneath: an eye in a wave sees no sun, and one over a trough
    /// none of the lower water.
    height_m: f64,
    count: usize,
    /// Points of the sum for each eye.
    points: usize,
}

const LOW: Eyes = Eyes { height_m: 2.0, count: 24, points: 36_000 };
const HIGH: Eyes = Eyes { height_m: 200.0, count: 6, points: 20_000 };

impl Eyes {
    /// Poses that look towards the sun, spread over the sea.
    fn poses(&self, bench: &Bench) -> Vec<CameraPose> {
        let pose = |index| {
            let [x_m, z_m] = scattered(index).map(|share| 4e3 * (share - 0.5));
            let y_m = self.height_m + bench.level_m([x_m, z_m]);
            CameraPose { x_m, y_m, z_m, yaw_deg: 0.0, pitch_deg: -25.0, fov_deg: 50.0 }
        };
        (0..self.count).map(pose).collect()
    }
}

/// Points that fill the unit square evenly (Roberts 2018).
fn scattered(index: usize) -> [f64; 2] {
    [0.754_877_666_246_692_8, 0.569_840_290_998_053_3]
        .map(|step| (0.5 + step * index as f64).fract())
}

fn bands(view: &View) -> Vec<Option<usize>> {
    let [width, height] = COARSEST;
    (0..height)
        .flat_map(|row| (0..width).map(move |column| [column, row]))
        .map(|[column, row]| {
            let share = |pixel: u32, pixels: u32| 2.0 * (pixel as f32 + 0.5) / pixels as f32 - 1.0;
            let ray = view.forward + view.right * view.half_extent[0] * share(column, width)
                - view.up * view.half_extent[1] * share(row, height);
            let ray = ray.as_dvec3().normalize();
            let elevation_deg = (-ray.y).asin().to_degrees();
            let azimuth_deg = ray.z.atan2(ray.x).to_degrees();
            let is_in = |[low, high]: &[f64; 2]| (*low..*high).contains(&elevation_deg);
            BANDS_DEG.iter().position(is_in).filter(|_| azimuth_deg.abs() < HALF_WIDTH_DEG)
        })
        .collect()
}

/// Appends the path's mean to the means of the bands.
fn with_path(view: &View, of_bands: [f64; BANDS_DEG.len()]) -> [f64; PARTS] {
    let (mut sum, mut count) = (0.0, 0.0);
    for band in bands(view).into_iter().flatten().filter(|band| PROMISED.contains(band)) {
        sum += of_bands[band];
        count += 1.0;
    }
    std::array::from_fn(|part| if part == PATH { sum / count } else { of_bands[part] })
}

fn glitter() -> Sources {
    with_water(&glitter_text())
}

fn with_water(water: &str) -> Sources {
    LIBRARY.embedded().with("shading/water.wgsl", water)
}

fn glitter_text() -> String {
    let water = shader::source("shading/water.wgsl").unwrap();
    let (before, after) = water.split_once("var glitter = ").expect("the water has glitter");
    let (glitter, _) = after.split_once(';').unwrap();
    format!("{before}return vec3({glitter}, 0.0, 0.0);\n}}\n")
}

pub(super) struct Bench {
    pub(super) mesh: Mesh,
    pub(super) ocean: Ocean,
    pub(super) sky: Sky,
    visibility: Visibility,
    water: Water,
    look: WaterLook,
    bounds: SeaBounds,
    twin: Sea,
}

impl Bench {
    pub(super) fn new(wind_mps: f64, quality: &Quality, sources: &Sources) -> Self {
        let (device, queue) = (&context().device, &context().queue);
        let options = OceanOptions::fixed(quality);
        let ocean = Ocean::new(device, queue, &sea(wind_mps), options).unwrap();
        let foam =
            FoamSea::new(&sea(wind_mps), options.cascades, &FoamOptions::of(quality)).unwrap();
        let spectrum = ocean.spectrum();
        let look = WaterLook::new(spectrum, &foam);
        let hs_m = spectrum.significant_wave_height_m();
        let bounds = SeaBounds::from_wave_height(hs_m, spectrum.choppiness());
        let foam = Foam::new(device, queue, foam).unwrap();
        let mut sky = Sky::new(device).unwrap();
        update(&mut sky, &sun(SUN_ELEVATION_DEG, 1.0));
        let mesh = Mesh::new(device, Grid::of(quality));
        let samples = quality.msaa_samples;
        let detail = WaterDetail { samples, mirror_samples: 1, glints: false };
        let (pipelines, scene) = (ocean.pipelines(), SceneBindings::new(&mesh, ocean.maps(), &sky));
        let visibility = Visibility::new(pipelines, &scene, &mesh, detail.samples).unwrap();
        let of = (&mesh, &visibility);
        let water =
            sources.during(|| Water::new(pipelines, queue, &scene, of, &foam, detail)).unwrap();
        submit(|recorder| ocean.record(recorder, TIME_S));
        let twin = twin(&ocean);
        Self { mesh, ocean, sky, visibility, water, look, bounds, twin }
    }

    /// The radiance per irradiance, indexed `[y][x]`.
    fn picture(&mut self, pose: &CameraPose, resolution: [u32; 2]) -> Vec<f64> {
        let lights = self.lights(pose, resolution);
        texels(&lights, 0).iter().map(|texel| f64::from(texel[0])).collect()
    }

    /// The lights of samples, in layers.
    pub(super) fn lights(&mut self, pose: &CameraPose, resolution: [u32; 2]) -> wgpu::Texture {
        let queue = &context().queue;
        let view = View::new(pose, resolution);
        let anchor_m = self.mesh.grid().anchor_m(view.position_m);
        self.mesh.select(&view, self.bounds);
        self.mesh.upload(queue, &view, self.bounds);
        self.ocean.set_origin(queue, anchor_m);
        self.water.update(queue, &self.look, anchor_m, anchor_m);
        let Self { mesh, ocean, sky, visibility, water, .. } = self;
        let scene = &SceneBindings::new(mesh, ocean.maps(), sky);
        lit(water, visibility, mesh, scene, resolution)
    }

    /// The means of the parts of a picture whose pixels are `finer` times as fine.
    fn drawn(&mut self, pose: &CameraPose, finer: u32) -> [f64; PARTS] {
        let resolution = COARSEST.map(|pixels| finer * pixels);
        let view = View::new(pose, COARSEST);
        let bands = bands(&view);
        let mut sums = [[0.0; 2]; BANDS_DEG.len()];
        for (at, value) in (0..).zip(self.picture(pose, resolution)) {
            let [x, y] = [at % resolution[0], at / resolution[0]].map(|pixel| pixel / finer);
            if let Some(band) = bands[(y * COARSEST[0] + x) as usize] {
                sums[band][0] += value;
                sums[band][1] += 1.0;
            }
        }
        with_path(&view, sums.map(|[sum, count]| sum / count))
    }

    /// The expected means: over all points of the sea in a band, the light that their facets throw to
    /// the eye, over the area that they show it.
    fn summed(&self, pose: &CameraPose, eyes: &Eyes, hidden: Hidden) -> [f64; PARTS] {
        let view = View::new(pose, COARSEST);
        let bands = bands(&view);
        let to_sun = direction(SUN_ELEVATION_DEG, 0.0);
        let covariance = self.look.base_covariance;
        let mut sums = [[0.0; 2]; BANDS_DEG.len()];
        let (mut facing_sun, mut shown_to_sun) = (0.0, 0.0);
        for index in 0..eyes.points {
            let point = self.point(pose, eyes, index);
            facing_sun += point.area * point.upwards().dot(to_sun);
            shown_to_sun += point.area * point.shown(covariance, to_sun);
            let Some((pixel, per_area)) = pixel(&view, point.relative) else { continue };
            let Some(band) = bands[pixel] else { continue };
            if hidden == Hidden::Traced && !self.is_in_sight(pose, &point) {
                continue;
            }
            let to_eye = -point.relative.normalize();
            let weight = point.area * per_area;
            sums[band][0] += weight * point.mirrored(covariance, to_eye, to_sun);
            sums[band][1] += weight * point.shown(covariance, to_eye);
        }
        let lit = facing_sun / shown_to_sun;
        with_path(&view, sums.map(|[light, area]| lit * light / area))
    }

    /// A point of the set that fills the wedge of the path, and more of it.
    fn point(&self, pose: &CameraPose, eyes: &Eyes, index: usize) -> Point {
        let [along, across] = scattered(index);
        // Each octave of the distance over still water has the same number of points.
        let (nearest_m, furthest_m) = (0.3 * eyes.height_m, 45.0 * eyes.height_m);
        let octaves = (furthest_m / nearest_m).ln();
        let distance_m = nearest_m * (along * octaves).exp();
        // To both sides of the sun, with points that waves move into the picture's part.
        let moved_m = 4.0 * self.look.height_deviation_m;
        let reach_deg = HALF_WIDTH_DEG + 0.5 + moved_m.atan2(distance_m).to_degrees();
        let azimuth_deg = reach_deg * (2.0 * across - 1.0);
        let to = direction(0.0, azimuth_deg) * distance_m;
        let rest_m = DVec2::new(pose.x_m + to.x, pose.z_m + to.z);
        let water = self.water_from(rest_m);
        let drop_m = distance_m * distance_m / (2.0 * EARTH_RADIUS_M);
        Point {
            rest_m,
            moved_m: DVec2::new(water.displacement.x, water.displacement.z),
            relative: to + water.displacement - DVec3::Y * (pose.y_m + drop_m),
            slope: water.slope,
            area: reach_deg * distance_m * distance_m * water.jacobian,
        }
    }

    /// The height over still water of the water that is now at a place.
    pub(super) fn level_m(&self, place_m: [f64; 2]) -> f64 {
        let place_m = DVec2::from(place_m);
        let mut rest_m = place_m;
        for _ in 0..8 {
            let moved_m = self.water_from(rest_m).displacement;
            rest_m = place_m - DVec2::new(moved_m.x, moved_m.z);
        }
        self.water_from(rest_m).displacement.y
    }

    fn water_from(&self, rest_m: DVec2) -> Displaced {
        let fields = sum_of_cascades(&self.twin.cascades, rest_m.to_array(), 1e-9);
        let surface = self.twin.surface_of(&fields);
        let [x, y, z] = surface.normal();
        let [dx, dz, h, ..] = fields;
        let choppy = self.twin.choppiness;
        Displaced {
            displacement: DVec3::new(choppy * dx, h, choppy * dz),
            slope: -DVec2::new(x, z) / y.max(0.05),
            jacobian: surface.jacobian().max(1e-3),
        }
    }

    /// Returns whether no wave stands between the eye and a point, by steps towards the eye up to the
    /// height of all crests.
    fn is_in_sight(&self, pose: &CameraPose, point: &Point) -> bool {
        let to_eye = -point.relative.normalize();
        let highest_m = 4.0 * self.look.height_deviation_m;
        let here_m = point.rest_m + point.moved_m;
        let height_m = point.relative.y + pose.y_m;
        let mut moved_m = point.moved_m;
        let mut gone_m = 0.02;
        while gone_m < point.relative.length() && height_m + gone_m * to_eye.y < highest_m {
            let over_m = here_m + gone_m * DVec2::new(to_eye.x, to_eye.z);
            // The water here rests about where that of the last step rests.
            let water = self.water_from(over_m - moved_m);
            let now_m = DVec2::new(water.displacement.x, water.displacement.z);
            let crest_m = water.displacement.y + water.slope.dot(moved_m - now_m);
            if crest_m > height_m + gone_m * to_eye.y + 1e-3 {
                return false;
            }
            moved_m = now_m;
            gone_m += (0.2 * gone_m).clamp(0.02, 0.4);
        }
        true
    }
}

/// The sea that the maps should show, interpolated by splines in any case: the loss of linear
/// interpolation between texels is a fault of the maps.
fn twin(ocean: &Ocean) -> Sea {
    let (spectrum, options) = (ocean.spectrum(), ocean.options());
    let cubic = Interpolation::Cubic;
    let splines = ocean::cpu::coefficients(spectrum, &[cubic; MAX_CASCADES as usize], TIME_S);
    let cascades = (0..)
        .zip(splines)
        .map(|(index, fields)| {
            let blended = index < options.blended_cascades as usize;
            let sampling = CascadeSampling::new(spectrum, index, cubic, blended);
            Cascade::new(sampling, options.size, fields)
        })
        .collect();
    Sea { cascades, choppiness: spectrum.choppiness(), foam_threshold: 0.0 }
}

/// The treatment of points that waves hide from the eye.
#[derive(Clone, Copy, PartialEq)]
enum Hidden {
    /// None are left out: whether a point is hidden does not depend on its slope, except that points
    /// that face away show nothing (Smith).
    Smith,
    /// Points behind waves of the realised surface are left out.
    Traced,
}

struct Displaced {
    displacement: DVec3,
    slope: DVec2,
    jacobian: f64,
}

/// A point of the displaced surface.
struct Point {
    rest_m: DVec2,
    /// The displacement by the waves.
    moved_m: DVec2,
    relative: DVec3,
    slope: DVec2,
    /// The area of the plane beneath that the point stands for, up to a common factor.
    area: f64,
}

impl Point {
    fn upwards(&self) -> DVec3 {
        DVec3::new(-self.slope.x, 1.0, -self.slope.y)
    }

    /// The area that its facets show in a direction, per area of the plane, with slopes that are a
    /// Gaussian around its own.
    fn shown(&self, [xx, zz, xz]: [f64; 3], to: DVec3) -> f64 {
        let variance = xx * to.x * to.x + zz * to.z * to.z + 2.0 * xz * to.x * to.z;
        let sigma = variance.sqrt();
        let a = self.upwards().dot(to) / sigma;
        let facing = 0.5 * (1.0 + libm::erf(a / SQRT_2));
        sigma * (a * facing + (-0.5 * a * a).exp() / TAU.sqrt())
    }

    /// The light that its facets mirror to the eye, per area of the plane and irradiance.
    fn mirrored(&self, [xx, zz, xz]: [f64; 3], to_eye: DVec3, to_sun: DVec3) -> f64 {
        let half = (to_eye + to_sun).normalize();
        let off = -DVec2::new(half.x, half.z) / half.y - self.slope;
        let determinant = xx * zz - xz * xz;
        let exponent =
            (zz * off.x * off.x - 2.0 * xz * off.x * off.y + xx * off.y * off.y) / determinant;
        let density = (-0.5 * exponent).exp() / (TAU * determinant.sqrt());
        density * fresnel_exact(half.dot(to_sun)) / (4.0 * half.y.powi(4))
    }
}

/// The pixel of the coarsest picture that shows a point, and the share of the picture that an area
/// facing the eye takes there.
fn pixel(view: &View, relative: DVec3) -> Option<(usize, f64)> {
    let depth = relative.dot(view.forward.as_dvec3());
    let ndc = [
        relative.dot(view.right.as_dvec3()) / (depth * f64::from(view.half_extent[0])),
        -relative.dot(view.up.as_dvec3()) / (depth * f64::from(view.half_extent[1])),
    ];
    if depth <= 0.0 || ndc.iter().any(|at| at.abs() >= 1.0) {
        return None;
    }
    let [x, y] = [0, 1].map(|i| (0.5 * (ndc[i] + 1.0) * f64::from(COARSEST[i])) as usize);
    let distance = relative.length();
    Some((y * COARSEST[0] as usize + x, distance / depth.powi(3)))
}

/// The lights of a picture of the water, in layers by sample.
pub(super) fn lit(
    water: &Water,
    visibility: &mut Visibility,
    mesh: &Mesh,
    scene: &SceneBindings<'_>,
    resolution: [u32; 2],
) -> wgpu::Texture {
    let (device, samples) = (&context().device, visibility.samples());
    let targets = VisibilityTargets::new(device, resolution, samples);
    visibility.fit(mesh, &targets);
    submit(|recorder| {
        water.displace(recorder, scene, mesh);
        visibility.record(recorder, scene, mesh, &targets, |_| ());
        recorder.compute("light", |stages| water.light(stages, scene, visibility));
    });
    targets.lights.texture().clone()
}

/// The ratio of the drawn to the summed light of all eyes together, and its standard error, with each
/// eye as a sample.
fn ratio(drawn: &[f64], summed: &[f64]) -> (f64, f64) {
    let all: f64 = summed.iter().sum();
    let ratio = drawn.iter().sum::<f64>() / all;
    let squares: f64 =
        drawn.iter().zip(summed).map(|(drawn, summed)| (drawn - ratio * summed).powi(2)).sum();
    let count = drawn.len() as f64;
    (ratio, (squares * count / (count - 1.0)).sqrt() / all)
}

/// The ratio of the drawn to the summed light of a part over all eyes, and its standard error.
struct Compared {
    ratios: [(f64, f64); PARTS],
}

impl Compared {
    fn new(what: &str, drawn: &[[f64; PARTS]], summed: &[[f64; PARTS]]) -> Self {
        let ratios = std::array::from_fn(|part| {
            let of = |all: &[[f64; PARTS]]| all.iter().map(|parts| parts[part]).collect::<Vec<_>>();
            ratio(&of(drawn), &of(summed))
        });
        let row: Vec<_> =
            ratios.iter().map(|(ratio, error)| format!("{ratio:.3} +- {error:.3}")).collect();
        println!("{what}: {}", row.join("  "));
        Self { ratios }
    }

    fn assert_near_1(&self, what: &str) {
        for (part, (ratio, error)) in self.ratios.into_iter().enumerate() {
            let name = match BANDS_DEG.get(part) {
                Some([low, high]) => format!("{what}, {low} to {high} degrees"),
                None => format!("{what}, the path"),
            };
            near(ratio, 1.0, allowed(part), &name);
            at_most(error, 0.04, format_args!("standard error, {name}"));
        }
    }
}

/// The promise is 10%, and the standard error 1% to 3%. The largest error is at 5 to 8 degrees from close
/// over large maps, where the path is drawn up to 6% brighter than the sum: waves that are drawn one by one
/// hide each other, troughs before crests, which Smith's model lacks. The facets in sight are brighter by 4
/// to 5% themselves (`the_near_path_agrees_with_visible_facets`). Below 5 degrees nothing is promised, and it
/// is 10% for the same reason.
fn allowed(part: usize) -> f64 {
    if PROMISED.contains(&part) || part == PATH { 0.1 } else { 0.2 }
}

fn the_path_is_as_bright_as_its_facets(quality: &Quality) {
    let mut bench = Bench::new(WIND_MPS, quality, &glitter());
    for eyes in [LOW, HIGH] {
        let poses = eyes.poses(&bench);
        let summed: Vec<_> =
            poses.iter().map(|pose| bench.summed(pose, &eyes, Hidden::Smith)).collect();
        for finer in FINER {
            let drawn: Vec<_> = poses.iter().map(|pose| bench.drawn(pose, finer)).collect();
            let rows = finer * COARSEST[1];
            let what = format!("N {} from {} m, {rows} rows", quality.size, eyes.height_m);
            let compared = Compared::new(&what, &drawn, &summed);
            compared.assert_near_1(&what);
        }
    }
}

#[test]
fn small_maps_draw_the_path_as_bright_as_facets() {
    let [small, _] = qualities();
    the_path_is_as_bright_as_its_facets(&small);
}

#[test]
fn large_maps_draw_the_path_as_bright_as_facets() {
    let [_, large] = qualities();
    the_path_is_as_bright_as_its_facets(&large);
}

#[test]
fn high_waves_draw_the_path_as_bright_as_facets() {
    let [_, large] = qualities();
    let mut bench = Bench::new(FRESH_WIND_MPS, &large, &glitter());
    let poses = LOW.poses(&bench);
    let summed: Vec<_> = poses.iter().map(|pose| bench.summed(pose, &LOW, Hidden::Smith)).collect();
    let drawn: Vec<_> = poses.iter().map(|pose| bench.drawn(pose, 1)).collect();
    let what = format!("wind of {FRESH_WIND_MPS} m/s");
    Compared::new(&what, &drawn, &summed).assert_near_1(&what);
}

/// This case needs no model of the hidden waves.
#[test]
fn the_near_path_agrees_with_visible_facets() {
    let [_, quality] = qualities();
    let eyes = Eyes { points: 10_000, ..LOW };
    let mut bench = Bench::new(WIND_MPS, &quality, &glitter());
    let poses = eyes.poses(&bench);
    let of_eyes =
        |hidden| -> Vec<_> { poses.iter().map(|pose| bench.summed(pose, &eyes, hidden)).collect() };
    let [smith, traced] = [Hidden::Smith, Hidden::Traced].map(of_eyes);
    let drawn: Vec<_> = poses.iter().map(|pose| bench.drawn(pose, 1)).collect();
    Compared::new("by Smith", &drawn, &smith);
    Compared::new("Smith to those in sight", &traced, &smith);
    let compared = Compared::new("in sight", &drawn, &traced);
    compared.assert_near_1("in sight");
}

/// The fault that the other tests are to notice: slopes that the maps' levels lose, with no roughness in
/// their place. Far away the path is then narrower: too bright in its middle and too dark at its ends.
#[test]
fn lost_slopes_are_missed() {
    let [quality, _] = qualities();
    let whole = glitter_text();
    let without = whole.replace("surface.lost + water.base_covariance", "water.base_covariance");
    assert_ne!(whole, without);
    let mut bench = Bench::new(WIND_MPS, &quality, &with_water(&without));
    let poses = HIGH.poses(&bench);
    let summed: Vec<_> =
        poses.iter().map(|pose| bench.summed(pose, &HIGH, Hidden::Smith)).collect();
    let drawn: Vec<_> = poses.iter().map(|pose| bench.drawn(pose, 1)).collect();
    let compared = Compared::new("without lost slopes", &drawn, &summed);
    let (ratio, _) = compared.ratios[3];
    at_least(ratio, 1.2, "too bright at 14 to 25 degrees");
}
