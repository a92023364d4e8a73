//! Runs programs on a device.

use std::sync::atomic::{AtomicBool, Ordering};
use std::task;

use crate::descriptor::{Axis, Descriptor, Precision};
use crate::error::{FftError, WaitError};
use crate::gpu::shader::ShaderError;
use crate::gpu::{self, Allocations, Capabilities, Memory, TextureSpec, bindings, filled};
use crate::hook::{LoadHook, StoreHook};
use crate::planner;
use crate::platform;
use crate::program::{Access, Image, Kernel, Program, Role, Table};

/// Every device can bind uniforms at multiples of this.
const UNIFORM_ALIGNMENT: u64 = 256;

/// A transform with its pipelines and tables, for any number of buffers.
#[derive(Debug)]
pub struct Plan {
    program: Program,
    pipelines: Vec<Pipeline>,
    hooks: HookLayouts,
    tables: Vec<TableMemory>,
    /// Whether no table in a texture waits for its contents.
    has_tables: AtomicBool,
    params: Option<wgpu::Buffer>,
    alignment_bytes: u32,
}

/// The memory of a table.
#[derive(Debug)]
enum TableMemory {
    Buffer(wgpu::Buffer),
    Texture(wgpu::Texture, wgpu::TextureView),
}

/// A part of a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    /// The buffer, with [`wgpu::BufferUsages::STORAGE`].
    pub buffer: &'a wgpu::Buffer,
    /// The offset of the data in bytes: a multiple of the device's `min_storage_buffer_offset_alignment`.
    pub offset: u64,
}

/// The buffers of a plan.
#[derive(Clone, Copy, Debug, Default)]
pub struct Buffers<'a> {
    /// Read, and left as it is unless the plan works in place. Ignored if a load hook replaces it.
    pub input: Option<Region<'a>>,
    /// Written. The input's region if the plan works in place, else in another buffer. With a store hook it
    /// is working memory; [`Plan::needs_output`] tells whether any is needed.
    pub output: Option<Region<'a>>,
    /// [`Plan::scratch_bytes`] of memory in a separate buffer, which no other work may use at the same time.
    /// `None` lets the bound plan allocate it.
    pub scratch: Option<Region<'a>>,
    /// [`Plan::second_scratch_bytes`] of memory like `scratch`, which few plans need.
    pub second_scratch: Option<Region<'a>>,
    /// The load hook's bind group, made for [`Plan::load_layout`].
    pub load: Option<&'a wgpu::BindGroup>,
    /// The store hook's bind group, made for [`Plan::store_layout`].
    pub store: Option<&'a wgpu::BindGroup>,
}

/// A plan with its buffers, ready to record.
#[derive(Clone, Debug)]
pub struct Bound {
    steps: Vec<Step>,
    means: u32,
    /// The plan's tables and parameters, its own scratch memory, and what workgroups wait by.
    held: Vec<wgpu::Buffer>,
    turns: Option<wgpu::Buffer>,
    /// Its own scratch images, and the plan's tables in textures.
    images: Vec<wgpu::Texture>,
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
    /// Transforms from one region to another.
    pub fn new(input: impl Into<Region<'a>>, output: impl Into<Region<'a>>) -> Self {
        Self { input: Some(input.into()), output: Some(output.into()), ..Self::default() }
    }

    /// Transforms in place, for plans with [`Placement::InPlace`](super::Placement::InPlace).
    pub fn in_place(data: impl Into<Region<'a>>) -> Self {
        let data = Some(data.into());
        Self { input: data, output: data, ..Self::default() }
    }
}

impl Plan {
    /// Plans `descriptor` for `device` and compiles its kernels. In a browser, which reports errors of
    /// shaders later, those of hooks reach [`Plan::new_async`] only.
    ///
    /// # Errors
    /// [`FftError::Unsupported`] if the device cannot run it, [`FftError::HookBindings`],
    /// [`FftError::HookSource`] or [`FftError::Kernel`] if a hook does not compile.
    pub fn new(device: &wgpu::Device, descriptor: &Descriptor) -> Result<Self, FftError> {
        let program = planner::program(descriptor, &Capabilities::of(device))?;
        Self::compile(device, program, Trust::Own)
    }

