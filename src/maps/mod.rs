//! The transformed fields as textures for renderers.
//!
//! Takes the FFT's output, a buffer of `vec4<f32>` `[cascade][s][z][x]`; gives [`Maps`]:
//!
//! | layers | x | y | z | w |
//! |---|---|---|---|---|
//! | displacement, one per cascade | Dx | Dz | h | dh/dx |
//! | derivatives, one per cascade | dh/dz | dDx/dz | dDx/dx | dDz/dz |
//!
//! before choppiness, in metres and as plain ratios, with the mips that can show a wave
//! ([`MapsDescriptor::levels`]), and a bind group for shaders that import `maps/sample.wgsl` ([`SAMPLE_OCEAN_WGSL`]). Texel (x, z) of level 0
//! of a cascade holds the value at (x, z) times `patch_size_m / size`, in metres.
//!
//! [`StorePass`] stores level 0, or the transform does, by `MapsStage::store_hook`; [`MapsStage`] makes the
//! other levels. [`cpu`] is the twin of the sampling shader in double precision.

pub mod cpu;
mod gpu_data;
mod place;
mod sampling;
mod stage;
mod textures;
mod tiles;

pub(crate) use place::Place;
pub use sampling::CascadeSampling;
pub use stage::{MapsStage, StorePass};
pub(crate) use textures::finite;
pub use textures::{MapFormat, Maps, MapsDescriptor, MapsError};

/// WGSL functions that read the ocean: `ocean_displacement`, `ocean_surface`, `ocean_normal`,
/// `ocean_jacobian` and `ocean_foam`. Put it in front of your shader, with [`Maps::bind_group`] at group
/// 1; it imports nothing and its names all start with `ocean`, `Ocean` or `OCEAN_`.
pub const SAMPLE_OCEAN_WGSL: &str = include_str!("../../shaders/maps/sample.wgsl");

/// Every shader that this stage compiles: label, complete WGSL.
#[cfg(test)]
pub(crate) fn shaders() -> Vec<(String, String)> {
    use crate::choice::Choice;
    let mut shaders = vec![("maps::sample".to_owned(), SAMPLE_OCEAN_WGSL.to_owned())];
    for format in MapFormat::ALL {
        shaders.push((
            format!("maps::store {format}"),
            stage::store_shader(*format).compose().unwrap().text().to_owned(),
        ));
        let reads = stage::SourceReads::of(*format);
        shaders.push((
            format!("maps::mips {format}"),
            stage::mips_shader(*format, reads).compose().unwrap().text().to_owned(),
        ));
    }
    shaders
}

#[cfg(test)]
mod tests {
    #[test]
    fn shaders_are_valid() {
        crate::gpu::assert_valid(super::shaders());
    }
}
