//! The directional spectrum Psi(k): the variance of the surface per area of wave-vector space.

use super::frequency::integrate_log;
use super::short_waves::Tail;
use super::system::{Part, unit};
use super::wind::SHORTEST_RAD_PER_M;
use super::{Dispersion, Orbits, WaveSystem};
use crate::settings::SeaState;

/// Psi(k) = F(k) D(theta; omega) / k, F(k) = S(omega) |d omega/d k|, summed over the systems of one
/// sea state. Its integral over the plane is the variance of the surface.
#[derive(Clone, Debug, PartialEq)]
pub struct DirectionalSpectrum {
    /// The dispersion relation of the waves.
    pub dispersion: Dispersion,
    /// The horizontal motion of the water.
    pub orbits: Orbits,
    /// The unit vector (x, z) in whose direction the wind blows.
    pub wind_towards: [f64; 2],
    systems: Vec<WaveSystem>,
    /// Replaces the short waves of the wind sea's own spectrum.
    tail: Option<Tail>,
    /// The wavenumbers in rad/m that hold all of the waves.
    range_rad_per_m: [f64; 2],
}

/// The common properties of all wave vectors of one length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring<'a> {
    /// The frequency of its waves, in rad/s.
    pub omega_rad_per_s: f64,
    /// Parts whose densities are F(k)/k in m4, which is Psi without its spreading.
    parts: [Part<'a>; Ring::PARTS],
}

impl<'a> Ring<'a> {
    /// Two of the wind sea or of a recorded one, one of each swell, and the short waves.
    const PARTS: usize = 5;

    /// Psi in m4 for the wave vector towards (x, z), a unit vector.
    ///
    /// For a sum over directions `width_rad` apart: the lobes of a recorded sea may be narrower than that,
    /// and their mean over the width is returned. Those of models are wide.
    pub fn psi_m4(&self, x: f64, z: f64, width_rad: f64) -> f64 {
        self.parts().map(|part| part.density_towards(x, z, width_rad)).sum()
    }

    /// Psi in m4, for all directions together, times their k_i k_j over k^2: (xx, zz, xz).
    fn second_moments_m4(&self) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for part in self.parts() {
            sum.iter_mut().zip(part.second_moments()).for_each(|(sum, moment)| *sum += moment);
        }
        sum
    }

    fn parts(&self) -> impl Iterator<Item = &Part<'a>> {
        self.parts.iter().filter(|part| part.density > 0.0)
    }
}

impl DirectionalSpectrum {
    /// The step of integrals in ln k, the width of a swell's peak.
    const STEP: f64 = 0.004;

    /// Computes the spectrum of `sea`.
    pub fn of(sea: &SeaState) -> Self {
        let dispersion = Dispersion::of(sea);
        let systems = WaveSystem::of(sea);
        let tail = Tail::of(sea, &dispersion, &systems[0]);
        let (mut first, mut last) = (f64::INFINITY, 0.0_f64);
        for system in &systems {
            let [lowest, highest] = system.frequency.range_rad_per_s();
            first = first.min(dispersion.wavenumber_rad_per_m(lowest));
            last = last.max(dispersion.wavenumber_rad_per_m(highest));
        }
        let last = if tail.is_some() { SHORTEST_RAD_PER_M } else { last };
        let orbits = Orbits::of(sea, &systems);
        let wind_towards = unit(sea.wind_direction_deg);
        Self { dispersion, orbits, wind_towards, systems, tail, range_rad_per_m: [first, last] }
    }

    /// The wind sea or the recorded sea, and then the swells.
    pub fn systems(&self) -> &[WaveSystem] {
        &self.systems
    }

    /// The wavenumbers in rad/m that hold all of the waves.
    pub fn range_rad_per_m(&self) -> [f64; 2] {
        self.range_rad_per_m
    }

