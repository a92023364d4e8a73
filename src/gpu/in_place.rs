//! A test utility that runs a compute shader over an array.

use super::{Context, bindings, compute_kernel, filled, read_buffer};
use seaway_core::testing::shared_context;

/// Runs `main` of `wgsl`, in workgroups of 64, on `values`: a read-write storage array at binding 0 of
/// group 0.
pub fn run_in_place<T: bytemuck::Pod>(label: &str, wgsl: &str, values: &[T]) -> Vec<T> {
    let Context { device, queue, .. } = shared_context();
    let wgsl = crate::gpu::shader::LIBRARY
        .resolve_text(label, wgsl)
        .unwrap_or_else(|error| panic!("{error}"));
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let buffer = filled(device, label, usage, bytemuck::cast_slice(values));
    let bindings::Group { layout, bind_group: group } = bindings::bind(
        device,
        label,
        wgpu::ShaderStages::COMPUTE,
        &[(bindings::storage_read_write(), &buffer)],
    );
    let kernel = compute_kernel(device, label, &wgsl, "main", &[Some(&layout)]);
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(values.len().div_ceil(64) as u32, 1, 1);
    }
    queue.submit([encoder.finish()]);
    let bytes = pollster::block_on(read_buffer(device, queue, &buffer)).unwrap();
    bytemuck::cast_slice(&bytes).to_vec()
}
