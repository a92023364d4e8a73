//! A test utility that runs a compute shader over an array.

use seaway_core::testing::shared_context;

use super::{bindings, filled};

const MAIN: &str = "
    @group(0) @binding(0) var<storage, read_write> cases: array<Case>;
    @compute @workgroup_size(64)
    fn main(@builtin(global_invocation_id) id: vec3<u32>) {
        if id.x < arrayLength(&cases) { update(id.x); }
    }";

/// Calls `update(i)` of `wgsl` for each index of `cases`, an array of the WGSL's `Case` that holds
/// `values`, and returns the array.
pub fn run_in_place<T: bytemuck::Pod>(label: &str, wgsl: &str, values: &[T]) -> Vec<T> {
    let context = shared_context();
    let device = &context.device;
    let wgsl = crate::gpu::shader::LIBRARY
        .resolve_text(label, &format!("{wgsl}\n{MAIN}"))
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
