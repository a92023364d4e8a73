//! The twin of `shaders/spectrum/evolve.wgsl` on the processor, in double precision: the same
//! quantised time and frequency, the same layout. The reference that the kernel is tested
//! against, and what physics tests run on.

use std::f64::consts::TAU;

use super::InitialSpectrum;
use super::phase::turns;

/// A complex number (re, im).
type Complex = [f64; 2];

/// The packed spectra at `time_s`, as the kernel writes them: `[cascade * 2 + s][z][x]`.
pub fn evolve(initial: &InitialSpectrum, time_s: f64) -> Vec<[f64; 4]> {
    let size = initial.size as usize;
    let points = size * size;
    let ticks = initial.clock.ticks(time_s);
    let mut fields = vec![[0.0; 4]; 2 * initial.h0.len()];
    for (cascade, band) in initial.cascades.iter().enumerate() {
        let dk = band.dk_rad_per_m();
        let h0 = &initial.h0[cascade * points..][..points];
        let omega = &initial.omega[cascade * points..][..points];
        let (displacement, derivatives) =
            fields[2 * cascade * points..][..2 * points].split_at_mut(points);
        for z in 0..size {
            for x in 0..size {
                let here = z * size + x;
                let mirrored = (size - z) % size * size + (size - x) % size;
                let [first, second] = evolve_wave(
                    h0[here].map(f64::from),
                    h0[mirrored].map(f64::from),
                    [dk * signed_index(x, size), dk * signed_index(z, size)],
                    turns(omega[here], ticks),
                );
                displacement[here] = first;
                derivatives[here] = second;
            }
        }
    }
    fields
}

/// `evolve_wave` of `shaders/spectrum/evolve_wave.wgsl`: the packed spectra s = 0 and 1 of one
/// wave vector (kx, kz).
pub fn evolve_wave(
    h0: Complex,
    h0_mirrored: Complex,
    [kx, kz]: [f64; 2],
    turns: u32,
) -> [[f64; 4]; 2] {
    let (sin, cos) = (f64::from(turns) / 4_294_967_296.0 * TAU).sin_cos();
    // h0(k) e^(-i omega t) + conj(h0(-k)) e^(+i omega t)
    let a = multiply(h0, [cos, -sin]);
    let b = multiply([h0_mirrored[0], -h0_mirrored[1]], [cos, sin]);
    let h = [a[0] + b[0], a[1] + b[1]];

    let k = (kx * kx + kz * kz).sqrt();
    let inverse_k = if k > 0.0 { 1.0 / k } else { 0.0 };
    let i_h = [-h[1], h[0]];
    let displacement = multiply(i_h, [kx * inverse_k, kz * inverse_k]);
    let height_and_shear = multiply(h, [1.0, -kx * kz * inverse_k]);
    let slopes = multiply(i_h, [kx, kz]);
    let stretches = multiply(h, [-kx * kx * inverse_k, -kz * kz * inverse_k]);
    [
        [displacement[0], displacement[1], height_and_shear[0], height_and_shear[1]],
        [slopes[0], slopes[1], stretches[0], stretches[1]],
    ]
}

fn multiply(a: Complex, b: Complex) -> Complex {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// The wave vector's index at a position in FFT order.
fn signed_index(position: usize, size: usize) -> f64 {
    let position = position as f64;
    if position < 0.5 * size as f64 { position } else { position - size as f64 }
}
