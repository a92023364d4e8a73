//! The bed of shallow water, and the sunlight that waves focus in the water.
//!
//! Takes the ocean's maps, the sun and the depth of the sea; gives a map around the eye that shaders read
//! through `shading/bed.wgsl`: at four levels, each four times as wide as the one before, the brightness of
//! the caustics, the height of the bed, its darkness and its shading.
//!
//! Caustics are a mesh of the surface whose vertices sunlight carries to the bed (Fernando, ed., GPU Gems,
//! 2004, chapter 2). Each cell spreads the light that it receives over the texels where it arrives. Sheets
//! of light that cross beyond their focus then add up, and no light is lost.

use crate::gpu::shader::ShaderError;
use crate::gpu::{
    Allocations, ComputeDescriptor, ComputePipeline, Pipelines, TextureSpec, Uniform, bindings,
    wgsl_struct,
};
use crate::maps::Maps;
use crate::profile::Recorder;
use crate::settings::{Light, SeaBed};

use super::optics::{WATER_INDEX, WaterOptics};

pub(super) const SHADERS: &[&str] = &["shading/caustics.wgsl", "shading/bed_map.wgsl"];

/// The levels of the map, and those that show caustics: on others a texel holds the mean of many.
const LEVELS: usize = 4;
const CAUSTIC_LEVELS: usize = 2;
const RATIO: f64 = 4.0;
/// The width of the finest level.
const FINEST_M: f64 = 20.0;
/// The bed repeats after this distance.
const PERIOD_M: f64 = 1024.0;
/// The corners along a side of a workgroup's piece of the mesh. It has one cell fewer.
const MESH_SIDE: u32 = 16;
/// Spacing of the mesh, in cells of the caustics.
const SPACING_CELLS: f64 = 0.7;
/// The attenuation of light from above that comes up again, in powers of e, beyond which a bed is invisible.
const MOST_ATTENUATION: f64 = 5.5;
/// The height of caustics over the eye's depth in deep water, for which shafts of light are drawn.
const SHAFT_DEPTH_M: f64 = 4.0;
/// The wavelength of ripples of sand.
const RIPPLES_M: f64 = 0.22;

wgsl_struct! {
    /// The layout of `WaterBed` in `shading/sky_map.wgsl`.
    pub(super) struct WaterBed {
        depth_m: f32,
        caustics_depth_m: f32,
        sun_shift: [f32; 2],
        sand: [f32; 3],
        mean_dark: f32,
        dark: [f32; 3],
        texel_m: f32,
        levels: [[f32; 4]; LEVELS],
        highest_m: f32,
        _padding: [f32; 3],
    }
}

wgsl_struct! {
    /// The layout of `BedLevel` in `shading/bed_params.wgsl`.
    struct BedLevel {
        first_m: [f32; 2],
        spacing_m: f32,
        corners: u32,
        origin_m: [f32; 2],
        cell_m: f32,
        cells: u32,
        origin_in_period_m: [f32; 2],
        texel_m: f32,
        blur_cells: f32,
    }
}

wgsl_struct! {
    /// The layout of `BedParams` in `shading/bed_params.wgsl`.
    struct BedParams {
        to_sun: [f32; 3],
        caustics_depth_m: f32,
        ripples: [f32; 2],
        depth_m: f32,
        texels: u32,
        reef: f32,
        caustic_levels: u32,
        _padding: [f32; 2],
        levels: [BedLevel; LEVELS],
    }
}

/// The properties of a frame that the bed and its light depend on.
#[derive(Clone, Copy, Debug)]
pub struct BedScene<'a> {
    /// The kind of bed.
    pub bed: SeaBed,
    /// The depth of the sea, in metres.
    pub depth_m: f64,
    /// The direction of the waves that shape ripples, in degrees from +X towards +Z.
    pub waves_deg: f64,
    /// The sun, and the turbidity of the water.
    pub light: &'a Light,
    /// The variance of the slopes of waves finer than the maps hold, along an axis.
    pub unresolved_variance: f64,
    /// The largest horizontal displacement of the water, in metres.
    pub reach_m: f64,
    /// The position of the eye, in metres.
    pub eye_m: [f64; 3],
    /// The anchor of the grid, the origin of the maps.
    pub anchor_m: [f64; 2],
    /// Whether waves may cover the eye.
    pub may_be_below: bool,
}

