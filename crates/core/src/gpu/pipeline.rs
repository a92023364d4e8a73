//! Compute pipelines from WGSL text, and a device's errors about WGSL. The pipelines of the sea
//! are built from files.

use std::borrow::Cow;
use std::task;

use super::shader::{Composed, ShaderError};

/// A compute pipeline and the label that it is profiled under.
#[derive(Debug, Clone)]
pub struct ComputeKernel {
    /// The pipeline, with the bind-group layouts that it was given.
    pub pipeline: wgpu::ComputePipeline,
}

/// Compiles `entry_point` of `wgsl`. `layouts` are the bind-group layouts from group 0 up, with
/// `None` for a group that it does not use.
///
/// Workgroup memory is not zeroed: these kernels write it before they read it.
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

/// Compiles as [`compute_kernel`] does, with only the given run-time checks of indices and loops.
///
/// # Safety
/// Where `checks` leaves some out, the kernel must never run with a binding that an index of it is out
/// of bounds for, and each of its loops must end.
#[doc(hidden)]
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

/// An error of the compiler about WGSL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct CompileError {
    /// The line of the error, from 1, where it is known.
    pub line: Option<u32>,
    /// The message of the compiler.
    pub message: String,
}

/// Compiles WGSL of others as [`compute_kernel`] does, and returns the device's errors, which reach no
/// handler of uncaptured errors. The result is ready at once wherever shaders are compiled in this
/// process; a browser answers later.
///
/// # Errors
/// [`CompileError`] where the WGSL does not compile, or does not fit `layouts`.
///
/// # Safety
/// The conditions of [`unchecked_compute_kernel`] hold.
#[doc(hidden)]
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
    // A module that parses may not fit the layouts: the device's error is then the only one.
    Err(match messages.iter().find(is_error) {
        Some(error) => CompileError {
            line: innermost_line(&error.message)
                .map(|line| line as u32)
                .or(error.location.map(|location| location.line_number)),
            message: error.message.clone(),
        },
        None => CompileError { line: None, message: failed.to_string() },
    })
}

/// The log's target of every compiled shader, at the level of traces: the label, a line end, and the
/// complete WGSL (`RUST_LOG=wgsl=trace`).
pub const WGSL_LOG: &str = "wgsl";

fn descriptor<'a>(label: &'a str, wgsl: &'a str) -> wgpu::ShaderModuleDescriptor<'a> {
    log::trace!(target: WGSL_LOG, "{label}\n{wgsl}");
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

/// Compiles a module from files. The device's error names file and line.
///
/// # Errors
/// [`ShaderError::Invalid`] where it does not compile. A browser reports this later to its handler of
/// errors.
#[doc(hidden)]
pub fn module_of(
    device: &wgpu::Device,
    label: &str,
    composed: &Composed,
) -> Result<wgpu::ShaderModule, ShaderError> {
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let module = device.create_shader_module(descriptor(label, composed.text()));
    let information = module.get_compilation_info();
    let Some(failed) = at_once(scope.pop()).flatten() else { return Ok(module) };
    let messages = at_once(information).map(|information| information.messages).unwrap_or_default();
    let located = messages.iter().find_map(|message| {
        let at = message.location.map(|location| location.line_number as usize);
        let line = innermost_line(&message.message).or(at)?;
        composed.parts().blame(composed.text(), line, &headline(&message.message))
    });
    Err(located.unwrap_or_else(|| ShaderError::Refused {
        label: label.to_owned(),
        message: headline(&failed.to_string()),
    }))
}

/// Runs `body`, and returns the device's errors about its resources, which reach no handler of
/// uncaptured errors. A browser reports them later to its handler.
///
/// # Errors
/// The error of `body`, or else [`ShaderError::Refused`] with the label `label`.
#[doc(hidden)]
pub fn checked<T, E: From<ShaderError>>(
    device: &wgpu::Device,
    label: &str,
    body: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let made = body();
    let failed = at_once(scope.pop()).flatten();
    let made = made?;
    match failed {
        Some(error) => {
            let message = headline(&error.to_string());
            Err(ShaderError::Refused { label: label.to_owned(), message }.into())
        }
        None => Ok(made),
    }
}

/// Returns the output of `future` if it is ready at once, as errors are wherever shaders are compiled in
/// this process.
fn at_once<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut context = task::Context::from_waker(task::Waker::noop());
    match std::pin::pin!(future).poll(&mut context) {
        task::Poll::Ready(value) => Some(value),
        task::Poll::Pending => None,
    }
}

