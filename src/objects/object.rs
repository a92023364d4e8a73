//! Objects as data: models with their materials and hulls, and where they are.

use std::ops::Range;

use glam::Vec3;

/// The density of sea water, in kg/m3.
pub const SEA_DENSITY_KG_M3: f64 = 1025.0;

/// A vertex of a model.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Vertex {
    /// In metres, in the model's frame: y is up along the mast.
    pub position_m: [f32; 3],
    /// The unit normal, on the side from which the triangle's corners go counterclockwise.
    pub normal: [f32; 3],
    /// The index in [`Model::materials`].
    pub material: u32,
    /// The share of the surroundings that no other part hides.
    pub openness: f32,
}

impl Vertex {
    pub(super) const LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Uint32, 3 => Float32],
    };
}

/// The source of a material's look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finish {
    /// The material alone.
    #[default]
    Plain = 0,
    /// The paint of the [`Object`], with its stripes and some seasons' wear.
    Paint = 1,
    /// The second paint of the object, as worn.
    SecondPaint = 2,
    /// The material, as worn as paint.
    Weathered = 3,
    /// A lens, which shines when the object's lamp is lit.
    Lens = 4,
}

/// The material of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Material {
    /// The albedo in linear sRGB, where the finish does not say otherwise.
    pub albedo: [f32; 3],
    /// The roughness of highlights: the square root of GGX's alpha.
    pub roughness: f32,
    /// The source of its look.
    pub finish: Finish,
    /// Objects with this [`Object::topmark`] alone have the part; none: all have it.
    pub topmark: Option<u32>,
}

/// A point of a hull that the water carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HullPoint {
    /// In metres, in the model's frame.
    pub position_m: [f64; 3],
    /// The area of the water's plane that it stands for.
    pub waterplane_m2: f64,
}

/// A kind of object: its mesh, its materials, and its buoyancy.
///
/// A hull of one point stands along the water's normal; one of three
/// or more follows the plane that fits the water's heights under its points. It has no inertia: its pose follows
/// from the time alone, and it sinks until the water that its hull displaces weighs `mass_kg`.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The vertices of both meshes.
    pub vertices: Vec<Vertex>,
    /// Triangles, counterclockwise from outside.
    pub indices: Vec<u16>,
    /// The indices of the finer mesh.
    pub near: Range<u32>,
    /// The indices of the coarser mesh.
    pub far: Range<u32>,
    /// The materials.
    pub materials: Vec<Material>,
    /// The points that carry it: one, or 3 to 8.
    pub hull: Vec<HullPoint>,
    /// The mass in kilograms.
    pub mass_kg: f64,
    /// The footprint of the hull: it does not feel waves that a mesh of this spacing could not show.
    pub footprint_m: f64,
}

impl Model {
    /// The height of its origin over the water at rest: its hull displaces its mass.
    ///
    /// ```
    /// use seaway::objects::{HullPoint, Model, buoy};
    ///
    /// // A raft of 2 t on four barrels, which lie 0.5 m under its deck.
    /// let barrel = |x, z| HullPoint { position_m: [x, -0.5, z], waterplane_m2: 1.0 };
    /// let hull = vec![barrel(-2.0, -1.0), barrel(2.0, -1.0), barrel(2.0, 1.0), barrel(-2.0, 1.0)];
    /// let raft = Model { hull, mass_kg: 2050.0, ..buoy() };
    /// assert!(raft.height_at_rest_m().abs() < 1e-9, "they are half a metre under water");
    /// ```
    pub fn height_at_rest_m(&self) -> f64 {
        let area_m2: f64 = self.hull.iter().map(|point| point.waterplane_m2).sum();
        let weighted = |point: &HullPoint| point.position_m[1] * point.waterplane_m2 / area_m2;
        let middle_m: f64 = self.hull.iter().map(weighted).sum();
        -self.mass_kg / (SEA_DENSITY_KG_M3 * area_m2) - middle_m
    }

