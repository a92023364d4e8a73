//! `seaway bake`: what its files hold, read back.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use exr::prelude::{FlatSamples, ReadChannels as _, ReadLayers as _, read};
use seaway::OceanOptions;
use seaway::query::{Point, SurfacePoint, cpu};
use seaway::settings::{Preset, SeaState};
use seaway::spectrum::InitialSpectrum;
use serde_json::Value;

use crate::fft::load;
use crate::support::{NO_ADAPTER, Outcome, folder, seaway, seaway_with};
use seaway_core::testing::tolerance::{at_least, at_most, near};

const SIZE: u32 = 64;
/// A loop of 4 s, of 40 frames.
const SMALL: &str = "--size 64 --preset gale --choppiness 0.8 --seed 3 --fps 10 --loop-s 4.04";
const PATCH: &str = "--combine 400";

fn bake(out: &Path, options: &str) -> Outcome {
    seaway(&format!("bake --out {} {SMALL} {options}", out.display()))
}

fn sea() -> SeaState {
    let gale = Preset::load("gale").unwrap().sea;
    SeaState { choppiness: 0.8, seed: 3, loop_period_s: 4.0, ..gale }
}

/// Queries of the points of the grids themselves.
fn queries(initial: InitialSpectrum) -> cpu::Queries {
    let (size, cascades) = (initial.size, initial.cascades.len() as u32);
    let plain = OceanOptions { cubic_cascades: 0, blended_cascades: 0, ..Default::default() };
    cpu::Queries::new(initial, &OceanOptions { size, cascades, ..plain })
}

fn index(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("bake.json")).unwrap()).unwrap()
}

/// The files of a folder, by name, without the scripts for other programs.
fn files(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        let is_script = entry.path().is_dir() || ["IMPORT.md", "blender.py"].contains(&&*name);
        (!is_script).then(|| (name, fs::read(entry.path()).unwrap()))
    };
    fs::read_dir(out).unwrap().filter_map(|entry| read(entry.unwrap())).collect()
}

/// Each script says in its first lines what was run to test it.
#[test]
fn scripts_for_other_programs_lie_in_the_folder() {
    let out = folder("bake-scripts");
    bake(&out, "--cascades 1 --frames 1 --cpu").expect(0, &["wrote 1 frame(s)"]);
    for script in [
        "blender.py",
        "godot/seaway.gd",
        "godot/seaway.gdshader",
        "threejs/index.html",
        "threejs/seaway-bake.js",
        "unity/SeawayBake.cs",
        "unity/SeawayBake.hlsl",
        "unity/SeawayBake.shader",
        "unreal/README.md",
    ] {
        let text = fs::read_to_string(out.join(script)).unwrap();
        let head = text.lines().take(6).collect::<Vec<_>>().join(" ").to_lowercase();
        let says = ["tested", "not run", "compiled"].iter().any(|word| head.contains(word));
        assert!(says, "{script} does not say how it was tested: {head}");
    }
    assert!(fs::read_to_string(out.join("IMPORT.md")).unwrap().contains("bake.json"));
}

fn npy(path: &Path) -> Vec<[f64; 3]> {
    let (shape, values) = load::<f32>(path);
    assert_eq!(shape, [SIZE.into(), SIZE.into(), 3]);
    values.as_chunks().0.iter().map(|rgb| rgb.map(f64::from)).collect()
}

fn exr(path: &Path) -> Vec<[f64; 3]> {
    let image = read()
        .no_deep_data()
        .largest_resolution_level()
        .all_channels()
        .first_valid_layer()
        .all_attributes()
        .from_file(path)
        .unwrap();
    let list = &image.layer_data.channel_data.list;
    let channel = |name: &str| -> Vec<f64> {
        let found = list.iter().find(|channel| channel.name == *name).expect(name);
        match &found.sample_data {
            FlatSamples::F16(values) => values.iter().map(|value| value.to_f64()).collect(),
            FlatSamples::F32(values) => values.iter().map(|value| f64::from(*value)).collect(),
            FlatSamples::U32(_) => panic!("no floats"),
        }
    };
    assert_eq!(list.len(), 3);
    let [r, g, b] = ["R", "G", "B"].map(channel);
    (0..r.len()).map(|at| [r[at], g[at], b[at]]).collect()
}

