//! Light: the sky with its clouds and its light on the sea ([`Sky`]), which triangle of the sea each
//! sample of the picture sees ([`Visibility`]), the light of the water ([`Water`]) and of the sky behind
//! it ([`SkyBackground`]) there, the light of pixels ([`Composite`]), the exposure ([`ExposureMeter`]),
//! glare ([`Glare`]), the way from radiance to a display ([`ToneMap`]), and the distance of each pixel
//! ([`RayDepth`]). [`Bed`] maps the ground of shallow water and the light that waves focus on it.
//!
//! Radiance is in kcd/m2 and irradiance in klx of a white that the sun has above the air, in
//! linear sRGB. The HDR target holds radiance times `exposure()`, with middle grey at 0.18.
//!
//! # Bind groups
//! WebGPU guarantees four, and all passes over the scene share the first three:
//!
//! | group | what | whose |
//! |---|---|---|
//! | 0 | view, grid, displaced vertices; kernels that light samples add tiles, triangles, depth, lights and the lists of the picture's tiles | [`Mesh`](crate::mesh::Mesh), [`Visibility`] |
//! | 1 | the sea's maps | [`Maps`](crate::maps::Maps), as `maps::sample_wgsl(1)` reads them |
//! | 2 | sky, clouds, exposure | [`Sky`] |
//! | 3 | the drawn thing; for the water, foam (as `foam::sample_wgsl(3)` reads it) and noise | [`Water`], .. |
//!
//! The kernel that lights the water has 15 of the 16 textures that are guaranteed, 4 of 16 samplers, 9 of 12
//! uniform buffers and 3 of 8 storage buffers (a test counts them). New inputs go where they change, and no
//! group is added:
//!
//! - a picture that the water mirrors is lit by a kernel of its own, as the sky and buoys are, and reaches
//!   the water as layers of one array texture;
//! - properties of the whole frame (an eye under water, rain, night) go into the uniforms of groups 0
//!   and 2, which grow and do not multiply; a map of stars beside the sky's tables, as a layer of one
//!   texture with them;
//! - everything else that moves the water (wakes, shores with their depth) goes into group 1, where
//!   every shader that asks for the surface finds it: [`Maps`](crate::maps::Maps) binds it behind the
//!   waves, and `maps/sample.wgsl` adds it up;
//! - layers on the water go behind the foam in group 3.
//!
//! Should textures run out, foam's noise joins the clouds' noises in an array, and the clouds' shadow
//! becomes layers of their dome: that frees three.

pub mod atmosphere;
mod bed;
#[cfg(test)]
mod bed_tests;
mod clouds;
mod composite;
#[cfg(test)]
mod facets_tests;
#[cfg(test)]
mod foam_light_tests;
mod foam_noise;
#[cfg(test)]
mod foam_picture_tests;
pub mod glare;
#[cfg(test)]
mod glints_tests;
pub mod meter;
pub mod multiple_scattering;
mod optics;
mod ray_depth;
mod scene;
#[cfg(test)]
mod sea_tests;
pub mod sky;
mod sky_background;
#[cfg(test)]
mod sun_path_tests;
#[cfg(test)]
mod tests;
pub mod tone;
mod underwater;
mod visibility;
#[cfg(test)]
mod visibility_tests;
mod water;

pub use bed::{Bed, BedScene};
pub use clouds::{CloudOptions, CloudScene};
pub use composite::{Composite, CompositeTargets};
pub use glare::{Glare, GlarePyramid, GlareShares};
pub use meter::ExposureMeter;
pub use optics::WaterOptics;
pub use ray_depth::RayDepth;
pub use scene::SceneBindings;
pub use sky::Sky;
pub use sky_background::SkyBackground;
pub use tone::ToneMap;
pub use underwater::Underwater;
pub(crate) use visibility::of_samples;
pub use visibility::{Visibility, VisibilityTargets};
pub use water::{Water, WaterDetail, WaterLook};

use crate::platform::Cooperative;

/// Makes the foam's pattern cooperatively, so that [`Water::new`] finds it ready.
pub(crate) async fn prepare_foam_noise(coop: &mut Cooperative) {
    foam_noise::FoamNoise::prepare(coop).await;
}

/// The format of light before tone mapping.
pub const HDR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// The format of the scene's depth, which is reversed: 1 at the near plane, 0 at infinity.
pub const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The depth state of a pipeline over the scene: it draws where `compare` holds, and then writes its own
/// depth if `is_written`.
pub(crate) fn depth_state(
    is_written: bool,
    compare: wgpu::CompareFunction,
) -> Option<wgpu::DepthStencilState> {
    Some(wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(is_written),
        depth_compare: Some(compare),
        stencil: Default::default(),
        bias: Default::default(),
    })
}

/// Every shader that this stage compiles: label, complete WGSL.
#[cfg(test)]
pub(crate) fn shaders() -> Vec<(String, String)> {
    [
        sky::SHADERS,
        clouds::SHADERS,
        meter::SHADERS,
        sky_background::SHADERS,
        visibility::SHADERS,
        composite::SHADERS,
        water::SHADERS,
        underwater::SHADERS,
        bed::SHADERS,
        glare::SHADERS,
        tone::SHADERS,
        ray_depth::SHADERS,
    ]
    .concat()
    .into_iter()
    .map(|name| (name.to_owned(), crate::gpu::shader::resolve(name).expect(name)))
    .collect()
}
