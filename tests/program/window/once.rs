//! The rest of what the window does, on one adapter: the checks on a second one leave it out
//! (.config/nextest.toml).

mod filter;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::support::*;

/// Mean difference of two pictures of the sea over blocks of 8 x 8 pixels, 0 to 255: a sea that
/// is drawn finer keeps its waves, and another sea does not.
fn coarse_difference(one: &image::RgbaImage, other: &image::RgbaImage) -> f64 {
    let coarse = |picture: &image::RgbaImage| {
        assert_eq!(picture.dimensions(), (640, 360));
        // Below the horizon, and above the messages that come and go.
        let sea = image::imageops::crop_imm(picture, 0, 144, 640, 80).to_image();
        image::imageops::thumbnail(&sea, 80, 10)
    };
    let (one, other) = (coarse(one), coarse(other));
    let differences = one.as_raw().iter().zip(other.as_raw());
    differences.map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>() / one.as_raw().len() as f64
}

#[test]
fn the_fft_is_switched_while_the_sea_continues() {
    let display = Display::start();
    let named = ["--algorithm", "stockham-r8", "--size", "256"];
    let arguments = [&named[..], &["--quality", "low", "--fresh", "--preset", "gale"]].concat();
    let mut program = Program::start(&display, Folder::new("switch"), &arguments);
    program
        .wait("the first frame", |program| program.stderr().contains("first frame").then_some(()));
    for key in [TAB, SPACE] {
        program.press(key);
    }
    let mut at_first = program.clear_screenshot();
    // Foam fills in, also while time stands still.
    loop {
        let next = program.clear_screenshot();
        let is_settled = coarse_difference(&at_first, &next) < 0.01;
        at_first = next;
        if is_settled {
            break;
        }
    }

    let mut before = at_first.clone();
    for (key, ready) in [
        (RIGHT_BRACKET, "stockham-r8 512 ready"),
        (LEFT_BRACKET, "stockham-r8 256 ready"),
        (F, " 256 ready"),
    ] {
        let known = program.stderr().len();
        program.press(key);
        let line = program.wait(ready, |program| {
            let stderr = program.stderr();
            let lines = stderr[known..].lines();
            lines.filter(|line| line.contains(ready)).map(str::to_owned).next()
        });
        let meanwhile: u32 = line
            .split_once("ready after ")
            .and_then(|(_, rest)| rest.split_once(", ")?.1.strip_suffix(" frames meanwhile"))
            .and_then(|count| count.parse().ok())
            .unwrap_or_else(|| panic!("{line}"));
        assert!(meanwhile >= 2, "the window froze while the next FFT was built: {line}");
        let after = program.clear_screenshot();
        let difference = coarse_difference(&before, &after);
        eprintln!("{line}: differs by {difference:.2}");
        assert!(difference < 1.0, "{line}: another sea, it differs by {difference:.2}");
        before = after;
    }
    // It does go on, and another moment looks different enough for the comparison to tell.
    program.press(SPACE);
    std::thread::sleep(Duration::from_secs(3));
    program.press(SPACE);
    let later = program.clear_screenshot();
    let difference = coarse_difference(&at_first, &later);
    eprintln!("three seconds later: differs by {difference:.2}");
    assert!(difference > 2.5, "three seconds later it differs by {difference:.2} only");

    let (status, stderr, _folder) = program.quit();
    assert_clean(status, &stderr);
}

#[test]
fn lost_surfaces_and_lost_devices_are_brought_back() {
    let display = Display::start();
    let faults = "surface-timeout@4,surface-outdated@6,surface-lost@8,device-lost@30";
    // On the water, which is asked for in every frame.
    let water = ["--eye-above-water", "2", "--preset", "gale"];
    let arguments = [&["--quality", "low", "--fresh", "--inject", faults][..], &water].concat();
    let mut program = Program::start(&display, Folder::new("lost"), &arguments);
    let first_frames = |program: &Program, count| {
        (program.stderr().matches("first frame").count() >= count).then_some(())
    };
    program.wait("the first frame", |program| first_frames(program, 1));
    program.wait("the first frame of the second device", |program| first_frames(program, 2));
    assert_not_blank(&program.screenshot());
    let (status, stderr, _folder) = program.quit();
    assert!(status.success() && !stderr.contains("panicked"), "{status}:\n{stderr}");
    for expected in ["the graphics device was lost", "opened again"] {
        assert!(stderr.contains(expected), "{stderr}");
    }
}

