//! Tests of descriptions and texts, and of the page on a native device.

use seaway_core::testing::context;
use serde_json::{Value as Json, json};

use super::languages::{self, Language};
use super::sheet::{Binding, Contents};
use super::{Sheet, hooked, page};
use crate::choice::Choice as _;
use crate::fft::lab::{self, Algorithm, Configuration, Program, Twiddles, Value};
use crate::fft::{Descriptor, Kind, Layout, LoadHook};
use crate::gpu::{Capabilities, Context};

/// Every kernel of every algorithm, in one small and one usual size.
fn kernels() -> Vec<(Descriptor, Program)> {
    let mut programs = Vec::new();
    for &algorithm in Algorithm::ALL {
        for size in [[4; 2], [256; 2], [27, 81], [60, 17], [1, 1 << 16]] {
            for &layout in Layout::ALL {
                let descriptor = Descriptor { size, layout, ..Default::default() }.by(algorithm);
                if let Ok(program) = lab::program(&descriptor, &Capabilities::webgpu_defaults()) {
                    programs.push((descriptor, program));
                }
            }
        }
        // With the stages in images, where the algorithm has that.
        let mut configuration = Configuration::from(algorithm);
        let with_images =
            Capabilities { read_write_textures: true, ..Capabilities::webgpu_defaults() };
        if configuration.set("ping-pong", Some(Value::Choice("image"))).is_ok() {
            for &layout in Layout::ALL {
                let descriptor = Descriptor { size: [16; 2], layout, ..Default::default() };
                let descriptor = descriptor.by(configuration);
                // Some have no other memory.
                if let Ok(program) = lab::program(&descriptor, &with_images) {
                    programs.push((descriptor, program));
                }
            }
        }
    }
    let images = programs.iter().filter(|(_, program)| !program.images.is_empty());
    assert_eq!(images.count(), 10);
    programs.push(in_texture([64, 1 << 14]));
    programs
}

/// A transform whose twiddle factors come from a texture.
fn in_texture(size: [u32; 2]) -> (Descriptor, Program) {
    let mut configuration = Configuration::from(Algorithm::CooleyTukeyMultipass);
    let texture = Value::Choice(Twiddles::Texture.name());
    configuration.set("twiddles", Some(texture)).unwrap();
    let descriptor = Descriptor::image(size).by(configuration);
    let program = lab::program(&descriptor, &Capabilities::webgpu_defaults()).unwrap();
    (descriptor, program)
}

#[test]
fn a_table_in_a_texture_is_written_by_the_host() {
    let (descriptor, program) = in_texture([64, 1 << 14]);
    let Sheet { host, .. } = Sheet::new(&descriptor, &program);
    // Its rows are full.
    let written = "table0: texels([8192, 2], roots(16384, 16384, -1))";
    assert!(host.contains(written) && host.contains("function texels"), "{host}");
    assert!(host.contains("[2, { texture: { sampleType: \"unfilterable-float\""), "{host}");
}

#[test]
fn every_kernel_translates_to_every_language() {
    for (descriptor, program) in kernels() {
        let sheet = Sheet::new(&descriptor, &program);
        for (index, kernel) in sheet.kernels.iter().enumerate() {
            for lang in Language::TEXTS {
                let text = languages::text(kernel, lang)
                    .unwrap_or_else(|error| panic!("{} {lang:?}: {error}", kernel.label));
                assert!(text.contains("main"), "{} {lang:?}", kernel.label);
                assert!(!text.contains("fake"), "{} {lang:?}: unbound", kernel.label);
            }
            let header = sheet.header(index);
            for Binding { binding, .. } in &kernel.bindings {
                assert!(header.contains(&format!("\n//   {binding}: ")), "{header}");
            }
            assert!(header.contains("This kernel works on "), "{header}");
        }
    }
}

#[test]
fn wgsl_and_spirv_survive_a_round_trip() {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    for (descriptor, program) in kernels() {
        let sheet = Sheet::new(&descriptor, &program);
        for (index, kernel) in sheet.kernels.iter().enumerate() {
            let words = languages::spirv(kernel).unwrap();
            let bytes: &[u8] = bytemuck::cast_slice(&words);
            let read = naga::front::spv::parse_u8_slice(bytes, &Default::default())
                .unwrap_or_else(|error| panic!("{}: {error}", kernel.label));
            let text = sheet.text(index, Language::Wgsl).unwrap();
            let written = naga::front::wgsl::parse_str(&text).unwrap();
            for module in [read, written] {
                Validator::new(ValidationFlags::all(), Capabilities::empty())
                    .validate(&module)
                    .unwrap_or_else(|error| panic!("{}: {error:?}", kernel.label));
                let [entry] = &module.entry_points[..] else { panic!("one entry point") };
                assert_eq!(entry.workgroup_size, [kernel.workgroup_size, 1, 1]);
            }
        }
    }
}