#[test]
fn the_frame_after_the_loop_is_the_first() {
    let out = folder("bake-loop");
    for options in ["--cascades 2", PATCH] {
        let [first, next] = ["first", "next"].map(|name| out.join(name));
        let line = format!("{options} --depth float --frames");
        bake(&first, &format!("{line} 0..3")).expect(
            0,
            &["the loop of 4.04 s is rounded to 40 frames, 4.0", "becomes one of", "fewer than 8"],
        );
        bake(&next, &format!("{line} 40..43")).expect(0, &["wrote 3 frame(s)"]);
        assert_eq!(
            (index(&first)["frames"].as_u64(), &index(&first)["loop_s"]),
            (Some(40), &4.0.into())
        );
        let next = files(&next);
        for (name, bytes) in files(&first).iter().filter(|(name, _)| name.ends_with(".exr")) {
            let turned = name.replace("_0000", "_0004");
            assert!(next[&turned] == *bytes, "{name} is not {turned}");
        }
        assert_ne!(next.values().nth(1), next.values().nth(2), "the sea stands still");
        fs::remove_dir_all(&out).unwrap();
    }
}

/// The images of a patch, by name.
fn images(out: &Path, patch: &Value, frame: u32) -> BTreeMap<String, Vec<[f64; 3]>> {
    let rows = patch["images"].as_array().unwrap().iter();
    let image = |row: &Value| {
        let file = row["file"].as_str().unwrap().replace("{frame}", &format!("{frame:05}"));
        (row["name"].as_str().unwrap().to_owned(), npy(&out.join(file)))
    };
    rows.map(image).collect()
}

/// Interpolates linearly, as the file format says.
fn sample(image: &[[f64; 3]], patch: &Value, [x, z]: [f64; 2]) -> [f64; 3] {
    let number = |key: &str| patch[key].as_f64().unwrap();
    let (sin, cos) = number("turn_rad").sin_cos();
    let side = SIZE as usize;
    let texels = [cos * x + sin * z, cos * z - sin * x]
        .map(|along| along * f64::from(SIZE) / number("side_m"));
    let place = |at: f64, step: i64| (at.floor() as i64 + step).rem_euclid(side as i64) as usize;
    let mut sum = [0.0; 3];
    for (step_z, step_x) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let weight = |at: f64, step: i64| {
            let share = at - at.floor();
            if step == 1 { share } else { 1.0 - share }
        };
        let weight = weight(texels[0], step_x) * weight(texels[1], step_z);
        let texel = image[place(texels[1], step_z) * side + place(texels[0], step_x)];
        sum.iter_mut().zip(texel).for_each(|(sum, value)| *sum += weight * value);
    }
    sum
}

/// An importer adds up the cascades, each turned by its own angle.
#[test]
fn cascades_add_up_to_the_queried_sea() {
    let out = folder("bake-cascades");
    bake(&out, "--cascades 3 --format npy --frames 7..8").expect(0, &["adapter: "]);
    let index = index(&out);
    let patches = index["patches"].as_array().unwrap();
    assert_eq!((patches.len(), &index["combined"]), (3, &false.into()));
    let images: Vec<_> = patches.iter().map(|patch| images(&out, patch, 7)).collect();
    let mut queries = queries(InitialSpectrum::new(&sea(), SIZE, 3).unwrap());
    let moment = queries.at(0.7);
    for place in (0..50).map(|i| [3.7 * f64::from(i), -11.3 * f64::from(i)]) {
        let sum = |name: &str| {
            images.iter().zip(patches).fold([0.0; 3], |sum, (images, patch)| {
                let value = sample(&images[name], patch, place);
                [0, 1, 2].map(|channel| sum[channel] + value[channel])
            })
        };
        let found = moment.surface_at(Point::of_water(place));
        let [x, y, z] = sum("displacement");
        for (value, expected) in [
            (x, found.position_m[0] - place[0]),
            (y, found.height_m),
            (z, found.position_m[1] - place[1]),
        ] {
            near(value, expected, 1e-4, "displacement");
        }
        let ([h_dx, h_dz, _], [dxx, dzz, dxz]) = (sum("slopes"), sum("stretches"));
        near((1.0 + dxx) * (1.0 + dzz) - dxz * dxz, found.jacobian, 1e-4, "J");
        let across =
            [dxz * h_dz - (1.0 + dzz) * h_dx, found.jacobian, dxz * h_dx - (1.0 + dxx) * h_dz];
        let length = across.iter().map(|part| part * part).sum::<f64>().sqrt();
        for (part, expected) in across.iter().zip(found.normal) {
            near(part / length, expected, 1e-4, "normal");
        }
    }
}