#[test]
fn a_device_lost_again_and_again_is_an_error() {
    let display = Display::start();
    let folder = Folder::new("doomed");
    let faults: Vec<String> = (1..5).map(|loss| format!("device-lost@{}", 2 * loss)).collect();
    let mut doomed = Process(
        command(&folder)
            .env("DISPLAY", &display.name)
            .args(["run", "--quality", "low", "--fresh", "--inject", &faults.join(",")])
            .spawn()
            .unwrap(),
    );
    let status = wait_for("the end", PATIENCE, || doomed.0.try_wait().unwrap());
    let text = fs::read_to_string(folder.0.path().join("stderr")).unwrap();
    assert_eq!(status.code(), Some(1), "{text}");
    assert!(text.contains("could not be opened again") && !text.contains("panicked"), "{text}");
}

#[test]
fn the_demo_runs_within_webgpu_s_limits() {
    let display = Display::start();
    let arguments =
        ["--quality", "low", "--limits", "webgpu", "--algorithm", "cooley-tukey", "--fresh"];
    let mut program = Program::start(&display, Folder::new("webgpu"), &arguments);
    program
        .wait("the first frame", |program| program.stderr().contains("first frame").then_some(()));
    assert_not_blank(&program.screenshot());
    let (status, stderr, folder) = program.quit();
    assert_clean(status, &stderr);
    let remembered = folder.0.path().join("config/seaway/view.toml");
    assert!(!remembered.exists(), "--fresh writes nothing down");
}

#[test]
fn auto_measures_once_while_the_sea_runs() {
    let display = Display::start();
    let arguments = ["--quality", "low", "--size", "64", "--algorithm", "best"];
    let mut program = Program::start(&display, Folder::new("auto"), &arguments);
    program
        .wait("the first frame", |program| program.stderr().contains("first frame").then_some(()));
    // The next after the best known is `auto`.
    program.press(F);
    // The old sea goes on, and takes keys.
    assert_not_blank(&program.screenshot());
    program.wait("the choice", |program| program.stderr().contains("auto 64 ready").then_some(()));
    assert_not_blank(&program.screenshot());
    let stderr = program.stderr();
    let file = program.folder.0.path().join("cache/seaway/tuned.json");
    assert!(stderr.contains("is the best of"), "{stderr}");
    assert!(stderr.contains(&format!("stored in {}", file.display())), "{stderr}");
    let kept = fs::read_to_string(&file).unwrap();
    // Four transforms a cascade.
    assert!(kept.contains("\"batch\": 16"), "{kept}");

    // Elsewhere and back: it is not measured again.
    program.press(F);
    program.wait("the next", |program| {
        program.stderr().contains("stockham-r4 64 ready").then_some(())
    });
    let (status, stderr, folder) = program.quit();
    assert_clean(status, &stderr);
    assert_eq!(fs::read_to_string(&file).unwrap(), kept);
    let remembered = fs::read_to_string(folder.0.path().join("config/seaway/view.toml")).unwrap();
    assert!(remembered.contains("algorithm = \"stockham-r4\""), "{remembered}");

    // It has its own X server, since one without clients starts again.
    let display = Display::start();
    let arguments = ["--algorithm", "auto", "--size", "64", "--quality", "low"];
    let mut program = Program::start(&display, folder, &arguments);
    program
        .wait("the first frame", |program| program.stderr().contains("first frame").then_some(()));
    assert!(program.stderr().contains("was measured before"), "{}", program.stderr());
    let (status, stderr, _folder) = program.quit();
    assert_clean(status, &stderr);
}

