//! Runs programs on a device.

use std::task;

use crate::fft::algorithms;
use crate::fft::descriptor::{Axis, Descriptor};
use crate::fft::error::FftError;
use crate::fft::hook::{LoadHook, StoreHook};
use crate::fft::program::{Access, Kernel, Program, Role};
use crate::gpu::shader::ShaderError;
use crate::gpu::{self, Allocations, Capabilities, Memory, bindings, filled};
use crate::platform;

/// A uniform binding may start at any multiple of this on every device.
const UNIFORM_ALIGNMENT: u64 = 256;

/// A transform with its pipelines and tables, for any number of buffers.
#[derive(Debug)]
pub struct Plan {
    program: Program,
    pipelines: Vec<Pipeline>,
    hooks: HookLayouts,
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
    /// As `scratch`, [`Plan::second_scratch_bytes`]: few plans need it.
    pub second_scratch: Option<Region<'a>>,
    /// What the load hook binds, made for [`Plan::load_layout`].
    pub load: Option<&'a wgpu::BindGroup>,
    /// What the store hook binds, made for [`Plan::store_layout`].
    pub store: Option<&'a wgpu::BindGroup>,
}

/// A plan with its buffers, ready to record.
#[derive(Clone, Debug)]
pub struct Bound {
    steps: Vec<Step>,
    /// The plan's tables and parameters, and scratch memory that was not given.
    held: Vec<wgpu::Buffer>,
}

