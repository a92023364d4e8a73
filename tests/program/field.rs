//! `seaway field`: what its files hold, read back.

use std::collections::BTreeSet;
use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

use seaway::fft::lab::cpu;
use seaway::fft::{Axes, Direction};
use seaway::settings::{Preset, SeaState};
use seaway::spectrum::InitialSpectrum;
use serde_json::Value;

use crate::fft::load;
use crate::support::{NO_ADAPTER, Outcome, folder, seaway, seaway_with};
use seaway_core::testing::tolerance::{at_least, at_most, near};

const SIZE: u32 = 64;
const CASCADES: u32 = 2;
/// The largest allowed error of an ocean's fields on a GPU, over the largest value of the complex image
/// that two of them share (as in the tests of the ocean itself).
const FIELD: f64 = 1e-6;

fn field(out: &Path, options: &str) -> Outcome {
    let line = format!("field --out {} --size {SIZE} --cascades {CASCADES}", out.display());
    seaway(&format!("{line} {options}"))
}

fn index(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("field.json")).unwrap()).unwrap()
}

fn names(out: &Path) -> BTreeSet<String> {
    let names = fs::read_dir(out).unwrap();
    names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// The values at each point, `[z][x]`.
fn read<const COMPONENTS: usize>(out: &Path, name: &str) -> Vec<[f64; COMPONENTS]> {
    let path = out.join(name);
    let header = fs::read(&path).unwrap();
    let header = String::from_utf8_lossy(&header[..128]).into_owned();
    assert!(header.contains("'descr': '<f4'"), "{header}");
    let (shape, values) = load::<f32>(&path);
    assert_eq!(shape, [SIZE.into(), SIZE.into(), COMPONENTS as u64], "{name}");
    let point = |point: &[f32]| std::array::from_fn(|component| f64::from(point[component]));
    values.chunks_exact(COMPONENTS).map(point).collect()
}

/// A storm whose choppiness is not 1, so that it shows what was multiplied by it.
const STORM: &str = "--preset storm --choppiness 0.7 --seed 5 --time 12.5";

fn storm() -> SeaState {
    SeaState { choppiness: 0.7, seed: 5, ..Preset::load("storm").unwrap().sea }
}

/// The eight fields of each cascade of the storm: as the files have them, and in double precision.
fn both(out: &Path) -> Vec<[Vec<[f64; 8]>; 2]> {
    let initial = InitialSpectrum::new(&storm(), SIZE, CASCADES).unwrap();
    let exact = seaway::ocean::cpu::fields(&initial, 12.5);
    let found = |cascade: usize| {
        let displacement = read::<3>(out, &format!("cascade{cascade}_displacement.npy"));
        let derivatives = read::<5>(out, &format!("cascade{cascade}_derivatives.npy"));
        displacement
            .into_iter()
            .zip(derivatives)
            .map(|([x, y, z], [h_dx, h_dz, dx_dx, dz_dz, dx_dz])| {
                [x / 0.7, z / 0.7, y, h_dx, h_dz, dx_dz, dx_dx, dz_dz]
            })
            .collect()
    };
    exact.into_iter().enumerate().map(|(cascade, exact)| [found(cascade), exact]).collect()
}

/// The largest absolute value of the complex image that holds `field`.
fn largest(exact: &[[f64; 8]], field: usize) -> f64 {
    let image = 2 * (field / 2);
    exact.iter().map(|fields| fields[image].hypot(fields[image + 1])).fold(0.0, f64::max)
}

#[test]
fn files_hold_the_fields_of_double_precision() {
    let out = folder("field-exact");
    field(&out, STORM).expect(0, &["adapter: ", "wrote 1 frame(s) of 2 cascade(s)"]);
    for (cascade, [found, exact]) in both(&out).iter().enumerate() {
        for field in 0..8 {
            let largest = largest(exact, field);
            at_least(largest, 1e-3, "the largest value");
            for (found, exact) in found.iter().zip(exact) {
                let what = format_args!("cascade {cascade}, field {field}");
                // And a rounding of the product with the choppiness, less than 2^-24 of it.
                near(found[field], exact[field], (FIELD + 6e-8) * largest, what);
            }
        }
    }
}

/// The numbers are the twin's, each rounded once, on a machine without an adapter too.
#[test]
fn on_the_processor_they_are_double_precision_rounded_once() {
    let out = folder("field-cpu");
    let line = format!("field --out {} --size {SIZE} --cascades {CASCADES}", out.display());
    seaway_with(&format!("{line} {STORM} --cpu"), &NO_ADAPTER).expect(0, &["wrote 1 frame(s)"]);
    let initial = InitialSpectrum::new(&storm(), SIZE, CASCADES).unwrap();
    for (cascade, exact) in seaway::ocean::cpu::fields(&initial, 12.5).iter().enumerate() {
        let rounded = |value: f64| f64::from(value as f32);
        let displacement = read::<3>(&out, &format!("cascade{cascade}_displacement.npy"));
        let derivatives = read::<5>(&out, &format!("cascade{cascade}_derivatives.npy"));
        for (at, &[dx, dz, h, h_dx, h_dz, dx_dz, dx_dx, dz_dz]) in exact.iter().enumerate() {
            assert_eq!(displacement[at], [0.7 * dx, h, 0.7 * dz].map(rounded));
            assert_eq!(derivatives[at], [h_dx, h_dz, dx_dx, dz_dz, dx_dz].map(rounded));
        }
    }
    let index = index(&out);
    assert_eq!((&index["adapter"], &index["arithmetic"]), (&Value::Null, &"f64".into()));
}

/// The derivative along X or Z of a periodic field, exact for what its grid can hold.
fn derivative(values: &[f64], cascade: &Value, along_z: bool) -> Vec<f64> {
    let [patch_size_m, rotation_deg] =
        ["patch_size_m", "rotation_deg"].map(|key| cascade[key].as_f64().unwrap());
    let (sin, cos) = rotation_deg.to_radians().sin_cos();
    let side = SIZE as usize;
    let mut image: Vec<_> = values.iter().map(|&value| [value, 0.0]).collect();
    cpu::transform(&mut image, [SIZE; 2], Axes::Both, Direction::Forward).unwrap();
    for (at, value) in image.iter_mut().enumerate() {
        // Half of the sampling rate has no direction, and holds no wave.
        let [i, j] = [at % side, at / side].map(|position| match 2 * position {
            twice if twice == side => 0.0,
            twice if twice < side => position as f64,
            _ => position as f64 - side as f64,
        });
        let along = if along_z { sin * i + cos * j } else { cos * i - sin * j };
        let k = TAU / patch_size_m * along;
        let scale = k / (side * side) as f64;
        *value = [-scale * value[1], scale * value[0]];
    }
    cpu::transform(&mut image, [SIZE; 2], Axes::Both, Direction::Inverse).unwrap();
    image.into_iter().map(|[re, _]| re).collect()
}

fn root_mean_square(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    (values.map(|value| value * value).sum::<f64>() / count).sqrt()
}

/// No twin is asked here: the files agree with each other by calculus.
#[test]
fn derivatives_are_those_of_the_displacement() {
    let out = folder("field-derivatives");
    field(&out, STORM).expect(0, &[]);
    let index = index(&out);
    for cascade in 0..CASCADES as usize {
        let displacement = read::<3>(&out, &format!("cascade{cascade}_displacement.npy"));
        let derivatives = read::<5>(&out, &format!("cascade{cascade}_derivatives.npy"));
        let patch_size_m = index["cascades"][cascade]["patch_size_m"].as_f64().unwrap();
        let nyquist = TAU / patch_size_m * f64::from(SIZE / 2);
        for (slope, (component, along_z, factor)) in
            [(1, false, 1.0), (1, true, 1.0), (0, false, 0.7), (2, true, 0.7), (0, true, 0.7)]
                .into_iter()
                .enumerate()
        {
            let values: Vec<_> =
                displacement.iter().map(|point| point[component] / factor).collect();
            let exact = derivative(&values, &index["cascades"][cascade], along_z);
            let error = derivatives.iter().zip(&exact).map(|(point, exact)| point[slope] - exact);
            // Whatever shares an image with whatever, the sum of both is the larger; and in the mean
            // square an error of the displacement grows by its wavenumber at most.
            let sizes = displacement.iter().map(|point| point.iter().map(|part| part.abs()).sum());
            let longest = sizes.fold(0.0, |most: f64, size: f64| most.max(size / 0.7));
            let sizes = derivatives.iter().flatten();
            let steepest = sizes.fold(0.0_f64, |most, slope| most.max(slope.abs()));
            let allowed = (FIELD + 6e-8) * (nyquist + 1.0) * (longest + steepest);
            let what = format!("cascade {cascade}, derivative {slope}: error");
            at_most(root_mean_square(error), allowed, what);
            let size = root_mean_square(exact.iter().copied());
            at_least(size, 100.0 * allowed, "beside which the errors are small: the derivative");
        }
    }
}

#[test]
fn the_index_says_what_the_files_hold() {
    let out = folder("field-index");
    field(&out, STORM).expect(0, &[]);
    let json = index(&out);
    let help = seaway("field --help").expect(0, &[]).stdout;
    let mut keys: BTreeSet<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    for rows in [&json["cascades"], &json["frames"], &json["frames"][0]["files"]] {
        keys.extend(rows[0].as_object().unwrap().keys().map(String::as_str));
    }
    for key in keys {
        assert!(help.contains(key), "--help does not say what {key} is");
    }
    for words in ["metres", "[z][x]", "choppiness", "modulo", "Examples:", "--cpu"] {
        assert!(help.contains(words), "{words} is not in: {help}");
    }

    assert_eq!(json["version"], env!("CARGO_PKG_VERSION"));
    let command_line = json["command_line"].as_array().unwrap();
    assert_eq!((&command_line[0], &command_line[1]), (&"seaway".into(), &"field".into()));
    assert!(command_line.contains(&"storm".into()));
    assert!(!json["adapter"].as_str().unwrap().is_empty());
    assert_eq!((&json["arithmetic"], &json["preset"]), (&"f32".into(), &"storm".into()));
    assert_eq!(serde_json::from_value::<SeaState>(json["sea"].clone()).unwrap(), storm());
    assert_eq!((json["seed"].as_u64(), json["choppiness"].as_f64()), (Some(5), Some(0.7)));
    assert_eq!(json["size"], SIZE);
    let initial = InitialSpectrum::new(&storm(), SIZE, CASCADES).unwrap();
    for (key, wanted_m) in [
        ("significant_wave_height_m", initial.summary.significant_wave_height_m),
        ("carried_significant_wave_height_m", initial.significant_wave_height_m()),
    ] {
        near(json[key].as_f64().unwrap(), wanted_m, 1e-12 * wanted_m, key);
    }
    for (cascade, wanted) in initial.cascades.iter().enumerate() {
        let found = &json["cascades"][cascade];
        for (key, wanted) in [
            ("patch_size_m", wanted.patch_size_m),
            ("spacing_m", wanted.patch_size_m / f64::from(SIZE)),
            ("rotation_deg", wanted.rotation_rad().to_degrees()),
            ("first_rad_per_m", wanted.first_rad_per_m),
            ("last_rad_per_m", wanted.last_rad_per_m),
            ("variance_m2", initial.variance_m2[cascade]),
        ] {
            near(found[key].as_f64().unwrap(), wanted, 1e-12 * wanted, key);
        }
    }
    assert_eq!(json["displacement_components"], serde_json::json!(["x_m", "y_m", "z_m"]));
    assert_eq!(json["derivative_components"].as_array().unwrap().len(), 5);

    // A reader of the files measures the same.
    let frame = &json["frames"][0];
    assert_eq!((frame["frame"].as_u64(), frame["time_s"].as_f64()), (Some(0), Some(12.5)));
    let mut listed = BTreeSet::from(["field.json".to_owned()]);
    let mut variance_m2 = 0.0;
    for files in frame["files"].as_array().unwrap() {
        let name = files["displacement"].as_str().unwrap();
        let heights = read::<3>(&out, name);
        // (Their mean is zero: there is no wave at k = 0.)
        let measured_m2 = root_mean_square(heights.iter().map(|point| point[1])).powi(2);
        let said_m2 = files["measured_variance_m2"].as_f64().unwrap();
        near(said_m2, measured_m2, 1e-9 * measured_m2, name);
        variance_m2 += said_m2;
        listed.insert(name.to_owned());
        listed.insert(files["derivatives"].as_str().unwrap().to_owned());
    }
    let height_m = 4.0 * variance_m2.sqrt();
    for place in [frame, &json] {
        let said_m = place["measured_significant_wave_height_m"].as_f64().unwrap();
        near(said_m, height_m, 1e-12 * height_m, "Hs");
    }
    assert_eq!(names(&out), listed, "and nothing else");
}

/// A sea of one seed is one draw: the mean over many is what theory says, within what their own
/// scatter leaves open.
#[test]
fn measured_wave_heights_are_those_of_theory() {
    const SEEDS: u32 = 16;
    let out = folder("field-height");
    let runs: Vec<[f64; 2]> = (0..SEEDS)
        .map(|seed| {
            // The processor computes the same on every machine.
            field(&out, &format!("--cpu --seed {seed} --time 100")).expect(0, &[]);
            let index = index(&out);
            let variance_m2 = |key: &str| (index[key].as_f64().unwrap() / 4.0).powi(2);
            [
                variance_m2("measured_significant_wave_height_m"),
                variance_m2("carried_significant_wave_height_m"),
            ]
        })
        .collect();
    let wanted = runs[0][1];
    let mean = runs.iter().map(|run| run[0]).sum::<f64>() / f64::from(SEEDS);
    let scatter = runs.iter().map(|run| (run[0] - mean).powi(2)).sum::<f64>();
    let scatter = (scatter / f64::from(SEEDS - 1)).sqrt();
    at_most(scatter, 0.25 * wanted, "scatter of the variance from seed to seed");
    let open = 3.5 * scatter / f64::from(SEEDS).sqrt();
    near(mean, wanted, open, "variance of the heights in m2");
}

#[test]
fn a_sequence_has_its_frames_by_number() {
    let (sequence, single) = (folder("field-sequence"), folder("field-single"));
    field(&sequence, "--frames 7..9 --fps 2 --time 1").expect(0, &["wrote 2 frame(s)"]);
    let json = index(&sequence);
    let of = |key: &str| -> Vec<f64> {
        let frames = json["frames"].as_array().unwrap().iter();
        frames.map(|frame| frame[key].as_f64().unwrap()).collect()
    };
    assert_eq!((of("frame"), of("time_s")), (vec![7.0, 8.0], vec![4.5, 5.0]));
    let wanted: BTreeSet<String> = ["frame_0007", "frame_0008"]
        .iter()
        .flat_map(|frame| (0..CASCADES).map(move |cascade| format!("{frame}_cascade{cascade}")))
        .flat_map(|name| ["displacement", "derivatives"].map(|what| format!("{name}_{what}.npy")))
        .chain(["field.json".to_owned()])
        .collect();
    assert_eq!(names(&sequence), wanted);
    let bytes = |out: &Path, name: &str| fs::read(out.join(name)).unwrap();
    let [seventh, eighth] =
        [7, 8].map(|n| bytes(&sequence, &format!("frame_000{n}_cascade0_displacement.npy")));
    assert!(seventh != eighth, "the sea stands still");
    // A frame is the surface at its time, whichever run computes it.
    field(&single, "--time 5").expect(0, &[]);
    assert!(bytes(&single, "cascade0_displacement.npy") == eighth);
    // One frame of a sequence is still one of a sequence.
    let third = folder("field-third");
    field(&third, "--frames 3..4 --cpu").expect(0, &[]);
    assert!(third.join("frame_0003_cascade1_derivatives.npy").exists());
}

#[test]
fn no_folder_holds_files_of_two_runs() {
    let out = folder("field-older");
    field(&out, "--cpu --frames 3").expect(0, &["of these cascades and"]);
    let before = names(&out);
    let read =
        || -> Vec<_> { names(&out).iter().map(|name| fs::read(out.join(name)).unwrap()).collect() };
    let bytes = read();
    for (options, named) in [
        ("", "frame_0000_cascade0_derivatives.npy and 11 more"),
        ("--frames 1..9", "frame_0000_cascade0_derivatives.npy and 3 more"),
        ("--frames 3 --cascades 1", "frame_0000_cascade1_derivatives.npy and 5 more"),
    ] {
        field(&out, &format!("--cpu {options}")).expect_failure(1, &[named, "another --out"]);
        assert!(names(&out) == before && read() == bytes, "{options}");
    }
    // An interrupted run has no index.
    fs::remove_file(out.join("field.json")).unwrap();
    field(&out, "--cpu --frames 2").expect_failure(1, &["frame_0002_cascade0", "another --out"]);
    // All are replaced, and what is not ours stays.
    fs::write(out.join("notes.npy"), "mine").unwrap();
    field(&out, "--cpu --frames 4 --time 3").expect(0, &["wrote 4 frame(s)"]);
    assert_eq!(names(&out).len(), before.len() + 5);
    assert_eq!(index(&out)["frames"].as_array().unwrap().len(), 4);
}

#[test]
fn wrong_usage_says_what_to_write() {
    for (options, hint) in [
        ("", "--out"),
        ("--out x --size 300", "256 and 512 are"),
        ("--out x --size 8", "16 to 8192"),
        ("--out x --cascades 5", "1 to 4"),
        ("--out x --frames 0", "from 1"),
        ("--out x --frames 5..5", "write 5..6"),
        ("--out x --fps 0", "expected a number"),
        ("--out x --time soon", "expected a number"),
        ("--out x --wind-speed-mps 900", "0.5 to 40 m/s"),
        ("--out x --wind-sped-mps 9", "--wind-speed-mps"),
        ("--out x --camera 0,5,0,0,0", "--camera"),
    ] {
        seaway(&format!("field {options}")).expect_failure(2, &[hint, "--help"]);
    }
    seaway("field --out x --preset no-such-sea").expect_failure(1, &["no-such-sea", "breeze"]);
    assert!(!Path::new("x").exists(), "judged before anything is made");
}

#[test]
fn what_cannot_be_written_or_computed_is_named() {
    let folder = folder("field-failures");
    let file = folder.join("file");
    fs::write(&file, "").unwrap();
    field(&file.join("out"), "--cpu")
        .expect_failure(1, &["field-failures", "could not be created"]);

    // An index of an earlier run does not stay behind to speak of other files.
    let out = folder.join("out");
    field(&out, "--cpu").expect(0, &[]);
    fs::remove_file(out.join("cascade1_derivatives.npy")).unwrap();
    fs::create_dir(out.join("cascade1_derivatives.npy")).unwrap();
    field(&out, "--cpu --time 3")
        .expect_failure(1, &["cascade1_derivatives.npy", "could not be replaced"]);
    assert!(!out.join("field.json").exists());

    // Without an adapter nothing there is touched.
    let out = folder.join("kept");
    field(&out, "--cpu").expect(0, &[]);
    let line = format!("field --out {}", out.display());
    seaway_with(&line, &NO_ADAPTER).expect_failure(3, &["no usable graphics adapter", "install"]);
    let line = format!("{line} --size 8192 --limits webgpu");
    seaway(&line).expect_failure(1, &["8192", "max"]);
    assert_eq!(index(&out)["size"], SIZE);
}