#[test]
fn one_dispatch_is_described_as_rows_then_columns() {
    let mut configuration = Configuration::from(Algorithm::StockhamR8);
    configuration.set("one-dispatch", Some(Value::Flag(true))).unwrap();
    let descriptor = Descriptor::image([64; 2]).by(configuration);
    let webgpu = Capabilities::webgpu_defaults();
    let refused = lab::program(&descriptor, &webgpu).unwrap_err().to_string();
    assert!(refused.contains("wgpu-memory-decoration-coherent"), "{refused}");
    let program =
        lab::program(&descriptor, &Capabilities { coherent_storage: true, ..webgpu }).unwrap();
    let sheet = Sheet::new(&descriptor, &program);
    let header = sheet.header(0);
    assert!(header.contains("This kernel works on rows, then columns in "), "{header}");
    assert!(header.contains("\n//   8: storage buffer, read and written: zeros"), "{header}");
    for language in [Language::Wgsl, Language::Glsl, Language::Hlsl] {
        let text = languages::text(&sheet.kernels[0], language).unwrap();
        assert!(text.contains("coherent"), "{language:?}: {text}");
    }
}

#[test]
fn tables_are_written_as_roots_where_they_are() {
    let webgpu = Capabilities::webgpu_defaults();
    let contents = |task: Descriptor| {
        let program = lab::program(&task, &webgpu).unwrap();
        let tables = Sheet::new(&task, &program).tables.into_values();
        tables.map(|table| (table.count, table.contents)).collect::<Vec<_>>()
    };
    let table = Value::Choice(Twiddles::Table.name());
    let by = |task: Descriptor, algorithm: Algorithm| {
        let mut configuration = Configuration::from(algorithm);
        configuration.set("twiddles", Some(table)).unwrap();
        task.by(configuration)
    };
    let image = by(Descriptor::image([60, 60]), Algorithm::MixedRadix);
    let roots = |period, sign| Contents::Roots { period, sign };
    assert_eq!(contents(image.clone()), [(60, roots(60, -1))]);
    // The factors between real and complex lines are half a turn.
    assert!(contents(image.real()).contains(&(31, roots(60, -1))));
    let chirps = contents(Descriptor::image([67, 1]).by(Algorithm::Bluestein));
    let numbers = chirps.iter().find_map(|(count, contents)| match contents {
        Contents::Numbers { base64 } => Some((*count, base64.len())),
        Contents::Roots { .. } => None,
    });
    let (count, characters) = numbers.expect("a chirp");
    assert_eq!(characters, (8 * count).div_ceil(3) * 4);
}

#[test]
fn bindings_of_hooks_are_read_or_refused_with_their_line() {
    let read = |wgsl: &str| hooked::bindings("load", wgsl, LoadHook::GROUP);
    let found = read(
        "// @group(1) @binding(7) var<storage, read> no: array<f32>;
@group(1) @binding(0) var<storage, read> a: array<Element>;
@group(1)
@binding(3u)
var<storage, read_write> b: array<f32>;
var<private> c: u32;",
    );
    let numbers: Vec<_> = found.unwrap().iter().map(|entry| entry.binding).collect();
    assert_eq!(numbers, [0, 3]);
    for (wgsl, words) in [
        (
            "\n@group(2) @binding(0) var<storage> a: array<f32>;",
            "line 2: the bindings of this hook",
        ),
        ("@group(1) @binding(0) var<uniform> a: f32;", "line 1: a hook of a page binds"),
        ("#import \"fft/roots.wgsl\"", "line 1: a page has no files"),
    ] {
        let error = read(wgsl).unwrap_err();
        assert!(error.contains(words), "{error}");
    }
}

/// Describes and checks the transform of an address, as the page does.
fn checked(context: &Context, address: &Json) -> (Json, Json) {
    let said =
        pollster::block_on(page::describe(context, &address.to_string(), |_| Ok(()))).unwrap();
    let told: Json = serde_json::from_str(&said).unwrap();
    assert!(told.get("error").is_none(), "{}", told["error"]);
    let row = pollster::block_on(page::verify(
        context,
        &told["values"].to_string(),
        &told["chosen"].to_string(),
    ));
    (told, serde_json::from_str(&row.unwrap()).unwrap())
}

#[test]
fn hooks_are_checked_beside_themselves_alone() {
    let context = context();
    for (kind, layout) in [(Kind::Complex, Layout::Pair), (Kind::Real, Layout::Planar)] {
        let mut address = json!({
            "size": "12x10", "batch": "3", "kind": kind, "layout": layout, "algorithm": "mixed-radix",
        });
        let (told, row) = checked(&context, &address);
        assert!(row["median_us"].as_f64().unwrap() > 0.0, "{row}");
        [address["load"], address["store"]] =
            [told["examples"][0].clone(), told["examples"][1].clone()];
        let (told, row) = checked(&context, &address);
        let error = row["relative_l2_error"].as_f64().unwrap_or_else(|| panic!("{row}"));
        assert!(error > 0.0 && error < 4e-6, "{row}");
        // Their groups are in each text.
        let sheet: Sheet = serde_json::from_value(told["sheet"].clone()).unwrap();
        assert!(sheet.text(0, Language::Msl).unwrap().contains("[[buffer(10)]]"));
        let last = sheet.kernels.len() - 1;
        assert!(sheet.text(last, Language::Glsl).unwrap().contains("binding = 20"));
        assert!(sheet.host.contains("load0: memory("), "{}", sheet.host);
    }
    // A hook that gives other values in a kernel than alone: the check notices.
    let load = "var<private> calls: f32;
        fn load(layer: u32, y: u32, x: u32) -> Element {
            calls += 1.0;
            return Element(calls, 0.0);
        }";
    let address = json!({ "size": "64", "batch": "1", "algorithm": "stockham-r8", "load": load });
    let (_, row) = checked(&context, &address);
    assert!(row["failed"].as_str().is_some_and(|why| why.contains("relative L2 error")), "{row}");
}
