//! Tests of programs, which need no GPU.

use super::*;
use crate::choice::Choice as _;

/// Capabilities like those of a desktop GPU.
fn adapter_like() -> Capabilities {
    Capabilities {
        max_workgroup_storage_bytes: 48 << 10,
        max_workgroup_invocations: 1024,
        max_storage_binding_bytes: (2 << 30) - 4,
        max_buffer_bytes: 4 << 30,
        ..Capabilities::webgpu_defaults()
    }
}

/// Label and WGSL of every kernel for square images of `sizes`.
pub(super) fn kernels(sizes: &[u32]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for &algorithm in Algorithm::ALL {
        for &size in sizes {
            for &layout in Layout::ALL {
                let descriptor = Descriptor {
                    size: [size, size],
                    algorithm,
                    layout,
                    direction: Direction::Inverse,
                    ..Default::default()
                };
                let program = program(&descriptor, &Capabilities::webgpu_defaults())
                    .unwrap_or_else(|error| panic!("{size}: {error}"));
                all.extend(program.kernels.into_iter().map(|kernel| (kernel.label, kernel.wgsl)));
            }
        }
    }
    all
}

fn validate(label: &str, wgsl: &str) {
    let module = naga::front::wgsl::parse_str(wgsl)
        .unwrap_or_else(|error| panic!("{label}: {}", error.emit_to_string(wgsl)));
    naga::valid::Validator::new(
        naga::valid::ValidationFlags::all(),
        naga::valid::Capabilities::empty(),
    )
    .validate(&module)
    .unwrap_or_else(|error| panic!("{label}: {}", error.emit_to_string(wgsl)));
}

#[test]
fn every_kernel_of_every_plan_is_valid() {
    let mut seen = std::collections::HashSet::new();
    for capabilities in [Capabilities::webgpu_defaults(), adapter_like()] {
        for_each_plan(&capabilities, |descriptor, program| {
            for kernel in &program.kernels {
                assert!(kernel.workgroup_bytes <= capabilities.max_workgroup_storage_bytes);
                assert!(kernel.workgroup_size <= capabilities.max_workgroup_invocations);
                if seen.insert(kernel.wgsl.clone()) {
                    validate(&format!("{descriptor:?}"), &kernel.wgsl);
                }
            }
        });
    }
    assert!(seen.len() > 100, "{}", seen.len());
}

/// Every algorithm in every layout, direction and placement at lengths from 2 to 4096, where it
/// can.
fn for_each_plan(capabilities: &Capabilities, mut visit: impl FnMut(&Descriptor, &Program)) {
    for &algorithm in Algorithm::ALL {
        for bits in 1..=12 {
            for &layout in Layout::ALL {
                for &direction in Direction::ALL {
                    for &placement in Placement::ALL {
                        for &twiddles in Twiddles::ALL {
                            let descriptor = Descriptor {
                                size: [1 << bits, 64],
                                batch: 3,
                                direction,
                                layout,
                                placement,
                                algorithm,
                                tuning: Tuning { twiddles, ..Default::default() },
                                ..Default::default()
                            };
                            match program(&descriptor, capabilities) {
                                Ok(program) => visit(&descriptor, &program),
                                Err(error) => assert!(
                                    !(4..=10).contains(&bits),
                                    "{algorithm} {descriptor:?}: {error}"
                                ),
                            }
                        }
                    }
                }
            }
        }
    }
}