fn patch_at(frame: u32) -> impl Fn(usize) -> SurfacePoint {
    let initial = InitialSpectrum::of_patch(&sea(), SIZE, 400.0).unwrap();
    let moment = queries(initial).at(0.1 * f64::from(frame));
    move |at| {
        let place = [at % SIZE as usize, at / SIZE as usize];
        moment
            .surface_at(Point::of_water(place.map(|texel| texel as f64 * 400.0 / f64::from(SIZE))))
    }
}

#[test]
fn a_combined_patch_is_the_queried_sea() {
    let out = folder("bake-combined");
    let [gpu, cpu] = ["gpu", "cpu"].map(|name| out.join(name));
    let options = format!("{PATCH} --format npy --frames 12..13");
    bake(&gpu, &options)
        .expect(0, &["adapter: ", "other waves of the same spectrum", "mean square slope"]);
    let line = format!("bake --out {} {SMALL} {options} --cpu", cpu.display());
    seaway_with(&line, &NO_ADAPTER).expect(0, &["wrote 1 frame(s)"]);
    let hs_m = index(&gpu)["significant_wave_height_m"]["measured"].as_f64().unwrap();
    for out in [gpu, cpu] {
        let index = index(&out);
        let images = images(&out, &index["patches"][0], 12);
        let at_texel = patch_at(12);
        for (at, displacement) in images["displacement"].iter().enumerate() {
            let found = at_texel(at);
            let moved = [0, 1].map(|axis| found.position_m[axis] - found.at_rest_m[axis]);
            for (value, expected) in displacement.iter().zip([moved[0], found.height_m, moved[1]]) {
                near(*value, expected, 1e-4 * hs_m, "displacement");
            }
            for (value, expected) in images["normal"][at].iter().zip(found.normal) {
                near(*value, expected, 1e-4, "normal");
            }
            near(images["foam"][at][1], found.jacobian, 1e-4, "J");
        }
        let heights = images["displacement"].iter().map(|[_, y, _]| y * y);
        let measured_m = 4.0 * (heights.sum::<f64>() / f64::from(SIZE * SIZE)).sqrt();
        near(measured_m, hs_m, 0.2 * hs_m, "Hs of a frame and of the loop");
    }
}

