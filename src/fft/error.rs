//! Why a transform cannot be planned or bound.

use crate::fft::descriptor::{Axis, Kind, View};
use crate::gpu::Limit;
use crate::gpu::shader::ShaderError;

/// Why an algorithm cannot compute a transform on a device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// Nothing to transform.
    #[error(
        "an FFT of {} x {}{} points in a batch of {batch} is empty: all must be at least 1",
        size[0],
        size[1],
        if size[2] == 1 { String::new() } else { format!(" x {}", size[2]) }
    )]
    Empty {
        /// Width, height and depth, which is 1 of an image.
        size: [u32; 3],
        /// Number of images.
        batch: u32,
    },
    /// A length that the algorithm does not take.
    #[error(
        "{algorithm} takes lengths that are powers of two of at least {minimum}, and the {axis} length is \
         {length}: mixed-radix, four-step and bluestein take others"
    )]
    Length {
        /// The algorithm.
        algorithm: String,
        /// The axis.
        axis: Axis,
        /// Its length.
        length: u32,
        /// The shortest that the algorithm takes.
        minimum: u32,
    },
    /// A length with a prime that the algorithm has no butterfly for.
    #[error(
        "{algorithm} takes lengths whose primes are at most 13, and the {axis} length is {length}: \
         bluestein takes any"
    )]
    Smooth {
        /// The algorithm.
        algorithm: String,
        /// The axis.
        axis: Axis,
        /// Its length.
        length: u32,
    },
    /// A length beyond what the algorithm is for.
    #[error(
        "{algorithm} takes lengths up to {maximum}, and the {axis} length is {length}: four-step takes \
         longer ones that are products of 2, 3, 5, 7, 11 and 13"
    )]
    TooLong {
        /// The algorithm.
        algorithm: String,
        /// The axis.
        axis: Axis,
        /// Its length.
        length: u32,
        /// The longest that the algorithm takes.
        maximum: u32,
    },
    /// A cosine transform whose factors are not told apart in 32 bits.
    #[error("cosine transforms take lengths up to {maximum}, and the {axis} length is {length}")]
    LongCosine {
        /// The axis.
        axis: Axis,
        /// Its length.
        length: u32,
        /// The longest that is taken.
        maximum: u32,
    },
    /// Volumes with more rows than are counted in 32 bits.
    #[error(
        "a volume of {depth} slices of {height} rows has more than 4294967295 rows: split it along \
         an axis that is not transformed"
    )]
    Rows {
        /// Rows of a slice.
        height: u32,
        /// Slices.
        depth: u32,
    },
    /// A limit of the device.
    #[error(
        "{}{what} needs {needed} {}, and this device's {limit} is {available}{}",
        algorithm.as_ref().map(|name| format!("{name}: ")).unwrap_or_default(),
        limit.unit(),
        cure(*limit)
    )]
    Limit {
        /// The algorithm, or `None` where every algorithm would need as much.
        algorithm: Option<String>,
        /// What does not fit.
        what: String,
        /// The limit.
        limit: Limit,
        /// What it takes.
        needed: u64,
        /// What there is.
        available: u64,
    },
    /// An optional feature that the device lacks.
    #[error("{what} need the feature {feature}, which this device lacks: use 32-bit floats")]
    Feature {
        /// What needs it.
        what: &'static str,
        /// WebGPU's name of the feature.
        feature: &'static str,
    },
    /// 16-bit floats in an algorithm that would round to them after every stage.
    #[error(
        "{algorithm} stores the result of every stage, and 16-bit floats would lose too much each \
         time: use f32"
    )]
    Rounding {
        /// The algorithm.
        algorithm: String,
    },
    /// A load hook that prepares groups of layers into which the batch does not divide.
    #[error(
        "a load hook prepares {per_prepare} layers at a time, and there are {layers}: {}",
        if *per_prepare == 0 { "prepare at least 1" } else { "make the batch a multiple" }
    )]
    Prepare {
        /// Layers of the batch.
        layers: u32,
        /// Layers that one prepared value serves.
        per_prepare: u32,
    },
    /// A view that reaches further than a buffer can, of data that would fit.
    #[error(
        "the view of the {side} needs {needed} bytes, and this device's {limit} is {available}: its \
         offset of {} and its strides of {:?} reach that far, so make them smaller",
        view.offset,
        view.strides
    )]
    ViewBytes {
        /// Input or output.
        side: &'static str,
        /// The view.
        view: View,
        /// The limit.
        limit: Limit,
        /// Bytes from the start of the buffer to the view's last value.
        needed: u64,
        /// What there is of the limit.
        available: u64,
    },
    /// A hook whose WGSL ends within a declaration or has brackets that do not match.
    #[error("the hook {hook}, line {line}: {message}")]
    HookSyntax {
        /// The hook's name.
        hook: String,
        /// Line of the hook's own text, from 1.
        line: u32,
        /// What is wrong.
        message: String,
    },
    /// A hook without a function that kernels call, or with other parameters.
    #[error(
        "the hook {hook} declares {}, and kernels call `{wanted}`: declare it with these parameters",
        match found {
            Some(found) => format!("`{found}`"),
            None => format!("no function {}", wanted.trim_start_matches("fn ").split('(').next().unwrap_or_default()),
        }
    )]
    HookFunction {
        /// The hook's name.
        hook: String,
        /// The signature that kernels call.
        wanted: &'static str,
        /// The hook's own function of that name, if it has one.
        found: Option<String>,
    },
    /// A hook that imports what is not there, or says so in a way that is not understood.
    #[error("the hook {hook}: {message}")]
    Hook {
        /// The hook's name.
        hook: String,
        /// What is wrong, with the line.
        message: String,
    },
    /// Real data in pairs of images.
    #[error("{kind} transforms take layout planar: a pair holds complex values of two images")]
    RealPairs {
        /// The kind of transform.
        kind: Kind,
    },
    /// Real data of which the rows are not transformed.
    #[error(
        "a real transform begins or ends with rows, and they are not among its axes: transform rows too, or rotate the data"
    )]
    RealRows,
    /// A cosine transform of type I of a single point.
    #[error("dct1 takes lengths from 2 on, and the {axis} length is 1: leave the axis out")]
    ShortCosine {
        /// The axis.
        axis: Axis,
    },
    /// A view that is none of the data.
    #[error("the view of the {side} {why}")]
    View {
        /// Input or output.
        side: &'static str,
        /// What is wrong, and what would not be.
        why: String,
    },
    /// What few algorithms compute.
    #[error(
        "{algorithm} does not transform {what}: mixed-radix, four-step and bluestein do, and without \
         an algorithm by name one of them is taken"
    )]
    Plain {
        /// The algorithm.
        algorithm: String,
        /// What was asked for.
        what: &'static str,
    },
    /// A parameter with a value that it cannot have.
    #[error("{algorithm}: {parameter} is {value}, which must be {expected}")]
    Parameter {
        /// The algorithm.
        algorithm: String,
        /// The parameter, by its name on the command line.
        parameter: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        expected: String,
    },
    /// A parameter that the algorithm does not have.
    #[error("{algorithm} has no parameter {parameter}: it has {}", parameters.join(", "))]
    NoSuchParameter {
        /// The algorithm.
        algorithm: String,
        /// What was asked for.
        parameter: String,
        /// What there is.
        parameters: Vec<&'static str>,
    },
}

