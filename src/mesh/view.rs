//! A camera for rendering: positions in f64, everything else relative to the eye.

use glam::{DVec3, Mat4, Vec3, Vec4};

use crate::gpu::wgsl_struct;
use crate::settings::CameraPose;

/// The view of one frame. "Relative" space has the world's axes and its origin at the eye, so that f32
/// never holds a coordinate far from zero.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The eye's position in world space.
    pub position_m: DVec3,
    /// Width and height of the picture, in pixels, each at least 1.
    pub resolution: [u32; 2],
    /// The unit vector to the right of the picture, in world axes.
    pub right: Vec3,
    /// The unit vector to the top of the picture.
    pub up: Vec3,
    /// The unit vector into the picture.
    pub forward: Vec3,
    /// Half of the picture's width and height at distance 1.
    pub half_extent: [f32; 2],
    /// The angle between neighbouring pixels at the middle of the picture.
    pub pixel_angle_rad: f32,
    /// The rotation into view space (x right, y up, z backwards).
    pub view_from_relative: Mat4,
    /// The perspective with reversed depth: 1 at [`View::NEAR_M`], 0 at infinity.
    pub clip_from_view: Mat4,
    /// The product of the two above.
    pub clip_from_relative: Mat4,
    /// The shift from the middles of the pixels ([`View::sampled`]).
    shift_ndc: [f32; 2],
    /// The side of the averaged area of waves, in pixels.
    footprint_px: f32,
    /// The left, right, bottom, top and near planes in relative space: `xyz` is the inward unit normal,
    /// and `dot(xyz, p) + w >= 0` inside.
    pub frustum: [Vec4; 5],
}

impl View {
    /// The distance of the near plane. Reversed depth in 32-bit floats keeps its relative precision all
    /// the way out, so this can be small.
    pub const NEAR_M: f32 = 0.05;

    /// Computes the view of `pose`. A resolution of 0 counts as 1.
    pub fn new(pose: &CameraPose, resolution: [u32; 2]) -> Self {
        let resolution = resolution.map(|pixels| pixels.max(1));
        let (yaw_sin, yaw_cos) = pose.yaw_deg.to_radians().sin_cos();
        let (pitch_sin, pitch_cos) = pose.pitch_deg.to_radians().sin_cos();
        let forward = DVec3::new(yaw_cos * pitch_cos, pitch_sin, yaw_sin * pitch_cos);
        // Horizontal whatever the pitch, so that looking straight down keeps its heading.
        let right = DVec3::new(-yaw_sin, 0.0, yaw_cos);
        let up = right.cross(forward).as_vec3();
        let (forward, right) = (forward.as_vec3(), right.as_vec3());

        let half_height = (pose.fov_deg.to_radians() * 0.5).tan() as f32;
        let half_width = half_height * resolution[0] as f32 / resolution[1] as f32;
        let view_from_relative = Mat4::from_cols(
            Vec4::new(right.x, up.x, -forward.x, 0.0),
            Vec4::new(right.y, up.y, -forward.y, 0.0),
            Vec4::new(right.z, up.z, -forward.z, 0.0),
            Vec4::W,
        );
        let clip_from_view = Mat4::from_cols(
            Vec4::new(1.0 / half_width, 0.0, 0.0, 0.0),
            Vec4::new(0.0, 1.0 / half_height, 0.0, 0.0),
            Vec4::new(0.0, 0.0, 0.0, -1.0),
            Vec4::new(0.0, 0.0, Self::NEAR_M, 0.0),
        );
        let mut view = Self {
            position_m: DVec3::new(pose.x_m, pose.y_m, pose.z_m),
            resolution,
            right,
            up,
            forward,
            half_extent: [half_width, half_height],
            pixel_angle_rad: 2.0 * half_height / resolution[1] as f32,
            view_from_relative,
            clip_from_view,
            clip_from_relative: clip_from_view * view_from_relative,
            shift_ndc: [0.0; 2],
            footprint_px: 1.0,
            frustum: [Vec4::ZERO; 5],
        };
        view.frustum = view.planes();
        view
    }