    /// The cylinder around its mast: radius, lowest and highest y.
    pub(super) fn cylinder_m(&self) -> [f32; 3] {
        self.vertices.iter().fold([0.0, f32::INFINITY, f32::NEG_INFINITY], |cylinder, vertex| {
            let [radius, low, high] = cylinder;
            let [x, y, z] = vertex.position_m;
            [radius.max(x.hypot(z)), low.min(y), high.max(y)]
        })
    }

    /// The largest distance of a vertex from the origin.
    pub(super) fn reach_m(&self) -> f64 {
        let lengths = self.vertices.iter().map(|vertex| Vec3::from(vertex.position_m).length());
        f64::from(lengths.fold(0.0, f32::max))
    }
}

/// The rhythm of a lamp: lit for some times of a period, in seconds.
///
/// ```
/// use seaway::objects::Character;
///
/// // "Fl(2) 6s", two flashes every six seconds.
/// let character = Character { period_s: 6.0, lit_s: &[[0.0, 0.5], [1.5, 2.0]] };
/// assert_eq!(character.brightness(7.75), 1.0);
/// assert_eq!(character.brightness(4.0), 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Character {
    /// The length of the period.
    pub period_s: f64,
    /// Begin and end of each light.
    pub lit_s: &'static [[f64; 2]],
}

impl Character {
    /// The brightness at a time, 0 to 1. Light sources take a moment to come on and to go out.
    pub fn brightness(&self, time_s: f64) -> f64 {
        const RAMP_S: f64 = 0.08;
        let at_s = time_s.rem_euclid(self.period_s);
        let of = |[from_s, to_s]: [f64; 2]| ((at_s - from_s) / RAMP_S).min((to_s - at_s) / RAMP_S);
        self.lit_s.iter().copied().map(of).fold(0.0, f64::max).min(1.0)
    }
}

/// The lamp of an object, lit in the dark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamp {
    /// The height over the model's origin, in metres.
    pub height_m: f32,
    /// The luminous intensity, in candela.
    pub intensity_cd: f32,
    /// The colour in linear sRGB.
    pub colour: [f32; 3],
    /// The rhythm.
    pub character: Character,
}

/// How an object stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Stand {
    /// It floats at its place.
    #[default]
    Floats,
    /// It stands upright and does not move.
    Fixed {
        /// The height of its origin over still water.
        height_m: f64,
    },
}

/// An object in the sea.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Object {
    /// The index of its model.
    pub model: usize,
    /// The place (x, z) in the world.
    pub position_m: [f64; 2],
    /// The heading, from +X towards +Z.
    pub heading_rad: f64,
    /// How it stands.
    pub stand: Stand,
    /// The albedo of its paint in linear sRGB.
    pub paint: [f32; 3],
    /// The albedo of its second paint.
    pub second_paint: [f32; 3],
    /// The number of vertical stripes of the second paint on the first.
    pub stripes: u32,
    /// The parts that it alone has ([`Material::topmark`]).
    pub topmark: Option<u32>,
    /// Its lamp.
    pub lamp: Option<Lamp>,
}

/// The reasons why objects cannot be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ObjectsError {
    /// There are too many objects.
    #[error("{found} objects are more than the {most} that a frame draws")]
    TooMany {
        /// The given number.
        found: usize,
        /// The largest possible number.
        most: usize,
    },
    /// There are too many materials.
    #[error("the models have {found} materials, more than the {most} of a frame")]
    Materials {
        /// The number in all models.
        found: usize,
        /// The largest possible number.
        most: usize,
    },
    /// An object names a model that is not there.
    #[error("object {object} has model {model}, but there are {models} models")]
    NoModel {
        /// The index of the object.
        object: usize,
        /// Its model.
        model: usize,
        /// The number of models.
        models: usize,
    },
    /// A model names a vertex or a material that is not there.
    #[error("model {model} names a vertex or a material that it does not have")]
    Broken {
        /// The index of the model.
        model: usize,
    },
    /// A hull that cannot float.
    #[error(
        "model {model} needs one hull point or 3 to {most}, areas above 0 and a mass of 0 or more"
    )]
    Hull {
        /// The index of the model.
        model: usize,
        /// The largest number of points.
        most: usize,
    },
}
