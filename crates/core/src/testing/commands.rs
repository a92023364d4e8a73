//! Submitting commands, running kernels and reading results, each in one call.

use wgpu::{BindGroup, BindGroupLayout};

use crate::gpu::{Context, compute_kernel, read_buffer, read_texture};

impl Context {
    /// Submits the commands that `record` records, and returns its result.
    pub fn submit<R>(&self, record: impl FnOnce(&mut wgpu::CommandEncoder) -> R) -> R {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let result = record(&mut encoder);
        self.queue.submit([encoder.finish()]);
        result
    }

    /// Runs `entry_point` of `wgsl` once, in workgroups along x and y. Each group comes with its layout.
    ///
    /// # Panics
    /// Panics where `wgsl` does not compile.
    pub fn run(
        &self,
        wgsl: &str,
        entry_point: &str,
        groups: &[Option<(&BindGroupLayout, &BindGroup)>],
        [x, y]: [u32; 2],
    ) {
        let layouts: Vec<_> = groups.iter().map(|group| group.map(|(layout, _)| layout)).collect();
        let kernel = compute_kernel(&self.device, "test", wgsl, entry_point, &layouts);
        self.submit(|encoder| {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&kernel.pipeline);
            for (index, group) in groups.iter().enumerate() {
                pass.set_bind_group(index as u32, group.map(|(_, group)| group), &[]);
            }
            pass.dispatch_workgroups(x, y, 1);
        });
    }

    /// Reads the whole of `buffer`.
    ///
    /// # Panics
    /// Panics where the device is lost.
    pub fn read<T: bytemuck::Pod>(&self, buffer: &wgpu::Buffer) -> Vec<T> {
        let bytes = pollster::block_on(read_buffer(&self.device, &self.queue, buffer)).unwrap();
        bytemuck::pod_collect_to_vec(&bytes)
    }

    /// Reads the texels, or parts of texels, of one mip level and layer of `texture`.
    ///
    /// # Panics
    /// Panics where the device is lost.
    pub fn read_texels<T: bytemuck::Pod>(
        &self,
        texture: &wgpu::Texture,
        level: u32,
        layer: u32,
    ) -> Vec<T> {
        let texels = read_texture(&self.device, &self.queue, texture, level, layer);
        bytemuck::pod_collect_to_vec(&pollster::block_on(texels).unwrap())
    }
}
