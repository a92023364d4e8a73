//! Utilities that the tests of several crates share.

mod commands;
pub mod tolerance;

use std::sync::OnceLock;

use crate::gpu::{Context, ContextOptions, LimitsPreset, WgslStruct};

/// Opens a device with everything that the adapter offers. Tests fail where there is no GPU.
///
/// # Panics
/// Panics where there is no adapter.
pub fn context() -> Context {
    context_within(LimitsPreset::Adapter)
}

/// The one device of all callers in this process, opened by the first of them.
///
/// # Panics
/// Those of [`context`].
pub fn shared_context() -> &'static Context {
    static CONTEXT: OnceLock<Context> = OnceLock::new();
    CONTEXT.get_or_init(context)
}

/// Opens a device with the limits of `limits`.
///
/// # Panics
/// Those of [`context`].
pub fn context_within(limits: LimitsPreset) -> Context {
    let options = ContextOptions { limits, ..ContextOptions::default() };
    pollster::block_on(Context::new(Context::headless_instance(), options))
        .expect("tests need an adapter")
}

/// Panics unless the struct of that name in `wgsl` has the same fields at the same offsets.
pub fn assert_layout<T: WgslStruct>(wgsl: &str) {
    let module = naga::front::wgsl::parse_str(wgsl)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(wgsl)));
    let (_, found) = module
        .types
        .iter()
        .find(|(_, candidate)| candidate.name.as_deref() == Some(T::NAME))
        .unwrap_or_else(|| panic!("no struct {} in the WGSL", T::NAME));
    let naga::TypeInner::Struct { members, span } = &found.inner else {
        panic!("{} is not a struct in WGSL", T::NAME);
    };
    let wgsl_fields: Vec<(&str, usize)> = members
        .iter()
        .map(|member| (member.name.as_deref().unwrap_or("?"), member.offset as usize))
        .collect();
    let rust_fields: Vec<(&str, usize)> = T::FIELDS
        .iter()
        .filter(|field| !field.name.starts_with('_'))
        .map(|field| (field.name, field.offset))
        .collect();
    assert_eq!(rust_fields, wgsl_fields, "fields of {} (Rust left, WGSL right)", T::NAME);
    assert_eq!(size_of::<T>(), *span as usize, "size of {} (Rust left, WGSL right)", T::NAME);
}

/// Panics unless each of `shaders`, labels and complete WGSL, is valid with the guaranteed features of
/// WebGPU alone.
pub fn assert_valid(shaders: impl IntoIterator<Item = (String, String)>) {
    for (label, wgsl) in shaders {
        let module = naga::front::wgsl::parse_str(&wgsl)
            .unwrap_or_else(|error| panic!("{label}: {}", error.emit_to_string(&wgsl)));
        naga::valid::Validator::new(
            naga::valid::ValidationFlags::all(),
            // WebGPU has these conversions; naga counts them as a capability for old OpenGL.
            naga::valid::Capabilities::SHADER_FLOAT16_IN_FLOAT32,
        )
        .validate(&module)
        .unwrap_or_else(|error| panic!("{label}: {}", error.emit_to_string(&wgsl)));
    }
}
