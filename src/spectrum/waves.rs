//! The waves of a half plane on the GPU.

use std::f64::consts::TAU;
use std::num::NonZeroU64;

use super::{InitialSpectrum, Interpolation};
use crate::gpu::Allocations;
use crate::gpu::bindings::Resource;

/// `[cascade][z][x]` for z from 0 to N/2, in two arrays. An invocation loads 16 bytes and 8 at once, where it
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

    /// The buffers that shaders bind.
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
        let size = initial.size as usize;
        let raised: Vec<Vec<f32>> = (0..initial.cascades.len())
            .map(|cascade| {
                let interpolation = interpolation.get(cascade).copied();
                let interpolation = interpolation.unwrap_or(Interpolation::Linear);
                let angles = (0..size).map(|index| TAU * index as f64 / size as f64);
                angles.map(|angle| interpolation.prefilter(angle) as f32).collect()
            })
            .collect();
        write_rows::<Amplitudes>(queue, &self.amplitudes, initial, |cascade, z, row| {
            let raised = &raised[cascade];
            for (x, amplitudes) in row.iter_mut().enumerate() {
                let mirrored = [(size - z) % size, (size - x) % size];
                let [[re, im], [mirrored_re, mirrored_im]] = [[z, x], mirrored].map(|[z, x]| {
                    let h0 = initial.h0[(cascade * size + z) * size + x];
                    h0.map(|part| part * raised[x] * raised[z])
                });
                *amplitudes =
                    [re + mirrored_re, im - mirrored_im, re - mirrored_re, im + mirrored_im];
            }
        });
        let mut axes_over_k_m = Vec::new();
        write_rows::<Motion>(queue, &self.motions, initial, |cascade, z, row| {
            if z == 0 {
                axes_over_k_m = initial.axis_over_k_m(cascade);
            }
            for (x, motion) in row.iter_mut().enumerate() {
                let omega = initial.omega[(cascade * size + z) * size + x];
                *motion = [omega, axes_over_k_m[z * size + x].to_bits()];
            }
        });
    }

    pub fn allocations<A: Allocations>(&self) -> A {
        A::default().with_buffer(&self.amplitudes).with_buffer(&self.motions)
    }
}

/// Writes the rows that `fill` gives for each cascade and z, one by one: staged memory can be written only.
fn write_rows<T: bytemuck::NoUninit + Default>(
    queue: &wgpu::Queue,
    buffer: &wgpu::Buffer,
    initial: &InitialSpectrum,
    mut fill: impl FnMut(usize, usize, &mut [T]),
) {
    let bytes = NonZeroU64::new(buffer.size()).expect("no stage is empty");
    let Some(mut staged) = queue.write_buffer_with(buffer, 0, bytes) else {
        // The device is lost, which its next caller finds out.
        return;
    };
    let mut row = vec![T::default(); initial.size as usize];
    let row_bytes = size_of_val(&row[..]);
    let rows = stored_rows(initial.size) as usize;
    for cascade in 0..initial.cascades.len() {
        for z in 0..rows {
            fill(cascade, z, &mut row);
            let first = (cascade * rows + z) * row_bytes;
            staged.slice(first..first + row_bytes).copy_from_slice(bytemuck::cast_slice(&row));
        }
    }
}

/// The rows of a cascade's stored waves: z from 0 to N/2.
pub(super) fn stored_rows(size: u32) -> u32 {
    size / 2 + 1
}
