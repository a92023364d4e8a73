//! The frame of Mota's ocean (2022, section 6.4): the transforms, and one mesh of the sea with plain light.

use crate::gpu::{TextureSpec, Uniform, bindings, color_attachment, filled};
use crate::maps;
use crate::mesh::View;
use crate::profile::Recorder;
use crate::settings::Preset;
use crate::{Ocean, OceanOptions};
use anyhow::ensure;

use crate::cli::device::Gpu;
use crate::cli::scene;

const SHADER: &str = include_str!("plain_mesh.wgsl");

/// The distance between vertices.
const SPACING_M: f32 = 0.5;

/// The cells in a row before the next row's: a GPU still has the vertices that both share.
const BAND: u32 = 16;

const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// An ocean whose surface is drawn as one mesh around the eye.
pub struct PlainMesh {
    ocean: Ocean,
    pipeline: wgpu::RenderPipeline,
    view: bindings::Group,
    indices: wgpu::Buffer,
    color: wgpu::TextureView,
    depth: wgpu::TextureView,
}

impl PlainMesh {
    /// A mesh of `side` x `side` vertices, seen from the camera of `scene`.
    pub fn new(
        gpu: &Gpu,
        scene: &Preset,
        ocean: OceanOptions,
        resolution: [u32; 2],
        side: u32,
    ) -> anyhow::Result<Self> {
        let most = gpu.context.capabilities.max_texture_dimension_2d;
        ensure!(
            resolution.iter().all(|side| *side <= most),
            "--resolution is at most {most}x{most}"
        );
        let (device, queue) = (&gpu.context.device, &gpu.context.queue);
        let ocean = Ocean::new(device, queue, &scene.sea, ocean).map_err(scene::with_cure)?;
        let view = View::new(&scene.camera, resolution);
        let eye_m = view.position_m.as_vec3();
        let uniform = Uniform::<[[f32; 4]; 5]>::new(device, "PlainMesh::view");
        let [x, y, z, w] = view.clip_from_relative.to_cols_array_2d();
        uniform.write(queue, &[x, y, z, w, [eye_m.x, eye_m.y, eye_m.z, SPACING_M]]);
        let stages = wgpu::ShaderStages::VERTEX_FRAGMENT;
        let view =
            bindings::bind(device, "PlainMesh::view", stages, &[(bindings::uniform(), &uniform)]);
        let layouts = [Some(&*view.layout), Some(ocean.maps().bind_group_layout())];
        let pipeline = pipeline(device, &layouts, side);
        let contents = indices(side);
        let usage = wgpu::BufferUsages::INDEX;
        let target =
            |label, format| TextureSpec::target(label, resolution, format).create_view(device);
        let mesh = Self {
            indices: filled(device, "PlainMesh::indices", usage, bytemuck::cast_slice(&contents)),
            ocean,
            pipeline,
            view,
            color: target("PlainMesh::color", COLOR),
            depth: target("PlainMesh::depth", DEPTH),
        };
        gpu.check()?;
        Ok(mesh)
    }

    /// Records the ocean's step at `time_s` and the mesh.
    pub fn record(&self, recorder: &mut Recorder<'_>, time_s: f64) {
        self.ocean.record(recorder, time_s);
        let depth_ops =
            wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Discard };
        let sky = wgpu::Color { r: 0.4, g: 0.5, b: 0.6, a: 1.0 };
        let descriptor = wgpu::RenderPassDescriptor {
            label: Some("mesh"),
            color_attachments: &[Some(color_attachment(&self.color, wgpu::LoadOp::Clear(sky)))],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(depth_ops),
                stencil_ops: None,
            }),
            ..Default::default()
        };
        recorder.render(&descriptor, |pass| {
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.view.bind_group, &[]);
            pass.set_bind_group(1, self.ocean.maps().bind_group(), &[]);
            pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..(self.indices.size() / 4) as u32, 0, 0..1);
        });
    }
}

/// Two triangles for each cell of a mesh of `side` x `side` vertices, row by row.
fn indices(side: u32) -> Vec<u32> {
    let cells = side - 1;
    let mut indices = Vec::with_capacity(6 * (cells * cells) as usize);
    for first in (0..cells).step_by(BAND as usize) {
        for z in 0..cells {
            for x in first..(first + BAND).min(cells) {
                let at = z * side + x;
                indices.extend([at, at + 1, at + side, at + side, at + 1, at + side + 1]);
            }
        }
    }
    indices
}

fn shader(side: u32) -> String {
    format!("{}\nconst SIDE: u32 = {side}u;\n{SHADER}", maps::sample_wgsl(1))
}

fn pipeline(
    device: &wgpu::Device,
    layouts: &[Option<&wgpu::BindGroupLayout>],
    side: u32,
) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("PlainMesh"),
        source: wgpu::ShaderSource::Wgsl(shader(side).into()),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("PlainMesh"),
        bind_group_layouts: layouts,
        immediate_size: 0,
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("PlainMesh"),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("place"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        // Depth is reversed, as in `View`.
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Greater),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("light"),
            compilation_options: Default::default(),
            targets: &[Some(COLOR.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_cell_has_two_triangles() {
        for side in [2, 17, 40] {
            let indices = indices(side);
            let cells: HashSet<_> = indices.chunks(6).map(|cell| cell[0]).collect();
            assert_eq!(cells.len(), ((side - 1) * (side - 1)) as usize);
            assert_eq!(indices.len(), 6 * cells.len());
            assert_eq!(indices.iter().max(), Some(&(side * side - 1)));
        }
    }

    #[test]
    fn the_shader_is_valid() {
        crate::gpu::assert_valid(vec![("plain mesh".to_owned(), shader(8))]);
    }
}