#[test]
fn foam_repeats_and_a_range_is_a_part_of_the_whole() {
    let out = folder("bake-foam");
    let [whole, part] = ["whole", "part"].map(|name| out.join(name));
    bake(&whole, PATCH).expect(0, &["wrote 40 frame(s)", "the foam after the last frame differs"]);
    let index = index(&whole);
    at_most(index["foam"]["loop_difference"].as_f64().unwrap(), 1.0 / 255.0, "the foam");
    let foam = |frame: u32| exr(&whole.join(format!("sea_foam_{frame:05}.exr")));
    let share =
        |frame| foam(frame).iter().map(|[foam, ..]| foam).sum::<f64>() / f64::from(SIZE * SIZE);
    let mean = (0..40).map(share).sum::<f64>() / 40.0;
    let expected = index["foam"]["expected_share"].as_f64().unwrap();
    assert!((mean / expected - 1.0).abs() < 0.5, "{mean} of the sea is white, not {expected}");
    let most = foam(0).iter().map(|[foam, ..]| *foam).fold(0.0, f64::max);
    at_least(most, 0.2, "the whitest point");
    assert!(foam(0).iter().all(|[foam, ..]| (0.0..=1.0).contains(foam)));
    // The last frame and the first are neighbours.
    let step = |a: u32, b: u32| {
        let (a, b) = (foam(a), foam(b));
        a.iter().zip(&b).map(|(a, b)| (a[0] - b[0]).abs()).sum::<f64>() / f64::from(SIZE * SIZE)
    };
    at_most(step(39, 0), 2.0 * step(19, 20), "the step from the last frame to the first");

    bake(&part, &format!("{PATCH} --frames 25..28")).expect(0, &["wrote 3 frame(s)"]);
    let whole = files(&whole);
    for (name, bytes) in files(&part).iter().filter(|(name, _)| *name != "bake.json") {
        assert!(whole[name] == *bytes, "{name}");
    }
    assert_eq!((whole.len(), files(&part).len()), (1 + 40 * 3, 1 + 3 * 3));
}

#[test]
fn a_bake_is_taken_up_again_and_no_other() {
    let out = folder("bake-resume");
    let line = "--cascades 1 --format exr,png,npy";
    bake(&out, &format!("{line} --frames 0..4")).expect(0, &["wrote 4 frame(s)"]);
    let before = files(&out);
    assert_eq!(before.len(), 1 + 4 * 9);
    let torn = out.join("cascade0_slopes_00001.exr");
    fs::write(&torn, &before["cascade0_slopes_00001.exr"][..900]).unwrap();
    fs::remove_file(out.join("cascade0_stretches_00003.npy")).unwrap();
    let kept = out.join("cascade0_slopes_00000.exr");
    let modified = fs::metadata(&kept).unwrap().modified().unwrap();
    bake(&out, &format!("{line} --frames 0..4 --resume"))
        .expect(0, &["2 of 4 frame(s) are complete", "wrote 2 frame(s)"]);
    assert!(files(&out) == before);
    assert_eq!(fs::metadata(&kept).unwrap().modified().unwrap(), modified);
    bake(&out, &format!("{line} --frames 0..4 --resume")).expect(0, &["nothing to write"]);

    for (options, hint) in [
        ("--seed 4 --resume", "sea.seed is 3 there and 4 here"),
        ("--seed 4 --frames 2", "sea.seed is 3 there and 4 here"),
        ("--fps 20 --loop-s 4 --resume", "fps is 10.0 there and 20.0 here"),
    ] {
        bake(&out, &format!("{line} {options}")).expect_failure(1, &["holds another bake", hint]);
        assert!(files(&out) == before, "{options}");
    }
    fs::write(out.join("notes.txt"), "mine").unwrap();
    bake(&out, "--cascades 1 --seed 4 --loop-s 0.2 --format npy").expect(0, &["wrote 2 frame(s)"]);
    assert_eq!(files(&out).len(), 1 + 1 + 2 * 3, "files of the other bake are left");
}

#[test]
fn every_format_holds_the_same_numbers() {
    let out = folder("bake-formats");
    bake(&out, &format!("{PATCH} --format exr,png,npy --depth float --frames 1"))
        .expect(0, &["9 file(s)"]);
    bake(&out.join("half"), &format!("{PATCH} --depth half --frames 1")).expect(0, &[]);
    let index = index(&out);
    let rows = index["patches"][0]["images"].as_array().unwrap();
    assert_eq!(rows.len(), 9);
    for row in rows.iter().filter(|row| row["format"] == "png") {
        let path = |extension: &str| {
            out.join(format!("sea_{}_00000.{extension}", row["name"].as_str().unwrap()))
        };
        let (exact, found) = (npy(&path("npy")), exr(&path("exr")));
        assert!(exact == found, "{row}");
        let numbers = |key: &str| -> Vec<f64> {
            row[key].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
        };
        let (offset, scale) = (numbers("offset"), numbers("scale"));
        let picture = image::open(path("png")).unwrap();
        assert_eq!(picture.color(), image::ColorType::Rgb16);
        let half = exr(&out.join("half").join(path("exr").file_name().unwrap()));
        for ((exact, pixel), half) in exact.iter().zip(picture.to_rgb16().pixels()).zip(half) {
            for channel in 0..3 {
                let value =
                    offset[channel] + scale[channel] * f64::from(pixel.0[channel]) / 65535.0;
                let rounding = 0.5 * scale[channel] / 65535.0;
                near(value, exact[channel], 1.001 * rounding + 1e-6, "PNG");
                let rounding = exact[channel].abs().max(6.2e-5) / 2048.0;
                near(half[channel], exact[channel], rounding, "half");
            }
        }
    }
}

