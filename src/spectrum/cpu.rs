//! The twin of `shaders/spectrum/evolve.wgsl` on the processor, in double precision, with the same quantised
//! time and frequency and the same layout. Tests compare the kernel with it, and test physics on it.
//!
//! ```
//! use seaway::settings::SeaState;
//! use seaway::spectrum::cpu::{evolve, evolve_rates, evolve_wave};
//! use seaway::{Ocean, OceanOptions};
//!
//! let options = OceanOptions { size: 64, cascades: 1, ..Default::default() };
//! let initial = Ocean::prepare(&SeaState::default(), &options)?;
//! // Two packed spectra for each cascade, and one of the rates of change.
//! assert_eq!(evolve(&initial, 2.0).len(), 2 * evolve_rates(&initial, 2.0).len());
//! // One wave along X, with no phase and after a quarter of a turn.
//! let still = evolve_wave([1.0, 0.0], [0.0, 0.0], [0.5, 0.0], &initial.orbits, 0);
//! let later = evolve_wave([1.0, 0.0], [0.0, 0.0], [0.5, 0.0], &initial.orbits, 1 << 30);
//! assert_ne!(still, later);
//! # Ok::<(), seaway::OceanError>(())
//! ```

use std::f64::consts::TAU;

use super::phase::turns;
use super::{InitialSpectrum, Orbits};
use crate::platform::Cooperative;

type Complex = [f64; 2];

/// The packed spectra at `time_s`, as the kernel writes them: `[cascade * 2 + s][z][x]`.
pub fn evolve(initial: &InitialSpectrum, time_s: f64) -> Vec<[f64; 4]> {
    Cooperative::finish(evolve_in(&mut Cooperative::blocking(), initial, time_s))
}

pub(crate) async fn evolve_in(
    coop: &mut Cooperative,
    initial: &InitialSpectrum,
    time_s: f64,
) -> Vec<[f64; 4]> {
    let points = points(initial);
    let mut fields = vec![[0.0; 4]; 2 * initial.h0.len()];
    let add = |cascade: usize, here: usize, wave: Wave| {
        let [first, second] =
            evolve_wave(wave.h0, wave.h0_mirrored, wave.k, &initial.orbits, wave.turns);
        fields[2 * cascade * points + here] = first;
        fields[(2 * cascade + 1) * points + here] = second;
    };
    for_each_wave(coop, initial, time_s, add).await;
    fields
}

/// The rates of change of the spectra s = 0 at `time_s`, per second: `[cascade][z][x]`.
///
/// d/dt of h0 e^(-i omega t) is (-i omega h0) e^(-i omega t): the sea of those amplitudes.
pub fn evolve_rates(initial: &InitialSpectrum, time_s: f64) -> Vec<[f64; 4]> {
    let points = points(initial);
    let mut rates = vec![[0.0; 4]; initial.h0.len()];
    let add = |cascade: usize, here: usize, wave: Wave| {
        let of = |[re, im]: Complex| [wave.omega_rad_per_s * im, -wave.omega_rad_per_s * re];
        let [rate, _] =
            evolve_wave(of(wave.h0), of(wave.h0_mirrored), wave.k, &initial.orbits, wave.turns);
        rates[cascade * points + here] = rate;
    };
    Cooperative::finish(for_each_wave(&mut Cooperative::blocking(), initial, time_s, add));
    rates
}

fn points(initial: &InitialSpectrum) -> usize {
    initial.size as usize * initial.size as usize
}

struct Wave {
    h0: Complex,
    h0_mirrored: Complex,
    k: [f64; 2],
    turns: u32,
    omega_rad_per_s: f64,
}

