//! A transform as plain data: kernels, and the dispatches that run them. The executor, the tests
//! that need no GPU, printed kernels and figures of bandwidth all read this one description.

pub(crate) mod join;
pub(crate) mod kernel;
pub(crate) mod lines;
pub(crate) mod passes;
mod problem;

pub(crate) use problem::{Problem, WAITING_BYTES, WAITING_INVOCATIONS};

use std::collections::BTreeSet;
use std::ops::Range;

use crate::configuration::{Configuration, Twiddles};
use crate::descriptor::{Axis, Descriptor, Direction, Layout, Precision};
use crate::error::FftError;
use crate::gpu::shader::Parts;
use crate::gpu::{Capabilities, Limit, Requirements};
use crate::roots::root_of_unity;

/// The most words of a dispatch's parameters, with WebGPU's alignment of uniforms.
const MAX_PARAMS: usize = 64;

/// The limit of binding numbers in WebGPU.
const MAX_BINDINGS: u32 = 1000;

/// The kernels and dispatches that compute a transform.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The algorithm with all of its parameters, where the program comes from one.
    pub configuration: Option<Configuration>,
    /// The kernels, each compiled once.
    pub kernels: Vec<Kernel>,
    /// The dispatches to run, in order.
    pub dispatches: Vec<Dispatch>,
    /// The constant tables that the dispatches read.
    pub tables: Vec<Table>,
    /// The scratch images that the dispatches load from and store to, mostly none.
    pub images: Vec<Image>,
    /// The bytes of the input.
    pub input_bytes: u64,
    /// The bytes of the output, or of the larger of both where it is also the input.
    pub output_bytes: u64,
    /// The bytes of scratch memory, which may be 0.
    pub scratch_bytes: u64,
    /// The bytes of a second buffer of scratch memory, mostly 0.
    pub second_scratch_bytes: u64,
    /// The bytes of [`Role::Turns`], mostly 0.
    pub turns_bytes: u64,
    /// The bytes of [`Role::Passed`], mostly 0.
    pub passed_bytes: u64,
    /// The format of numbers in its buffers.
    pub precision: Precision,
    /// Whether input and output are one region.
    pub in_place: bool,
    /// The levels of means that its last pass hands to the store hook, from the first on; see
    /// [`StoreHook::taking_means`](crate::StoreHook::taking_means).
    pub means: u32,
    /// The bindings of the load hook.
    pub load_bindings: Vec<wgpu::BindGroupLayoutEntry>,
    /// The bindings of the store hook.
    pub store_bindings: Vec<wgpu::BindGroupLayoutEntry>,
}

/// A compute shader of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// The label for profilers and error messages.
    pub label: String,
    /// The WGSL of the whole module.
    pub wgsl: String,
    /// The name of its entry point.
    pub entry: &'static str,
    /// Its bindings in group 0: number and kind.
    pub bindings: Vec<(u32, Access)>,
    /// The invocations in a workgroup.
    pub workgroup_size: u32,
    /// The bytes of workgroup memory it uses.
    pub workgroup_bytes: u32,
    /// Whether it is generated with every index within bounds by construction, and its hooks are
    /// declared so. It is private because the text can be changed.
    pub(crate) is_in_bounds: bool,
    /// Whether it contains the program's load hook, and binds its group.
    pub loads_by_hook: bool,
    /// Whether it contains the program's store hook, and binds its group.
    pub stores_by_hook: bool,
    /// The places of the hooks' lines.
    pub(crate) hooks: Vec<HookLines>,
    /// The origins of its lines in files under `shaders/` and other texts.
    pub(crate) parts: Parts,
}

/// The place of a hook's text in a kernel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HookLines {
    pub hook: String,
    /// The hook's functions that the kernel calls.
    pub calls: &'static [&'static str],
    pub lines: Range<usize>,
}

/// One run of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Dispatch {
    /// The kernel's index into [`Program::kernels`].
    pub kernel: usize,
    /// The axis that it transforms.
    pub axis: Axis,
    /// The resources for each of the kernel's bindings, in order.
    pub roles: Vec<Role>,
    /// The contents of the uniform in [`Role::Params`].
    pub params: Vec<u32>,
    /// Workgroups along x, y and z.
    pub workgroups: [u32; 3],
    /// The bytes of image data read, without tables and parameters.
    pub bytes_read: u64,
    /// The bytes of image data written.
    pub bytes_written: u64,
}

/// The use of a binding by a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// A read-only storage buffer, `var<storage, read>`.
    Read,
    /// A storage buffer, `var<storage, read_write>`.
    ReadWrite,
    /// A uniform buffer, declared as `var<uniform>`.
    Uniform,
    /// An array of images, or a table in a texture, that is loaded from: `texture_2d_array<f32>`.
    TextureLoad,
    /// An array of images of that layout's [format](Image::format_of) that is stored to,
    /// `texture_storage_2d_array<.., write>`.
    TextureStore(Layout),
    /// An array of images like [`TextureStore`](Self::TextureStore) that is loaded from, too,
    /// `texture_storage_2d_array<.., read_write>`.
    TextureReadWrite(Layout),
}