/// What takes less of a limit.
fn cure(limit: Limit) -> &'static str {
    match limit {
        Limit::StorageBinding | Limit::Buffer => ": a smaller batch or size takes less",
        Limit::WorkgroupsPerDimension => ": a smaller batch takes less",
        Limit::WorkgroupStorage | Limit::WorkgroupInvocations => {
            ": fewer lines in a workgroup take less, and four-step takes longer lines"
        }
        _ => "",
    }
}

/// Why a plan could not be made or bound.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FftError {
    /// The device cannot run it.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// A buffer is too small.
    #[error(
        "the FFT's {region} needs {needed} bytes, and its buffer has {available} from offset {offset}"
    )]
    TooSmall {
        /// Input, output or scratch.
        region: &'static str,
        /// Bytes needed from the offset on.
        needed: u64,
        /// Where the region starts in the buffer.
        offset: u64,
        /// Bytes that the buffer has from there on.
        available: u64,
    },
    /// An offset that the device cannot bind.
    #[error(
        "the FFT's {region} starts at byte {offset}, which is no multiple of this device's \
         minStorageBufferOffsetAlignment, {alignment}"
    )]
    Misaligned {
        /// Input, output or scratch.
        region: &'static str,
        /// Where the region starts in the buffer.
        offset: u64,
        /// The device's alignment.
        alignment: u32,
    },
    /// A buffer that was not made for storage.
    #[error("the buffer of the FFT's {region} lacks BufferUsages::STORAGE")]
    Usage {
        /// Input, output or scratch.
        region: &'static str,
    },
    /// Two regions of one buffer, which WebGPU does not let a kernel read and write at once.
    #[error(
        "the FFT's {first} and {second} lie in one buffer: use two buffers, or a plan whose \
         placement is Placement::InPlace and one region"
    )]
    SharedBuffer {
        /// Input, output or scratch.
        first: &'static str,
        /// As `first`.
        second: &'static str,
    },
    /// A region that the plan needs was not given.
    #[error("the FFT needs a buffer for its {region}")]
    Missing {
        /// Input, output or scratch.
        region: &'static str,
    },
    /// A hook without its bind group, or a bind group without its hook.
    #[error("the FFT's {hook} hook and the bind group for it go together: give both or neither")]
    Hook {
        /// Load or store.
        hook: &'static str,
    },
    /// A hook's bind group that does not fit the plan's kernels.
    #[error(
        "the bind groups of the FFT's hooks do not fit its kernels: {message}. Make them for \
         Plan::load_layout and Plan::store_layout"
    )]
    HookGroup {
        /// What the device says.
        message: String,
    },
    /// Bindings of a hook of which the device can make no bind group.
    #[error("the bindings of the FFT's {hook} hook are not valid: {message}")]
    HookBindings {
        /// Load or store.
        hook: &'static str,
        /// What the device says.
        message: String,
    },
    /// A program changed by hand, whose parts do not fit each other or the device.
    #[error("the FFT's program cannot run: {message}")]
    Program {
        /// What does not fit.
        message: String,
    },
    /// A hook's WGSL that does not compile.
    #[error("the hook {hook}, line {line}: {message}")]
    HookSource {
        /// The hook's name.
        hook: String,
        /// Line of the hook's own text, from 1.
        line: u32,
        /// What the compiler says.
        message: String,
    },
    /// A file under `shaders/` that does not compile.
    #[error(transparent)]
    Shader(#[from] ShaderError),
    /// A kernel that does not compile: one changed by hand, or one whose hooks do not fit it.
    #[error(
        "{label} does not compile{}: {message}{}",
        if hooks.is_empty() { String::new() } else { format!(" with {}", hooks.join(" and ")) },
        if calls.is_empty() { String::new() } else { format!("; it calls `{}`", calls.join("` and `")) }
    )]
    Kernel {
        /// The kernel's label.
        label: String,
        /// The names of the hooks in it.
        hooks: Vec<String>,
        /// The signatures by which it calls them.
        calls: Vec<&'static str>,
        /// What the compiler says.
        message: String,
    },
    /// A plan that works in place was given two regions.
    #[error("the FFT works in place (Placement::InPlace): its input and output must be one region")]
    NotInPlace,
}
