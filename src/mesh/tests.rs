use std::collections::{HashMap, HashSet};

use glam::{DVec3, Vec2, Vec3, Vec4};

use super::*;
use crate::choice::Choice;
use crate::settings::{CameraPose, Quality, QualityTier};
use seaway_core::testing::tolerance::{at_most, near};

const SEA: SeaBounds = SeaBounds { horizontal_m: 4.0, vertical_m: 4.0 };

fn quality_grid(quality: &Quality) -> Grid {
    Grid::of(quality)
}

fn panorama(position: [f64; 3]) -> View {
    let [x_m, y_m, z_m] = position;
    let mut view = View::new(&CameraPose { x_m, y_m, z_m, ..CameraPose::default() }, [1920, 1080]);
    view.frustum = [Vec4::new(0.0, 0.0, 0.0, 1.0); 5];
    view
}

fn select(grid: &Grid, view: &View) -> Vec<Tile> {
    let mut tiles = Vec::new();
    grid.select(view, SEA, &mut tiles);
    tiles
}

fn eye_from_anchor(grid: &Grid, view: &View) -> Vec3 {
    let anchor = grid.anchor_m(view.position_m);
    (view.position_m - DVec3::new(anchor[0], 0.0, anchor[1])).as_vec3()
}

const POSITIONS: [[f64; 3]; 5] = [
    [0.0, 2.0, 0.0],
    [123.456, 9.0, -77.7],
    [-8.0e6, 60.0, 3.1e6],
    [1.0e7, 900.0, 1.0e7],
    [5.5, 20_000.0, -4.25],
];

#[test]
fn tiles_cover_the_disc_once() {
    for position in POSITIONS {
        let grid = Grid::new(16, 0.25);
        let view = panorama(position);
        let tiles = select(&grid, &view);
        let eye = eye_from_anchor(&grid, &view);
        let horizon_m = Grid::horizon_m(position[1], SEA);
        for i in 0..2000 {
            // Rings from next to the eye out to the horizon, by the golden angle.
            let radius_m = 0.1 * (horizon_m * 9.99).powf(f64::from(i) / 2000.0);
            let (sin, cos) = (f64::from(i) * 2.399963).sin_cos();
            let point = [f64::from(eye.x) + radius_m * cos, f64::from(eye.z) + radius_m * sin]
                .map(|metres| metres / grid.finest_spacing_m);
            let covering = tiles
                .iter()
                .filter(|tile| {
                    let width = f64::from(tile.spacing) * f64::from(grid.tile_cells);
                    (0..2).all(|axis| {
                        let low = f64::from(tile.corner[axis]);
                        (low..low + width).contains(&point[axis])
                    })
                })
                .count();
            assert_eq!(covering, 1, "at {radius_m} m from {position:?}");
        }
    }
}

