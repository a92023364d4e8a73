//! The selection of the grid's tiles for a frame: the processor's half of the level of detail (Strugar,
//! "Continuous Distance-Dependent Level of Detail for Rendering Heightmaps", 2010), and the twin of
//! `mesh/grid.wgsl`.
//!
//! Level `l` has twice the spacing of level `l - 1`. Its tiles are squares of the world, and it
//! is drawn out to its range ([`Levels`]) from the eye, in three dimensions. Over the last quarter of
//! that range its vertices slide onto the grid of level `l + 1`.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::{DVec3, Vec2, Vec3};

use super::{Levels, View};
use crate::gpu::wgsl_struct;
use crate::settings::Quality;

/// The mean radius of the Earth: the sea drops by d^2 / 2R below the horizontal.
pub const EARTH_RADIUS_M: f64 = 6_371_000.0;

/// Shares of a level's range at which its vertices start and end to slide.
pub(super) const MORPH_START: f32 = 0.75;
pub(super) const MORPH_END: f32 = 0.98;

/// The anchor is a multiple of this many points of the lattice: then every corner of a coarse tile is,
/// too, and f32 holds it exactly out to 2^24 steps.
const ANCHOR_STEP: i64 = 64;

wgsl_struct! {
    /// One tile, in units of the lattice (whole numbers).
    pub struct Tile {
        /// X and Z of its corner, relative to the anchor.
        pub corner: [f32; 2],
        /// The spacing of its vertices, a power of two.
        pub spacing: f32,
        /// The distance from the eye in metres to which its level is drawn.
        pub range_m: f32,
    }
}

/// The reach of waves from still water, for culling.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeaBounds {
    /// The horizontal reach along any one axis, in metres.
    pub horizontal_m: f64,
    /// The reach up or down, in metres.
    pub vertical_m: f64,
}

impl SeaBounds {
    /// Bounds for a sea of significant height `hs_m`. The highest of ten thousand waves crests 1.2 Hs
    /// above still water (Rayleigh); the remainder allows for the whole ocean in view. Deep water moves
    /// as far sideways as it rises, before choppiness: half of the variance along each axis. In shallow
    /// water, multiply `choppiness` by the [`InitialSpectrum::orbit_ratio`] of the sea.
    ///
    /// [`InitialSpectrum::orbit_ratio`]: crate::spectrum::InitialSpectrum::orbit_ratio
    pub fn from_wave_height(hs_m: f64, choppiness: f64) -> Self {
        let vertical_m = 1.5 * hs_m + 0.1;
        Self { horizontal_m: FRAC_1_SQRT_2 * vertical_m * choppiness, vertical_m }
    }

    /// The bounds of waves that are within either of two bounds.
    pub fn or_wider(self, other: Self) -> Self {
        Self {
            horizontal_m: self.horizontal_m.max(other.horizontal_m),
            vertical_m: self.vertical_m.max(other.vertical_m),
        }
    }

    /// Returns whether waves may cover an eye at that height over still water.
    pub fn may_cover(self, eye_height_m: f64) -> bool {
        eye_height_m < self.vertical_m
    }

    /// The distances between which waves fade out for pixels of the given angle, from where their reach
    /// is one pixel high.
    pub fn fade_m(self, pixel_angle_rad: f32) -> [f64; 2] {
        let pixel_m = self.vertical_m / f64::from(pixel_angle_rad);
        [pixel_m, 4.0 * pixel_m]
    }
}

/// The grid's shape: the inputs of selection besides the view and the sea.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// The number of cells along one side of a tile, even.
    pub tile_cells: u32,
    /// The spacing of the vertices next to the eye, in metres.
    pub finest_spacing_m: f64,
    /// The largest width of a cell in pixels, where waves are high and cells wider than the finest.
    pub cell_pixels: f64,
}

