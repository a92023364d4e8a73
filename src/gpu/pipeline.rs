//! Compute pipelines from WGSL that is at hand, and what a device says against WGSL. Pipelines from files
//! come from [`Pipelines`](super::Pipelines).

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
            line: innermost_line(&error.message)
                .map(|line| line as u32)
                .or(error.location.map(|location| location.line_number)),
            message: error.message.clone(),
        },
        None => CompileError { line: None, message: failed.to_string() },
    })
}

/// What the log calls every shader as it is handed to wgpu, at its level of traces: the label, a line
/// end, and the complete WGSL (`RUST_LOG=wgsl=trace`).
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

/// The module of files: what the device says against it is an error that names file and line.
///
/// # Errors
/// [`ShaderError::Invalid`] where it does not compile. A browser, which says so later, tells its handler
/// of errors.
pub(super) fn module_of(
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

/// Runs `body`, and gives back what the device says against what it makes: that reaches no handler of
/// uncaptured errors. A browser, which says so later, tells its handler.
///
/// # Errors
/// What `body` says itself, else [`ShaderError::Refused`], called `label`.
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

/// What `future` gives, if it does so at once: errors do, wherever shaders are compiled in this
/// process.
fn at_once<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut context = task::Context::from_waker(task::Waker::noop());
    match std::pin::pin!(future).poll(&mut context) {
        task::Poll::Ready(value) => Some(value),
        task::Poll::Pending => None,
    }
}

/// What counts in what naga and wgpu print over many lines: causes from the outermost to the
/// innermost, and the remarks at the place. Lines of source are left out, since their numbers are
/// the module's and not the file's.
pub(crate) fn headline(printed: &str) -> String {
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
        // A dot stands for lines that are left out.
        let is_noise = remark.trim_matches('·').trim().is_empty()
            || remark.starts_with("Validation Error")
            || remark == "Caused by"
            || remark.starts_with("In Device::create_shader_module")
            // Of the compiler's own representation, not of the source.
            || remark.starts_with("naga::ir::")
            || (remark.starts_with("Expression [") && remark.ends_with("is invalid"));
        if !is_noise && !said.iter().any(|known| known.contains(remark)) {
            said.push(remark.to_owned());
        }
    }
    said.join(": ")
}

/// The line of the module, from 1, that printed text points at most narrowly: the last with carets
/// below it. A validator names the whole function first, and wgpu passes on that place alone.
pub(crate) fn innermost_line(printed: &str) -> Option<usize> {
    let (mut numbered, mut innermost) = (None, None);
    for line in printed.lines() {
        let Some((number, rest)) = line.split_once('│') else { continue };
        match number.trim().parse() {
            Ok(number) => numbered = Some(number),
            // Not the end of a bracket over several lines.
            Err(_) if rest.contains('^') && !rest.contains('╰') => innermost = numbered,
            Err(_) => {}
        }
    }
    innermost
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What naga prints of a module that does not parse or is not valid.
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
        // What lies between two places is left out, and so are the dots that stand for it.
        let twice =
            super::headline(&super::tests::printed("const A = 1;\n\n\n\n\n\n\nconst A = 2;\n"));
        assert!(twice.contains("redefinition") && !twice.contains('·'), "{twice}");
    }

    #[test]
    fn what_the_validator_finds_is_put_where_it_is_and_not_at_its_function() {
        let wgsl = "fn half(x: u32) -> u32 {\n    let y = x;\n    return y + 1.5;\n}\n";
        let printed = printed(wgsl);
        assert_eq!(innermost_line(&printed), Some(3), "{printed}");
        assert!(!headline(&printed).contains("naga::"), "{}", headline(&printed));
    }
}
