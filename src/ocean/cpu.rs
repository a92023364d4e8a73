//! The twin of the whole step, up to the maps, on the processor in double precision.
//!
//! ```
//! use seaway::ocean::cpu::{coefficients, each_cascade, fields, rate_coefficients};
//! use seaway::settings::SeaState;
//! use seaway::spectrum::Interpolation;
//! use seaway::{Ocean, OceanOptions};
//!
//! let options = OceanOptions { size: 64, cascades: 2, ..Default::default() };
//! let initial = Ocean::prepare(&SeaState::default(), &options)?;
//! let sea = fields(&initial, 20.0);
//! let [_dx, _dz, height_m, ..] = sea[0][0]; // at the first texel of the longest waves
//! assert!(height_m.abs() < 10.0);
//! // One cascade at a time takes less memory.
//! assert_eq!(each_cascade(&initial, 20.0).next().unwrap(), sea[0]);
//! // The maps of cubic cascades hold coefficients of splines; the rates are those of (Dx, Dz, h).
//! let splines = coefficients(&initial, &[Interpolation::Cubic; 2], 20.0);
//! assert_eq!(splines[0].len(), rate_coefficients(&initial, &[], 20.0)[0].len());
//! # Ok::<(), seaway::OceanError>(())
//! ```

use std::f64::consts::TAU;

use crate::fft::{self, Axes, Direction};
use crate::maps::cpu::Fields;
use crate::platform::Cooperative;
use crate::spectrum::{self, InitialSpectrum, Interpolation};

/// The eight fields of every cascade at `time_s`, `[cascade][z][x]`, as level 0 of linearly interpolated
/// maps holds them.
pub fn fields(initial: &InitialSpectrum, time_s: f64) -> Vec<Vec<Fields>> {
    Cooperative::finish(fields_in(&mut Cooperative::blocking(), initial, time_s))
}

pub(crate) async fn fields_in(
    coop: &mut Cooperative,
    initial: &InitialSpectrum,
    time_s: f64,
) -> Vec<Vec<Fields>> {
    let points = points(initial);
    let raised = prefilter(initial.size, None);
    let packed = spectrum::cpu::evolve_in(coop, initial, time_s).await;
    let mut cascades = Vec::new();
    for layers in packed.chunks_exact(2 * points) {
        let mut pairs = Vec::new();
        for layer in layers.chunks_exact(points) {
            pairs.extend(images_in(coop, layer, &raised).await);
        }
        cascades.push(fields_of(&pairs));
        coop.yield_if_due().await;
    }
    cascades
}

/// Computes the [`fields`] one cascade after the other, for callers that need not hold all at once.
pub fn each_cascade(
    initial: &InitialSpectrum,
    time_s: f64,
) -> impl Iterator<Item = Vec<Fields>> + '_ {
    each_coefficients(initial, &[], time_s)
}

/// The contents of level 0 of the maps, `[cascade][z][x]`: the fields, or the coefficients of splines
/// through them in cascades with that `interpolation`.
pub fn coefficients(
    initial: &InitialSpectrum,
    interpolation: &[Interpolation],
    time_s: f64,
) -> Vec<Vec<Fields>> {
    each_coefficients(initial, interpolation, time_s).collect()
}

fn each_coefficients(
    initial: &InitialSpectrum,
    interpolation: &[Interpolation],
    time_s: f64,
) -> impl Iterator<Item = Vec<Fields>> {
    let points = points(initial);
    let packed = spectrum::cpu::evolve(initial, time_s);
    (0..initial.cascades.len()).map(move |cascade| {
        let raised = prefilter(initial.size, interpolation.get(cascade).copied());
        let layers = packed[2 * cascade * points..][..2 * points].chunks_exact(points);
        let pairs: Vec<_> = layers.flat_map(|layer| images(layer, &raised)).collect();
        fields_of(&pairs)
    })
}

fn fields_of(pairs: &[Vec<[f64; 2]>]) -> Vec<Fields> {
    let points = pairs[0].len();
    (0..points).map(|at| std::array::from_fn(|field| pairs[field / 2][at][field % 2])).collect()
}

/// The [`coefficients`] of the rates of change of (Dx, Dz, h), in m/s.
pub fn rate_coefficients(
    initial: &InitialSpectrum,
    interpolation: &[Interpolation],
    time_s: f64,
) -> Vec<Vec<[f64; 3]>> {
    let packed = spectrum::cpu::evolve_rates(initial, time_s);
    (0..)
        .zip(packed.chunks_exact(points(initial)))
        .map(|(cascade, layer)| {
            let raised = prefilter(initial.size, interpolation.get(cascade).copied());
            let [horizontal, vertical] = images(layer, &raised);
            horizontal.iter().zip(vertical).map(|([dx, dz], [h, _])| [*dx, *dz, h]).collect()
        })
        .collect()
}

fn points(initial: &InitialSpectrum) -> usize {
    initial.size as usize * initial.size as usize
}

/// The factors on waves by their index along an axis.
fn prefilter(size: u32, interpolation: Option<Interpolation>) -> Vec<f64> {
    let interpolation = interpolation.unwrap_or(Interpolation::Linear);
    (0..size)
        .map(|index| interpolation.prefilter(TAU * f64::from(index) / f64::from(size)))
        .collect()
}

/// The two complex images of a layer of packed spectra, two fields each.
fn images(layer: &[[f64; 4]], raised: &[f64]) -> [Vec<[f64; 2]>; 2] {
    Cooperative::finish(images_in(&mut Cooperative::blocking(), layer, raised))
}

async fn images_in(
    coop: &mut Cooperative,
    layer: &[[f64; 4]],
    raised: &[f64],
) -> [Vec<[f64; 2]>; 2] {
    let size = raised.len();
    let mut images = [0, 2].map(|first| {
        let scaled = |(at, texel): (usize, &[f64; 4])| {
            let factor = raised[at % size] * raised[at / size];
            [factor * texel[first], factor * texel[first + 1]]
        };
        layer.iter().enumerate().map(scaled).collect::<Vec<_>>()
    });
    for image in &mut images {
        coop.yield_if_due().await;
        let (size, inverse) = ([size as u32; 2], Direction::Inverse);
        let done = fft::lab::cpu::transform_in(coop, image, size, Axes::Both, inverse).await;
        done.expect("the size of a spectrum is a power of two");
    }
    images
}
