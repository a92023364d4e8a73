//! Draws objects into the images by which the water mirrors them ([`ObjectImages`]).

use glam::DVec3;

use super::gpu_data::ImageParams;
use super::{Object, Stand, Vertex};
use crate::gpu::bindings;
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    ComputeDescriptor, ComputePipeline, Pipelines, RenderDescriptor, RenderPipeline, Uniform,
};
use crate::mesh::View;
use crate::profile::Recorder;
use crate::settings::Light;
use crate::shading::{
    HDR_FORMAT, ImageLayer, OBJECTS, ObjectImages, SceneBindings, Sky, depth_state,
};

pub(super) const SHADERS: [&str; 2] = ["objects/image_frames.wgsl", "objects/image.wgsl"];

/// The angle in radians below which an object has no images, on a flat sea and by slopes: a rough one mirrors little.
const LEAST_RAD: f64 = 0.004;
const LEAST_RAD_BY_SLOPE: f64 = 0.17;
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
        let layer = |layer, fragment| {
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
                    ..drawing(["vertex", fragment], wgpu::CompareFunction::Greater)
                })?,
            })
        };
        Ok(Self {
            layers: [layer(ImageLayer::Silhouettes, "silhouette")?, layer(ImageLayer::Lit, "lit")?],
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
            if !is_seen_in_water(object, high_m, view.position_m, scene.slope_deviation) {
                continue;
            }
            imaged |= 1 << index;
            params.extents[index] = [radius_m, low_m, high_m, 0.0];
            if let Some(lamp) = object.lamp.filter(|_| to_sun.y <= LAMPS_OFF_SUN) {
                params.extents[index][3] = lamp.height_m;
                let [r, g, b] = lamp.colour.map(|part| 1e-3 * lamp.intensity_cd * part);
                params.lamps[index] = [r, g, b, brightness as f32];
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
        for LayerPipelines { layer, empty, objects } in &self.layers {
            images.draw(recorder, *layer, |pass| {
                let groups = scene.groups_under(sky.imaging_bind_group(*layer), Some(own));
                empty.bind(pass, &groups);
                pass.draw(0..4, 0..2 * OBJECTS as u32);
                objects.bind(pass, &groups);
                draw(pass);
            });
        }
        images.average(recorder);
    }
}

/// Returns whether the water shows something of an object of that height: one far away is too small, and a rough sea
/// mirrors little.
fn is_seen_in_water(object: &Object, high_m: f32, eye_m: DVec3, slope_deviation: f64) -> bool {
    let [x, z] = object.position_m;
    let raised_m = match object.stand {
        Stand::Fixed { height_m } => height_m,
        Stand::Floats => 0.0,
    };
    let high_m = (f64::from(high_m) + raised_m).max(1.0);
    let distance_m = DVec3::new(x - eye_m.x, eye_m.y, z - eye_m.z).length();
    high_m / distance_m.max(0.1) >= LEAST_RAD + LEAST_RAD_BY_SLOPE * slope_deviation
}
