//! The ocean in a program of your own: on your device, in your command encoder, sampled by your
//! shader. Prints the surface at one point.

use seaway::settings::SeaState;
use seaway::{Ocean, OceanOptions, SAMPLE_OCEAN_WGSL, gpu};

const SHADER: &str = "
    @group(0) @binding(0) var<storage, read_write> result: array<vec4<f32>, 2>;
    @compute @workgroup_size(1) fn main() {
        let position = vec2(12.0, 34.0); // x, z in metres of the water at rest
        let surface = ocean_surface(position, vec2(0.1, 0.0), vec2(0.0, 0.1)); // over 10 cm
        result[0] = vec4(ocean_displacement(position, 0.1), ocean_foam(surface));
        result[1] = vec4(ocean_normal(surface), ocean_jacobian(surface));
    }";

async fn run() -> Result<(), Box<dyn std::error::Error>> {
    let options = OceanOptions { size: 128, ..Default::default() };
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = instance.request_adapter(&Default::default()).await?;
    let (device, queue) = adapter
        .request_device(&wgpu::DeviceDescriptor {
            required_features: Ocean::required_features(&options),
            required_limits: Ocean::required_limits(&options)?,
            ..Default::default()
        })
        .await?;

    let ocean = Ocean::new(&device, &queue, &SeaState::default(), options)?;

    // Your own pipeline: the ocean's maps are bind group 1 of any shader that samples them.
    let (layout, bind_group, result) = result_buffer(&device);
    let wgsl = format!("{SAMPLE_OCEAN_WGSL}{SHADER}");
    let layouts = [&layout, ocean.maps().bind_group_layout()].map(Some);
    let probe = gpu::compute_kernel(&device, "probe", &wgsl, "main", &layouts);

    let mut encoder = device.create_command_encoder(&Default::default());
    ocean.encode(&mut encoder, 42.0);
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pass.set_pipeline(&probe.pipeline);
    pass.set_bind_group(0, &bind_group, &[]);
    pass.set_bind_group(1, ocean.maps().bind_group(), &[]);
    pass.dispatch_workgroups(1, 1, 1);
    drop(pass);
    queue.submit([encoder.finish()]);

    let bytes = gpu::read_buffer(&device, &queue, &result).await?;
    let [dx, height, dz, foam, nx, ny, nz, jacobian]: [f32; 8] =
        bytemuck::pod_read_unaligned(&bytes);
    println!("height   {height:.3} m, moved by ({dx:.3}, {dz:.3}) m");
    println!("normal   ({nx:.3}, {ny:.3}, {nz:.3})");
    println!("foam     {foam:.3} (Jacobian {jacobian:.3})");
    Ok(())
}

/// A buffer for the shader's answer, bound at group 0.
fn result_buffer(device: &wgpu::Device) -> (wgpu::BindGroupLayout, wgpu::BindGroup, wgpu::Buffer) {
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("result"),
        size: 32,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("result"),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: false },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        }],
    });
    let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("result"),
        layout: &layout,
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
    });
    (layout, bind_group, buffer)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    pollster::block_on(run())
}
