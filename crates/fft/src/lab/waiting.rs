//! How many workgroups of a dispatch can wait for each other: measured, because no API reports it.

use crate::gpu::{self, Capabilities, ReadbackError, bindings};
use crate::program::{WAITING_BYTES, WAITING_INVOCATIONS};

/// Every power of two up to this number of workgroups is tried.
const MOST_LOG2: u32 = 10;

/// How often each number is tried.
const TIMES: u32 = 3;

/// The bytes for the arrivals of one layer, as in `wait_for_layer.wgsl`: their number, and the mark.
const ARRIVAL_BYTES: u64 = 128;

/// The turns after which workgroups no longer wait: few, so that a try in vain takes little time.
const TURNS: u32 = 128;

/// Runs dispatches of more and more workgroups that wait for each other, and returns the largest number that
/// did not wait in vain, for [`Capabilities::waiting_workgroups`]: at least 1, at most 1024, or 0 on a
/// software adapter and on a device without [`Capabilities::coherent_storage`], where nothing runs. On an
/// H200 it took 30 to 50 ms at first, and 14 to 19 ms after that, with the kernel compiled each time.
///
/// Those workgroups have twice as many invocations as the ones that they stand for, which may then need
/// twice as many registers.
///
/// # Errors
/// [`ReadbackError`] if the device does not answer.
pub async fn waiting_workgroups(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
) -> Result<u32, ReadbackError> {
    let capabilities = Capabilities::of(device);
    let size = 2 * WAITING_INVOCATIONS;
    if !capabilities.coherent_storage
        || capabilities.max_workgroup_invocations < size
        || device.adapter_info().device_type == wgpu::DeviceType::Cpu
    {
        return Ok(0);
    }
    let arrivals = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("fft::waiting"),
        size: ARRIVAL_BYTES * u64::from(MOST_LOG2 + 1),
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    let entry = bindings::entry(0, wgpu::ShaderStages::COMPUTE, bindings::storage_read_write());
    let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("fft::waiting"),
        entries: &[entry],
    });
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("fft::waiting"),
        layout: &layout,
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: arrivals.as_entire_binding() }],
    });
    // The rest is for the kernel's own variables.
    let words = (WAITING_BYTES.min(capabilities.max_workgroup_storage_bytes) - 16) / 4;
    let wgsl = wgsl(size, words);
    let kernel = gpu::compute_kernel(device, "fft::waiting", &wgsl, "main", &[Some(&layout)]);
    let mut encoder = device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pass.set_pipeline(&kernel.pipeline);
    pass.set_bind_group(0, &group, &[]);
    for log2 in 0..=MOST_LOG2 {
        (0..TIMES).for_each(|_| pass.dispatch_workgroups(1 << log2, 1, 1));
    }
    drop(pass);
    queue.submit([encoder.finish()]);
    let bytes = gpu::read_buffer(device, queue, &arrivals).await?;
    let tries = bytes.chunks(ARRIVAL_BYTES as usize);
    let seen = tries.take_while(|layer| layer[4..8] == [0; 4]).count();
    Ok(1 << seen.saturating_sub(1))
}

/// The kernel, whose arrivals of each number of workgroups have a layer of their own.
fn wgsl(size: u32, words: u32) -> String {
    let body = format!(
        "const TURNS: u32 = {TURNS}u;
#import \"fft/wait_for_layer.wgsl\"

var<workgroup> memory: array<u32, {words}>;

@compute @workgroup_size({size})
fn main(
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {{
    memory[invocation] = workgroups.x;
    if (has_layer_arrived(firstTrailingBit(workgroups.x), workgroups.x, invocation)
        && memory[invocation ^ 1u] != workgroups.x) {{
        atomicStore(&arrivals[1], memory[workgroups.x % {words}u]);
    }}
}}
"
    );
    let composed = crate::SHADERS.resolve_text("fft::waiting", &body);
    composed.expect("the files of shaders/fft are part of the library")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_that_waits_is_valid() {
        seaway_core::testing::assert_valid([("waiting".to_owned(), wgsl(512, 4000))]);
    }
}
