//! Runs programs on a device.

use crate::fft::descriptor::{Axis, Descriptor};
use crate::fft::error::FftError;
use crate::fft::hook::{LoadHook, StoreHook};
use crate::fft::program::{Access, Kernel, Program, Role};
use crate::gpu::{self, Capabilities};

/// A uniform binding may start at any multiple of this on every device.
const UNIFORM_ALIGNMENT: u64 = 256;

/// A transform with its pipelines and tables, for any number of buffers.
#[derive(Debug)]
pub struct Plan {
    program: Program,
    pipelines: Vec<(wgpu::ComputePipeline, wgpu::BindGroupLayout)>,
    load_layout: Option<wgpu::BindGroupLayout>,
    store_layout: Option<wgpu::BindGroupLayout>,
    tables: Vec<wgpu::Buffer>,
    params: Option<wgpu::Buffer>,
    alignment_bytes: u32,
}

/// A part of a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    /// The buffer, with [`wgpu::BufferUsages::STORAGE`].
    pub buffer: &'a wgpu::Buffer,
    /// Where the data starts, in bytes: a multiple of the device's
    /// `min_storage_buffer_offset_alignment`.
    pub offset: u64,
}

/// What a plan works on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Buffers<'a> {
    /// Read, and left as it is unless the plan works in place. Not looked at where a load hook
    /// takes its place.
    pub input: Option<Region<'a>>,
    /// Written. The input's region where the plan works in place, else in another buffer. With a
    /// store hook it is working memory; [`Plan::needs_output`] says whether any is needed.
    pub output: Option<Region<'a>>,
    /// [`Plan::scratch_bytes`] of memory, which no other work may use at the same time; in a
    /// buffer of its own. `None` lets the bound plan allocate what it needs.
    pub scratch: Option<Region<'a>>,
    /// What the load hook binds, made for [`Plan::load_layout`].
    pub load: Option<&'a wgpu::BindGroup>,
    /// What the store hook binds, made for [`Plan::store_layout`].
    pub store: Option<&'a wgpu::BindGroup>,
}

/// A plan with its buffers, ready to record.
#[derive(Debug)]
pub struct Bound {
    steps: Vec<Step>,
}

#[derive(Debug)]
struct Step {
    pipeline: wgpu::ComputePipeline,
    bind_group: wgpu::BindGroup,
    load: Option<wgpu::BindGroup>,
    store: Option<wgpu::BindGroup>,
    workgroups: [u32; 3],
    axis: Axis,
}

impl<'a> From<&'a wgpu::Buffer> for Region<'a> {
    fn from(buffer: &'a wgpu::Buffer) -> Self {
        Self { buffer, offset: 0 }
    }
}

impl<'a> Buffers<'a> {
    /// From one region to another.
    pub fn new(input: impl Into<Region<'a>>, output: impl Into<Region<'a>>) -> Self {
        Self { input: Some(input.into()), output: Some(output.into()), ..Self::default() }
    }

    /// Over the input, for plans with [`Placement::InPlace`](super::Placement::InPlace).
    pub fn in_place(data: impl Into<Region<'a>>) -> Self {
        let data = Some(data.into());
        Self { input: data, output: data, ..Self::default() }
    }
}

impl Plan {
    /// Plans `descriptor` for `device` and compiles its kernels.
    ///
    /// # Errors
    /// [`FftError::Unsupported`] where the device cannot run it.
    pub fn new(device: &wgpu::Device, descriptor: &Descriptor) -> Result<Self, FftError> {
        let program = crate::fft::algorithms::program(descriptor, &Capabilities::of(device))?;
        Ok(Self::from_program(device, program))
    }

    /// Compiles a program as it is, which may have been changed by hand.
    pub fn from_program(device: &wgpu::Device, program: Program) -> Self {
        let hook_layout = |label, entries: &[wgpu::BindGroupLayoutEntry], is_used: bool| {
            let descriptor = wgpu::BindGroupLayoutDescriptor { label: Some(label), entries };
            is_used.then(|| device.create_bind_group_layout(&descriptor))
        };
        let loads = program.kernels.iter().any(|kernel| kernel.loads_by_hook);
        let stores = program.kernels.iter().any(|kernel| kernel.stores_by_hook);
        let load_layout = hook_layout("fft::load", &program.load_bindings, loads);
        let store_layout = hook_layout("fft::store", &program.store_bindings, stores);
        let pipelines = program
            .kernels
            .iter()
            .map(|kernel| compile(device, kernel, load_layout.as_ref(), store_layout.as_ref()))
            .collect();
        let tables = program
            .tables
            .iter()
            .map(|table| {
                let bytes = bytemuck::cast_slice(&table.values);
                filled(device, &table.label, bytes, wgpu::BufferUsages::STORAGE)
            })
            .collect();
        Self {
            params: params_buffer(device, &program),
            pipelines,
            load_layout,
            store_layout,
            tables,
            alignment_bytes: device.limits().min_storage_buffer_offset_alignment,
            program,
        }
    }