#[test]
fn esc_works_while_kernels_compile() {
    let display = Display::start();
    let program = Program::start(&display, Folder::new("impatient"), &["--quality", "low"]);
    let (status, stderr, _folder) = program.quit();
    assert_clean(status, &stderr);
}

#[test]
fn a_missing_display_is_an_error_that_says_so() {
    let folder = Folder::new("no-display");
    let status = command(&folder).arg("run").env_remove("DISPLAY").status().unwrap();
    let text = fs::read_to_string(folder.0.path().join("stderr")).unwrap();
    assert_eq!(status.code(), Some(1), "{text}");
    assert!(text.contains("display") && !text.contains("panicked"), "{text}");
}

#[test]
fn a_size_that_does_not_fit_is_an_error() {
    let display = Display::start();
    let folder = Folder::new("refused");
    let mut refused = Process(
        command(&folder)
            .env("DISPLAY", &display.name)
            .args(["run", "--limits", "webgpu", "--size", "8192", "--fresh"])
            .spawn()
            .unwrap(),
    );
    let status = wait_for("the refusal", PATIENCE, || refused.0.try_wait().unwrap());
    let text = fs::read_to_string(folder.0.path().join("stderr")).unwrap();
    assert_eq!(status.code(), Some(1), "{text}");
    assert!(text.contains("8192") && !text.contains("panicked"), "{text}");
}

/// Random hands at the real window: keys, clicks, drags, the wheel and resizes.
/// `SEAWAY_RANDOM_ACTIONS` is how many, 100 where it is not set, and `SEAWAY_RANDOM_SEED` repeats
/// what a failure printed.
#[test]
fn random_hands_break_nothing_in_a_real_window() {
    use rand::{RngExt as _, SeedableRng as _};

    /// X keycodes; without Esc, which closes the window, F11, which a screen without a window
    /// manager does not leave, and ], behind which a processor computes for minutes.
    const KEYS: [u8; 24] = [
        W,
        38,
        39,
        40,
        24,
        26, // W A S D Q E
        TAB,
        SPACE,
        F,
        32,
        60, // Tab, Space, F, O, .
        LEFT_BRACKET,
        F1,
        F9,
        72,
        72, // [, F1, F9, F6
        111,
        116,
        113,
        114, // arrows
        10,
        11,
        52,
        36, // 1, 2, Z, Enter
    ];
    const CONTROL: u8 = 37;

    let number = |variable: &str| {
        let text = std::env::var(variable).ok()?;
        Some(text.parse::<u64>().unwrap_or_else(|error| panic!("{variable}={text:?}: {error}")))
    };
    let actions = number("SEAWAY_RANDOM_ACTIONS").unwrap_or(100);
    let seed = number("SEAWAY_RANDOM_SEED").unwrap_or(1);
    eprintln!("seed {seed}, {actions} actions");
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(seed);

    let display = Display::start();
    let arguments = ["--quality", "low", "--size", "16", "--limits", "webgpu"];
    let mut program = Program::start(&display, Folder::new("random"), &arguments);
    program
        .wait("the first frame", |program| program.stderr().contains("first frame").then_some(()));
    let mut size = [640_i16, 360];
    for action in 0..actions {
        let place = size.map(|side| rng.random_range(0..side.max(1)));
        match rng.random_range(0..100) {
            0..40 => {
                let key = KEYS[rng.random_range(0..KEYS.len())];
                let control = rng.random_range(0..5) == 0;
                eprintln!("{action}: key {key}, Ctrl {control}");
                if control {
                    program.fake_key(CONTROL, true);
                }
                program.press(key);
                if control {
                    program.fake_key(CONTROL, false);
                }
            }
            40..70 => {
                eprintln!("{action}: click at {place:?}");
                program.move_to(place);
                for pressed in [true, false] {
                    program.fake_button(1, pressed);
                }
            }
            70..85 => {
                let button = [1, 3][rng.random_range(0..2)];
                let to = size.map(|side| rng.random_range(0..side.max(1)));
                eprintln!("{action}: button {button} from {place:?} to {to:?}");
                program.move_to(place);
                program.fake_button(button, true);
                program.move_to(to);
                std::thread::sleep(Duration::from_millis(60));
                program.fake_button(button, false);
            }
            85..95 => {
                let button = rng.random_range(4..=5);
                eprintln!("{action}: wheel {button} at {place:?}");
                program.move_to(place);
                for pressed in [true, false] {
                    program.fake_button(button, pressed);
                }
            }
            _ => {
                let sizes = [[1, 1], [300, 200], [640, 360], [640, 360], [900, 500]];
                size = sizes[rng.random_range(0..sizes.len())];
                eprintln!("{action}: resize to {size:?}");
                program.resize(size[0] as u32, size[1] as u32);
            }
        }
        std::thread::sleep(Duration::from_millis(40));
        program.check_alive();
    }
    // It still listens without the keyboard: Esc closes what is open and then the window.
    program.resize(640, 360);
    program.focus();
    let start = Instant::now();
    let status = loop {
        program.press(ESCAPE);
        std::thread::sleep(Duration::from_millis(500));
        if let Some(status) = program.process.0.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed() < PATIENCE, "Esc does not close it:\n{}", program.stderr());
    };
    assert_clean(status, &program.stderr());
}

