//! Structs that Rust and WGSL share. [`wgsl_struct!`] declares the Rust side and records the
//! offset of every field; a test compares those with the offsets that naga computes for the
//! WGSL side, so the two cannot drift apart.

/// One field of a [`WgslStruct`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WgslField {
    /// The field's name, the same on both sides.
    pub name: &'static str,
    /// The offset of the field in bytes.
    pub offset: usize,
}

/// A `#[repr(C)]` struct with a twin of the same name in WGSL.
pub trait WgslStruct: bytemuck::Pod {
    /// The name of the struct in WGSL.
    const NAME: &'static str;
    /// All fields in order. Names that start with `_` are padding and exist in Rust only.
    const FIELDS: &'static [WgslField];
}

/// Declares a `#[repr(C)]` plain-data struct and implements [`WgslStruct`] for it.
macro_rules! wgsl_struct {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident {
            $( $(#[$field_meta:meta])* $field_visibility:vis $field:ident : $type:ty ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
        $visibility struct $name {
            $( $(#[$field_meta])* $field_visibility $field: $type, )*
        }

        impl $crate::gpu::WgslStruct for $name {
            const NAME: &'static str = stringify!($name);
            const FIELDS: &'static [$crate::gpu::WgslField] = &[
                $( $crate::gpu::WgslField {
                    name: stringify!($field),
                    offset: ::std::mem::offset_of!($name, $field),
                }, )*
            ];
        }
    };
}
pub(crate) use wgsl_struct;

#[cfg(test)]
pub(crate) fn assert_layout<T: WgslStruct>(wgsl: &str) {
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
#[cfg(test)]
pub(crate) fn assert_valid(shaders: impl IntoIterator<Item = (String, String)>) {
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
