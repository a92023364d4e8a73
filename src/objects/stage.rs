//! The stage that floats and draws objects.

use std::ops::Range;

use bytemuck::Zeroable;
use glam::{DVec2, DVec3, Vec3};

use super::gpu_data::{
    HULL_POINTS, MATERIALS, ObjectLook, ObjectLooks, ObjectMaterial, ObjectPlace, ObjectPlaces,
    ObjectPose,
};
use super::images::{HULL_OVER_WATER_M, ImageScene, ImageStage, Imaged};
use super::moorings::COUNT;
use super::wetness::{self, Wetness};
use super::{Model, Object, ObjectsError, Stand, Vertex, buoy, fairway};
use crate::foam::{Foam, StepTaken};
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    Allocations, ComputeDescriptor, ComputePipeline, Pipelines, RenderDescriptor, RenderPipeline,
    Uniform, bindings, filled,
};
use crate::maps::Maps;
use crate::mesh::{EARTH_RADIUS_M, Grid, Levels, SeaBounds, View};
use crate::profile::{Recorder, Stages};
use crate::shading::{ObjectImages, RayDepth, SceneBindings, Sky, Tiles, Visibility, depth_state};

pub(super) const FLOAT: &str = "objects/float.wgsl";
pub(super) const DRAW: &str = "objects/draw.wgsl";
pub(super) const LIGHT: &str = "objects/light.wgsl";

/// The height in pixels below which objects have the coarser mesh.
const FINE_PIXELS: f64 = 48.0;
/// The area of a lamp's lens.
const LENS_M2: f32 = 0.04;

/// The objects of a frame.
#[derive(Debug)]
pub struct Objects {
    float: ComputePipeline,
    visible: RenderPipeline,
    light: ComputePipeline,
    distance: RenderPipeline,
    places: Uniform<ObjectPlaces>,
    looks: Uniform<ObjectLooks>,
    poses: wgpu::Buffer,
    float_group: wgpu::BindGroup,
    draw_layout: bindings::Layout,
    draw_group: wgpu::BindGroup,
    images: Option<ImageStage>,
    imaged: Imaged,
    /// Whether the images' frames change: there are objects, or there were in the frame before.
    places_images: bool,
    had_objects: bool,
    wet: wgpu::Buffer,
    wetness: Option<Wetness>,
    scene: Scene,
    chosen: [Chosen; COUNT],
    /// The number of objects in view.
    shown: u32,
}

/// The objects of the sea, and their meshes.
#[derive(Debug)]
struct Scene {
    models: Vec<Kind>,
    materials: [ObjectMaterial; MATERIALS],
    objects: Vec<Object>,
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
}

/// A model without its mesh.
#[derive(Debug)]
struct Kind {
    /// The finer and the coarser mesh.
    meshes: [IndexedMesh; 2],
    first_vertex: i32,
    cylinder_m: [f32; 3],
    reach_m: f64,
    footprint_m: f64,
    height_at_rest_m: f64,
    hull: [[f32; 4]; HULL_POINTS],
    points: u32,
}

/// A mesh in the index buffer, which begins with the triangles of the hull.
#[derive(Clone, Debug)]
struct IndexedMesh {
    all: Range<u32>,
    hull: Range<u32>,
}

impl IndexedMesh {
    /// Appends a mesh of `model` to `indices`.
    fn new(model: &Model, mesh: &Range<u32>, indices: &mut Vec<u16>) -> Self {
        let top_m = HULL_OVER_WATER_M - model.height_at_rest_m() as f32;
        let height_m = |index: &u16| model.vertices[usize::from(*index)].position_m[1];
        let triangles = model.indices[mesh.start as usize..mesh.end as usize].chunks_exact(3);
        let (hull, above): (Vec<_>, Vec<_>) =
            triangles.partition(|corners| corners.iter().any(|corner| height_m(corner) < top_m));
        let start = indices.len() as u32;
        indices.extend(hull.concat());
        let end = indices.len() as u32;
        indices.extend(above.concat());
        Self { all: start..indices.len() as u32, hull: start..end }
    }
}

/// An object in view.
#[derive(Clone, Copy, Debug, Default)]
struct Chosen {
    object: usize,
    /// Those with one mesh are drawn together.
    mesh: (usize, bool),
    brightness: f64,
}

