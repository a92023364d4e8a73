//! The waves in the texels of level 0 of the maps, by the wave vectors of the surface.

use std::f64::consts::TAU;

use half::f16;

use crate::fft::lab::cpu::{Complex, transform_in};
use crate::fft::{Axes, Direction};
use crate::maps::MapFormat;
use crate::platform::Cooperative;
use crate::spectrum::Interpolation;

/// The complex amplitudes of the waves of two real fields, given as the real and imaginary parts of
/// `texels`, `[z][x]` of `size` x `size`: the sum over all wave vectors of amplitude times e^(i k x) is
/// the field. They are in the order of an FFT, and [`part`] separates the two fields.
///
/// The texels hold the waves with the prefilter of `interpolation`, which this function undoes, as
/// `shaders/measurement/points.wgsl` does for single texels.
pub(super) async fn waves(
    coop: &mut Cooperative,
    mut texels: Vec<Complex>,
    size: u32,
    interpolation: Interpolation,
) -> Vec<Complex> {
    let done = transform_in(coop, &mut texels, [size; 2], Axes::Both, Direction::Forward);
    let done = done.await;
    debug_assert!(done.is_some(), "maps have a power of two of texels");
    let side = size as usize;
    let points = (side * side) as f64;
    let raised: Vec<f64> =
        (0..side).map(|index| interpolation.prefilter(TAU * index as f64 / side as f64)).collect();
    for (z, row) in texels.chunks_exact_mut(side).enumerate() {
        for (x, wave) in row.iter_mut().enumerate() {
            let scale = 1.0 / (points * raised[x] * raised[z]);
            *wave = wave.map(|part| scale * part);
        }
        coop.yield_if_due().await;
    }
    texels
}

/// The amplitudes of the two fields at one wave vector, from the values of [`waves`] there and at the
/// opposite one: the transform of a real field at -k is the conjugate of that at k.
pub(super) fn part(here: Complex, opposite: Complex) -> [Complex; 2] {
    [
        [0.5 * (here[0] + opposite[0]), 0.5 * (here[1] - opposite[1])],
        [0.5 * (here[1] + opposite[1]), 0.5 * (opposite[0] - here[0])],
    ]
}

pub(super) fn power(a: Complex) -> f64 {
    a[0] * a[0] + a[1] * a[1]
}

/// One layer of the maps in a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Texels<'a> {
    /// The rows, of `row_bytes` bytes each.
    pub bytes: &'a [u8],
    pub row_bytes: usize,
    /// The texels along one side.
    pub size: u32,
    pub format: MapFormat,
}

impl Texels<'_> {
    /// Returns two of the four channels as real and imaginary parts; `None` stands for no imaginary part.
    pub fn channels(&self, real: usize, imaginary: Option<usize>) -> Vec<Complex> {
        let pick = |texel: &[u8]| {
            let channel = |index: usize| match self.format {
                MapFormat::F16 => {
                    let at = 2 * index;
                    f16::from_ne_bytes([texel[at], texel[at + 1]]).to_f64()
                }
                MapFormat::F32 => {
                    let at = 4 * index;
                    let bytes = [texel[at], texel[at + 1], texel[at + 2], texel[at + 3]];
                    f64::from(f32::from_ne_bytes(bytes))
                }
            };
            [channel(real), imaginary.map_or(0.0, channel)]
        };
        let texel_bytes = texel_bytes(self.format);
        self.bytes
            .chunks_exact(self.row_bytes)
            .take(self.size as usize)
            .flat_map(|row| row.chunks_exact(texel_bytes).take(self.size as usize).map(pick))
            .collect()
    }
}

pub(super) fn texel_bytes(format: MapFormat) -> usize {
    match format {
        MapFormat::F16 => 8,
        MapFormat::F32 => 16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// a cos(k.x - p) has half of its amplitude at k and half at -k, which [`part`] separates by field.
    #[test]
    fn two_fields_come_apart_into_their_waves() {
        let size = 16_u32;
        let angle = |x: u32, z: u32, i: f64, j: f64| {
            TAU * (i * f64::from(x) + j * f64::from(z)) / f64::from(size)
        };
        let texels = (0..size * size)
            .map(|at| (at % size, at / size))
            .map(|(x, z)| [3.0 * (angle(x, z, 2.0, 5.0) - 0.3).cos(), angle(x, z, 2.0, 5.0).sin()])
            .collect();
        let coop = &mut Cooperative::blocking();
        let waves = Cooperative::finish(waves(coop, texels, size, Interpolation::Linear));
        let (here, opposite) = (waves[5 * 16 + 2], waves[11 * 16 + 14]);
        let [first, second] = part(here, opposite);
        assert!((power(first) - 2.25).abs() < 1e-12 && (power(second) - 0.25).abs() < 1e-12);
        assert!((first[1] / first[0] + 0.3_f64.tan()).abs() < 1e-12, "the phase is that of -0.3");
        assert!((second[1] + 0.5).abs() < 1e-12, "sin is -i/2 at +k");
        assert!(power(waves[3]) < 1e-20);
    }

    #[test]
    fn rows_may_be_padded_and_both_formats_are_read() {
        let value = |x: usize, z: usize, channel: usize| (100 * z + 10 * x + channel) as f32;
        for (format, row_bytes) in [(MapFormat::F16, 256), (MapFormat::F32, 272)] {
            let mut bytes = vec![0xff_u8; row_bytes * 16];
            for z in 0..16 {
                for x in 0..16 {
                    for channel in 0..4 {
                        let value = value(x, z, channel);
                        let at = z * row_bytes + x * texel_bytes(format);
                        match format {
                            MapFormat::F16 => bytes[at + 2 * channel..][..2]
                                .copy_from_slice(&f16::from_f32(value).to_ne_bytes()),
                            MapFormat::F32 => {
                                bytes[at + 4 * channel..][..4].copy_from_slice(&value.to_ne_bytes())
                            }
                        }
                    }
                }
            }
            let texels = Texels { bytes: &bytes, row_bytes, size: 16, format };
            let read = texels.channels(2, Some(1));
            assert_eq!(read.len(), 256);
            assert_eq!(read[3 * 16 + 7], [f64::from(value(7, 3, 2)), f64::from(value(7, 3, 1))]);
            assert_eq!(texels.channels(0, None)[5], [50.0, 0.0]);
        }
    }
}