/// Every vertex on a tile's edge, once slid, is bit-identical to a vertex of every tile that touches it
/// there, with the same spacing and so the same displacement.
#[test]
fn neighbouring_tiles_leave_no_cracks() {
    const SHAPES: [(u32, f64); 5] =
        [(8, f64::INFINITY), (32, 8.0), (8, 22.0), (16, 10.0), (8, f64::INFINITY)];
    for (position, (cells, cell_pixels)) in POSITIONS.into_iter().zip(SHAPES) {
        let grid = Grid { cell_pixels, ..Grid::new(cells, 0.2) };
        let view = panorama(position);
        let tiles = select(&grid, &view);
        let eye = eye_from_anchor(&grid, &view);
        let key = |(point, spacing): (Vec2, f32)| {
            [point.x.to_bits(), point.y.to_bits(), spacing.to_bits()]
        };
        let row = cells + 1;
        let edge: Vec<u32> = (0..row * row)
            .filter(|index| {
                let (x, z) = (index % row, index / row);
                x == 0 || z == 0 || x == cells || z == cells
            })
            .collect();
        let vertices: Vec<HashSet<[u32; 3]>> = tiles
            .iter()
            .map(|tile| edge.iter().map(|&i| key(grid.vertex(tile, i, eye))).collect())
            .collect();
        // Tiles by the lattice cell of their own size, to find neighbours.
        let mut by_place: HashMap<[i64; 3], usize> = HashMap::new();
        let place = |spacing: i64, point: [i64; 2], anchor: [i64; 2]| {
            let width = spacing * i64::from(cells);
            [
                spacing,
                (point[0] + anchor[0]).div_euclid(width),
                (point[1] + anchor[1]).div_euclid(width),
            ]
        };
        let anchor = grid
            .anchor_m(view.position_m)
            .map(|metres| (metres / grid.finest_spacing_m).round() as i64);
        for (number, tile) in tiles.iter().enumerate() {
            let corner = tile.corner.map(|c| c as i64);
            by_place.insert(place(tile.spacing as i64, corner, anchor), number);
        }
        let mut checked = 0;
        for (number, tile) in tiles.iter().enumerate() {
            for &index in &edge {
                let (point, spacing) = grid.vertex(tile, index, eye);
                // The tiles that touch the vertex before it slides along the edge.
                let cell = [index % row, index / row];
                let lattice: [i64; 2] = std::array::from_fn(|axis| {
                    (tile.corner[axis] + cell[axis] as f32 * tile.spacing) as i64
                });
                for level in 0..30 {
                    let step = 1i64 << level;
                    for nudge in [[-1, -1], [-1, 0], [0, -1], [0, 0]] {
                        let probe = [lattice[0] + nudge[0], lattice[1] + nudge[1]];
                        let Some(&other) = by_place.get(&place(step, probe, anchor)) else {
                            continue;
                        };
                        if other != number {
                            assert!(
                                vertices[other].contains(&key((point, spacing))),
                                "a crack at {point} (spacing {spacing}), seen from {position:?}"
                            );
                            checked += 1;
                        }
                    }
                }
            }
        }
        assert!(checked > 1000, "{checked}");
    }
}

#[test]
fn vertices_have_the_spacing_of_their_distance() {
    let grid = Grid { cell_pixels: 12.0, ..Grid::new(16, 0.25) };
    for position in POSITIONS {
        let view = panorama(position);
        let levels = grid.levels(&view, SEA);
        let eye = eye_from_anchor(&grid, &view);
        for tile in select(&grid, &view) {
            for index in (0..grid.tile_vertices()).step_by(5) {
                let (_, got_m) = grid.vertex(&tile, index, eye);
                let row = grid.tile_cells + 1;
                let cell = Vec2::new((index % row) as f32, (index / row) as f32);
                let at = (Vec2::from(tile.corner) + cell * tile.spacing) * 0.25;
                let expected_m = levels.spacing_m(Vec3::new(at.x, 0.0, at.y).distance(eye).into());
                near(f64::from(got_m) / expected_m, 1.0, 1e-4, "spacing over that of its distance");
            }
        }
    }
}

/// Beyond the finest cells, they have the requested width on the screen: up to twice that where waves
/// are low, and at least half of it.
#[test]
fn cells_have_the_requested_width_in_pixels() {
    let grid = Grid { cell_pixels: 10.0, ..Grid::new(16, 0.02) };
    let sea = SeaBounds { horizontal_m: 10.0, vertical_m: 10.0 };
    for (fov_deg, height) in [(50.0, 1080), (50.0, 720), (80.0, 1440), (40.0, 900)] {
        let pose = CameraPose { fov_deg, ..CameraPose::default() };
        let view = View::new(&pose, [1920, height]);
        let pixel_rad = f64::from(view.pixel_angle_rad);
        let levels = grid.levels(&view, sea);
        let pixels = |distance_m: f64| levels.spacing_m(distance_m) / (distance_m * pixel_rad);
        let (finest_m, low_m) = (levels.range_m(0), 10.0 / (7.0 * pixel_rad));
        let mut widest: f64 = 0.0;
        let mut distance_m = finest_m;
        while distance_m < low_m {
            at_most(pixels(distance_m), 20.1, format_args!("pixels at {distance_m} m"));
            at_most(4.9, pixels(distance_m), format_args!("pixels at {distance_m} m"));
            if distance_m < 0.02 * low_m {
                widest = widest.max(pixels(distance_m));
            }
            distance_m *= 1.01;
        }
        assert!((9.0..10.3).contains(&widest), "{widest} at {fov_deg} deg, {height} pixels");
    }
}

