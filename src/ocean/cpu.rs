//! The twin of the whole step up to the maps on the processor, in double precision.

use crate::fft::{self, Axes, Direction};
use crate::maps::cpu::Fields;
use crate::spectrum::{self, InitialSpectrum};

/// The eight fields of every cascade at `time_s`, `[cascade][z][x]`: what level 0 of the maps holds.
pub fn fields(initial: &InitialSpectrum, time_s: f64) -> Vec<Vec<Fields>> {
    let points = (initial.size * initial.size) as usize;
    let packed = spectrum::cpu::evolve(initial, time_s);
    // Each complex image carries two fields.
    let image = |layer: usize, pair: usize| {
        let mut image: Vec<[f64; 2]> = packed[layer * points..][..points]
            .iter()
            .map(|texel| [texel[2 * pair], texel[2 * pair + 1]])
            .collect();
        fft::lab::cpu::transform(&mut image, [initial.size; 2], Axes::Both, Direction::Inverse)
            .expect("the size of a spectrum is a power of two");
        image
    };
    (0..initial.cascades.len())
        .map(|cascade| {
            let images =
                [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(s, pair)| image(2 * cascade + s, pair));
            (0..points)
                .map(|at| std::array::from_fn(|field| images[field / 2][at][field % 2]))
                .collect()
        })
        .collect()
}