impl Objects {
    /// Builds the pipelines, for the samples of `visibility`, with the buoys of the fairway. They float on
    /// `maps`.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        pipelines: &Pipelines,
        scene: &SceneBindings<'_>,
        maps: &Maps,
        visibility: &Visibility,
    ) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let places = Uniform::new(device, "Objects::places");
        let looks = Uniform::new(device, "Objects::looks");
        let wet = wetness::buffer(device);
        let poses = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Objects::poses"),
            size: (COUNT * size_of::<ObjectPose>()) as u64,
            usage: wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::UNIFORM
                | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let floating = bindings::bind(
            device,
            "Objects::float_group",
            wgpu::ShaderStages::COMPUTE,
            &[(bindings::uniform(), &places), (bindings::storage_read_write(), &poses)],
        );
        let uniform = bindings::uniform();
        let drawn = bindings::bind(
            device,
            "Objects::draw_group",
            wgpu::ShaderStages::VERTEX_FRAGMENT | wgpu::ShaderStages::COMPUTE,
            &[(uniform, &poses), (uniform, &wet), (uniform, &looks)],
        );
        let layouts = [Some(&floating.layout), Some(&maps.group().layout)];
        let float =
            pipelines.compute(ComputeDescriptor::new("objects", FLOAT, "poses", &layouts))?;
        let drawing = |fragment, samples, format: wgpu::TextureFormat| {
            pipelines.render(RenderDescriptor {
                groups: scene.layouts(Some(&drawn.layout)),
                constants: scene.constants(&[]),
                vertices: vec![Vertex::LAYOUT],
                primitive: wgpu::PrimitiveState {
                    cull_mode: Some(wgpu::Face::Back),
                    ..Default::default()
                },
                depth: depth_state(true, wgpu::CompareFunction::Greater),
                samples,
                ..RenderDescriptor::new("objects", DRAW, ["vertex", fragment], format)
            })
        };
        Ok(Self {
            float,
            visible: drawing("visible", visibility.samples(), Visibility::FORMAT)?,
            light: pipelines.compute(visibility.kernel(
                scene,
                "objects",
                LIGHT,
                Some(&drawn.layout),
            ))?,
            distance: drawing("ray_depth", 1, RayDepth::FORMAT)?,
            places,
            looks,
            poses,
            float_group: floating.bind_group,
            draw_layout: drawn.layout,
            draw_group: drawn.bind_group,
            images: None,
            imaged: Imaged::default(),
            places_images: false,
            had_objects: false,
            wet,
            wetness: None,
            scene: Scene::new(device, &[buoy()], fairway()).expect("the fairway is drawable"),
            chosen: Default::default(),
            shown: 0,
        })
    }

    /// Replaces all objects.
    ///
    /// # Errors
    /// [`ObjectsError`] where they cannot be drawn; the objects are unchanged.
    pub fn set(
        &mut self,
        device: &wgpu::Device,
        models: &[Model],
        objects: Vec<Object>,
    ) -> Result<(), ObjectsError> {
        self.scene = Scene::new(device, models, objects)?;
        self.shown = 0;
        Ok(())
    }

    /// Chooses the visible objects among the first `count`. They float on the water of `grid`, within
    /// `bounds`. It does not allocate.
    pub fn select(
        &mut self,
        queue: &wgpu::Queue,
        view: &View,
        grid: &Grid,
        bounds: SeaBounds,
        count: u32,
        time_s: f64,
    ) {
        let anchor_m = grid.anchor_m(view.position_m);
        let levels = grid.levels(view, bounds);
        let Scene { models, materials, objects, .. } = &self.scene;
        let mut shown = 0;
        for (index, object) in objects.iter().take(count as usize).enumerate() {
            let kind = &models[object.model];
            let Some(pixels) = pixels_high(object, kind.reach_m, view, bounds) else { continue };
            let lamp = object.lamp.map(|lamp| lamp.character.brightness(time_s));
            self.chosen[shown] = Chosen {
                object: index,
                mesh: (object.model, pixels < FINE_PIXELS),
                brightness: lamp.unwrap_or(0.0),
            };
            shown += 1;
        }
        self.shown = shown as u32;
        let chosen = &mut self.chosen[..shown];
        chosen.sort_unstable_by_key(|chosen| (chosen.mesh, chosen.object));
        if chosen.is_empty() {
            return;
        }
        let mut places = ObjectPlaces::zeroed();
        let mut looks = ObjectLooks::zeroed();
        looks.materials = *materials;
        places.count = self.shown;
        for (at, Chosen { object: number, brightness, .. }) in chosen.iter().enumerate() {
            let object = &objects[*number];
            let kind = &models[object.model];
            let footprint_m = footprint_m(object.position_m, kind.footprint_m, view, &levels);
            places.places[at] = placed(*number, object, kind, footprint_m, anchor_m);
            looks.looks[at] = look(object, *brightness);
        }
        self.places.write(queue, &places);
        self.looks.write(queue, &looks);
    }

    /// Wets the hulls from now on by the waves of `foam`, at the height of the water in its last seconds.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn follow_foam(&mut self, pipelines: &Pipelines, foam: &Foam) -> Result<(), ShaderError> {
        self.wetness = Wetness::new(pipelines, foam, &self.wet)?;
        Ok(())
    }

    /// Wets the hulls at a step of that foam, recorded with the origin `origin_m`.
    pub fn wet(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        queue: &wgpu::Queue,
        step: &StepTaken<'_>,
        origin_m: [f64; 2],
    ) {
        let Some(wetness) = &self.wetness else { return };
        let mut places = [ObjectPlace::zeroed(); COUNT];
        let mut radii_m = [0.0; COUNT];
        for (number, object) in self.scene.objects.iter().enumerate() {
            let kind = &self.scene.models[object.model];
            places[number] = placed(number, object, kind, kind.footprint_m, origin_m);
            radii_m[number] = kind.cylinder_m[0];
        }
        wetness.follow(pass, queue, step, places, radii_m);
    }

    /// The number of objects that [`Objects::select`] chose. Where there are none, nothing is recorded for
    /// them.
    pub fn shown(&self) -> u32 {
        self.shown
    }

    /// Chooses the images of the selected objects, by which the water mirrors them. It goes after
    /// [`Objects::select`] and before [`Objects::record`]. The first call with objects builds the pipelines.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn select_images(
        &mut self,
        (pipelines, queue): (&Pipelines, &wgpu::Queue),
        images: &ObjectImages,
        scene: &SceneBindings<'_>,
        (view, placed): (&View, &ImageScene<'_>),
    ) -> Result<(), ShaderError> {
        let has_objects = self.shown > 0;
        self.places_images = has_objects || self.had_objects;
        self.had_objects = has_objects;
        self.imaged = Imaged::default();
        if !self.places_images {
            return Ok(());
        }
        if self.images.is_none() {
            let (poses, layout) = (&self.poses, &self.draw_layout);
            self.images = Some(ImageStage::new(pipelines, scene, images, poses, layout)?);
        }
        let Some(own) = &self.images else { return Ok(()) };
        let Scene { models, objects, .. } = &self.scene;
        let chosen = self.chosen.iter().take(self.shown as usize).map(|chosen| {
            let object = &objects[chosen.object];
            (object, models[object.model].cylinder_m, chosen.brightness)
        });
        self.imaged = own.select(queue, view, placed, images.texels(), chosen);
        Ok(())
    }

    /// Records the dispatches that float them on the sea of `maps`, whose origin is the anchor of the
    /// grid that they were selected for, and that place their images.
    pub fn record(&self, stages: &mut Stages<'_, '_>, maps: &Maps) {
        if self.shown > 0 {
            stages.stage("objects", |pass| {
                self.float.bind(pass, &[Some(&self.float_group), Some(maps.bind_group())]);
                pass.dispatch_workgroups(1, 1, 1);
            });
        }
        if let Some(images) = self.images.as_ref().filter(|_| self.places_images) {
            images.place(stages);
        }
    }

    /// Draws the chosen images. Their objects float already, and the sky is up to date.
    pub fn record_images(
        &self,
        recorder: &mut Recorder<'_>,
        images: &ObjectImages,
        scene: &SceneBindings<'_>,
        sky: &Sky,
    ) {
        let imaged = &self.imaged;
        if let Some(own) = self.images.as_ref().filter(|_| !imaged.is_empty()) {
            let drawn = (&self.draw_group, self.shown);
            own.record(recorder, images, (scene, sky), drawn, |pass, layer| {
                self.draw_meshes(pass, imaged.is_blurred, |at| imaged.instances(layer, at));
            });
        }
    }

    /// Draws them for samples, in the pass of [`Visibility`].
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneBindings<'_>) {
        self.draw_with(pass, &self.visible, scene);
    }

    /// Lights the samples that see objects.
    pub fn light(
        &self,
        stages: &mut Stages<'_, '_>,
        scene: &SceneBindings<'_>,
        visibility: &Visibility,
    ) {
        if self.shown > 0 {
            stages.stage("objects' light", |pass| {
                visibility.dispatch(pass, &self.light, scene, Some(&self.draw_group), Tiles::Few);
            });
        }
    }

    /// Draws their distances, in the pass of [`RayDepth`].
    pub fn draw_distance(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneBindings<'_>) {
        self.draw_with(pass, &self.distance, scene);
    }

    fn draw_with(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &RenderPipeline,
        scene: &SceneBindings<'_>,
    ) {
        if self.shown > 0 {
            pipeline.bind(pass, &scene.groups(Some(&self.draw_group)));
            self.draw_meshes(pass, false, |at| [at..at + 1, 0..0]);
        }
    }

    /// Draws the instances of each chosen object, and those of its hull alone, as coarse as chosen or coarser.
    fn draw_meshes(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        is_blurred: bool,
        instances: impl Fn(u32) -> [Range<u32>; 2],
    ) {
        pass.set_vertex_buffer(0, self.scene.vertices.slice(..));
        pass.set_index_buffer(self.scene.indices.slice(..), wgpu::IndexFormat::Uint16);
        let mut first = 0;
        for alike in self.chosen[..self.shown as usize].chunk_by(|a, b| a.mesh == b.mesh) {
            let (model, is_coarse) = alike[0].mesh;
            let kind = &self.scene.models[model];
            let IndexedMesh { all, hull } = &kind.meshes[usize::from(is_coarse || is_blurred)];
            let end = first + alike.len() as u32;
            for instances in (first..end).map(&instances) {
                for (indices, drawn) in [all, hull].into_iter().zip(instances) {
                    if !drawn.is_empty() {
                        pass.draw_indexed(indices.clone(), kind.first_vertex, drawn);
                    }
                }
            }
            first = end;
        }
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        (self.places.allocations::<A>() + self.looks.allocations())
            .with_buffer(&self.poses)
            .with_buffer(&self.wet)
            .with_buffer(&self.scene.vertices)
            .with_buffer(&self.scene.indices)
    }

    /// The poses of a submitted frame, in the layout of `ObjectPose` of `objects/pose.wgsl`.
    #[cfg(test)]
    pub(super) fn poses(&self) -> &wgpu::Buffer {
        &self.poses
    }

    /// The index of the object that a pose is of.
    #[cfg(test)]
    pub(super) fn object(&self, number: u32) -> &Object {
        &self.scene.objects[number as usize]
    }
}

