//! A post: a wooden pile that stands in the bed.

use glam::vec2;

use super::shape::Shape;
use super::{Finish, HullPoint, Material, Model};

const RADIUS_M: f32 = 0.15;
const TOP_M: f32 = 2.5;
const FOOT_M: f32 = -4.0;

/// A round pile, 0.3 m thick, from 4 m below its origin to 2.5 m above it. Its upper end is painted, white and then
/// red. It is made for [`Stand::Fixed`](super::Stand::Fixed).
///
/// ```
/// use seaway::objects::{Object, Stand, post};
///
/// let posts = [10.0, 20.0, 30.0].map(|x_m| Object {
///     position_m: [x_m, 0.0],
///     stand: Stand::Fixed { height_m: 0.0 },
///     ..Default::default()
/// });
/// assert!(post().vertices.iter().all(|vertex| vertex.position_m[1] <= 2.5));
/// # assert_eq!(posts.len(), 3);
/// ```
pub fn post() -> Model {
    let mut shape = Shape::default();
    build(&mut shape, 24);
    let near = shape.indices.len() as u32;
    build(&mut shape, 8);
    let all = shape.indices.len() as u32;
    let painted = |albedo| Material {
        albedo,
        roughness: 0.5,
        finish: Finish::Weathered,
        ..Default::default()
    };
    Model {
        vertices: shape.vertices,
        indices: shape.indices,
        near: 0..near,
        far: near..all,
        materials: vec![
            painted([0.19, 0.13, 0.085]),
            painted([0.70, 0.70, 0.66]),
            painted([0.40, 0.028, 0.020]),
        ],
        hull: vec![HullPoint { position_m: [0.0; 3], waterplane_m2: 0.07 }],
        mass_kg: 300.0,
        footprint_m: 0.5,
    }
}

fn build(shape: &mut Shape, around: u32) {
    for (material, low_m, high_m) in [(0, FOOT_M, 1.3), (1, 1.3, 1.9), (2, 1.9, TOP_M)] {
        shape.part(material, 1.0);
        shape.revolve(around, &[vec2(RADIUS_M, low_m), vec2(RADIUS_M, high_m)]);
    }
    shape.revolve(around, &[vec2(RADIUS_M, TOP_M), vec2(0.0, TOP_M)]);
    shape.part(0, 1.0);
    shape.revolve(around, &[vec2(0.0, FOOT_M), vec2(RADIUS_M, FOOT_M)]);
}
