//! A buoy: a steel float, a lattice that carries daymark boards, a platform with the lantern, and a topmark.
//! In metres, in a frame of its own: y along the mast, the waterline at y = 0.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, TAU};

use glam::{Vec2, Vec3, vec2, vec3};

use super::shape::Shape;
use super::{Finish, HullPoint, Mark, Material, Model, SEA_DENSITY_KG_M3};

/// The radius at the waterline, in metres.
const RADIUS_M: f32 = 1.25;
/// The height of the lens.
pub(super) const LAMP_M: f32 = 3.15;
/// The mass of a steel buoy of this size, with its ballast and chain.
const MASS_KG: f64 = 5000.0;
/// The footprint of the hull: it does not feel waves that a mesh of this spacing could not show.
const FOOTPRINT_M: f64 = 2.5;

/// The materials, in the order of [`buoy`]'s.
const PAINT: u32 = 0;
const RUBBER: u32 = 1;
const DECK: u32 = 2;
const LENS: u32 = 3;
const PANEL: u32 = 4;
/// The topmark of a mark, which only its buoys have.
const fn topmark(mark: Mark) -> u32 {
    5 + mark as u32
}

/// A buoy of the maritime buoyage system, 4.1 m high over the water, that takes paints, lamp and topmark from
/// its [`Object`](super::Object). It stands along the water's normal.
///
/// ```
/// let buoy = seaway::objects::buoy();
/// assert_eq!(buoy.materials.len(), 9);
/// println!("a buoy of {} kg", buoy.mass_kg);
/// ```
pub fn buoy() -> Model {
    let mut shape = Shape::default();
    build(&mut shape, Detail { around: 28, tube: 5, is_fine: true });
    let near = shape.indices.len() as u32;
    build(&mut shape, Detail { around: 10, tube: 3, is_fine: false });
    let all = shape.indices.len() as u32;
    let plain = |albedo, roughness| Material { albedo, roughness, ..Default::default() };
    let paint = Material { roughness: 0.42, finish: Finish::Paint, ..Default::default() };
    let of_mark = |mark| {
        let finish = if mark == Mark::SafeWater { Finish::SecondPaint } else { Finish::Paint };
        Material { finish, topmark: Some(mark as u32), ..paint }
    };
    let waterplane_m2 = std::f64::consts::PI * f64::from(RADIUS_M * RADIUS_M);
    let draught_m = MASS_KG / (SEA_DENSITY_KG_M3 * waterplane_m2);
    Model {
        vertices: shape.vertices,
        indices: shape.indices,
        near: 0..near,
        far: near..all,
        materials: vec![
            paint,
            plain([0.022; 3], 0.7),
            plain([0.075, 0.078, 0.08], 0.75),
            Material { roughness: 0.15, finish: Finish::Lens, ..Default::default() },
            plain([0.008, 0.011, 0.026], 0.12),
            of_mark(Mark::Port),
            of_mark(Mark::Starboard),
            of_mark(Mark::Special),
            of_mark(Mark::SafeWater),
        ],
        hull: vec![HullPoint { position_m: [0.0, -draught_m, 0.0], waterplane_m2 }],
        mass_kg: MASS_KG,
        footprint_m: FOOTPRINT_M,
    }
}

/// The resolution of a model.
#[derive(Clone, Copy)]
struct Detail {
    /// The number of sides of round parts.
    around: u32,
    tube: u32,
    /// Whether it has parts that are visible from nearby only.
    is_fine: bool,
}

fn build(shape: &mut Shape, detail: Detail) {
    float(shape, detail);
    tower(shape, detail);
    lantern(shape, detail);
    topmarks(shape, detail);
}

fn float(shape: &mut Shape, detail: Detail) {
    let around = detail.around;
    shape.part(PAINT, 0.85);
    let bilge = [(0.0, -1.15), (0.62, -1.08), (1.05, -0.72), (RADIUS_M, -0.15), (RADIUS_M, 0.38)];
    let bilge = bilge.map(|(radius, y)| vec2(radius, y));
    shape.revolve(around, if detail.is_fine { &bilge } else { &bilge[2..] });
    shape.part(RUBBER, 0.8);
    let fender = [(RADIUS_M, 0.38), (1.32, 0.40), (1.35, 0.46), (1.32, 0.52), (RADIUS_M, 0.54)];
    let fender: Vec<_> = fender.iter().map(|&(radius, y)| vec2(radius, y)).collect();
    if detail.is_fine {
        shape.revolve(around, &fender);
    } else {
        shape.revolve(around, &[fender[0], fender[4]]);
    }
    shape.part(PAINT, 1.0);
    let gunwale = [vec2(RADIUS_M, 0.54), vec2(RADIUS_M, 0.66), vec2(1.21, 0.72), vec2(1.12, 0.75)];
    let coarse_gunwale = [gunwale[0], gunwale[2], gunwale[3]];
    shape.revolve(around, if detail.is_fine { &gunwale } else { &coarse_gunwale });
    shape.part(DECK, 0.75);
    let deck = [vec2(1.12, 0.75), vec2(0.6, 0.79), vec2(0.0, 0.81)];
    if detail.is_fine {
        shape.revolve(around, &deck);
    } else {
        shape.revolve(around, &[deck[0], deck[2]]);
    }
}

