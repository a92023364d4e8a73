//! Draws objects into the images by which the water mirrors them ([`ObjectImages`]).

use glam::{DVec2, DVec3, Vec2, Vec3};

use super::gpu_data::ImageParams;
use super::{Object, Stand, Vertex};
use crate::gpu::bindings;
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    ComputeDescriptor, ComputePipeline, Pipelines, RenderDescriptor, RenderPipeline, Uniform,
};
use crate::mesh::{EARTH_RADIUS_M, SeaBounds, View};
use crate::profile::Recorder;
use crate::settings::Light;
use crate::shading::{HDR_FORMAT, ImageLayer, ObjectImages, SceneBindings, Sky, depth_state};

pub(super) const SHADERS: [&str; 2] = ["objects/image_frames.wgsl", "objects/image.wgsl"];

/// The deviations of the water's slopes up to which facets mirror something of an object.
const MIRRORED_DEVIATIONS: f64 = 1.5;
/// The share of the waves' greatest height that the near end of a mirror image reaches: few waves are higher.
const MIRRORING_WAVES: f64 = 0.7;
/// The reach of shadows and foam around an object, which are blurred.
const BLURRED_M: f64 = 1.5;
/// The longest shadow.
const SHADOW_M: f64 = 60.0;
/// The angle in radians below which an object has no images, on a flat sea and by slopes: a rough one mirrors little.
const LEAST_RAD: f64 = 0.004;
const LEAST_RAD_BY_SLOPE: f64 = 0.17;
/// The share of a mirrored direction's spread that an object must cover, from afar, to be looked for.
const LEAST_COVER: f64 = 0.1;

/// The properties of a frame that its images depend on, besides the view.
#[derive(Clone, Copy, Debug)]
pub struct ImageScene<'a> {
    /// The sun.
    pub light: &'a Light,
    /// The standard deviation of the water's slopes along an axis.
    pub slope_deviation: f64,
    /// The reach of the waves.
    pub bounds: SeaBounds,
    /// The anchor of the grid.
    pub anchor_m: [f64; 2],
}

/// The pipelines of the images.
#[derive(Debug)]
pub(super) struct ImageStage {
    params: Uniform<ImageParams>,
    group: wgpu::BindGroup,
    place: ComputePipeline,
    silhouettes: RenderPipeline,
    lit: RenderPipeline,
}

