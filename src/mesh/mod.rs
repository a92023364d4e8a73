//! The sea's grid: what the camera sees ([`View`]), which tiles of it are drawn ([`Grid`]), how
//! dense they are ([`Levels`]), and their buffers ([`Mesh`]). Tiles are placed in the vertex stage by `mesh/grid.wgsl`; a pipeline
//! that draws them has [`Mesh::group`] as its group 0.

mod grid;
mod levels;
#[cfg(test)]
mod tests;
mod view;

pub use grid::{EARTH_RADIUS_M, Grid, SeaBounds, Tile};
pub use levels::Levels;
pub use view::{View, ViewUniform};

use crate::gpu::{Holdings, Uniform, bindings, filled, wgsl_struct};

/// More tiles than any view selects (a test sweeps heights and directions).
pub const MAX_TILES: usize = 16_384;

wgsl_struct! {
    /// `MeshUniform` of `mesh/grid.wgsl`.
    pub(crate) struct MeshUniform {
        pub(crate) eye_m: [f32; 3],
        pub(crate) finest_spacing_m: f32,
        pub(crate) tile_cells: u32,
        pub(crate) fade_start_m: f32,
        pub(crate) fade_end_m: f32,
        pub(crate) _pad_end: f32,
    }
}

/// The grid's buffers, and the tiles of the current frame.
#[derive(Debug)]
pub struct Mesh {
    grid: Grid,
    tiles: Vec<Tile>,
    tile_buffer: wgpu::Buffer,
    index_buffer: wgpu::Buffer,
    index_count: u32,
    view_uniform: Uniform<ViewUniform>,
    mesh_uniform: Uniform<MeshUniform>,
    group: bindings::Group,
}

impl Mesh {
    /// Buffers for `grid`.
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
            usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let view_uniform = Uniform::new(device, "Mesh::view_uniform");
        let mesh_uniform = Uniform::new(device, "Mesh::mesh_uniform");
        let group = bindings::bind(
            device,
            "Mesh::bind_group",
            wgpu::ShaderStages::VERTEX_FRAGMENT,
            &[(bindings::uniform(), &view_uniform), (bindings::uniform(), &mesh_uniform)],
        );
        Self {
            grid,
            tiles: Vec::with_capacity(MAX_TILES),
            tile_buffer,
            index_buffer,
            index_count: indices.len() as u32,
            view_uniform,
            mesh_uniform,
            group,
        }
    }

    /// The grid that the buffers were made for.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Chooses the tiles of a frame. Allocates nothing.
    pub fn select(&mut self, view: &View, bounds: SeaBounds) {
        self.grid.select(view, bounds, &mut self.tiles);
        self.tiles.truncate(MAX_TILES);
    }

    /// The tiles that [`Mesh::select`] chose.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// Vertices that [`Mesh::draw`] has the GPU place.
    pub fn vertex_count(&self) -> u64 {
        self.tiles.len() as u64 * u64::from(self.grid.tile_vertices())
    }

    /// Sends the selected tiles and the view to the GPU.
    pub fn upload(&self, queue: &wgpu::Queue, view: &View, bounds: SeaBounds) {
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
                _pad_end: 0.0,
            },
        );
        self.view_uniform.write(queue, &view.uniform());
        queue.write_buffer(&self.tile_buffer, 0, bytemuck::cast_slice(&self.tiles));
    }

    /// Group 0: view and mesh uniforms, for vertex and fragment stage.
    pub fn group(&self) -> &bindings::Group {
        &self.group
    }

    /// The vertex buffer of a pipeline that draws tiles: one [`Tile`] per instance at location 0.
    pub fn vertex_layout() -> wgpu::VertexBufferLayout<'static> {
        const ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x4];
        wgpu::VertexBufferLayout {
            array_stride: size_of::<Tile>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &ATTRIBUTES,
        }
    }

    /// What the grid's buffers take.
    pub(crate) fn holdings<H: Holdings>(&self) -> H {
        (self.view_uniform.holdings::<H>() + self.mesh_uniform.holdings())
            .with_buffer(&self.tile_buffer)
            .with_buffer(&self.index_buffer)
    }

    /// Draws all tiles with one call; pipeline and bind groups are the caller's.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_vertex_buffer(0, self.tile_buffer.slice(..));
        pass.set_index_buffer(self.index_buffer.slice(..), wgpu::IndexFormat::Uint16);
        pass.draw_indexed(0..self.index_count, 0, 0..self.tiles.len() as u32);
    }
}

/// Two triangles per cell, counter-clockwise seen from above. All diagonals run the same way, so
/// that a tile that has slid onto the coarser grid has the coarser grid's triangles, too.
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
