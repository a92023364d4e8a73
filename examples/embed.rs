//! The ocean in a program of your own: on your device, in your command encoder, sampled by your
//! shader. Prints the surface at one point, and checks its height against the sum of all waves there.
//!
//!     cargo run --example embed

use seaway::settings::SeaState;
use seaway::{Ocean, OceanOptions, gpu, maps, spectrum};

const POSITION_M: [f64; 2] = [12.0, 34.0];
const TIME_S: f64 = 42.0;

const SHADER: &str = "
    @group(0) @binding(0) var<storage, read_write> result: array<vec4<f32>, 2>;
    @compute @workgroup_size(1) fn main() {
        let position = vec2(12.0, 34.0); // x, z in metres of the water at rest
        let surface = ocean_surface(position, vec2(0.1, 0.0), vec2(0.0, 0.1)); // over 10 cm
        result[0] = vec4(ocean_displacement(position, 0.1), ocean_foam(surface));
        result[1] = vec4(ocean_normal(surface), ocean_jacobian(surface));
    }";

async fn run() -> Result<(), Box<dyn std::error::Error>> {
    // One patch and not several blended, so that the sea is the sum of its waves anywhere.
    let options = OceanOptions { size: 128, blended_cascades: 0, ..Default::default() };
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
    let wgsl = maps::sample_wgsl(1) + SHADER;
    let layouts = [&layout, ocean.maps().bind_group_layout()].map(Some);
    let probe = gpu::compute_kernel(&device, "probe", &wgsl, "main", &layouts);

    let mut encoder = device.create_command_encoder(&Default::default());
    ocean.encode(&mut encoder, TIME_S);
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

    let expected = sum_of_waves_m(ocean.spectrum());
    let wave_height_m = ocean.spectrum().significant_wave_height_m();
    println!("expected {expected:.3} m, in a sea of {wave_height_m:.1} m");
    let is_unit = (nx * nx + ny * ny + nz * nz - 1.0).abs() < 1e-3 && ny > 0.0;
    if !is_unit || !(0.0..=1.0).contains(&foam) || !dx.is_finite() || !dz.is_finite() {
        return Err("that is no surface".into());
    }
    // Sampling blurs the shortest waves, which hardly have height.
    if (f64::from(height) - expected).abs() > 0.02 * wave_height_m {
        return Err("the height is not that of the waves".into());
    }
    Ok(())
}

/// The height at the same place and time without a GPU: every wave by itself, in double precision.
fn sum_of_waves_m(initial: &spectrum::InitialSpectrum) -> f64 {
    let size = initial.size as usize;
    // [cascade][s][z][x]; the third and fourth number of s = 0 are the spectrum of height.
    let evolved = spectrum::cpu::evolve(initial, TIME_S);
    let layers = evolved.chunks_exact(size * size).step_by(2);
    // Indices past the middle are negative.
    let signed = |index: usize| index as i32 - if index < size / 2 { 0 } else { size as i32 };
    let mut height_m = 0.0;
    for (cascade, layer) in initial.cascades.iter().zip(layers) {
        for (index, [_, _, re, im]) in layer.iter().enumerate() {
            let [kx, kz] = cascade.wave_vector([index % size, index / size].map(signed));
            let (sin, cos) = (kx * POSITION_M[0] + kz * POSITION_M[1]).sin_cos();
            height_m += re * cos - im * sin;
        }
    }
    height_m
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

#[test]
fn the_height_is_that_of_the_waves() {
    main().unwrap();
}