impl ImageStage {
    pub fn new(
        pipelines: &Pipelines,
        scene: &SceneBindings<'_>,
        images: &ObjectImages,
        poses: &wgpu::Buffer,
        drawn: &bindings::Layout,
    ) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let params = Uniform::new(device, "ImageStage::params");
        let own = bindings::bind(
            device,
            "ImageStage::group",
            wgpu::ShaderStages::COMPUTE,
            &[
                (bindings::uniform(), &params),
                (bindings::uniform(), poses),
                (bindings::storage_read_write(), images.frames()),
            ],
        );
        let layouts = [Some(&own.layout)];
        let place =
            pipelines.compute(ComputeDescriptor::new("objects", SHADERS[0], "place", &layouts))?;
        let drawing = |layer, fragment| {
            pipelines.render(RenderDescriptor {
                groups: scene.layouts(Some(drawn)),
                constants: scene.constants(&[("FIRST_KIND", 2.0 * f64::from(layer as u32))]),
                vertices: vec![Vertex::LAYOUT],
                depth: depth_state(true, wgpu::CompareFunction::Greater),
                ..RenderDescriptor::new("objects", SHADERS[1], ["vertex", fragment], HDR_FORMAT)
            })
        };
        Ok(Self {
            silhouettes: drawing(ImageLayer::Silhouettes, "silhouette")?,
            lit: drawing(ImageLayer::Lit, "lit")?,
            params,
            group: own.bind_group,
            place,
        })
    }

    /// Writes the parameters of the images of `chosen`: objects with their cylinders, and the brightness of
    /// their lamps.
    pub fn select<'a>(
        &self,
        queue: &wgpu::Queue,
        view: &View,
        scene: &ImageScene<'_>,
        texels: u32,
        chosen: impl Iterator<Item = (&'a Object, [f32; 3], f64)>,
    ) {
        let mut params: ImageParams = bytemuck::Zeroable::zeroed();
        let to_sun = DVec3::from(scene.light.to_sun());
        let [x, z] = scene.anchor_m;
        params.eye_m = (view.position_m - DVec3::new(x, 0.0, z)).as_vec3().to_array();
        params.pixel_angle_rad = view.pixel_angle_rad;
        params.to_sun = to_sun.as_vec3().to_array();
        params.slot = texels as f32;
        params.slope_deviation = scene.slope_deviation.max(1e-3) as f32;
        for (index, (object, cylinder_m, brightness)) in chosen.enumerate() {
            let [radius_m, low_m, high_m] = cylinder_m;
            let place = place(object, cylinder_m, view, scene, to_sun);
            params.places[index] = place.around;
            params.edges[index] = place.edges;
            params.extents[index] = [radius_m, low_m, high_m, 0.0];
            if let Some(lamp) = object.lamp {
                params.extents[index][3] = lamp.height_m;
                let [r, g, b] = lamp.colour.map(|part| 1e-3 * lamp.intensity_cd * part);
                params.lamps[index] = [r, g, b, brightness as f32];
            }
            params.count = index as u32 + 1;
        }
        self.params.write(queue, &params);
    }

    /// Records the images of `shown` objects, drawn by `draw` with two instances for each.
    pub fn record(
        &self,
        recorder: &mut Recorder<'_>,
        images: &ObjectImages,
        (scene, sky): (&SceneBindings<'_>, &Sky),
        own: &wgpu::BindGroup,
        shown: u32,
        draw: impl Fn(&mut wgpu::RenderPass<'_>),
    ) {
        recorder.compute("object images", |stages| {
            stages.stage("object images", |pass| {
                self.place.bind(pass, &[Some(&self.group)]);
                pass.dispatch_workgroups(1, 1, 1);
            });
        });
        if shown == 0 {
            return;
        }
        let layers = [(ImageLayer::Silhouettes, &self.silhouettes), (ImageLayer::Lit, &self.lit)];
        for (layer, pipeline) in layers {
            images.draw(recorder, layer, |pass| {
                pipeline.bind(pass, &scene.groups_under(sky.imaging_bind_group(layer), Some(own)));
                draw(pass);
            });
        }
        images.average(recorder);
    }
}

/// The pixels in which water may show something of an object: its mirror image, which waves draw out towards
/// the eye, its hull, and its shadow.
fn place(
    object: &Object,
    [radius_m, _, high_m]: [f32; 3],
    view: &View,
    scene: &ImageScene<'_>,
    to_sun: DVec3,
) -> Place {
    let eye_m = view.position_m;
    let [x, z] = object.position_m;
    let offset = DVec2::new(x - eye_m.x, z - eye_m.z);
    let way_m = offset.length().max(0.1);
    let drop_m = offset.length_squared() / (2.0 * EARTH_RADIUS_M);
    let raised_m = match object.stand {
        Stand::Fixed { height_m } => height_m,
        Stand::Floats => 0.0,
    };
    let (radius_m, high_m) = (f64::from(radius_m), (f64::from(high_m) + raised_m).max(1.0));
    if high_m / way_m.hypot(eye_m.y) < LEAST_RAD + LEAST_RAD_BY_SLOPE * scene.slope_deviation {
        return Place::default();
    }
    let waves_m = scene.bounds.vertical_m;
    let height_m = (eye_m.y + waves_m).max(0.5);
    let towards = offset / way_m;
    let aside = DVec2::new(-towards.y, towards.x);
    let mut seen = Seen::nothing();
    // A box around a place of the water, by its half width and the heights of its bottom and top.
    let mut add = |middle: DVec2, half_m: f64, low_m: f64, high_m: f64| {
        let corner = |index: usize| {
            let [side, end, top] = [0, 1, 2].map(|axis| f64::from(index as u32 >> axis & 1));
            let at = middle + (aside * (2.0 * side - 1.0) + towards * (2.0 * end - 1.0)) * half_m;
            let y = low_m + (high_m - low_m) * top;
            DVec3::new(at.x, y - eye_m.y - drop_m, at.y).as_vec3()
        };
        seen.add(std::array::from_fn(corner), view);
    };
    let turned = 2.0 * MIRRORED_DEVIATIONS * scene.slope_deviation;
    let around_m = radius_m + BLURRED_M + 0.5 * turned * high_m;
    add(offset, around_m, -waves_m - high_m, waves_m);
    // Facets that lean towards the eye mirror the object from nearer by.
    let steepest = (((high_m + waves_m) / way_m).atan() + turned).min(1.5);
    let grazing = (height_m / way_m).min(1.0);
    let lobe = std::f64::consts::TAU * (2.0 * scene.slope_deviation).powi(2) * grazing;
    let farthest_m = (2.0 * radius_m * high_m / (LEAST_COVER * lobe).max(1e-9)).sqrt();
    let nearest_m = (height_m / steepest.tan()).max(way_m - farthest_m);
    if nearest_m < way_m {
        let half_m = around_m + 0.3 * turned * steepest.sin() * (way_m - nearest_m);
        let waves_m = MIRRORING_WAVES * waves_m;
        add(towards * nearest_m, half_m, -waves_m, waves_m);
    }
    if to_sun.y > 0.0 {
        let level = DVec2::new(to_sun.x, to_sun.z);
        let shadow_m = (level * (high_m / to_sun.y)).clamp_length_max(SHADOW_M);
        add(offset - shadow_m, radius_m + BLURRED_M, -waves_m, waves_m);
    }
    seen.pixels(view)
}

/// The corners of a box.
const CORNERS: usize = 8;
/// The most boxes around the water that shows something of an object.
const BOXES: usize = 3;

/// A part of a picture: `ObjectImages.places` and `ObjectImages.edges`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Place {
    /// Left, top, right and bottom, in pixels.
    around: [f32; 4],
    /// The columns of the left and of the right edge, each at row 0, and its growth by row.
    edges: [f32; 4],
}

