//! `seaway render`: a sequence in parts, taken up again, and as linear light with depth.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use exr::prelude::{FlatSamples, ReadChannels as _, ReadLayers as _, read};

use crate::support::{Outcome, folder, seaway};
use crate::tone_twin::{encode, tone_map};
use seaway_core::testing::tolerance::near;

/// Small and coarse: what is tested is not the picture.
const SMALL: &str =
    "--quality low --foam-texels 0 --size 32 --cascades 1 --resolution 48x28 --fps 2.5";

fn render(out: &Path, options: &str) -> Outcome {
    seaway(&format!("render --out {} {SMALL} {options}", out.display()))
}

/// Everything in a folder, by name.
fn files(out: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(out)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap())
        })
        .collect()
}

fn names(out: &Path) -> Vec<String> {
    files(out).into_keys().collect()
}

#[test]
fn wrong_ranges_and_mixtures_say_what_to_write() {
    for (options, hint) in [
        ("--frames 0..0", "write 0..1 for frame 0 alone"),
        ("--frames 8..8", "write 8..9"),
        ("--frames 8..3", "write 3..8"),
        ("--frames 3..=8", "write 3..9"),
        ("--frames 3..", "as in 100..200"),
        ("--frames ..3", "as in 100..200"),
        ("--frames 0", "from 1"),
        ("--frames few", "A..B"),
        ("--format tiff", "exr"),
        ("--video x.mp4 --resume", "frame_%04d.png"),
        ("--eye-above-water 0.2", "from 0.5 to 50"),
        ("--eye-above-water -1", "from 0.5 to 50"),
        ("--eye-above-water nan", "from 0.5 to 50"),
        ("--eye-above-water high", "from 0.5 to 50"),
        ("--within-s 0", "from 1 to 86400"),
        ("--within-s 60 --resume", "cannot be used with"),
        ("--samples 0", "from 1 to 4096"),
        ("--samples 4097", "from 1 to 4096"),
        ("--samples 1.5", "from 1 to 4096"),
        ("--view-channel dx", "--view-channel needs --view map, and does not apply to picture"),
        ("--view spectrum --view-channel dx", "does not apply to spectrum"),
        ("--view foam --view-cascade 1", "does not apply to foam"),
        ("--view map --view-cascade 2 --cascades 2", "there are 2 cascades, counted from 0"),
    ] {
        seaway(&format!("render --out x {options}")).expect_failure(2, &[hint, "--help"]);
    }
    seaway("render --video x.mp4 --format exr").expect_failure(2, &["--out"]);
    seaway("render --video x.mp4 --resume").expect_failure(2, &["--out and --resume"]);
    assert!(!Path::new("x").exists() && !Path::new("x.mp4").exists());
    let help = seaway("render --help").stdout;
    let debug_view = help.find("Debug view:").unwrap();
    assert!(help.find("--preset").unwrap() < debug_view, "another option's heading: {help}");
    for words in [
        "A..B",
        "B - 1",
        "metres",
        "--resume",
        "0.18",
        "[default: 1]",
        "Y of --camera",
        "--samples <N>",
    ] {
        assert!(help.contains(words), "{words} is not in: {help}");
    }
}

#[test]
fn a_sequence_in_parts_is_the_sequence() {
    let (whole, parts) = (folder("render-whole"), folder("render-parts"));
    render(&whole, "--format png,exr --frames 5 --time 2").expect(0, &["wrote 5 frame(s)"]);
    assert_eq!(files(&whole).len(), 10);
    // Both at once, in one folder, as on a farm.
    std::thread::scope(|scope| {
        for frames in ["0..2", "2..5"] {
            let parts = &parts;
            scope.spawn(move || {
                let options = format!("--format exr,png --frames {frames} --time 2");
                render(parts, &options).expect(0, &["wrote "]);
            });
        }
    });
    assert_eq!(names(&parts), names(&whole), "and no drafts");
    assert!(files(&parts) == files(&whole), "frames depend on who draws them");
    assert!(files(&whole)["frame_0003.png"] != files(&whole)["frame_0004.png"], "it stands still");
}

/// A sea of long waves only, some metres high.
const ROUGH: &str = "--wind-speed-mps 24 --fetch-m 400000 --time 7";

