//! `seaway kernel`: what it prints compiles elsewhere. Needs spirv-val (spirv-tools) and
//! glslangValidator (glslang), which `scripts/test` installs, and fails without.

use std::fs;
use std::path::Path;
use std::process::Command;

use seaway::fft::lab::Algorithm;
use seaway_core::choice::Choice as _;
use serde_json::Value;

use crate::support::{NO_ADAPTER, folder, seaway, seaway_bytes, seaway_with};

/// Runs a compiler on `file`.
#[track_caller]
fn accepts(tool: &str, options: &str, file: &Path) {
    let output = Command::new(tool)
        .args(options.split_whitespace())
        .arg(file)
        .output()
        .unwrap_or_else(|error| panic!("{tool}: {error}; scripts/test installs it"));
    assert!(
        output.status.success(),
        "{tool} {}: {}{}",
        file.display(),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// glslang's HLSL, unlike Direct3D's, knows no cast of 0 to an array of structures, which is how
/// naga zeroes one: without it, the rest is still judged.
fn for_glslang(text: &str) -> String {
    let line = |line: &str| match line.split_once(" = (") {
        Some((variable, value)) if value.ends_with("])0;") => format!("{variable};\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn other_compilers_accept_what_is_printed() {
    let folder = folder("kernel");
    for name in Algorithm::NAMES {
        let size = match *name {
            "rader" => "61x59",
            "twisted-r3" => "27x81",
            _ => "64",
        };
        for axis in ["row", "column"] {
            let line = format!(
                "kernel --limits webgpu --algorithm {name} --size {size} --axis {axis} --kernel 1"
            );
            let file = |ending: &str| folder.join(format!("{name}-{axis}.{ending}"));
            for (lang, options) in [("glsl", "-S comp -V"), ("hlsl", "-D -S comp -e main -V")] {
                let printed = seaway(&format!("{line} --lang {lang}")).expect(0, &[]).stdout;
                assert!(printed.contains("//   1: storage buffer, read and written"), "{printed}");
                fs::write(file(lang), for_glslang(&printed)).unwrap();
                let out = file(&format!("{lang}.spv"));
                accepts(
                    "glslangValidator",
                    &format!("{options} -o {}", out.display()),
                    &file(lang),
                );
            }
            let spirv = seaway_bytes(&format!("{line} --lang spirv"));
            fs::write(file("spv"), spirv).unwrap();
            accepts("spirv-val", "--target-env vulkan1.1", &file("spv"));
        }
    }
}

#[test]
fn the_header_says_how_to_use_it() {
    let line = "kernel --limits webgpu --algorithm cooley-tukey-multipass --size 16 --axis column";
    let text = seaway(line).expect(0, &[]).stdout;
    for words in [
        "// cooley-tukey-multipass: inverse FFT of 4 complex images of 16 x 16, not scaled",
        "Mota 2022",
        "[batch][y][x] of (re, im)",
        "twiddle factors, (re, im) of exp(+2 pi i k / 16) for k in 0..16",
        "parameters [3, 0]",
        "scratch memory of 8192 bytes",
        "This kernel works on columns in ",
        "@compute",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let text = seaway(&format!("{line} --twiddles texture")).expect(0, &[]).stdout;
    let binding = "2D array texture, loaded from: twiddle factors, (re, im) of exp(+2 pi i k / 16) for k in \
                   0..16, 16 in each of 1 row(s) of rg32float";
    assert!(text.contains(binding), "{text}");
    let msl = seaway(&format!("{line} --lang msl")).expect(0, &[]).stdout;
    assert!(msl.contains("[[buffer(0)]]") && msl.contains("kernel void main_"), "{msl}");
}

#[test]
fn what_cannot_be_printed_is_said() {
    let line = "kernel --limits webgpu --algorithm cooley-tukey-multipass --size 16";
    seaway(&format!("{line} --lang spirv --axis row,column"))
        .expect_failure(2, &["choose one with --kernel"]);
    seaway(&format!("{line} --kernel 9")).expect_failure(1, &["no kernel 9"]);
    seaway("kernel --limits webgpu --algorithm stockham-r4 --size 8192")
        .expect_failure(1, &["maxStorageBufferBindingSize"]);
    // Without an adapter there are still WebGPU's guarantees to print for.
    let text = seaway_with("kernel --algorithm stockham-r4 --size 64", &NO_ADAPTER)
        .expect(0, &["WebGPU's default limits"])
        .stdout;
    assert!(text.contains("@compute"), "{text}");
}

#[test]
fn a_tuned_kernel_is_printed() {
    let line = "kernel --limits webgpu --algorithm stockham-r8 --size 256";
    let print = |options: &str| seaway(&format!("{line} {options}")).expect(0, &[]).stdout;
    let plain = print("");
    for options in ["--twiddles sin-cos", "--row-radix 4"] {
        assert!(print(options) != plain, "{options} changes nothing");
    }
    assert!(print("--row-lines 1") != print("--row-lines 4"));
    // The header tells how the columns are dispatched, too.
    let code = |text: &str| text.lines().filter(|line| !line.starts_with("//")).collect::<String>();
    assert!(code(&print("--column-radix 4")) == code(&plain), "this is the rows' kernel");
    seaway(&format!("{line} --row-lines 1024"))
        .expect_failure(1, &["row-lines is 1024", "a power of two from 1 to"]);
}

#[test]
fn kernels_for_other_kinds_and_dimensions_are_printed() {
    let line = "kernel --limits webgpu --algorithm mixed-radix";
    for (options, words) in [
        ("--size 60 --kind real --direction forward", "forward FFT of 4 real images of 60 x 60"),
        ("--size 60 --kind dct2 --dimensions 1", "inverse dct2 of 4 real lines of 60 points"),
        ("--size 12x10x7 --axis depth", "inverse FFT of 4 complex volumes of 12 x 10 x 7"),
    ] {
        let printed = seaway(&format!("{line} {options}")).expect(0, &[]).stdout;
        assert!(printed.contains(words) && printed.contains("@compute"), "{words}: {printed}");
        for lang in ["glsl", "hlsl", "msl"] {
            seaway(&format!("{line} {options} --lang {lang}")).expect(0, &[]);
        }
    }
}

#[test]
fn kernels_of_16_bits_are_printed_in_capable_languages() {
    let line = "kernel --algorithm stockham-r8 --size 64 --precision f16";
    let wgsl = seaway(line).expect(0, &[]).stdout;
    assert!(wgsl.contains("enable f16;") && wgsl.contains("16-bit floats"), "{wgsl}");
    assert!(wgsl.contains("scaled by 1 / sqrt(points)"), "{wgsl}");
    seaway(&format!("{line} --lang glsl")).expect_failure(1, &["cannot be translated to GLSL"]);
    for lang in ["hlsl", "msl"] {
        seaway(&format!("{line} --lang {lang}")).expect(0, &[]);
    }
    let folder = folder("kernel-f16");
    let file = folder.join("rows.spv");
    fs::write(&file, seaway_bytes(&format!("{line} --lang spirv"))).unwrap();
    accepts("spirv-val", "--target-env vulkan1.1", &file);
    // WebGPU guarantees no 16-bit floats.
    seaway(&format!("{line} --limits webgpu")).expect_failure(1, &["f16"]);
}

#[test]
fn a_page_holds_every_kernel_in_every_language() {
    let file = folder("kernel-html").join("page.html");
    let line = "kernel --limits webgpu --algorithm stockham-r8 --size 64 --html";
    seaway(&format!("{line} {}", file.display())).expect(0, &[]);
    let page = fs::read_to_string(&file).unwrap();
    assert_eq!(seaway(line).expect(0, &[]).stdout, page);
    let (before, data) = page.split_once("id=\"data\">").unwrap();
    let (data, after) = data.split_once("</script>").unwrap();
    // It asks no server for anything.
    for words in [" src=", "href=\"http", "import ", "fetch("] {
        assert!(!before.contains(words) && !after.contains(words), "{words}");
    }
    let sheet: Value = serde_json::from_str(data).unwrap();
    let kernels = sheet["kernels"].as_array().unwrap();
    assert_eq!(kernels.len(), 2);
    for kernel in kernels {
        for lang in ["wgsl", "glsl", "hlsl", "msl"] {
            let text = kernel["texts"][lang]["Ok"].as_str().unwrap();
            assert!(text.contains("Bindings of group 0:"), "{lang}: {text}");
        }
    }
    // The host has about forty lines besides the kernels and the check of its results.
    let host = sheet["host"].as_str().unwrap();
    let (_, rest) = host.split_once("];\nconst adapter").unwrap();
    let (rest, _) = rest.split_once("// Eight of the results").unwrap();
    assert!((35..=50).contains(&rest.lines().count()), "{rest}");
    seaway(&format!("{line} --lang glsl")).expect_failure(2, &["cannot be used with"]);
}

#[test]
fn kernels_of_additive_transforms_are_printed() {
    let folder = folder("kernel-additive");
    for name in ["wang-zhu-cantor", "gao-mateer"] {
        let line = format!("kernel --limits webgpu --algorithm {name} --size 64 --batch 3");
        let tables = folder.join(format!("{name}.bin"));
        let text = seaway(&format!("{line} --tables {}", tables.display())).expect(0, &[]).stdout;
        assert!(
            text.contains(" of 3 lines of 64 values of GF(2^16), in place")
                && text.contains("@compute")
        );
        let bytes = fs::read(&tables).unwrap();
        assert!(text.contains(&format!("read: {} integers", bytes.len() / 4)), "{text}");
        // The table of logarithms and powers begins with those of the field.
        assert!(bytes.len() >= 3 * 4 * 65_536, "{}", bytes.len());
        let file = |ending: &str| folder.join(format!("{name}.{ending}"));
        for (lang, options) in [("glsl", "-S comp -V"), ("hlsl", "-D -S comp -e main -V")] {
            let printed = seaway(&format!("{line} --lang {lang}")).expect(0, &[]).stdout;
            fs::write(file(lang), for_glslang(&printed)).unwrap();
            let out = file(&format!("{lang}.spv"));
            accepts("glslangValidator", &format!("{options} -o {}", out.display()), &file(lang));
        }
        let msl = seaway(&format!("{line} --lang msl")).expect(0, &[]).stdout;
        assert!(msl.contains("kernel void main_") && msl.contains("entry point is called main_"));
        fs::write(file("spv"), seaway_bytes(&format!("{line} --lang spirv"))).unwrap();
        accepts("spirv-val", "--target-env vulkan1.1", &file("spv"));
        let forward = seaway(&format!("{line} --direction forward")).expect(0, &[]).stdout;
        assert_ne!(forward, text);
        seaway(&format!("{line} --kernel 9")).expect_failure(1, &["no kernel 9"]);
        seaway(&format!("{line} --row-radix 4")).expect_failure(2, &["takes --size"]);
        seaway(&format!("{line} --degree 5")).expect_failure(1, &["32"]);
    }
    seaway("kernel --limits webgpu --algorithm gao-mateer --size 60")
        .expect_failure(2, &["power of two"]);
    seaway("kernel --limits webgpu --size 64 --degree 8").expect_failure(2, &["gao-mateer"]);
}
