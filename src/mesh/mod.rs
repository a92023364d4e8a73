//! The sea's grid: the camera ([`View`]), the selection of tiles ([`Grid`]), their density ([`Levels`]),
//! and their buffers ([`Mesh`]). A compute pass places their vertices on the waves, once a frame
//! (`shading/displace.wgsl`, with [`Mesh::placing_group`] as its group 0), and every pipeline that draws
//! them has [`Mesh::group`] as its group 0.

mod grid;
mod levels;
#[cfg(test)]
mod tests;
mod view;

pub use grid::{EARTH_RADIUS_M, Grid, SeaBounds, Tile};
pub use levels::Levels;
pub use view::{View, ViewUniform};

use crate::gpu::{Allocations, Capabilities, Limit, Uniform, bindings, filled, wgsl_struct};

/// The most tiles: more than any view selects (a test sweeps heights and directions).
pub const MAX_TILES: usize = 16_384;

/// The most bytes of displaced vertices in a frame: the guaranteed size of a binding in WebGPU.
const MOST_VERTEX_BYTES: u64 = 128 << 20;

wgsl_struct! {
    /// The layout of `DisplacedVertex` in `mesh/displaced.wgsl`.
    pub(crate) struct DisplacedVertex {
        pub(crate) relative: [f32; 3],
        pub(crate) gathered_and_crest: u32,
    }
}

wgsl_struct! {
    /// The layout of `MeshUniform` in `mesh/grid.wgsl`.
    pub(crate) struct MeshUniform {
        pub(crate) eye_m: [f32; 3],
        pub(crate) finest_spacing_m: f32,
        pub(crate) tile_cells: u32,
        pub(crate) fade_start_m: f32,
        pub(crate) fade_end_m: f32,
        pub(crate) eye_vertex: u32,
    }
}

/// The grid's buffers, and the tiles of the current frame.
#[derive(Debug)]
pub struct Mesh {
    device: wgpu::Device,
    grid: Grid,
    /// The grid of the current frame, which is coarser where the vertices would not fit.
    drawn: Grid,
    tiles: Vec<Tile>,
    /// The most tiles whose vertices fit.
    most_tiles: usize,
    tile_buffer: wgpu::Buffer,
    index_buffer: wgpu::Buffer,
    index_count: u32,
    view_uniform: Uniform<ViewUniform>,
    mesh_uniform: Uniform<MeshUniform>,
    displaced: wgpu::Buffer,
    /// The previous buffer, which commands may still use that are not submitted yet.
    replaced: Option<wgpu::Buffer>,
    group: bindings::Group,
    placing_group: bindings::Group,
}

impl Mesh {
    /// Creates the buffers for `grid`.
    pub fn new(device: &wgpu::Device, grid: Grid) -> Self {
        let indices = tile_indices(grid.tile_cells);
        let index_buffer = filled(
            device,
            "Mesh::index_buffer",
            wgpu::BufferUsages::INDEX,
            bytemuck::cast_slice(&indices),
        );
        let tile_buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Mesh::tile_buffer"),
            size: (MAX_TILES * size_of::<Tile>()) as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let tile_bytes = u64::from(grid.tile_vertices()) * size_of::<DisplacedVertex>() as u64;
        let bytes = Limit::StorageBinding.of(&Capabilities::of(device)).min(MOST_VERTEX_BYTES);
        let view_uniform = Uniform::new(device, "Mesh::view_uniform");
        let mesh_uniform = Uniform::new(device, "Mesh::mesh_uniform");
        let displaced = displaced_buffer(device, FIRST_TILES * tile_bytes + VERTEX_BYTES);
        let [group, placing_group] =
            groups(device, &view_uniform, &mesh_uniform, &displaced, &tile_buffer);
        Self {
            device: device.clone(),
            grid,
            drawn: grid,
            tiles: Vec::with_capacity(MAX_TILES),
            most_tiles: most_tiles(grid, bytes - VERTEX_BYTES),
            tile_buffer,
            index_buffer,
            index_count: indices.len() as u32,
            view_uniform,
            mesh_uniform,
            displaced,
            replaced: None,
            group,
            placing_group,
        }
    }