    /// [`Plan::new`], waiting for the compiler on every platform.
    ///
    /// # Errors
    /// Those of [`Plan::new`].
    pub async fn new_async(
        device: &wgpu::Device,
        descriptor: &Descriptor,
    ) -> Result<Self, FftError> {
        let program = planner::program(descriptor, &Capabilities::of(device))?;
        Self::compile_async(device, program, Trust::Own, true).await
    }

    /// Compiles a program as it is, which may have been changed: with all checks, so that it can be slower
    /// than that of [`Plan::new`].
    ///
    /// # Errors
    /// [`FftError::Program`] if its parts do not fit each other or the device, and those of [`Plan::new`] if
    /// it does not compile.
    pub fn from_program(device: &wgpu::Device, program: Program) -> Result<Self, FftError> {
        Self::compile(device, program, Trust::None)
    }

    /// [`Plan::compile_async`] without waiting. If the compiler answers later, as in a browser, its errors go
    /// to the device's handler.
    pub(super) fn compile(
        device: &wgpu::Device,
        program: Program,
        trust: Trust,
    ) -> Result<Self, FftError> {
        at_once(Self::compile_async(device, program, trust, platform::COMPILES_HERE))
    }

    /// Compiles the kernels of `program`, and reports the compiler's errors: hooks are the caller's, and any
    /// file may have changed on disk.
    async fn compile_async(
        device: &wgpu::Device,
        program: Program,
        trust: Trust,
        listens: bool,
    ) -> Result<Self, FftError> {
        if trust == Trust::None {
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
            .map(|table| match table.in_texture {
                true => {
                    let usage =
                        wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
                    let size = table.texture_size();
                    let spec = TextureSpec::new(&table.label, size, Table::FORMAT, usage);
                    let texture = spec.create(device);
                    let view = array_view(&texture);
                    TableMemory::Texture(texture, view)
                }
                false => {
                    let contents = table.contents(program.precision);
                    let usage = wgpu::BufferUsages::STORAGE;
                    TableMemory::Buffer(filled(device, &table.label, usage, &contents))
                }
            })
            .collect();
        Self {
            has_tables: AtomicBool::new(program.tables.iter().all(|table| !table.in_texture)),
            params: params_buffer(device, &program),
            pipelines,
            hooks,
            tables,
            alignment_bytes: device.limits().min_storage_buffer_offset_alignment,
            program,
        }
    }

    /// The program of kernels and dispatches.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Writes the tables that lie in textures, of plans whose twiddle factors come from
    /// [`Twiddles::Texture`](crate::lab::Twiddles::Texture). [`Plan::bind`] needs it first. Other plans have none.
    pub fn write_tables(&self, queue: &wgpu::Queue) {
        for (table, memory) in self.program.tables.iter().zip(&self.tables) {
            let TableMemory::Texture(texture, _) = memory else { continue };
            let [width, height] = table.texture_size();
            let row_bytes = 8 * width;
            let mut contents = table.contents(Precision::F32);
            contents.resize(row_bytes as usize * height as usize, 0);
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(row_bytes),
                rows_per_image: None,
            };
            queue.write_texture(texture.as_image_copy(), &contents, layout, texture.size());
        }
        self.has_tables.store(true, Ordering::Relaxed);
    }

    /// Bytes that the input has.
    pub fn input_bytes(&self) -> u64 {
        self.program.input_bytes
    }

    /// Bytes of the output, which is also the input if the plan works in place.
    pub fn output_bytes(&self) -> u64 {
        self.program.output_bytes
    }

    /// Whether [`Buffers::output`] must be given.
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

    /// Bytes of [`Buffers::scratch`]; 0 if none is needed.
    pub fn scratch_bytes(&self) -> u64 {
        self.program.scratch_bytes
    }

    /// Bytes of [`Buffers::second_scratch`]; mostly 0.
    pub fn second_scratch_bytes(&self) -> u64 {
        self.program.second_scratch_bytes
    }

    /// Bytes of the scratch images that each bound plan makes; mostly 0.
    pub fn image_bytes(&self) -> u64 {
        self.program.image_bytes()
    }

