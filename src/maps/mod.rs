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
//! ([`MapsDescriptor::levels`]), and a bind group for shaders that sample them ([`sample_wgsl`]).
//! Texel (x, z) of level 0 of a cascade holds the value at (x, z) times `patch_size_m / size`, in metres.
//!
//! [`StorePass`] stores level 0, or the transform does, by `MapsStage::store_hook`; [`MapsStage`] makes the
//! other levels. [`cpu`] is the twin of the sampling shader in double precision.

pub mod cpu;
mod gpu_data;
mod mips;
mod place;
mod sampling;
mod stage;
mod textures;
mod tiles;

pub(crate) use mips::{LEVELS_PER_DISPATCH, Mips};
pub(crate) use place::Place;
pub use sampling::CascadeSampling;
pub use stage::{MapsStage, StorePass};
pub(crate) use textures::finite;
pub use textures::{MapFormat, Maps, MapsDescriptor, MapsError};

/// WGSL functions that read the ocean: `ocean_displacement`, `ocean_surface`, `ocean_normal`,
/// `ocean_jacobian` and `ocean_foam`. Put them in front of your shader, with [`Maps::bind_group`] at bind
/// group `group`. They import nothing, and their names all start with `ocean`, `Ocean` or `OCEAN_`.
/// [`shading::water_wgsl`](crate::shading::water_wgsl) adds the light in the water.
///
/// ```
/// let wgsl = seaway::maps::sample_wgsl(2)
///     + "fn height_m(rest: vec2<f32>) -> f32 { return ocean_displacement(rest, 0.0).y; }";
/// # assert!(wgsl.contains("@group(2)") && !wgsl.contains("@group(1)"));
/// ```
pub fn sample_wgsl(group: u32) -> String {
    include_str!("../../shaders/maps/sample.wgsl").replace("@group(1)", &format!("@group({group})"))
}

/// Every shader that this stage compiles: label, complete WGSL.
#[cfg(test)]
pub(crate) fn shaders() -> Vec<(String, String)> {
    use crate::choice::Choice;
    let mut shaders = vec![("maps::sample".to_owned(), sample_wgsl(1))];
    for format in MapFormat::ALL {
        shaders.push((
            format!("maps::store {format}"),
            stage::store_shader(*format).compose().unwrap().text().to_owned(),
        ));
        shaders.push((
            format!("maps::mips {format}"),
            mips::shader(*format).compose().unwrap().text().to_owned(),
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
