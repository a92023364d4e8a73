//! The program as a user meets it: exit codes, messages, what goes to stdout and stderr, and the window.
#![cfg(feature = "cli")]

mod bake;
mod fft;
mod field;
mod filter;
mod gallery;
mod points;
mod render;
mod spectrum;
mod spectrum_file;
mod support;
#[path = "../support/tone.rs"]
mod tone_twin;
#[cfg(all(feature = "app", target_os = "linux"))]
mod window;

use std::fs;
use std::path::Path;
use std::process::Command;

use support::{NO_ADAPTER, Outcome, folder, seaway, seaway_with};

/// Small and coarse: what is tested is not the picture.
const SMALL: &str = "--quality low --foam-texels 0 --resolution 96x54";

fn render(out: &Path, options: &str) -> Outcome {
    seaway(&format!("render --out {} {SMALL} {options}", out.display()))
}

/// The bytes of the PNG files in `out`, in order.
fn frames(out: &Path) -> Vec<Vec<u8>> {
    (0..)
        .map(|index| out.join(format!("frame_{index:04}.png")))
        .take_while(|path| path.exists())
        .map(|path| fs::read(path).unwrap())
        .collect()
}

#[test]
fn help_and_version_are_data() {
    for line in ["--help", "--version", "help", "render --help", "info --help", "run --help"] {
        let outcome = seaway(line).expect(0, &[]);
        assert!(outcome.stdout.contains("seaway"), "{line}: {}", outcome.stdout);
        assert_eq!(outcome.stderr, "", "{line}");
    }
}

/// A terminal of 80 columns does not break the lines of texts that are broken by hand.
#[test]
fn what_follows_the_options_in_help_fits_80_columns() {
    for (command, after) in [
        ("bake", "Files in DIR"),
        ("field", "Files in DIR"),
        ("points", "Columns, one row"),
        ("profile", "Files in DIR"),
        ("bench", "Figures:"),
        ("spectrum", "Figures of the whole sea"),
        ("filter", "The frequency of a wave"),
        ("", "Environment:"),
    ] {
        let help = seaway(&format!("{command} --help")).expect(0, &[]).stdout;
        let start = help.find(after).unwrap_or_else(|| panic!("{after} is not in: {help}"));
        // (Commands are for copying.)
        for line in help[start..].lines().filter(|line| !line.starts_with("  seaway ")) {
            assert!(line.len() <= 80, "{command}: {line}");
        }
    }
}

#[test]
fn commands_take_limits_and_drawing_commands_the_sea() {
    for command in [
        "run", "render", "gallery", "profile", "bench", "verify", "fft", "filter", "field",
        "points", "bake", "kernel", "info", "presets",
    ] {
        assert!(seaway(&format!("{command} --help")).stdout.contains("--limits"), "{command}");
    }
    for command in ["run", "render", "profile"] {
        let help = seaway(&format!("{command} --help")).stdout;
        for option in ["--preset", "--wind-speed-mps", "--seed", "--haze", "--camera", "--sun"] {
            assert!(help.contains(option), "{command} lacks {option}");
        }
    }
}