/// Calls `body` with every wave's cascade, its index there, and the wave, and pauses in between.
async fn for_each_wave(
    coop: &mut Cooperative,
    initial: &InitialSpectrum,
    time_s: f64,
    mut body: impl FnMut(usize, usize, Wave),
) {
    let (size, points) = (initial.size as usize, points(initial));
    let ticks = initial.clock.ticks(time_s);
    for (cascade, band) in initial.cascades.iter().enumerate() {
        let h0 = &initial.h0[cascade * points..][..points];
        let omega = &initial.omega[cascade * points..][..points];
        for z in 0..size {
            coop.yield_if_due().await;
            for x in 0..size {
                let here = z * size + x;
                let mirrored = (size - z) % size * size + (size - x) % size;
                let wave = Wave {
                    h0: h0[here].map(f64::from),
                    h0_mirrored: h0[mirrored].map(f64::from),
                    k: band.wave_vector([x, z].map(|place| signed_index(place, size))),
                    turns: turns(omega[here], ticks),
                    omega_rad_per_s: initial.clock.omega_rad_per_s(omega[here]),
                };
                body(cascade, here, wave);
            }
        }
    }
}

/// The functions of `shaders/spectrum/evolve_wave.wgsl`, and the orbits of a wave: the packed spectra s = 0 and 1 of one
/// wave vector (kx, kz).
pub fn evolve_wave(
    h0: Complex,
    h0_mirrored: Complex,
    [kx, kz]: [f64; 2],
    orbits: &Orbits,
    turns: u32,
) -> [[f64; 4]; 2] {
    let (sin, cos) = (f64::from(turns) / 4_294_967_296.0 * TAU).sin_cos();
    // h0(k) e^(-i omega t) + conj(h0(-k)) e^(+i omega t)
    let a = multiply(h0, [cos, -sin]);
    let b = multiply([h0_mirrored[0], -h0_mirrored[1]], [cos, sin]);
    let h = [a[0] + b[0], a[1] + b[1]];

    let k = (kx * kx + kz * kz).sqrt();
    // k/|k| times the orbits' ratio: D = +i (k/|k|) ratio h.
    let axis = if k > 0.0 { [kx, kz].map(|part| part / k * orbits.ratio(k)) } else { [0.0; 2] };
    let i_h = [-h[1], h[0]];
    let displacement = multiply(i_h, axis);
    let height_and_slope = h.map(|part| (1.0 - kx) * part);
    let slope_and_shear = i_h.map(|part| (kz - kx * axis[1]) * part);
    let stretches = multiply(h, [-kx * axis[0], -kz * axis[1]]);
    [
        [displacement[0], displacement[1], height_and_slope[0], height_and_slope[1]],
        [slope_and_shear[0], slope_and_shear[1], stretches[0], stretches[1]],
    ]
}

