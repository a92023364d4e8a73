//! A test utility that runs a compute shader over an array.

use super::{bindings, filled};
use seaway_core::testing::shared_context;

/// Runs `main` of `wgsl`, in workgroups of 64, on `values`: a read-write storage array at binding 0 of
/// group 0.
pub fn run_in_place<T: bytemuck::Pod>(label: &str, wgsl: &str, values: &[T]) -> Vec<T> {
    let context = shared_context();
    let device = &context.device;
    let wgsl = crate::gpu::shader::LIBRARY
        .resolve_text(label, wgsl)
        .unwrap_or_else(|error| panic!("{error}"));
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let buffer = filled(device, label, usage, bytemuck::cast_slice(values));
    let bindings::Group { layout, bind_group } = bindings::bind(
        device,
        label,
        wgpu::ShaderStages::COMPUTE,
        &[(bindings::storage_read_write(), &buffer)],
    );
    let workgroups = [values.len().div_ceil(64) as u32, 1];
    context.run(&wgsl, "main", &[Some((&layout, &bind_group))], workgroups);
    context.read(&buffer)
}
