//! The sea's page: its picture, keys and links.

use std::process::Command;
use std::time::{Duration, Instant};

use nv_flip::{DEFAULT_PIXELS_PER_DEGREE, FlipImageRgb8, FlipPool};
use serde_json::json;

use crate::browser::{Browser, Site, keep};
use crate::{SHOWN, SIZE};
use seaway_core::testing::tolerance;

/// Returns the three longest gaps.
fn longest(gaps: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut gaps = gaps.to_vec();
    gaps.sort_by(|[_, one], [_, other]| other.total_cmp(one));
    gaps.truncate(3);
    gaps
}

/// Renders the same settings by `seaway render`, in half the pixels, stretched and halved as the window's
/// and the canvas's pictures are.
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
    let below =
        "&camera.x_m=18&camera.y_m=-1.2&camera.z_m=18&camera.yaw_deg=37&camera.pitch_deg=10";
    for (preset, time_s, eye, pose) in [
        ("breeze", "20", "", None),
        ("storm", "12.5", "", None),
        ("shallow-bay", "20", below, Some("--camera=18,-1.2,18,37,10")),
    ] {
        let settings = "paused=true&algorithm=best&path=fused&size=128";
        let link = format!("preset={preset}&time_s={time_s}{eye}&{settings}");
        let canvas = show(&mut browser, &site, &link);
        let kept = keep(&format!("canvas-{preset}"), &canvas);
        assert_eq!([canvas.0, canvas.1], SIZE);
        let options = ["--preset", preset, "--time", time_s].into_iter().chain(pose);
        let expected = rendered(preset, &options.collect::<Vec<_>>());
        let wrong = difference(expected, halved(&canvas));
        println!("{preset}: FLIP {wrong:.4}, {}, {:?}", kept.display(), browser.link());
        // Which differ by 0.3 to 0.5 from one another.
        tolerance::at_most(wrong, 0.06, format_args!("{preset}, {}", kept.display()));
        pictures.push(halved(&canvas));
        assert_eq!(browser.errors(), Vec::<String>::new());
    }
    let [breeze, storm, below] = pictures.try_into().ok().unwrap();
    assert!(difference(breeze.clone(), storm) > 0.15, "a storm looks like a breeze");
    assert!(difference(breeze, below) > 0.15, "below the sea it looks like above");
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn the_first_picture_comes_soon_and_the_page_answers() {
    let site = Site::serve();
    let mut browser = Browser::open(SIZE);
    let start = Instant::now();
    browser.visit(&site.url(""));
    let said = browser.wait_for_words(SHOWN);
    let took_s = start.elapsed().as_secs_f64();
    // The lowest tier's size: no visitor has asked for another.
    browser.wait_for_words("best 128 ready");
    println!("{said}; {took_s:.1} s after the address was entered");
    tolerance::at_most(took_s, 15.0, "seconds to the first picture");
    // At the size of the window, whatever it shows, and no larger after a while.
    let canvas = || "[sea.clientWidth, sea.clientHeight, sea.width, sea.height]";
    assert_eq!(browser.run(canvas()), json!([640, 360, 640, 360]));
    let long = browser.long_tasks(200.0);
    // Work in progress at the first picture belongs to it.
    let shown_ms = browser.run("performance.now()").as_f64().unwrap();
    std::thread::sleep(Duration::from_secs(8));
    let (before, after): (Vec<_>, Vec<_>) =
        browser.gaps().into_iter().partition(|[begin, _]| *begin < shown_ms);
    for (when, gaps, most_ms) in
        [("until the first picture", before, 10_000.0), ("in the 8 s after it", after, 6_000.0)]
    {
        let longest_ms = gaps.iter().map(|[_, duration]| *duration).fold(0.0, f64::max);
        let what = format!("the longest pause between frames {when}, in milliseconds");
        println!("{what}: {longest_ms:.0}");
        tolerance::at_most(longest_ms, most_ms, what);
    }
    let pressed = Instant::now();
    browser.press("Space", " ");
    browser.wait("a pause", |browser| browser.link().contains_key("paused").then_some(()));
    let answered_s = pressed.elapsed().as_secs_f64();
    println!("a key is answered, and the link written, within {answered_s:.1} s");
    // Stated, and not held against a machine that does other things meanwhile.
    println!("tasks of the page over 200 ms, as [begin, duration]: {long:?}");
    assert_eq!(browser.errors(), Vec::<String>::new());
    tolerance::at_most(
        long.iter().map(|[_, duration]| *duration).fold(0.0, f64::max),
        1000.0,
        "the longest task in milliseconds",
    );
    tolerance::at_most(answered_s, 5.0, "seconds to the answer to a key");
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn keys_fly_and_switch_and_links_restore_seas() {
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

    // The right button looks around.
    let yaw_deg = browser.linked("camera.yaw_deg");
    let drag = |browser: &mut Browser, kind: &str, x: f64| {
        let buttons = if kind == "mouseReleased" { 0 } else { 2 };
        let event = json!({
            "type": kind, "x": x, "y": 180.0, "button": "right", "buttons": buttons, "clickCount": 1
        });
        browser.call("Input.dispatchMouseEvent", event);
        browser.after_frames(2);
    };
    drag(&mut browser, "mousePressed", 500.0);
    for x in [480.0, 440.0, 400.0] {
        drag(&mut browser, "mouseMoved", x);
    }
    drag(&mut browser, "mouseReleased", 400.0);
    browser.wait("another yaw", |browser| {
        ((browser.linked("camera.yaw_deg") - yaw_deg).abs() > 1.0).then_some(())
    });

    // Another sea's link, over this one's.
    let gaps = browser.gaps();
    println!("the longest pauses between frames, as [begin, duration]: {:.0?}", longest(&gaps));
    assert_eq!(browser.errors(), Vec::<String>::new());
    browser.console.clear();
    browser.run("location.hash = '#preset=breeze&paused=true'; 1");
    browser.wait_for_words(&format!("{switched} 128 ready"));
    browser.wait("its preset", |browser| (browser.link()["preset"] == "breeze").then_some(()));
    assert_eq!(browser.errors(), Vec::<String>::new());

    drop_a_spectrum_file(&mut browser);
    browser.wait_for_words("The sea of buoy.csv.gz at 2020-06-08T03:50:00Z is shown: Hs ");
    browser.wait_for_words("The address of this page does not carry the file");
    browser
        .wait("its wind", |browser| (browser.linked("sea.wind_speed_mps") == 8.25).then_some(()));
    browser.wait("that it is remembered", |browser| {
        let text = browser.run("localStorage['config/seaway/view.toml']");
        text.as_str().unwrap().contains("spectrum_file").then_some(())
    });
    assert_eq!(browser.errors(), Vec::<String>::new());

    // The last scene is remembered where the address says nothing.
    browser.visit(&site.url(""));
    browser.wait_for_words(&format!("{switched} 128 ready"));
}

/// Drops a packed file on the canvas.
fn drop_a_spectrum_file(browser: &mut Browser) {
    let text = "# direction: from, nautical\n# density: m2/Hz/deg\n# time: 2020-06-08T03:50:00Z\n\
        # wind: 8.25 m/s, 120\nfrequency_hz,0,120,240\n0.1,0,0,0\n0.15,0,0.02,0\n0.2,0,0.01,0\n";
    let taken = browser.run(&format!(
        "(async () => {{
            const packed = new Blob([{}]).stream().pipeThrough(new CompressionStream('gzip'));
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([await new Response(packed).blob()], 'buoy.csv.gz'));
            return ['dragover', 'drop'].map((kind) => {{
                const event = {{ dataTransfer, bubbles: true, cancelable: true }};
                return !sea.dispatchEvent(new DragEvent(kind, event));
            }});
        }})()",
        json!(text)
    ));
    assert_eq!(taken, json!([true, true]));
}

