//! `--algorithm auto`, and where it keeps what it has measured.

use std::fs;

use seaway::fft::lab::Algorithm;
use seaway_core::choice::Choice as _;

use crate::support::{NO_ADAPTER, Outcome, folder, seaway_with};

/// Runs `seaway` with a cache of its own.
fn seaway_in(cache: &std::path::Path, line: &str) -> Outcome {
    seaway_with(line, &[("SEAWAY_CACHE_DIR", cache.to_str().unwrap())])
}

const KERNEL: &str = "kernel --algorithm auto --size 32 --batch 2";

#[test]
fn what_is_measured_is_kept_and_used_again() {
    let folder = folder("auto-kept");
    let cache = folder.join("deep");
    let file = cache.join("tuned.json");
    let path = file.to_str().unwrap();
    let first =
        seaway_in(&cache, KERNEL).expect(0, &["auto, 32x32, batch 2: ", "the best of", path]);
    let text = fs::read_to_string(&file).unwrap();
    let kept: serde_json::Value = serde_json::from_str(&text).unwrap();
    let entry = &kept["entries"][0];
    let chosen = entry["tuned"]["algorithm"].as_str().unwrap();
    assert!(Algorithm::NAMES.contains(&chosen));
    assert!(first.stderr.contains(chosen) && first.stdout.contains(chosen), "{}", first.stderr);
    assert!(entry["tuned"]["median_us"].as_f64().unwrap() > 0.0);
    let problem = &entry["key"]["problem"];
    assert_eq!((&problem["batch"], &problem["layout"]), (&2.into(), &"planar".into()));
    assert!(problem.get("algorithm").is_none());

    let again = seaway_in(&cache, KERNEL).expect(0, &["measured before", path]);
    assert_eq!(again.stdout, first.stdout);
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "nothing new to keep");

    // Another problem, and other limits, are measured on their own.
    seaway_in(&cache, "kernel --algorithm auto --size 32 --batch 3").expect(0, &["the best of"]);
    seaway_in(&cache, &format!("{KERNEL} --limits webgpu")).expect(0, &["the best of"]);
    let kept: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(kept["entries"].as_array().unwrap().len(), 3);
}

#[test]
fn what_is_kept_is_what_runs() {
    let cache = folder("auto-forged");
    let file = cache.join("tuned.json");
    seaway_in(&cache, KERNEL).expect(0, &[]);
    let mut kept: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let forge = |kept: &mut serde_json::Value, name: &str| {
        kept["entries"][0]["tuned"]["algorithm"] = name.into();
        kept["entries"][0]["tuned"]["parameters"] = serde_json::json!({});
        fs::write(&file, kept.to_string()).unwrap();
    };
    forge(&mut kept, "transpose");
    let outcome = seaway_in(&cache, KERNEL).expect(0, &["transpose", "measured before"]);
    assert!(outcome.stdout.contains("transpose"));
    // Without the cache it is neither read nor written.
    let text = fs::read_to_string(&file).unwrap();
    seaway_in(&cache, &format!("{KERNEL} --no-cache")).expect(0, &["the best of", "not stored"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    // An algorithm that this version does not have.
    forge(&mut kept, "stockham-r1024");
    seaway_in(&cache, KERNEL).expect(0, &["the best of"]);
}

#[test]
fn a_broken_or_unwritable_cache_is_only_a_warning() {
    let cache = folder("auto-broken");
    fs::write(cache.join("tuned.json"), "{\"format\": 1, \"entr").unwrap();
    seaway_in(&cache, KERNEL).expect(0, &["tuned.json is malformed and is ignored", "the best of"]);
    seaway_in(&cache, KERNEL).expect(0, &["measured before"]);
    // A file where the folder should be.
    let file = cache.join("file");
    fs::write(&file, "").unwrap();
    seaway_in(&file, KERNEL).expect(0, &["could not be written", "the best of"]);
    // Nothing is kept of what was not measured.
    let none = cache.join("none");
    seaway_in(&none, "kernel --algorithm dft --size 8").expect(0, &[]);
    assert!(!none.exists());
}

#[test]
fn every_command_that_takes_an_algorithm_takes_auto() {
    let folder = folder("auto-commands");
    let cache = folder.join("cache");
    let line =
        "bench --algorithm auto --size 32 --batch 2 --samples 3 --peer rustfft --format json";
    let rows = seaway_in(&cache, line).expect(0, &["auto, 32x32, batch 2"]).json();
    assert_eq!(rows.as_array().unwrap().len(), 1);
    assert_eq!(rows[0]["algorithm"], "auto");
    assert!(rows[0]["relative_l2_error"].as_f64().unwrap() < 1e-6, "{rows}");
    let table = seaway_in(&cache, &line.replace("json", "table")).expect(0, &["measured before"]);
    assert!(table.stdout.contains("auto 32 batch 2 hot is "), "{}", table.stdout);

    let line = "verify --algorithm auto --size 16 --batch 3 --format json";
    let rows = seaway_in(&cache, line).expect(0, &["2 transforms passed"]).json();
    assert_eq!((&rows[0]["algorithm"], &rows[0]["passed"]), (&"auto".into(), &true.into()));
    // Too large for the limits: skipped with the reason, like any other.
    let line = "verify --algorithm auto --size 8192 --batch 1 --limits webgpu --format json";
    let rows = seaway_in(&cache, line).expect(0, &["0 transforms passed"]).json();
    assert!(rows[0]["skipped"].as_str().unwrap().contains("maxStorageBufferBindingSize"), "{rows}");

    let out = folder.join("profile");
    let line = "profile --algorithm auto --size 16 --cascades 1 --frames 2 --resolution 64x48 --quality low --foam-texels 0";
    seaway_in(&cache, &format!("{line} --out {}", out.display()))
        .expect(0, &["auto, 16 x 1, fused: ", "capture.puffin"]);
    let line = line.replace("--algorithm auto", "--compare auto,dft --path fused --patience-s 0");
    let compared = seaway_in(&cache, &format!("{line} --out {}", out.display()))
        .expect(0, &["measured before", "compare.{json,csv,md}"]);
    assert!(compared.stdout.contains("auto ("), "{}", compared.stdout);

    seaway_with(KERNEL, &NO_ADAPTER).expect_failure(3, &["no usable graphics adapter"]);
}
