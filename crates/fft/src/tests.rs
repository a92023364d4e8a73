//! Tests of programs, which need no GPU.

use super::lab::*;
use super::*;
use crate::choice::Choice as _;
use crate::gpu::{Capabilities, Limit};

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
        [
            ("enable f16;", naga::valid::Capabilities::SHADER_FLOAT16),
            ("alias Real = f64;", naga::valid::Capabilities::FLOAT64),
            ("@coherent ", naga::valid::Capabilities::MEMORY_DECORATION_COHERENT),
            ("subgroupShuffle", naga::valid::Capabilities::SUBGROUP),
        ]
        .into_iter()
        .filter_map(|(text, needed)| wgsl.contains(text).then_some(needed))
        .collect(),
    )
    .subgroup_stages(naga::valid::ShaderStages::COMPUTE)
    .subgroup_operations(naga::valid::SubgroupOperationSet::SHUFFLE)
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

/// Each level of means by subgroups, where squares lie within one, else through workgroup memory.
#[test]
fn kernels_with_means_are_valid() {
    let mut by_subgroups = Configuration::from(Algorithm::StockhamR16);
    by_subgroups.set("means-in-subgroups", Some(Value::Flag(true))).unwrap();
    let wgsl = "fn store(layer: u32, y: u32, x: u32, value: Element) {}
fn store_mean(level: u32, layer: u32, y: u32, x: u32, mean: Element) {}
";
    let store = StoreHook::new("means", wgsl, Vec::new()).taking_means(2);
    // The lines of a workgroup, the levels that it makes, and the subgroup that this takes.
    for (lines, levels, subgroup) in [(2, 1, 4), (4, 2, 16), (8, 2, 32), (16, 2, 64)] {
        by_subgroups.set("column-lines", Some(Value::Integer(lines))).unwrap();
        // An invocation has as many values as the radix. With two, several invocations have the same sum.
        for (radix, height) in [(2, 16), (4, 8), (8, 64), (8, 512), (16, 256)] {
            by_subgroups.set("column-radix", Some(Value::Integer(radix))).unwrap();
            for (min_subgroup_size, &layout) in [0, subgroup / 2, subgroup]
                .iter()
                .flat_map(|size| Layout::ALL.iter().map(|l| (*size, l)))
            {
                let device = Capabilities { min_subgroup_size, ..adapter_like() };
                let task = Descriptor::image([64, height]).by(by_subgroups);
                let task = Descriptor { batch: 2, layout, store: Some(store.clone()), ..task };
                let program = program(&task, &device).unwrap();
                assert_eq!(program.means, levels);
                let kernel = &program.kernels[1];
                validate(&format!("{task:?}"), &kernel.wgsl);
                let shuffles = kernel.wgsl.contains("sum_of_one(");
                let lanes = kernel.workgroup_size / lines;
                let expected = min_subgroup_size == subgroup && lanes >= 1 << levels;
                assert_eq!(shuffles, expected, "{lines} lines of {height}, {lanes} lanes");
                let needed = program.requirements().features;
                assert_eq!(needed.contains(wgpu::Features::SUBGROUP), expected);
            }
        }
    }
}

/// Both axes in one dispatch, with what they exchange in one array or two.
#[test]
fn kernels_of_both_axes_are_valid() {
    let device = Capabilities { coherent_storage: true, shader_f16: true, ..adapter_like() };
    let mut both = Configuration::StockhamR16(RegisterTiledParameters {
        one_dispatch: Some(true),
        ..Default::default()
    });
    for (bits, twiddles, padding) in
        [(1, "table", 8), (4, "computed", 8), (5, "texture", 8), (6, "powers", 16), (9, "table", 8)]
    {
        both.set("twiddles", Some(Value::Choice(twiddles))).unwrap();
        both.set("row-padding", Some(Value::Integer(8))).unwrap();
        both.set("column-padding", Some(Value::Integer(padding))).unwrap();
        for &layout in Layout::ALL {
            for &placement in Placement::ALL {
                for precision in [Precision::F32, Precision::F16] {
                    let task = Descriptor::image([1 << bits; 2]).by(both);
                    let task = Descriptor { layout, placement, precision, batch: 3, ..task };
                    let program = program(&task, &device).unwrap();
                    let [kernel] = &program.kernels[..] else { panic!("one kernel") };
                    validate(&format!("{task:?}"), &kernel.wgsl);
                    assert_bound(kernel);
                    let are_two = kernel.wgsl.contains("> column_exchange:");
                    assert_eq!(are_two, padding == 16, "{}", kernel.wgsl);
                    assert!(kernel.workgroup_bytes <= device.max_workgroup_storage_bytes);
                }
            }
        }
    }
}

/// Checks that the kernel's list of bindings is that of its text.
fn assert_bound(kernel: &Kernel) {
    let declared = kernel.wgsl.split("@group(0) @binding(").skip(1);
    let number = |text: &str| text.split(')').next().and_then(|number| number.parse().ok());
    let mut declared: Vec<u32> = declared.map(|text| number(text).unwrap()).collect();
    let mut bound: Vec<_> = kernel.bindings.iter().map(|(number, _)| *number).collect();
    bound.sort_unstable();
    declared.sort_unstable();
    assert_eq!(declared, bound, "{}", kernel.wgsl);
}

