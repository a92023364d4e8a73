//! The one cache of pipelines that are made from files under `shaders/`.
//!
//! A stage declares a pipeline in one place, by a [`ComputeDescriptor`] or a [`RenderDescriptor`], and
//! keeps the handle that [`Pipelines`] returns. Equal declarations share one pipeline. The cache alone
//! knows of hot reload: [`Pipelines::rebuild`] compiles, on any thread, what is made of files that have
//! changed, and [`Rebuilt::install`] puts the results into the handles that the stages already have.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

use wgpu::{WasmNotSend, WasmNotSendSync};

use super::bindings::Layout;
use super::shader::{Composed, LIBRARY, Module, ShaderError};
use super::{checked, module_of};
use crate::platform::lock;

/// The files of a shader module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shader {
    /// Names relative to `shaders/`, in order.
    files: Vec<&'static str>,
    /// A text to replace, without a line break, and its replacement.
    replaced: [&'static str; 2],
}

impl From<&'static str> for Shader {
    fn from(file: &'static str) -> Self {
        Self { files: vec![file], replaced: [""; 2] }
    }
}

impl Shader {
    /// The module with `file` after the others.
    pub fn followed_by(mut self, file: &'static str) -> Self {
        self.files.push(file);
        self
    }

    /// The module with `from` replaced by `to`, for what WGSL cannot override. Neither has a line break.
    pub fn replacing(mut self, from: &'static str, to: &'static str) -> Self {
        self.replaced = [from, to];
        self
    }

    /// The module of another file, with the same replacement.
    pub fn of_file(&self, file: &'static str) -> Self {
        Self { files: vec![file], ..self.clone() }
    }

    /// Composes the module with its imports.
    ///
    /// # Errors
    /// [`ShaderError`] where a file or an import is missing.
    pub fn compose(&self) -> Result<Composed, ShaderError> {
        let mut module = Module::new(&LIBRARY);
        for file in &self.files {
            module.append(file)?;
        }
        let [from, to] = self.replaced;
        let composed = module.composed();
        Ok(if from.is_empty() { composed } else { composed.replace(from, to) })
    }
}

