//! Tests of programs, which need no GPU.

use super::lab::*;
use super::*;
use crate::choice::Choice as _;
use crate::gpu::Capabilities;

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
                                tuning: Tuning { twiddles: Some(twiddles), ..Default::default() },
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

#[test]
fn a_program_reads_only_what_was_written_before() {
    for_each_plan(&adapter_like(), |descriptor, program| {
        let in_place = descriptor.placement == Placement::InPlace;
        assert_eq!(program.in_place, in_place);
        let mut written = vec![if in_place { Role::Output } else { Role::Input }];
        for dispatch in &program.dispatches {
            let kernel = &program.kernels[dispatch.kernel];
            assert_eq!(kernel.bindings.len(), dispatch.roles.len());
            let loads_where_it_stores = kernel.bindings.iter().all(|(binding, _)| *binding != 0);
            let mut images = Vec::new();
            for ((binding, access), role) in kernel.bindings.iter().zip(&dispatch.roles) {
                match role {
                    Role::Table(table) => assert!(*table < program.tables.len()),
                    Role::Params => assert_eq!(*access, Access::Uniform),
                    _ => {
                        // WebGPU: never one buffer twice in a dispatch, if any use writes.
                        assert!(!images.contains(role), "{descriptor:?}");
                        images.push(*role);
                        if *access == Access::Read || loads_where_it_stores {
                            assert!(written.contains(role), "{descriptor:?}");
                        }
                        if *access == Access::ReadWrite {
                            assert_eq!(*binding, 1);
                            assert_ne!(*role, Role::Input, "{descriptor:?}");
                            written.push(*role);
                        }
                    }
                }
            }
        }
        let uses_scratch = written.contains(&Role::Scratch);
        assert_eq!(uses_scratch, program.scratch_bytes > 0, "{descriptor:?}");
        assert_eq!(written.last(), Some(&Role::Output), "{descriptor:?}");
    });
}

#[test]
fn bytes_and_dispatches_are_those_of_the_algorithm() {
    let descriptor = |algorithm| Descriptor {
        size: [256, 64],
        batch: 3,
        layout: Layout::Pair,
        algorithm,
        ..Default::default()
    };
    // Two pairs, the second padded.
    let data = 256 * 64 * 2 * 16;
    for &algorithm in Algorithm::ALL {
        let program = program(&descriptor(algorithm), &adapter_like()).unwrap();
        assert_eq!(program.data_bytes, data);
        let dispatches = match algorithm {
            Algorithm::CooleyTukeyMultipass => 8 + 6,
            Algorithm::GlobalR8 => 3 + 2,
            Algorithm::Transpose | Algorithm::FourStep => 4,
            _ => 2,
        };
        assert_eq!(program.dispatches.len(), dispatches, "{algorithm}");
        assert_eq!(program.bytes_moved(), 2 * data * dispatches as u64, "{algorithm}");
        assert_eq!(program.kernels.len(), 2.max(dispatches.min(4)), "{algorithm}");
    }
}

#[test]
fn each_axis_of_1024_fits_webgpu_in_every_layout() {
    for &algorithm in Algorithm::ALL {
        for &layout in Layout::ALL {
            let size = [1024, 1024];
            let descriptor = Descriptor { size, algorithm, layout, ..Default::default() };
            program(&descriptor, &Capabilities::webgpu_defaults()).unwrap();
        }
    }
}

#[test]
fn adjacent_columns_fill_a_cache_line_where_they_fit() {
    let columns = |size: u32, layout, capabilities: &Capabilities| {
        let size = [size, size];
        let descriptor = Descriptor { size, layout, ..Default::default() };
        let program = program(&descriptor, capabilities).unwrap();
        let kernel = &program.kernels[program.dispatches[1].kernel];
        kernel.workgroup_bytes / (size[1] * layout.element_bytes())
    };
    assert_eq!(columns(256, Layout::Pair, &adapter_like()), 4);
    assert_eq!(columns(256, Layout::Planar, &adapter_like()), 8);
    assert_eq!(columns(1024, Layout::Pair, &adapter_like()), 2);
    assert_eq!(columns(512, Layout::Pair, &Capabilities::webgpu_defaults()), 2);
    assert_eq!(columns(1024, Layout::Pair, &Capabilities::webgpu_defaults()), 1);
}

