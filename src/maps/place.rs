//! The maps for shaders whose positions are relative to another origin.

use super::Maps;
use super::gpu_data::OceanMaps;
use crate::gpu::{Allocations, Uniform, bindings};

/// A uniform like that of maps, with another origin.
#[derive(Debug)]
pub(crate) struct Place {
    uniform: Uniform<OceanMaps>,
}

impl Place {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        Self { uniform: Uniform::new(device, "Place::uniform") }
    }

    /// The bind group of `maps` with this uniform in place of their own. `layout` is that of `maps` or
    /// of maps of the same shape.
    pub(crate) fn bind_group(
        &self,
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        maps: &Maps,
    ) -> wgpu::BindGroup {
        let (displacement, derivatives) = (maps.displacement(), maps.derivatives());
        bindings::group(
            device,
            "Place::bind_group",
            layout,
            &[&self.uniform, displacement, derivatives, maps.sampler()],
        )
    }

    /// Writes the sea that `maps` show, with positions relative to `origin_m`, for all commands
    /// submitted after this call.
    pub(crate) fn write(&self, queue: &wgpu::Queue, maps: &Maps, origin_m: [f64; 2]) {
        self.uniform.write(queue, &maps.contents_from(origin_m));
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        self.uniform.allocations()
    }
}