/// In turns with the frames, on the page's one thread.
#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn the_sea_that_is_shown_is_measured() {
    let site = Site::serve();
    let mut browser = Browser::open(SIZE);
    browser.visit(&site.url("?log=debug#preset=breeze&size=64"));
    browser.wait_for_words(SHOWN);
    std::thread::sleep(Duration::from_secs(3));
    browser.run("tasks = []");
    browser.press("KeyM", "m");
    let said = browser.wait_for_words("measured: Hs ");
    println!("{said}");
    let figures = said.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
    let [measured_m, expected_m] = figures.collect::<Vec<_>>().try_into().unwrap();
    // One sea of many: that of a seed has some tenths more or less.
    tolerance::between(measured_m / expected_m, 0.6, 1.6, "measured over expected Hs");
    let long = browser.long_tasks(200.0);
    println!("tasks of the page over 200 ms meanwhile, as [begin, duration]: {long:?}");
    tolerance::at_most(
        long.iter().map(|[_, duration]| *duration).fold(0.0, f64::max),
        1000.0,
        "the longest task in milliseconds while the sea is measured",
    );
    // Again and again, with no longer rests.
    let looks = |browser: &mut Browser| {
        browser.run("1");
        browser.console.iter().filter(|(_, words)| words.contains("measured: Hs ")).count()
    };
    let start = Instant::now();
    browser.wait("the fourth look", |browser| (looks(browser) >= 4).then_some(()));
    let took_s = start.elapsed().as_secs_f64();
    println!("three more looks in {took_s:.1} s");
    tolerance::at_most(took_s, 60.0, "seconds of three more looks");
    keep("measured", &browser.canvas());
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn a_lost_device_is_reopened_or_reported() {
    lose_the_device(SHOWN, Duration::from_secs(2));
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn a_device_lost_while_building_is_reopened_or_reported() {
    lose_the_device("drawing on", Duration::from_millis(300));
}

/// Loses it so long after the page has said `words`.
fn lose_the_device(words: &str, after: Duration) {
    let site = Site::serve();
    let mut browser = Browser::open(SIZE);
    browser.visit(&site.url("#preset=breeze&size=64"));
    browser.wait_for_words(words);
    std::thread::sleep(after);
    browser.console.clear();
    browser.call("Browser.crashGpuProcess", json!({}));
    // Which of the two is for the browser to say, which may give a page no GPU after that.
    let told = browser.wait("the sea, or a message", |browser| {
        let told = browser.run("!document.getElementById('message').hidden") == true;
        let shown = browser.console.iter().any(|(_, words)| words.contains(SHOWN));
        (told || shown).then_some(told)
    });
    if told {
        let picture = "document.querySelector('#message img')?.naturalWidth ?? -1";
        browser.wait("the picture", |browser| {
            browser.run(picture).as_i64().filter(|width| *width > 0)
        });
        let reason = browser.run("document.querySelector('[data-reason]').textContent");
        assert!(reason.as_str().unwrap().contains("device"), "{reason}");
        // The canvas behind it has no keyboard any more.
        assert_eq!(browser.run("document.activeElement.id"), "message");
    } else {
        browser.press("Space", " ");
        browser.wait("an answer", |browser| browser.link().contains_key("paused").then_some(()));
    }
    println!("after {words:?}: {}", if told { "told" } else { "opened again" });
    let panics = browser.console.iter().filter(|(_, words)| words.contains("panicked")).count();
    assert_eq!(panics, 0, "{:#?}", browser.console);
}