/// A resource that a dispatch binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The input of the caller.
    Input,
    /// The output of the caller, which is also the input where a program works in place.
    Output,
    /// A buffer of scratch memory.
    Scratch,
    /// Another buffer of scratch memory.
    SecondScratch,
    /// A word for each workgroup that waits for others, which the bound plan owns: zeros at first, and kept
    /// from one transform to the next as [`Role::Passed`] is.
    Turns,
    /// The values that workgroups pass to each other within a dispatch, which the bound plan owns.
    Passed,
    /// An array of scratch images, with its index into [`Program::images`].
    Image(usize),
    /// A table, with its index into [`Program::tables`].
    Table(usize),
    /// The [`params`](Dispatch::params) of the dispatch.
    Params,
}

/// Constant complex numbers in double precision, rounded on a device to the precision of its kernels.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The label of its buffer.
    pub label: String,
    /// The numbers as (re, im).
    pub values: Vec<[f64; 2]>,
    /// Whether they lie in a texture, row by row as in [`Table::texture_size`], and not in a buffer.
    pub in_texture: bool,
}

/// An array of scratch images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// The width and height in texels, each a point of a line.
    pub size: [u32; 2],
    /// The number of images.
    pub layers: u32,
    /// The values of a texel: one complex value, or those of a pair.
    pub layout: Layout,
}

impl Image {
    /// The format of its texels.
    pub fn format(&self) -> wgpu::TextureFormat {
        Self::format_of(self.layout)
    }

    /// The format of texels: `rg32float` of layout `Planar`, `rgba32float` of layout `Pair`.
    pub fn format_of(layout: Layout) -> wgpu::TextureFormat {
        match layout {
            Layout::Planar => wgpu::TextureFormat::Rg32Float,
            Layout::Pair => wgpu::TextureFormat::Rgba32Float,
        }
    }

    /// The bytes of its texels.
    pub fn bytes(&self) -> u64 {
        let [width, height] = self.size.map(u64::from);
        width * height * u64::from(self.layers) * u64::from(self.layout.element_bytes())
    }
}

