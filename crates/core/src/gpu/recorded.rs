//! A number that is part of the commands that use it.

use std::num::NonZeroU64;

use super::Allocations;
use super::bindings::Resource;
use super::uniform::filled;

/// A `u32` that is recorded with commands, and may differ for the next commands of the same submission.
///
/// A write to a buffer by the queue happens before *all* commands of the submission that follows: a uniform
/// that is written twice has the second value for both. Immediates would solve this, but WebGPU does not have
/// them, and copies between passes cost as much as a dispatch each. Dynamic offsets are recorded with the
/// commands. So there are a constant table of all bytes and four bindings to it, whose offsets encode the
/// number, one for each of its bytes. Recording writes nothing, so it needs no allocation and no sharing.
///
/// In WGSL a byte is a `var<uniform>` of type `u32`, the lowest first; `time_ticks` in
/// `shaders/spectrum/evolve_params.wgsl` puts them together.
#[derive(Clone, Debug)]
pub struct RecordedU32 {
    table: wgpu::Buffer,
}

impl RecordedU32 {
    /// The bindings of one number, of the eight uniforms with dynamic offsets that WebGPU guarantees to
    /// a pipeline.
    pub const BINDINGS: usize = 4;

    /// The stride of the table: no device needs a coarser alignment.
    const STRIDE: u32 = 256;

    /// The bytes of a binding: a `u32`, padded to the 16 bytes of a uniform.
    const BINDING_BYTES: NonZeroU64 = NonZeroU64::new(16).expect("is not 0");

    /// Creates the table of 64 KiB.
    pub fn new(device: &wgpu::Device, label: &str) -> Self {
        let mut contents = vec![0_u8; 256 * Self::STRIDE as usize];
        for (byte, entry) in (0..=255).zip(contents.chunks_exact_mut(Self::STRIDE as usize)) {
            entry[..4].copy_from_slice(&u32::to_ne_bytes(byte));
        }
        let table = filled(device, label, wgpu::BufferUsages::UNIFORM, &contents);
        Self { table }
    }

    /// The dynamic offsets that encode `value`, in the order of the bindings.
    pub fn offsets(value: u32) -> [u32; Self::BINDINGS] {
        value.to_le_bytes().map(|byte| u32::from(byte) * Self::STRIDE)
    }

    /// Visits the buffers that it holds.
    pub fn allocations<A: Allocations>(&self) -> A {
        A::default().with_buffer(&self.table)
    }

    /// The type of each of the bindings.
    pub fn binding_type() -> wgpu::BindingType {
        wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: true,
            min_binding_size: Some(Self::BINDING_BYTES),
        }
    }
}

/// All bindings are the same; the offset is recorded later.
impl Resource for RecordedU32 {
    fn resource(&self) -> wgpu::BindingResource<'_> {
        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: &self.table,
            offset: 0,
            size: Some(Self::BINDING_BYTES),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_the_bytes_lowest_first() {
        assert_eq!(RecordedU32::offsets(0), [0; 4]);
        assert_eq!(RecordedU32::offsets(0x0403_0201), [256, 512, 768, 1024]);
        assert_eq!(RecordedU32::offsets(u32::MAX), [255 * 256; 4]);
    }
}
