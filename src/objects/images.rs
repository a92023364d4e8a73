//! Draws objects into the images by which the water mirrors them ([`ObjectImages`]).

use std::ops::Range;

use glam::DVec3;

use super::gpu_data::ImageParams;
use super::moorings::COUNT;
use super::{Object, Stand, Vertex};
use crate::gpu::bindings;
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    ComputeDescriptor, ComputePipeline, Pipelines, RenderDescriptor, RenderPipeline, Uniform,
};
use crate::mesh::View;
use crate::profile::{Recorder, Stages};
use crate::settings::Light;
use crate::shading::{
    HDR_FORMAT, ImageLayer, OBJECTS, ObjectImages, SceneBindings, Sky, depth_state,
};

const _: () = assert!(COUNT == OBJECTS);

pub(super) const SHADERS: [&str; 2] = ["objects/image_frames.wgsl", "objects/image.wgsl"];

/// The angle in radians below which an object has no images, on a flat sea and by slopes: a rough one mirrors little.
const LEAST_RAD: f64 = 0.004;
const LEAST_RAD_BY_SLOPE: f64 = 0.17;
/// The same for an eye that is surely in the water, which sees most of the surface at steeper angles, where facets
/// spread an image over more of it.
const LEAST_RAD_BY_SLOPE_BELOW: f64 = 0.5;
/// The height over the waterline up to which images show the hull alone (`IMAGE_SLICE_M`).
pub(super) const HULL_OVER_WATER_M: f32 = 0.35;
/// The pixels of the picture below which the part of an object on the other side of the surface is not drawn.
const LEAST_REFRACTED_PIXELS: f64 = 40.0;
/// The deviation of the water's slopes from which it blurs images by more than the coarser mesh differs.
const BLURRING_DEVIATION: f64 = 0.12;
/// The sine of the sun's elevation above which every sky is too bright for lamps (`LAMP_OFF_KLX`): an overcast one
/// gives 2 klx there.
const LAMPS_OFF_SUN: f64 = 0.09;

/// The properties of a frame that its images depend on, besides the view.
#[derive(Clone, Copy, Debug)]
pub struct ImageScene<'a> {
    /// The sun.
    pub light: &'a Light,
    /// The standard deviation of the water's slopes along an axis.
    pub slope_deviation: f64,
    /// The anchor of the grid.
    pub anchor_m: [f64; 2],
    /// The height over still water that no wave exceeds, in metres.
    pub highest_m: f64,
}

/// The images of a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Imaged {
    /// The objects of which water may show something, as bits.
    those: u32,
    /// Those of them that are seen through the surface.
    refracted: u32,
    /// Those whose waterline varies, so that any part of them may be at it.
    fixed: u32,
    /// Whether the eye may be in the water, which sees the upper parts through the surface.
    is_below: bool,
    /// Whether the water blurs images by more than the coarser mesh differs.
    pub is_blurred: bool,
}

impl Imaged {
    pub fn is_empty(&self) -> bool {
        self.those == 0
    }

    /// The instances of object number `at` in a layer, one for each kind of image: those that show all of it, and
    /// those that show its hull alone.
    pub fn instances(&self, layer: ImageLayer, at: u32) -> [Range<u32>; 2] {
        let has = |those: u32| those >> at & 1 != 0;
        let (first, second) = (2 * at, 2 * at + 1);
        let (has_second, second_is_whole) = match layer {
            ImageLayer::Silhouettes => (true, has(self.fixed)),
            ImageLayer::Lit => (has(self.refracted), has(self.fixed) || self.is_below),
        };
        match has(self.those) {
            false => [0..0, 0..0],
            true if !has_second => [first..second, 0..0],
            true if second_is_whole => [first..second + 1, 0..0],
            true => [first..second, second..second + 1],
        }
    }
}

/// The pipelines of the images.
#[derive(Debug)]
pub(super) struct ImageStage {
    params: Uniform<ImageParams>,
    group: wgpu::BindGroup,
    place: ComputePipeline,
    layers: [LayerPipelines; 2],
}