#[test]
fn errors_name_the_limit_what_it_takes_and_what_there_is() {
    let webgpu = Capabilities::webgpu_defaults();
    let error = |descriptor: Descriptor, capabilities: &Capabilities| {
        program(&descriptor, capabilities).unwrap_err().to_string()
    };
    let descriptor = Descriptor { layout: Layout::Pair, ..Default::default() };
    let square = |length| Descriptor { size: [length, length], ..descriptor.clone() };

    assert_eq!(
        error(square(2048), &webgpu),
        "stockham-r4: a workgroup with 1 row(s) of 2048 points needs 32768 bytes, and this \
         device's maxComputeWorkgroupStorageSize is 16384"
    );
    assert_eq!(
        error(square(4096), &webgpu),
        "stockham-r4: a batch of 1 images of 4096 x 4096 needs 268435456 bytes, and this \
         device's maxStorageBufferBindingSize is 134217728"
    );
    let tuning =
        Tuning::lines(LineTuning { butterflies_per_invocation: Some(1), ..Default::default() });
    assert_eq!(
        error(Descriptor { algorithm: Algorithm::StockhamR2, tuning, ..square(1024) }, &webgpu),
        "stockham-r2: a workgroup with 1 row(s) of 1024 points needs 512 invocations, and this \
         device's maxComputeInvocationsPerWorkgroup is 256"
    );
    assert_eq!(
        error(
            Descriptor {
                size: [2, 2],
                batch: 1 << 18,
                algorithm: Algorithm::StockhamR2,
                ..descriptor.clone()
            },
            &webgpu
        ),
        "stockham-r2: a dispatch of 1 workgroups for each of 131072 layers needs 131072 \
         workgroups along one dimension, and this device's maxComputeWorkgroupsPerDimension is \
         65535"
    );
    assert_eq!(
        error(Descriptor { size: [16, 12], ..Default::default() }, &webgpu),
        "stockham-r4 takes lengths that are powers of two of at least 2, and the column length \
         is 12"
    );
    let algorithm = Algorithm::Dft;
    assert_eq!(
        error(Descriptor { size: [10_000, 10], algorithm, ..Default::default() }, &webgpu),
        "dft takes lengths up to 8192, and the row length is 10000"
    );
    assert_eq!(
        error(Descriptor { size: [16, 0], ..Default::default() }, &webgpu),
        "an FFT of 16 x 0 points in a batch of 1 is empty: all three must be at least 1"
    );
    let column = LineTuning { lines_per_workgroup: Some(3), ..Default::default() };
    let tuning = Tuning { column, ..Default::default() };
    assert_eq!(
        error(Descriptor { tuning, ..square(16) }, &webgpu),
        "stockham-r4: lines_per_workgroup is 3, which must be a power of two from 1 to 16"
    );
}

proptest::proptest! {
    #[test]
    fn no_description_panics(
        size in [0_u32..5000, 0_u32..u32::MAX],
        powers in [0_u32..32, 0_u32..32],
        exact in proptest::prelude::any::<bool>(),
        batch in proptest::prelude::any::<u32>(),
        shift in 0_u32..32,
        choice in 0..Algorithm::ALL.len(),
        axes in 0..Axes::ALL.len(),
        layout in 0..Layout::ALL.len(),
        numbers in proptest::collection::vec(
            proptest::option::of(proptest::prelude::any::<u32>()), 5),
        invocations in 1_u32..2000,
        workgroups in 1_u32..100_000,
    ) {
        let descriptor = Descriptor {
            size: if exact { powers.map(|power| 1 << power) } else { size },
            batch: batch >> shift,
            algorithm: Algorithm::ALL[choice],
            axes: Axes::ALL[axes],
            layout: Layout::ALL[layout],
            tuning: Tuning {
                workgroup_size: numbers[0].filter(|_| shift % 7 == 0),
                ..Tuning::lines(LineTuning {
                    radix: numbers[0].filter(|_| shift % 8 == 0),
                    lines_per_workgroup: numbers[1].filter(|_| shift % 3 == 0),
                    butterflies_per_invocation: numbers[2].filter(|_| shift % 2 == 0),
                    exchange_floats: numbers[3].filter(|_| shift % 4 == 0),
                    padding: numbers[4].filter(|_| shift % 5 == 0),
                    split_pairs: Some(shift % 2 == 0),
                })
            },
            ..Default::default()
        };
        let capabilities = Capabilities {
            max_workgroup_invocations: invocations,
            max_workgroups_per_dimension: workgroups,
            ..adapter_like()
        };
        if let Ok(program) = program(&descriptor, &capabilities) {
            for kernel in &program.kernels {
                assert!(kernel.workgroup_size <= invocations);
            }
            for dispatch in &program.dispatches {
                assert!(dispatch.workgroups.iter().all(|count| *count <= workgroups));
            }
        }
    }
}