/// Returns the rows that the comparison has saved, each with the names of its columns.
fn saved_rows(path: &Path) -> Vec<std::collections::BTreeMap<String, String>> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let names: Vec<String> = lines.next().unwrap().collect();
    lines.map(|cells| names.iter().cloned().zip(cells).collect()).collect()
}

#[test]
fn ffts_are_compared_by_hand_and_saved() {
    const C: u8 = 54;
    let display = Display::start();
    let arguments = ["--quality", "low", "--size", "16", "--fresh", "--resolution", "1280x720"];
    let mut program = Program::start(&display, Folder::new("compare"), &arguments);
    program
        .wait("the first frame", |program| program.stderr().contains("first frame").then_some(()));
    program.press(C);
    // A click that comes as the panel opens misses: again, until there is a table to save.
    for _ in 0..6 {
        program.click_compare("start");
        let clicked = Instant::now();
        let has_begun = |program: &Program| program.stderr().contains("compare: csv");
        while !has_begun(&program) && clicked.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(100));
        }
        if has_begun(&program) {
            break;
        }
    }
    let begun = Instant::now();
    let rows = loop {
        std::thread::sleep(Duration::from_secs(2));
        let known = program.folder.files("csv");
        // A click that comes as the panel changes misses: again, as anybody would.
        let path = loop {
            program.click_compare("csv");
            let clicked = Instant::now();
            let new = || program.folder.files("csv").into_iter().find(|path| !known.contains(path));
            while new().is_none() && clicked.elapsed() < Duration::from_secs(5) {
                std::thread::sleep(Duration::from_millis(50));
            }
            if let Some(path) = new() {
                break path;
            }
            assert!(begun.elapsed() < 2 * PATIENCE, "no table:\n{}", program.stderr());
        };
        let rows = saved_rows(&path);
        if rows.iter().all(|row| row["samples"].parse().is_ok_and(|samples: u32| samples >= 2)) {
            break rows;
        }
        assert!(begun.elapsed() < 2 * PATIENCE, "no end: {rows:?}");
    };
    assert!(rows.len() > 10, "{rows:?}");
    assert_eq!(rows[0]["algorithm"], "copy");
    for row in &rows {
        let number = |name: &str| row[name].parse::<f64>().unwrap();
        assert_eq!((row["size"].as_str(), row["failed"].as_str()), ("16", ""), "{row:?}");
        assert!(0.0 < number("p5_us") && number("p5_us") <= number("median_us"), "{row:?}");
        assert!(number("relative_max_error") < 1e-5, "{row:?}");
        assert!(number("speed_up") > 0.0, "{row:?}");
    }
    assert_eq!(rows.iter().filter(|row| row["baseline"] == "true").count(), 1);
    let (status, stderr, _folder) = program.quit();
    assert_clean(status, &stderr);
}