    /// The program that this runs.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Bytes of input and of output.
    pub fn data_bytes(&self) -> u64 {
        self.program.data_bytes
    }

    /// Whether [`Buffers::output`] must be there.
    pub fn needs_output(&self) -> bool {
        self.program.uses(Role::Output)
    }

    /// The layout of the load hook's bind group.
    pub fn load_layout(&self) -> Option<&wgpu::BindGroupLayout> {
        self.load_layout.as_ref()
    }

    /// The layout of the store hook's bind group.
    pub fn store_layout(&self) -> Option<&wgpu::BindGroupLayout> {
        self.store_layout.as_ref()
    }

    /// Bytes of scratch memory that [`Buffers::scratch`] must have; 0 where none is needed.
    pub fn scratch_bytes(&self) -> u64 {
        self.program.scratch_bytes
    }

    /// Gives the plan its buffers.
    ///
    /// # Errors
    /// [`FftError`] where a region or a hook's bind group is missing, where a region is too small,
    /// misaligned or not for storage, or where two share a buffer.
    pub fn bind(&self, device: &wgpu::Device, buffers: &Buffers<'_>) -> Result<Bound, FftError> {
        let program = &self.program;
        for (hook, group, layout) in [
            ("load", buffers.load, &self.load_layout),
            ("store", buffers.store, &self.store_layout),
        ] {
            if group.is_some() != layout.is_some() {
                return Err(FftError::Hook { hook });
            }
        }
        let own_scratch;
        let scratch = match buffers.scratch {
            None if program.scratch_bytes > 0 => {
                own_scratch = device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("fft::scratch"),
                    size: program.scratch_bytes,
                    usage: wgpu::BufferUsages::STORAGE,
                    mapped_at_creation: false,
                });
                Some(Region::from(&own_scratch))
            }
            given => given,
        };
        // The regions that dispatches bind.
        let input = self.region("input", Role::Input, buffers.input)?;
        let output = self.region("output", Role::Output, buffers.output)?;
        let scratch = self.region("scratch", Role::Scratch, scratch)?;
        if let (true, Some(given), Some(output)) = (program.in_place, buffers.input, output)
            && (given.buffer != output.buffer || given.offset != output.offset)
        {
            return Err(FftError::NotInPlace);
        }
        let named = [("input", input), ("output", output), ("scratch", scratch)];
        for (index, (first, a)) in named.iter().enumerate() {
            for (second, b) in &named[index + 1..] {
                if let (Some(a), Some(b)) = (a, b)
                    && a.buffer == b.buffer
                {
                    return Err(FftError::SharedBuffer { first, second });
                }
            }
        }
        let bound = "a role that dispatches use has a region";

        let steps = program
            .dispatches
            .iter()
            .enumerate()
            .map(|(index, dispatch)| {
                let kernel = &program.kernels[dispatch.kernel];
                let (pipeline, layout) = &self.pipelines[dispatch.kernel];
                let entries: Vec<_> = kernel
                    .bindings
                    .iter()
                    .zip(&dispatch.roles)
                    .map(|((binding, _), role)| wgpu::BindGroupEntry {
                        binding: *binding,
                        resource: wgpu::BindingResource::Buffer(match *role {
                            Role::Input => part(input.expect(bound), program.data_bytes),
                            Role::Output => part(output.expect(bound), program.data_bytes),
                            Role::Scratch => part(scratch.expect(bound), program.scratch_bytes),
                            Role::Table(table) => self.tables[table].as_entire_buffer_binding(),
                            Role::Params => wgpu::BufferBinding {
                                buffer: self.params.as_ref().expect("a dispatch has parameters"),
                                offset: index as u64 * UNIFORM_ALIGNMENT,
                                size: wgpu::BufferSize::new(4 * dispatch.params.len() as u64),
                            },
                        }),
                    })
                    .collect();
                Step {
                    pipeline: pipeline.clone(),
                    bind_group: device.create_bind_group(&wgpu::BindGroupDescriptor {
                        label: Some(&kernel.label),
                        layout,
                        entries: &entries,
                    }),
                    load: buffers.load.filter(|_| kernel.loads_by_hook).cloned(),
                    store: buffers.store.filter(|_| kernel.stores_by_hook).cloned(),
                    workgroups: dispatch.workgroups,
                    axis: dispatch.axis,
                }
            })
            .collect();
        Ok(Bound { steps })
    }

    /// What is bound for `role`, if anything is.
    fn region<'a>(
        &self,
        name: &'static str,
        role: Role,
        given: Option<Region<'a>>,
    ) -> Result<Option<Region<'a>>, FftError> {
        if !self.program.uses(role) {
            return Ok(None);
        }
        let given = given.ok_or(FftError::Missing { region: name })?;
        let needed = match role {
            Role::Scratch => self.program.scratch_bytes,
            _ => self.program.data_bytes,
        };
        self.check(name, given, needed)?;
        Ok(Some(given))
    }

    fn check(
        &self,
        region: &'static str,
        Region { buffer, offset }: Region<'_>,
        needed: u64,
    ) -> Result<(), FftError> {
        if !buffer.usage().contains(wgpu::BufferUsages::STORAGE) {
            return Err(FftError::Usage { region });
        }
        let alignment = self.alignment_bytes;
        if !offset.is_multiple_of(u64::from(alignment)) {
            return Err(FftError::Misaligned { region, offset, alignment });
        }
        let available = buffer.size().saturating_sub(offset);
        if available < needed {
            return Err(FftError::TooSmall { region, needed, offset, available });
        }
        Ok(())
    }
}