    /// The grid that the buffers were made for.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The grid of the tiles that [`Mesh::select`] chose. It is coarser than [`Mesh::grid`] where its
    /// vertices would have been too many.
    pub fn drawn_grid(&self) -> Grid {
        self.drawn
    }

    /// Chooses the tiles of a frame, from a coarser grid where their vertices would take more than 128
    /// MiB. It does not allocate.
    pub fn select(&mut self, view: &View, bounds: SeaBounds) {
        self.drawn = self.grid;
        self.drawn.select(view, bounds, &mut self.tiles);
        while self.tiles.len() > self.most_tiles && self.drawn.cell_pixels < COARSEST_CELL_PIXELS {
            self.drawn.cell_pixels *= 1.25;
            self.drawn.select(view, bounds, &mut self.tiles);
        }
        self.tiles.truncate(self.most_tiles);
    }

    /// The tiles that [`Mesh::select`] chose.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// The number of vertices that [`Mesh::place`] places.
    pub fn vertex_count(&self) -> u64 {
        self.tiles.len() as u64 * u64::from(self.grid.tile_vertices())
    }

    /// Sends the selected tiles and the view to the GPU. It allocates where there are more tiles than
    /// ever before.
    pub fn upload(&mut self, queue: &wgpu::Queue, view: &View, bounds: SeaBounds) {
        let anchor = self.grid.anchor_m(view.position_m);
        let [fade_start_m, fade_end_m] = bounds.fade_m(view.pixel_angle_rad);
        self.mesh_uniform.write(
            queue,
            &MeshUniform {
                eye_m: [
                    (view.position_m.x - anchor[0]) as f32,
                    view.position_m.y as f32,
                    (view.position_m.z - anchor[1]) as f32,
                ],
                finest_spacing_m: self.grid.finest_spacing_m as f32,
                tile_cells: self.grid.tile_cells,
                fade_start_m: fade_start_m as f32,
                fade_end_m: fade_end_m as f32,
                eye_vertex: if bounds.may_cover(view.position_m.y) {
                    self.vertex_count() as u32
                } else {
                    u32::MAX
                },
            },
        );
        self.view_uniform.write(queue, &view.uniform());
        queue.write_buffer(&self.tile_buffer, 0, bytemuck::cast_slice(&self.tiles));
        if let Some(replaced) = self.replaced.take() {
            replaced.destroy();
        }
        let needed = (self.vertex_count() + 1) * VERTEX_BYTES;
        if needed > self.displaced.size() {
            let tile_bytes = u64::from(self.grid.tile_vertices()) * VERTEX_BYTES;
            let tiles = self.tiles.len().next_power_of_two().min(self.most_tiles) as u64;
            let Self { device, view_uniform, mesh_uniform, tile_buffer, .. } = self;
            let displaced = displaced_buffer(device, tiles * tile_bytes + VERTEX_BYTES);
            [self.group, self.placing_group] =
                groups(device, view_uniform, mesh_uniform, &displaced, tile_buffer);
            self.replaced = Some(std::mem::replace(&mut self.displaced, displaced));
        }
    }

    /// Group 0 of passes that draw: view and mesh uniforms, and the displaced vertices, for the vertex
    /// stage. [`Mesh::upload`] may replace it.
    pub fn group(&self) -> &bindings::Group {
        &self.group
    }

    /// Group 0 of the pass that places the vertices: the same with writable vertices, and the tiles.
    pub fn placing_group(&self) -> &bindings::Group {
        &self.placing_group
    }

