//! The compute stage that moves the waves to a time: `shaders/spectrum/evolve.wgsl`.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU32, Ordering};

use super::gpu_data::EvolveParams;
use super::{Clock, InitialSpectrum, SpectrumError};
use crate::gpu::{Capabilities, ComputeKernel, compute_kernel, shader};

const SHADER: &str = "spectrum/evolve.wgsl";
const WORKGROUP: [u32; 2] = [16, 4];

/// Bytes from one slot of parameters to the next: no device asks for a coarser alignment.
const SLOT_BYTES: u32 = 256;

/// The spectrum on the GPU: takes an [`InitialSpectrum`] when the sea changes and a time each
/// frame, gives the packed spectra of that time.
#[derive(Debug)]
pub struct SpectrumStage {
    size: u32,
    cascades: u32,
    clock: Clock,
    dk_rad_per_m: [f32; 4],
    h0: wgpu::Buffer,
    omega: wgpu::Buffer,
    fields: wgpu::Buffer,
    params: wgpu::Buffer,
    /// Which slot of `params` holds the latest time.
    slot: AtomicU32,
    bind_group: wgpu::BindGroup,
    kernel: ComputeKernel,
}

impl SpectrumStage {
    /// How often one submission may set a time and encode: parameters take turns in this many
    /// slots, because a write to a buffer happens before everything else in its submission.
    pub const MAX_TIMES_PER_SUBMISSION: u32 = 64;

