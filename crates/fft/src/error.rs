//! The errors of planning and binding transforms.

use crate::gpu::shader::ShaderError;
use crate::gpu::{Limit, ReadbackError};
use crate::layout::{Axis, Kind, View};

/// The reasons why an algorithm cannot compute a transform on a device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// A size or batch of zero.
    #[error(
        "an FFT of {} x {}{} points in a batch of {batch} is empty: all must be at least 1",
        size[0],
        size[1],
        if size[2] == 1 { String::new() } else { format!(" x {}", size[2]) }
    )]
    Empty {
        /// Width, height and depth, which is 1 of an image.
        size: [u32; 3],
        /// Number of images or volumes.
        batch: u32,
    },
    /// A length that the algorithm does not take.
    #[error(
        "{algorithm} takes lengths that are powers of two of at least {minimum}, and the {axis} length is \
         {length}: mixed-radix, four-step and bluestein take others"
    )]
    Length {
        /// The name of the algorithm.
        algorithm: String,
        /// The axis of the lines.
        axis: Axis,
        /// The length of the lines.
        length: u32,
        /// The shortest length that it supports.
        minimum: u32,
    },
    /// A length that is no power of three, for an algorithm that takes no other.
    #[error(
        "{algorithm} takes lengths that are powers of three of at least 3, and the {axis} length is \
         {length}: mixed-radix, four-step and bluestein take others"
    )]
    PowerOfThree {
        /// The name of the algorithm.
        algorithm: String,
        /// The axis of the lines.
        axis: Axis,
        /// The length of the lines.
        length: u32,
    },
    /// A length with a prime that the algorithm has no butterfly for.
    #[error(
        "{algorithm} takes lengths whose primes are at most 13, and the {axis} length is {length}: \
         bluestein takes any"
    )]
    Smooth {
        /// The name of the algorithm.
        algorithm: String,
        /// The axis of the lines.
        axis: Axis,
        /// The length of the lines.
        length: u32,
    },
    /// A length that is no prime, for an algorithm that takes no other.
    #[error(
        "{algorithm} takes lengths that are primes, and beside them products of 2, 3, 5, 7, 11 and 13, and \
         the {axis} length is {length}: bluestein takes any"
    )]
    Prime {
        /// The name of the algorithm.
        algorithm: String,
        /// The axis of the lines.
        axis: Axis,
        /// The length of the lines.
        length: u32,
    },
    /// A length beyond the algorithm's range.
    #[error(
        "{algorithm} takes lengths up to {maximum}, and the {axis} length is {length}: four-step takes \
         longer ones that are products of 2, 3, 5, 7, 11 and 13"
    )]
    TooLong {
        /// The name of the algorithm.
        algorithm: String,
        /// The axis of the lines.
        axis: Axis,
        /// The length of the lines.
        length: u32,
        /// The longest length that it supports.
        maximum: u32,
    },
    /// A cosine transform whose factors cannot be distinguished in 32 bits.
    #[error("cosine transforms take lengths up to {maximum}, and the {axis} length is {length}")]
    LongCosine {
        /// The axis of the lines.
        axis: Axis,
        /// The length of the lines.
        length: u32,
        /// The longest length that it supports.
        maximum: u32,
    },
    /// Volumes whose rows exceed 32 bits in number.
    #[error(
        "a volume of {depth} slices of {height} rows has more than 4294967295 rows: split it along \
         an axis that is not transformed"
    )]
    Rows {
        /// The number of rows of a slice.
        height: u32,
        /// The number of slices of a volume.
        depth: u32,
    },
    /// The transform exceeds a limit of the device.
    #[error(
        "{}{what} needs {needed} {}, and this device's {limit} is {available}{}",
        algorithm.as_ref().map(|name| format!("{name}: ")).unwrap_or_default(),
        limit.unit(),
        cure(*limit)
    )]
    Limit {
        /// The algorithm, or `None` if every algorithm would need as much.
        algorithm: Option<String>,
        /// The resource that exceeds the limit.
        what: String,
        /// The limit that was exceeded.
        limit: Limit,
        /// The needed amount, in the limit's unit.
        needed: u64,
        /// The device's amount, in the limit's unit.
        available: u64,
    },
    /// An optional feature that the device lacks.
    #[error("{what} need the feature {feature}, which this device lacks: use 32-bit floats")]
    Feature {
        /// The part of the transform that needs it.
        what: &'static str,
        /// WebGPU's name of the feature.
        feature: &'static str,
    },
    /// Workgroups that wait for each other, on a device without coherent storage buffers.
    #[error(
        "one-dispatch needs storage buffers whose writes all workgroups see (the feature \
         wgpu-memory-decoration-coherent), which this device lacks: use two dispatches"
    )]
    Coherent,
    /// More workgroups that wait for each other than the device was seen to run at once.
    #[error(
        "one-dispatch has the workgroups of an image wait for each other. This device was seen to run \
         {available} of 256 invocations at once, and {needed} were needed: use two dispatches"
    )]
    Waiting {
        /// The number of workgroups of the dispatch, or as many of 256 invocations.
        needed: u32,
        /// [`waiting_workgroups`](crate::gpu::Capabilities::waiting_workgroups) of the device.
        available: u32,
    },
    /// Stages of one pass in images, on a device that cannot read and write one texture.
    #[error(
        "{algorithm} with ping-pong image reads and writes one texture of 32-bit floats in a pass, and this \
         device lacks that (texture-adapter-specific-format-features): cooley-tukey-multipass has a pass for \
         each stage"
    )]
    ReadWriteTexture {
        /// The name of the algorithm.
        algorithm: String,
    },
    /// 16-bit floats in an algorithm that would round to them after every stage.
    #[error(
        "{algorithm} stores the result of every stage, and 16-bit floats would lose too much each \
         time: use f32"
    )]
    Rounding {
        /// The name of the algorithm.
        algorithm: String,
    },
    /// A load hook that prepares groups of layers into which the batch does not divide.
    #[error(
        "a load hook prepares {per_prepare} layers at a time, and there are {layers}: {}",
        if *per_prepare == 0 { "prepare at least 1" } else { "make the batch a multiple" }
    )]
    Prepare {
        /// The number of layers of the batch.
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
        /// The side of the transform: input or output.
        side: &'static str,
        /// The view that is too large.
        view: View,
        /// The limit that was exceeded.
        limit: Limit,
        /// Bytes from the start of the buffer to the view's last value.
        needed: u64,
        /// The device's amount, in the limit's unit.
        available: u64,
    },
    /// A hook whose WGSL ends within a declaration or has brackets that do not match.
    #[error("the hook {hook}, line {line}: {message}")]
    HookSyntax {
        /// The name of the hook.
        hook: String,
        /// Line of the hook's own text, from 1.
        line: u32,
        /// The error, without the line.
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
        /// The name of the hook.
        hook: String,
        /// The signature that kernels call.
        wanted: &'static str,
        /// The hook's own function of that name, if it has one.
        found: Option<String>,
    },
    /// A hook with an import that does not exist or that is malformed.
    #[error("the hook {hook}: {message}")]
    Hook {
        /// The name of the hook.
        hook: String,
        /// The error, with the line.
        message: String,
    },
    /// Real data in pairs of images.
    #[error("{kind} transforms take layout planar: a pair holds complex values of two images")]
    RealPairs {
        /// The kind of transform that was asked for.
        kind: Kind,
    },
    /// Real data whose rows are not transformed.
    #[error(
        "a real transform begins or ends with rows, and they are not among its axes: transform rows too, or rotate the data"
    )]
    RealRows,
    /// A cosine transform of type I of a single point.
    #[error("dct1 takes lengths from 2 on, and the {axis} length is 1: leave the axis out")]
    ShortCosine {
        /// The axis of that point.
        axis: Axis,
    },
    /// A view that does not suit the data.
    #[error("the view of the {side} {why}")]
    View {
        /// The side of the transform: input or output.
        side: &'static str,
        /// The error, and the condition that views must meet.
        why: String,
    },
    /// A problem that only few algorithms solve.
    #[error(
        "{algorithm} does not transform {what}: mixed-radix, four-step and bluestein do, and without \
         an algorithm by name one of them is taken"
    )]
    Plain {
        /// The name of the algorithm.
        algorithm: String,
        /// The requested property, in words.
        what: &'static str,
    },
    /// A parameter with a value that it cannot have.
    #[error("{algorithm}: {parameter} is {value}, which must be {expected}")]
    Parameter {
        /// The name of the algorithm.
        algorithm: String,
        /// The parameter, by its name on the command line.
        parameter: &'static str,
        /// The refused value, as text.
        value: String,
        /// The values that the parameter allows.
        expected: String,
    },
    /// A parameter that the algorithm does not have.
    #[error("{algorithm} has no parameter {parameter}: it has {}", parameters.join(", "))]
    NoSuchParameter {
        /// The name of the algorithm.
        algorithm: String,
        /// The parameter that was asked for.
        parameter: String,
        /// The parameters that the algorithm has.
        parameters: Vec<&'static str>,
    },
}

