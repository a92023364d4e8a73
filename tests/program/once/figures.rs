//! Tests of the command `seaway figures`.

use std::fs;
use std::path::Path;

use crate::support::{NO_ADAPTER, folder, seaway, seaway_with};

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Measured in a hurry, and drawn again from what was measured, without an adapter.
#[test]
fn figures_are_measured_and_drawn_again_from_files() {
    let out = folder("figures");
    let figures = "13,003-table-3,table-2,004-exchange,004-additive";
    let line = format!("figures --quick --figure {figures} --out {}", out.display());
    seaway(&line).expect(0, &["no claim", "5 of 5 figures"]);
    let expected = [
        "003-table-3.csv",
        "003-table-3.svg",
        "004-additive.csv",
        "004-additive.svg",
        "004-exchange.csv",
        "004-exchange.svg",
        "13.csv",
        "13.svg",
        "index.md",
        "measurements.json",
        "table-2.csv",
        "table-2.svg",
    ];
    assert_eq!(names(&out), expected);
    let index = fs::read_to_string(out.join("index.md")).unwrap();
    for words in ["no claim", "The paper says", "**Here: ", "seaway bench", "Mota", "Zhang"] {
        assert!(index.contains(words), "{words}: {index}");
    }
    let csv = fs::read_to_string(out.join("13.csv")).unwrap();
    assert!(csv.starts_with("side of an image,a pass per stage (images),"), "{csv}");
    assert_eq!(csv.lines().count(), 3, "{csv}");

    let again = folder("figures-again");
    let from = out.join("measurements.json");
    let line =
        format!("figures --figure {figures} --from {} --out {}", from.display(), again.display());
    seaway_with(&line, &NO_ADAPTER).expect(0, &["5 of 5 figures"]);
    for name in expected.iter().filter(|name| name.ends_with("csv") || name.ends_with("svg")) {
        assert_eq!(
            fs::read(out.join(name)).unwrap(),
            fs::read(again.join(name)).unwrap(),
            "{name}"
        );
    }
}

/// A folder that has measurements only gets what they lack.
#[test]
fn figures_add_what_was_not_measured() {
    let out = folder("figures-resumed");
    let line = format!("figures --quick --figure table-2,13 --out {}", out.display());
    seaway(&line).expect(0, &["2 of 2 figures"]);
    let path = out.join("measurements.json");
    let read = || -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap()
    };
    let whole = read();
    let commands = whole["commands"].as_array().unwrap();
    assert!(whole["complete"] == true && commands.len() == 4, "{commands:?}");

    let mut part = whole.clone();
    part["complete"] = false.into();
    part["commands"].as_array_mut().unwrap().remove(0);
    part["cpu"] = serde_json::json!([]);
    fs::write(&path, part.to_string()).unwrap();
    seaway(&line).expect(0, &["has 3 commands", "1 of 4: seaway bench --cpu", "2 of 2"]);
    let again = read();
    let names = |all: &serde_json::Value| -> Vec<_> {
        let rows = all["rows"].as_array().unwrap().iter();
        rows.map(|row| (row["algorithm"].clone(), row["size"].clone(), row["samples"].clone()))
            .collect()
    };
    assert_eq!(names(&again), names(&whole));
    assert_eq!(again["cpu"].as_array().unwrap().len(), whole["cpu"].as_array().unwrap().len());
    assert_eq!((&again["complete"], &again["date"]), (&true.into(), &whole["date"]));

    // Other figures are added, what is there is not measured again, and nothing else is mixed in.
    let more = format!("figures --quick --figure 003-table-3 --out {}", out.display());
    seaway(&more).expect(0, &["has 4 commands", "1 of 1: seaway bench", "1 of 1 figures"]);
    let outcome = seaway(&line).expect(0, &["has 5 commands", "2 of 2 figures"]);
    assert!(!outcome.stderr.contains("seaway bench"), "{}", outcome.stderr);
    let at_length = format!("figures --figure 13 --out {}", out.display());
    seaway(&at_length).expect_failure(1, &["in a hurry", "--fresh"]);
    let fresh = format!("figures --quick --figure table-2 --fresh --out {}", out.display());
    seaway(&fresh).expect(0, &["1 of 1: seaway bench --cpu"]);
    assert_eq!(read()["commands"].as_array().unwrap().len(), 1);
}

/// The stored figures of a GPU are drawn without one.
#[test]
fn stored_measurements_need_no_adapter() {
    let out = folder("figures-stored");
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("measurements/nvidia-h200.json");
    let line = format!("figures --from {} --out {}", stored.display(), out.display());
    seaway_with(&line, &NO_ADAPTER).expect(0, &["figures in"]);
    let index = fs::read_to_string(out.join("index.md")).unwrap();
    assert!(index.contains("NVIDIA H200") && !index.contains("no claim"), "{index}");
    assert!(out.join("13.svg").exists() && out.join("15.svg").exists());
    // A message names the figures that are not in the file.
    assert!(index.contains("These measurements lack it"), "{index}");
}

