//! The ranges of the grid's levels, by the width of cells on the screen.
//!
//! A level is to end where cells of twice its spacing, onto which its vertices have slid by then, reach
//! their largest width: a number of pixels, and more where waves are only a few pixels high, because
//! wide cells leave out nothing visible there. Two things bound its range from below:
//!
//! - `LEAST_TILES` of its tiles' widths. Tiles with many cells can make the grid finer than requested.
//! - Two levels that touch agree on their common edge if the outer one has not begun to slide there.
//!   The inner tile's parent touches the range r, so that the edge lies within r plus the parent's
//!   diagonal 2 sqrt(2) w, w being the inner tile's width. Hence the outer range is at least
//!   (r + 2 sqrt(2) w) / `MORPH_START`; where ranges double, r > 5.66 w.

use std::f64::consts::SQRT_2;

use super::grid::{Grid, MORPH_END, MORPH_START, SeaBounds};
use super::view::View;

const COUNT: usize = 41;

/// The least range of a level in widths of its tiles, more than 4 sqrt(2).
const LEAST_TILES: f64 = 6.0;

/// The largest range of the finest level and of those that double, which bounds the cost of pictures
/// with many pixels.
const MOST_TILES: f64 = 20.0;

/// The height of waves' bounds in pixels at which cells may be twice as wide as nearby.
const LOW_WAVES_PX: f64 = 7.0;

/// The ranges of a grid's levels, in one view of one sea.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    finest_spacing_m: f64,
    ranges_m: [f64; COUNT],
}

impl Levels {
    pub(super) fn new(grid: &Grid, view: &View, bounds: SeaBounds) -> Self {
        let pixel_rad = f64::from(view.pixel_angle_rad);
        let low_waves_m = bounds.vertical_m.max(1e-3) / (LOW_WAVES_PX * pixel_rad);
        let mut ranges_m = [0.0; COUNT];
        let mut least_m: f64 = 0.0;
        for (level, range_m) in ranges_m.iter_mut().enumerate() {
            let spacing_m = grid.finest_spacing_m * (level as f64).exp2();
            let tile_m = f64::from(grid.tile_cells) * spacing_m;
            // At distance d, cells are d (1 + d / low_waves_m) times the angle of those nearby.
            let near_m = 2.0 * spacing_m / (grid.cell_pixels * pixel_rad);
            let wanted_m = 2.0 * near_m / (1.0 + (1.0 + 4.0 * near_m / low_waves_m).sqrt());
            *range_m = (wanted_m / f64::from(MORPH_END))
                .clamp(LEAST_TILES * tile_m, MOST_TILES * tile_m)
                .max(least_m);
            least_m = (*range_m + 2.0 * SQRT_2 * tile_m) / f64::from(MORPH_START);
        }
        Self { finest_spacing_m: grid.finest_spacing_m, ranges_m }
    }

    /// The level whose tiles are as wide as the drawn sea.
    pub(super) fn top(horizon_m: f64, tile_m: f64) -> u32 {
        (horizon_m / tile_m).log2().ceil().clamp(0.0, (COUNT - 1) as f64) as u32
    }

    /// The distance from the eye to which a level is drawn, in metres.
    pub fn range_m(&self, level: u32) -> f64 {
        self.ranges_m[level as usize]
    }

    /// The spacing of the vertices at a distance from the eye, of still water, in three dimensions:
    /// waves that it cannot show are not drawn there. It grows continuously.
    pub fn spacing_m(&self, distance_m: f64) -> f64 {
        let level = self.ranges_m.partition_point(|range_m| *range_m < distance_m).min(COUNT - 1);
        let spacing_m = self.finest_spacing_m * (level as f64).exp2();
        let morph = Grid::morph(distance_m as f32, self.ranges_m[level] as f32);
        spacing_m * (1.0 + f64::from(morph))
    }
}
