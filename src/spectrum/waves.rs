//! The waves of a half plane on the GPU.

use std::f64::consts::TAU;

use super::{InitialSpectrum, Interpolation};
use crate::gpu::Allocations;
use crate::gpu::bindings::Resource;

/// `[cascade][z][x]` for z from 0 to N/2, in two arrays: an invocation loads 16 bytes and 8 at once, where it
/// would load 24 in three steps. `wave_of` in `shaders/spectrum/evolve_wave.wgsl` puts a wave together.
///
/// Clones share what is on the GPU.
#[derive(Clone, Debug)]
pub(super) struct Waves {
    amplitudes: wgpu::Buffer,
    motions: wgpu::Buffer,
}

/// h0(k) + conj(h0(-k)) and h0(k) - conj(h0(-k)), in metres.
type Amplitudes = [f32; 4];
/// The frequency in multiples of 2 pi/T0, and the bits of the axis of the orbits over k.
type Motion = [u32; 2];

impl Waves {
    /// The bindings of one sea's waves.
    pub const BINDINGS: usize = 2;

    /// Waves of amplitude 0.
    pub fn new(device: &wgpu::Device, label: &str, size: u32, cascades: u32) -> Self {
        let points = u64::from(stored_rows(size)) * u64::from(size) * u64::from(cascades);
        let buffer = |point_bytes: usize| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: point_bytes as u64 * points,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        Self { amplitudes: buffer(size_of::<Amplitudes>()), motions: buffer(size_of::<Motion>()) }
    }

    /// What shaders bind.
    pub fn resources(&self) -> [&dyn Resource; Self::BINDINGS] {
        [&self.amplitudes, &self.motions]
    }

    /// Replaces them by those of `initial`, which has their shape, for all commands submitted after this call.
    pub fn write(
        &self,
        queue: &wgpu::Queue,
        initial: &InitialSpectrum,
        interpolation: &[Interpolation],
    ) {
        let stage = |buffer: &wgpu::Buffer| {
            let bytes = std::num::NonZeroU64::new(buffer.size()).expect("no stage is empty");
            queue.write_buffer_with(buffer, 0, bytes)
        };
        let [Some(mut staged_amplitudes), Some(mut staged_motions)] =
            [stage(&self.amplitudes), stage(&self.motions)]
        else {
            // The device is lost, which its next caller finds out.
            return;
        };
        // Row by row, since staged memory can be written only.
        let size = initial.size as usize;
        let mut amplitudes = vec![Amplitudes::default(); size];
        let mut motions = vec![Motion::default(); size];
        let mut raised = vec![1.0; size];
        let rows = stored_rows(initial.size) as usize;
        for cascade in 0..initial.cascades.len() {
            let interpolation = interpolation.get(cascade).copied();
            let interpolation = interpolation.unwrap_or(Interpolation::Linear);
            for (index, factor) in raised.iter_mut().enumerate() {
                *factor = interpolation.prefilter(TAU * index as f64 / size as f64) as f32;
            }
            let axes_over_k_m = initial.axis_over_k_m(cascade);
            let layer = cascade * size * size;
            for z in 0..rows {
                for x in 0..size {
                    let at = z * size + x;
                    let mirrored = (size - z) % size * size + (size - x) % size;
                    let [[re, im], [mirrored_re, mirrored_im]] = [at, mirrored]
                        .map(|at| initial.h0[layer + at].map(|part| part * raised[x] * raised[z]));
                    amplitudes[x] =
                        [re + mirrored_re, im - mirrored_im, re - mirrored_re, im + mirrored_im];
                    motions[x] = [initial.omega[layer + at], axes_over_k_m[at].to_bits()];
                }
                put(&mut staged_amplitudes, cascade * rows + z, &amplitudes);
                put(&mut staged_motions, cascade * rows + z, &motions);
            }
        }
    }

    pub fn allocations<A: Allocations>(&self) -> A {
        A::default().with_buffer(&self.amplitudes).with_buffer(&self.motions)
    }
}

/// Writes a row to staged memory.
fn put<T: bytemuck::NoUninit>(staged: &mut wgpu::QueueWriteBufferView, row: usize, values: &[T]) {
    let bytes: &[u8] = bytemuck::cast_slice(values);
    staged.slice(row * bytes.len()..(row + 1) * bytes.len()).copy_from_slice(bytes);
}

/// The rows of a cascade's stored waves: z from 0 to N/2.
pub(super) fn stored_rows(size: u32) -> u32 {
    size / 2 + 1
}
