//! The check of the maps against the expected sea, which precedes every measurement.

use half::f16;
use half::slice::HalfFloatSliceExt as _;

use super::{Ocean, cpu};
use crate::fft::lab::Accuracy;
use crate::gpu::{ReadbackError, read_texture};
use crate::maps::cpu::Fields;
use crate::maps::{MapFormat, Maps};
use crate::platform::Cooperative;
use crate::spectrum::InitialSpectrum;

/// The expected contents of the maps at one time, in double precision.
#[derive(Clone, Debug)]
pub struct Reference {
    pub(super) time_s: f64,
    size: u32,
    cascades: Vec<Vec<Fields>>,
}

impl Reference {
    /// The sea of `initial` at `time_s`, in maps without
    /// [`OceanOptions::cubic_cascades`](super::OceanOptions::cubic_cascades). It takes about a second
    /// for a million points, and 64 bytes for each.
    pub fn new(initial: &InitialSpectrum, time_s: f64) -> Self {
        Cooperative::finish(Self::new_in(&mut Cooperative::blocking(), initial, time_s))
    }

    pub(crate) async fn new_in(
        coop: &mut Cooperative,
        initial: &InitialSpectrum,
        time_s: f64,
    ) -> Self {
        let cascades = cpu::fields_in(coop, initial, time_s).await;
        Self { time_s, size: initial.size, cascades }
    }
}

/// The errors of the maps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OceanAccuracy {
    /// The error of level 0 against double precision: the worst of all pairs of fields that share a
    /// complex image, whose roundings follow the larger of the two.
    pub fields: Accuracy,
    /// The error of other levels against the mean of the stored level before: the largest error over the
    /// largest value of the level before, the worst of all channels.
    pub mips_relative_max: f64,
}

/// The largest errors that pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OceanGate {
    fields: Accuracy,
    mips_relative_max: f64,
}

impl OceanGate {
    /// The gate for maps of `format`. In 32-bit floats, the roundings of the transform (1e-6 of the
    /// whole, [`Gate`](crate::fft::lab::Gate)) and of the spectrum before it. In 16-bit floats the
    /// rounding of the store, which a device may do towards zero: 2^-10 of the value, of which 0.58 in
    /// the mean square; and twice that for a mip, whose own rounding follows that of its source.
    pub fn of(format: MapFormat) -> Self {
        let (relative_l2, relative_max, mips_relative_max) = match format {
            MapFormat::F32 => (2e-6, 1e-5, 1e-6),
            MapFormat::F16 => (6e-4, 1e-3, 2e-3),
        };
        Self { fields: Accuracy { relative_l2, relative_max }, mips_relative_max }
    }

    /// Returns whether `accuracy` is good enough. NaN is not.
    pub fn passes(&self, accuracy: &OceanAccuracy) -> bool {
        accuracy.fields.relative_l2 <= self.fields.relative_l2
            && accuracy.fields.relative_max <= self.fields.relative_max
            && accuracy.mips_relative_max <= self.mips_relative_max
    }

    /// Describes `accuracy` in relation to the gate, for users.
    pub fn describe(&self, accuracy: &OceanAccuracy) -> String {
        format!(
            "relative L2 error {:.1e} (at most {:.1e} passes), largest error {:.1e} ({:.1e}), of the \
             mips {:.1e} ({:.1e})",
            accuracy.fields.relative_l2,
            self.fields.relative_l2,
            accuracy.fields.relative_max,
            self.fields.relative_max,
            accuracy.mips_relative_max,
            self.mips_relative_max,
        )
    }
}

/// Runs one step to the time of `reference` and compares all maps and levels with it.
///
/// # Errors
/// [`ReadbackError`] where the device does not answer.
pub async fn check(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    ocean: &Ocean,
    reference: &Reference,
) -> Result<OceanAccuracy, ReadbackError> {
    let mut encoder = device.create_command_encoder(&Default::default());
    ocean.encode(&mut encoder, reference.time_s);
    queue.submit([encoder.finish()]);

    let maps = ocean.maps();
    let cascades = maps.descriptor().cascades;
    let mut worst = OceanAccuracy {
        fields: Accuracy { relative_l2: 0.0, relative_max: 0.0 },
        mips_relative_max: 0.0,
    };
    if (reference.size, reference.cascades.len()) != (maps.descriptor().size, cascades as usize) {
        worst.fields = Accuracy { relative_l2: f64::INFINITY, relative_max: f64::INFINITY };
        return Ok(worst);
    }
    let floor = spacing_of_smallest(maps.descriptor().format);
    let mut coop = Cooperative::new();
    for layer in 0..2 * cascades {
        coop.yield_if_due().await;
        // Displacements of all cascades, then derivatives.
        let cascade = &reference.cascades[(layer % cascades) as usize];
        let first_field = 4 * (layer / cascades) as usize;
        let mut level = read_level(device, queue, maps, layer, 0).await?;
        for pair in [0, 2] {
            let exact: Vec<_> = cascade
                .iter()
                .map(|fields| [fields[first_field + pair], fields[first_field + pair + 1]])
                .collect();
            // Errors within the spacing of the smallest numbers do not count.
            let beyond = |got: f32, exact: f64| {
                let error = f64::from(got) - exact;
                (exact + error - error.clamp(-floor, floor)) as f32
            };
            let got: Vec<_> = level
                .iter()
                .zip(&exact)
                .map(|(texel, exact)| [0, 1].map(|part| beyond(texel[pair + part], exact[part])))
                .collect();
            let Accuracy { relative_l2, relative_max } = Accuracy::of(&got, &exact);
            worst.fields.relative_l2 = worst.fields.relative_l2.max(relative_l2);
            worst.fields.relative_max = worst.fields.relative_max.max(relative_max);
        }
        for number in 1..maps.texture().mip_level_count() {
            let next = read_level(device, queue, maps, layer, number).await?;
            let error = mip_error(&level, &next, maps.descriptor().format);
            worst.mips_relative_max = worst.mips_relative_max.max(error);
            level = next;
        }
    }
    Ok(worst)
}