/// Low seas need no more than 16 bits, and high ones do.
#[test]
fn the_floats_follow_from_the_height() {
    let out = folder("bake-depth");
    for (preset, expected) in [("calm", "half"), ("storm", "float")] {
        let out = out.join(preset);
        bake(&out, &format!("--preset {preset} --cascades 1 --frames 1")).expect(0, &[]);
        let images = &index(&out)["patches"][0]["images"];
        assert_eq!(
            (&images[0]["sample"], &images[1]["sample"]),
            (&expected.into(), &"half".into())
        );
    }
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_whole_files() {
    use std::process::Command;

    let out = folder("bake-full");
    // 32 KiB: less than displacements in 32-bit floats, and more than the index and the scripts.
    let options = format!("{PATCH} --frames 3");
    let line = format!(
        "trap '' XFSZ; ulimit -f 64; exec {} bake --out {} {SMALL} {options}",
        env!("CARGO_BIN_EXE_seaway"),
        out.display()
    );
    // The driver's cache of shaders is a file, too.
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).env("MESA_SHADER_CACHE_DISABLE", "true");
    let output = shell.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    for words in ["could not be written", "of 3 frame(s) written", "--resume continues"] {
        assert!(stderr.contains(words), "{words} is not in: {stderr}");
    }
    for name in files(&out).keys().filter(|name| *name != "bake.json") {
        exr(&out.join(name));
    }
    bake(&out, &format!("{options} --resume")).expect(0, &["wrote 3 frame(s)"]);
    assert_eq!(files(&out).len(), 1 + 3 * 3);
}