#[test]
fn eyes_in_waves_are_raised_alike_every_run() {
    let (all, one, above) = (folder("eye-all"), folder("eye-one"), folder("eye-above"));
    let low = format!("{ROUGH} --camera 0,0.2,0,20,-5");
    let outcome = render(&all, &format!("{low} --frames 8"));
    let outcome =
        outcome.expect(0, &["the eye was raised from 0.20 m to ", " m, to stay above a wave"]);
    assert_eq!(outcome.stderr.matches("raised").count(), 1, "said once: {}", outcome.stderr);
    for frame in [2, 6] {
        render(&one, &format!("{low} --frames {frame}..{}", frame + 1)).expect(0, &[]);
        let name = format!("frame_000{frame}.png");
        assert!(files(&one)[&name] == files(&all)[&name], "{name}");
    }
    // The stamp holds the requested settings, by which frames are resumed.
    render(&all, &format!("{low} --frames 8 --resume")).expect(0, &["nothing to draw"]);
    // No wave is 30 m high.
    let outcome = render(&above, &format!("{ROUGH} --camera 0,30,0,20,-5"));
    assert!(!outcome.stderr.contains("raised"), "{}", outcome.stderr);
}

/// Below, the distances of an EXR file are those of the bed, of the surface from below, and infinite where a line of
/// sight stays in the water.
#[test]
fn an_eye_in_the_water_sees_the_bed_and_the_surface() {
    for (name, camera, expected_m, within_m) in [
        ("bed", "3,-1,4,20,-89", 2.0, 0.6),
        ("surface", "3,-2,4,20,89", 2.0, 0.6),
        ("open", "3,-1,4,20,0 --bed none --depth-m 100", f64::INFINITY, 0.0),
    ] {
        let out = folder(&format!("eye-below-{name}"));
        let options = format!("--preset shallow-bay --buoys 0 --format exr --camera {camera}");
        let outcome = render(&out, &options).expect(0, &["wrote 1 frame(s)"]);
        assert!(!outcome.stderr.contains("raised"), "{}", outcome.stderr);
        let found_m = light(&out.join("frame_0000.exr")).depth_m[(15 * 48 + 24) as usize];
        if expected_m.is_finite() {
            near(f64::from(found_m), expected_m, within_m, format_args!("distance of the {name}"));
        } else {
            assert_eq!(f64::from(found_m), expected_m, "{name}");
        }
    }
}

#[test]
fn an_eye_above_the_water_keeps_its_height() {
    let (walk, same) = (folder("eye-walk"), folder("eye-walk-same"));
    let options = format!("{ROUGH} --eye-above-water 5 --frames 3 --format exr");
    // Looking down at the water, whatever the camera's own height.
    let outcome = render(&walk, &format!("{options} --camera 3,9,4,20,-89"));
    let outcome = outcome.expect(0, &["wrote 3 frame(s)"]);
    assert!(!outcome.stderr.contains("raised"), "{}", outcome.stderr);
    for frame in 0..3 {
        let found = light(&walk.join(format!("frame_000{frame}.exr")));
        let middle = found.depth_m[(14 * 48 + 24) as usize];
        // The water a hand away, which slopes; a raft's own waves; the pixel's own ray.
        near(middle, 5.0, 0.25, format_args!("depth in frame {frame}"));
    }
    render(&same, &format!("{options} --camera 3,400,4,20,-89")).expect(0, &[]);
    let pictures =
        |out: &Path, frame: usize| light(&out.join(format!("frame_000{frame}.exr"))).depth_m;
    for frame in 0..3 {
        assert!(pictures(&walk, frame) == pictures(&same, frame), "the camera's Y counts");
    }
    // Other frames than those without.
    let line = format!("{ROUGH} --frames 3 --format exr --camera 3,9,4,20,-89 --resume");
    render(&walk, &line).expect_failure(1, &["eye_above_water_m is 5.0 there and nothing here"]);
    let compare = "profile --out x --compare dft --eye-above-water 2";
    seaway(compare).expect_failure(2, &["--compare", "Leave out one of the two"]);
}

