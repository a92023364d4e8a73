//! Tests of measurements of seas with known answers, of many seeds, and of an ocean on the GPU.

mod ensemble;
mod gpu;
mod single_wave;

use super::surface::{Layer, Look};
use super::waves::{Texels, texel_bytes};
use super::*;
use crate::fft::lab::cpu::{Complex, transform};
use crate::fft::{Axes, Direction};
use crate::maps::MapFormat;
use crate::platform::Cooperative;
use crate::settings::SeaState;
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
    look_at(initial, theory, time_s, &mut Vec::new())
}

/// Measures the whole surface after earlier `looks`.
fn look_at(
    initial: &InitialSpectrum,
    theory: &Theory,
    time_s: f64,
    looks: &mut Vec<Look>,
) -> Surface {
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
            let coop = &mut Cooperative::blocking();
            Cooperative::finish(surface.add(coop, theory, layer, time_s, looks));
        }
    }
    surface
}

fn measured(theory: &Arc<Theory>, surface: Surface) -> Measured {
    let (theory, surface) = (Arc::clone(theory), Some(Arc::new(surface)));
    Measured { theory, surface, period: None, whitecaps: None }
}

/// One wave, towards k or against it: heights at one instant are the same, and two looks tell them apart.
#[test]
fn two_looks_show_where_a_wave_runs() {
    let size = 64;
    let sea = SeaState::default();
    let mut initial = InitialSpectrum::new(&sea, size, 2).unwrap();
    let theory = Theory::of(Subject::of(&initial, &[]));
    let kept = initial.h0.iter().position(|h0| *h0 != [0.0; 2]).unwrap();
    let h0 = initial.h0[kept];
    let variance_m2 = 2.0 * h0.iter().map(|part| f64::from(*part).powi(2)).sum::<f64>();
    let index = [kept % size as usize, kept / size as usize].map(|at| {
        let at = at as i32;
        if at < size as i32 / 2 { at } else { at - size as i32 }
    });
    let [kx, kz] = initial.cascades[0].wave_vector(index);
    let k = kx.hypot(kz);
    initial.h0.fill([0.0; 2]);
    initial.h0[kept] = h0;
    // A quarter of its period later.
    let step_s = 0.25 * std::f64::consts::TAU / theory.dispersion.omega_rad_per_s(k);
    let mut looks = Vec::new();
    let first = look_at(&initial, &theory, 10.0, &mut looks);
    assert!(first.towards_m2.iter().flatten().all(|sum| *sum == 0.0), "one look shows no way");
    let second = look_at(&initial, &theory, 10.0 + step_s, &mut looks);
    let sums = second
        .towards_m2
        .iter()
        .fold([0.0; 3], |sums, bin| [0, 1, 2].map(|part| sums[part] + bin[part]));
    let expected = [variance_m2, variance_m2 * kx / k, variance_m2 * kz / k];
    for (found, expected) in sums.into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-4 * variance_m2, "{sums:?} is not {expected:?}");
    }
}

/// A whole sea's mean direction is the theory's, within its scatter, of a model and of a record.
#[test]
fn two_looks_show_the_mean_direction() {
    let model = SeaState { wind_direction_deg: 200.0, ..SeaState::default() };
    let recorded = crate::settings::Preset::load("opposing-seas").unwrap().sea;
    for sea in [model, recorded] {
        for seed in 0..6 {
            let sea = SeaState { seed, ..sea.clone() };
            let initial = InitialSpectrum::new(&sea, 128, 3).unwrap();
            let theory = Arc::new(Theory::of(Subject::of(&initial, &[])));
            let mut looks = Vec::new();
            look_at(&initial, &theory, 50.0, &mut looks);
            let surface = look_at(&initial, &theory, 50.7, &mut looks);
            let direction = measured(&theory, surface).mean_direction_deg();
            println!("seed {seed}: {direction:?}");
            // Waves whose direction stays open add to the scatter.
            let deviations = direction.deviations().unwrap();
            assert!(deviations.abs() < 5.0, "seed {seed}: {direction:?}");
            let error_deg = direction.standard_error.unwrap();
            assert!((0.2..15.0).contains(&error_deg), "{direction:?}");
            let off = (direction.whole - direction.expected).abs();
            assert!(off < 2.5, "the lattice's direction and the file's: {direction:?}");
        }
    }
}