#[test]
fn a_mesh_is_one_gltf_of_the_same_surface() {
    let out = folder("bake-mesh");
    bake(&out, &format!("{PATCH} --mesh --frames 12..13")).expect(0, &["wrote 1 frame(s)"]);
    let files = files(&out);
    assert_eq!(files.keys().collect::<Vec<_>>(), ["sea_00012.glb"]);
    let file = &files["sea_00012.glb"];
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&file[..4], word(4), word(8)), (&b"glTF"[..], 2, file.len()));
    let json_bytes = word(12);
    assert_eq!((&file[16..20], json_bytes % 4), (&b"JSON"[..], 0));
    let document: Value = serde_json::from_slice(&file[20..20 + json_bytes]).unwrap();
    let binary = 20 + json_bytes;
    assert_eq!(&file[binary + 4..binary + 8], b"BIN\0");
    let data = &file[binary + 8..];
    assert_eq!(
        (word(binary), &document["buffers"][0]["byteLength"]),
        (data.len(), &data.len().into())
    );
    assert_eq!(document["asset"]["version"], "2.0");

    let primitive = &document["meshes"][0]["primitives"][0];
    let view = |accessor: &Value| {
        let accessor = &document["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let number = |key: &str| view[key].as_u64().unwrap() as usize;
        let bytes = &data[number("byteOffset")..][..number("byteLength")];
        assert_eq!(number("byteOffset") % 4, 0);
        (accessor.clone(), bytes.as_chunks::<4>().0.to_vec())
    };
    let floats = |name: &str| {
        let (accessor, words) = view(&primitive["attributes"][name]);
        let values: Vec<f32> = words.into_iter().map(f32::from_le_bytes).collect();
        (accessor, values)
    };
    let side = SIZE as usize + 1;
    let (accessor, positions) = floats("POSITION");
    let positions = positions.as_chunks::<3>().0;
    assert_eq!((positions.len(), &accessor["count"]), (side * side, &(side * side).into()));
    for (key, pick) in [("min", f32::min as fn(f32, f32) -> f32), ("max", f32::max)] {
        for axis in 0..3 {
            let found = positions.iter().map(|point| point[axis]).reduce(pick).unwrap();
            assert_eq!(accessor[key][axis].as_f64().unwrap(), f64::from(found), "{key}");
        }
    }
    let at_texel = patch_at(12);
    let (_, normals) = floats("NORMAL");
    let (_, foam) = floats("_FOAM");
    assert_eq!((floats("COLOR_0").1.len(), foam.len()), (3 * side * side, side * side));
    for (at, position) in positions.iter().enumerate() {
        let [i, j] = [at % side, at / side];
        let around = [i, j].map(|index| if index + 1 == side { 400.0 } else { 0.0 });
        let found = at_texel(j % (side - 1) * (side - 1) + i % (side - 1));
        let expected =
            [found.position_m[0] + around[0], found.height_m, found.position_m[1] + around[1]];
        for axis in 0..3 {
            near(position[axis], expected[axis], 1e-3, "position");
            near(normals[3 * at + axis], found.normal[axis], 1e-4, "normal");
        }
    }
    // Triangles face up, by the geometry alone.
    let (accessor, words) = view(&primitive["indices"]);
    assert_eq!(accessor["componentType"], 5125);
    let corners: Vec<usize> =
        words.into_iter().map(|word| u32::from_le_bytes(word) as usize).collect();
    let (triangles, []) = corners.as_chunks::<3>() else { panic!("no whole triangles") };
    assert_eq!(triangles.len(), 2 * (SIZE * SIZE) as usize);
    let area = triangles.iter().map(|[a, b, c]| {
        let edge =
            |to: usize| [0, 2].map(|axis| f64::from(positions[to][axis] - positions[*a][axis]));
        let ([ux, uz], [vx, vz]) = (edge(*b), edge(*c));
        0.5 * (uz * vx - ux * vz)
    });
    near(area.sum::<f64>(), 400.0 * 400.0, 1.0, "the area seen from above");
}

#[test]
fn wrong_usage_is_named() {
    let out = folder("bake-wrong").join("out");
    for (options, hint) in [
        ("--fps 0", "from 0.001 to 1000"),
        ("--loop-s 0", "from 0.1 to 3600"),
        ("--loop-s 3600 --fps 1000", "choose another --loop-s or --fps"),
        ("--loop-s 3600 --fps 0.0001", "from 0.001 to 1000"),
        ("--frames 3..3", "write 3..4"),
        ("--size 100", "64 and 128 are"),
        ("--cascades 5", "1 to 4"),
        ("--combine 0", "from 1 to 1000000"),
        ("--combine 100 --cascades 2", "cannot be used with"),
        ("--combine nan", "from 1 to 1000000"),
        ("--mesh", "--combine"),
        ("--combine 100 --mesh --format png", "cannot be used with"),
        ("--combine 100 --mesh --resume", "cannot be used with"),
        ("--format tiff", "exr"),
        ("--depth double", "half"),
        ("--wind-speed-mps 900", "0.5 to 40"),
    ] {
        seaway(&format!("bake --out {} {options}", out.display()))
            .expect_failure(2, &[hint, "--help"]);
    }
    seaway("bake").expect_failure(2, &["--out"]);
    assert!(!out.exists());
    let line = format!("bake --out {}", out.display());
    seaway_with(&line, &NO_ADAPTER).expect_failure(3, &["no usable graphics adapter"]);
    bake(&out, "--combine 40 --frames 1").expect(0, &["warning: a patch of 40 m", "or more"]);
}