/// The map of the bed, and the kernels that make it.
#[derive(Debug)]
pub struct Bed {
    params: Uniform<BedParams>,
    cells: wgpu::Buffer,
    map: wgpu::TextureView,
    group: wgpu::BindGroup,
    /// The declarations of the kernels, and the kernels once a bed was visible, or the eye could be in the water.
    declarations: [ComputeDescriptor; 2],
    kernels: Option<[ComputePipeline; 2]>,
    texels: u32,
    sunlight: WaterBed,
}

impl Bed {
    /// Creates a map with `texels` along a side of each level.
    pub fn new(device: &wgpu::Device, maps: &Maps, texels: u32) -> Self {
        let params = Uniform::new(device, "Bed::params");
        let cells = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Bed::cells"),
            size: 4 * (CAUSTIC_LEVELS as u64) * u64::from(texels).pow(2),
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let map = map_texture(device, texels);
        let d2_array = wgpu::TextureViewDimension::D2Array;
        let own = bindings::bind(
            device,
            "Bed::group",
            wgpu::ShaderStages::COMPUTE,
            &[
                (bindings::uniform(), &params),
                (bindings::storage_read_write(), &cells),
                (bindings::storage_texture(MAP_FORMAT, d2_array), &map),
            ],
        );
        let kernel = |shader, constants: &[(&'static str, f64)]| ComputeDescriptor {
            groups: vec![Some(own.layout.clone()), Some(maps.group().layout.clone())],
            constants: constants.into(),
            ..ComputeDescriptor::new("bed", shader, "main", &[])
        };
        Self {
            declarations: [kernel(SHADERS[0], &maps.constants()), kernel(SHADERS[1], &[])],
            kernels: None,
            params,
            cells,
            map,
            group: own.bind_group,
            texels,
            sunlight: bytemuck::Zeroable::zeroed(),
        }
    }

    /// The map, an array of levels of (caustics, height, darkness, shading).
    pub(super) fn map(&self) -> &wgpu::TextureView {
        &self.map
    }

    /// Returns whether the last recorded frame shows a bed.
    pub fn is_shown(&self) -> bool {
        self.sunlight.depth_m > 0.0
    }

    /// The uniform of the bed in the last recorded frame.
    pub(super) fn sunlight(&self) -> &WaterBed {
        &self.sunlight
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        self.params.allocations::<A>().with_buffer(&self.cells).with_texture(self.map.texture())
    }

    /// Records the map around the eye of `scene`, where anything of it is visible. It builds the kernels the
    /// first time that anything is.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing. No bed is shown then.
    pub fn record(
        &mut self,
        recorder: &mut Recorder<'_>,
        (pipelines, queue): (&Pipelines, &wgpu::Queue),
        scene: &BedScene<'_>,
        maps: &Maps,
    ) -> Result<(), ShaderError> {
        self.sunlight = bytemuck::Zeroable::zeroed();
        let Some((params, sunlight)) = self.places(scene, maps) else { return Ok(()) };
        let [caustics, store] = match &self.kernels {
            Some(kernels) => kernels,
            None => {
                let [caustics, store] = self.declarations.clone();
                let built = [pipelines.compute(caustics)?, pipelines.compute(store)?];
                self.kernels.insert(built)
            }
        };
        self.sunlight = sunlight;
        self.params.write(queue, &params);
        recorder.encoder().clear_buffer(&self.cells, 0, None);
        recorder.compute("bed", |stages| {
            let groups = [Some(&self.group), Some(maps.bind_group())];
            if params.caustic_levels > 0 {
                stages.stage("caustics", |pass| {
                    caustics.bind(pass, &groups);
                    let corners = params.levels.iter().take(CAUSTIC_LEVELS);
                    let most = corners.map(|level| level.corners).max().unwrap_or(0);
                    let side = (most - 1).div_ceil(MESH_SIDE - 1);
                    pass.dispatch_workgroups(side, side, params.caustic_levels);
                });
            }
            stages.stage("bed", |pass| {
                store.bind(pass, &groups);
                let side = self.texels.div_ceil(8);
                pass.dispatch_workgroups(side, side, LEVELS as u32);
            });
        });
        Ok(())
    }

    /// The parameters of the kernels and of the readers; none where neither bed nor caustics are visible.
    fn places(&self, scene: &BedScene<'_>, maps: &Maps) -> Option<(BedParams, WaterBed)> {
        let depth_m = visible_depth_m(scene);
        if depth_m == 0.0 && !scene.may_be_below {
            return None;
        }
        let is_bed = depth_m > 0.0;
        let shaft_m = (SHAFT_DEPTH_M - scene.eye_m[1]).min(scene.depth_m);
        let caustics_depth_m = if is_bed { depth_m } else { shaft_m };
        let (azimuth_sin, azimuth_cos) = scene.light.sun_azimuth_deg.to_radians().sin_cos();
        let (sun_sin, sun_cos) = scene.light.sun_elevation_deg.to_radians().sin_cos();
        let to_sun = [sun_cos * azimuth_cos, sun_sin, sun_cos * azimuth_sin];
        // Sunlight goes on horizontally by this distance for each metre of depth.
        let sine = sun_cos / WATER_INDEX;
        let cosine = (1.0 - sine * sine).sqrt();
        let shift = sine / cosine;
        // The way for each metre of depth that a slope turns it aside: the mean of along the sun's azimuth and
        // across, which differ by the cosine.
        let turned_by_slope = (1.0 - sun_sin.max(0.0) / (WATER_INDEX * cosine)) / cosine;
        let sun_shift = [-shift * azimuth_cos, -shift * azimuth_sin];
        // The deviation of the places to which waves finer than the mesh, and the sun's disc, send light.
        let blur_m = |spacing_m: f64| {
            let variance = scene.unresolved_variance + maps.lost_slope_variance(spacing_m);
            let turned = turned_by_slope * variance.sqrt();
            caustics_depth_m * turned.hypot(0.5 * SUN_RADIUS_RAD / WATER_INDEX)
        };

        let level = |index: usize| {
            let texel_m = FINEST_M / f64::from(self.texels) * RATIO.powi(index as i32);
            let size_m = texel_m * f64::from(self.texels);
            let origin = [scene.eye_m[0], scene.eye_m[2]]
                .map(|eye_m| ((eye_m / texel_m).round() - f64::from(self.texels / 2)) * texel_m);
            // A coarser mesh loses more waves, and is blurred more.
            let mut cells = f64::from(self.texels);
            for _ in 0..3 {
                let blur_m = blur_m(SPACING_CELLS * size_m / cells);
                cells = (size_m / blur_m.max(1e-3)).ceil().clamp(8.0, f64::from(self.texels));
            }
            let cell_m = size_m / cells;
            let spacing_m = SPACING_CELLS * cell_m;
            // Waves turn light by up to a quarter of the depth, and move the water as well.
            let margin_m = 0.3 * caustics_depth_m + scene.reach_m;
            let corners = ((size_m + 2.0 * margin_m) / spacing_m).ceil() + 1.0;
            let first = |axis: usize| {
                origin[axis] - scene.anchor_m[axis] - margin_m - caustics_depth_m * sun_shift[axis]
            };
            BedLevel {
                first_m: [first(0) as f32, first(1) as f32],
                spacing_m: spacing_m as f32,
                corners: corners as u32,
                origin_m: [0, 1].map(|axis| (origin[axis] - scene.anchor_m[axis]) as f32),
                cell_m: cell_m as f32,
                cells: cells as u32,
                origin_in_period_m: origin.map(|metres| metres.rem_euclid(PERIOD_M) as f32),
                texel_m: texel_m as f32,
                blur_cells: (blur_m(spacing_m) / cell_m).clamp(0.5, 1.25) as f32,
            }
        };
        let levels: [BedLevel; LEVELS] = std::array::from_fn(level);
        let is_reef = scene.bed == SeaBed::Reef;
        // Ripples fit the period, and their crests are along those of the waves.
        let (waves_sin, waves_cos) = scene.waves_deg.to_radians().sin_cos();
        let ripples = [waves_cos, waves_sin]
            .map(|along| ((along * PERIOD_M / RIPPLES_M).round() / PERIOD_M) as f32);
        let params = BedParams {
            to_sun: to_sun.map(|part| part as f32),
            caustics_depth_m: caustics_depth_m as f32,
            ripples,
            depth_m: depth_m as f32,
            texels: self.texels,
            reef: f32::from(is_reef),
            caustic_levels: if sun_sin > 0.0 { CAUSTIC_LEVELS as u32 } else { 0 },
            _padding: [0.0; 2],
            levels,
        };
        let (sand, dark, mean_dark) = if is_reef { REEF } else { SAND };
        let sunlight = WaterBed {
            depth_m: depth_m as f32,
            caustics_depth_m: caustics_depth_m as f32,
            sun_shift: sun_shift.map(|part| part as f32),
            sand,
            mean_dark,
            dark,
            texel_m: levels[0].texel_m,
            levels: levels.map(|level| [level.origin_m[0], level.origin_m[1], level.texel_m, 0.0]),
            highest_m: highest_bed_m(scene.bed, depth_m) as f32,
            _padding: [0.0; 3],
        };
        Some((params, sunlight))
    }
}

/// The sun's angular radius, as in `shading/atmosphere.wgsl`.
const SUN_RADIUS_RAD: f64 = 0.00465;

/// Albedos of bright and of dark places in linear sRGB, and the mean share of the dark ones: wet quartz
/// sand, and sand of coral with living coral on it (the ranges of Mobley, "Light and Water", 1994, and of
/// Hochberg et al. 2003).
const SAND: ([f32; 3], [f32; 3], f32) = ([0.34, 0.29, 0.20], [0.13, 0.11, 0.07], 0.25);
const REEF: ([f32; 3], [f32; 3], f32) = ([0.52, 0.48, 0.38], [0.085, 0.075, 0.045], 0.30);

/// The format of the map.
const MAP_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// Creates a map with `texels` along a side of each level.
pub(super) fn map_texture(device: &wgpu::Device, texels: u32) -> wgpu::TextureView {
    TextureSpec::storage("Bed::map", [texels; 2], MAP_FORMAT)
        .layers(LEVELS as u32)
        .create(device)
        .create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        })
}

/// The height in metres over the mean bed, `depth_m` deep, that no bank and no coral of `shading/bed_relief.wgsl`
/// reaches.
pub(crate) fn highest_bed_m(bed: SeaBed, depth_m: f64) -> f64 {
    let share = match bed {
        SeaBed::None => 0.0,
        SeaBed::Sand => 0.1,
        SeaBed::Reef => 0.42,
    };
    (depth_m * share).min(3.0)
}

/// The depth of the bed, or 0 where there is none or where the water hides it.
fn visible_depth_m(scene: &BedScene<'_>) -> f64 {
    let attenuation = WaterOptics::of(scene.light.turbidity).diffuse_attenuation_per_m;
    let least_per_m = attenuation.into_iter().fold(f32::INFINITY, f32::min);
    // An eye in the water may be close to the bed.
    let ways = if scene.may_be_below { 1.0 } else { 2.0 };
    let is_visible = ways * f64::from(least_per_m) * scene.depth_m < MOST_ATTENUATION;
    if scene.bed != SeaBed::None && is_visible { scene.depth_m } else { 0.0 }
}