fn multiply(a: Complex, b: Complex) -> Complex {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// The wave vector's index at a position in FFT order.
fn signed_index(position: usize, size: usize) -> i32 {
    let index = if 2 * position < size { position as i64 } else { position as i64 - size as i64 };
    index as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fft;
    use crate::settings::SeaState;

    const SIZE: usize = 32;

    #[derive(Clone, Copy, Debug)]
    struct Fields {
        dx: f64,
        dz: f64,
        h: f64,
        dxz: f64,
        hx: f64,
        hz: f64,
        dxx: f64,
        dzz: f64,
    }

    /// Fields of the first cascade, `[z][x]`, by way of a real transform of the packed spectra.
    fn fields(initial: &InitialSpectrum, time_s: f64) -> Vec<Fields> {
        let size = initial.size as usize;
        let packed = evolve(initial, time_s);
        let transform = |layer: usize, pair: usize| {
            let mut image: Vec<Complex> = packed[layer * size * size..][..size * size]
                .iter()
                .map(|value| [value[2 * pair], value[2 * pair + 1]])
                .collect();
            fft::lab::cpu::transform(
                &mut image,
                [initial.size; 2],
                fft::Axes::Both,
                fft::Direction::Inverse,
            )
            .unwrap();
            image
        };
        let images = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(layer, pair)| transform(layer, pair));
        (0..size * size)
            .map(|at| Fields {
                dx: images[0][at][0],
                dz: images[0][at][1],
                h: images[1][at][0],
                hx: images[1][at][1],
                hz: images[2][at][0],
                dxz: images[2][at][1],
                dxx: images[3][at][0],
                dzz: images[3][at][1],
            })
            .collect()
    }

    /// A spectrum of one wave: h = amplitude cos(k.x - omega t + phase), k = (i, j) dk.
    fn plane_wave(i: i32, j: i32, amplitude: f64, phase: f64) -> InitialSpectrum {
        let mut initial = InitialSpectrum::new(&SeaState::default(), SIZE as u32, 1).unwrap();
        initial.h0.fill([0.0; 2]);
        initial.omega.fill(0);
        let position = |index: i32| index.rem_euclid(SIZE as i32) as usize;
        let at = position(j) * SIZE + position(i);
        let half = 0.5 * amplitude;
        initial.h0[at] = [(half * phase.cos()) as f32, (half * phase.sin()) as f32];
        let multiple = initial.clock.multiple(1.3);
        initial.omega[at] = multiple;
        initial.omega[position(-j) * SIZE + position(-i)] = multiple;
        initial
    }

    #[test]
    fn plane_waves_have_the_right_fields_and_signs() {
        // Relative depths k d from deep to shallow water, and coth(k d) from tables.
        for (relative_depth, flat) in
            [(30.0, 1.0), (1.44, 1.118_947), (0.764, 1.554_178), (0.32, 3.230_946)]
        {
            each_field_of_plane_waves(relative_depth, flat);
        }
    }

    fn each_field_of_plane_waves(relative_depth: f64, flat: f64) {
        for (i, j) in [(3, 2), (-4, 5), (2, -7), (-1, -1), (5, 0), (0, 3), (0, -6)] {
            let (amplitude, phase) = (0.8, 0.6);
            let mut initial = plane_wave(i, j, amplitude, phase);
            let [kx, kz] = initial.cascades[0].wave_vector([i, j]);
            initial.orbits =
                Orbits { depth_m: relative_depth / kx.hypot(kz), breaking_rad_per_m: 1e3 };
            let spacing = initial.cascades[0].patch_size_m / SIZE as f64;
            let [kx, kz] = initial.cascades[0].wave_vector([i, j]);
            let k = (kx * kx + kz * kz).sqrt();
            let omega = initial.clock.omega_rad_per_s(initial.clock.multiple(1.3));
            // A whole number of ticks, so that the time is exact.
            for time_s in [0.0, 1.75, -40.5] {
                for (at, found) in fields(&initial, time_s).into_iter().enumerate() {
                    let (x, z) = (spacing * (at % SIZE) as f64, spacing * (at / SIZE) as f64);
                    // Travels towards +k: the phase falls with time.
                    let (sin, cos) = (kx * x + kz * z - omega * time_s + phase).sin_cos();
                    let (sin, cos) = (amplitude * sin, amplitude * cos);
                    for (name, found, wanted) in [
                        ("h", found.h, cos),
                        ("Dx", found.dx, -kx / k * flat * sin),
                        ("Dz", found.dz, -kz / k * flat * sin),
                        ("hx", found.hx, -kx * sin),
                        ("hz", found.hz, -kz * sin),
                        ("Dxx", found.dxx, -kx * kx / k * flat * cos),
                        ("Dzz", found.dzz, -kz * kz / k * flat * cos),
                        ("Dxz", found.dxz, -kx * kz / k * flat * cos),
                    ] {
                        assert!(
                            (found - wanted).abs() < 2e-6,
                            "{name} of ({i}, {j}) at t={time_s}, x={x}, z={z}: {found} is not {wanted}"
                        );
                    }
                }
            }
        }
    }

    /// Derivatives match their fields. A swap of two packed fields that share a value on one wave shows
    /// on a random sea.
    #[test]
    fn packed_spectra_of_random_seas_give_real_fields() {
        let sea = SeaState { wind_direction_deg: 50.0, ..Default::default() };
        let initial = InitialSpectrum::new(&sea, 64, 2).unwrap();
        let size = initial.size as usize;
        let packed = evolve(&initial, 321.5);
        for (cascade, band) in initial.cascades.iter().enumerate() {
            let dk = band.dk_rad_per_m();
            for z in 0..size {
                for x in 0..size {
                    let here = z * size + x;
                    let there = (size - z) % size * size + (size - x) % size;
                    // X(a) + i X(b) at k and -k gives X(a) and X(b) of two real fields.
                    let unpack = |s: usize, pair: usize| -> [Complex; 2] {
                        let layer = (2 * cascade + s) * size * size;
                        let value = |at: usize| {
                            let value = packed[layer + at];
                            [value[2 * pair], value[2 * pair + 1]]
                        };
                        let (p, q) = (value(here), value(there));
                        [
                            [0.5 * (p[0] + q[0]), 0.5 * (p[1] - q[1])],
                            [0.5 * (p[1] + q[1]), 0.5 * (q[0] - p[0])],
                        ]
                    };
                    let [dx, dz] = unpack(0, 0);
                    let [h, hx] = unpack(0, 1);
                    let [hz, dxz] = unpack(1, 0);
                    let [dxx, dzz] = unpack(1, 1);
                    let [kx, kz] = band.wave_vector([x, z].map(|place| signed_index(place, size)));
                    let k = (kx * kx + kz * kz).sqrt().max(dk);
                    for (name, found, from, factor) in [
                        ("Dx", dx, h, [0.0, kx / k]),
                        ("Dz", dz, h, [0.0, kz / k]),
                        ("hx", hx, h, [0.0, kx]),
                        ("hz", hz, h, [0.0, kz]),
                        ("Dxx", dxx, dx, [0.0, kx]),
                        ("Dxz", dxz, dx, [0.0, kz]),
                        ("Dzz", dzz, dz, [0.0, kz]),
                    ] {
                        let wanted = multiply(from, factor);
                        let error = (found[0] - wanted[0]).abs() + (found[1] - wanted[1]).abs();
                        assert!(error < 1e-12, "{name} at cascade {cascade}, ({x}, {z})");
                    }
                }
            }
        }
    }

    #[test]
    fn choppiness_sharpens_crests() {
        // A trochoid seen from fixed points: skewness +1.06 k a lambda to first order, the mean
        // over fixed points being the mean over particles weighted with the Jacobian.
        let (amplitude, lambda) = (1.0, 1.0);
        let mut initial = plane_wave(2, 0, amplitude, 0.3);
        let k = 0.05;
        initial.cascades[0].patch_size_m = 2.0 * TAU / k;
        let surface = fields(&initial, 3.0);
        let mean = |f: &dyn Fn(&Fields) -> f64| {
            let weight = |point: &Fields| 1.0 + lambda * point.dxx;
            let total: f64 = surface.iter().map(weight).sum();
            surface.iter().map(|point| weight(point) * f(point)).sum::<f64>() / total
        };
        let level = mean(&|point| point.h);
        let variance = mean(&|point| (point.h - level).powi(2));
        let skewness = mean(&|point| (point.h - level).powi(3)) / variance.powf(1.5);
        let expected = 1.06 * k * amplitude * lambda;
        assert!((skewness / expected - 1.0).abs() < 0.02, "{skewness} is not {expected}");
    }

    #[test]
    fn crests_of_a_random_sea_are_compressed() {
        let initial = InitialSpectrum::new(&SeaState::default(), 64, 1).unwrap();
        let surface = fields(&initial, 12.0);
        let sum: f64 = surface
            .iter()
            .map(|point| {
                let jacobian = (1.0 + point.dxx) * (1.0 + point.dzz) - point.dxz * point.dxz;
                point.h * (jacobian - 1.0)
            })
            .sum();
        assert!(sum < 0.0, "{sum}");
    }

    #[test]
    fn a_looped_sea_returns_exactly() {
        let sea = SeaState { loop_period_s: 7.3, ..Default::default() };
        let initial = InitialSpectrum::new(&sea, 32, 3).unwrap();
        let start = evolve(&initial, 0.0);
        assert_eq!(evolve(&initial, 7.3), start);
        assert_ne!(evolve(&initial, 3.1), start);
    }
}
