use crate::platform::Cooperative;
use crate::spectrum::Cascade;

/// The wave vectors that a cascade's grid carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lattice {
    /// Points along one side of the grid; even.
    size: usize,
    cascade: Cascade,
}

impl Lattice {
    pub fn new(size: u32, cascade: &Cascade) -> Self {
        Self { size: size as usize, cascade: *cascade }
    }

    /// Spacing of the wave vectors.
    pub fn dk_rad_per_m(&self) -> f64 {
        self.cascade.dk_rad_per_m()
    }

    /// Calls `body` for every length of wave vector within the band, in rad/m, with one of each two
    /// opposite wave vectors of that length, as multiples (x, z) of the spacing, and pauses in between.
    /// A surface is real: its amplitude at -k is the conjugate of that at k, so that both are one wave
    /// or, if they run towards each other, two that one instant cannot distinguish.
    ///
    /// A length comes up to four such pairs at a time, mirrored in the axes and diagonals, and
    /// sometimes more than once.
    pub async fn for_each_length(
        &self,
        coop: &mut Cooperative,
        mut body: impl FnMut(f64, &[[i32; 2]]),
    ) {
        let half = self.size as i32 / 2;
        let dk = self.dk_rad_per_m();
        for j in 0..half {
            coop.yield_if_due().await;
            // The Nyquist row and column hold no wave.
            for i in j..half {
                let k = dk * f64::from(i * i + j * j).sqrt();
                if !self.cascade.contains(k) || i == 0 {
                    continue;
                }
                let pairs = [[i, j], [-j, i], [j, i], [-i, j]];
                let on_a_mirror = j == 0 || i == j;
                body(k, if on_a_mirror { &pairs[..2] } else { &pairs });
            }
        }
    }

    /// The place of wave vector (x, z) in `[z][x]`.
    pub fn position(&self, [x, z]: [i32; 2]) -> usize {
        let wrapped = |index: i32| index.rem_euclid(self.size as i32) as usize;
        wrapped(z) * self.size + wrapped(x)
    }

    /// The wave vector (kx, kz) at `position`, in rad/m along the world's axes.
    pub fn wave_vector(&self, position: usize) -> [f64; 2] {
        let half = self.size / 2;
        let index = |at: usize| ((at + half) % self.size) as i32 - half as i32;
        self.cascade.wave_vector([index(position % self.size), index(position / self.size)])
    }

    /// The place of the wave vector opposite to the one at `position`.
    pub fn opposite(&self, position: usize) -> usize {
        let (x, z) = (position % self.size, position / self.size);
        (self.size - z) % self.size * self.size + (self.size - x) % self.size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_of_the_band_comes_once() {
        let cascade = Cascade {
            patch_size_m: 10.0,
            axis: [1.0, 0.0],
            first_rad_per_m: 1.5,
            last_rad_per_m: 9.0,
        };
        let lattice = Lattice::new(16, &cascade);
        let mut seen = [0; 256];
        let visit = |k: f64, pairs: &[[i32; 2]]| {
            assert!(cascade.contains(k));
            for &[x, z] in pairs {
                let length = lattice.dk_rad_per_m() * f64::from(x).hypot(f64::from(z));
                assert!((length / k - 1.0).abs() < 1e-12);
                let at = lattice.position([x, z]);
                assert_eq!(lattice.opposite(at), lattice.position([-x, -z]));
                seen[at] += 1;
                seen[lattice.opposite(at)] += 1;
            }
        };
        Cooperative::finish(lattice.for_each_length(&mut Cooperative::blocking(), visit));
        for z in -8..8 {
            for x in -8..8 {
                let k = lattice.dk_rad_per_m() * f64::from(x).hypot(f64::from(z));
                let is_held = cascade.contains(k) && x > -8 && z > -8;
                assert_eq!(seen[lattice.position([x, z])], i32::from(is_held), "{x} {z}");
            }
        }
    }
}
