//! The shape of a buoy: a steel float, a lattice that carries daymark boards, a platform with the lantern,
//! and a topmark. In metres, in a frame of its own: y along the mast, the waterline at y = 0.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, TAU};
use std::ops::Range;

use glam::{Vec2, Vec3, vec2, vec3};

use super::Mark;

/// The radius at the waterline, in metres.
const RADIUS_M: f32 = 1.25;
/// The largest distance of any part from the middle of the waterline.
pub(super) const REACH_M: f64 = 4.3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Steel in the colours of the mark.
    Paint,
    /// The fender, and other dark fittings.
    Rubber,
    Deck,
    Lens,
    Panel,
    /// The parts of buoys with this mark only.
    Topmark(Mark),
}

impl Part {
    /// The number of the part in the shader.
    pub fn number(self) -> u32 {
        match self {
            Self::Paint => 0,
            Self::Rubber => 1,
            Self::Deck => 2,
            Self::Lens => 3,
            Self::Panel => 4,
            Self::Topmark(mark) => 5 + mark as u32,
        }
    }
}

/// A vertex in the pipeline's layout.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Vertex {
    pub position_m: [f32; 3],
    pub normal: [f32; 3],
    pub part: u32,
    /// The share of the surroundings that no other part hides.
    pub openness: f32,
}

impl Vertex {
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 4] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Uint32, 3 => Float32];
}

/// The shape in two resolutions.
pub(super) struct Model {
    pub vertices: Vec<Vertex>,
    pub indices: Vec<u16>,
    /// The indices of the finer model.
    pub near: Range<u32>,
    /// The indices of the coarser model.
    pub far: Range<u32>,
}