/// The spacing of the smallest numbers, where errors are not relative: in 16-bit floats, calm seas and
/// slopes of long waves lie there.
fn spacing_of_smallest(format: MapFormat) -> f64 {
    match format {
        MapFormat::F16 => 2.0_f64.powi(-24),
        MapFormat::F32 => 0.0,
    }
}

/// The texels of one layer and level, indexed `[z][x]`.
async fn read_level(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    maps: &Maps,
    layer: u32,
    level: u32,
) -> Result<Vec<[f32; 4]>, ReadbackError> {
    let bytes = read_texture(device, queue, maps.texture(), level, layer).await?;
    let numbers: Vec<f32> = match maps.descriptor().format {
        MapFormat::F16 => bytemuck::pod_collect_to_vec::<_, f16>(&bytes).to_f32_vec(),
        MapFormat::F32 => bytemuck::pod_collect_to_vec(&bytes),
    };
    Ok(numbers.as_chunks().0.to_vec())
}

/// The largest error of `mip` as the mean of 2 x 2 texels of `finer`, over the largest value of
/// `finer`, the worst of the channels.
fn mip_error(finer: &[[f32; 4]], mip: &[[f32; 4]], format: MapFormat) -> f64 {
    // The mip's own rounding follows that of its source, as in the gate.
    let floor = 2.0 * spacing_of_smallest(format);
    let side = mip.len().isqrt();
    let mut worst = 0.0_f64;
    for channel in 0..4 {
        let largest = finer.iter().map(|texel| texel[channel].abs()).fold(0.0, f32::max);
        for (index, got) in mip.iter().enumerate() {
            let first = 2 * (index / side) * 2 * side + 2 * (index % side);
            let four = [first, first + 1, first + 2 * side, first + 2 * side + 1];
            let mean = four.map(|texel| f64::from(finer[texel][channel])).iter().sum::<f64>() / 4.0;
            let error = (f64::from(got[channel]) - mean).abs();
            // The order matters because `max` drops NaN.
            if !error.is_finite() {
                return f64::INFINITY;
            }
            if error > floor {
                worst = worst.max((error - floor) / f64::from(largest));
            }
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mip_is_the_mean_of_four() {
        let finer: Vec<[f32; 4]> = (0..16).map(|i| [i as f32, -2.0, 0.0, 1e-3]).collect();
        let mut mip: Vec<[f32; 4]> =
            [2.5, 4.5, 10.5, 12.5].map(|mean| [mean, -2.0, 0.0, 1e-3]).to_vec();
        assert!(mip_error(&finer, &mip, MapFormat::F32) < 1e-7);
        mip[2][0] = 10.8;
        assert!((mip_error(&finer, &mip, MapFormat::F32) - 0.3 / 15.0).abs() < 1e-6);
        mip[2][0] = 10.5;
        mip[1][2] = 2e-7;
        assert_eq!(mip_error(&finer, &mip, MapFormat::F32), f64::INFINITY);
        assert!(mip_error(&finer, &mip, MapFormat::F16).is_infinite());
        mip[1][2] = 0.0;
        mip[0][1] = f32::NAN;
        assert_eq!(mip_error(&finer, &mip, MapFormat::F16), f64::INFINITY);
    }

    #[test]
    fn the_gate_lets_nothing_through_that_is_no_number() {
        let good = OceanAccuracy {
            fields: Accuracy { relative_l2: 3e-7, relative_max: 1e-6 },
            mips_relative_max: 2e-7,
        };
        let gate = OceanGate::of(MapFormat::F32);
        assert!(gate.passes(&good));
        for bad in [f64::NAN, f64::INFINITY, 1e-2] {
            let fields = Accuracy { relative_l2: bad, ..good.fields };
            assert!(!gate.passes(&OceanAccuracy { fields, ..good }), "{bad}");
            assert!(!gate.passes(&OceanAccuracy { mips_relative_max: bad, ..good }), "{bad}");
        }
    }
}