/// The stored page says what the stored measurements give. `UPDATE_REFERENCES=1` draws it again.
#[test]
fn stored_figures_are_drawn_from_stored_measurements() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("measurements/nvidia-h200-figures");
    let out = match std::env::var_os("UPDATE_REFERENCES") {
        Some(_) => stored.clone(),
        None => folder("figures-redrawn"),
    };
    let from = stored.join("measurements.json");
    let line = format!("figures --from {} --out {}", from.display(), out.display());
    seaway_with(&line, &NO_ADAPTER).expect(0, &["33 of 33 figures"]);
    let drawn = names(&out);
    assert!(drawn.len() > 34, "{drawn:?}");
    for name in &drawn {
        let (is, gives) = (fs::read(stored.join(name)).unwrap(), fs::read(out.join(name)).unwrap());
        assert!(is == gives, "{name} is not what the measurements give: UPDATE_REFERENCES=1");
    }
}

/// Sentences of at most 25 words, and cells of at most 160 characters; quotations are as they are.
#[test]
fn the_stored_page_is_short() {
    let path = "measurements/nvidia-h200-figures/index.md";
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let mut is_code = false;
    for line in page.lines().skip(3) {
        is_code ^= line.starts_with("```");
        if is_code || line.starts_with('>') {
            continue;
        }
        if line.starts_with('|') {
            let longest = line.split('|').map(|cell| cell.chars().count()).max();
            assert!(longest <= Some(160), "{line}");
            continue;
        }
        for sentence in line.split(". ") {
            let words = sentence.split_whitespace().count();
            assert!(words <= 25, "{words} words: {sentence}");
        }
    }
}

/// Frames of another adapter are not mixed with the measurements.
#[test]
fn frames_are_kept_with_the_measurements() {
    let out = folder("figures-frames");
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("measurements/nvidia-h200.json");
    let file = out.join("compare.json");
    let frames = |adapter: &str| {
        let row = |name: &str, frame: f64| {
            serde_json::json!({"algorithm": name, "gain": {}, "cpu_us": {},
                "gpu_us": {"horizontal": 100.0, "vertical": 100.0, "ocean": 300.0, "frame": frame}})
        };
        let rows = [row("cooley-tukey-multipass", 1500.0), row("cooley-tukey", 1000.0)];
        let at = serde_json::json!({"size": 512, "cascades": 4, "path": "plain",
            "resolution": [1280, 720], "frames": 120, "frames_by_algorithm": rows});
        let all = serde_json::json!({"adapter": adapter, "date": "2026-01-01T00:00:00Z",
            "command": "seaway profile", "comparisons": [at]});
        fs::write(&file, all.to_string()).unwrap();
        let line = format!(
            "figures --figure 13 --from {} --frames {} --out {}",
            stored.display(),
            file.display(),
            out.display()
        );
        seaway_with(&line, &NO_ADAPTER)
    };
    frames("another").expect_failure(1, &["drawn on another", "NVIDIA H200"]);
    frames("NVIDIA H200").expect(0, &["1 of 1 figures"]);
    let index = fs::read_to_string(out.join("index.md")).unwrap();
    assert!(index.contains("than with a pass per stage. | holds |"), "{index}");
    let kept = fs::read_to_string(out.join("measurements.json")).unwrap();
    assert!(kept.contains("\"frames\":{\"adapter\":\"NVIDIA H200\""), "not kept");
    // They replace those of the same run only.
    frames("NVIDIA H200").expect(0, &["1 of 1 figures"]);
    let date = "\"date\":\"2000-01-01T00:00:00Z\"";
    let other = kept.replacen(&kept[kept.find("\"date\"").unwrap()..][..date.len()], date, 1);
    fs::write(out.join("measurements.json"), other).unwrap();
    frames("NVIDIA H200").expect_failure(1, &["holds other measurements", "another folder"]);
}

#[test]
fn what_cannot_be_drawn_says_what_can() {
    let out = folder("figures-refused");
    let (inside, file) = (out.join("figures"), out.join("file"));
    fs::write(&file, "{}").unwrap();
    let refused = |line: &str, code: i32, words: &[&str]| {
        seaway_with(line, &NO_ADAPTER).expect_failure(code, words);
    };
    let (inside, file) = (inside.display().to_string(), file.display().to_string());
    refused(
        &format!("figures --out {inside} --figure 99"),
        2,
        &["there are table-2, kernel-sizes, 13"],
    );
    refused(&format!("figures --out {inside} --from {file}"), 1, &["was not written by"]);
    refused(&format!("figures --out {inside} --from {file}x"), 1, &["could not be read"]);
    refused(&format!("figures --out {file}"), 1, &["a file has its name"]);
    refused(&format!("figures --out {inside} --quick"), 3, &["adapter"]);
    let inside = Path::new(&inside);
    assert!(!inside.exists() || names(inside).is_empty(), "{:?}", names(inside));
}