#[derive(Clone, Debug)]
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
    /// Plans `descriptor` for `device` and compiles its kernels. In a browser, which says later
    /// whether a shader compiles, hooks that do not are errors of [`Plan::new_async`] only.
    ///
    /// # Errors
    /// [`FftError::Unsupported`] where the device cannot run it, [`FftError::HookBindings`],
    /// [`FftError::HookSource`] or [`FftError::Kernel`] where a hook does not compile.
    pub fn new(device: &wgpu::Device, descriptor: &Descriptor) -> Result<Self, FftError> {
        let program = algorithms::program(descriptor, &Capabilities::of(device))?;
        Self::compile(device, program, Trust::Own)
    }

    /// As [`Plan::new`], waiting for the compiler wherever it is.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub async fn new_async(
        device: &wgpu::Device,
        descriptor: &Descriptor,
    ) -> Result<Self, FftError> {
        let program = algorithms::program(descriptor, &Capabilities::of(device))?;
        Self::compile_async(device, program, Trust::Own, true).await
    }

    /// Compiles a program as it is, which may have been changed by hand: with all checks, so that
    /// it can be slower than the same from [`Plan::new`].
    ///
    /// # Errors
    /// [`FftError::Program`] where its parts do not fit each other or the device, and as
    /// [`Plan::new`] where it does not compile.
    pub fn from_program(device: &wgpu::Device, program: Program) -> Result<Self, FftError> {
        Self::compile(device, program, Trust::Nobody)
    }

    /// As [`Plan::compile_async`], at once. Where the compiler answers later, as in a browser, what
    /// it says goes to the device's handler of errors.
    pub(super) fn compile(
        device: &wgpu::Device,
        program: Program,
        trust: Trust,
    ) -> Result<Self, FftError> {
        at_once(Self::compile_async(device, program, trust, platform::COMPILES_HERE))
    }

    /// Compiles the kernels of `program`, and listens for what the compiler says of them: others may
    /// have had a hand in them, and files on disk in any.
    async fn compile_async(
        device: &wgpu::Device,
        program: Program,
        trust: Trust,
        listens: bool,
    ) -> Result<Self, FftError> {
        if trust == Trust::Nobody {
            program.check(&Capabilities::of(device))?;
        }
        let hooks = match listens {
            true => HookLayouts::checked(device, &program).await?,
            false => HookLayouts::of(device, &program),
        };
        let mut pipelines = Vec::new();
        for kernel in &program.kernels {
            pipelines.push(compile(device, kernel, &hooks, trust, listens).await?);
        }
        Ok(Self::of_pipelines(device, program, hooks, pipelines))
    }

    /// `program` with a pipeline for each of its kernels.
    pub(super) fn of_pipelines(
        device: &wgpu::Device,
        program: Program,
        hooks: HookLayouts,
        pipelines: Vec<Pipeline>,
    ) -> Self {
        let tables = program
            .tables
            .iter()
            .map(|table| {
                let contents = table.contents(program.precision);
                filled(device, &table.label, wgpu::BufferUsages::STORAGE, &contents)
            })
            .collect();
        Self {
            params: params_buffer(device, &program),
            pipelines,
            hooks,
            tables,
            alignment_bytes: device.limits().min_storage_buffer_offset_alignment,
            program,
        }
    }

    /// The program that this runs.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Bytes that the input has.
    pub fn input_bytes(&self) -> u64 {
        self.program.input_bytes
    }

    /// Bytes that the output has, which is the input too where the plan works in place.
    pub fn output_bytes(&self) -> u64 {
        self.program.output_bytes
    }

    /// Whether [`Buffers::output`] must be there.
    pub fn needs_output(&self) -> bool {
        self.program.uses(Role::Output)
    }

    /// The layout of the load hook's bind group.
    pub fn load_layout(&self) -> Option<&wgpu::BindGroupLayout> {
        self.hooks.load.as_ref()
    }

    /// The layout of the store hook's bind group.
    pub fn store_layout(&self) -> Option<&wgpu::BindGroupLayout> {
        self.hooks.store.as_ref()
    }

    /// Bytes of scratch memory that [`Buffers::scratch`] must have; 0 where none is needed.
    pub fn scratch_bytes(&self) -> u64 {
        self.program.scratch_bytes
    }

    /// Bytes that [`Buffers::second_scratch`] must have; 0 where, as mostly, none are needed.
    pub fn second_scratch_bytes(&self) -> u64 {
        self.program.second_scratch_bytes
    }

    /// Gives the plan its buffers.
    ///
    /// # Errors
    /// [`FftError`] where a region or a hook's bind group is missing, where a region is too small,
    /// misaligned or not for storage, where two share a buffer, or where a hook's bind group does not
    /// fit ([`FftError::HookGroup`]; a browser reports that when the commands are finished).
    pub fn bind(&self, device: &wgpu::Device, buffers: &Buffers<'_>) -> Result<Bound, FftError> {
        let program = &self.program;
        for (hook, group, layout) in
            [("load", buffers.load, &self.hooks.load), ("store", buffers.store, &self.hooks.store)]
        {
            if group.is_some() != layout.is_some() {
                return Err(FftError::Hook { hook });
            }
        }
        let own_scratch = |given: Option<Region<'_>>, bytes: u64| {
            let descriptor = wgpu::BufferDescriptor {
                label: Some("fft::scratch"),
                size: bytes,
                usage: wgpu::BufferUsages::STORAGE,
                mapped_at_creation: false,
            };
            (given.is_none() && bytes > 0).then(|| device.create_buffer(&descriptor))
        };
        let own = [
            own_scratch(buffers.scratch, program.scratch_bytes),
            own_scratch(buffers.second_scratch, program.second_scratch_bytes),
        ];
        let [scratch, second_scratch] = [buffers.scratch, buffers.second_scratch];
        let scratch = scratch.or(own[0].as_ref().map(Region::from));
        let second_scratch = second_scratch.or(own[1].as_ref().map(Region::from));
        // The regions that dispatches bind.
        let input = self.region("input", Role::Input, buffers.input)?;
        let output = self.region("output", Role::Output, buffers.output)?;
        let scratch = self.region("scratch", Role::Scratch, scratch)?;
        let second = self.region("second scratch", Role::SecondScratch, second_scratch)?;
        if let (true, Some(given), Some(output)) = (program.in_place, buffers.input, output)
            && (given.buffer != output.buffer || given.offset != output.offset)
        {
            return Err(FftError::NotInPlace);
        }
        let named = [
            ("input", input),
            ("output", output),
            ("scratch", scratch),
            ("second scratch", second),
        ];
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
                            Role::Input => part(input.expect(bound), program.input_bytes),
                            Role::Output => part(output.expect(bound), program.output_bytes),
                            Role::Scratch => part(scratch.expect(bound), program.scratch_bytes),
                            Role::SecondScratch => {
                                part(second.expect(bound), program.second_scratch_bytes)
                            }
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
        let held = self.tables.iter().chain(&self.params).chain(own.iter().flatten());
        let bound = Bound { steps, held: held.cloned().collect() };
        if buffers.load.is_some() || buffers.store.is_some() {
            self.check_groups(device, &bound)?;
        }
        Ok(bound)
    }

    /// Checks that the bind groups of hooks fit the kernels, by recording dispatches of nothing: a
    /// bind group does not tell its layout. A browser, which answers later, finds no fault here.
    fn check_groups(&self, device: &wgpu::Device, bound: &Bound) -> Result<(), FftError> {
        let entries = self.program.load_bindings.iter();
        let is_dynamic = |entry: &&wgpu::BindGroupLayoutEntry| {
            matches!(entry.ty, wgpu::BindingType::Buffer { has_dynamic_offset: true, .. })
        };
        let load_offsets = vec![0; entries.filter(is_dynamic).count()];
        let recorded = gpu::checked(device, "fft::bind", || {
            let mut encoder = device.create_command_encoder(&Default::default());
            let mut pass = encoder.begin_compute_pass(&Default::default());
            for step in &bound.steps {
                Step { workgroups: [0; 3], ..step.clone() }.encode(&mut pass, &load_offsets);
            }
            drop(pass);
            encoder.finish();
            Ok(())
        });
        recorded.map_err(|error: ShaderError| FftError::HookGroup {
            message: match error {
                ShaderError::Refused { message, .. } => message,
                other => other.to_string(),
            },
        })
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
            Role::SecondScratch => self.program.second_scratch_bytes,
            Role::Input => self.program.input_bytes,
            _ => self.program.output_bytes,
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

    /// Records one axis. The axes run in the order of [`Descriptor::order`](super::Descriptor::order),
    /// rows first but from half a spectrum back: each continues from where the one before wrote, which
    /// is the output or scratch memory.
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

    /// What it keeps besides the buffers that it was given: the plan's tables and parameters, and
    /// scratch memory of its own.
    pub fn memory(&self) -> Memory {
        self.allocations()
    }

    /// Likewise, what it holds.
    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        self.held.iter().fold(A::default(), A::with_buffer)
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

/// A kernel's pipeline, and the layout of its group 0.
pub(super) type Pipeline = (wgpu::ComputePipeline, wgpu::BindGroupLayout);

/// The layouts of the hooks' bind groups, as far as kernels use them.
#[derive(Debug)]
pub(super) struct HookLayouts {
    load: Option<wgpu::BindGroupLayout>,
    store: Option<wgpu::BindGroupLayout>,
}

impl HookLayouts {
    /// As [`HookLayouts::of`], listening for what the device says against the bindings.
    pub async fn checked(device: &wgpu::Device, program: &Program) -> Result<Self, FftError> {
        for (hook, entries) in
            [("load", &program.load_bindings), ("store", &program.store_bindings)]
        {
            let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
            let descriptor = wgpu::BindGroupLayoutDescriptor { label: Some(hook), entries };
            let _tried = device.create_bind_group_layout(&descriptor);
            if let Some(error) = scope.pop().await {
                return Err(FftError::HookBindings { hook, message: error.to_string() });
            }
        }
        Ok(Self::of(device, program))
    }

    pub fn of(device: &wgpu::Device, program: &Program) -> Self {
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry], is_used: bool| {
            let descriptor = wgpu::BindGroupLayoutDescriptor { label: Some(label), entries };
            is_used.then(|| device.create_bind_group_layout(&descriptor))
        };
        let loads = program.kernels.iter().any(|kernel| kernel.loads_by_hook);
        let stores = program.kernels.iter().any(|kernel| kernel.stores_by_hook);
        Self {
            load: layout("fft::load", &program.load_bindings, loads),
            store: layout("fft::store", &program.store_bindings, stores),
        }
    }
}

