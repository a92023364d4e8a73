//! The one way a pipeline is built from WGSL.

use std::borrow::Cow;

/// A compute pipeline and the label that it is profiled under.
#[derive(Debug, Clone)]
pub struct ComputeKernel {
    /// The pipeline, with the bind-group layouts that it was given.
    pub pipeline: wgpu::ComputePipeline,
}

/// Compiles `entry_point` of `wgsl`. `layouts` are the bind-group layouts from group 0 up, with
/// `None` for a group that it does not use.
///
/// Workgroup memory is not zeroed: kernels here write what they read.
pub fn compute_kernel(
    device: &wgpu::Device,
    label: &str,
    wgsl: &str,
    entry_point: &str,
    layouts: &[Option<&wgpu::BindGroupLayout>],
) -> ComputeKernel {
    let module = device.create_shader_module(descriptor(label, wgsl));
    kernel_of(device, label, &module, entry_point, layouts)
}

/// As [`compute_kernel`], with those run-time checks of indices and loops only.
///
/// # Safety
/// Where `checks` leaves some out: the kernel may be run with no binding for which an index of it is
/// out of bounds, and each of its loops ends.
pub unsafe fn unchecked_compute_kernel(
    device: &wgpu::Device,
    label: &str,
    wgsl: &str,
    entry_point: &str,
    layouts: &[Option<&wgpu::BindGroupLayout>],
    checks: wgpu::ShaderRuntimeChecks,
) -> ComputeKernel {
    // SAFETY: the caller's promise.
    let module = unsafe { device.create_shader_module_trusted(descriptor(label, wgsl), checks) };
    kernel_of(device, label, &module, entry_point, layouts)
}

/// Why WGSL was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// The line that it is about, from 1, where that is known.
    pub line: Option<u32>,
    /// What the compiler says.
    pub message: String,
}

/// As [`compute_kernel`], for WGSL that others wrote: what the device says against it is given back
/// and reaches no handler of uncaptured errors. Ready at once wherever shaders are compiled in this
/// process; a browser answers later.
///
/// # Errors
/// [`CompileError`] where the WGSL does not compile, or does not fit `layouts`.
///
/// # Safety
/// As [`unchecked_compute_kernel`].
pub async unsafe fn try_compute_kernel(
    device: &wgpu::Device,
    label: &str,
    wgsl: &str,
    entry_point: &str,
    layouts: &[Option<&wgpu::BindGroupLayout>],
    checks: wgpu::ShaderRuntimeChecks,
) -> Result<ComputeKernel, CompileError> {
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    // SAFETY: the caller's promise.
    let module = unsafe { device.create_shader_module_trusted(descriptor(label, wgsl), checks) };
    let kernel = kernel_of(device, label, &module, entry_point, layouts);
    let failed = scope.pop();
    let information = module.get_compilation_info();
    let Some(failed) = failed.await else { return Ok(kernel) };
    let messages = information.await.messages;
    let is_error = |message: &&wgpu::CompilationMessage| {
        message.message_type == wgpu::CompilationMessageType::Error
    };
    // A module that parses may still not fit the layouts: then the device's error is all there is.
    Err(match messages.iter().find(is_error) {
        Some(error) => CompileError {
            line: error.location.map(|location| location.line_number),
            message: error.message.clone(),
        },
        None => CompileError { line: None, message: failed.to_string() },
    })
}

fn descriptor<'a>(label: &'a str, wgsl: &'a str) -> wgpu::ShaderModuleDescriptor<'a> {
    wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(Cow::Borrowed(wgsl)),
    }
}

fn kernel_of(
    device: &wgpu::Device,
    label: &str,
    module: &wgpu::ShaderModule,
    entry_point: &str,
    layouts: &[Option<&wgpu::BindGroupLayout>],
) -> ComputeKernel {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(label),
        bind_group_layouts: layouts,
        immediate_size: 0,
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(label),
        layout: Some(&layout),
        module,
        entry_point: Some(entry_point),
        compilation_options: wgpu::PipelineCompilationOptions {
            zero_initialize_workgroup_memory: false,
            ..Default::default()
        },
        cache: None,
    });
    ComputeKernel { pipeline }
}

/// A shader module for render pipelines from a file under `shaders/`.
///
/// # Errors
/// [`ShaderError`](super::shader::ShaderError) where the file or an import is missing.
pub fn render_module(
    device: &wgpu::Device,
    name: &str,
) -> Result<wgpu::ShaderModule, super::shader::ShaderError> {
    let wgsl = super::shader::resolve(name)?;
    Ok(device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(name),
        source: wgpu::ShaderSource::Wgsl(wgsl.into()),
    }))
}