impl Grid {
    /// A grid with as few tiles as possible, whatever the width of their cells. An odd `tile_cells` is
    /// rounded up, since every other vertex slides.
    pub fn new(tile_cells: u32, finest_spacing_m: f64) -> Self {
        Self {
            tile_cells: tile_cells.next_multiple_of(2).max(2),
            finest_spacing_m,
            cell_pixels: f64::INFINITY,
        }
    }

    /// The grid of a tier of quality.
    pub fn of(quality: &Quality) -> Self {
        let cell_pixels = quality.cell_pixels;
        Self { cell_pixels, ..Self::new(quality.tile_cells, quality.finest_spacing_m) }
    }

    /// The number of vertices of one tile.
    pub fn tile_vertices(&self) -> u32 {
        (self.tile_cells + 1) * (self.tile_cells + 1)
    }

    /// The ranges of its levels in one view of one sea.
    pub fn levels(&self, view: &View, bounds: SeaBounds) -> Levels {
        Levels::new(self, view, bounds)
    }

    /// The point of the lattice, at still water, that a frame's coordinates are relative to: near the
    /// eye, for the precision of f32.
    pub fn anchor_m(&self, eye_m: DVec3) -> [f64; 2] {
        let step_m = ANCHOR_STEP as f64 * self.finest_spacing_m;
        [eye_m.x, eye_m.z].map(|coordinate| (coordinate / step_m).round() * step_m)
    }

    /// The distance to which the sea is drawn: its own horizon, plus that of the crests behind it.
    pub fn horizon_m(eye_height_m: f64, bounds: SeaBounds) -> f64 {
        let horizon = |height_m: f64| (2.0 * EARTH_RADIUS_M * height_m.max(1.0)).sqrt();
        horizon(eye_height_m) + horizon(bounds.vertical_m)
    }

    /// Replaces `tiles` with those that `view` can see, roughly from near to far. It allocates only
    /// where `tiles` has too little capacity ([`super::Mesh`] reserves [`super::MAX_TILES`], which is
    /// enough for every view).
    pub fn select(&self, view: &View, bounds: SeaBounds, tiles: &mut Vec<Tile>) {
        tiles.clear();
        let eye = view.position_m;
        let anchor = self.anchor_m(eye);
        let horizon_m = Self::horizon_m(eye.y, bounds);
        let tile_m = f64::from(self.tile_cells) * self.finest_spacing_m;
        let top_level = Levels::top(horizon_m, tile_m);
        let mut selection = Selection {
            grid: *self,
            levels: self.levels(view, bounds),
            frustum: view.frustum.map(|plane| (plane.truncate().as_dvec3(), f64::from(plane.w))),
            bounds,
            eye,
            horizon_m,
            anchor_lattice: anchor.map(|metres| (metres / self.finest_spacing_m).round() as i64),
            tiles,
        };
        // A tile of the top level is at least as wide as the disc's radius, so that three by three of
        // them cover the disc. The eye's tile comes first.
        let width_m = tile_m * f64::from(top_level).exp2();
        let centre = [eye.x, eye.z].map(|coordinate| (coordinate / width_m).floor() as i64);
        const NEAR_TO_FAR: [[i64; 2]; 9] =
            [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]];
        for [x, z] in NEAR_TO_FAR {
            selection.visit([centre[0] + x, centre[1] + z], top_level, [true; 5]);
        }
    }

    pub(super) fn morph(distance_m: f32, range_m: f32) -> f32 {
        ((distance_m / range_m - MORPH_START) / (MORPH_END - MORPH_START)).clamp(0.0, 1.0)
    }

    /// The twin of `grid_vertex`: the position in metres from the anchor, and the spacing.
    pub fn vertex(&self, tile: &Tile, index: u32, eye_from_anchor_m: Vec3) -> (Vec2, f32) {
        let finest_m = self.finest_spacing_m as f32;
        let row = self.tile_cells + 1;
        let cell = [index % row, index / row];
        let lattice =
            Vec2::from(tile.corner) + Vec2::new(cell[0] as f32, cell[1] as f32) * tile.spacing;
        let offset = lattice * finest_m - Vec2::new(eye_from_anchor_m.x, eye_from_anchor_m.z);
        let distance_m = Vec3::new(offset.x, eye_from_anchor_m.y, offset.y).length();
        let spacing_m = tile.spacing * finest_m;
        let morph = Self::morph(distance_m, tile.range_m);
        let odd = Vec2::new((cell[0] & 1) as f32, (cell[1] & 1) as f32);
        ((lattice - odd * (tile.spacing * morph)) * finest_m, spacing_m * (1.0 + morph))
    }
}

