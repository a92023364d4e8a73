//! Objects in the sea, such as the buoys around the origin, which give the eye a scale.
//!
//! Takes the ocean's maps, the sky and the view; gives the objects that a pass draws besides the water, and their
//! images, by which the water mirrors them.
//!
//! - [`Model`], [`Object`]: what there is, as data. [`buoy()`] and [`post()`] are models, and [`fairway`] are the objects of
//!   a frame that was given no others ([`Frame::set_objects`](crate::frame::Frame::set_objects)).
//! - [`Objects`]: a dispatch that floats those in view, and the pipelines that draw them.
//! - `images`: their images, for [`ObjectImages`](crate::shading::ObjectImages).
//! - `wetness`: how high the water has reached around each in the last seconds.
//!
//! An object stays over its mooring, at the height of the water there, its mast along the water's normal or its hull
//! on the plane of the water under it, without waves shorter than its hull. Its pose has no history: it follows from
//! the sea's time alone, and the resolution of the mesh at its distance, since it floats on the drawn water.

mod buoy;
mod gpu_data;
mod images;
mod moorings;
mod object;
mod post;
mod shape;
mod stage;
#[cfg(test)]
mod tests;
mod wetness;

pub use buoy::buoy;
pub use images::ImageScene;
pub use moorings::{MOORINGS, Mark, Mooring, fairway};
pub use object::{
    Character, Finish, HullPoint, Lamp, Material, Model, Object, ObjectsError, SEA_DENSITY_KG_M3,
    Stand, Vertex,
};
pub use post::post;
pub use stage::Objects;

/// Every shader that this module compiles: label and complete WGSL.
#[cfg(test)]
pub(crate) fn shaders() -> Vec<(String, String)> {
    let resolved = |name: &str| crate::gpu::shader::resolve(name).expect(name);
    let [frames, image] = images::SHADERS;
    [stage::FLOAT, stage::DRAW, stage::LIGHT, frames, image, wetness::SHADER]
        .map(|name| (name.to_owned(), resolved(name)))
        .into()
}