/// Who says that a program is as the library made it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// This library, or somebody who vouches for it.
    Own,
    /// Nobody: it may have been changed.
    Nobody,
}

/// What `compiling` comes to, where nobody listens for a compiler in another process.
pub(super) fn at_once<V>(compiling: impl Future<Output = V>) -> V {
    let mut context = task::Context::from_waker(task::Waker::noop());
    match std::pin::pin!(compiling).poll(&mut context) {
        task::Poll::Ready(compiled) => compiled,
        task::Poll::Pending => unreachable!("compiling in this process waits for nothing"),
    }
}

/// The layout of a kernel's group 0.
fn own_layout(device: &wgpu::Device, kernel: &Kernel) -> wgpu::BindGroupLayout {
    let entries: Vec<_> = kernel
        .bindings
        .iter()
        .map(|(binding, access)| {
            let ty = match access {
                Access::Read => bindings::storage_read(),
                Access::ReadWrite => bindings::storage_read_write(),
                Access::Uniform => bindings::uniform(),
            };
            bindings::entry(*binding, wgpu::ShaderStages::COMPUTE, ty)
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(&kernel.label),
        entries: &entries,
    })
}

/// Compiles one kernel, and listens for what the compiler says of it if so asked.
pub(super) async fn compile(
    device: &wgpu::Device,
    kernel: &Kernel,
    hooks: &HookLayouts,
    trust: Trust,
    listens: bool,
) -> Result<Pipeline, FftError> {
    let layout = own_layout(device, kernel);
    let load = hooks.load.as_ref().filter(|_| kernel.loads_by_hook);
    let store = hooks.store.as_ref().filter(|_| kernel.stores_by_hook);
    // Groups 0, 1 and 2, as far as they are used.
    let layouts = [Some(&layout), load, store];
    let used = layouts.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    let layouts = &layouts[..used];
    let Kernel { label, wgsl, entry, .. } = kernel;
    let checks = match trust == Trust::Own && kernel.is_in_bounds {
        true => wgpu::ShaderRuntimeChecks::unchecked(),
        false => wgpu::ShaderRuntimeChecks::checked(),
    };
    // SAFETY: without checks are only kernels as the library made them, or as somebody vouches that
    // they still are. They index their buffers by layer, line and point, all below what the problem
    // has, and `bind` gives them regions of at least that size; they have no loops. Of the hooks in
    // them their makers have promised the same.
    let compiled = unsafe {
        if listens {
            let compiling = gpu::try_compute_kernel(device, label, wgsl, entry, layouts, checks);
            compiling.await.map_err(|error| refused(kernel, error))?
        } else {
            gpu::unchecked_compute_kernel(device, label, wgsl, entry, layouts, checks)
        }
    };
    Ok((compiled.pipeline, layout))
}