    fn planes(&self) -> [Vec4; 5] {
        let Self { right, up, forward, half_extent: [half_width, half_height], .. } = *self;
        let [across, above] = self.shift_ndc;
        let side = |normal: Vec3| normal.normalize().extend(0.0);
        [
            side(right + forward * (half_width * (1.0 - across))),
            side(-right + forward * (half_width * (1.0 + across))),
            side(up + forward * (half_height * (1.0 - above))),
            side(-up + forward * (half_height * (1.0 + above))),
            forward.extend(-Self::NEAR_M),
        ]
    }

    /// The same view through points of the pixels that lie `offset_px` to the right of and below their
    /// middles, each for a square with a side of `footprint_px` pixels.
    pub fn sampled(&self, offset_px: [f32; 2], footprint_px: f32) -> Self {
        if offset_px == [0.0; 2] {
            return Self { footprint_px, ..self.clone() };
        }
        let [right, down] = offset_px;
        let [width, height] = self.resolution.map(|pixels| pixels as f32);
        let ndc = [2.0 * right / width, -2.0 * down / height];
        let mut clip_from_view = self.clip_from_view;
        // Clip space has w equal to the distance along -z.
        clip_from_view.z_axis.x = ndc[0];
        clip_from_view.z_axis.y = ndc[1];
        let mut shifted = Self {
            shift_ndc: ndc,
            footprint_px,
            clip_from_view,
            clip_from_relative: clip_from_view * self.view_from_relative,
            ..self.clone()
        };
        shifted.frustum = shifted.planes();
        shifted
    }

    /// The view for shaders (`mesh/view.wgsl`).
    pub fn uniform(&self) -> ViewUniform {
        let [across, up] = self.shift_ndc;
        let [half_width, half_height] = self.half_extent;
        let middle =
            self.forward + self.right * (across * half_width) + self.up * (up * half_height);
        ViewUniform {
            clip_from_relative: self.clip_from_relative.to_cols_array_2d(),
            right: (self.right * self.half_extent[0]).to_array(),
            pixel_angle_rad: self.pixel_angle_rad,
            up: (self.up * self.half_extent[1]).to_array(),
            height_m: self.position_m.y as f32,
            forward: middle.to_array(),
            footprint_px: self.footprint_px,
            resolution: self.resolution.map(|pixels| pixels as f32),
            _pad_end: [0.0; 2],
        }
    }
}

