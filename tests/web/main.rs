//! The pages of `web/` in a real browser: Chromium with SwiftShader. `scripts/test-web` builds them
//! and runs these, which are passed over otherwise.

mod browser;
mod comparison;
#[path = "../support/tolerance.rs"]
mod tolerance;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use nv_flip::{DEFAULT_PIXELS_PER_DEGREE, FlipImageRgb8, FlipPool};
use seaway::choice::Choice as _;
use seaway::fft::lab::{self, Algorithm};
use seaway::fft::{Descriptor, Direction, Layout};
use seaway::gpu::{Capabilities, shader};
use serde_json::{Value, json};

use browser::{Browser, Site, keep};

/// Half of it is what the lowest tier draws.
const SIZE: [u32; 2] = [640, 360];

/// Said by the page once it has drawn the sea.
const SHOWN: &str = "first frame";

/// Errors pass that are no larger: as the gate has them for these lengths, relative to all of the image.
const GATE: f64 = 1e-6;

/// What `seaway render` makes of the same settings, in half the pixels, stretched and halved as the
/// window's and the canvas's pictures are.
fn rendered(name: &str, options: &[&str]) -> FlipImageRgb8 {
    let folder = tempfile::Builder::new().prefix(name).tempdir_in(env!("CARGO_TARGET_TMPDIR"));
    let folder = folder.unwrap();
    let [width, height] = SIZE.map(|side| side / 2);
    let status = Command::new(env!("CARGO_BIN_EXE_seaway"))
        .args(["render", "--quality", "low", "--resolution", &format!("{width}x{height}"), "--out"])
        .arg(folder.path())
        .args(options)
        .status()
        .unwrap();
    assert!(status.success());
    let picture = image::open(folder.path().join("frame_0000.png")).unwrap().to_rgb8();
    let filter = image::imageops::FilterType::Triangle;
    let stretched = image::imageops::resize(&picture, SIZE[0], SIZE[1], filter);
    halved(&(SIZE[0], SIZE[1], stretched.into_raw()))
}

/// The canvas in half its pixels: each is the mean of four.
fn halved((width, height, bytes): &(u32, u32, Vec<u8>)) -> FlipImageRgb8 {
    let picture = image::RgbImage::from_raw(*width, *height, bytes.clone()).unwrap();
    let half = image::imageops::thumbnail(&picture, width / 2, height / 2);
    FlipImageRgb8::with_data(width / 2, height / 2, half.as_raw())
}

/// How different two pictures are to a viewer, 0 to 1: the mean over the picture.
fn difference(one: FlipImageRgb8, other: FlipImageRgb8) -> f32 {
    let error = nv_flip::flip(one, other, DEFAULT_PIXELS_PER_DEGREE);
    FlipPool::from_image(&error).mean()
}