/// Extracts the essence of the long errors of naga and wgpu: causes from the outermost to the innermost,
/// and the remarks at the place. Lines of source are left out, since their numbers belong to the module
/// and not the file.
#[doc(hidden)]
pub fn headline(printed: &str) -> String {
    let mut said: Vec<String> = Vec::new();
    for line in printed.lines().map(str::trim) {
        let remark = match (line.contains('│'), line.rfind('^')) {
            // "   │     ^^^^ unknown identifier"
            (true, Some(caret)) => &line[caret + 1..],
            (true, None) => continue,
            _ if line.starts_with("┌─") => continue,
            _ => line.strip_prefix("= ").unwrap_or(line),
        };
        // "Shader 'label' parsing error: error: .."
        let remark = ["parsing error:", "validation error:", "error:"]
            .iter()
            .fold(remark, |remark, noise| {
                remark.split_once(noise).map_or(remark, |(_, rest)| rest)
            });
        let remark = remark.trim().trim_end_matches([':', '.']);
        // A dot stands for omitted lines.
        let is_noise = remark.trim_matches('·').trim().is_empty()
            || remark.starts_with("Validation Error")
            || remark == "Caused by"
            || remark.starts_with("In Device::create_shader_module")
            // This names the compiler's own representation, not the source.
            || remark.starts_with("naga::ir::")
            || (remark.starts_with("Expression [") && remark.ends_with("is invalid"));
        if !is_noise && !said.iter().any(|known| known.contains(remark)) {
            said.push(remark.to_owned());
        }
    }
    said.join(": ")
}

/// The line of the module, from 1, that printed text locates most narrowly: the last with carets below
/// it. A validator names the whole function first, and wgpu passes on that place alone.
pub fn innermost_line(printed: &str) -> Option<usize> {
    let (mut numbered, mut innermost) = (None, None);
    for line in printed.lines() {
        let Some((number, rest)) = line.split_once('│') else { continue };
        match number.trim().parse() {
            Ok(number) => numbered = Some(number),
            // The end of a bracket over several lines does not count.
            Err(_) if rest.contains('^') && !rest.contains('╰') => innermost = numbered,
            Err(_) => {}
        }
    }
    innermost
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(wgsl: &str) -> String {
        let module = match naga::front::wgsl::parse_str(wgsl) {
            Ok(module) => module,
            Err(error) => return error.emit_to_string(wgsl),
        };
        let flags = naga::valid::ValidationFlags::all();
        let mut validator = naga::valid::Validator::new(flags, naga::valid::Capabilities::empty());
        validator.validate(&module).unwrap_err().emit_to_string(wgsl)
    }

    #[test]
    fn the_headline_keeps_what_is_said_and_drops_where() {
        let printed = printed("fn main() -> f32 {\n    return missing;\n}\n");
        let headline = headline(&printed);
        assert!(headline.contains("missing") && !headline.contains('\n'), "{headline}");
        assert!(!headline.contains("wgsl:2"), "{headline} has a line of the module");
        assert_eq!(innermost_line(&printed), Some(2), "{printed}");
        // The code between two places is left out, and so are the dots that stand for it.
        let twice =
            super::headline(&super::tests::printed("const A = 1;\n\n\n\n\n\n\nconst A = 2;\n"));
        assert!(twice.contains("redefinition") && !twice.contains('·'), "{twice}");
    }

    #[test]
    fn validation_errors_name_the_innermost_line() {
        let wgsl = "fn half(x: u32) -> u32 {\n    let y = x;\n    return y + 1.5;\n}\n";
        let printed = printed(wgsl);
        assert_eq!(innermost_line(&printed), Some(3), "{printed}");
        assert!(!headline(&printed).contains("naga::"), "{}", headline(&printed));
    }
}