/// The values of the module's `override` declarations. Undeclared ones are ignored when a pipeline is
/// built, so that a stage may pass all that it knows.
pub type Constants = Vec<(&'static str, f64)>;

/// The declaration of a compute pipeline.
#[derive(Clone, Debug, PartialEq)]
pub struct ComputeDescriptor {
    /// The stage's name in reports of reloads, and part of the pipeline's label.
    pub stage: &'static str,
    /// The shader module of the pipeline.
    pub shader: Shader,
    /// The name of the entry point.
    pub entry_point: &'static str,
    /// The layouts of the bind groups from 0 up.
    pub groups: Vec<Option<Layout>>,
    /// The values of the module's `override` declarations.
    pub constants: Constants,
}

impl ComputeDescriptor {
    /// Declares a pipeline without constants.
    pub fn new(
        stage: &'static str,
        shader: impl Into<Shader>,
        entry_point: &'static str,
        groups: &[Option<&Layout>],
    ) -> Self {
        let groups = groups.iter().map(|group| group.cloned()).collect();
        Self { stage, shader: shader.into(), entry_point, groups, constants: Vec::new() }
    }
}

/// The declaration of a render pipeline.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderDescriptor {
    /// The stage's name in reports of reloads, and part of the pipeline's label.
    pub stage: &'static str,
    /// The shader module of the pipeline.
    pub shader: Shader,
    /// The entry points of the vertex and the fragment stage.
    pub entry_points: [&'static str; 2],
    /// The layouts of the bind groups from 0 up.
    pub groups: Vec<Option<Layout>>,
    /// The values of the module's `override` declarations.
    pub constants: Constants,
    /// The layouts of the vertex buffers.
    pub vertices: Vec<wgpu::VertexBufferLayout<'static>>,
    /// The assembly and culling of triangles.
    pub primitive: wgpu::PrimitiveState,
    /// The depth attachment, if there is one.
    pub depth: Option<wgpu::DepthStencilState>,
    /// The number of samples per pixel.
    pub samples: u32,
    /// The format and blending of the colour attachment.
    pub target: wgpu::ColorTargetState,
}

impl RenderDescriptor {
    /// Declares a pass over all of a target: no vertex buffers, triangles, no depth, one sample per pixel.
    pub fn new(
        stage: &'static str,
        shader: impl Into<Shader>,
        entry_points: [&'static str; 2],
        target: impl Into<wgpu::ColorTargetState>,
    ) -> Self {
        Self {
            stage,
            shader: shader.into(),
            entry_points,
            groups: Vec::new(),
            constants: Vec::new(),
            vertices: Vec::new(),
            primitive: wgpu::PrimitiveState::default(),
            depth: None,
            samples: 1,
            target: target.into(),
        }
    }
}

/// Something that is built from shader files, and can be built again.
pub trait Declaration: WasmNotSendSync {
    /// The result, a handle whose clones are the same.
    type Built: Clone + std::fmt::Debug + WasmNotSendSync + 'static;

    /// The stage's name in reports of reloads.
    fn stage(&self) -> &'static str;

    /// Whether one of `changed`, files under `shaders/`, is part of it.
    ///
    /// # Errors
    /// [`ShaderError`] where its files cannot be composed.
    fn depends(&self, changed: &BTreeSet<String>) -> Result<bool, ShaderError>;

    /// Builds it from the current shaders.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader is broken, with file and line.
    fn build(&self, pipelines: &Pipelines) -> Result<Self::Built, ShaderError>;
}

impl Declaration for ComputeDescriptor {
    type Built = wgpu::ComputePipeline;

    fn stage(&self) -> &'static str {
        self.stage
    }

    fn depends(&self, changed: &BTreeSet<String>) -> Result<bool, ShaderError> {
        Ok(self.shader.compose()?.depends(changed))
    }

    fn build(&self, pipelines: &Pipelines) -> Result<Self::Built, ShaderError> {
        let label = format!("{} {}", self.stage, self.entry_point);
        let (composed, module) = pipelines.module(&self.shader)?;
        let device = pipelines.device();
        checked(device, &label, || {
            Ok(device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(&label),
                layout: Some(&pipeline_layout(device, &label, &self.groups)),
                module: &module,
                entry_point: Some(self.entry_point),
                compilation_options: wgpu::PipelineCompilationOptions {
                    // These kernels write workgroup memory before they read it.
                    zero_initialize_workgroup_memory: false,
                    constants: &declared(&self.constants, &composed),
                },
                cache: None,
            }))
        })
    }
}

impl Declaration for RenderDescriptor {
    type Built = wgpu::RenderPipeline;

    fn stage(&self) -> &'static str {
        self.stage
    }

    fn depends(&self, changed: &BTreeSet<String>) -> Result<bool, ShaderError> {
        Ok(self.shader.compose()?.depends(changed))
    }

    fn build(&self, pipelines: &Pipelines) -> Result<Self::Built, ShaderError> {
        let [vertex, fragment] = self.entry_points;
        let label = format!("{} {fragment}", self.stage);
        let (composed, module) = pipelines.module(&self.shader)?;
        let constants = declared(&self.constants, &composed);
        let compilation_options =
            wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
        let buffers: Vec<_> = self.vertices.iter().cloned().map(Some).collect();
        let device = pipelines.device();
        checked(device, &label, || {
            Ok(device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(&label),
                layout: Some(&pipeline_layout(device, &label, &self.groups)),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some(vertex),
                    compilation_options: compilation_options.clone(),
                    buffers: &buffers,
                },
                primitive: self.primitive,
                depth_stencil: self.depth.clone(),
                multisample: wgpu::MultisampleState { count: self.samples, ..Default::default() },
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some(fragment),
                    compilation_options,
                    targets: &[Some(self.target.clone())],
                }),
                multiview_mask: None,
                cache: None,
            }))
        })
    }
}

