//! What a transform reads or writes in place of its buffers: WGSL of the caller's, in the kernels
//! of the plan.
//!
//! A transform inside a larger program reads what the pass before it wrote and writes what the pass
//! after it reads. With hooks those passes become part of the transform: the values that would
//! cross memory between them never leave their invocation. A [`LoadHook`] gives the values of the
//! first dispatch, a [`StoreHook`] takes those of the last. `examples/band_pass.rs` filters an image
//! with them; the ocean evolves its spectrum in one and writes its maps in the other.
//!
//! # What a hook may use
//! - `Element`: `vec2<f32>` in layout `Planar`; in layout `Pair` a `vec4<f32>`, (re, im) of image
//!   2 * layer and (re, im) of image 2 * layer + 1. In 32-bit floats whatever the precision of
//!   storage.
//! - Its own bindings, in [`LoadHook::GROUP`] or [`StoreHook::GROUP`].
//!
//! Its names must not be those that kernels declare: prefix yours. Values arrive in and leave for
//! natural order: `layer`, then `y` below the height, then `x` below the width. Each is stored once
//! and, but for `dft`, loaded once; in what order is open.

/// Gives the values of a transform.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct LoadHook {
    /// Functions, with all that they need: `fn load(layer: u32, y: u32, x: u32) -> Element`, or what
    /// [`layers_per_prepare`](Self::layers_per_prepare) says.
    pub wgsl: String,
    /// The bindings of [`LoadHook::GROUP`] that the functions use.
    #[serde(skip)]
    pub bindings: Vec<wgpu::BindGroupLayoutEntry>,
    /// If set, this many successive layers are computed from common values. The WGSL then declares
    /// a type `Prepared` and
    /// `fn prepare(group: u32, y: u32, x: u32) -> Prepared`, for the layers from
    /// `group * layers_per_prepare` on, and
    /// `fn load_prepared(prepared: Prepared, layer: u32, y: u32, x: u32) -> Element`.
    /// Register-tiled algorithms can prepare once and transform those layers in turn
    /// ([`Tuning::layers_in_turn`](super::Tuning::layers_in_turn)).
    pub layers_per_prepare: Option<u32>,
    #[serde(skip)]
    in_bounds: bool,
}

/// Takes the values of a transform.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct StoreHook {
    /// Functions, with all that they need:
    /// `fn store(layer: u32, y: u32, x: u32, value: Element)`. The value is scaled already.
    pub wgsl: String,
    /// The bindings of [`StoreHook::GROUP`] that the functions use.
    #[serde(skip)]
    pub bindings: Vec<wgpu::BindGroupLayoutEntry>,
    #[serde(skip)]
    in_bounds: bool,
}

impl LoadHook {
    /// The bind group of a load hook's bindings.
    pub const GROUP: u32 = 1;

    /// A hook of one function.
    pub fn new(wgsl: impl Into<String>, bindings: Vec<wgpu::BindGroupLayoutEntry>) -> Self {
        Self { wgsl: wgsl.into(), bindings, layers_per_prepare: None, in_bounds: false }
    }

    /// A hook that prepares values for `layers` successive layers at a time.
    pub fn preparing(
        layers: u32,
        wgsl: impl Into<String>,
        bindings: Vec<wgpu::BindGroupLayoutEntry>,
    ) -> Self {
        Self { layers_per_prepare: Some(layers), ..Self::new(wgsl, bindings) }
    }

    /// Lets kernels with this hook be compiled without checks, where their own code may.
    ///
    /// # Safety
    /// For every layer, y and x of the transform, no index of the hook's is out of bounds in what
    /// is bound to it, and its loops end.
    pub unsafe fn unchecked(self) -> Self {
        Self { in_bounds: true, ..self }
    }

    pub(super) fn is_in_bounds(&self) -> bool {
        self.in_bounds
    }
}

impl StoreHook {
    /// The bind group of a store hook's bindings.
    pub const GROUP: u32 = 2;

    /// A hook of one function.
    pub fn new(wgsl: impl Into<String>, bindings: Vec<wgpu::BindGroupLayoutEntry>) -> Self {
        Self { wgsl: wgsl.into(), bindings, in_bounds: false }
    }

    /// Lets kernels with this hook be compiled without checks, where their own code may.
    ///
    /// # Safety
    /// As [`LoadHook::unchecked`].
    pub unsafe fn unchecked(self) -> Self {
        Self { in_bounds: true, ..self }
    }

    pub(super) fn is_in_bounds(&self) -> bool {
        self.in_bounds
    }
}