#[test]
fn resuming_draws_only_missing_or_torn_frames() {
    let out = folder("render-resume");
    let options = "--format png,exr --frames 2..8";
    render(&out, options).expect(0, &["wrote 6 frame(s)"]);
    let before = files(&out);
    let path = |name: &str| out.join(name);
    let cut = |name: &str, bytes: usize| fs::write(path(name), &before[name][..bytes]).unwrap();
    cut("frame_0002.png", before["frame_0002.png"].len() - 1);
    cut("frame_0003.exr", before["frame_0003.exr"].len() / 2);
    cut("frame_0004.png", 0);
    // Not a picture, and one of another kind and size.
    fs::write(path("frame_0004.exr"), "a text").unwrap();
    image::GrayImage::new(5, 7).save(path("frame_0005.png")).unwrap();
    fs::remove_file(path("frame_0006.exr")).unwrap();
    // Only what is not whole is written.
    let written = |name: &str| fs::metadata(path(name)).unwrap().modified().unwrap();
    let kept = ["frame_0002.exr", "frame_0003.png", "frame_0006.png", "frame_0007.exr"];
    let times = kept.map(written);

    let line = format!("{options} --resume");
    render(&out, &line).expect(
        0,
        &[
            "frame_0002.png is incomplete",
            "frame_0003.exr is incomplete",
            "frame_0004.png is incomplete",
            "frame_0004.exr is incomplete",
            "frame_0005.png is incomplete and is drawn again: it is 5x7",
            "wrote 5 frame(s)",
            "(1 new, 4 redone, 1 skipped)",
        ],
    );
    assert!(files(&out) == before, "the same frames as before");
    assert_eq!(kept.map(written), times);
    // Nothing is left: no adapter is needed to see that.
    let nothing = crate::support::seaway_with(
        &format!("render --out {} {SMALL} {line}", out.display()),
        &crate::support::NO_ADAPTER,
    );
    nothing.expect(0, &["nothing to draw: all 6 frame(s)"]);
    // The sequence grows at either end.
    render(&out, "--frames 1..10 --resume").expect(0, &["(3 new, 0 redone, 6 skipped)"]);
    // Without --resume all are drawn.
    render(&out, "--frames 2..4").expect(0, &["wrote 2 frame(s)"]);
    assert!(written("frame_0003.png") > times[1]);
}

#[test]
fn frames_of_another_scene_are_not_mixed_in() {
    let out = folder("render-mixed");
    render(&out, "--frames 3").expect(0, &[]);
    let before = files(&out);
    for (options, words) in [
        ("--wind-speed-mps 12", ["sea.wind_speed_mps is ", " there and 12.0 here"]),
        ("--camera 0,5,0,90,0", ["camera.y_m is ", "camera.yaw_deg is 30.0 there and 90.0 here"]),
        ("--preset storm", ["frame_0000.png", "more"]),
        ("--fps 25", ["fps is 2.5 there and 25.0 here", "--out"]),
        ("--time 1", ["time_s is 0.0 there and 1.0 here", "--out"]),
        ("--resolution 64x36", ["resolution is [48, 28] there and [64, 36] here", "--out"]),
        ("--algorithm dft", ["algorithm is ", "dft"]),
        ("--path plain", ["path is ", "plain"]),
        ("--msaa-samples 4", ["quality.msaa_samples is 1 there and 4 here", "--out"]),
    ] {
        let line = format!("--frames 5 --resume {options}");
        render(&out, &line).expect_failure(1, &["frame_0000.png was drawn with other settings"]);
        render(&out, &line).expect_failure(1, &words);
    }
    // A picture that does not say what it shows may be of anything.
    let picture = image::load_from_memory(&before["frame_0001.png"]).unwrap();
    picture.save(out.join("frame_0001.png")).unwrap();
    let copied = files(&out);
    render(&out, "--frames 5 --resume").expect_failure(1, &["frame_0001.png", "does not say"]);
    assert!(files(&out) == copied, "nothing is drawn before all is looked at");
    // Another kind of file is no other setting.
    fs::write(out.join("frame_0001.png"), &before["frame_0001.png"]).unwrap();
    render(&out, "--frames 3 --resume --format png,exr").expect(0, &["3 new, 0 redone, 0 skipped"]);
    let after = files(&out);
    assert_eq!(after.len(), 6);
    assert!(before.iter().all(|(name, bytes)| after[name] == *bytes));
}

/// Channels of an EXR file.
struct Light {
    rgb: [Vec<f32>; 3],
    depth_m: Vec<f32>,
    white_luminance: f32,
}

fn light(path: &Path) -> Light {
    let image = read()
        .no_deep_data()
        .largest_resolution_level()
        .all_channels()
        .first_valid_layer()
        .all_attributes()
        .from_file(path)
        .unwrap();
    let channels = &image.layer_data.channel_data.list;
    let samples = |name: &str| {
        let found = channels.iter().find(|channel| channel.name == *name);
        found.unwrap_or_else(|| panic!("no {name}")).sample_data.clone()
    };
    let rgb = ["R", "G", "B"].map(|name| match samples(name) {
        FlatSamples::F16(halves) => halves.into_iter().map(|half| half.to_f32()).collect(),
        _ => panic!("{name} is of 16 bits"),
    });
    let FlatSamples::F32(depth_m) = samples("Z") else { panic!("Z is of 32 bits") };
    assert_eq!(channels.len(), 4);
    let white_luminance = image.layer_data.attributes.white_luminance.unwrap();
    Light { rgb, depth_m, white_luminance }
}