/// What the compiler says, in terms of what its author wrote.
fn refused(kernel: &Kernel, error: gpu::CompileError) -> FftError {
    let gpu::CompileError { line, message } = error;
    // Beside a hook that nobody has vouched for, the files are not to blame for what does not fit.
    let of_file = line
        .filter(|_| kernel.hooks.is_empty() || kernel.is_in_bounds)
        .and_then(|line| kernel.parts.blame(&kernel.wgsl, line as usize, &gpu::headline(&message)));
    if let Some(error) = of_file {
        return FftError::Shader(error);
    }
    let of_hook = line.and_then(|line| {
        let index = line as usize - 1;
        let hook = kernel.hooks.iter().find(|hook| hook.lines.contains(&index))?;
        let message = match kernel.wgsl.lines().nth(index).map(str::trim) {
            // The compiler's own picture of it has the number of the module's line.
            Some(wrong) => format!("{}\n{wrong}", gpu::headline(&message)),
            None => message.clone(),
        };
        let line = (index - hook.lines.start) as u32 + 1;
        Some(FftError::HookSource { hook: hook.hook.clone(), line, message })
    });
    of_hook.unwrap_or_else(|| FftError::Kernel {
        label: kernel.label.clone(),
        hooks: kernel.hooks.iter().map(|hook| hook.hook.clone()).collect(),
        calls: kernel.hooks.iter().flat_map(|hook| hook.calls).copied().collect(),
        message: match kernel.hooks.is_empty() {
            true => message,
            false => gpu::headline(&message),
        },
    })
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
    Some(filled(device, "fft::params", wgpu::BufferUsages::UNIFORM, &bytes))
}
