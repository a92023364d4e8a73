//! The FFT algorithms and sizes that the adapter can run for the ocean, for the panel and the keys.

use crate::app::platform::STRINGS;
use crate::fft::lab::{Algorithm, AlgorithmChoice, Configuration};
use crate::gpu::Capabilities;
use crate::ocean::{OceanOptions, OceanPath};

/// Sizes on offer, up to the adapter's limit.
pub(super) const SIZES: [u32; 9] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FftChoice {
    pub algorithm: AlgorithmChoice,
    /// Points along one side of each cascade's grid.
    pub size: u32,
    pub cascades: u32,
    pub path: OceanPath,
}

/// The algorithm and dispatches of an ocean's transform; `None` where only measuring decides them.
pub(super) type Planned = Option<(Algorithm, usize)>;

impl FftChoice {
    /// Complex images of the ocean's transform.
    pub fn images(self) -> u32 {
        4 * self.cascades
    }

    /// The ocean of this choice; `auto` counts as the best known.
    pub fn ocean(self) -> OceanOptions {
        OceanOptions {
            size: self.size,
            cascades: self.cascades,
            path: self.path,
            algorithm: self.algorithm.named().map(Configuration::from),
            ..OceanOptions::default()
        }
    }

    /// Returns the algorithm and dispatches of the ocean's transform, or why the adapter cannot run it; for
    /// `auto` they depend on its choice. Planning writes kernels, which is too slow for every frame.
    pub fn planned(self, capabilities: &Capabilities) -> Result<Planned, String> {
        if let (AlgorithmChoice::Auto, Some(reason)) = (self.algorithm, STRINGS.no_tuning) {
            return Err(reason.to_owned());
        }
        let planned = self.ocean().planned(capabilities).map_err(|error| error.to_string())?;
        Ok((self.algorithm != AlgorithmChoice::Auto).then_some(planned))
    }

    /// Returns the next larger or smaller size. The error is the reason why there is none.
    pub fn other_size(self, larger: bool, capabilities: &Capabilities) -> Result<u32, String> {
        let size = if larger {
            SIZES.into_iter().find(|size| *size > self.size)
        } else {
            SIZES.into_iter().rev().find(|size| *size < self.size)
        };
        let Some(size) = size else {
            let end = if larger { "largest" } else { "smallest" };
            return Err(format!("{} is the {end} FFT size.", self.size));
        };
        match (Self { size, ..self }).planned(capabilities) {
            Ok(_) => Ok(size),
            Err(reason) => Err(format!("{} at {size}: {reason}", self.algorithm)),
        }
    }

    /// Returns the next algorithm, or `auto`, that the adapter can run at this size; the current one if there
    /// is no other.
    pub fn next_algorithm(self, capabilities: &Capabilities) -> AlgorithmChoice {
        let all: Vec<_> = AlgorithmChoice::of_powers_of_two().collect();
        let here = all.iter().position(|known| *known == self.algorithm).unwrap_or(0);
        let others = all.iter().cycle().skip(here + 1).take(all.len()).copied();
        others
            .into_iter()
            .find(|algorithm| Self { algorithm: *algorithm, ..self }.planned(capabilities).is_ok())
            .unwrap_or(self.algorithm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: FftChoice = FftChoice {
        algorithm: AlgorithmChoice::Auto,
        size: 256,
        cascades: 1,
        path: OceanPath::Plain,
    };

    #[test]
    fn sizes_step_within_what_is_on_offer() {
        let webgpu = Capabilities::webgpu_defaults();
        assert_eq!(START.other_size(true, &webgpu), Ok(512));
        assert_eq!(START.other_size(false, &webgpu), Ok(128));
        // One that another adapter could run, and down from there.
        assert_eq!(FftChoice { size: 4096, ..START }.other_size(false, &webgpu), Ok(2048));
        let too_large = FftChoice { size: 2048, ..START }.other_size(true, &webgpu);
        assert!(too_large.unwrap_err().contains("4096"));
        let end = FftChoice { size: 16, ..START }.other_size(false, &webgpu);
        assert!(end.unwrap_err().contains("smallest"));
        let end = FftChoice { size: 4096, ..START }.other_size(true, &webgpu);
        assert!(end.unwrap_err().contains("largest"));
    }

    #[test]
    fn the_choice_cycles_through_algorithms_that_run() {
        let webgpu = Capabilities::webgpu_defaults();
        for size in [256, 2048] {
            let mut choice = FftChoice { size, ..START };
            let mut seen = Vec::new();
            loop {
                choice.algorithm = choice.next_algorithm(&webgpu);
                if seen.contains(&choice.algorithm) {
                    break;
                }
                assert!(choice.planned(&webgpu).is_ok(), "{choice:?}");
                seen.push(choice.algorithm);
            }
            let able = AlgorithmChoice::of_powers_of_two()
                .filter(|&algorithm| {
                    FftChoice { algorithm, size, ..START }.planned(&webgpu).is_ok()
                })
                .count();
            assert_eq!(seen.len(), able, "at {size}");
        }
    }
}
