//! Tests of measurements of seas with known answers, of many seeds, and of an ocean on the GPU.

mod ensemble;
mod gpu;
mod single_wave;

use super::surface::Layer;
use super::waves::{Texels, texel_bytes};
use super::*;
use crate::fft::lab::cpu::{Complex, transform};
use crate::fft::{Axes, Direction};
use crate::maps::MapFormat;
use crate::platform::Cooperative;
use crate::spectrum::{InitialSpectrum, cpu};

#[test]
fn shaders_are_valid() {
    crate::gpu::assert_valid(shaders());
}

/// One of the packed complex fields of one cascade, on the surface.
fn field(packed: &[[f64; 4]], size: u32, layer: usize, pair: usize) -> Vec<Complex> {
    let points = (size * size) as usize;
    let mut image: Vec<Complex> = packed[layer * points..][..points]
        .iter()
        .map(|texel| [texel[2 * pair], texel[2 * pair + 1]])
        .collect();
    transform(&mut image, [size; 2], Axes::Both, Direction::Inverse).unwrap();
    image
}

/// The heights of one cascade at one time, indexed `[z][x]`.
fn heights(initial: &InitialSpectrum, cascade: usize, time_s: f64) -> Vec<f64> {
    let packed = cpu::evolve(initial, time_s);
    field(&packed, initial.size, 2 * cascade, 1).iter().map(|[h, _]| *h).collect()
}

/// Measures the whole surface, from the texels of maps of 32-bit floats.
fn surface_of(initial: &InitialSpectrum, theory: &Theory, time_s: f64) -> Surface {
    // The surface itself is measured, without a prefilter.
    let mut theory = theory.clone();
    theory.subject.interpolation.fill(crate::spectrum::Interpolation::Linear);
    let theory = &theory;
    let packed = cpu::evolve(initial, time_s);
    let format = MapFormat::F32;
    let mut surface = Surface::empty(theory);
    surface.time_s = time_s;
    for cascade in 0..initial.cascades.len() {
        for (s, first_channel) in [(0, 2), (1, 0)] {
            let values = field(&packed, initial.size, 2 * cascade + s, 1 - s);
            let mut bytes = Vec::new();
            for value in values {
                let mut texel = [0.0_f32; 4];
                texel[first_channel] = value[0] as f32;
                texel[first_channel + 1] = value[1] as f32;
                bytes.extend_from_slice(bytemuck::bytes_of(&texel));
            }
            let row_bytes = initial.size as usize * texel_bytes(format);
            let texels = Texels { bytes: &bytes, row_bytes, size: initial.size, format };
            let cascades = initial.cascades.len() as u32;
            let layer = Layer::read(s as u32 * cascades + cascade as u32, cascades, &texels);
            Cooperative::finish(surface.add(&mut Cooperative::blocking(), theory, layer));
        }
    }
    surface
}

fn measured(theory: &Arc<Theory>, surface: Surface) -> Measured {
    let (theory, surface) = (Arc::clone(theory), Some(Arc::new(surface)));
    Measured { theory, surface, period: None, whitecaps: None }
}