impl Scene {
    fn new(
        device: &wgpu::Device,
        models: &[Model],
        objects: Vec<Object>,
    ) -> Result<Self, ObjectsError> {
        check(models, &objects)?;
        let mut materials = [ObjectMaterial::zeroed(); MATERIALS];
        let (mut vertices, mut indices, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
        let mut first_material = 0;
        for model in models {
            let Model { near, far, hull, .. } = model;
            let area_m2: f64 = hull.iter().map(|point| point.waterplane_m2).sum();
            let mut points = [[0.0; 4]; HULL_POINTS];
            for (to, point) in points.iter_mut().zip(hull) {
                let [x, _, z] = point.position_m;
                *to = [x, z, point.waterplane_m2 / area_m2, 0.0].map(|value| value as f32);
            }
            for (to, material) in materials[first_material..].iter_mut().zip(&model.materials) {
                *to = ObjectMaterial {
                    albedo: material.albedo,
                    roughness: material.roughness,
                    finish: material.finish as u32,
                    variant: variant(material.topmark),
                    _padding: [0.0; 2],
                };
            }
            kinds.push(Kind {
                meshes: [near, far].map(|mesh| IndexedMesh::new(model, mesh, &mut indices)),
                first_vertex: vertices.len() as i32,
                cylinder_m: model.cylinder_m(),
                reach_m: model.reach_m(),
                footprint_m: model.footprint_m,
                height_at_rest_m: model.height_at_rest_m(),
                hull: points,
                points: hull.len() as u32,
            });
            let numbered = model.vertices.iter().map(|vertex| Vertex {
                material: first_material as u32 + vertex.material,
                ..*vertex
            });
            vertices.extend(numbered);
            first_material += model.materials.len();
        }
        // Buffers are written in fours of bytes.
        indices.resize(indices.len().next_multiple_of(2), 0);
        let (vertices, indices) = (bytemuck::cast_slice(&vertices), bytemuck::cast_slice(&indices));
        Ok(Self {
            models: kinds,
            materials,
            objects,
            vertices: filled(device, "Objects::vertices", wgpu::BufferUsages::VERTEX, vertices),
            indices: filled(device, "Objects::indices", wgpu::BufferUsages::INDEX, indices),
        })
    }
}

fn check(models: &[Model], objects: &[Object]) -> Result<(), ObjectsError> {
    if objects.len() > COUNT {
        return Err(ObjectsError::TooMany { found: objects.len(), most: COUNT });
    }
    let found = models.iter().map(|model| model.materials.len()).sum();
    if found > MATERIALS {
        return Err(ObjectsError::Materials { found, most: MATERIALS });
    }
    for (object, Object { model, .. }) in objects.iter().enumerate() {
        if *model >= models.len() {
            return Err(ObjectsError::NoModel { object, model: *model, models: models.len() });
        }
    }
    for (index, model) in models.iter().enumerate() {
        let Model { vertices, indices, near, far, materials, hull, mass_kg, .. } = model;
        let has_vertices = indices.iter().all(|index| usize::from(*index) < vertices.len());
        let has_materials =
            vertices.iter().all(|vertex| (vertex.material as usize) < materials.len());
        let has_indices = [near, far]
            .iter()
            .all(|mesh| mesh.start <= mesh.end && mesh.end as usize <= indices.len());
        if vertices.is_empty() || !(has_vertices && has_materials && has_indices) {
            return Err(ObjectsError::Broken { model: index });
        }
        let floats = (hull.len() == 1 || (3..=HULL_POINTS).contains(&hull.len()))
            && hull.iter().all(|point| point.waterplane_m2 > 0.0)
            && *mass_kg >= 0.0;
        if !floats {
            return Err(ObjectsError::Hull { model: index, most: HULL_POINTS });
        }
    }
    Ok(())
}

/// The number of a topmark in the shaders, where 0 is none.
fn variant(topmark: Option<u32>) -> u32 {
    topmark.map_or(0, |topmark| topmark + 1)
}

fn look(object: &Object, brightness: f64) -> ObjectLook {
    let topmark = object.topmark.unwrap_or(0);
    let lamp_kcd = object.lamp.map_or(0.0, |lamp| 1e-3 * lamp.intensity_cd / LENS_M2);
    ObjectLook {
        paint: object.paint,
        stripes: object.stripes as f32,
        second_paint: object.second_paint,
        seed: 37.0 * topmark as f32 + 11.0 * object.heading_rad as f32,
        lamp: object.lamp.map_or([0.0; 3], |lamp| lamp.colour),
        brightness_kcd: lamp_kcd * brightness as f32,
        variant: variant(object.topmark),
        _padding: [0.0; 3],
    }
}

/// The height in pixels that an object would have in the middle of the picture, if any of it can be seen.
fn pixels_high(object: &Object, reach_m: f64, view: &View, bounds: SeaBounds) -> Option<f64> {
    let eye_m = view.position_m;
    let [x, z] = object.position_m;
    let y = match object.stand {
        Stand::Floats => 0.0,
        Stand::Fixed { height_m } => height_m,
    };
    let offset = DVec2::new(x - eye_m.x, z - eye_m.z);
    let drop_m = offset.length_squared() / (2.0 * EARTH_RADIUS_M);
    let middle = Vec3::new(offset.x as f32, (y - eye_m.y - drop_m) as f32, offset.y as f32);
    let around_m = reach_m + bounds.vertical_m;
    let is_inside =
        |plane: &glam::Vec4| f64::from(plane.truncate().dot(middle) + plane.w) >= -around_m;
    // The wave under it brings it no nearer.
    let distance_m = (f64::from(middle.length()) - bounds.vertical_m).max(0.1);
    let pixels = reach_m / (distance_m * f64::from(view.pixel_angle_rad));
    (pixels >= 1.0 && view.frustum.iter().all(is_inside)).then_some(pixels)
}

fn placed(
    number: usize,
    object: &Object,
    kind: &Kind,
    footprint_m: f64,
    origin_m: [f64; 2],
) -> ObjectPlace {
    let (rise_m, is_fixed) = match object.stand {
        Stand::Floats => (kind.height_at_rest_m, 0),
        Stand::Fixed { height_m } => (height_m, 1),
    };
    ObjectPlace {
        position: [0, 1].map(|axis| (object.position_m[axis] - origin_m[axis]) as f32),
        log2_footprint_m: footprint_m.log2() as f32,
        number: number as u32,
        heading_rad: object.heading_rad as f32,
        rise_m: rise_m as f32,
        is_fixed,
        points: kind.points,
        hull: kind.hull,
    }
}

/// The spacing of a mesh that shows the waves that an object follows: shorter waves are narrower than its hull,
/// or not drawn.
pub(super) fn footprint_m(position_m: [f64; 2], hull_m: f64, view: &View, levels: &Levels) -> f64 {
    let [x, z] = position_m;
    let offset = DVec3::new(x, 0.0, z) - view.position_m;
    levels.spacing_m(offset.length()).max(hull_m)
}
