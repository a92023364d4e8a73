//! A transform as plain data: kernels, and the dispatches that run them. The executor, the tests
//! that need no GPU, printed kernels and figures of bandwidth all read this one description.

pub(in crate::fft) mod kernel;
pub(in crate::fft) mod lines;
pub(in crate::fft) mod passes;
mod problem;

pub(in crate::fft) use problem::Problem;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::fft::algorithms::{Configuration, Twiddles};
use crate::fft::descriptor::{Axis, Descriptor, Direction, Precision};
use crate::fft::error::FftError;
use crate::fft::roots::root_of_unity;
use crate::gpu::shader::Parts;
use crate::gpu::{Capabilities, Limit, Requirements};

/// Words of a dispatch's parameters: they lie where WebGPU aligns uniforms.
const MAX_PARAMS: usize = 64;

/// Numbers of bindings in WebGPU.
const MAX_BINDINGS: u32 = 1000;

/// Everything that computes a transform.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The algorithm with all of its parameters, where the program is one's.
    pub configuration: Option<Configuration>,
    /// The kernels, each compiled once.
    pub kernels: Vec<Kernel>,
    /// What to run, in order.
    pub dispatches: Vec<Dispatch>,
    /// Constant tables that the dispatches read.
    pub tables: Vec<Table>,
    /// Bytes of the input.
    pub input_bytes: u64,
    /// Bytes of the output: where it is the input too, of the larger of the two.
    pub output_bytes: u64,
    /// Bytes of scratch memory; 0 where none is needed.
    pub scratch_bytes: u64,
    /// Bytes of a second buffer of scratch memory; 0 where, as mostly, none is needed.
    pub second_scratch_bytes: u64,
    /// How numbers are kept in its buffers.
    pub precision: Precision,
    /// Input and output are one region.
    pub in_place: bool,
    /// Bindings of the load hook.
    pub load_bindings: Vec<wgpu::BindGroupLayoutEntry>,
    /// Bindings of the store hook.
    pub store_bindings: Vec<wgpu::BindGroupLayoutEntry>,
}

/// A compute shader.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// For profilers and error messages.
    pub label: String,
    /// The whole module.
    pub wgsl: String,
    /// The name of its entry point.
    pub entry: &'static str,
    /// What it binds in group 0: number and kind.
    pub bindings: Vec<(u32, Access)>,
    /// Invocations in a workgroup.
    pub workgroup_size: u32,
    /// Bytes of workgroup memory.
    pub workgroup_bytes: u32,
    /// Generated, with every index within bounds by construction, and hooks in it of which somebody
    /// has vouched for the same. Private: what the text says can be changed by anybody.
    pub(in crate::fft) is_in_bounds: bool,
    /// Has the program's load hook in it, and binds its group.
    pub loads_by_hook: bool,
    /// Has the program's store hook in it, and binds its group.
    pub stores_by_hook: bool,
    /// Where the hooks' own lines are.
    pub(in crate::fft) hooks: Vec<HookLines>,
    /// The files under `shaders/`, and the texts, that its lines came from.
    pub(in crate::fft) parts: Parts,
}

/// Where a hook's text is in a kernel's.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::fft) struct HookLines {
    pub hook: String,
    /// The functions of it that the kernel calls.
    pub calls: &'static [&'static str],
    /// Counted from 0.
    pub lines: Range<usize>,
}

/// One run of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Dispatch {
    /// Index into [`Program::kernels`].
    pub kernel: usize,
    /// The axis that it works on.
    pub axis: Axis,
    /// What is bound to each of the kernel's bindings, in their order.
    pub roles: Vec<Role>,
    /// Contents of the uniform in [`Role::Params`].
    pub params: Vec<u32>,
    /// Workgroups along x, y and z.
    pub workgroups: [u32; 3],
    /// Bytes of image data read, tables and parameters not counted.
    pub bytes_read: u64,
    /// Bytes of image data written.
    pub bytes_written: u64,
}

/// How a kernel uses a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// `var<storage, read>`.
    Read,
    /// `var<storage, read_write>`.
    ReadWrite,
    /// `var<uniform>`.
    Uniform,
}

/// What a dispatch binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The caller's input.
    Input,
    /// The caller's output, which is the input too where a program works in place.
    Output,
    /// Scratch memory.
    Scratch,
    /// More of it, in another buffer.
    SecondScratch,
    /// A table: index into [`Program::tables`].
    Table(usize),
    /// The dispatch's own [`params`](Dispatch::params).
    Params,
}

/// Constant complex numbers, in double precision: on a device they are rounded to what its kernels
/// compute in.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// For labels.
    pub label: String,
    /// (re, im).
    pub values: Vec<[f64; 2]>,
}

impl Program {
    /// A program of these parts that solves `problem`.
    pub(in crate::fft) fn new(
        problem: &Problem<'_>,
        twiddles: Twiddles,
        kernels: Vec<Kernel>,
        dispatches: Vec<Dispatch>,
    ) -> Self {
        let Descriptor { load, store, .. } = problem.descriptor;
        let mut program = Self {
            configuration: None,
            kernels,
            dispatches,
            tables: kernel::tables(problem, twiddles),
            input_bytes: problem.descriptor.input_bytes(),
            output_bytes: match problem.is_in_place() {
                true => problem.descriptor.input_bytes().max(problem.descriptor.output_bytes()),
                false => problem.descriptor.output_bytes(),
            },
            scratch_bytes: 0,
            second_scratch_bytes: 0,
            precision: problem.descriptor.precision,
            in_place: problem.is_in_place(),
            load_bindings: load.as_ref().map(|hook| hook.bindings().to_vec()).unwrap_or_default(),
            store_bindings: store.as_ref().map(|hook| hook.bindings().to_vec()).unwrap_or_default(),
        };
        if program.uses(Role::Scratch) {
            program.scratch_bytes = problem.data_bytes();
        }
        program
    }

