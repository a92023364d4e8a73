//! The window, really opened: on an X server without a screen (Xvfb), with keys pressed through
//! its XTEST extension.

mod once;
mod support;

use std::fs;
use std::time::Duration;

use support::*;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::ConnectionExt as _;

#[test]
fn the_window_opens_takes_keys_resizes_and_quits() {
    let display = Display::start();
    let folder = Folder::new("window");
    // A broken memory of the last visit costs only what is broken.
    fs::write(
        folder.0.path().join("config/seaway/view.toml"),
        "capture_frames = 4\nvsync = 7\n[sea]\nwind_speed_mps = nan\n",
    )
    .unwrap();
    let mut program = Program::start(&display, folder, &["--quality", "low"]);
    program
        .wait("the first frame", |program| program.stderr().contains("first frame").then_some(()));

    let picture = program.screenshot();
    assert_eq!(picture.dimensions(), (640, 360));
    assert_not_blank(&picture);

    for key in [F1, F1, TAB, SPACE, W] {
        program.press(key);
    }
    // Without panels: the sea by itself, paused.
    let sea = program.screenshot();
    assert_not_blank(&sea);
    assert_ne!(sea, picture);
    program.press(TAB);

    // To nothing and back.
    for (width, height) in [(1, 1), (3, 700), (900, 500)] {
        program.resize(width, height);
        std::thread::sleep(Duration::from_millis(400));
        program.check_alive();
    }
    let picture = program.screenshot();
    assert_eq!(picture.dimensions(), (900, 500));
    assert_not_blank(&picture);

    // Hidden, as when minimised, and back.
    program.x.unmap_window(program.window).unwrap();
    program.x.flush().unwrap();
    std::thread::sleep(Duration::from_millis(400));
    program.x.map_window(program.window).unwrap();
    program.x.flush().unwrap();
    let (window, root) = (program.window, program.root);
    program.wait("the window to come back", |program| {
        find_window(&program.x, root, "Seaway").filter(|found| *found == window)
    });
    program.focus();

    // On the water, in a capture and in what is remembered.
    program.press(G);
    program.press(F9);
    let folder = program.wait("a capture", |program| program.folder.captures().pop());
    let mut file = fs::File::open(folder.join("capture.puffin")).unwrap();
    let capture = puffin::FrameView::read(&mut file).unwrap();
    assert_eq!(capture.recent_frames().count(), 4);
    let summary = fs::read(folder.join("summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
    assert_eq!(summary["frames"], 4);
    assert_eq!(summary["settings"]["resolution"], serde_json::json!([450, 250]));
    let command_line = summary["command_line"].as_str().unwrap();
    assert!(command_line.starts_with("seaway profile --out DIR --frames 4 "), "{command_line}");
    assert!(command_line.contains(" --eye-above-water 1.7"), "{command_line}");

    let (status, stderr, folder) = program.quit();
    assert_clean(status, &stderr);
    let remembered = fs::read_to_string(folder.0.path().join("config/seaway/view.toml")).unwrap();
    assert!(remembered.contains("capture_frames = 4"), "{remembered}");
    assert!(remembered.contains("is_walking = true"), "{remembered}");
}