    /// A stage for `cascades` cascades of `size` x `size` points. Still water until
    /// [`SpectrumStage::upload`].
    ///
    /// # Errors
    /// [`SpectrumError`] for a shape that does not exist or that the device cannot hold.
    pub fn new(device: &wgpu::Device, size: u32, cascades: u32) -> Result<Self, SpectrumError> {
        SpectrumError::check_shape(size, cascades)?;
        check_limits(&Capabilities::of(device), size, cascades)?;
        let buffer = |label, bytes_per_point: u64, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes_per_point * points(size, cascades),
                usage: wgpu::BufferUsages::STORAGE | usage,
                mapped_at_creation: false,
            })
        };
        let h0 = buffer("SpectrumStage::h0", 8, wgpu::BufferUsages::COPY_DST);
        let omega = buffer("SpectrumStage::omega", 4, wgpu::BufferUsages::COPY_DST);
        let fields = buffer("SpectrumStage::fields", FIELD_BYTES, wgpu::BufferUsages::COPY_SRC);
        let params = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("SpectrumStage::params"),
            size: u64::from(SLOT_BYTES * Self::MAX_TIMES_PER_SUBMISSION),
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });

        let params_bytes = NonZeroU64::new(size_of::<EvolveParams>() as u64);
        let storage = |read_only| wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only },
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        let types = [
            wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: true,
                min_binding_size: params_bytes,
            },
            storage(true),
            storage(true),
            storage(false),
        ];
        let mut binding = 0..;
        let entries = types.map(|ty| wgpu::BindGroupLayoutEntry {
            binding: binding.next().unwrap_or_default(),
            visibility: wgpu::ShaderStages::COMPUTE,
            ty,
            count: None,
        });
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("SpectrumStage::bind_group_layout"),
            entries: &entries,
        });
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("SpectrumStage::bind_group"),
            layout: &layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                        buffer: &params,
                        offset: 0,
                        size: params_bytes,
                    }),
                },
                wgpu::BindGroupEntry { binding: 1, resource: h0.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 2, resource: omega.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 3, resource: fields.as_entire_binding() },
            ],
        });
        let (label, wgsl) = shader();
        let kernel = compute_kernel(device, &label, &wgsl, "evolve", &[Some(&layout)]);
        Ok(Self {
            size,
            cascades,
            clock: Clock::default(),
            dk_rad_per_m: [0.0; 4],
            h0,
            omega,
            fields,
            params,
            slot: AtomicU32::new(0),
            bind_group,
            kernel,
        })
    }

    /// Replaces the sea, for all commands submitted after this call. Follow it with
    /// [`SpectrumStage::set_time`].
    ///
    /// # Errors
    /// [`SpectrumError::Shape`] where `initial` has another size or count of cascades.
    pub fn upload(
        &mut self,
        queue: &wgpu::Queue,
        initial: &InitialSpectrum,
    ) -> Result<(), SpectrumError> {
        let (given_size, given_cascades) = (initial.size, initial.cascades.len() as u32);
        if (given_size, given_cascades) != (self.size, self.cascades) {
            return Err(SpectrumError::Shape {
                size: self.size,
                cascades: self.cascades,
                given_size,
                given_cascades,
            });
        }
        queue.write_buffer(&self.h0, 0, bytemuck::cast_slice(&initial.h0));
        queue.write_buffer(&self.omega, 0, bytemuck::cast_slice(&initial.omega));
        self.clock = initial.clock;
        for (dk, cascade) in self.dk_rad_per_m.iter_mut().zip(&initial.cascades) {
            *dk = cascade.dk_rad_per_m() as f32;
        }
        Ok(())
    }

    /// Sets the time in seconds of what is encoded next. One submission may hold up to
    /// [`SpectrumStage::MAX_TIMES_PER_SUBMISSION`] times.
    pub fn set_time(&self, queue: &wgpu::Queue, time_s: f64) {
        let slot = (self.slot.load(Ordering::Relaxed) + 1) % Self::MAX_TIMES_PER_SUBMISSION;
        let params = EvolveParams {
            dk_rad_per_m: self.dk_rad_per_m,
            size: self.size,
            time_ticks: self.clock.ticks(time_s),
            _padding: [0; 2],
        };
        queue.write_buffer(&self.params, u64::from(slot * SLOT_BYTES), bytemuck::bytes_of(&params));
        self.slot.store(slot, Ordering::Relaxed);
    }

    /// Records the stage: one dispatch for all cascades.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        let offset = self.slot.load(Ordering::Relaxed) * SLOT_BYTES;
        pass.set_pipeline(&self.kernel.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[offset]);
        pass.dispatch_workgroups(self.size / WORKGROUP[0], self.size / WORKGROUP[1], self.cascades);
    }

    /// The packed spectra, `[cascade * 2 + s][z][x]` of `vec4<f32>`: s = 0 is
    /// (X(Dx) + i X(Dz), X(h) + i X(dDx/dz)), s = 1 is
    /// (X(dh/dx) + i X(dh/dz), X(dDx/dx) + i X(dDz/dz)).
    pub fn fields(&self) -> &wgpu::Buffer {
        &self.fields
    }

    /// Points along one side of each cascade's grid.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// How many cascades there are.
    pub fn cascades(&self) -> u32 {
        self.cascades
    }
}

/// The kernel's label and complete WGSL.
pub(super) fn shader() -> (String, String) {
    let wgsl = shader::resolve(SHADER).expect("shipped shaders resolve, which a test checks");
    (SHADER.to_owned(), wgsl)
}

/// Two `vec4<f32>` per wave vector.
const FIELD_BYTES: u64 = 32;

fn points(size: u32, cascades: u32) -> u64 {
    u64::from(size) * u64::from(size) * u64::from(cascades)
}

fn check_limits(
    capabilities: &Capabilities,
    size: u32,
    cascades: u32,
) -> Result<(), SpectrumError> {
    let needed = FIELD_BYTES * points(size, cascades);
    for (limit, available) in [
        ("maxStorageBufferBindingSize", capabilities.max_storage_binding_bytes),
        ("maxBufferSize", capabilities.max_buffer_bytes),
    ] {
        if needed > available {
            return Err(SpectrumError::Limit { size, cascades, limit, needed, available });
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "stage_tests.rs"]
mod tests;