#[test]
fn help_states_the_ranges_of_numbers() {
    for (command, words) in [
        ("bench", &["with --ocean, which has its --cascades [1 to 65535]", "[3 to 1000]"][..]),
        ("bench", &["[0.001 to 3600]"]),
        ("profile", &["[1 to 100000]", "[0.1 to 1000] [default: 2;", "[0 to 86400]"]),
        ("spectrum", &["[2 to 100000]"]),
        ("render", &["[0.001 to 1000]"]),
        ("run", &["[16 to 8192] [default: that of"]),
        ("gallery", &["horizon [-6 to 90]", "[-180 to 180]", "behind (12@165)"]),
        ("presets", &["`presets` and `spectrum`, accept it without effect"]),
    ] {
        let help = seaway(&format!("{command} --help")).stdout;
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for words in words {
            assert!(help.contains(words), "{words} is not in: {help}");
        }
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    for (line, hint) in [
        ("rendr", "render"),
        ("render", "--out"),
        ("render --out x --wind-sped-mps 9", "--wind-speed-mps"),
        ("render --out x --limits all", "webgpu"),
        ("render --out x --algorithm fastest", "stockham-r4"),
        ("render --out x --quality best", "high"),
        ("render --out x --spectrum phillip", "jonswap"),
        ("render --out x --wind-speed-mps 900", "0.5 to 40 m/s"),
        ("render --out x --wind-speed-mps NaN", "NaN is out of range"),
        ("render --out x --fetch-m inf", "out of range"),
        ("render --out x --wind-speed-mps windy", "not a number"),
        ("render --out x --seed -1", "not a whole number"),
        ("render --out x --capillary perhaps", "true, false"),
        ("render --out x --size 300", "256 and 512 are"),
        ("render --out x --size 16384", "16 to 8192"),
        ("render --out x --camera 0,5,0,90", "5 numbers"),
        ("render --out x --camera 0,5,0,90,100", "pitch_deg = 100 is out of range"),
        ("render --out x --sun 20,nan", "sun_elevation_deg = NaN"),
        ("render --out x --sun 20,30 --sun-azimuth-deg 5", "cannot be used with"),
        ("render --out x --resolution 1280", "WIDTHxHEIGHT"),
        ("render --out x --resolution 0x5", "from 1"),
        ("render --out x --frames 0", "from 1"),
        ("render --out x --fps NaN", "expected a number"),
        ("render --out x --fps -5", "expected a number from 0.001 to 1000"),
        ("render --out x --time soon", "expected a number"),
        ("render --video x.mp4 --resolution 65x33", "even"),
        ("profile", "--out"),
        ("info --format xml", "json"),
        ("bench --ocean --size 300", "powers of two"),
        ("bench --size 12x", "1080x1920"),
        ("bench --size 8x8x8", "needs --dimensions 3"),
        ("bench --size 8x8 --dimensions 1,3", "needs --dimensions 2"),
        ("bench --dimensions 4", "from 1 to 3"),
        ("bench --kind dct5", "dct4"),
        ("bench --batch 0", "from 1"),
        ("bench --algorithm fastest", "stockham-r4"),
        ("bench --precision f128", "f32"),
        ("bench --regime warm", "streaming"),
        ("bench --format xml", "markdown"),
        ("bench --row-lines 0", "a power of two from 1 to 1024"),
        ("bench --twiddles guessed", "sin-cos"),
        ("bench --cpu --row-radix 8", "--cpu"),
        ("bench --budget-s 0", "from 0.001 to 3600"),
        ("verify --size 0", "1080x1920"),
        ("verify --column-radix 64", "from 2 to 32"),
        ("kernel --algorithm stockham-r8 --size 64 --row-exchange 8", "from 1 to 4"),
        ("kernel --algorithm stockham-r4", "--size"),
        ("kernel --algorithm dft --size 8x8 --dimensions 1", "cannot have --dimensions 1"),
        ("kernel --algorithm dft --size 8 --precision f64 --lang msl", "no 64-bit floats"),
        ("kernel --algorithm stockham-r4 --size 64 --lang cuda", "spirv"),
        ("run --size 300", "256 and 512 are"),
        ("render --out x --algorithm auto", "depends on measurements"),
        ("bench --algorithm auto --row-radix 8", "--row-radix 8 cannot be given to"),
        ("verify --algorithm dft,auto --twiddles table", "which chooses the parameters"),
        ("kernel --algorithm auto --size 64 --column-lines 2", "name an algorithm"),
    ] {
        seaway(line).expect_failure(2, &[hint, "--help"]);
    }
    assert!(!Path::new("x").exists(), "judged before anything is made");
}

#[test]
fn bad_presets_are_explained_with_a_place_to_start() {
    let folder = folder("bad-presets");
    let preset = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        format!("--preset {}", path.display())
    };
    for (option, words) in [
        ("--preset no-such-sea".to_owned(), ["no-such-sea", "breeze"]),
        (format!("--preset {}", folder.display()), ["could not be read", "bad-presets"]),
        (preset("torn.toml", "[sea"), ["torn.toml is malformed", "presets --show"]),
        (preset("typo.toml", "[sea]\nwind_sped_mps = 9.0"), ["wind_sped_mps", "wind_speed_mps"]),
        (preset("far.toml", "[sea]\nwind_speed_mps = 900.0"), ["far.toml", "0.5 to 40 m/s"]),
        (preset("nan.toml", "[light]\nhaze = nan"), ["nan.toml", "haze = NaN"]),
    ] {
        render(&folder.join("out"), &option).expect_failure(1, &words);
    }
    assert!(!folder.join("out").exists(), "judged before anything is made");
}