    /// Group 0 of passes after the tiles were drawn: read-only uniforms, displaced vertices and tiles,
    /// and then `more`.
    pub(crate) fn surface_group(
        &self,
        stages: wgpu::ShaderStages,
        more: &[bindings::Binding<'_>],
    ) -> bindings::Group {
        let own: [bindings::Binding<'_>; 4] = [
            (bindings::uniform(), &self.view_uniform),
            (bindings::uniform(), &self.mesh_uniform),
            (bindings::storage_read(), &self.displaced),
            (bindings::storage_read(), &self.tile_buffer),
        ];
        let bindings = [&own, more].concat();
        bindings::bind(&self.device, "Mesh::surface_group", stages, &bindings)
    }

    /// The displaced vertices, in another buffer after a [`Mesh::upload`] that needed a larger one.
    pub(crate) fn displaced(&self) -> &wgpu::Buffer {
        &self.displaced
    }

    /// Dispatches the kernel that places the vertices of all tiles; pipeline and bind groups are the
    /// caller's.
    pub fn place(&self, pass: &mut wgpu::ComputePass<'_>) {
        let workgroups = self.grid.tile_vertices().div_ceil(PLACING_WORKGROUP);
        pass.dispatch_workgroups(workgroups, self.tiles.len() as u32, 1);
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        (self.view_uniform.allocations::<A>() + self.mesh_uniform.allocations())
            .with_buffer(&self.tile_buffer)
            .with_buffer(&self.index_buffer)
            .with_buffer(&self.displaced)
    }

    /// Draws all tiles with one call; pipeline and bind groups are the caller's.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_index_buffer(self.index_buffer.slice(..), wgpu::IndexFormat::Uint16);
        pass.draw_indexed(0..self.index_count, 0, 0..self.tiles.len() as u32);
    }
}

/// The number of tiles of `grid` whose vertices take no more than `bytes`.
fn most_tiles(grid: Grid, bytes: u64) -> usize {
    let tile_bytes = u64::from(grid.tile_vertices()) * size_of::<DisplacedVertex>() as u64;
    ((bytes / tile_bytes) as usize).min(MAX_TILES)
}

/// The capacity in tiles before the first frame.
pub(crate) const FIRST_TILES: u64 = 64;
const VERTEX_BYTES: u64 = size_of::<DisplacedVertex>() as u64;
/// The largest width of cells in pixels.
const COARSEST_CELL_PIXELS: f64 = 1e4;
const PLACING_WORKGROUP: u32 = 64;

fn displaced_buffer(device: &wgpu::Device, bytes: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("Mesh::displaced"),
        size: bytes,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}

/// The groups of passes that draw the vertices, and of the one that places them.
fn groups(
    device: &wgpu::Device,
    view: &Uniform<ViewUniform>,
    mesh: &Uniform<MeshUniform>,
    displaced: &wgpu::Buffer,
    tiles: &wgpu::Buffer,
) -> [bindings::Group; 2] {
    let shared: [bindings::Binding<'_>; 2] =
        [(bindings::uniform(), view), (bindings::uniform(), mesh)];
    let drawn: [bindings::Binding<'_>; 1] = [(bindings::storage_read(), displaced)];
    let placed: [bindings::Binding<'_>; 2] =
        [(bindings::storage_read_write(), displaced), (bindings::storage_read(), tiles)];
    let bind = |label, visibility, own: &[bindings::Binding<'_>]| {
        bindings::bind(device, label, visibility, &[&shared, own].concat())
    };
    [
        bind("Mesh::group", wgpu::ShaderStages::VERTEX_FRAGMENT, &drawn),
        bind("Mesh::placing_group", wgpu::ShaderStages::COMPUTE, &placed),
    ]
}

/// Two triangles per cell, counter-clockwise seen from above. All diagonals run the same way: a tile
/// that has slid onto the coarser grid has its triangles, too.
fn tile_indices(cells: u32) -> Vec<u16> {
    let row = cells + 1;
    (0..cells * cells)
        .flat_map(|cell| {
            let corner = cell / cells * row + cell % cells;
            let (right, below) = (corner + 1, corner + row);
            [corner, below, below + 1, corner, below + 1, right]
        })
        .map(|index| index as u16)
        .collect()
}

#[cfg(test)]
fn shader_text() -> String {
    crate::gpu::shader::resolve("mesh/grid.wgsl").expect("the shader is embedded")
}