impl Program {
    /// A program of the given parts that solves `problem`.
    pub(crate) fn new(
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
            images: Vec::new(),
            input_bytes: problem.descriptor.input_bytes(),
            output_bytes: match problem.is_in_place() {
                true => problem.descriptor.input_bytes().max(problem.descriptor.output_bytes()),
                false => problem.descriptor.output_bytes(),
            },
            scratch_bytes: 0,
            second_scratch_bytes: 0,
            turns_bytes: 0,
            passed_bytes: 0,
            precision: problem.descriptor.precision,
            in_place: problem.is_in_place(),
            means: 0,
            load_bindings: load.as_ref().map(|hook| hook.bindings().to_vec()).unwrap_or_default(),
            store_bindings: store.as_ref().map(|hook| hook.bindings().to_vec()).unwrap_or_default(),
        };
        if program.uses(Role::Scratch) {
            program.scratch_bytes = problem.data_bytes();
        }
        let roles = program.dispatches.iter().flat_map(|dispatch| &dispatch.roles);
        let count = roles.filter_map(|role| match role {
            Role::Image(index) => Some(index + 1),
            _ => None,
        });
        program.images = vec![problem.image(); count.max().unwrap_or(0)];
        program
    }

    /// Returns whether a kernel uses one of `changed`, files under `shaders/`.
    pub fn depends(&self, changed: &BTreeSet<String>) -> bool {
        self.kernels.iter().any(|kernel| kernel.parts.depends(changed))
    }

    /// Returns whether a dispatch binds `role`.
    pub fn uses(&self, role: Role) -> bool {
        self.dispatches.iter().any(|dispatch| dispatch.roles.contains(&role))
    }

    /// The bytes of all scratch images.
    pub fn image_bytes(&self) -> u64 {
        self.images.iter().map(Image::bytes).sum()
    }

    fn needs_read_write_textures(&self) -> bool {
        let mut bindings = self.kernels.iter().flat_map(|kernel| &kernel.bindings);
        bindings.any(|(_, access)| matches!(access, Access::TextureReadWrite(_)))
    }

    /// The requirements on a device, without those of hooks' bindings.
    pub fn requirements(&self) -> Requirements {
        let mut requirements = Requirements::default();
        for table in self.tables.iter().filter(|table| table.in_texture) {
            let [width, height] = table.texture_size();
            requirements.need(Limit::TextureDimension2d, width.max(height).into());
        }
        for Image { size, layers, .. } in &self.images {
            requirements.need(Limit::TextureDimension2d, size[0].max(size[1]).into());
            requirements.need(Limit::TextureArrayLayers, (*layers).into());
        }
        for kernel in &self.kernels {
            requirements.need(Limit::WorkgroupStorage, kernel.workgroup_bytes.into());
            requirements.need(Limit::WorkgroupInvocations, kernel.workgroup_size.into());
            let is_stored = |(_, access): &&(u32, Access)| {
                matches!(access, Access::TextureStore(_) | Access::TextureReadWrite(_))
            };
            let stored = kernel.bindings.iter().filter(is_stored).count();
            requirements.need(Limit::StorageTextures, stored as u64);
        }
        for count in self.dispatches.iter().flat_map(|dispatch| dispatch.workgroups) {
            requirements.need(Limit::WorkgroupsPerDimension, count.into());
        }
        let in_buffers = self.tables.iter().filter(|table| !table.in_texture);
        let tables = in_buffers.map(|table| table.bytes(self.precision)).max();
        let scratch_bytes = self.scratch_bytes.max(self.second_scratch_bytes);
        let bytes = self.input_bytes.max(self.output_bytes).max(scratch_bytes);
        let bytes = bytes.max(tables.unwrap_or(0)).max(self.passed_bytes);
        requirements.need(Limit::StorageBinding, bytes);
        requirements.need(Limit::Buffer, bytes);
        requirements.features |= match self.precision {
            Precision::F32 | Precision::F16 => wgpu::Features::empty(),
            Precision::F64 => wgpu::Features::SHADER_F64,
        };
        if self.uses(Role::Turns) {
            requirements.features |= wgpu::Features::MEMORY_DECORATION_COHERENT;
        }
        for (text, feature) in [
            ("enable f16;", wgpu::Features::SHADER_F16),
            ("subgroupShuffle", wgpu::Features::SUBGROUP),
        ] {
            if self.kernels.iter().any(|kernel| kernel.wgsl.contains(text)) {
                requirements.features |= feature;
            }
        }
        if self.needs_read_write_textures() {
            requirements.features |= wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES;
        }
        requirements
    }

    /// Checks that its parts fit each other and a device of `capabilities`, since callers may change
    /// them. The compiler checks the kernels.
    pub(crate) fn check(&self, capabilities: &Capabilities) -> Result<(), FftError> {
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
                Role::Table(table) => {
                    let in_texture = self.tables.get(*table).is_some_and(|table| table.in_texture);
                    *access == if in_texture { Access::TextureLoad } else { Access::Read }
                }
                Role::Turns | Role::Passed => *access == Access::ReadWrite,
                Role::Input | Role::Output | Role::Scratch | Role::SecondScratch => {
                    matches!(access, Access::Read | Access::ReadWrite)
                }
                Role::Image(image) => match access {
                    Access::TextureLoad => true,
                    Access::TextureStore(layout) | Access::TextureReadWrite(layout) => {
                        self.images.get(*image).is_none_or(|image| image.layout == *layout)
                    }
                    _ => false,
                },
            };
            if bindings.len() != roles.len() || !bindings.iter().zip(roles).all(fits) {
                return refuse(format!("dispatch {index} binds other resources than {label} has"));
            }
            if roles.contains(&Role::Params) == params.is_empty() {
                return refuse(format!("dispatch {index} has missing or unused parameters"));
            }
            if params.len() > MAX_PARAMS {
                let count = params.len();
                return refuse(format!("dispatch {index} has {count} parameters of {MAX_PARAMS}"));
            }
            let missing = |role: &&Role| match role {
                Role::Table(table) => {
                    self.tables.get(*table).is_none_or(|table| table.values.is_empty())
                }
                Role::Image(image) => {
                    self.images.get(*image).is_none_or(|image| image.bytes() == 0)
                }
                _ => false,
            };
            if let Some(role) = roles.iter().find(missing) {
                return refuse(format!("dispatch {index} binds {role:?}, which is empty"));
            }
        }
        if self.needs_read_write_textures() && !capabilities.read_write_textures {
            return refuse("it reads and writes one texture, which this device cannot".to_owned());
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
    pub(crate) fn twiddles(period: u32, direction: Direction) -> Self {
        let root = |k| root_of_unity(k as usize, period as usize, direction);
        let values = (0..period).map(root).collect();
        Self { label: format!("twiddles {period} {direction}"), values, in_texture: false }
    }

    /// The format of tables in textures, of which a texel is a number.
    pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg32Float;

    /// The numbers in a row of a texture: the most texels that WebGPU guarantees.
    pub const ROW: u32 = 8192;

    /// The width and height of its texture, in texels. The last row may be partly empty.
    pub fn texture_size(&self) -> [u32; 2] {
        Self::texture_size_of(self.values.len() as u32)
    }

    pub(crate) fn texture_size_of(count: u32) -> [u32; 2] {
        [count.min(Self::ROW), count.div_ceil(Self::ROW)]
    }

    pub(crate) fn bytes(&self, precision: Precision) -> u64 {
        2 * u64::from(precision.computed_bytes()) * self.values.len() as u64
    }

    /// The contents in the kernels' `precision`, each number rounded once.
    pub(crate) fn contents(&self, precision: Precision) -> Vec<u8> {
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
