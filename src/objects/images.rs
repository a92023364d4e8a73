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
use crate::shading::{
    HDR_FORMAT, ImageLayer, ObjectImages, PicturePart, SceneBindings, Sky, depth_state,
};

pub(super) const SHADERS: [&str; 2] = ["objects/image_frames.wgsl", "objects/image.wgsl"];

/// The deviations of the water's slopes up to which facets mirror something of an object.
const MIRRORED_DEVIATIONS: f64 = 1.5;
/// The share of the waves' reach by which they raise what water shows of an object: hardly any are higher.
const SHOWING_WAVES: f64 = 0.5;
/// The reach of shadows and foam around an object, which are blurred.
const BLURRED_M: f64 = 1.5;
/// The depth down to which a hull is seen through the water.
const DEEPEST_M: f64 = 10.0;
/// The longest shadow.
const SHADOW_M: f64 = 60.0;
/// The angle in radians below which an object has no images, on a flat sea and by slopes: a rough one mirrors little.
const LEAST_RAD: f64 = 0.004;
const LEAST_RAD_BY_SLOPE: f64 = 0.17;
/// The sine of the sun's elevation above which every sky is too bright for lamps (`LAMP_OFF_KLX`): an overcast one
/// gives 2 klx there.
const LAMPS_OFF_SUN: f64 = 0.09;
/// The share of a mirrored direction's spread that an object must cover, from afar, to be looked for.
const LEAST_COVER: f64 = 0.05;

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
    /// their lamps. Returns those of which water may show something, as bits.
    pub fn select<'a>(
        &self,
        queue: &wgpu::Queue,
        view: &View,
        scene: &ImageScene<'_>,
        texels: u32,
        chosen: impl Iterator<Item = (&'a Object, [f32; 3], f64)>,
    ) -> u32 {
        let mut imaged = 0;
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
            params.count = index as u32 + 1;
            let Some(shown) = shown(object, cylinder_m, view, scene, to_sun) else { continue };
            imaged |= 1 << index;
            params.mirrors[index] = shown.mirror;
            params.surroundings[index] = shown.surroundings;
            params.extents[index] = [radius_m, low_m, high_m, 0.0];
            if let Some(lamp) = object.lamp {
                params.extents[index][3] = lamp.height_m;
                let [r, g, b] = lamp.colour.map(|part| 1e-3 * lamp.intensity_cd * part);
                let is_day = to_sun.y > LAMPS_OFF_SUN;
                params.lamps[index] = [r, g, b, if is_day { 0.0 } else { brightness as f32 }];
            }
        }
        self.params.write(queue, &params);
        imaged
    }

    /// Records the images of objects, drawn by `draw`, if there are any to draw.
    pub fn record(
        &self,
        recorder: &mut Recorder<'_>,
        images: &ObjectImages,
        (scene, sky): (&SceneBindings<'_>, &Sky),
        own: &wgpu::BindGroup,
        draw: Option<impl Fn(&mut wgpu::RenderPass<'_>)>,
    ) {
        recorder.compute("object frames", |stages| {
            stages.stage("object frames", |pass| {
                self.place.bind(pass, &[Some(&self.group)]);
                pass.dispatch_workgroups(1, 1, 1);
            });
        });
        let Some(draw) = draw else { return };
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

/// The parts of a picture in which water may show something of an object.
#[derive(Debug)]
struct Shown {
    /// Its mirror image, which waves draw out towards the eye.
    mirror: PicturePart,
    /// Its hull and the foam around it, and its shadow.
    surroundings: PicturePart,
}

/// Finds them, unless the object is too far away to be seen in the water.
fn shown(
    object: &Object,
    [radius_m, low_m, high_m]: [f32; 3],
    view: &View,
    scene: &ImageScene<'_>,
    to_sun: DVec3,
) -> Option<Shown> {
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
    let depth_m = (-f64::from(low_m) - raised_m).clamp(0.0, DEEPEST_M);
    if high_m / way_m.hypot(eye_m.y) < LEAST_RAD + LEAST_RAD_BY_SLOPE * scene.slope_deviation {
        return None;
    }
    let waves_m = SHOWING_WAVES * scene.bounds.vertical_m;
    let height_m = (eye_m.y + waves_m).max(0.5);
    let towards = offset / way_m;
    let aside = DVec2::new(-towards.y, towards.x);
    // A box around a place of the water, by half of its width and length, and its lowest and highest place.
    let around = |middle: DVec2, half_m: [f64; 2], low_m: f64, high_m: f64| -> [Vec3; CORNERS] {
        let corner = |index: usize| {
            let [side, end, top] = [0, 1, 2].map(|axis| f64::from(index as u32 >> axis & 1));
            let at = middle
                + aside * ((2.0 * side - 1.0) * half_m[0])
                + towards * ((2.0 * end - 1.0) * half_m[1]);
            let y = low_m + (high_m - low_m) * top;
            DVec3::new(at.x, y - eye_m.y - drop_m, at.y).as_vec3()
        };
        std::array::from_fn(corner)
    };
    let turned = 2.0 * MIRRORED_DEVIATIONS * scene.slope_deviation;
    let mut mirror = Seen::nothing();
    mirror.add(around(offset, [radius_m; 2], -waves_m, waves_m), view);
    // A level sea mirrors the top there, and facets that lean towards the eye from nearer by.
    let level_m = way_m * height_m / (height_m + high_m);
    let steepest = (((height_m + high_m) / way_m).atan() + turned).min(1.5);
    let grazing = (height_m / way_m).min(1.0);
    let lobe = std::f64::consts::TAU * (2.0 * scene.slope_deviation).powi(2) * grazing;
    let farthest_m = (2.0 * radius_m * high_m / (LEAST_COVER * lobe).max(1e-9)).sqrt();
    let nearest_m = (height_m / steepest.tan()).max(level_m.min(way_m - farthest_m));
    if nearest_m < way_m {
        // Facets that lean aside turn the ray by `turned * height_m / nearest_m`, and the line of sight leads aside.
        let share = nearest_m / way_m;
        let half_m = radius_m * share + turned * height_m * (1.0 - share);
        mirror.add(around(towards * nearest_m, [half_m, 0.0], -waves_m, waves_m), view);
    }
    let mut surroundings = Seen::nothing();
    let half_m = [radius_m + BLURRED_M; 2];
    surroundings.add(around(offset, half_m, -waves_m - depth_m, waves_m), view);
    if to_sun.y > 0.0 {
        let level = DVec2::new(to_sun.x, to_sun.z);
        let shadow_m = (level * (high_m / to_sun.y)).clamp_length_max(SHADOW_M);
        surroundings.add(around(offset - shadow_m, half_m, -waves_m, waves_m), view);
    }
    Some(Shown { mirror: mirror.part(view), surroundings: surroundings.part(view) })
}

/// The corners of a box.
const CORNERS: usize = 8;
/// The boxes around the water that shows something of an object: one around it, and one where that ends.
const BOXES: usize = 2;

/// The pixels of the corners of one or two boxes.
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

    /// The part of the picture around all boxes; all of it where a corner is not before the eye. Its edges lean from
    /// the first box to the second: a mirror image widens towards the eye, and a shadow leads aside.
    fn part(&self, view: &View) -> PicturePart {
        const ROOM_PX: f32 = 2.0;
        let [width, height] = view.resolution.map(|pixels| pixels as f32);
        if !self.is_before_the_eye {
            return PicturePart {
                bounds: [0.0, 0.0, width, height],
                edges: [0.0, 0.0, width, 0.0],
            };
        }
        let around = |boxes: &[[Vec2; CORNERS]]| {
            let corners = boxes.as_flattened().iter();
            let (most, least) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
            corners.fold((most, least), |(low, high), at| (low.min(*at), high.max(*at)))
        };
        let boxes = &self.boxes[..self.count];
        let (first, last) = (around(&boxes[..1]), around(&boxes[self.count - 1..]));
        let rows = 0.5 * (last.0.y + last.1.y - first.0.y - first.1.y);
        let by_row = |columns: f32| if rows.abs() < 1.0 { 0.0 } else { columns / rows };
        let (left, right) = (by_row(last.0.x - first.0.x), by_row(last.1.x - first.1.x));
        let corners = || boxes.as_flattened().iter();
        let leftmost = corners().map(|at| at.x - left * at.y).fold(f32::INFINITY, f32::min);
        let rightmost = corners().map(|at| at.x - right * at.y).fold(f32::NEG_INFINITY, f32::max);
        let (low, high) = around(boxes);
        PicturePart {
            bounds: [low.x - ROOM_PX, low.y - ROOM_PX, high.x + ROOM_PX, high.y + ROOM_PX],
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
        let PicturePart { bounds, edges } = seen.part(&view);
        let is_inside = |at: Vec2| {
            at.x > bounds[0].max(edges[0] + edges[1] * at.y)
                && at.x < bounds[2].min(edges[2] + edges[3] * at.y)
                && at.y > bounds[1]
                && at.y < bounds[3]
        };
        let corners = seen.boxes[..2].as_flattened();
        assert!(corners.iter().all(|at| is_inside(*at)), "{corners:?}");
        // A pixel beside the far box, at the left end of the near one.
        let beside = Vec2::new(seen.boxes[1][0].x + 4.0, seen.boxes[0][2].y);
        assert!(beside.x > bounds[0] && beside.y > bounds[1] && !is_inside(beside));
    }
}