impl Bound {
    /// Records the whole transform.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.steps.iter().for_each(|step| step.encode(pass, &[]));
    }

    /// Records one axis. The axes of a 2D transform run in the order of
    /// [`Axes::list`](super::Axes::list), rows first: the second continues from where the first
    /// wrote, which is the output or the scratch memory.
    pub fn encode_axis(&self, pass: &mut wgpu::ComputePass<'_>, axis: Axis) {
        self.encode_axis_at(pass, axis, &[]);
    }

    /// As [`Bound::encode_axis`], with the dynamic offsets that the load hook's bind group takes.
    pub fn encode_axis_at(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        axis: Axis,
        load_offsets: &[u32],
    ) {
        let steps = self.steps.iter().filter(|step| step.axis == axis);
        steps.for_each(|step| step.encode(pass, load_offsets));
    }

    /// Dispatches in the whole transform.
    pub fn dispatch_count(&self) -> usize {
        self.steps.len()
    }
}

impl Step {
    fn encode(&self, pass: &mut wgpu::ComputePass<'_>, load_offsets: &[u32]) {
        let [x, y, z] = self.workgroups;
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        if let Some(load) = &self.load {
            pass.set_bind_group(LoadHook::GROUP, load, load_offsets);
        }
        if let Some(store) = &self.store {
            pass.set_bind_group(StoreHook::GROUP, store, &[]);
        }
        pass.dispatch_workgroups(x, y, z);
    }
}

fn part(region: Region<'_>, bytes: u64) -> wgpu::BufferBinding<'_> {
    wgpu::BufferBinding {
        buffer: region.buffer,
        offset: region.offset,
        size: wgpu::BufferSize::new(bytes),
    }
}

fn compile(
    device: &wgpu::Device,
    kernel: &Kernel,
    load: Option<&wgpu::BindGroupLayout>,
    store: Option<&wgpu::BindGroupLayout>,
) -> (wgpu::ComputePipeline, wgpu::BindGroupLayout) {
    let entries: Vec<_> = kernel
        .bindings
        .iter()
        .map(|(binding, access)| wgpu::BindGroupLayoutEntry {
            binding: *binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match access {
                    Access::Read => wgpu::BufferBindingType::Storage { read_only: true },
                    Access::ReadWrite => wgpu::BufferBindingType::Storage { read_only: false },
                    Access::Uniform => wgpu::BufferBindingType::Uniform,
                },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        })
        .collect();
    let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(&kernel.label),
        entries: &entries,
    });
    let Kernel { label, wgsl, entry, .. } = kernel;
    let load = load.filter(|_| kernel.loads_by_hook);
    let store = store.filter(|_| kernel.stores_by_hook);
    // Groups 0, 1 and 2, as far as they are used.
    let layouts = [Some(&layout), load, store];
    let used = layouts.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    let layouts = &layouts[..used];
    let compiled = if kernel.trusted {
        // SAFETY: such a kernel indexes its buffers by layer, line and point, all below what the
        // problem has, and `bind` gives it regions of at least that size; it has no loops. Of the
        // hooks in it their makers have promised the same.
        unsafe { gpu::unchecked_compute_kernel(device, label, wgsl, entry, layouts) }
    } else {
        gpu::compute_kernel(device, label, wgsl, entry, layouts)
    };
    (compiled.pipeline, layout)
}

/// One buffer with the parameters of every dispatch that has any.
fn params_buffer(device: &wgpu::Device, program: &Program) -> Option<wgpu::Buffer> {
    if program.dispatches.iter().all(|dispatch| dispatch.params.is_empty()) {
        return None;
    }
    let mut bytes = vec![0; program.dispatches.len() * UNIFORM_ALIGNMENT as usize];
    for (slot, dispatch) in
        bytes.chunks_exact_mut(UNIFORM_ALIGNMENT as usize).zip(&program.dispatches)
    {
        let params: &[u8] = bytemuck::cast_slice(&dispatch.params);
        slot[..params.len()].copy_from_slice(params);
    }
    Some(filled(device, "fft::params", &bytes, wgpu::BufferUsages::UNIFORM))
}

/// A buffer that starts with `bytes`.
fn filled(
    device: &wgpu::Device,
    label: &str,
    bytes: &[u8],
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    use wgpu::util::DeviceExt as _;
    device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some(label),
        contents: bytes,
        usage,
    })
}
