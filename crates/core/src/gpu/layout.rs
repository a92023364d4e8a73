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
#[macro_export]
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