wgsl_struct! {
    /// The layout of the view in `mesh/view.wgsl`.
    pub struct ViewUniform {
        /// The columns of the matrix [`View::clip_from_relative`].
        pub clip_from_relative: [[f32; 4]; 4],
        /// The vector from the middle of the picture to its right edge, at distance 1.
        pub right: [f32; 3],
        /// The angle [`View::pixel_angle_rad`] between pixels.
        pub pixel_angle_rad: f32,
        /// The vector from the middle of the picture to its top edge, at distance 1.
        pub up: [f32; 3],
        /// The height of the eye over still water.
        pub height_m: f32,
        /// The vector through the middle of the picture, at distance 1: [`View::forward`] plus the shift.
        pub forward: [f32; 3],
        /// The averaged share of a pixel's side where waves are sampled.
        pub footprint_px: f32,
        /// The width and height in pixels.
        pub resolution: [f32; 2],
        /// Padding to the end of the layout.
        pub _pad_end: [f32; 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(yaw_deg: f64, pitch_deg: f64) -> View {
        let pose = CameraPose { yaw_deg, pitch_deg, ..CameraPose::default() };
        View::new(&pose, [1600, 900])
    }

    fn ndc(view: &View, relative: Vec3) -> Vec3 {
        let clip = view.clip_from_relative * relative.extend(1.0);
        clip.truncate() / clip.w
    }

    #[test]
    fn yaw_turns_from_x_to_z_and_pitch_up() {
        assert!(view(0.0, 0.0).forward.abs_diff_eq(Vec3::X, 1e-6));
        assert!(view(90.0, 0.0).forward.abs_diff_eq(Vec3::Z, 1e-6));
        assert!(view(0.0, 89.0).forward.y > 0.99);
        // The right of an eye that looks along +X is +Z.
        assert!(ndc(&view(0.0, 0.0), Vec3::new(10.0, 0.0, 1.0)).x > 0.0);
        assert!(ndc(&view(0.0, 0.0), Vec3::new(10.0, 1.0, 0.0)).y > 0.0);
    }

    #[test]
    fn depth_falls_from_one_at_the_near_plane() {
        let view = view(30.0, -20.0);
        assert!((ndc(&view, view.forward * View::NEAR_M).z - 1.0).abs() < 1e-5);
        let far = ndc(&view, view.forward * 1.0e6).z;
        assert!(far > 0.0 && far < 1e-6);
    }

    #[test]
    fn frustum_planes_agree_with_the_projection() {
        planes_agree(&view(75.0, -40.0));
        let coarse = View::new(&CameraPose::default(), [16, 9]);
        planes_agree(&coarse.sampled([0.5, -0.4], 0.5));
    }

    fn planes_agree(view: &View) {
        let inside = |p: Vec3| view.frustum.iter().all(|plane| plane.dot(p.extend(1.0)) >= 0.0);
        for i in 0..1000 {
            let angle = i as f32;
            let p = Vec3::new(
                angle.sin() * 40.0,
                (angle * 0.37).cos() * 30.0,
                (angle * 1.7).cos() * 40.0,
            );
            let clip = view.clip_from_relative * p.extend(1.0);
            let expected = clip.x.abs() <= clip.w && clip.y.abs() <= clip.w && clip.z <= clip.w;
            assert_eq!(inside(p), expected && clip.w > 0.0, "{p}");
        }
    }

    /// A pixel's middle shows the point beside it, and the ray there goes through that point.
    #[test]
    fn a_shifted_view_samples_other_points_of_pixels() {
        let straight = view(30.0, -20.0);
        let shifted = straight.sampled([0.25, -0.5], 0.5);
        assert_eq!(straight.sampled([0.0; 2], 1.0), straight);
        for p in [[3.0, 0.4, -2.0], [1.0, -5.0, 2.0], [400.0, -20.0, 80.0]] {
            let p = straight.forward * 7.0 + Vec3::from(p);
            let (before, after) = (ndc(&straight, p), ndc(&shifted, p));
            let moved_px = [(after.x - before.x) * 800.0, (after.y - before.y) * -450.0];
            assert!((moved_px[0] + 0.25).abs() < 1e-3, "{moved_px:?}");
            assert!((moved_px[1] - 0.5).abs() < 1e-3, "{moved_px:?}");
            assert_eq!(after.z, before.z);
            let uniform = shifted.uniform();
            let [right, up, middle] = [uniform.right, uniform.up, uniform.forward].map(Vec3::from);
            let ray = middle + right * after.x + up * after.y;
            assert!(ray.normalize().abs_diff_eq(p.normalize(), 1e-5), "{ray} {p}");
        }
    }

    #[test]
    fn any_resolution_gives_finite_matrices() {
        for resolution in [[0, 0], [1, 1], [1, 8192], [8192, 1]] {
            let view = View::new(&CameraPose::default(), resolution);
            assert!(view.clip_from_relative.is_finite(), "{resolution:?}");
        }
    }

    #[test]
    fn the_uniform_has_wgsl_layout() {
        crate::gpu::assert_layout::<ViewUniform>(
            &crate::gpu::shader::resolve("mesh/view.wgsl").unwrap(),
        );
    }
}