/// Foot and head of the lattice's legs, by distance from the mast and height.
const LEG: [Vec2; 2] = [vec2(0.84, 0.74), vec2(0.34, 2.80)];
/// Boards cover the lattice between these heights.
const BOARDS_M: [f32; 2] = [1.72, 2.66];
const PLATFORM_M: f32 = 2.80;

fn leg(index: usize, y_m: f32) -> Vec3 {
    let [foot, head] = LEG;
    let radius = foot.x + (head.x - foot.x) * (y_m - foot.y) / (head.y - foot.y);
    let (sin, cos) = (FRAC_PI_4 + FRAC_PI_2 * index as f32).sin_cos();
    vec3(radius * cos, y_m, radius * sin)
}

fn tower(shape: &mut Shape, detail: Detail) {
    let Detail { around, tube, is_fine } = detail;
    shape.part(PAINT, 0.8);
    for side in 0..4 {
        shape.tube(leg(side, LEG[0].y), leg(side, LEG[1].y), 0.05, tube);
        let next = (side + 1) % 4;
        if is_fine {
            shape.tube(leg(side, 1.24), leg(next, 1.24), 0.03, tube);
            for bay in [[0.80, 1.24], [1.24, BOARDS_M[0]]] {
                shape.tube(leg(side, bay[0]), leg(next, bay[1]), 0.022, tube);
                shape.tube(leg(next, bay[0]), leg(side, bay[1]), 0.022, tube);
            }
        } else {
            shape.tube(leg(side, 0.80), leg(next, BOARDS_M[0]), 0.03, tube);
            shape.tube(leg(next, 0.80), leg(side, BOARDS_M[0]), 0.03, tube);
        }
    }

    // Slatted boards lie on the faces, with gaps between them.
    shape.part(PAINT, 1.0);
    let slats = if is_fine { 3 } else { 1 };
    let [low, high] = BOARDS_M;
    let pitch = (high - low) / slats as f32;
    let gap = if is_fine { 0.045 } else { 0.0 };
    for slat in 0..slats {
        let bottom = low + pitch * slat as f32;
        let top = bottom + pitch - gap;
        for side in 0..4 {
            let corners =
                [(side, bottom), (side, top), ((side + 1) % 4, top), ((side + 1) % 4, bottom)]
                    .map(|(side, y)| leg(side, y) * vec3(1.07, 1.0, 1.07));
            shape.plate(corners, 0.03);
        }
    }
    if is_fine {
        // The gaps are dark.
        shape.part(RUBBER, 0.5);
        let inside =
            [low + 0.01, high - 0.06].map(|y| vec2(0.66 * leg(0, y).with_y(0.0).length(), y));
        shape.revolve(12, &[vec2(0.0, inside[0].y), inside[0]]);
        shape.revolve(12, &inside);
        shape.revolve(12, &[inside[1], vec2(0.0, inside[1].y)]);
    }

    shape.part(DECK, 0.7);
    let platform = [vec2(0.47, PLATFORM_M), vec2(0.47, PLATFORM_M + 0.05)];
    shape.revolve(around, &[vec2(0.0, PLATFORM_M), platform[0]]);
    shape.revolve(around, &platform);
    shape.revolve(around, &[platform[1], vec2(0.0, PLATFORM_M + 0.05)]);
}

fn lantern(shape: &mut Shape, detail: Detail) {
    let around = detail.around / 2;
    let foot = PLATFORM_M + 0.05;
    shape.part(RUBBER, 0.8);
    shape.revolve(around, &[vec2(0.10, foot), vec2(0.10, foot + 0.18)]);
    shape.part(LENS, 1.0);
    let lens = [(0.10, 0.18), (0.125, 0.24), (0.125, 0.36), (0.09, 0.43)];
    let lens = lens.map(|(radius, y)| vec2(radius, foot + y));
    let coarse_lens = [lens[0], lens[3]];
    shape.revolve(around, if detail.is_fine { &lens } else { &coarse_lens });
    shape.part(RUBBER, 1.0);
    shape.revolve(
        around,
        &[vec2(0.12, foot + 0.43), vec2(0.10, foot + 0.47), vec2(0.0, foot + 0.48)],
    );
    // One solar panel leans against the platform's edge on each side.
    shape.part(PANEL, 1.0);
    for side in 0..4 {
        let (sin, cos) = (FRAC_PI_2 * side as f32).sin_cos();
        let (out, along) = (vec3(cos, 0.0, sin), vec3(-sin, 0.0, cos));
        let rise = (vec3(0.0, 1.0, 0.0) * 0.8 - out * 0.6) * 0.14;
        let middle = out * 0.44 + vec3(0.0, PLATFORM_M + 0.13, 0.0);
        let corners = [
            middle - along * 0.19 - rise,
            middle - along * 0.19 + rise,
            middle + along * 0.19 + rise,
            middle + along * 0.19 - rise,
        ];
        shape.plate(corners, 0.02);
    }
}