#[test]
fn without_an_adapter_it_says_what_to_install() {
    let out = folder("no-adapter");
    let line = format!("render --out {}", out.display());
    seaway_with(&line, &NO_ADAPTER).expect_failure(3, &["no usable graphics adapter", "install"]);
    let line = format!("profile --out {}", out.display());
    seaway_with(&line, &NO_ADAPTER).expect_failure(3, &["no usable graphics adapter"]);
    let info = seaway_with("info --format json", &NO_ADAPTER).expect(3, &["install"]);
    assert_eq!(info.json(), serde_json::json!([]));
    seaway_with("presets", &NO_ADAPTER).expect(0, &[]);
    // OpenGL is not among the back ends, nor is what wgpu does not know.
    for backend in ["gl", "glide"] {
        let environment = [("WGPU_BACKEND", backend)];
        let named = format!("WGPU_BACKEND={backend:?} names no back end");
        seaway_with(&line, &environment).expect_failure(3, &[&named, "vulkan, metal and dx12"]);
    }
}

#[test]
fn an_unknown_adapter_name_lists_the_adapters() {
    let adapters = seaway("info --format json").json();
    let name = adapters[0]["name"].as_str().expect("tests need an adapter").to_owned();
    let out = folder("adapter-name");
    let line = format!("render --out {} {SMALL}", out.display());
    let wrong = [("WGPU_ADAPTER_NAME", "Voodoo 2")];
    seaway_with(&line, &wrong).expect_failure(3, &["Voodoo 2", &name]);
    let right = [("WGPU_ADAPTER_NAME", &*name)];
    seaway_with(&line, &right).expect(0, &["adapter: ", &name]);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let file = folder("not-a-folder").join("file");
    fs::write(&file, "").unwrap();
    render(&file.join("out"), "").expect_failure(1, &["not-a-folder", "could not be created"]);
    for command in ["profile --frames 1", "profile --compare dft", "render", "field --cpu"] {
        let line = format!("{command} --out {}", file.display());
        let outcome = seaway(&line);
        assert!(!outcome.stderr.contains("adapter: "), "{line}: {}", outcome.stderr);
        outcome.expect_failure(1, &["could not be created: a file has its name"]);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_is_recorded_for_an_unwritable_folder() {
    for (out, folder) in [("/proc/self", "/proc/self"), ("/proc/self/none", "/proc/self")] {
        let outcome = seaway(&format!("profile --out {out}"));
        assert!(!outcome.stderr.contains("adapter: "), "{}", outcome.stderr);
        let words = format!("the folder {folder} cannot be written to");
        outcome.expect_failure(1, &[words.as_str()]);
    }
}

#[test]
fn a_comparison_that_cannot_be_leaves_no_folder() {
    let out = folder("compared-nothing").join("out");
    let line = format!("profile --out {} --compare dft --sizes 100", out.display());
    seaway(&line).expect_failure(2, &["64 and 128 are"]);
    assert!(!out.exists());
}

#[test]
fn a_frame_that_cannot_be_written_is_named() {
    let out = folder("not-a-file");
    fs::create_dir(out.join("frame_0000.png")).unwrap();
    let line = format!("--frames 5 --video {}", out.join("sea.mp4").display());
    for options in ["--frames 5", "--frames 5 --resume", &line] {
        let outcome = render(&out, options);
        let stderr = &outcome.stderr;
        assert!(!stderr.contains("adapter: ") && !stderr.contains("continues"), "{stderr}");
        outcome.expect_failure(1, &["frame_0000.png could not be written: a folder has its name"]);
    }
    fs::remove_dir(out.join("frame_0000.png")).unwrap();
    fs::create_dir(out.join("sea.mp4")).unwrap();
    render(&out, &line).expect_failure(1, &["sea.mp4 could not be written: a folder"]);
}

#[test]
fn what_does_not_fit_the_adapter_names_the_limit() {
    let out = folder("too-large");
    render(&out, "--limits webgpu --resolution 9000x64")
        .expect_failure(1, &["9000x64", "8192", "--resolution"]);
    for command in ["render", "field"] {
        let line = format!("{command} --out {} --limits webgpu --size 8192", out.display());
        let cure = "choose a smaller --size or fewer --cascades";
        seaway(&line).expect_failure(1, &["8192", "max", cure]);
    }
    assert_eq!(frames(&out).len(), 0);
}

#[test]
fn frames_are_bit_identical_from_run_to_run() {
    let (first, again, later) = (folder("twice-1"), folder("twice-2"), folder("twice-3"));
    let options = "--preset gale --fps 2 --time 7.5";
    for out in [&first, &again] {
        let outcome = render(out, &format!("{options} --frames 2")).expect(0, &["adapter: "]);
        assert_eq!(outcome.stdout, "", "pictures go to files");
    }
    assert_eq!(frames(&first).len(), 2);
    assert!(frames(&first) == frames(&again), "two runs differ");
    // A frame depends on its time, and not on the frames before it.
    render(&later, "--preset gale --time 8").expect(0, &[]);
    // (Each file says how it was drawn: what is compared is the picture.)
    let picture = |out, index: usize| image::load_from_memory(&frames(out)[index]).unwrap();
    assert!(picture(&first, 1) == picture(&later, 0), "a frame depends on those before it");
    assert!(picture(&first, 0) != picture(&first, 1), "the sea stands still");
}

#[test]
fn it_runs_within_webgpus_default_limits() {
    let out = folder("webgpu-limits");
    render(&out, "--limits webgpu --frames 1").expect(0, &["adapter: "]);
    let picture = image::load_from_memory(&frames(&out)[0]).unwrap();
    assert_eq!((picture.width(), picture.height()), (96, 54));
}

#[test]
fn info_lists_what_each_adapter_can_run() {
    let info = seaway("info --format json").expect(0, &["adapter: "]).json();
    let adapters = info.as_array().expect("an array");
    assert_eq!(adapters.iter().filter(|adapter| adapter["selected"] == true).count(), 1);
    for adapter in adapters {
        assert!(adapter["capabilities"]["max_workgroup_storage_bytes"].is_u64(), "{adapter}");
        assert_eq!(adapter["fft"][0]["algorithm"], "stockham-r4");
        assert!(adapter["fft"][0]["sizes"].as_array().unwrap().contains(&256.into()), "{adapter}");
    }
    let limited = seaway("info --format json --limits webgpu").json();
    assert_eq!(limited[0]["capabilities"]["max_workgroup_storage_bytes"], 16_384);
    let table = seaway("info").expect(0, &[]).stdout;
    assert!(table.contains(adapters[0]["name"].as_str().unwrap()), "{table}");
    assert!(table.contains("  FFTs, 16 to ") && table.contains(" stockham-r8 "), "{table}");
}

#[test]
fn presets_predict_their_waves() {
    let presets = seaway("presets --format json").expect(0, &[]).json();
    let presets = presets.as_array().expect("an array");
    for name in
        ["calm", "breeze", "gale", "storm", "swell-at-sunset", "crossing-seas", "shallow-bay"]
    {
        let preset = presets.iter().find(|preset| preset["name"] == name).expect(name);
        assert!(!preset["description"].as_str().unwrap().is_empty(), "{name}");
        let height_m = preset["significant_wave_height_m"].as_f64().unwrap();
        let period_s = preset["peak_period_s"].as_f64().unwrap();
        assert!((0.05..15.0).contains(&height_m), "{name}: {height_m} m");
        assert!((1.0..20.0).contains(&period_s), "{name}: {period_s} s");
        assert!(seaway("presets").stdout.contains(name));
    }
}

#[test]
fn a_shown_preset_can_be_used() {
    let folder = folder("shown-preset");
    let shown = seaway("presets --show storm").expect(0, &[]).stdout;
    let mine = folder.join("mine.toml");
    fs::write(&mine, shown).unwrap();
    let (named, from_file) = (folder.join("named"), folder.join("from-file"));
    render(&named, "--preset storm").expect(0, &[]);
    render(&from_file, &format!("--preset {}", mine.display())).expect(0, &[]);
    assert!(frames(&named) == frames(&from_file));
    seaway("presets --show drizzle").expect_failure(1, &["drizzle", "storm"]);
}

#[test]
fn profile_takes_the_tier_of_the_adapter() {
    let out = folder("profile-tier");
    let small = "--size 16 --cascades 1 --foam-texels 0 --resolution 16x16 --finest-spacing-m 2";
    let line = format!("profile --frames 1 {small} --out {} --format json", out.display());
    let adapters = seaway("info --format json").json();
    let selected = adapters.as_array().unwrap().iter().find(|adapter| adapter["selected"] == true);
    let (kind, tier) = match selected.unwrap()["device_type"].as_str() {
        Some("cpu") => ("software adapter", "low"),
        Some("discrete_gpu") => ("discrete GPU", "high"),
        _ => ("GPU", "medium"),
    };
    let said = [&format!("Quality: {tier} ("), kind, "); choose another with --quality"];
    let summary = seaway(&line).expect(0, &said).json();
    assert!(summary["command_line"].as_str().unwrap().contains(&format!("--quality {tier} ")));
    let given = seaway(&format!("{line} --quality medium")).expect(0, &[]);
    assert!(!given.stderr.contains("Quality: "), "{}", given.stderr);
}

#[test]
fn profile_measures_an_eye_in_the_water() {
    let out = folder("profile-below");
    let small = "--size 16 --cascades 1 --foam-texels 0 --resolution 16x16 --finest-spacing-m 2";
    let line = format!("profile --frames 1 {small} --camera 0,-5,0,35,0 --out {}", out.display());
    let summary = seaway(&format!("{line} --format json")).expect(0, &[]).json();
    let passes = summary["passes"].as_array().unwrap();
    assert!(passes.iter().any(|pass| pass["name"] == "underwater"), "{passes:?}");
}

/// The thesis' Figures 20 and 21, and the rows measured side by side.
#[test]
fn algorithms_are_compared_in_frames_and_beside_each_other() {
    let out = folder("compared");
    let line = "profile --frames 3 --quality low --foam-texels 0 --resolution 64x36 --cascades 1 --patience-s 1";
    let line = format!("{line} --compare stockham-r4,dft --sizes 16,32 --out {}", out.display());
    let json = seaway(&format!("{line} --format json")).expect(0, &["adapter: "]).json();
    let files = [
        "compare-16.csv",
        "compare-16.svg",
        "compare-32.csv",
        "compare-32.svg",
        "compare.csv",
        "compare.json",
        "compare.md",
    ];
    let mut found: Vec<_> =
        fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    found.sort();
    assert_eq!(found, files);
    let written = fs::read_to_string(out.join("compare.json")).unwrap();
    assert_eq!(json, serde_json::from_str::<serde_json::Value>(&written).unwrap());
    assert_eq!(json["quality"], "low");
    assert_eq!(
        (&json["complete"], &json["seaway"]),
        (&true.into(), &env!("CARGO_PKG_VERSION").into())
    );

    // A pass per stage is among them unasked.
    let names = ["stockham-r4", "dft", "cooley-tukey-multipass"];
    for (comparison, size) in json["comparisons"].as_array().unwrap().iter().zip([16, 32]) {
        assert_eq!((&comparison["size"], &comparison["path"]), (&size.into(), &"plain".into()));
        let rows = comparison["frames_by_algorithm"].as_array().unwrap();
        for (row, name) in rows.iter().zip(names) {
            assert_eq!(row["algorithm"], name);
            for part in ["horizontal", "vertical", "ocean", "frame"] {
                // The processor's times are always there; the GPU's stages may not add up.
                assert!(row["cpu_us"][part].as_f64().unwrap() > 0.0, "{row}");
                let gpu_us = &row["gpu_us"][part];
                assert!(gpu_us.is_null() || gpu_us.as_f64().unwrap() > 0.0, "{row}");
            }
        }
        let gain = rows[2]["gain"]["frame"].as_f64();
        assert!(gain.is_none_or(|gain| gain == 1.0), "{gain:?}");
        // The copy, then each algorithm as a transform, a plain step and a fused one.
        let rows = comparison["side_by_side"]["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 1 + 3 * names.len());
        for row in rows {
            assert!(row.get("failed").is_none() && row.get("skipped").is_none(), "{row}");
            assert!(row["relative_max_error"].as_f64().unwrap() < 2e-3, "{row}");
        }
    }
    // The thesis' own frame: one mesh, and stages in images.
    let plain = folder("compared-plain");
    let line_of_thesis = format!(
        "profile --frames 2 --plain-mesh 24 --ping-pong image --resolution 64x36 --cascades 1 \
         --patience-s 0 --compare stockham-r2 --sizes 16 --format json --out {}",
        plain.display()
    );
    let thesis = &seaway(&line_of_thesis).expect(0, &["adapter: "]).json()["comparisons"][0];
    assert_eq!((&thesis["plain_mesh"], &thesis["ping_pong"]), (&24.into(), &"image".into()));
    for row in thesis["frames_by_algorithm"].as_array().unwrap() {
        assert!(row["cpu_us"]["frame"].as_f64().unwrap() > 0.0, "{row}");
    }
    let markdown = fs::read_to_string(plain.join("compare.md")).unwrap();
    assert!(markdown.contains("one mesh of 24 x 24 vertices"), "{markdown}");
    assert!(markdown.contains("--ping-pong image"), "{markdown}");

    let csv = fs::read_to_string(out.join("compare.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 2 * names.len());
    let columns = csv.lines().next().unwrap().split(',').count();
    assert!(csv.lines().all(|line| line.split(',').count() == columns), "{csv}");
    let markdown = fs::read_to_string(out.join("compare.md")).unwrap();
    assert!(markdown.contains("side by side") && markdown.contains("gain"), "{markdown}");
    seaway(&format!("{line} --size 64")).expect_failure(2, &["--size"]);
    seaway("profile --out x --frames 1 --sizes 64").expect_failure(2, &["--compare"]);
}

#[test]
fn a_capture_that_cannot_be_written_leaves_nothing() {
    let out = folder("no-capture");
    fs::write(out.join("file"), "").unwrap();
    let line = format!("profile --frames 1 {SMALL} --out {}", out.join("file/capture").display());
    let file = out.join("file");
    seaway(&line).expect_failure(1, &[file.to_str().unwrap(), "a file has its name"]);

    // The disk is full after some kilobytes of a file: the shell forbids longer ones.
    #[cfg(unix)]
    {
        let full = out.join("full");
        let script = format!(
            "trap '' XFSZ; ulimit -f 8; exec {} profile --frames 40 {SMALL} --out {}",
            env!("CARGO_BIN_EXE_seaway"),
            full.display()
        );
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains(full.to_str().unwrap()), "{stderr}");
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert!(stdout.contains("interval"), "what was measured is shown: {stdout}");
        let left: Vec<_> =
            fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["file"]);
    }
}

#[test]
fn videos_need_ffmpeg() {
    let file = folder("video").join("sea.mp4");
    let line = format!("render --video {} --frames 3 {SMALL}", file.display());
    seaway_with(&line, &[("PATH", "/nonexistent")]).expect_failure(1, &["ffmpeg", "not on PATH"]);
    if Command::new("ffmpeg").arg("-version").output().is_ok() {
        seaway(&line).expect(0, &["sea.mp4"]);
        assert!(fs::metadata(&file).unwrap().len() > 0);
    }
}

#[test]
#[cfg(all(feature = "app", target_os = "linux"))]
fn without_a_display_it_points_to_render() {
    let no_display = [("DISPLAY", ""), ("WAYLAND_DISPLAY", ""), ("WAYLAND_SOCKET", "")];
    seaway_with("run --fresh", &no_display).expect_failure(1, &["display", "seaway render"]);
    seaway_with("--fresh", &no_display).expect_failure(1, &["display"]);
}

#[test]
#[cfg(not(feature = "app"))]
fn without_the_window_it_says_so() {
    seaway("").expect_failure(1, &["without the window", "seaway render"]);
}

/// Tests whose results are the same on any adapter. The checks on a second one leave them out
/// (.config/nextest.toml).
mod once {
    mod auto;
    mod bench;
    mod figures;
    mod kernel;
    mod measurements;
    mod ocean_bench;
    mod verify;

    use super::*;

    #[test]
    fn algorithms_render_by_name() {
        // The maps of all of them are compared in tests/sea/ocean.rs.
        for name in seaway::fft::lab::Algorithm::of_powers_of_two().step_by(5) {
            let out = folder(&format!("algorithm-{name}"));
            render(&out, &format!("--algorithm {name}")).expect(0, &[]);
            assert_eq!(frames(&out).len(), 1, "{name}");
        }
    }

    #[test]
    fn captures_are_written_and_their_summary_printed() {
        let out = folder("capture");
        let line = format!("profile --frames 4 {SMALL} --wind-speed-mps 12.5 --camera 1,9,2,30,-5");
        let to = |name: &str| format!("{line} --out {}", out.join(name).display());
        let outcome = seaway(&to("table")).expect(0, &["adapter: ", "4 frames", "ui.perfetto.dev"]);
        for part in ["interval", "ocean", "visibility", "light", "median us"] {
            assert!(outcome.stdout.contains(part), "{part}: {}", outcome.stdout);
        }
        let names = ["capture.puffin", "passes.csv", "summary.json", "summary.md", "trace.json"];
        for name in names {
            assert!(fs::metadata(out.join("table").join(name)).unwrap().len() > 0, "{name}");
        }
        assert_eq!(fs::read_dir(out.join("table")).unwrap().count(), names.len());

        let read = |file: &str| fs::read_to_string(out.join(file)).unwrap();
        let markdown = seaway(&format!("{} --format markdown", to("markdown"))).expect(0, &[]);
        assert_eq!(markdown.stdout, read("markdown/summary.md"));
        let csv = seaway(&format!("{} --format csv", to("csv"))).expect(0, &[]);
        assert!(csv.stdout.starts_with("side,thread,name,depth,count,median_us"), "{}", csv.stdout);

        // The command in the summary gives the same settings and the same command again.
        let first = seaway(&format!("{} --format json", to("json"))).expect(0, &[]).json();
        assert_eq!(
            first,
            serde_json::from_str::<serde_json::Value>(&read("json/summary.json")).unwrap()
        );
        assert_eq!(first["settings"]["scene"]["sea"]["wind_speed_mps"], 12.5);
        let again = first["command_line"].as_str().unwrap().strip_prefix("seaway ").unwrap();
        let again = again.replace("DIR", out.join("again").to_str().unwrap());
        let again = seaway(&format!("{again} --format json")).expect(0, &[]).json();
        for key in ["settings", "command_line", "frames", "adapter", "driver", "version"] {
            assert_eq!(first[key], again[key], "{key}");
        }
    }
}