/// The page shows that sea, which stands still, without panels: the canvas once nothing moves any more.
fn show(browser: &mut Browser, site: &Site, link: &str) -> (u32, u32, Vec<u8>) {
    browser.visit(&site.url(&format!("#{link}")));
    browser.wait_for_words(SHOWN);
    // Remembered from visit to visit.
    let is_hidden = browser.run("localStorage['config/seaway/view.toml'] ?? ''");
    if !is_hidden.as_str().unwrap().contains("show_ui = false") {
        browser.press("Tab", "Tab");
    }
    // The panels go, so does what is said at first, and the eye gets used to the light.
    std::thread::sleep(Duration::from_secs(8));
    let mut last = browser.canvas();
    browser.wait("a picture that stays", |browser| {
        std::thread::sleep(Duration::from_secs(3));
        let before = std::mem::replace(&mut last, browser.canvas());
        (difference(halved(&before), halved(&last)) < 1e-3).then_some(())
    });
    last
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn the_canvas_shows_the_sea_that_render_draws() {
    let site = Site::serve();
    let mut browser = Browser::open(SIZE);
    let mut pictures = Vec::new();
    for (preset, time_s) in [("breeze", "20"), ("storm", "12.5")] {
        let settings = "paused=true&algorithm=best&path=fused&size=128";
        let link = format!("preset={preset}&time_s={time_s}&{settings}");
        let canvas = show(&mut browser, &site, &link);
        let kept = keep(&format!("canvas-{preset}"), &canvas);
        assert_eq!([canvas.0, canvas.1], SIZE);
        let expected = rendered(preset, &["--preset", preset, "--time", time_s]);
        let wrong = difference(expected, halved(&canvas));
        println!("{preset}: FLIP {wrong:.4}, {}, {:?}", kept.display(), browser.link());
        // Which differ by 0.3 to 0.5 from one another.
        tolerance::at_most(wrong, 0.06, format_args!("{preset}, {}", kept.display()));
        pictures.push(halved(&canvas));
        assert_eq!(browser.errors(), Vec::<String>::new());
    }
    let [one, two] = pictures.try_into().ok().unwrap();
    assert!(difference(one, two) > 0.15, "a storm looks like a breeze");
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn the_first_picture_comes_soon_and_the_page_answers_meanwhile() {
    let site = Site::serve();
    let mut browser = Browser::open(SIZE);
    let start = Instant::now();
    browser.visit(&site.url(""));
    let said = browser.wait_for_words(SHOWN);
    let took_s = start.elapsed().as_secs_f64();
    println!("{said}; {took_s:.1} s after the address was entered");
    tolerance::at_most(took_s, 15.0, "seconds to the first picture");
    // At the size of the window, whatever it shows, and no larger after a while.
    let canvas = || "[sea.clientWidth, sea.clientHeight, sea.width, sea.height]";
    assert_eq!(browser.run(canvas()), json!([640, 360, 640, 360]));
    let long = browser.long_tasks(200.0);
    // Stated, and not held against a machine that does other things meanwhile.
    println!("tasks of the page over 200 ms, as [begin, duration]: {long:?}");
    assert_eq!(browser.errors(), Vec::<String>::new());
    tolerance::at_most(
        long.iter().map(|[_, duration]| *duration).fold(0.0, f64::max),
        500.0,
        "the longest task in milliseconds",
    );
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn keys_fly_and_switch_and_a_link_restores_its_sea() {
    let site = Site::serve();
    let mut browser = Browser::open(SIZE);
    // In another order and with other digits than the page writes: so it is seen to have written.
    let link = "size=64&path=plain&algorithm=stockham-r4&paused=true&time_s=33.250&camera.yaw_deg=77.0\
        &camera.y_m=30.00&camera.x_m=12.50&light.haze=2.50&sea.wind_speed_mps=19.50&preset=gale";
    browser.visit(&site.url(&format!("#{link}")));
    browser.wait_for_words("stockham-r4 64 ready");
    browser.wait("its own link", |browser| {
        let hash = browser.run("location.hash");
        (hash.as_str() != Some(&format!("#{link}"))).then_some(())
    });
    let restored = browser.link();
    assert_eq!(restored.len(), link.split('&').count(), "{restored:?}");
    for word in link.split('&') {
        let (key, value) = word.split_once('=').unwrap();
        let written = restored.get(key).unwrap_or_else(|| panic!("{key}: {restored:?}"));
        match (written.parse::<f64>(), value.parse::<f64>()) {
            (Ok(written), Ok(value)) => assert_eq!(written, value, "{key}: {restored:?}"),
            _ => assert_eq!(written, value, "{key}: {restored:?}"),
        }
    }

    let x_m = browser.linked("camera.x_m");
    let z_m = browser.linked("camera.z_m");
    browser.key("KeyW", "w", true);
    browser.wait("a flight", |browser| {
        let [x, z] = ["camera.x_m", "camera.z_m"].map(|key| browser.linked(key));
        ((x - x_m).hypot(z - z_m) > 1.0).then_some(())
    });
    browser.key("KeyW", "w", false);

    browser.press("KeyF", "f");
    let switched = browser.wait("another algorithm", |browser| {
        browser.link().get("algorithm").filter(|name| *name != "stockham-r4").cloned()
    });
    browser.wait_for_words(&format!("{switched} 64 ready"));
    browser.press("BracketRight", "]");
    browser.wait_for_words(&format!("{switched} 128 ready"));
    browser.wait("its size", |browser| (browser.linked("size") == 128.0).then_some(()));
    let time_s = browser.linked("time_s");
    browser.press("Space", " ");
    browser.wait("time", |browser| (browser.linked("time_s") > time_s + 0.1).then_some(()));
    assert_eq!(browser.errors(), Vec::<String>::new());

    // What was seen last is remembered where the address says nothing.
    browser.visit(&site.url(""));
    browser.wait_for_words(&format!("{switched} 128 ready"));
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn one_finger_looks_and_two_fly_on_a_phone() {
    let site = Site::serve();
    let mut browser = Browser::phone([390, 844], 2);
    browser.visit(&site.url("#preset=breeze&size=64"));
    browser.wait_for_words(SHOWN);
    let canvas = "[sea.clientWidth, sea.clientHeight, sea.width, sea.height]";
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(browser.run(canvas), json!([390, 844, 780, 1688]));
    let from = [200.0, 700.0];
    browser.touch("touchStart", &[from]);
    browser.touch("touchMove", &[[320.0, 700.0]]);
    browser.touch("touchEnd", &[]);
    browser
        .wait("another yaw", |browser| browser.link().contains_key("camera.yaw_deg").then_some(()));
    let place = |browser: &mut Browser| ["camera.x_m", "camera.z_m"].map(|key| browser.linked(key));
    let [x, z] = place(&mut browser);
    browser.touch("touchStart", &[from, [300.0, 700.0]]);
    browser.touch("touchMove", &[[200.0, 600.0], [300.0, 600.0]]);
    browser.wait("a flight", |browser| {
        let [x_m, z_m] = place(browser);
        ((x_m - x).hypot(z_m - z) > 1.0).then_some(())
    });
    browser.touch("touchEnd", &[]);
    keep("phone", &browser.canvas());
    // And it has not grown.
    assert_eq!(browser.run(canvas), json!([390, 844, 780, 1688]));
    assert_eq!(browser.errors(), Vec::<String>::new());
}

/// What the laboratory's page gives to be saved.
fn laboratory(browser: &mut Browser, site: &Site) -> Vec<Value> {
    let folder = browser.folder.path().join("downloads");
    let allow = json!({ "behavior": "allow", "downloadPath": folder.to_str().unwrap() });
    browser.call("Browser.setDownloadBehavior", allow);
    // Without a size in the address: 64 x 64, which suits a processor that plays GPU.
    browser.visit(&site.url("bench.html"));
    browser.wait("the last algorithm", |browser| {
        (browser.run("document.body?.dataset.done") == "true").then_some(())
    });
    let status = browser.run("document.getElementById('status').textContent");
    let clock = browser.run("document.getElementById('clock').textContent");
    println!("{status}\n{clock}");
    assert!(clock.as_str().unwrap().contains("in steps of"), "{clock}");
    browser.run("document.getElementById('save').click()");
    let file = folder.join("seaway-bench.json");
    let rows: Vec<Value> =
        browser.wait("the download", |_| serde_json::from_slice(&std::fs::read(&file).ok()?).ok());
    assert_eq!(rows.len(), Algorithm::ALL.len());
    let mut measured = 0;
    for row in &rows {
        assert!(row.get("failed").is_none(), "{row}");
        assert_eq!(row["size"], 64);
        let Some(median_us) = row["median_us"].as_f64() else {
            println!("{}: {}", row["algorithm"], row["skipped"]);
            assert!(row["skipped"].is_string(), "{row}");
            continue;
        };
        measured += 1;
        let error = row["relative_l2_error"].as_f64().unwrap();
        tolerance::at_most(error, GATE, format_args!("{}", row["algorithm"]));
        // Not finer than the clock.
        let number = |key: &str| row[key].as_f64().unwrap();
        let steps = median_us / (number("clock_step_us") / number("repetitions"));
        assert!((steps - steps.round()).abs() < 1e-6 * steps && steps >= 1.0, "{row}");
        for key in ["batch", "precision", "direction", "p5_us", "p95_us", "gflops", "adapter"] {
            assert!(!row[key].is_null(), "{key}: {row}");
        }
    }
    assert!(measured >= 10, "{measured} of {}", rows.len());
    assert_eq!(browser.errors(), Vec::<String>::new());
    rows
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn the_laboratory_verifies_and_times_every_algorithm() {
    let site = Site::serve();
    let mut browser = Browser::open([1000, 900]);
    let rows = laboratory(&mut browser, &site);
    assert!(rows.iter().any(|row| row["timer"] == "gpu_timestamps"), "{rows:#?}");
}

/// A browser that keeps the GPU's clock to itself has one of its own, which is rounded.
#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn the_laboratory_says_how_coarse_a_clock_is() {
    let site = Site::serve();
    let mut browser = Browser::open([1000, 900]);
    browser.before_pages(
        "if (window.GPUSupportedFeatures) {
            const has = GPUSupportedFeatures.prototype.has;
            GPUSupportedFeatures.prototype.has = function (name) {
                return name !== 'timestamp-query' && has.call(this, name);
            };
        }",
    );
    let rows = laboratory(&mut browser, &site);
    for row in rows.iter().filter(|row| row["median_us"].is_number()) {
        assert_eq!((&row["timer"], &row["gb_per_s"]), (&"wall".into(), &Value::Null), "{row}");
        // Chromium rounds to 100 us, and to 5 us where a page is isolated from others.
        let step_us = row["clock_step_us"].as_f64().unwrap();
        tolerance::between(step_us, 4.9, 101.0, "the clock's step in microseconds");
    }
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn a_browser_without_webgpu_gets_its_message() {
    let site = Site::serve();
    let mut browser = Browser::without_webgpu(SIZE);
    for (page, hide) in [
        ("", ""),
        ("bench.html", ""),
        // An older browser.
        ("", "Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined });"),
    ] {
        browser.before_pages(hide);
        browser.visit(&site.url(page));
        let message = browser.wait("the message", |browser| {
            let message = "document.getElementById('message')";
            let shown =
                browser.run(&format!("{message} && !{message}.hidden && {message}.innerText"));
            shown.as_str().filter(|text| text.contains("WebGPU")).map(str::to_owned)
        });
        println!("{message}");
        let picture = "document.querySelector('#message img')?.naturalWidth ?? -1";
        if page.is_empty() {
            browser.wait("the picture", |browser| {
                browser.run(picture).as_i64().filter(|width| *width > 0)
            });
        }
        assert_eq!(browser.errors(), Vec::<String>::new());
    }
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn a_lost_device_is_opened_again_or_told() {
    let site = Site::serve();
    let mut browser = Browser::open(SIZE);
    browser.visit(&site.url("#preset=breeze&size=64"));
    browser.wait_for_words(SHOWN);
    std::thread::sleep(Duration::from_secs(2));
    browser.console.clear();
    browser.call("Browser.crashGpuProcess", json!({}));
    browser.wait("the sea, or a message", |browser| {
        let told = browser.run("!document.getElementById('message').hidden") == true;
        let shown = browser.console.iter().any(|(_, words)| words.contains(SHOWN));
        (told || shown).then_some(())
    });
    let panics = browser.console.iter().filter(|(_, words)| words.contains("panicked")).count();
    assert_eq!(panics, 0, "{:#?}", browser.console);
}

/// Every shader that the program hands to WebGPU, composed as it is handed over.
fn shaders() -> Vec<(String, String)> {
    let webgpu = Capabilities::webgpu_defaults();
    let mut all = Vec::new();
    for &algorithm in Algorithm::ALL {
        for size in [64, 256, 1024] {
            for layout in [Layout::Planar, Layout::Pair] {
                let direction = Direction::Inverse;
                let task = Descriptor {
                    size: [size; 2],
                    batch: 4,
                    layout,
                    direction,
                    ..Descriptor::default()
                };
                // What WebGPU's limits are too small for is never handed over.
                let Ok(program) = lab::program(&task.by(algorithm), &webgpu) else { continue };
                for (place, kernel) in program.kernels.iter().enumerate() {
                    let name = format!("{algorithm} {size} {layout}, kernel {place}");
                    all.push((name, kernel.wgsl.clone()));
                }
            }
        }
    }
    for (name, text) in shader::EMBEDDED {
        let has_entry = ["@compute", "@vertex", "@fragment"].iter().any(|word| text.contains(word));
        // Those are templates, which programs fill in and stages compose: they come from the page.
        let is_whole = !name.starts_with("fft/") && *name != "maps/mips.wgsl";
        if let Some(wgsl) = (has_entry && is_whole).then(|| shader::resolve(name).ok()).flatten() {
            all.push(((*name).to_owned(), wgsl));
        }
    }
    all.sort_by(|one, other| one.1.cmp(&other.1));
    all.dedup_by(|one, other| one.1 == other.1);
    all
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn every_shader_passes_the_browser_s_compiler() {
    let site = Site::serve();
    let mut browser = Browser::open(SIZE);
    // What the page itself hands over, while it shows the sea.
    browser.before_pages(
        "if (window.GPUDevice) {
            window.modules = [];
            const create = GPUDevice.prototype.createShaderModule;
            GPUDevice.prototype.createShaderModule = function (descriptor) {
                const made = create.call(this, descriptor);
                modules.push(made.getCompilationInfo().then((info) => info.messages
                    .filter((message) => message.type === 'error')
                    .map((message) => `${descriptor.label}: ${message.message}`)));
                return made;
            };
        }",
    );
    browser.visit(&site.url(""));
    browser.wait_for_words(SHOWN);
    let of_page = browser.run("Promise.all(modules)");
    println!("{} modules of the page", of_page.as_array().unwrap().len());
    assert!(of_page.as_array().unwrap().len() > 20, "{of_page}");
    assert!(of_page.as_array().unwrap().iter().all(|errors| *errors == json!([])), "{of_page}");

    browser.visit(&site.url("seaway.css"));
    // Where the adapter has 16-bit floats, as the program asks for them.
    let has_f16 = browser.run(
        "(async () => {
            const adapter = await navigator.gpu.requestAdapter();
            const requiredFeatures = ['shader-f16'].filter((name) => adapter.features.has(name));
            window.device = await adapter.requestDevice({ requiredFeatures });
            window.compile = async (code) => {
                const info = await device.createShaderModule({ code }).getCompilationInfo();
                const wrong = info.messages.filter((message) => message.type === 'error');
                return wrong.map((message) => `${message.lineNum}: ${message.message}`);
            };
            return requiredFeatures.length > 0;
        })()",
    );
    // What is wrong is seen to be.
    assert_ne!(browser.run("compile('fn f() -> u32 { return 1.5; }')"), json!([]));
    let shaders = shaders();
    println!("{} different shaders", shaders.len());
    assert!(shaders.len() > 100, "{}", shaders.len());
    let mut wrong = Vec::new();
    for (name, wgsl) in &shaders {
        if wgsl.contains("enable f16;") && has_f16 != true {
            println!("{name} needs 16-bit floats, which this adapter has not");
            continue;
        }
        let errors = browser.run(&format!("compile({})", Value::from(wgsl.as_str())));
        if errors != json!([]) {
            wrong.push(format!("{name}: {errors}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), shaders.len());
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn what_is_downloaded_is_small() {
    let site = Site::serve();
    let mut bytes = 0;
    for entry in std::fs::read_dir(&site.folder).unwrap() {
        let path = entry.unwrap().path();
        let size = compressed(&path);
        println!("{size:>9} {}", path.file_name().unwrap().display());
        bytes += size;
    }
    println!("{bytes:>9} in all");
    tolerance::at_most(bytes as f64, 4e6, "bytes of the pages, compressed");
}

/// As a host would send it.
fn compressed(path: &Path) -> usize {
    let zipped = Command::new("gzip").args(["-9", "-c"]).arg(path).output().unwrap();
    assert!(zipped.status.success());
    zipped.stdout.len()
}