    /// The ring of wave vectors of length `k_rad_per_m`, which must be greater than 0. It has no waves
    /// beyond their range.
    pub fn ring(&self, k_rad_per_m: f64) -> Ring<'_> {
        let k = k_rad_per_m;
        let mut parts = [Part::NONE; Ring::PARTS];
        let omega_rad_per_s = self.dispersion.omega_rad_per_s(k);
        if k >= self.range_rad_per_m[1] {
            return Ring { omega_rad_per_s, parts };
        }
        let weight = self.tail.map_or(0.0, |tail| tail.weight(k));
        let mut places = parts.iter_mut();
        for (index, system) in self.systems.iter().enumerate() {
            let kept = if index == 0 { 1.0 - weight } else { 1.0 };
            let waves = system.at(&self.dispersion, k).map(|part| part.times(kept / k));
            let waves = waves.into_iter().filter(|part| part.density > 0.0);
            waves.zip(places.by_ref()).for_each(|(part, place)| *place = part);
        }
        if let Some(tail) = self.tail.filter(|_| weight > 0.0) {
            let (density, lobe) = tail.at(k);
            let density = weight * density / k;
            parts[Ring::PARTS - 1] = Part::of_lobe(density, lobe, self.wind_towards);
        }
        Ring { omega_rad_per_s, parts }
    }

    /// F(k) in m3: the variance per wavenumber, of all directions together.
    pub fn density_m3(&self, k_rad_per_m: f64) -> f64 {
        self.ring(k_rad_per_m).parts().map(|part| part.density).sum::<f64>() * k_rad_per_m
    }

    /// Psi of one wave vector (kx, kz) in rad/m; 0 for the zero vector.
    pub fn psi_m4(&self, kx: f64, kz: f64) -> f64 {
        let k = (kx * kx + kz * kz).sqrt();
        if k > 0.0 { self.ring(k).psi_m4(kx / k, kz / k, 0.0) } else { 0.0 }
    }

    /// Variance in m2 of the waves from one wavenumber to another.
    pub fn band_variance_m2(&self, first_rad_per_m: f64, last_rad_per_m: f64) -> f64 {
        self.moment(0, first_rad_per_m, last_rad_per_m)
    }

    /// The integral of omega^`order` over the waves' variance from one wavenumber to another, in m2
    /// (rad/s)^`order`.
    pub fn moment(&self, order: i32, first_rad_per_m: f64, last_rad_per_m: f64) -> f64 {
        let [first, last] = self.range_rad_per_m();
        integrate_log(first_rad_per_m.max(first), last_rad_per_m.min(last), Self::STEP, |k| {
            self.density_m3(k) * self.dispersion.omega_rad_per_s(k).powi(order)
        })
    }

    /// Root mean square of the horizontal over the vertical displacement of the waves from one
    /// wavenumber to another ([`Orbits::ratio`]); 1 where there are none.
    pub(super) fn mean_orbit_ratio(&self, first_rad_per_m: f64, last_rad_per_m: f64) -> f64 {
        const STEP: f64 = 0.02;
        let [first, last] = self.range_rad_per_m();
        let (first, last) = (first_rad_per_m.max(first), last_rad_per_m.min(last));
        let sum = |weight: &dyn Fn(f64) -> f64| {
            integrate_log(first, last, STEP, |k| weight(k) * self.density_m3(k))
        };
        let vertical = sum(&|_| 1.0);
        let horizontal = sum(&|k| self.orbits.ratio(k).powi(2));
        if vertical > 0.0 { (horizontal / vertical).sqrt() } else { 1.0 }
    }

    /// Covariance (xx, zz, xz) of the slopes of the waves from one wavenumber to another.
    pub fn slope_covariance(&self, first_rad_per_m: f64, last_rad_per_m: f64) -> [f64; 3] {
        const STEP: f64 = 0.02;
        let [first, last] = self.range_rad_per_m();
        let (first, last) = (first_rad_per_m.max(first), last_rad_per_m.min(last));
        if first >= last {
            return [0.0; 3];
        }
        let steps = (libm::log(last / first) / STEP).ceil().max(8.0);
        let step = libm::log(last / first) / steps;
        let mut sum = [0.0; 3];
        for index in 0..steps as u32 {
            let k = first * libm::exp(step * (f64::from(index) + 0.5));
            let weight = k * k * k * k * step;
            for (sum, moment) in sum.iter_mut().zip(self.ring(k).second_moments_m4()) {
                *sum += weight * moment;
            }
        }
        sum
    }
}