/// Advice for staying within a limit.
fn cure(limit: Limit) -> &'static str {
    match limit {
        Limit::StorageBinding | Limit::Buffer => ": a smaller batch or size takes less",
        Limit::WorkgroupsPerDimension => ": a smaller batch takes less",
        Limit::TextureDimension2d | Limit::TextureArrayLayers => ": ping-pong storage takes more",
        Limit::WorkgroupStorage | Limit::WorkgroupInvocations => {
            ": fewer lines in a workgroup take less, and four-step takes longer lines"
        }
        _ => "",
    }
}

/// The reasons why a plan could not be made or bound.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FftError {
    /// The device cannot run the transform.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// A buffer is too small.
    #[error(
        "the FFT's {region} needs {needed} bytes, and its buffer has {available} from offset {offset}"
    )]
    TooSmall {
        /// The region: input, output or scratch.
        region: &'static str,
        /// Bytes needed from the offset on.
        needed: u64,
        /// Offset of the region in its buffer, in bytes.
        offset: u64,
        /// Bytes of the buffer from there on.
        available: u64,
    },
    /// An offset that the device cannot bind.
    #[error(
        "the FFT's {region} starts at byte {offset}, which is no multiple of this device's \
         minStorageBufferOffsetAlignment, {alignment}"
    )]
    Misaligned {
        /// The region: input, output or scratch.
        region: &'static str,
        /// Offset of the region in its buffer, in bytes.
        offset: u64,
        /// The device's alignment, in bytes.
        alignment: u32,
    },
    /// A buffer without the usage for storage.
    #[error("the buffer of the FFT's {region} lacks BufferUsages::STORAGE")]
    Usage {
        /// The region: input, output or scratch.
        region: &'static str,
    },
    /// Two regions of one buffer, which WebGPU does not let a kernel read and write at once.
    #[error(
        "the FFT's {first} and {second} lie in one buffer: use two buffers, or a plan whose \
         placement is Placement::InPlace and one region"
    )]
    SharedBuffer {
        /// The first region: input, output or scratch.
        first: &'static str,
        /// The second region: input, output or scratch.
        second: &'static str,
    },
    /// A region that the plan needs was not given.
    #[error("the FFT needs a buffer for its {region}")]
    Missing {
        /// The region: input, output or scratch.
        region: &'static str,
    },
    /// A table in a texture without its contents.
    #[error(
        "the FFT's twiddle factors lie in a texture: call Plan::write_tables before Plan::bind"
    )]
    Tables,
    /// A hook without its bind group, or a bind group without its hook.
    #[error("the FFT's {hook} hook and the bind group for it go together: give both or neither")]
    Hook {
        /// The hook: load or store.
        hook: &'static str,
    },
    /// A hook's bind group that does not fit the plan's kernels.
    #[error(
        "the bind groups of the FFT's hooks do not fit its kernels: {message}. Make them for \
         Plan::load_layout and Plan::store_layout"
    )]
    HookGroup {
        /// The message of the device.
        message: String,
    },
    /// Bindings of a hook that the device cannot put into a bind group.
    #[error("the bindings of the FFT's {hook} hook are not valid: {message}")]
    HookBindings {
        /// The hook: load or store.
        hook: &'static str,
        /// The message of the device.
        message: String,
    },
    /// A changed program whose parts do not fit each other or the device.
    #[error("the FFT's program cannot run: {message}")]
    Program {
        /// The part that does not fit.
        message: String,
    },
    /// A hook's WGSL that does not compile.
    #[error("the hook {hook}, line {line}: {message}")]
    HookSource {
        /// The name of the hook.
        hook: String,
        /// Line of the hook's own text, from 1.
        line: u32,
        /// The message of the shader compiler.
        message: String,
    },
    /// A file under `shaders/` that does not compile.
    #[error(transparent)]
    Shader(#[from] ShaderError),
    /// A kernel that does not compile, because it was changed or its hooks do not fit it.
    #[error(
        "{label} does not compile{}: {message}{}",
        if hooks.is_empty() { String::new() } else { format!(" with {}", hooks.join(" and ")) },
        if calls.is_empty() { String::new() } else { format!("; it calls `{}`", calls.join("` and `")) }
    )]
    Kernel {
        /// The label of the kernel.
        label: String,
        /// The names of the hooks in it.
        hooks: Vec<String>,
        /// The signatures by which it calls them.
        calls: Vec<&'static str>,
        /// The message of the shader compiler.
        message: String,
    },
    /// Two regions were bound to a plan that works in place.
    #[error("the FFT works in place (Placement::InPlace): its input and output must be one region")]
    NotInPlace,
}

/// The reasons why the results of a bound plan are not known to be right.
#[derive(Debug, thiserror::Error)]
pub enum WaitError {
    /// Workgroups waited for each other in vain.
    #[error(
        "the FFT's workgroups waited for each other in vain, since this device did not run all of them at \
         once: use a plan of two dispatches (one-dispatch false)"
    )]
    InVain,
    /// The device did not answer.
    #[error(transparent)]
    Readback(#[from] ReadbackError),
}