    /// Binds the plan to its buffers.
    ///
    /// # Errors
    /// [`FftError`] if a region, a hook's bind group or a table in a texture is missing, if a region is too small,
    /// misaligned or not for storage, if two share a buffer, or if a hook's bind group does not fit
    /// ([`FftError::HookGroup`]; a browser reports that when the commands are finished).
    pub fn bind(&self, device: &wgpu::Device, buffers: &Buffers<'_>) -> Result<Bound, FftError> {
        let program = &self.program;
        if !self.has_tables.load(Ordering::Relaxed) {
            return Err(FftError::Tables);
        }
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
        // Zeros, as all new buffers.
        let zeros = |role, label, bytes: u64| {
            let descriptor = wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes.max(4),
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            };
            program.uses(role).then(|| device.create_buffer(&descriptor))
        };
        let turns = zeros(Role::Turns, "fft::turns", program.turns_bytes);
        let passed = zeros(Role::Passed, "fft::passed", program.passed_bytes);
        let bound = "a role that dispatches use has a region";
        let mut images: Vec<_> =
            program.images.iter().map(|image| scratch_image(device, image)).collect();
        let views: Vec<_> = images.iter().map(array_view).collect();

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
                    .map(|((binding, _), role)| {
                        let texture = |view| wgpu::BindGroupEntry {
                            binding: *binding,
                            resource: wgpu::BindingResource::TextureView(view),
                        };
                        let buffer = match *role {
                            Role::Input => part(input.expect(bound), program.input_bytes),
                            Role::Output => part(output.expect(bound), program.output_bytes),
                            Role::Scratch => part(scratch.expect(bound), program.scratch_bytes),
                            Role::SecondScratch => {
                                part(second.expect(bound), program.second_scratch_bytes)
                            }
                            Role::Turns => turns.as_ref().expect(bound).as_entire_buffer_binding(),
                            Role::Passed => {
                                passed.as_ref().expect(bound).as_entire_buffer_binding()
                            }
                            Role::Image(image) => return texture(&views[image]),
                            Role::Table(table) => match &self.tables[table] {
                                TableMemory::Buffer(buffer) => buffer.as_entire_buffer_binding(),
                                TableMemory::Texture(_, view) => return texture(view),
                            },
                            Role::Params => wgpu::BufferBinding {
                                buffer: self.params.as_ref().expect("a dispatch has parameters"),
                                offset: index as u64 * UNIFORM_ALIGNMENT,
                                size: wgpu::BufferSize::new(4 * dispatch.params.len() as u64),
                            },
                        };
                        let resource = wgpu::BindingResource::Buffer(buffer);
                        wgpu::BindGroupEntry { binding: *binding, resource }
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
        let mut held: Vec<_> = self.params.iter().chain(own.iter().flatten()).cloned().collect();
        held.extend(turns.iter().chain(&passed).cloned());
        for table in &self.tables {
            match table {
                TableMemory::Buffer(buffer) => held.push(buffer.clone()),
                TableMemory::Texture(texture, _) => images.push(texture.clone()),
            }
        }
        let bound = Bound { steps, means: self.program.means, held, turns, images };
        if buffers.load.is_some() || buffers.store.is_some() {
            self.check_groups(device, &bound)?;
        }
        Ok(bound)
    }

    /// Checks that the bind groups of hooks fit the kernels, by recording empty dispatches, since a bind
    /// group has no access to its layout. In a browser, which answers later, this finds nothing.
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

    /// The region that is bound for `role`, if any.
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
    /// Records the dispatches of the whole transform.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.steps.iter().for_each(|step| step.encode(pass, &[]));
    }

    /// Records one axis. The axes run in the order of [`Descriptor::order`](super::Descriptor::order), each
    /// on the result of the one before, which is in the output or scratch memory. A plan of one dispatch for
    /// both axes records it for the first.
    pub fn encode_axis(&self, pass: &mut wgpu::ComputePass<'_>, axis: Axis) {
        self.encode_axis_at(pass, axis, &[]);
    }

    /// [`Bound::encode_axis`] with the dynamic offsets of the load hook's bind group.
    pub fn encode_axis_at(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        axis: Axis,
        load_offsets: &[u32],
    ) {
        let steps = self.steps.iter().filter(|step| step.axis == axis);
        steps.for_each(|step| step.encode(pass, load_offsets));
    }

    /// Its memory besides the given buffers: the plan's tables and parameters, its own scratch memory, and what
    /// workgroups wait by.
    pub fn memory(&self) -> Memory {
        self.allocations()
    }

    /// Visits the buffers and images that the bound plan holds.
    #[doc(hidden)]
    pub fn allocations<A: Allocations>(&self) -> A {
        let buffers = self.held.iter().fold(A::default(), A::with_buffer);
        self.images.iter().fold(buffers, A::with_texture)
    }