/// The largest count over all directions, and seas from a breeze to a storm.
fn most_vertices(grid: &Grid, y_m: f64, pitches_deg: &[f64]) -> u64 {
    let seas = [1.1, 5.2, 8.7].map(|hs_m| SeaBounds::from_wave_height(hs_m, 1.0));
    let mut tiles = Vec::new();
    let mut most = 0;
    for bounds in seas {
        for &pitch_deg in pitches_deg {
            let pose = CameraPose { y_m, pitch_deg, ..CameraPose::default() };
            grid.select(&View::new(&pose, [1920, 1080]), bounds, &mut tiles);
            most = most.max(tiles.len() as u64 * u64::from(grid.tile_vertices()));
        }
    }
    most
}

#[test]
fn tiers_draw_as_many_vertices_as_they_say() {
    let all = QualityTier::ALL.iter().map(|tier| {
        let grid = quality_grid(&Quality::of(*tier));
        let heights_m = [0.5, 2.0, 10.0, 30.0, 100.0, 1500.0, 20_000.0];
        let pitches_deg = [-89.0, -60.0, -30.0, -12.0, -5.0];
        let of_heights = heights_m.map(|y_m| most_vertices(&grid, y_m, &pitches_deg));
        println!("{tier}: thousands {:?}", of_heights.map(|count| count / 1000));
        of_heights.into_iter().max().unwrap()
    });
    let [low, medium, high, ultra] = all.collect::<Vec<_>>().try_into().unwrap();
    println!("vertices: low {low}, medium {medium}, high {high}, ultra {ultra}");
    assert!((10_000..50_000).contains(&low), "{low}");
    assert!((50_000..300_000).contains(&medium), "{medium}");
    assert!((400_000..1_000_000).contains(&high), "{high}");
    assert!((1_000_000..=3_000_000).contains(&ultra), "{ultra}");
}

#[test]
fn no_view_selects_more_tiles_than_fit() {
    let mut most = 0;
    let mut tiles = Vec::new();
    for finest_spacing_m in [0.02, 2.0] {
        for y_m in [0.2, 3.0, 40.0, 700.0, 5000.0, 20_000.0] {
            for x_m in [0.0, 3.3, 1234.5] {
                let tiles = select(&Grid::new(4, finest_spacing_m), &panorama([x_m, y_m, 0.7]));
                most = most.max(tiles.len());
            }
        }
    }
    // The finest grids of the settings, in the widest views with the most pixels.
    let poses = [0.4, 3.0, 40.0, 700.0, 20_000.0].into_iter().flat_map(|y_m| {
        [-89.0, -45.0, -20.0, -5.0].map(|pitch_deg| CameraPose {
            y_m,
            yaw_deg: 40.0,
            pitch_deg,
            ..CameraPose::default()
        })
    });
    let pictures =
        [([8192, 4096], 110.0), ([8192, 4096], 50.0), ([3840, 2160], 10.0), ([2048, 8192], 110.0)];
    let seas = [0.1, 5.0, 20.0].map(|hs_m| SeaBounds::from_wave_height(hs_m, 1.3));
    for pose in poses {
        for (resolution, fov_deg) in pictures {
            let view = View::new(&CameraPose { fov_deg, ..pose.clone() }, resolution);
            for (tile_cells, finest_spacing_m) in [(4, 0.005), (24, 0.0125), (8, 0.3)] {
                let grid = Grid { cell_pixels: 2.0, ..Grid::new(tile_cells, finest_spacing_m) };
                for bounds in seas {
                    grid.select(&view, bounds, &mut tiles);
                    most = most.max(tiles.len());
                }
            }
            // The vertices of the coarsest grid with the largest tiles always fit.
            let coarsest = Grid { cell_pixels: COARSEST_CELL_PIXELS, ..Grid::new(64, 0.005) };
            for bounds in seas {
                coarsest.select(&view, bounds, &mut tiles);
                let fit = most_tiles(coarsest, MOST_VERTEX_BYTES);
                assert!(tiles.len() <= fit, "{} tiles, {fit} fit", tiles.len());
            }
        }
    }
    println!("at most {most} tiles");
    assert!(most <= MAX_TILES, "{most}");
}