#[test]
fn an_exr_holds_the_pictures_light_and_depth() {
    let out = folder("render-exr");
    // Looking level: the horizon lies across the middle, between two rows. Several samples of a pixel
    // would each be mapped by itself.
    let options = "--format png,exr --msaa-samples 1 --camera 0,20,0,20,0 --fov-deg 50 \
                   --significant-wave-height-m 0.01 --buoys 0";
    render(&out, options).expect(0, &["wrote 1 frame(s)"]);
    let picture = image::open(out.join("frame_0000.png")).unwrap().into_rgb8();
    let found = light(&out.join("frame_0000.exr"));
    let (width, height) = picture.dimensions();
    assert_eq!(found.depth_m.len(), (width * height) as usize);
    for (index, pixel) in picture.pixels().enumerate() {
        let light = [0, 1, 2].map(|channel| f64::from(found.rgb[channel][index]));
        let exact = tone_map(light).map(|channel| 255.0 * encode(channel));
        for channel in 0..3 {
            // Noise of less than a step, rounding, a GPU's powers, and the tenth of a step by which
            // a target that encodes to sRGB may be off.
            near(pixel[channel], exact[channel], 2.0, format_args!("pixel {index}"));
        }
    }
    // Down to 20 m below: 20 m over the sine, which the curvature lengthens by t / 2R of it.
    let half_height = 25f64.to_radians().tan();
    let half_width = half_height * f64::from(width) / f64::from(height);
    for (index, depth_m) in found.depth_m.iter().enumerate() {
        let (x, y) = (index as u32 % width, index as u32 / width);
        let up = half_height * (1.0 - 2.0 * (f64::from(y) + 0.5) / f64::from(height));
        let across = half_width * (2.0 * (f64::from(x) + 0.5) / f64::from(width) - 1.0);
        if up > 0.0 {
            assert_eq!(*depth_m, f32::INFINITY, "{x}, {y}");
            continue;
        }
        let sine = -up / (1.0 + up * up + across * across).sqrt();
        let flat_m = 20.0 / sine;
        let exact_m = flat_m * (1.0 + flat_m / sine / (2.0 * 6_371_000.0));
        // Waves of a hand, and Vulkan's coarsest steps of a pixel.
        let step = half_height / f64::from(height) / 8.0;
        let allowed_m = (0.02 + exact_m * step) / sine + 1e-4 * exact_m;
        near(*depth_m, exact_m, allowed_m, format_args!("depth at {x}, {y}"));
    }
    // In daylight, white is some thousand candelas a square metre.
    seaway_core::testing::tolerance::between(found.white_luminance, 1e3, 1e5, "white luminance");
    // Two stops darker, the value 1 stands for four times the light.
    let darker = folder("render-exr-darker");
    render(&darker, &format!("{options} --exposure-ev -2")).expect(0, &[]);
    let white = light(&darker.join("frame_0000.exr")).white_luminance;
    near(white / found.white_luminance, 4.0, 1e-4, "white of two stops");
    let only = folder("render-exr-only");
    render(&only, &options.replace("png,exr", "exr")).expect(0, &[]);
    assert_eq!(names(&only), ["frame_0000.exr"]);
    assert!(files(&only)["frame_0000.exr"] == files(&out)["frame_0000.exr"]);
}