    /// Waits for the submitted work, and checks that no workgroup of this bound plan has ever waited in vain
    /// for another. Only plans of the parameter `one-dispatch` have such workgroups. After an error the
    /// results since [`Plan::bind`] are wrong. Out of place the input is as it was, for another plan.
    ///
    /// # Errors
    /// [`WaitError`] if one has, or if the device does not answer.
    pub async fn check(&self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), WaitError> {
        let Some(turns) = &self.turns else { return Ok(()) };
        let bytes = gpu::read_buffer(device, queue, turns).await?;
        // The mark of `turns.wgsl`.
        match bytes.chunks(4).any(|turn| turn[0] & 2 != 0) {
            true => Err(WaitError::InVain),
            false => Ok(()),
        }
    }

    /// The number of dispatches in the whole transform.
    pub fn dispatch_count(&self) -> usize {
        self.steps.len()
    }

    /// The levels of means that the store hook receives; see
    /// [`StoreHook::taking_means`](crate::StoreHook::taking_means).
    pub fn means(&self) -> u32 {
        self.means
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

fn scratch_image(device: &wgpu::Device, image: &Image) -> wgpu::Texture {
    let usage = wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::TEXTURE_BINDING;
    TextureSpec::new("fft::image", image.size, image.format(), usage)
        .layers(image.layers)
        .create(device)
}

fn array_view(texture: &wgpu::Texture) -> wgpu::TextureView {
    let dimension = Some(wgpu::TextureViewDimension::D2Array);
    texture.create_view(&wgpu::TextureViewDescriptor { dimension, ..Default::default() })
}

fn part(region: Region<'_>, bytes: u64) -> wgpu::BufferBinding<'_> {
    wgpu::BufferBinding {
        buffer: region.buffer,
        offset: region.offset,
        size: wgpu::BufferSize::new(bytes),
    }
}

pub(super) type Pipeline = (wgpu::ComputePipeline, wgpu::BindGroupLayout);

/// The layouts of the hooks' bind groups, as far as kernels use them.
#[derive(Debug)]
pub(super) struct HookLayouts {
    load: Option<wgpu::BindGroupLayout>,
    store: Option<wgpu::BindGroupLayout>,
}

impl HookLayouts {
    /// [`HookLayouts::of`], with the device's errors about the bindings.
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

/// Whether a program is known to be as the library made it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// Unchanged, or vouched for by the caller.
    Own,
    /// The caller may have changed the program.
    None,
}

/// Completes `compiling` at once, where no compiler runs in another process.
pub(super) fn at_once<V>(compiling: impl Future<Output = V>) -> V {
    let mut context = task::Context::from_waker(task::Waker::noop());
    match std::pin::pin!(compiling).poll(&mut context) {
        task::Poll::Ready(compiled) => compiled,
        task::Poll::Pending => unreachable!("compiling in this process waits for nothing"),
    }
}

fn own_layout(device: &wgpu::Device, kernel: &Kernel) -> wgpu::BindGroupLayout {
    use wgpu::TextureViewDimension::D2Array;
    let entries: Vec<_> = kernel
        .bindings
        .iter()
        .map(|(binding, access)| {
            let ty = match access {
                Access::Read => bindings::storage_read(),
                Access::ReadWrite => bindings::storage_read_write(),
                Access::Uniform => bindings::uniform(),
                Access::TextureLoad => bindings::unfiltered_texture(D2Array),
                Access::TextureStore(layout) => {
                    bindings::storage_texture(Image::format_of(*layout), D2Array)
                }
                Access::TextureReadWrite(layout) => {
                    bindings::read_write_texture(Image::format_of(*layout), D2Array)
                }
            };
            bindings::entry(*binding, wgpu::ShaderStages::COMPUTE, ty)
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(&kernel.label),
        entries: &entries,
    })
}

/// Compiles one kernel, and reports the compiler's errors if requested.
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
    // SAFETY: without checks are only kernels as the library made them, or as the caller vouches that
    // they still are. They index their buffers by layer, line and point, all below what the problem
    // has, and `bind` gives them regions of at least that size; their loops end after constant numbers of
    // rounds. Of the hooks in them their makers have promised the same.
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

/// Converts the compiler's message to the terms of the kernel's or hook's author.
fn refused(kernel: &Kernel, error: gpu::CompileError) -> FftError {
    let gpu::CompileError { line, message } = error;
    // With an unverified hook, an error need not be in the files.
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
