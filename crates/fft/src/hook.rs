//! Hooks: the caller's WGSL in the kernels of a plan, which replaces the input or output buffer.
//!
//! A transform inside a larger program reads the output of the pass before it, and writes the input of the
//! pass after it. With hooks those passes become part of the transform: the values that would cross memory
//! between them never leave their invocation. A [`LoadHook`] computes the values of the first dispatch, a
//! [`StoreHook`] takes those of the last. `examples/band_pass.rs` filters an image with them; the ocean
//! evolves its spectrum in one and writes its maps in the other.
//!
//! # Names that a hook may use
//! - `Real`: the type of a number, `f64` for the precision `F64`, else `f32`.
//! - `Element`: `vec2<Real>` in layout `Planar`; in layout `Pair` a `vec4<Real>`, (re, im) of image
//!   2 * layer and (re, im) of image 2 * layer + 1.
//!
//!   `Real(0.1)` is a constant in either type; a literal of f64 is `0.1lf`. There is no sine, cosine or power
//!   of an f64: WGSL has none, and drivers miscompile naga's.
//! - `WITHIN_HALVES`, in a store hook: a constant, whether no part of a value is beyond 65504, the largest
//!   16-bit float. It is so for columns of up to 512 points after
//!   [half intermediates](StoreHook::keeping_halves).
//! - Its own bindings, in [`LoadHook::GROUP`] or [`StoreHook::GROUP`].
//!
//! Give your names a prefix: they must differ from those that kernels declare, and from WGSL's own functions,
//! which kernels call. Workgroup variables start with any value.
//!
//! # Its arguments
//! Values arrive in and leave for natural order: `layer` below the batch (half of it in layout `Pair`),
//! then `y`, then `x`. Rows of a volume are counted through its slices: `y` is z times the height and the
//! row. Each value is stored once and loaded at least once, in any order; `dft` and transforms of half a
//! spectrum or by cosines load some more often. With a [`View`](super::View) of less than the transform's
//! extent, a hook at that end is called for values within it only.
//!
//! | [`Kind`](super::Kind) | load | store |
//! |---|---|---|
//! | `Complex` | an `Element`, x below the width | the same |
//! | `Real`, forward | a real number in `.x` of an `Element`, x below the width | an `Element`, x up to width / 2 |
//! | `Real`, inverse | an `Element`, x up to width / 2 | a real number in `.x`, x below the width |
//! | `Dct1` to `Dct4` | a real number in `.x`, x below the width | the same |

mod syntax;

use crate::error::Unsupported;
use crate::gpu::shader::Composed;

/// Computes the input of a transform; the [module](self) lists the names that its WGSL may use.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct LoadHook {
    #[serde(flatten)]
    hook: Hook,
    layers_per_prepare: Option<u32>,
}

/// Takes the output of a transform; the [module](self) lists the names that its WGSL may use.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct StoreHook {
    #[serde(flatten)]
    hook: Hook,
    keeps_halves: bool,
    means: u32,
}

/// The common part of both hooks. Its fields are private, so that a hook declared unchecked cannot be
/// changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
struct Hook {
    name: String,
    #[serde(serialize_with = "text_of")]
    wgsl: Composed,
    #[serde(skip)]
    bindings: Vec<wgpu::BindGroupLayoutEntry>,
    #[serde(skip)]
    is_in_bounds: bool,
}

fn text_of<S: serde::Serializer>(wgsl: &Composed, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(wgsl.text())
}

impl Hook {
    fn new(name: String, wgsl: Composed, bindings: Vec<wgpu::BindGroupLayoutEntry>) -> Self {
        Self { name, wgsl, bindings, is_in_bounds: false }
    }

    /// Checks that its imports exist, that its brackets close, and that it declares the functions of those
    /// `signatures`.
    fn check(&self, signatures: &[&'static str]) -> Result<(), Unsupported> {
        let (name, wgsl) = (&self.name, self.wgsl.text());
        let whole = crate::SHADERS.resolve_text(name, wgsl).map_err(|error| Unsupported::Hook {
            hook: name.clone(),
            message: error.to_string(),
        })?;
        syntax::check_brackets(name, wgsl)?;
        syntax::check_functions(name, &whole, signatures)
    }
}

impl LoadHook {
    /// The bind group of a load hook's bindings.
    pub const GROUP: u32 = 1;

    /// A hook of one function, `fn load(layer: u32, y: u32, x: u32) -> Element`. `name` is for error
    /// messages; `wgsl` is the function with all that it needs: a text that may import files of this
    /// library, or a module of another one; `bindings` are those of [`LoadHook::GROUP`] that it uses.
    pub fn new(
        name: impl Into<String>,
        wgsl: impl Into<Composed>,
        bindings: Vec<wgpu::BindGroupLayoutEntry>,
    ) -> Self {
        let hook = Hook::new(name.into(), wgsl.into(), bindings);
        Self { hook, layers_per_prepare: None }
    }