struct Selection<'a> {
    grid: Grid,
    levels: Levels,
    /// Inward normals and offsets of the planes.
    frustum: [(DVec3, f64); 5],
    bounds: SeaBounds,
    eye: DVec3,
    horizon_m: f64,
    anchor_lattice: [i64; 2],
    tiles: &'a mut Vec<Tile>,
}

impl Selection<'_> {
    /// Visits tile `index` of `level`, counted from the world's origin; `crossed` are the planes of the
    /// frustum that the tile above crosses: it lies wholly inside of the others.
    fn visit(&mut self, index: [i64; 2], level: u32, crossed: [bool; 5]) {
        let spacing = 1i64 << level;
        let cells = i64::from(self.grid.tile_cells) * spacing;
        let width_m = cells as f64 * self.grid.finest_spacing_m;
        // The square from the eye, and its nearest and farthest point on still water.
        let eye = [self.eye.x, self.eye.z];
        let low: [f64; 2] = std::array::from_fn(|axis| index[axis] as f64 * width_m - eye[axis]);
        let nearest = low.map(|low| low.max(-(low + width_m)).max(0.0));
        let farthest = low.map(|low| low.abs().max((low + width_m).abs()));
        let squared = |v: [f64; 2]| v[0] * v[0] + v[1] * v[1];
        if squared(nearest) > self.horizon_m * self.horizon_m {
            return;
        }
        let drop = |v: [f64; 2]| squared(v) / (2.0 * EARTH_RADIUS_M);
        let reach = self.bounds.horizontal_m;
        let crossed = crossings(
            &self.frustum,
            crossed,
            DVec3::new(
                low[0] - reach,
                -drop(farthest) - self.bounds.vertical_m - self.eye.y,
                low[1] - reach,
            ),
            DVec3::new(
                low[0] + width_m + reach,
                -drop(nearest) + self.bounds.vertical_m - self.eye.y,
                low[1] + width_m + reach,
            ),
        );
        let Some(crossed) = crossed else { return };
        let distance_squared = squared(nearest) + self.eye.y * self.eye.y;
        if level > 0 && distance_squared < self.levels.range_m(level - 1).powi(2) {
            // The quadrant nearest to the eye comes first.
            let first = low.map(|low| i64::from(low + 0.5 * width_m < 0.0));
            for [x, z] in [[0, 0], [1, 0], [0, 1], [1, 1]] {
                let child = [2 * index[0] + (first[0] ^ x), 2 * index[1] + (first[1] ^ z)];
                self.visit(child, level - 1, crossed);
            }
        } else {
            self.tiles.push(Tile {
                corner: std::array::from_fn(|axis| {
                    (index[axis] * cells - self.anchor_lattice[axis]) as f32
                }),
                spacing: spacing as f32,
                range_m: self.levels.range_m(level) as f32,
            });
        }
    }
}

/// Returns those of the planes `crossed` that a box crosses, by its corners farthest along each normal,
/// or nothing where it lies outside of one.
fn crossings(
    frustum: &[(DVec3, f64); 5],
    mut crossed: [bool; 5],
    low: DVec3,
    high: DVec3,
) -> Option<[bool; 5]> {
    for ((normal, offset), crosses) in frustum.iter().zip(&mut crossed) {
        if *crosses {
            let positive = normal.cmpge(DVec3::ZERO);
            if normal.dot(DVec3::select(positive, high, low)) + offset < 0.0 {
                return None;
            }
            *crosses = normal.dot(DVec3::select(positive, low, high)) + offset < 0.0;
        }
    }
    Some(crossed)
}