#[test]
fn more_samples_change_the_light_and_not_the_depth() {
    let [one, four, as_asked] =
        ["one", "four", "asked"].map(|run| folder(&format!("samples-{run}")));
    let options = "--format png,exr --frames 3..5 --camera 0,3,0,20,-4";
    render(&one, options).expect(0, &[]);
    render(&one, &format!("{options} --samples 1 --resume")).expect(0, &["nothing to draw"]);
    let several = format!("{options} --samples 4");
    render(&four, &several).expect(0, &["wrote 2 frame(s)"]);
    render(&four, &format!("{several} --resume")).expect(0, &["nothing to draw"]);
    render(&four, &format!("{options} --resume"))
        .expect_failure(1, &["samples is 4 there and nothing here"]);
    // One frame alone is that of the sequence, and samples stand in for those of edges.
    render(&as_asked, &format!("{several} --msaa-samples 4 --frames 4..5")).expect(0, &[]);
    for (name, bytes) in files(&as_asked) {
        assert!(bytes == files(&four)[&name], "{name}");
    }
    for frame in ["frame_0003.exr", "frame_0004.exr"] {
        let [single, mean] = [&one, &four].map(|out| light(&out.join(frame)));
        assert!(single.depth_m == mean.depth_m);
        near(mean.white_luminance / single.white_luminance, 1.0, 1e-6, "exposure");
        assert!(single.rgb != mean.rgb, "{frame}");
        let total = |light: &Light| light.rgb[1].iter().copied().map(f64::from).sum::<f64>();
        near(total(&mean) / total(&single), 1.0, 0.03, "light of the whole picture");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_unwritable_folder_is_named_before_anything_is_drawn() {
    let outcome = render(Path::new("/proc/self"), "--frames 2");
    assert!(!outcome.stderr.contains("adapter: "), "{}", outcome.stderr);
    outcome.expect_failure(1, &["the folder /proc/self cannot be written to"]);
}

/// A limit on the size of files stands for a full disk: both fail while a file is written.
#[test]
#[cfg(unix)]
fn a_full_disk_is_reported_and_atomic_writes_kept() {
    use std::process::Command;

    let out = folder("render-full");
    let line = format!(
        "trap '' XFSZ; ulimit -f 12; exec {} render --out {} {SMALL} --frames 4 --format png,exr",
        env!("CARGO_BIN_EXE_seaway"),
        out.display()
    );
    // The driver's cache of shaders is a file, too.
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).env("MESA_SHADER_CACHE_DISABLE", "true");
    let output = shell.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    for words in
        ["frame_0000.exr could not be written: ", "0 of 4 frame(s) complete", "--resume continues"]
    {
        assert!(stderr.contains(words), "{words} is not in: {stderr}");
    }
    assert_eq!(names(&out), ["frame_0000.png"], "half a file");
    let line = "--frames 4 --format png,exr --resume";
    render(&out, line).expect(0, &["(4 new, 0 redone, 0 skipped)"]);
    assert_eq!(names(&out).len(), 8);
}

/// A program of the name that keeps what it is given.
#[test]
#[cfg(unix)]
fn a_video_of_a_range_holds_its_frames() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = folder("render-video");
    let ffmpeg = folder.join("ffmpeg");
    fs::write(&ffmpeg, "#!/bin/sh\nfor file; do :; done\nexec cat > \"$file\"\n").unwrap();
    fs::set_permissions(&ffmpeg, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let video = |name: &str, frames: &str| {
        let file = folder.join(name);
        let line = format!("render --video {} {SMALL} --frames {frames}", file.display());
        crate::support::seaway_with(&line, &[("PATH", &path)]).expect(0, &["wrote ", name]);
        fs::read(file).unwrap()
    };
    let (all, some) = (video("all.mp4", "4"), video("some.mp4", "1..3"));
    let frame = 48 * 28 * 4;
    assert_eq!((all.len(), some.len()), (4 * frame, 2 * frame));
    assert!(all[frame..3 * frame] == some);
}

#[test]
fn a_software_adapter_gets_an_estimate_of_the_time() {
    let out = folder("render-software");
    let adapters = seaway("info --format json").json();
    let mut adapters = adapters.as_array().unwrap().iter();
    let selected = adapters.find(|adapter| adapter["selected"] == true).unwrap();
    let is_software = selected["device_type"] == "cpu";
    // Small, whatever the tier.
    let small = "--size 16 --cascades 1 --foam-texels 0 --resolution 16x16 --finest-spacing-m 2 --tile-cells 4 --cloud-steps 0 --cloud-texels 16";
    let mut pictures = Vec::new();
    for (quality, is_warned) in [("", is_software), ("--quality high", false)] {
        let line = format!("render --out {} {small} {quality}", out.display());
        let stderr = seaway(&line).expect(0, &[]).stderr;
        let estimate = "--quality high, the default, takes about ";
        assert_eq!(stderr.contains(estimate), is_warned, "{stderr}");
        assert_eq!(stderr.contains("--quality low about "), is_warned, "{stderr}");
        pictures.push(files(&out));
    }
    assert!(pictures[0] == pictures[1], "the estimate changes the picture");
    // The tier is chosen, unless one is given, as scripts/demo does.
    let line = format!("render --out {} {small} --within-s 86400", out.display());
    seaway(&line).expect(0, &["Quality: ultra (the frames take about "]);
    let given = seaway(&format!("{line} --quality low")).expect(0, &[]);
    assert!(!given.stderr.contains("take about"), "{}", given.stderr);
    let help = seaway("render --help").stdout;
    assert!(help.contains("[default: high, so that frames are"), "{help}");
}