/// The pipelines of a layer of images.
#[derive(Debug)]
struct LayerPipelines {
    layer: ImageLayer,
    empty: RenderPipeline,
    objects: RenderPipeline,
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
        let layer = |layer, fragment, cull_mode| {
            let constants = scene.constants(&[("FIRST_KIND", 2.0 * f64::from(layer as u32))]);
            let drawing = |entry_points, compare| RenderDescriptor {
                groups: scene.layouts(Some(drawn)),
                constants: constants.clone(),
                depth: depth_state(true, compare),
                ..RenderDescriptor::new("objects", SHADERS[1], entry_points, HDR_FORMAT)
            };
            Ok(LayerPipelines {
                layer,
                empty: pipelines.render(RenderDescriptor {
                    primitive: wgpu::PrimitiveState {
                        topology: wgpu::PrimitiveTopology::TriangleStrip,
                        ..Default::default()
                    },
                    ..drawing(["empty_vertex", "empty"], wgpu::CompareFunction::Always)
                })?,
                objects: pipelines.render(RenderDescriptor {
                    vertices: vec![Vertex::LAYOUT],
                    primitive: wgpu::PrimitiveState { cull_mode, ..Default::default() },
                    ..drawing(["vertex", fragment], wgpu::CompareFunction::Greater)
                })?,
            })
        };
        Ok(Self {
            layers: [
                // From above, the slice at the waterline shows faces that look down.
                layer(ImageLayer::Silhouettes, "silhouette", None)?,
                layer(ImageLayer::Lit, "lit", Some(wgpu::Face::Back))?,
            ],
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
    ) -> Imaged {
        let mut imaged = Imaged {
            is_below: view.position_m.y < 0.0,
            is_blurred: scene.slope_deviation > BLURRING_DEVIATION,
            ..Imaged::default()
        };
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
            if !is_seen_in_water(object, high_m, view.position_m, scene) {
                continue;
            }
            imaged.those |= 1 << index;
            imaged.fixed |= u32::from(matches!(object.stand, Stand::Fixed { .. })) << index;
            if other_side_pixels(object, cylinder_m, view) >= LEAST_REFRACTED_PIXELS {
                imaged.refracted |= 1 << index;
            }
            params.extents[index] = [radius_m, low_m, high_m, 0.0];
            if let Some(lamp) = object.lamp.filter(|_| to_sun.y <= LAMPS_OFF_SUN) {
                params.extents[index][3] = lamp.height_m;
                let [r, g, b] = lamp.colour.map(|part| 1e-3 * lamp.intensity_cd * part);
                params.lamps[index] = [r, g, b, brightness as f32];
            }
        }
        (params.imaged, params.refracted) = (imaged.those, imaged.refracted);
        self.params.write(queue, &params);
        imaged
    }

    /// Places the images of objects that float already.
    pub fn place(&self, stages: &mut Stages<'_, '_>) {
        stages.stage("object frames", |pass| {
            self.place.bind(pass, &[Some(&self.group)]);
            pass.dispatch_workgroups(1, 1, 1);
        });
    }

    /// Records the images of the first `count` objects, drawn by `draw`.
    pub fn record(
        &self,
        recorder: &mut Recorder<'_>,
        images: &ObjectImages,
        (scene, sky): (&SceneBindings<'_>, &Sky),
        (own, count): (&wgpu::BindGroup, u32),
        draw: impl Fn(&mut wgpu::RenderPass<'_>, ImageLayer),
    ) {
        for LayerPipelines { layer, empty, objects } in &self.layers {
            images.draw(recorder, *layer, |pass| {
                let groups = scene.groups_under(sky.imaging_bind_group(*layer), Some(own));
                empty.bind(pass, &groups);
                pass.draw(0..4, 0..2 * count);
                objects.bind(pass, &groups);
                draw(pass, *layer);
            });
        }
        images.average(recorder, count);
    }
}

/// Returns whether the water shows something of an object of that height: one far away is too small, and a rough sea
/// mirrors little.
fn is_seen_in_water(object: &Object, high_m: f32, eye_m: DVec3, scene: &ImageScene<'_>) -> bool {
    let high_m = (f64::from(high_m) + raised_m(object)).max(1.0);
    // An eye below still water may be in the air, in a trough: images must not come and go with the swell.
    let below = (-eye_m.y / scene.highest_m).clamp(0.0, 1.0);
    let by_slope = LEAST_RAD_BY_SLOPE + (LEAST_RAD_BY_SLOPE_BELOW - LEAST_RAD_BY_SLOPE) * below;
    high_m / distance_m(object, eye_m).max(0.1) >= LEAST_RAD + by_slope * scene.slope_deviation
}

/// The size in pixels of the part of an object that is on the other side of still water than the eye.
fn other_side_pixels(object: &Object, cylinder_m: [f32; 3], view: &View) -> f64 {
    let [radius_m, low_m, high_m] = cylinder_m.map(f64::from);
    let raised_m = raised_m(object);
    let part_m = if view.position_m.y < 0.0 { high_m + raised_m } else { -low_m - raised_m };
    let pixel_m = distance_m(object, view.position_m).max(0.5) * f64::from(view.pixel_angle_rad);
    part_m.max(2.0 * radius_m) / pixel_m
}

fn raised_m(object: &Object) -> f64 {
    match object.stand {
        Stand::Fixed { height_m } => height_m,
        Stand::Floats => 0.0,
    }
}

fn distance_m(object: &Object, eye_m: DVec3) -> f64 {
    let [x, z] = object.position_m;
    DVec3::new(x - eye_m.x, eye_m.y, z - eye_m.z).length()
}
