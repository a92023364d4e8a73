//! The images of a patch: their channels, by the fields of the sea.

use crate::maps::cpu::{Fields, Surface};
use crate::spectrum::InitialSpectrum;

use super::files::Depth;

/// Values of a point in an image's red, green and blue.
pub type Rgb = [f64; 3];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Image {
    Displacement,
    Slopes,
    Stretches,
    Normal,
    Foam,
}

impl Image {
    /// The images of a cascade, of which importers add up those of all cascades.
    pub const OF_CASCADE: [Self; 3] = [Self::Displacement, Self::Slopes, Self::Stretches];
    /// The images of a patch with all waves.
    pub const OF_SEA: [Self; 3] = [Self::Displacement, Self::Normal, Self::Foam];

    pub fn name(self) -> &'static str {
        match self {
            Self::Displacement => "displacement",
            Self::Slopes => "slopes",
            Self::Stretches => "stretches",
            Self::Normal => "normal",
            Self::Foam => "foam",
        }
    }

    pub fn channels(self) -> [&'static str; 3] {
        match self {
            Self::Displacement => ["x_m", "y_m", "z_m"],
            Self::Slopes => ["dh_dx", "dh_dz", "zero"],
            Self::Stretches => ["ddx_dx", "ddz_dz", "ddx_dz"],
            Self::Normal => ["normal_x", "normal_y", "normal_z"],
            Self::Foam => ["foam", "jacobian", "zero"],
        }
    }

    /// The values of a point with the given fields, choppiness and share of foam.
    pub fn values(self, fields: &Fields, choppiness: f64, foam: f64) -> Rgb {
        let &[dx, dz, h, h_dx, h_dz, ..] = fields;
        let surface = surface(fields, choppiness);
        match self {
            Self::Displacement => [choppiness * dx, h, choppiness * dz],
            Self::Slopes => [h_dx, h_dz, 0.0],
            Self::Stretches => [surface.dxx, surface.dzz, surface.dxz],
            Self::Normal => surface.normal(),
            Self::Foam => [foam, surface.jacobian(), 0.0],
        }
    }

    /// The floats of its EXR files: of 16 bits, unless they round displacements by a millimetre or more.
    pub fn depth(self, range: &[[f64; 2]; 3]) -> Depth {
        // They have steps of 2^-9 from 2 m on, and twice that from 4 m on.
        const LARGEST_M: f64 = 4.0;
        let is_fine = range.iter().all(|[low, high]| -low < LARGEST_M && *high < LARGEST_M);
        if self == Self::Displacement && !is_fine { Depth::Float } else { Depth::Half }
    }

    /// The least and the largest value of each channel, given the [`bounds`] of the fields.
    pub fn range(self, bounds: &Fields, choppiness: f64) -> [[f64; 2]; 3] {
        let largest = match self {
            Self::Displacement | Self::Slopes | Self::Stretches => {
                self.values(bounds, choppiness, 0.0)
            }
            Self::Normal => [1.0; 3],
            Self::Foam => {
                let Surface { dxx, dzz, dxz, .. } = surface(bounds, choppiness);
                let from_1 = dxx + dzz + dxx * dzz + dxz * dxz;
                return [[0.0, 1.0], [1.0 - from_1, 1.0 + from_1], [0.0, 1.0]];
            }
        };
        // A channel of nothing has a range all the same.
        largest.map(|largest| if largest > 0.0 { [-largest, largest] } else { [0.0, 1.0] })
    }
}

/// The surface at a point with the given fields.
pub fn surface(&[_, _, _, h_dx, h_dz, dx_dz, dx_dx, dz_dz]: &Fields, choppiness: f64) -> Surface {
    let [dxx, dzz, dxz] = [dx_dx, dz_dz, dx_dz].map(|stretch| choppiness * stretch);
    Surface { slope: [h_dx, h_dz], dxx, dzz, dxz, ..Default::default() }
}

/// Bounds of the absolute value of each field of a cascade at any point and time: eight standard deviations,
/// which less than one of 10^14 samples exceeds, or the sum of all amplitudes where this is less. They follow
/// from the amplitudes alone, so that all runs of a sequence have the same.
pub fn bounds(spectrum: &InitialSpectrum, cascade: usize) -> Fields {
    let mut variances = [0.0; 8];
    let mut sums = [0.0; 8];
    for ([kx, kz], amplitude_m) in waves(spectrum, cascade) {
        let k = kx.hypot(kz);
        let [along_x, along_z] = [kx, kz].map(|part| part / k * spectrum.orbits.ratio(k));
        let factors = [along_x, along_z, 1.0, kx, kz, kz * along_x, kx * along_x, kz * along_z];
        for (field, factor) in factors.into_iter().enumerate() {
            sums[field] += amplitude_m * factor.abs();
            variances[field] += 0.5 * (amplitude_m * factor).powi(2);
        }
    }
    std::array::from_fn(|field| sums[field].min(8.0 * variances[field].sqrt()))
}

/// The variance in m2 of the heights of a cascade, over the patch and the loop.
pub fn variance_m2(spectrum: &InitialSpectrum, cascade: usize) -> f64 {
    waves(spectrum, cascade).map(|(_, amplitude_m)| 0.5 * amplitude_m * amplitude_m).sum()
}

/// The wave vector in rad/m and the amplitude of each wave of a cascade.
fn waves(spectrum: &InitialSpectrum, cascade: usize) -> impl Iterator<Item = ([f64; 2], f64)> + '_ {
    let size = spectrum.size as usize;
    let band = spectrum.cascades[cascade];
    let signed = move |place: usize| {
        if 2 * place < size { place as i32 } else { place as i32 - size as i32 }
    };
    let amplitudes = spectrum.h0[cascade * size * size..][..size * size].iter().enumerate();
    amplitudes.filter(|(_, h0)| **h0 != [0.0; 2]).map(move |(at, [re, im])| {
        let k = band.wave_vector([at % size, at / size].map(signed));
        (k, 2.0 * f64::from(*re).hypot(f64::from(*im)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ocean::cpu;
    use crate::settings::SeaState;

    /// Bounds hold at every point, and the variance is that of the heights over a loop.
    #[test]
    fn bounds_hold_and_the_variance_is_that_of_a_loop() {
        let sea = SeaState { loop_period_s: 12.0, depth_m: 8.0, ..Default::default() };
        let spectrum = InitialSpectrum::new(&sea, 64, 2).unwrap();
        let mut sums = [0.0; 2];
        let times = 60;
        for time in 0..times {
            for (cascade, fields) in
                cpu::fields(&spectrum, 0.2 * f64::from(time)).iter().enumerate()
            {
                let bounds = bounds(&spectrum, cascade);
                for (field, value) in fields.iter().flat_map(|point| point.iter().enumerate()) {
                    assert!(value.abs() < bounds[field], "{cascade} {field}");
                }
                let squares: f64 = fields.iter().map(|point| point[2] * point[2]).sum();
                sums[cascade] += squares / fields.len() as f64 / f64::from(times);
            }
        }
        for (cascade, sum) in sums.into_iter().enumerate() {
            let expected = variance_m2(&spectrum, cascade);
            assert!((sum / expected - 1.0).abs() < 0.02, "{cascade}: {sum} {expected}");
        }
    }
}