    /// A hook that computes `layers` successive layers from common values. Its WGSL declares a type
    /// `Prepared` and `fn prepare(group: u32, y: u32, x: u32) -> Prepared`, for the layers from `group *
    /// layers` on, and `fn load_prepared(prepared: Prepared, layer: u32, y: u32, x: u32) -> Element`.
    /// Register-tiled algorithms can prepare once and transform those layers in turn.
    pub fn preparing(
        layers: u32,
        name: impl Into<String>,
        wgsl: impl Into<Composed>,
        bindings: Vec<wgpu::BindGroupLayoutEntry>,
    ) -> Self {
        Self { layers_per_prepare: Some(layers), ..Self::new(name, wgsl, bindings) }
    }

    /// Lets kernels with this hook be compiled without checks, if their own code may.
    ///
    /// # Safety
    /// For every layer, y and x of every transform with this hook, all indices of the hook must be within the
    /// bounds of its bindings, and its loops must end.
    pub unsafe fn unchecked(mut self) -> Self {
        self.hook.is_in_bounds = true;
        self
    }

    /// The number of layers that share one prepared value, if the hook prepares any.
    pub fn layers_per_prepare(&self) -> Option<u32> {
        self.layers_per_prepare
    }

    /// The functions that kernels call.
    pub(super) fn signatures(&self) -> &'static [&'static str] {
        match self.layers_per_prepare {
            None => &["fn load(layer: u32, y: u32, x: u32) -> Element"],
            Some(_) => &[
                "fn prepare(group: u32, y: u32, x: u32) -> Prepared",
                "fn load_prepared(prepared: Prepared, layer: u32, y: u32, x: u32) -> Element",
            ],
        }
    }
}

impl StoreHook {
    /// The bind group of a store hook's bindings.
    pub const GROUP: u32 = 2;

    /// A hook of one function, `fn store(layer: u32, y: u32, x: u32, value: Element)`, whose value
    /// is scaled already; otherwise as [`LoadHook::new`], with [`StoreHook::GROUP`].
    pub fn new(
        name: impl Into<String>,
        wgsl: impl Into<Composed>,
        bindings: Vec<wgpu::BindGroupLayoutEntry>,
    ) -> Self {
        Self { hook: Hook::new(name.into(), wgsl.into(), bindings), keeps_halves: false, means: 0 }
    }

    /// Says that it keeps values in 16-bit floats, and that those between the passes of the
    /// transform may be kept so too: each real and imaginary part is rounded to 11 bits once more.
    /// Parts below 2^-23 keep fewer, those beyond 90 do not pass, and of two real images in one
    /// complex one the smaller takes the error of the larger. Algorithms that can do that say so by
    /// a parameter, `half-intermediates`.
    #[must_use]
    pub fn keeping_halves(mut self) -> Self {
        self.keeps_halves = true;
        self
    }

    /// Returns whether [`StoreHook::keeping_halves`] was called.
    pub fn keeps_halves(&self) -> bool {
        self.keeps_halves
    }

    /// Says that it also takes means, as the mips of a texture are: its WGSL declares
    /// `fn store_mean(level: u32, layer: u32, y: u32, x: u32, mean: Element)`, which takes the mean of
    /// 2^level x 2^level stored values from (x, y) 2^level on, once for each level from 1 to at most `levels`.
    /// Not every algorithm has so many values at hand: [`Bound::means`](crate::Bound::means) is the number of
    /// levels that a transform stores.
    #[must_use]
    pub fn taking_means(mut self, levels: u32) -> Self {
        self.means = levels;
        self
    }

    /// The levels of [`StoreHook::taking_means`].
    pub fn means(&self) -> u32 {
        self.means
    }

    /// The functions that kernels call.
    pub(super) fn signatures(&self) -> &'static [&'static str] {
        let all = &[
            "fn store(layer: u32, y: u32, x: u32, value: Element)",
            "fn store_mean(level: u32, layer: u32, y: u32, x: u32, mean: Element)",
        ];
        if self.means > 0 { all } else { &all[..1] }
    }

    /// Lets kernels with this hook be compiled without checks, if their own code may.
    ///
    /// # Safety
    /// The conditions of [`LoadHook::unchecked`].
    pub unsafe fn unchecked(mut self) -> Self {
        self.hook.is_in_bounds = true;
        self
    }
}

macro_rules! readable {
    ($name:ident) => {
        impl $name {
            /// The name in error messages.
            pub fn name(&self) -> &str {
                &self.hook.name
            }

            /// The WGSL source of its functions.
            pub fn wgsl(&self) -> &str {
                self.hook.wgsl.text()
            }

            /// The bindings of its group.
            pub fn bindings(&self) -> &[wgpu::BindGroupLayoutEntry] {
                &self.hook.bindings
            }

            /// Checks the hook without a compiler; see [`Hook::check`].
            pub(super) fn check(&self) -> Result<(), Unsupported> {
                self.hook.check(self.signatures())
            }

            pub(super) fn is_in_bounds(&self) -> bool {
                self.hook.is_in_bounds
            }

            pub(super) fn module(&self) -> &Composed {
                &self.hook.wgsl
            }
        }
    };
}

readable!(LoadHook);
readable!(StoreHook);