/// The pixels of the corners of some boxes.
struct Seen {
    boxes: [[Vec2; CORNERS]; BOXES],
    count: usize,
    is_before_the_eye: bool,
}

impl Seen {
    fn nothing() -> Self {
        Self { boxes: [[Vec2::ZERO; CORNERS]; BOXES], count: 0, is_before_the_eye: true }
    }

    /// Adds the box of these corners, relative to the eye.
    fn add(&mut self, corners: [Vec3; CORNERS], view: &View) {
        let resolution = Vec2::from(view.resolution.map(|pixels| pixels as f32));
        for (pixel, corner) in self.boxes[self.count].iter_mut().zip(corners) {
            let along = corner.dot(view.forward);
            self.is_before_the_eye &= along >= 2.0 * View::NEAR_M;
            let at = Vec2::new(corner.dot(view.right), -corner.dot(view.up));
            *pixel = (0.5 + 0.5 * at / (along * Vec2::from(view.half_extent))) * resolution;
        }
        self.count += 1;
    }

    /// The pixels around all boxes; all of the picture where a corner is not before the eye. The edges lean from the
    /// first box to the second, since the near end of a mirror image is wider.
    fn pixels(&self, view: &View) -> Place {
        const ROOM_PX: f32 = 2.0;
        let [width, height] = view.resolution.map(|pixels| pixels as f32);
        if !self.is_before_the_eye {
            return Place { around: [0.0, 0.0, width, height], edges: [0.0, 0.0, width, 0.0] };
        }
        let around = |boxes: &[[Vec2; CORNERS]]| {
            let corners = boxes.as_flattened().iter();
            let (most, least) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
            corners.fold((most, least), |(low, high), at| (low.min(*at), high.max(*at)))
        };
        let boxes = &self.boxes[..self.count];
        let (first, last) = (around(&boxes[..1]), around(&boxes[self.count.min(2) - 1..][..1]));
        let rows = 0.5 * (last.0.y + last.1.y - first.0.y - first.1.y);
        let by_row = |columns: f32| if rows.abs() < 1.0 { 0.0 } else { columns / rows };
        let (left, right) = (by_row(last.0.x - first.0.x), by_row(last.1.x - first.1.x));
        let corners = || boxes.as_flattened().iter();
        let leftmost = corners().map(|at| at.x - left * at.y).fold(f32::INFINITY, f32::min);
        let rightmost = corners().map(|at| at.x - right * at.y).fold(f32::NEG_INFINITY, f32::max);
        let (low, high) = around(boxes);
        Place {
            around: [low.x - ROOM_PX, low.y - ROOM_PX, high.x + ROOM_PX, high.y + ROOM_PX],
            edges: [leftmost - ROOM_PX, left, rightmost + ROOM_PX, right],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::CameraPose;

    #[test]
    fn edges_enclose_the_boxes_and_leave_out_the_corners_between() {
        let view = View::new(&CameraPose::default(), [1280, 720]);
        let mut seen = Seen::nothing();
        for (away_m, half_m) in [(40.0, 2.0), (12.0, 5.0)] {
            let corner = |index: usize| {
                let [x, y] = [0, 1].map(|axis| (index >> axis & 1) as f32 * 2.0 - 1.0);
                view.forward * away_m + view.right * (half_m * x) + view.up * (y - 2.0)
            };
            seen.add(std::array::from_fn(corner), &view);
        }
        let Place { around, edges } = seen.pixels(&view);
        let is_inside = |at: Vec2| {
            at.x > around[0].max(edges[0] + edges[1] * at.y)
                && at.x < around[2].min(edges[2] + edges[3] * at.y)
                && at.y > around[1]
                && at.y < around[3]
        };
        let corners = seen.boxes[..2].as_flattened();
        assert!(corners.iter().all(|at| is_inside(*at)), "{corners:?}");
        // A pixel beside the far box, at the left end of the near one.
        let beside = Vec2::new(seen.boxes[1][0].x + 4.0, seen.boxes[0][2].y);
        assert!(beside.x > around[0] && beside.y > around[1] && !is_inside(beside));
    }
}
