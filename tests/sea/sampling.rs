//! Tests of the maps' contents, read back, or sampled as an embedder's shader samples them.

use half::f16;
use half::slice::HalfFloatSliceExt as _;
use seaway::gpu::{Context, bindings, read_texture};
use seaway::maps::{MapFormat, Maps, sample_wgsl};
use wgpu::util::DeviceExt;

/// Texels of one layer and level of the maps, as `[z][x][channel]`.
pub fn read_level(context: &Context, maps: &Maps, layer: u32, level: u32) -> Vec<[f32; 4]> {
    let bytes = pollster::block_on(read_texture(
        &context.device,
        &context.queue,
        maps.texture(),
        level,
        layer,
    ))
    .unwrap();
    let numbers: Vec<f32> = match maps.descriptor().format {
        MapFormat::F16 => bytemuck::pod_collect_to_vec::<_, f16>(&bytes).to_f32_vec(),
        MapFormat::F32 => bytemuck::pod_collect_to_vec(&bytes),
    };
    numbers.chunks_exact(4).map(|texel| [texel[0], texel[1], texel[2], texel[3]]).collect()
}

/// The place to sample the ocean at.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Footprint {
    pub position_m: [f32; 2],
    pub ddx_m: [f32; 2],
    pub ddy_m: [f32; 2],
    pub spacing_m: f32,
    pub _padding: f32,
}

impl Footprint {
    /// A square of side `side_m`, for both the surface and the mesh.
    pub fn square(position_m: [f32; 2], side_m: f32) -> Self {
        Self {
            position_m,
            ddx_m: [side_m, 0.0],
            ddy_m: [0.0, side_m],
            spacing_m: side_m,
            _padding: 0.0,
        }
    }
}

/// The results of the functions of `maps/sample.wgsl` for a [`Footprint`].
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Sampled {
    pub displacement: [f32; 3],
    pub jacobian: f32,
    pub normal: [f32; 3],
    pub foam: f32,
    pub slope: [f32; 2],
    pub dxx: f32,
    pub dzz: f32,
    pub lost: [f32; 3],
    pub dxz: f32,
    pub lost_divergence: f32,
    pub _padding: [f32; 3],
}

/// Samples `maps` in a compute shader.
pub fn sample(context: &Context, maps: &Maps, footprints: &[Footprint]) -> Vec<Sampled> {
    const BODY: &str = "
        struct Footprint {
            position: vec2<f32>, ddx: vec2<f32>, ddy: vec2<f32>, spacing: f32,
        }
        struct Sampled {
            displacement: vec3<f32>, jacobian: f32, normal: vec3<f32>, foam: f32,
            slope: vec2<f32>, dxx: f32, dzz: f32, lost: vec3<f32>, dxz: f32,
            lost_divergence: f32,
        }
        @group(0) @binding(0) var<storage, read> footprints: array<Footprint>;
        @group(0) @binding(1) var<storage, read_write> sampled: array<Sampled>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            if id.x >= arrayLength(&footprints) { return; }
            let at = footprints[id.x];
            let s = ocean_surface(at.position, at.ddx, at.ddy);
            sampled[id.x] = Sampled(
                ocean_displacement(at.position, at.spacing), ocean_jacobian(s), ocean_normal(s),
                ocean_foam(s), s.slope, s.dxx, s.dzz, s.lost, s.dxz,
                s.lost_divergence);
        }";
    let device = &context.device;
    let input = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: None,
        contents: bytemuck::cast_slice(footprints),
        usage: wgpu::BufferUsages::STORAGE,
    });
    let output = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: size_of::<Sampled>() as u64 * footprints.len() as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    let points = bindings::bind(
        device,
        "tests::points",
        wgpu::ShaderStages::COMPUTE,
        &[(bindings::storage_read(), &input), (bindings::storage_read_write(), &output)],
    );
    let groups = [
        Some((&*points.layout, &points.bind_group)),
        Some((maps.bind_group_layout(), maps.bind_group())),
    ];
    let workgroups = [(footprints.len() as u32).div_ceil(64), 1];
    context.run(&(sample_wgsl(1) + BODY), "main", &groups, workgroups);
    context.read(&output)
}

/// A buffer that holds `fields`.
pub fn fields_buffer(context: &Context, fields: &[[f32; 4]]) -> wgpu::Buffer {
    context.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("tests::fields"),
        contents: bytemuck::cast_slice(fields),
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
    })
}