impl Model {
    pub fn new() -> Self {
        let mut shape = Shape::default();
        buoy(&mut shape, Detail { around: 28, tube: 5, is_fine: true });
        let near = shape.indices.len() as u32;
        buoy(&mut shape, Detail { around: 10, tube: 3, is_fine: false });
        let all = shape.indices.len() as u32;
        let Shape { vertices, mut indices, .. } = shape;
        indices.resize(indices.len().next_multiple_of(2), 0);
        Self { vertices, indices, near: 0..near, far: near..all }
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

fn buoy(shape: &mut Shape, detail: Detail) {
    float(shape, detail);
    tower(shape, detail);
    lantern(shape, detail);
    topmarks(shape, detail);
}

fn float(shape: &mut Shape, detail: Detail) {
    let around = detail.around;
    shape.part(Part::Paint, 0.85);
    let bilge = [(0.0, -1.15), (0.62, -1.08), (1.05, -0.72), (RADIUS_M, -0.15), (RADIUS_M, 0.38)];
    let bilge = bilge.map(|(radius, y)| vec2(radius, y));
    shape.revolve(around, if detail.is_fine { &bilge } else { &bilge[2..] });
    shape.part(Part::Rubber, 0.8);
    shape.revolve(
        around,
        &[
            vec2(RADIUS_M, 0.38),
            vec2(1.32, 0.40),
            vec2(1.35, 0.46),
            vec2(1.32, 0.52),
            vec2(RADIUS_M, 0.54),
        ],
    );
    shape.part(Part::Paint, 1.0);
    let gunwale = [vec2(RADIUS_M, 0.54), vec2(RADIUS_M, 0.66), vec2(1.21, 0.72), vec2(1.12, 0.75)];
    shape.revolve(around, &gunwale);
    shape.part(Part::Deck, 0.75);
    shape.revolve(around, &[vec2(1.12, 0.75), vec2(0.6, 0.79), vec2(0.0, 0.81)]);
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
    shape.part(Part::Paint, 0.8);
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
    shape.part(Part::Paint, 1.0);
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
    // The gaps are dark.
    shape.part(Part::Rubber, 0.5);
    let sides = if is_fine { 12 } else { 6 };
    let inside = [low + 0.01, high - 0.06].map(|y| vec2(0.66 * leg(0, y).with_y(0.0).length(), y));
    shape.revolve(sides, &[vec2(0.0, inside[0].y), inside[0]]);
    shape.revolve(sides, &inside);
    shape.revolve(sides, &[inside[1], vec2(0.0, inside[1].y)]);

    shape.part(Part::Deck, 0.7);
    let platform = [vec2(0.47, PLATFORM_M), vec2(0.47, PLATFORM_M + 0.05)];
    shape.revolve(around, &[vec2(0.0, PLATFORM_M), platform[0]]);
    shape.revolve(around, &platform);
    shape.revolve(around, &[platform[1], vec2(0.0, PLATFORM_M + 0.05)]);
}

fn lantern(shape: &mut Shape, detail: Detail) {
    let around = detail.around / 2;
    let foot = PLATFORM_M + 0.05;
    shape.part(Part::Rubber, 0.8);
    shape.revolve(around, &[vec2(0.10, foot), vec2(0.10, foot + 0.18)]);
    shape.part(Part::Lens, 1.0);
    shape.revolve(
        around,
        &[
            vec2(0.10, foot + 0.18),
            vec2(0.125, foot + 0.24),
            vec2(0.125, foot + 0.36),
            vec2(0.09, foot + 0.43),
        ],
    );
    shape.part(Part::Rubber, 1.0);
    shape.revolve(
        around,
        &[vec2(0.12, foot + 0.43), vec2(0.10, foot + 0.47), vec2(0.0, foot + 0.48)],
    );
    // One solar panel leans against the platform's edge on each side.
    shape.part(Part::Panel, 1.0);
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
    shape.part(Part::Rubber, 1.0);
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

    shape.part(Part::Topmark(Mark::Port), 1.0);
    profile(shape, &[(0.0, 0.0), (0.26, 0.0)]);
    profile(shape, &[(0.26, 0.0), (0.26, 0.56)]);
    profile(shape, &[(0.26, 0.56), (0.0, 0.56)]);

    shape.part(Part::Topmark(Mark::Starboard), 1.0);
    profile(shape, &[(0.0, 0.0), (0.32, 0.0)]);
    profile(shape, &[(0.32, 0.0), (0.0, 0.62)]);

    shape.part(Part::Topmark(Mark::Special), 1.0);
    for side in [-1.0, 1.0] {
        // Two crossed beams along each axis show a cross from all sides.
        for across in [Vec3::X, Vec3::Z] {
            let arm = (across * side + Vec3::Y) * 0.27;
            let middle = vec3(0.0, FOOT_M + 0.29, 0.0);
            shape.beam(middle - arm, middle + arm, across.cross(Vec3::Y) * 0.045, 0.06);
        }
    }

    shape.part(Part::Topmark(Mark::SafeWater), 1.0);
    let rings = if detail.is_fine { 8 } else { 5 };
    let ball: Vec<(f32, f32)> = (0..=rings)
        .map(|ring| (0.5 * TAU * ring as f32 / rings as f32).sin_cos())
        .map(|(sin, cos)| (0.28 * sin.max(0.0), 0.28 * (1.0 - cos)))
        .collect();
    profile(shape, &ball);
}

#[derive(Default)]
struct Shape {
    vertices: Vec<Vertex>,
    indices: Vec<u16>,
    part: u32,
    openness: f32,
}

impl Shape {
    /// Begins `part`, which later triangles belong to.
    fn part(&mut self, part: Part, openness: f32) {
        self.part = part.number();
        self.openness = openness;
    }

    fn vertex(&mut self, position_m: Vec3, normal: Vec3) -> u16 {
        let index = self.vertices.len() as u16;
        let Self { part, openness, .. } = *self;
        let (position_m, normal) = (position_m.to_array(), normal.to_array());
        self.vertices.push(Vertex { position_m, normal, part, openness });
        index
    }

    /// Adds a triangle, unless it has no area.
    fn triangle(&mut self, corners: [u16; 3]) {
        let [a, b, c] =
            corners.map(|index| Vec3::from(self.vertices[usize::from(index)].position_m));
        if (b - a).cross(c - a).length() > 1e-7 {
            self.indices.extend(corners);
        }
    }

    /// Adds the surface that `profile`, (radius, y), makes around the mast, with the outside on its
    /// right. It is smooth along the profile: sharp edges separate profiles.
    fn revolve(&mut self, sides: u32, profile: &[Vec2]) {
        let outwards = |index: usize| {
            let steps = profile[index.max(1) - 1..=(index + 1).min(profile.len() - 1)].windows(2);
            let along: Vec2 = steps.map(|pair| (pair[1] - pair[0]).normalize()).sum();
            vec2(along.y, -along.x).normalize()
        };
        let first = self.vertices.len() as u16;
        for (index, at) in profile.iter().enumerate() {
            let normal = outwards(index);
            for side in 0..=sides {
                let (sin, cos) = (TAU * (side % sides) as f32 / sides as f32).sin_cos();
                let around = |along: Vec2| vec3(along.x * cos, along.y, along.x * sin);
                self.vertex(around(*at), around(normal));
            }
        }
        let row = sides as u16 + 1;
        for ring in 0..profile.len() as u16 - 1 {
            for side in 0..sides as u16 {
                let low = first + ring * row + side;
                let high = low + row;
                self.triangle([low + 1, low, high]);
                self.triangle([low + 1, high, high + 1]);
            }
        }
    }

    fn tube(&mut self, from: Vec3, to: Vec3, radius: f32, sides: u32) {
        let axis = (to - from).normalize();
        let right = axis.any_orthonormal_vector();
        let up = axis.cross(right);
        let first = self.vertices.len() as u16;
        for end in [from, to] {
            for side in 0..sides {
                let (sin, cos) = (TAU * side as f32 / sides as f32).sin_cos();
                let normal = right * cos + up * sin;
                self.vertex(end + normal * radius, normal);
            }
        }
        for side in 0..sides as u16 {
            let next = (side + 1) % sides as u16;
            let [low, low_next] = [first + side, first + next];
            let [high, high_next] = [low + sides as u16, low_next + sides as u16];
            self.triangle([low, low_next, high_next]);
            self.triangle([low, high_next, high]);
        }
    }

    /// Adds a flat quadrilateral, by its corners in order, as a plate whose thickness extends towards
    /// the mast.
    fn plate(&mut self, corners: [Vec3; 4], thickness_m: f32) {
        let across = (corners[2] - corners[0]).cross(corners[1] - corners[0]).normalize();
        let is_away = across.dot(corners[0] * vec3(1.0, 0.0, 1.0)) > 0.0;
        let away = if is_away { across } else { -across };
        let behind = corners.map(|corner| corner - away * thickness_m);
        self.hexahedron(corners, behind);
    }

    /// Adds a beam with a rectangular cross-section, `half_width` to both sides, and `thickness_m`.
    fn beam(&mut self, from: Vec3, to: Vec3, half_width: Vec3, thickness_m: f32) {
        let aside = half_width.cross(to - from).normalize() * (0.5 * thickness_m);
        let side = |aside: Vec3| {
            [from - half_width, to - half_width, to + half_width, from + half_width]
                .map(|corner| corner + aside)
        };
        self.hexahedron(side(aside), side(-aside));
    }

    fn hexahedron(&mut self, front: [Vec3; 4], back: [Vec3; 4]) {
        let middle = front.iter().chain(&back).sum::<Vec3>() / 8.0;
        let mut face = |corners: [Vec3; 4]| {
            let cross = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            let is_outside = cross.dot(corners[0] - middle) > 0.0;
            let normal = if is_outside { cross } else { -cross }.normalize();
            let [a, b, c, d] = corners.map(|corner| self.vertex(corner, normal));
            for [a, b, c] in [[a, b, c], [a, c, d]] {
                self.triangle(if is_outside { [a, b, c] } else { [a, c, b] });
            }
        };
        face(front);
        face(back);
        for index in 0..4 {
            let next = (index + 1) % 4;
            face([front[index], front[next], back[next], back[index]]);
        }
    }
}

#[cfg(test)]
mod tests {
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
        for corners in corners(&Model::new()) {
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
        let model = Model::new();
        for vertex in &model.vertices {
            assert!(f64::from(Vec3::from(vertex.position_m).length()) < REACH_M, "{vertex:?}");
        }
        let highest = model.vertices.iter().map(|vertex| vertex.position_m[1]).fold(0.0, f32::max);
        assert!((3.8..4.3).contains(&highest), "{highest}");
        assert_eq!(model.near.end, model.far.start);
        assert_eq!(model.far.end.next_multiple_of(2), model.indices.len() as u32);
        let triangles = [&model.near, &model.far].map(|range| range.len() / 3);
        assert!(triangles[0] < 2200 && triangles[1] < 700, "{triangles:?}");
    }

    #[test]
    fn every_mark_has_a_topmark() {
        let model = Model::new();
        for mark in [Mark::Port, Mark::Starboard, Mark::Special, Mark::SafeWater] {
            let part = Part::Topmark(mark).number();
            for range in [&model.near, &model.far] {
                let indices = &model.indices[range.start as usize..range.end as usize];
                let has = |index: &u16| model.vertices[usize::from(*index)].part == part;
                assert!(indices.iter().any(has), "{mark:?}");
            }
        }
    }
}