fn topmarks(shape: &mut Shape, detail: Detail) {
    let Detail { around, tube, .. } = detail;
    let around = around / 2 + 2;
    const FOOT_M: f32 = 3.52;
    shape.part(RUBBER, 1.0);
    for stay in 0..3 {
        let (sin, cos) = (TAU * (stay as f32 + 0.5) / 3.0).sin_cos();
        let [foot, head] = [0.34, 0.10].map(|radius| vec3(radius * cos, 0.0, radius * sin));
        let (low, high) = (vec3(0.0, PLATFORM_M + 0.05, 0.0), vec3(0.0, FOOT_M + 0.02, 0.0));
        shape.tube(foot + low, head + high, 0.018, tube);
    }
    let profile = |shape: &mut Shape, points: &[(f32, f32)]| {
        let points: Vec<_> = points.iter().map(|&(radius, y)| vec2(radius, FOOT_M + y)).collect();
        shape.revolve(around, &points);
    };

    shape.part(topmark(Mark::Port), 1.0);
    profile(shape, &[(0.0, 0.0), (0.26, 0.0)]);
    profile(shape, &[(0.26, 0.0), (0.26, 0.56)]);
    profile(shape, &[(0.26, 0.56), (0.0, 0.56)]);

    shape.part(topmark(Mark::Starboard), 1.0);
    profile(shape, &[(0.0, 0.0), (0.32, 0.0)]);
    profile(shape, &[(0.32, 0.0), (0.0, 0.62)]);

    shape.part(topmark(Mark::Special), 1.0);
    for side in [-1.0, 1.0] {
        // Two crossed beams along each axis show a cross from all sides.
        for across in [Vec3::X, Vec3::Z] {
            let arm = (across * side + Vec3::Y) * 0.27;
            let middle = vec3(0.0, FOOT_M + 0.29, 0.0);
            shape.beam(middle - arm, middle + arm, across.cross(Vec3::Y) * 0.045, 0.06);
        }
    }

    shape.part(topmark(Mark::SafeWater), 1.0);
    let rings = if detail.is_fine { 8 } else { 4 };
    let ball: Vec<(f32, f32)> = (0..=rings)
        .map(|ring| (0.5 * TAU * ring as f32 / rings as f32).sin_cos())
        .map(|(sin, cos)| (0.28 * sin.max(0.0), 0.28 * (1.0 - cos)))
        .collect();
    profile(shape, &ball);
}

#[cfg(test)]
mod tests {
    use super::super::Vertex;
    use super::*;

    fn corners(model: &Model) -> impl Iterator<Item = [Vertex; 3]> {
        let vertex = |index: &u16| model.vertices[usize::from(*index)];
        model
            .indices
            .chunks_exact(3)
            .map(move |corners| [vertex(&corners[0]), vertex(&corners[1]), vertex(&corners[2])])
    }

    #[test]
    fn triangles_face_the_way_of_their_normals() {
        for corners in corners(&buoy()) {
            let [a, b, c] = corners.map(|vertex| Vec3::from(vertex.position_m));
            let facing = (b - a).cross(c - a).normalize();
            for vertex in corners {
                let normal = Vec3::from(vertex.normal);
                assert!((normal.length() - 1.0).abs() < 1e-5, "{vertex:?}");
                assert!(facing.dot(normal) > 0.3, "{corners:?}");
            }
        }
    }

    #[test]
    fn the_model_has_its_size_and_resolution() {
        let model = buoy();
        for vertex in &model.vertices {
            assert!(Vec3::from(vertex.position_m).length() < 4.3, "{vertex:?}");
        }
        let highest = model.vertices.iter().map(|vertex| vertex.position_m[1]).fold(0.0, f32::max);
        assert!((3.8..4.3).contains(&highest), "{highest}");
        assert_eq!(model.near.end, model.far.start);
        assert_eq!(model.far.end, model.indices.len() as u32);
        let triangles = [&model.near, &model.far].map(|range| range.len() / 3);
        assert!(triangles[0] < 2200 && triangles[1] < 700, "{triangles:?}");
    }

    #[test]
    fn every_mark_has_a_topmark() {
        let model = buoy();
        for mark in [Mark::Port, Mark::Starboard, Mark::Special, Mark::SafeWater] {
            let part = topmark(mark);
            for range in [&model.near, &model.far] {
                let indices = &model.indices[range.start as usize..range.end as usize];
                let has = |index: &u16| model.vertices[usize::from(*index)].material == part;
                assert!(indices.iter().any(has), "{mark:?}");
            }
        }
    }
}