    /// Whether a kernel is made of one of `changed`, files under `shaders/`.
    pub fn depends(&self, changed: &BTreeSet<String>) -> bool {
        self.kernels.iter().any(|kernel| kernel.parts.depends(changed))
    }

    /// Whether a dispatch binds `role`.
    pub fn uses(&self, role: Role) -> bool {
        self.dispatches.iter().any(|dispatch| dispatch.roles.contains(&role))
    }

    /// What a device must have to run it, what its hooks bind not counted.
    pub fn requirements(&self) -> Requirements {
        let mut requirements = Requirements::default();
        for kernel in &self.kernels {
            requirements.need(Limit::WorkgroupStorage, kernel.workgroup_bytes.into());
            requirements.need(Limit::WorkgroupInvocations, kernel.workgroup_size.into());
        }
        for count in self.dispatches.iter().flat_map(|dispatch| dispatch.workgroups) {
            requirements.need(Limit::WorkgroupsPerDimension, count.into());
        }
        let tables = self.tables.iter().map(|table| table.bytes(self.precision)).max();
        let scratch_bytes = self.scratch_bytes.max(self.second_scratch_bytes);
        let bytes = self.input_bytes.max(self.output_bytes).max(scratch_bytes);
        let bytes = bytes.max(tables.unwrap_or(0));
        requirements.need(Limit::StorageBinding, bytes);
        requirements.need(Limit::Buffer, bytes);
        requirements.features |= match self.precision {
            Precision::F32 => wgpu::Features::empty(),
            Precision::F16 => wgpu::Features::SHADER_F16,
            Precision::F64 => wgpu::Features::SHADER_F64,
        };
        requirements
    }

    /// Whether its parts fit each other and a device of `capabilities`, which somebody may have
    /// changed. What its kernels say, the compiler checks.
    pub(in crate::fft) fn check(&self, capabilities: &Capabilities) -> Result<(), FftError> {
        let refuse = |message: String| Err(FftError::Program { message });
        for Kernel { label, bindings, .. } in &self.kernels {
            let numbers: BTreeSet<u32> = bindings.iter().map(|(number, _)| *number).collect();
            if numbers.len() < bindings.len() {
                return refuse(format!("{label} has two bindings of one number"));
            }
            if let Some(number) = numbers.iter().find(|number| **number >= MAX_BINDINGS) {
                return refuse(format!("{label} binds {number}, of at most {MAX_BINDINGS}"));
            }
        }
        for (index, dispatch) in self.dispatches.iter().enumerate() {
            let Dispatch { kernel, roles, params, .. } = dispatch;
            let Some(Kernel { label, bindings, .. }) = self.kernels.get(*kernel) else {
                let count = self.kernels.len();
                return refuse(format!("dispatch {index} runs kernel {kernel} of {count}"));
            };
            let fits = |((_, access), role): (&(u32, Access), &Role)| match role {
                Role::Params => *access == Access::Uniform,
                Role::Table(_) => *access == Access::Read,
                Role::Input | Role::Output | Role::Scratch | Role::SecondScratch => {
                    *access != Access::Uniform
                }
            };
            if bindings.len() != roles.len() || !bindings.iter().zip(roles).all(fits) {
                return refuse(format!("dispatch {index} binds other things than {label} takes"));
            }
            if roles.contains(&Role::Params) == params.is_empty() {
                return refuse(format!("dispatch {index} needs parameters, or has them in vain"));
            }
            if params.len() > MAX_PARAMS {
                let count = params.len();
                return refuse(format!("dispatch {index} has {count} parameters of {MAX_PARAMS}"));
            }
            let missing = |role: &&Role| match role {
                Role::Table(table) => {
                    self.tables.get(*table).is_none_or(|table| table.values.is_empty())
                }
                _ => false,
            };
            if let Some(role) = roles.iter().find(missing) {
                return refuse(format!("dispatch {index} binds {role:?}, which is empty"));
            }
        }
        if let Some((limit, needed)) = self.requirements().missing(capabilities) {
            let available = limit.of(capabilities);
            return refuse(format!("it takes a {limit} of {needed}, and there is {available}"));
        }
        Ok(())
    }

    /// Bytes of image data that all dispatches read and write.
    pub fn bytes_moved(&self) -> u64 {
        self.dispatches.iter().map(|dispatch| dispatch.bytes_read + dispatch.bytes_written).sum()
    }
}

impl Table {
    /// exp(sign 2 pi i k / `period`) for k in 0..`period`.
    pub(in crate::fft) fn twiddles(period: u32, direction: Direction) -> Self {
        let root = |k| root_of_unity(k as usize, period as usize, direction);
        let values = (0..period).map(root).collect();
        Self { label: format!("twiddles {period} {direction}"), values }
    }

    /// Bytes on a device.
    pub(in crate::fft) fn bytes(&self, precision: Precision) -> u64 {
        2 * u64::from(precision.computed_bytes()) * self.values.len() as u64
    }

    /// As kernels of `precision` read it, each number rounded once.
    pub(in crate::fft) fn contents(&self, precision: Precision) -> Vec<u8> {
        let parts = self.values.as_flattened();
        match precision.computed_bytes() {
            8 => bytemuck::cast_slice(parts).to_vec(),
            _ => {
                let rounded: Vec<f32> = parts.iter().map(|part| *part as f32).collect();
                bytemuck::cast_slice(&rounded).to_vec()
            }
        }
    }
}