#[test]
fn tiles_out_of_sight_are_left_out() {
    let grid = Grid::new(16, 0.25);
    let pose = |pitch_deg| CameraPose { pitch_deg, y_m: 30.0, ..CameraPose::default() };
    let everything = select(&grid, &panorama([0.0, 30.0, 0.0])).len();
    let ahead = select(&grid, &View::new(&pose(-5.0), [1600, 900])).len();
    assert!(ahead * 3 < everything, "{ahead} of {everything}");
    assert!(select(&grid, &View::new(&pose(80.0), [1600, 900])).is_empty());
}

#[test]
fn selection_runs_roughly_from_near_to_far() {
    let grid = Grid::new(16, 0.25);
    let tiles = select(&grid, &panorama([3.0, 5.0, 4.0]));
    let spacing_of_first = tiles[0].spacing;
    assert_eq!(spacing_of_first, 1.0);
    assert!(tiles.last().unwrap().spacing > 1000.0);
}

#[test]
fn structs_have_wgsl_layout() {
    crate::gpu::assert_layout::<MeshUniform>(&shader_text());
    let displaced = crate::gpu::shader::resolve("mesh/displaced.wgsl").unwrap();
    crate::gpu::assert_layout::<DisplacedVertex>(&displaced);
}

#[test]
fn the_shader_agrees_with_its_twin() {
    let context = seaway_core::testing::context();
    let device = &context.device;
    let wgsl = crate::gpu::shader::LIBRARY
        .resolve_text(
            "twin",
            "#import \"mesh/grid.wgsl\"
        @group(0) @binding(0) var<storage, read_write> placed: array<vec4<f32>>;
        @group(0) @binding(2) var<storage, read> tiles: array<vec4<f32>>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            let count = (mesh.tile_cells + 1u) * (mesh.tile_cells + 1u);
            if id.x >= arrayLength(&tiles) * count { return; }
            let vertex = grid_vertex(tiles[id.x / count], grid_cell(id.x % count));
            placed[id.x] = vec4(vertex.position, vertex.spacing_m, 0.0);
        }",
        )
        .unwrap();
    let grid = Grid { cell_pixels: 30.0, ..Grid::new(8, 0.2) };
    let view = panorama([31.7, 6.0, -2.2]);
    let eye = eye_from_anchor(&grid, &view);
    let tiles = select(&grid, &view);
    let count = tiles.len() as u32 * grid.tile_vertices();

    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let placed = filled(device, "placed", usage, &vec![0; 16 * count as usize]);
    let tile_buffer = filled(device, "tiles", usage, bytemuck::cast_slice(&tiles));
    let mesh = MeshUniform {
        eye_m: eye.to_array(),
        finest_spacing_m: grid.finest_spacing_m as f32,
        tile_cells: grid.tile_cells,
        fade_start_m: 1.0,
        fade_end_m: 2.0,
        eye_vertex: u32::MAX,
    };
    let uniform = Uniform::with(device, "twin", &mesh);
    let bindings::Group { layout, bind_group } = bindings::bind(
        device,
        "twin",
        wgpu::ShaderStages::COMPUTE,
        &[
            (bindings::storage_read_write(), &placed),
            (bindings::uniform(), &uniform),
            (bindings::storage_read(), &tile_buffer),
        ],
    );
    let groups = [Some((&*layout, &bind_group))];
    context.run(&wgsl, "main", &groups, [count.div_ceil(64), 1]);
    let placed: Vec<[f32; 4]> = context.read(&placed);
    for (number, tile) in tiles.iter().enumerate() {
        for index in 0..grid.tile_vertices() {
            let (position, spacing) = grid.vertex(tile, index, eye);
            let found = placed[number * grid.tile_vertices() as usize + index as usize];
            let tolerance = 1e-3 * spacing;
            near(found[0], position.x, tolerance, format_args!("x at {position}"));
            near(found[1], position.y, tolerance, format_args!("z at {position}"));
            near(found[2], spacing, tolerance, format_args!("spacing at {position}"));
        }
    }
}
