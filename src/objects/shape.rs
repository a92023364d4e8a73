//! Meshes of simple solids: revolved profiles, tubes, plates and beams.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3, vec2, vec3};

use super::Vertex;

#[derive(Default)]
pub(super) struct Shape {
    pub vertices: Vec<Vertex>,
    pub indices: Vec<u16>,
    material: u32,
    openness: f32,
}

impl Shape {
    /// Begins a part of that material, which later triangles belong to.
    pub fn part(&mut self, material: u32, openness: f32) {
        self.material = material;
        self.openness = openness;
    }

    fn vertex(&mut self, position_m: Vec3, normal: Vec3) -> u16 {
        let index = self.vertices.len() as u16;
        let Self { material, openness, .. } = *self;
        let (position_m, normal) = (position_m.to_array(), normal.to_array());
        self.vertices.push(Vertex { position_m, normal, material, openness });
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
    pub fn revolve(&mut self, sides: u32, profile: &[Vec2]) {
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

    pub fn tube(&mut self, from: Vec3, to: Vec3, radius: f32, sides: u32) {
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
    pub fn plate(&mut self, corners: [Vec3; 4], thickness_m: f32) {
        let across = (corners[2] - corners[0]).cross(corners[1] - corners[0]).normalize();
        let is_away = across.dot(corners[0] * vec3(1.0, 0.0, 1.0)) > 0.0;
        let away = if is_away { across } else { -across };
        let behind = corners.map(|corner| corner - away * thickness_m);
        self.hexahedron(corners, behind);
    }

    /// Adds a beam with a rectangular cross-section, `half_width` to both sides, and `thickness_m`.
    pub fn beam(&mut self, from: Vec3, to: Vec3, half_width: Vec3, thickness_m: f32) {
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