/// The joined kernel calls each hook in its half, and transforms the columns of all layers of its rows.
#[test]
fn hooks_join_kernels_of_both_axes() {
    let device = Capabilities { coherent_storage: true, min_subgroup_size: 32, ..adapter_like() };
    let wgsl = "@group(2) @binding(0) var<storage, read_write> load_count: array<Element>;\n\
        fn load_prepared(x: u32) -> u32 {\n    return x;\n}\n\
        fn store(layer: u32, y: u32, x: u32, value: Element) {\n    load_count[load_prepared(x)] = value;\n}\n\
        fn store_mean(level: u32, layer: u32, y: u32, x: u32, mean: Element) {\n    load_count[x] = mean;\n}\n";
    let store = StoreHook::new("to means", wgsl, Vec::new()).taking_means(2);
    use Placement::{InPlace, OutOfPlace};
    let of_store = ["passed[", "column_last =", "LAYERS_IN_TURN: u32 = 1u;"];
    for (placement, load, store, calls) in [
        (
            OutOfPlace,
            Some(load_hook()),
            None,
            ["= load_value(", "column_store_value(", "< LAYERS_IN_TURN;"],
        ),
        (OutOfPlace, None, Some(store_hook()), of_store),
        (InPlace, None, Some(store_hook()), of_store),
        (
            OutOfPlace,
            Some(preparing_hook()),
            Some(store),
            ["prepare_value(", "column_load_count[", "TURN: u32 = 2u;"],
        ),
    ] {
        let mut both = Configuration::from(Algorithm::StockhamR8);
        both.set("one-dispatch", Some(Value::Flag(true))).unwrap();
        both.set("means-in-subgroups", Some(Value::Flag(true))).unwrap();
        let task = Descriptor {
            size: [512; 2],
            batch: 4,
            layout: Layout::Pair,
            placement,
            load,
            store,
            ..Default::default()
        };
        let program = program(&task.by(both), &device).unwrap();
        let [kernel] = &program.kernels[..] else { panic!("one kernel") };
        validate("both", &kernel.wgsl);
        assert!(calls.iter().all(|call| kernel.wgsl.contains(call)), "{calls:?}: {}", kernel.wgsl);
        assert_bound(kernel);
        assert_eq!(program.means, if kernel.hooks.len() == 2 { 2 } else { 0 });
        assert_eq!(kernel.wgsl.contains("sum_of_one("), program.means > 0);
    }
}

/// Kernels for lines that do not fill workgroups, stages with idle invocations, convolutions, and lines in
/// several passes, as generated for lengths that are no powers of two.
#[test]
fn kernels_for_ragged_and_for_prime_lengths_are_valid() {
    let mut seen = std::collections::HashSet::new();
    let webgpu = Capabilities::webgpu_defaults();
    for (size, algorithms) in [
        ([15, 7], &[Algorithm::MixedRadix, Algorithm::FourStep, Algorithm::Bluestein][..]),
        ([1000, 11], &[Algorithm::MixedRadix, Algorithm::FourStep]),
        ([169, 3], &[Algorithm::MixedRadix]),
        ([17, 101], &[Algorithm::Bluestein, Algorithm::Rader]),
        ([1009, 2], &[Algorithm::Bluestein, Algorithm::Rader]),
        ([4099, 5], &[Algorithm::Bluestein, Algorithm::Rader]),
        ([7, 3001], &[Algorithm::Rader]),
        ([243, 81], &[Algorithm::TwistedR3]),
        ([3, 3], &[Algorithm::TwistedR3]),
        ([15_000, 3], &[Algorithm::FourStep]),
    ] {
        for &algorithm in algorithms {
            for &layout in Layout::ALL {
                for &placement in Placement::ALL {
                    let descriptor =
                        Descriptor { size, layout, placement, batch: 3, ..Default::default() };
                    let descriptor = descriptor.by(algorithm);
                    let program = program(&descriptor, &webgpu)
                        .unwrap_or_else(|error| panic!("{descriptor:?}: {error}"));
                    for kernel in &program.kernels {
                        if seen.insert(kernel.wgsl.clone()) {
                            validate(&format!("{descriptor:?}"), &kernel.wgsl);
                        }
                    }
                }
            }
        }
    }
}