fn pipeline_layout(
    device: &wgpu::Device,
    label: &str,
    groups: &[Option<Layout>],
) -> wgpu::PipelineLayout {
    let groups: Vec<_> = groups.iter().map(|group| group.as_deref()).collect();
    device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(label),
        bind_group_layouts: &groups,
        immediate_size: 0,
    })
}

fn declared(constants: &[(&'static str, f64)], composed: &Composed) -> Constants {
    let declares = |name: &str| {
        composed.text().lines().any(|line| {
            let after = line.trim_start().strip_prefix("override ");
            after
                .and_then(|rest| rest.strip_prefix(name))
                .is_some_and(|rest| rest.starts_with([':', ' ', '=']))
        })
    };
    constants.iter().copied().filter(|(name, _)| declares(name)).collect()
}

/// A handle to a built object. Clones are the same, and a reload replaces the object for all of them.
#[derive(Debug)]
pub struct Live<D: Declaration>(Arc<Slot<D>>);

/// A handle to a compute pipeline.
pub type ComputePipeline = Live<ComputeDescriptor>;
/// A handle to a render pipeline.
pub type RenderPipeline = Live<RenderDescriptor>;

#[derive(Debug)]
struct Slot<D: Declaration> {
    declaration: D,
    current: RwLock<D::Built>,
    builds: AtomicU32,
}

impl<D: Declaration> Clone for Live<D> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<D: Declaration> Live<D> {
    fn new(declaration: D, built: D::Built) -> Self {
        Self(Arc::new(Slot { declaration, current: RwLock::new(built), builds: AtomicU32::new(1) }))
    }

    /// The declaration that it was built from.
    pub fn declaration(&self) -> &D {
        &self.0.declaration
    }

    /// The most recently built object.
    pub fn get(&self) -> D::Built {
        self.0.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The number of times it was built. Results of older pipelines are outdated.
    pub fn builds(&self) -> u32 {
        self.0.builds.load(Ordering::Acquire)
    }
}

impl ComputePipeline {
    /// Sets the pipeline and binds `groups` from 0 up.
    pub fn bind(&self, pass: &mut wgpu::ComputePass<'_>, groups: &[Option<&wgpu::BindGroup>]) {
        pass.set_pipeline(&self.get());
        for (index, group) in (0..).zip(groups) {
            if let Some(group) = group {
                pass.set_bind_group(index, *group, &[]);
            }
        }
    }
}

impl RenderPipeline {
    /// Sets the pipeline and binds `groups` from 0 up.
    pub fn bind(&self, pass: &mut wgpu::RenderPass<'_>, groups: &[Option<&wgpu::BindGroup>]) {
        pass.set_pipeline(&self.get());
        for (index, group) in (0..).zip(groups) {
            if let Some(group) = group {
                pass.set_bind_group(index, *group, &[]);
            }
        }
    }
}

/// A built object for a slot.
trait Install: WasmNotSend {
    /// Puts the object into its slot.
    fn install(self: Box<Self>);
}

impl<D: Declaration> Install for (Arc<Slot<D>>, D::Built) {
    fn install(self: Box<Self>) {
        let (slot, built) = *self;
        *slot.current.write().unwrap_or_else(PoisonError::into_inner) = built;
        slot.builds.fetch_add(1, Ordering::AcqRel);
    }
}

/// A built object for a slot, and the stage's name.
type New = (&'static str, Box<dyn Install>);

/// A slot of any kind.
trait Rebuild: WasmNotSendSync {
    fn rebuild(
        self: Arc<Self>,
        pipelines: &Pipelines,
        changed: &BTreeSet<String>,
    ) -> Result<Option<New>, ShaderError>;
}

impl<D: Declaration + 'static> Rebuild for Slot<D> {
    fn rebuild(
        self: Arc<Self>,
        pipelines: &Pipelines,
        changed: &BTreeSet<String>,
    ) -> Result<Option<New>, ShaderError> {
        if !self.declaration.depends(changed)? {
            return Ok(None);
        }
        let built = self.declaration.build(pipelines)?;
        let stage = self.declaration.stage();
        Ok(Some((stage, Box::new((self, built)))))
    }
}

/// Compiled pipelines of a reload, not yet in use.
#[derive(Default)]
pub struct Rebuilt {
    stages: Vec<&'static str>,
    installs: Vec<Box<dyn Install>>,
}

impl Rebuilt {
    /// The stages with compiled pipelines, in the order of declaration; none where no pipeline uses the
    /// changed files.
    pub fn stages(&self) -> &[&'static str] {
        &self.stages
    }

    /// Makes every handle return its new pipeline from now on.
    pub fn install(self) {
        self.installs.into_iter().for_each(Install::install);
    }
}

/// All pipelines of a device. Clones share them, also between threads.
#[derive(Clone)]
pub struct Pipelines(Arc<Cache>);

struct Cache {
    device: wgpu::Device,
    compute: Mutex<Vec<ComputePipeline>>,
    render: Mutex<Vec<RenderPipeline>>,
    slots: Mutex<Vec<Weak<dyn Rebuild>>>,
    /// Modules by their text: tiers differ in constants, and several entry points share a file.
    modules: Mutex<Vec<(Arc<Composed>, wgpu::ShaderModule)>>,
}

/// The most unused pipelines of one kind, and modules, in the cache.
const MOST_UNUSED: usize = 64;

impl std::fmt::Debug for Pipelines {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (compute, render) = (lock(&self.0.compute).len(), lock(&self.0.render).len());
        write!(out, "Pipelines {{ compute: {compute}, render: {render} }}")
    }
}

impl From<&wgpu::Device> for Pipelines {
    fn from(device: &wgpu::Device) -> Self {
        Self::new(device)
    }
}

impl From<&Pipelines> for Pipelines {
    fn from(pipelines: &Pipelines) -> Self {
        pipelines.clone()
    }
}

impl Pipelines {
    /// Creates a cache without pipelines.
    pub fn new(device: &wgpu::Device) -> Self {
        Self(Arc::new(Cache {
            device: device.clone(),
            compute: Mutex::default(),
            render: Mutex::default(),
            slots: Mutex::default(),
            modules: Mutex::default(),
        }))
    }

    /// The device of the pipelines.
    pub fn device(&self) -> &wgpu::Device {
        &self.0.device
    }

    /// Returns the compute pipeline of a declaration.
    ///
    /// # Errors
    /// [`ShaderError`] where the shader is broken or does not fit the declaration. A browser reports
    /// this later to its handler of errors.
    pub fn compute(&self, descriptor: ComputeDescriptor) -> Result<ComputePipeline, ShaderError> {
        self.cached(&self.0.compute, descriptor)
    }

    /// Returns the render pipeline of a declaration.
    ///
    /// # Errors
    /// Those of [`Pipelines::compute`].
    pub fn render(&self, descriptor: RenderDescriptor) -> Result<RenderPipeline, ShaderError> {
        self.cached(&self.0.render, descriptor)
    }

    fn cached<D: Declaration + PartialEq + 'static>(
        &self,
        cache: &Mutex<Vec<Live<D>>>,
        declaration: D,
    ) -> Result<Live<D>, ShaderError> {
        let known = lock(cache).iter().find(|known| known.0.declaration == declaration).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let built = declaration.build(self)?;
        let live = self.watch(declaration, built);
        let mut cache = lock(cache);
        if cache.len() >= MOST_UNUSED {
            cache.retain(|known| Arc::strong_count(&known.0) > 1);
        }
        cache.push(live.clone());
        Ok(live)
    }

    /// Returns a handle to `built`, which is built again where a shader of its declaration changes.
    pub fn watch<D: Declaration + 'static>(&self, declaration: D, built: D::Built) -> Live<D> {
        let live = Live::new(declaration, built);
        let slot: Arc<dyn Rebuild> = live.0.clone();
        let mut slots = lock(&self.0.slots);
        slots.retain(|slot| slot.strong_count() > 0);
        slots.push(Arc::downgrade(&slot));
        live
    }

    /// Compiles the pipelines again that use one of `changed`, files under `shaders/`, from the current
    /// shaders. The handles return the old ones until [`Rebuilt::install`].
    ///
    /// # Errors
    /// [`ShaderError`] where a shader is broken, with file and line. Nothing has changed then.
    pub fn rebuild(&self, changed: &BTreeSet<String>) -> Result<Rebuilt, ShaderError> {
        let mut rebuilt = Rebuilt::default();
        // Unused pipelines are not worth compiling, and outdated.
        lock(&self.0.compute).retain(|known| Arc::strong_count(&known.0) > 1);
        lock(&self.0.render).retain(|known| Arc::strong_count(&known.0) > 1);
        lock(&self.0.modules).clear();
        let slots: Vec<_> = lock(&self.0.slots).iter().filter_map(Weak::upgrade).collect();
        for slot in slots {
            if let Some((stage, install)) = slot.rebuild(self, changed)? {
                rebuilt.installs.push(install);
                if !rebuilt.stages.contains(&stage) {
                    rebuilt.stages.push(stage);
                }
            }
        }
        Ok(rebuilt)
    }

    fn module(&self, shader: &Shader) -> Result<(Arc<Composed>, wgpu::ShaderModule), ShaderError> {
        let composed = shader.compose()?;
        let known = lock(&self.0.modules).iter().find(|(known, _)| **known == composed).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let module = module_of(self.device(), shader.files[shader.files.len() - 1], &composed)?;
        let made = (Arc::new(composed), module);
        let mut modules = lock(&self.0.modules);
        if modules.len() >= MOST_UNUSED {
            modules.clear();
        }
        modules.push(made.clone());
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::super::shader::LIBRARY;
    use super::*;

    const NAME: &str = "test.wgsl";
    const TEXT: &str = "override SIDE: u32 = 1;\n@compute @workgroup_size(SIDE) fn main() {}\n";

    fn descriptor(side: f64) -> ComputeDescriptor {
        ComputeDescriptor {
            constants: vec![("SIDE", side), ("SIDE_OF_ANOTHER_SHADER", 3.0)],
            ..ComputeDescriptor::new("test", NAME, "main", &[])
        }
    }

    #[test]
    fn equal_declarations_share_a_pipeline_that_a_reload_replaces() {
        let gpu = seaway_core::testing::context();
        let pipelines = Pipelines::new(&gpu.device);
        let before = LIBRARY.embedded().with(NAME, TEXT);
        let build = |side| before.during(|| pipelines.compute(descriptor(side)).unwrap());
        let (one, same, four) = (build(1.0), build(1.0), build(4.0));
        assert_eq!(one.get(), same.get());
        assert_ne!(one.get(), four.get());
        drop(four);

        let built = one.get();
        let changed = BTreeSet::from([NAME.to_owned()]);
        let reload =
            |text: &str| LIBRARY.embedded().with(NAME, text).during(|| pipelines.rebuild(&changed));
        assert!(reload(&TEXT.replace("fn", "fnord")).is_err());
        assert_eq!((same.get(), same.builds()), (built.clone(), 1));
        let rebuilt = reload(TEXT).unwrap();
        // New pipelines are unused before installation, and those without handles are not built.
        assert_eq!((rebuilt.stages(), rebuilt.installs.len()), (&["test"][..], 1));
        assert_eq!(same.get(), built);
        rebuilt.install();
        assert_ne!(same.get(), built);
        assert_eq!((one.get(), one.builds()), (same.get(), 2));
        let other_files = BTreeSet::from(["shading/tone.wgsl".to_owned()]);
        let unchanged = before.during(|| pipelines.rebuild(&other_files)).unwrap();
        assert!(unchanged.stages().is_empty());
    }
}