/// Visits every algorithm in every possible layout, direction and placement at lengths from 2 to 4096.
fn for_each_plan(capabilities: &Capabilities, mut visit: impl FnMut(&Descriptor, &Program)) {
    for algorithm in Algorithm::of_powers_of_two() {
        // Their kernels are large, and differ little from one length to the next.
        let is_smooth =
            matches!(algorithm, Algorithm::MixedRadix | Algorithm::FourStep | Algorithm::Bluestein);
        for bits in (1..=12).filter(|bits| !is_smooth || bits % 4 == 2) {
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
                                ..Default::default()
                            };
                            let mut configuration = Configuration::from(algorithm);
                            let name = Value::Choice(twiddles.name());
                            configuration.set("twiddles", Some(name)).unwrap();
                            let descriptor = descriptor.by(configuration);
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

/// A table of more factors than a row of a texture has texels.
#[test]
fn a_texture_of_factors_needs_its_sides() {
    let texture = Value::Choice(Twiddles::Texture.name());
    for (algorithm, length) in
        [(Algorithm::CooleyTukeyMultipass, 1 << 20), (Algorithm::FourStep, 1_000_000)]
    {
        let mut configuration = Configuration::from(algorithm);
        configuration.set("twiddles", Some(texture)).unwrap();
        let line = Descriptor::lines(length, 1).by(configuration);
        let found = program(&line, &adapter_like()).unwrap();
        let [table] = &found.tables[..] else { panic!("one table") };
        let [width, height] = table.texture_size();
        assert_eq!((width, height), (8192, length.div_ceil(8192)));
        assert_eq!(found.requirements().limits[&Limit::TextureDimension2d], 8192);
        let small = Capabilities { max_texture_dimension_2d: 4096, ..adapter_like() };
        match program(&line, &small).unwrap_err() {
            Unsupported::Limit { limit, needed, available, .. } => {
                assert_eq!((limit, needed, available), (Limit::TextureDimension2d, 8192, 4096));
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn bytes_and_dispatches_are_those_of_the_algorithm() {
    let descriptor = |algorithm: Algorithm| {
        let size = [256, 64];
        Descriptor { size, batch: 3, layout: Layout::Pair, ..Default::default() }.by(algorithm)
    };
    // Two pairs, the second padded.
    let data = 256 * 64 * 2 * 16;
    for algorithm in Algorithm::of_powers_of_two() {
        let program = program(&descriptor(algorithm), &adapter_like()).unwrap();
        assert_eq!(program.output_bytes, data);
        let dispatches = match algorithm {
            Algorithm::CooleyTukeyMultipass => 8 + 6,
            Algorithm::GlobalR8 => 3 + 2,
            Algorithm::GlobalR16 | Algorithm::GlobalR32 => 2 + 2,
            Algorithm::Transpose | Algorithm::FourStep => 4,
            _ => 2,
        };
        assert_eq!(program.dispatches.len(), dispatches, "{algorithm}");
        assert_eq!(program.bytes_moved(), 2 * data * dispatches as u64, "{algorithm}");
        // Both stages of rows of 256 = 16 x 16 points are the same kernel.
        let kernels = if algorithm == Algorithm::GlobalR16 { 3 } else { 2.max(dispatches.min(4)) };
        assert_eq!(program.kernels.len(), kernels, "{algorithm}");
    }
}

#[test]
fn each_axis_of_1024_fits_webgpu_in_every_layout() {
    for algorithm in Algorithm::of_powers_of_two() {
        for &layout in Layout::ALL {
            let size = [1024, 1024];
            let descriptor = Descriptor { size, layout, ..Default::default() }.by(algorithm);
            program(&descriptor, &Capabilities::webgpu_defaults()).unwrap();
        }
    }
}

#[test]
fn adjacent_columns_fill_a_cache_line_where_they_fit() {
    let columns = |size: u32, layout, capabilities: &Capabilities| {
        let size = [size, size];
        let descriptor = Descriptor { size, layout, ..Default::default() };
        let descriptor = descriptor.by(Algorithm::StockhamR4);
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
fn errors_name_the_limit_the_need_and_the_offer() {
    let webgpu = Capabilities::webgpu_defaults();
    let error = |descriptor: Descriptor, capabilities: &Capabilities| {
        program(&descriptor, capabilities).unwrap_err().to_string()
    };
    let descriptor = Descriptor { layout: Layout::Pair, ..Default::default() };
    let descriptor = descriptor.by(Algorithm::StockhamR4);
    let with = |algorithm: Algorithm, parameter, value| {
        let mut configuration = Configuration::from(algorithm);
        configuration.set(parameter, Some(Value::Integer(value))).unwrap();
        configuration
    };
    let square = |length| Descriptor { size: [length, length], ..descriptor.clone() };

    assert_eq!(
        error(square(2048), &webgpu),
        "stockham-r4: a workgroup with 1 row(s) of 2048 points needs 32768 bytes, and this \
         device's maxComputeWorkgroupStorageSize is 16384: fewer lines in a workgroup take \
         less, and four-step takes longer lines"
    );
    assert_eq!(
        error(square(4096), &webgpu),
        "an image of 4096 x 4096 points needs 268435456 bytes, and this \
         device's maxStorageBufferBindingSize is 134217728: a smaller batch or size takes less"
    );
    let one = with(Algorithm::StockhamR2, "row-butterflies", 1);
    assert_eq!(
        error(square(1024).by(one), &webgpu),
        "stockham-r2: a workgroup with 1 row(s) of 1024 points needs 512 invocations, and this \
         device's maxComputeInvocationsPerWorkgroup is 256: fewer lines in a workgroup take \
         less, and four-step takes longer lines"
    );
    assert_eq!(
        error(
            Descriptor { size: [2, 2], batch: 1 << 18, ..descriptor.clone() }
                .by(Algorithm::StockhamR2),
            &webgpu
        ),
        "stockham-r2: a dispatch of 1 workgroups for each of 131072 layers needs 131072 \
         workgroups along one dimension, and this device's maxComputeWorkgroupsPerDimension is \
         65535: a smaller batch takes less"
    );
    assert_eq!(
        error(Descriptor { size: [16, 12], ..descriptor.clone() }, &webgpu),
        "stockham-r4 takes lengths that are powers of two of at least 2, and the column length \
         is 12: mixed-radix, four-step and bluestein take others"
    );
    assert_eq!(
        error(Descriptor { size: [10_000, 10], ..Default::default() }.by(Algorithm::Dft), &webgpu),
        "dft takes lengths up to 8192, and the row length is 10000: four-step takes longer ones that are \
         products of 2, 3, 5, 7, 11 and 13"
    );
    assert_eq!(
        error(Descriptor { size: [16, 0], ..Default::default() }, &webgpu),
        "an FFT of 16 x 0 points in a batch of 1 is empty: all must be at least 1"
    );
    let column = with(Algorithm::StockhamR4, "column-lines", 32);
    assert_eq!(
        error(square(16).by(column), &webgpu),
        "stockham-r4: column-lines is 32, which must be a power of two from 1 to 16"
    );
    let wide = RegisterTiledParameters {
        row: RegisterTiledLine { padding: Some(3), ..Default::default() },
        ..Default::default()
    };
    assert_eq!(
        error(square(512).by(Configuration::StockhamR8(wide)), &webgpu),
        "stockham-r8: row-padding is 3, which must be 0, or a power of two up to 1024"
    );
    let radix = with(Algorithm::StockhamR8, "row-radix", 32);
    assert_eq!(
        error(square(512).by(radix), &webgpu),
        "stockham-r8: row-radix is 32, which must be a power of two from 1 to 8"
    );
    // Problems that only some algorithms solve, with their descriptions.
    for (descriptor, what) in [
        (Descriptor { precision: Precision::F64, ..square(16) }, "64-bit floats"),
        (Descriptor { kind: Kind::Dct2, ..square(16) }, "real data by cosines"),
        (Descriptor { kind: Kind::Real, ..square(16) }, "real data"),
        (Descriptor { depth: 4, ..square(16) }, "volumes (a depth other than 1)"),
    ] {
        let expected = format!("stockham-r4 does not transform {what}: ");
        let descriptor = Descriptor { layout: Layout::Planar, ..descriptor };
        let found = error(descriptor.by(Algorithm::StockhamR4), &webgpu);
        assert!(found.starts_with(&expected), "{found}");
    }
}

/// `algorithm` with a separate value for each parameter whose number is given.
fn random_configuration(algorithm: Algorithm, numbers: &[Option<u32>]) -> Configuration {
    let mut configuration = Configuration::from(algorithm);
    for (parameter, number) in algorithm.parameters().iter().zip(numbers) {
        let Some(number) = number else { continue };
        let values = parameter.kind.values();
        let value = values[*number as usize % values.len()];
        configuration.set(parameter.name, Some(value)).unwrap();
    }
    configuration
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
        choices in proptest::collection::vec(
            proptest::option::of(proptest::prelude::any::<u32>()), 16),
        invocations in 1_u32..2000,
        workgroups in 1_u32..100_000,
    ) {
        let descriptor = Descriptor {
            size: if exact { powers.map(|power| 1 << power) } else { size },
            batch: batch >> shift,
            axes: Axes::ALL[axes],
            layout: Layout::ALL[layout],
            ..Default::default()
        }
        .by(random_configuration(Algorithm::ALL[choice], &choices));
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

#[test]
fn a_complete_configuration_builds_the_same_program() {
    for algorithm in Algorithm::of_powers_of_two() {
        for hooks in [false, true] {
            let mut descriptor = Descriptor {
                size: [256, 64],
                batch: 4,
                layout: Layout::Pair,
                ..Default::default()
            };
            if hooks {
                (descriptor.load, descriptor.store) = (Some(load_hook()), Some(store_hook()));
            }
            let capabilities = adapter_like();
            let by_itself = program(&descriptor.clone().by(algorithm), &capabilities).unwrap();
            let complete = by_itself.configuration.unwrap();
            let again = program(&descriptor.clone().by(complete), &capabilities).unwrap();
            assert_eq!(again, by_itself, "{algorithm}");
            assert_eq!(again.requirements().missing(&capabilities), None);
            // Parameters that differ from step to step have no common value.
            if algorithm != Algorithm::FourStep {
                assert_eq!(complete.given().len(), algorithm.parameters().len(), "{algorithm}");
            }
        }
    }
}

#[test]
fn configurations_round_trip_and_refuse_unknown_parameters() {
    let mut configuration = Configuration::from(Algorithm::StockhamR16);
    configuration.set("column-radix", Some(Value::Integer(16))).unwrap();
    configuration.set("tiles", Some(Value::Flag(true))).unwrap();
    let text = serde_json::to_string(&configuration).unwrap();
    assert_eq!(
        text,
        r#"{"algorithm":"stockham-r16","parameters":{"tiles":true,"row":{},"column":{"radix":16}}}"#
    );
    assert_eq!(serde_json::from_str::<Configuration>(&text).unwrap(), configuration);
    let wrong = text.replace("tiles", "ping_pong");
    let error = serde_json::from_str::<Configuration>(&wrong).unwrap_err().to_string();
    assert!(error.contains("unknown field `ping_pong`") && error.contains("tiles"), "{error}");
    let error = configuration.set("ping-pong", None).unwrap_err().to_string();
    assert!(error.contains("stockham-r16 has no parameter ping-pong: it has twiddles"), "{error}");
}

fn load_hook() -> LoadHook {
    LoadHook::new(
        "from nothing",
        "fn load(layer: u32, y: u32, x: u32) -> Element {\n    return Element(f32(layer + y + x));\n}\n",
        Vec::new(),
    )
}

fn preparing_hook() -> LoadHook {
    let wgsl = "alias Prepared = vec2<f32>;\nfn prepare(group: u32, y: u32, x: u32) -> Prepared {\n    return vec2<f32>(vec2(group + y, x));\n}\nfn load_prepared(prepared: Prepared, layer: u32, y: u32, x: u32) -> Element {\n    return Element(prepared.x * f32(layer + y + x));\n}\n";
    LoadHook::preparing(2, "of two", wgsl, Vec::new())
}

fn store_hook() -> StoreHook {
    let wgsl = "var<private> last: Element;\nfn store(layer: u32, y: u32, x: u32, value: Element) {\n    last = value * f32(layer + y + x);\n}\n";
    StoreHook::new("to nowhere", wgsl, Vec::new())
}

/// The error names the view if the data would fit, and no algorithm if none was named.
#[test]
fn views_that_reach_too_far_are_blamed_by_name() {
    let webgpu = Capabilities::webgpu_defaults();
    let error = |descriptor: &Descriptor| program(descriptor, &webgpu).unwrap_err().to_string();
    let plain = Descriptor { size: [60, 64], batch: 2, ..Default::default() };
    let dense = View::dense([60, 64, 1]);
    for view in [
        View { offset: u32::MAX, ..dense },
        View { strides: [1, u32::MAX, 0, 3840], ..dense },
        View { strides: [1, 60, 0, 1 << 24], ..dense },
        View { strides: [u32::MAX; 4], ..dense },
    ] {
        let input = Descriptor { input: Some(view), ..plain.clone() };
        let output = Descriptor { output: Some(view), ..plain.clone() };
        let cases = [(input, "input"), (output, "output")];
        // With the last, values of an output would share a place.
        for (descriptor, side) in &cases[..if view.strides[0] == 1 { 2 } else { 1 }] {
            let found = error(descriptor);
            assert!(found.starts_with(&format!("the view of the {side} needs ")), "{found}");
            let given = format!("offset of {} and its strides of {:?}", view.offset, view.strides);
            assert!(found.contains(&given), "{found}");
            assert!(found.contains("maxStorageBufferBindingSize is 134217728"), "{found}");
            assert!(found.contains("make them smaller"), "{found}");
            let refused = program(descriptor, &webgpu).unwrap_err();
            assert!(matches!(refused, Unsupported::ViewBytes { .. }), "{refused:?}");
        }
    }
    // Whatever its length, data that is too large is to blame itself.
    for size in [[1 << 25, 1], [(1 << 25) - 39, 1], [5000, 5001], [u32::MAX, u32::MAX]] {
        let found = error(&Descriptor { size, ..Default::default() });
        let [width, height] = size;
        let expected = format!("an image of {width} x {height} points needs ");
        assert!(found.starts_with(&expected) && found.contains("a smaller"), "{found}");
    }
    let many = error(&Descriptor { size: [1000, 3], batch: 1 << 20, ..Default::default() });
    assert!(many.starts_with("a batch of 1048576 images of 1000 x 3 points needs "), "{many}");
}

/// The check needs no compiler, so it works in a browser, too.
#[test]
fn hooks_that_kernels_cannot_call_show_the_signature() {
    let refused = |load: Option<LoadHook>, store: Option<StoreHook>| {
        let descriptor = Descriptor { size: [16, 16], load, store, ..Default::default() };
        program(&descriptor, &Capabilities::webgpu_defaults()).unwrap_err()
    };
    let load = |wgsl: &str| refused(Some(LoadHook::new("mine", wgsl, Vec::new())), None);
    let preparing =
        |wgsl: &str| refused(Some(LoadHook::preparing(1, "mine", wgsl, Vec::new())), None);
    let store = |wgsl: &str| refused(None, Some(StoreHook::new("mine", wgsl, Vec::new())));
    let calls = "and kernels call `fn load(layer: u32, y: u32, x: u32) -> Element`";
    for (error, given, wanted) in [
        (load(""), "no function load", calls),
        (load("fn lode(layer: u32, y: u32, x: u32) -> Element {}"), "no function load", calls),
        (load("fn load(x: u32) -> Element {}"), "`fn load(x: u32) -> Element`", calls),
        (
            preparing("fn load() {}"),
            "no function prepare",
            "`fn prepare(group: u32, y: u32, x: u32)",
        ),
        (
            preparing("fn prepare(group: u32, y: u32, x: u32) -> Prepared {}"),
            "no function load_prepared",
            "`fn load_prepared(prepared: Prepared, layer: u32, y: u32, x: u32) -> Element`",
        ),
        (
            store("fn store(value: Element) {}"),
            "`fn store(value: Element)`",
            "`fn store(layer: u32, y: u32, x: u32, value: Element)`",
        ),
    ] {
        assert!(matches!(error, Unsupported::HookFunction { .. }), "{error:?}");
        let error = error.to_string();
        assert!(error.contains("the hook mine declares") && error.contains(given), "{error}");
        assert!(error.contains(wanted) && error.contains("declare it"), "{error}");
    }
    let open = load("\nfn load(layer: u32, y: u32, x: u32) -> Element {\n    return Element();\n");
    assert!(matches!(open, Unsupported::HookSyntax { line: 2, .. }), "{open:?}");
    assert_eq!(open.to_string(), "the hook mine, line 2: this { is never closed");
}

/// Covers hooks and 16-bit floats in every algorithm, and every choice of the planner's table or the tuner.
#[test]
fn what_hooks_halves_and_the_tuner_make_is_valid() {
    let mut seen = std::collections::HashSet::new();
    let capabilities = Capabilities { shader_f16: true, ..adapter_like() };
    let mut check = |descriptor: &Descriptor| {
        let Ok(program) = program(descriptor, &capabilities) else { return };
        for kernel in &program.kernels {
            if seen.insert(kernel.wgsl.clone()) {
                validate(&format!("{descriptor:?}"), &kernel.wgsl);
            }
        }
    };
    let preparing = preparing_hook();
    let hooks = [
        (None, None),
        (Some(load_hook()), None),
        (None, Some(store_hook())),
        (Some(preparing), Some(store_hook())),
    ];
    for (load, store) in hooks {
        for &precision in &[Precision::F32, Precision::F16] {
            for &layout in Layout::ALL {
                let hooked = load.is_some() && store.is_some();
                let task = Descriptor {
                    size: [512, 512],
                    batch: 4,
                    layout,
                    precision,
                    placement: Placement::InPlace,
                    load: load.clone(),
                    store: store.clone(),
                    ..Default::default()
                };
                for algorithm in Algorithm::of_powers_of_two() {
                    check(&task.clone().by(algorithm));
                }
                // Every value of every parameter in the tuner's space, and combinations.
                if hooked || precision == Precision::F32 {
                    let here = Configuration::from(Algorithm::StockhamR32);
                    for (index, (name, values)) in
                        here.space(&task, &capabilities).into_iter().enumerate()
                    {
                        for value in values {
                            let mut turned = here;
                            turned.set(name, Some(value)).unwrap();
                            check(&task.clone().by(turned));
                            let tiles = Value::Flag(index % 2 == 0);
                            turned.set("tiles", Some(tiles)).unwrap();
                            turned.set("row-radix", Some(Value::Integer(16))).unwrap();
                            check(&task.clone().by(turned));
                        }
                    }
                }
            }
        }
    }
    assert!(seen.len() > 300, "{}", seen.len());
}

/// Covers real data, cosine transforms and volumes, in every precision, in one pass an axis and in several.
#[test]
fn kernels_of_every_kind_are_valid_and_fit() {
    let mut seen = std::collections::HashSet::new();
    let little = Capabilities {
        max_workgroup_storage_bytes: 256,
        max_workgroup_invocations: 16,
        ..Capabilities::webgpu_defaults()
    };
    for limits in [Capabilities::webgpu_defaults(), little.clone()] {
        let capabilities = Capabilities { shader_f64: true, shader_f16: true, ..limits };
        let sizes = if limits == little { [[256, 130], [131, 66]] } else { [[12, 15], [1, 2]] };
        for &kind in Kind::ALL {
            for (number, size) in sizes.into_iter().enumerate() {
                for &precision in Precision::ALL {
                    for &placement in Placement::ALL {
                        let direction = Direction::ALL[number];
                        let axes = match kind {
                            Kind::Dct1 if size[0] == 1 => Axes::Columns,
                            _ => Axes::Both,
                        };
                        let descriptor = Descriptor {
                            size,
                            depth: 1 + number as u32,
                            batch: 2,
                            kind,
                            direction,
                            axes,
                            precision,
                            placement,
                            normalization: Normalization::Ortho,
                            ..Default::default()
                        };
                        let program = match program(&descriptor, &capabilities) {
                            Ok(program) => program,
                            // Convolutions in several passes round too often.
                            Err(Unsupported::Rounding { .. }) => continue,
                            Err(error) => panic!("{descriptor:?}: {error}"),
                        };
                        assert_eq!(program.requirements().missing(&capabilities), None);
                        for kernel in &program.kernels {
                            if seen.insert(kernel.wgsl.clone()) {
                                validate(&format!("{descriptor:?}"), &kernel.wgsl);
                                let declared = workgroup_bytes(&kernel.wgsl);
                                assert_eq!(declared, kernel.workgroup_bytes, "{descriptor:?}");
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Covers every algorithm with 64-bit floats, which must use no floats of 32 bits.
#[test]
fn kernels_of_64_bit_floats_are_valid_and_fit() {
    let mut seen = std::collections::HashSet::new();
    for limits in [Capabilities::webgpu_defaults(), adapter_like()] {
        let capabilities = Capabilities { shader_f64: true, ..limits };
        let mut check = |descriptor: &Descriptor| {
            let program = program(descriptor, &capabilities).unwrap();
            assert_eq!(program.requirements().missing(&capabilities), None);
            assert!(program.requirements().features.contains(wgpu::Features::SHADER_F64));
            for kernel in &program.kernels {
                assert!(kernel.workgroup_bytes <= capabilities.max_workgroup_storage_bytes);
                if !seen.insert(kernel.wgsl.clone()) {
                    continue;
                }
                validate(&format!("{descriptor:?}"), &kernel.wgsl);
                for line in kernel.wgsl.lines() {
                    let code = line.split("//").next().unwrap_or_default();
                    assert!(!code.contains("f32") && !code.contains("f16"), "{line}");
                }
                // The declared bytes must equal the counted ones.
                let declared = workgroup_bytes(&kernel.wgsl);
                assert_eq!(declared, kernel.workgroup_bytes, "{descriptor:?}");
            }
        };
        for (algorithm, size) in [
            (Algorithm::MixedRadix, [1000, 64]),
            (Algorithm::FourStep, [4096, 60]),
            (Algorithm::Bluestein, [2039, 12]),
            (Algorithm::Bluestein, [7, 37]),
            (Algorithm::Rader, [2039, 17]),
        ] {
            for &layout in Layout::ALL {
                for (number, twiddles) in ["table", "powers"].into_iter().enumerate() {
                    let mut configuration = Configuration::from(algorithm);
                    configuration.set("twiddles", Some(Value::Choice(twiddles))).unwrap();
                    let hooks = number == 0;
                    let real = |wgsl: &str| wgsl.replace("f32(", "Real(");
                    let load = LoadHook::new("load", real(load_hook().wgsl()), Vec::new());
                    let store = StoreHook::new("store", real(store_hook().wgsl()), Vec::new());
                    check(
                        &Descriptor {
                            size,
                            batch: 3,
                            layout,
                            precision: Precision::F64,
                            direction: Direction::ALL[number],
                            placement: Placement::ALL[number],
                            normalization: Normalization::Ortho,
                            load: hooks.then_some(load),
                            store: hooks.then_some(store),
                            ..Default::default()
                        }
                        .by(configuration),
                    );
                }
            }
        }
    }
    assert!(seen.len() > 30, "{}", seen.len());
}

/// Bytes of the workgroup variables that a module declares.
fn workgroup_bytes(wgsl: &str) -> u32 {
    let module = naga::front::wgsl::parse_str(wgsl).unwrap();
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).unwrap();
    let variables = module.global_variables.iter();
    variables
        .filter(|(_, variable)| variable.space == naga::AddressSpace::WorkGroup)
        .map(|(_, variable)| layouter[variable.ty].size)
        .sum()
}

#[test]
fn each_entry_of_the_planner_runs_where_measured() {
    for (task, configuration, vendor_id) in planner::measured() {
        // A device of an unknown number of waiting workgroups has no program that waits.
        let capabilities = Capabilities {
            vendor_id,
            shader_f16: true,
            coherent_storage: true,
            waiting_workgroups: if configuration.is_of_one_dispatch() { 256 } else { 0 },
            ..adapter_like()
        };
        let task = match task.load {
            // The shape of the ocean's.
            Some(_) => Descriptor { load: Some(load_hook()), store: Some(store_hook()), ..task },
            None => task,
        };
        configuration.complete(&task, &capabilities).unwrap();
        assert_eq!(planner::choose(&task, &capabilities), Ok(configuration), "{task:?}");
    }
    // Elsewhere it goes by rule, and the rule never fails where something can run.
    let webgpu = Capabilities::webgpu_defaults();
    let algorithm = |size| {
        let descriptor = Descriptor { size, ..Default::default() };
        planner::choose(&descriptor, &webgpu).map(|chosen| chosen.algorithm())
    };
    assert_eq!(algorithm([512, 512]), Ok(Algorithm::StockhamR8));
    assert_eq!(algorithm([8192, 4]), Ok(Algorithm::FourStep));
    assert_eq!(algorithm([48, 48]), Ok(Algorithm::MixedRadix));
    assert_eq!(algorithm([1, 1]), Ok(Algorithm::MixedRadix));
    assert_eq!(algorithm([1, 512]), Ok(Algorithm::MixedRadix));
    assert_eq!(algorithm([1080, 1920]), Ok(Algorithm::MixedRadix));
    assert_eq!(algorithm([1000, 1009]), Ok(Algorithm::Bluestein));
    // Primes p with a smooth p - 1 go by Rader's algorithm where it takes one pass and Bluestein's three.
    assert_eq!(algorithm([4001, 2]), Ok(Algorithm::Rader));
    assert_eq!(algorithm([4116, 4001]), Ok(Algorithm::Rader));
    assert_eq!(algorithm([4001, 47]), Ok(Algorithm::Bluestein));
    assert_eq!(algorithm([8192, 1009]), Ok(Algorithm::Bluestein));
    let planned = |descriptor: Descriptor| {
        planner::choose(&descriptor, &webgpu).map(|chosen| chosen.algorithm())
    };
    assert_eq!(planned(Descriptor::volume([4001, 1, 1])), Ok(Algorithm::Rader));
    assert_eq!(planned(Descriptor::image([4001, 2]).real()), Ok(Algorithm::Bluestein));
    assert_eq!(algorithm([4099, 1]), Ok(Algorithm::Bluestein));
    assert_eq!(algorithm([15_000, 5]), Ok(Algorithm::FourStep));
    assert_eq!(algorithm([1 << 22, 1]), Ok(Algorithm::FourStep));
    assert_eq!(algorithm([1, 65_537]), Ok(Algorithm::Bluestein));
    assert!(
        algorithm([8192, 8192]).unwrap_err().to_string().contains("maxStorageBufferBindingSize")
    );
}

#[test]
fn a_program_says_what_to_ask_an_adapter_for() {
    let webgpu = Capabilities::webgpu_defaults();
    for (size, placement) in [(1024, Placement::InPlace), (4096, Placement::OutOfPlace)] {
        for algorithm in [None, Some(Algorithm::StockhamR4), Some(Algorithm::Transpose)] {
            let task = Descriptor {
                size: [size; 2],
                batch: 4,
                layout: Layout::Pair,
                placement,
                algorithm: algorithm.map(Configuration::from),
                ..Default::default()
            };
            let requirements = requirements(&task, &webgpu).unwrap();
            let limits = requirements.raise(wgpu::Limits::default());
            let asked = Capabilities::from_parts(requirements.features, &limits);
            program(&task, &asked).unwrap();
            let has_too_little = program(&task, &webgpu).is_err();
            assert_eq!(requirements.missing(&webgpu).is_some(), has_too_little, "{task:?}");
        }
    }
}

/// Adapters have more memory than the default; many lack more invocations in a workgroup.
#[test]
fn large_problems_ask_for_memory_before_anything_else() {
    let webgpu = Capabilities::webgpu_defaults();
    for size in [[8192, 8192], [16384, 4096], [32768, 1024], [1 << 20, 64]] {
        let task = Descriptor { size, ..Default::default() };
        let limits = requirements(&task, &webgpu).unwrap().limits;
        for limit in [Limit::WorkgroupInvocations, Limit::WorkgroupStorage] {
            let needed = limits.get(&limit).copied().unwrap_or(0);
            assert!(needed <= limit.of(&webgpu), "{size:?}: {limit} of {needed}");
        }
        assert!(limits[&Limit::StorageBinding] > Limit::StorageBinding.of(&webgpu));
    }
}

/// The error names the missing compute shaders.
#[test]
fn a_device_with_limits_of_zero_is_refused() {
    let limits = wgpu::Limits::downlevel_webgl2_defaults();
    let webgl2 = Capabilities::from_parts(wgpu::Features::empty(), &limits);
    let algorithms = Algorithm::of_powers_of_two().map(|algorithm| Some(algorithm.into()));
    for algorithm in algorithms.chain([None]) {
        let task = Descriptor { size: [64, 64], algorithm, ..Default::default() };
        let error = program(&task, &webgl2).unwrap_err();
        assert!(matches!(error, Unsupported::Limit { .. }), "{algorithm:?}: {error}");
        let missing = requirements(&task, &webgl2).unwrap();
        assert!(missing.missing(&webgl2).is_some(), "{algorithm:?}");
    }
}

/// The algorithms whose stages may leave their results in images.
const IN_IMAGES: [Algorithm; 5] = [
    Algorithm::CooleyTukeyMultipass,
    Algorithm::CooleyTukey,
    Algorithm::CooleyTukeyNatural,
    Algorithm::StockhamR2,
    Algorithm::StockhamR4,
];

fn in_images(algorithm: Algorithm, descriptor: Descriptor) -> Descriptor {
    let mut configuration = Configuration::from(algorithm);
    configuration.set("ping-pong", Some(Value::Choice("image"))).unwrap();
    descriptor.by(configuration)
}

#[test]
fn programs_with_images_read_what_was_written() {
    let adapter = Capabilities { read_write_textures: true, ..adapter_like() };
    for algorithm in IN_IMAGES {
        for &layout in Layout::ALL {
            for &placement in Placement::ALL {
                let descriptor =
                    Descriptor { size: [32, 8], layout, placement, batch: 3, ..Default::default() };
                let descriptor = in_images(algorithm, descriptor);
                let program = program(&descriptor, &adapter).unwrap();
                let image = program.images[0];
                assert_eq!((image.size, image.layout), ([32, 8], layout));
                assert_eq!(image.bytes(), program.output_bytes);
                let mut written = Vec::new();
                for dispatch in &program.dispatches {
                    let kernel = &program.kernels[dispatch.kernel];
                    for ((_, access), role) in kernel.bindings.iter().zip(&dispatch.roles) {
                        match access {
                            Access::TextureLoad => assert_eq!(written.last(), Some(role)),
                            Access::TextureStore(of) => {
                                assert!(*of == layout && written.last() != Some(role));
                                written.push(*role);
                            }
                            _ => {}
                        }
                    }
                }
                let is_multipass = algorithm == Algorithm::CooleyTukeyMultipass;
                // All of the 5 and 3 stages but the last store to an image.
                assert_eq!(written.len(), if is_multipass { 7 } else { 0 });
                for kernel in &program.kernels {
                    validate(&format!("{descriptor:?}"), &kernel.wgsl);
                }
                program.check(&adapter).unwrap();
                let requirements = program.requirements();
                assert_eq!(requirements.limits[&Limit::TextureDimension2d], 32);
                let wanted = wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES;
                assert_eq!(requirements.features.contains(wanted), !is_multipass);
            }
        }
    }
}

#[test]
fn devices_without_such_images_are_refused_by_name() {
    let webgpu = Capabilities::webgpu_defaults();
    let refused = |algorithm, size, batch| {
        let descriptor = Descriptor { size, batch, ..Default::default() };
        program(&in_images(algorithm, descriptor), &webgpu).unwrap_err()
    };
    for algorithm in &IN_IMAGES[1..] {
        let error = refused(*algorithm, [64, 64], 1);
        assert_eq!(error, Unsupported::ReadWriteTexture { algorithm: algorithm.to_string() });
        assert!(error.to_string().contains("cooley-tukey-multipass has"), "{error}");
    }
    let each = IN_IMAGES[0];
    program(&in_images(each, Descriptor::default()), &webgpu).unwrap();
    let error = refused(each, [16_384, 2], 1).to_string();
    assert!(error.contains("maxTextureDimension2D is 8192: ping-pong storage"), "{error}");
    let error = refused(each, [2, 2], 257).to_string();
    assert!(
        error.contains("257 layers, and this device's maxTextureArrayLayers is 256"),
        "{error}"
    );
    let error = refused(Algorithm::SplitRadix, [64, 64], 1).to_string();
    assert!(error.contains("ping-pong is image, which must be workgroup"), "{error}");

    // A changed program is judged by its own texts.
    let adapter = Capabilities { read_write_textures: true, ..webgpu.clone() };
    let whole = in_images(Algorithm::StockhamR2, Descriptor::default());
    let program = program(&whole, &adapter).unwrap();
    let refused =
        |program: &Program, capabilities| program.check(capabilities).unwrap_err().to_string();
    let error = refused(&program, &webgpu);
    assert!(error.contains("reads and writes one texture"), "{error}");
    let without = Program { images: Vec::new(), ..program.clone() };
    let error = refused(&without, &adapter);
    assert!(error.contains("binds Image(0), which is empty"), "{error}");
    let other = Image { layout: Layout::Pair, ..program.images[0] };
    let error = refused(&Program { images: vec![other; 2], ..program }, &adapter);
    assert!(error.contains("binds other resources"), "{error}");
}
