//! A program, an X server for it, and the hands and eyes of its user.

use std::fs;
use std::io::{BufRead as _, BufReader, IoSlice};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::protocol::xproto::{
    AtomEnum, ConfigureWindowAux, ConnectionExt as _, InputFocus, MapState, Window,
};
use x11rb::rust_connection::RustConnection;

/// X keycodes of physical keys: the kernel's code plus 8.
pub const ESCAPE: u8 = 9;
pub const TAB: u8 = 23;
pub const S: u8 = 39;
pub const W: u8 = 25;
pub const LEFT_BRACKET: u8 = 34;
pub const RIGHT_BRACKET: u8 = 35;
pub const F: u8 = 41;
pub const G: u8 = 42;
pub const SPACE: u8 = 65;
pub const F1: u8 = 67;
pub const F9: u8 = 75;
pub const F12: u8 = 96;

/// Longer than the window shows a message.
pub const MESSAGE: Duration = Duration::from_millis(6500);

/// Kernels compile on the processor, on a machine that may do other things.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Waits for `ready` to give something.
pub fn wait_for<T>(what: &str, patience: Duration, mut ready: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = ready() {
            return value;
        }
        assert!(start.elapsed() < patience, "waited {patience:?} for {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A process that does not outlive its test.
pub struct Process(pub Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An X server of our own.
pub struct Display {
    _server: Process,
    pub name: String,
}

impl Display {
    pub fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!(
                    "Xvfb could not be started ({error}). The window's tests need it: on Debian \
                     and Ubuntu `apt install xvfb`, on Fedora `dnf install \
                     xorg-x11-server-Xvfb`, on Arch `pacman -S xorg-server-xvfb`"
                )
            });
        let mut number = String::new();
        let stdout = server.stdout.take().expect("piped");
        // Xvfb says which display it took once it listens, or closes the pipe.
        BufReader::new(stdout).read_line(&mut number).expect("Xvfb's display number");
        let server = Process(server);
        assert!(!number.trim().is_empty(), "Xvfb ended before it listened");
        Self { _server: server, name: format!(":{}", number.trim()) }
    }
}

/// A folder that is gone when the test is.
pub struct Folder(pub tempfile::TempDir);

impl Folder {
    pub fn new(name: &str) -> Self {
        let all = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let folder = tempfile::Builder::new().prefix(name).tempdir_in(all).unwrap();
        fs::create_dir_all(folder.path().join("config/seaway")).unwrap();
        Self(folder)
    }

    /// Returns the folders of finished captures.
    pub fn captures(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.join("capture.puffin").exists() && !is_hidden(path)).collect()
    }

    /// Finished files of that extension.
    pub fn files(&self, extension: &str) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|found| found == extension))
            .collect();
        files.sort();
        files
    }
}

/// A folder that is still being written.
pub fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// `seaway run` and the eyes and hands of its user.
pub struct Program {
    pub process: Process,
    pub folder: Folder,
    pub x: RustConnection,
    pub root: Window,
    pub window: Window,
    pub xtest_opcode: u8,
}

pub fn command(folder: &Folder) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_seaway"));
    // Kernels that were compiled for an earlier run are found again. Mesa's cache does not know
    // the vector width that it compiled for, and what it finds for another width breaks memory.
    let width = std::env::var("LP_NATIVE_VECTOR_WIDTH").unwrap_or_default();
    let cache = std::env::var_os("MESA_SHADER_CACHE_DIR").map_or_else(
        || Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("shader-cache{width}")),
        PathBuf::from,
    );
    command
        .current_dir(folder.0.path())
        .env("HOME", folder.0.path())
        .env("XDG_CONFIG_HOME", folder.0.path().join("config"))
        .env("XDG_CACHE_HOME", folder.0.path().join("cache"))
        .env_remove("SEAWAY_CACHE_DIR")
        .env("XDG_RUNTIME_DIR", folder.0.path())
        .env("MESA_SHADER_CACHE_DIR", cache)
        // Where the comparison's buttons and the filter's sliders are is traced.
        .env(
            "RUST_LOG",
            "seaway=info,seaway::app::ui::compare=trace,seaway::app::filter::panel=trace,warn",
        )
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(folder.0.path().join("stderr")).unwrap());
    command
}

impl Program {
    pub fn start(display: &Display, folder: Folder, arguments: &[&str]) -> Self {
        let run = ["run", "--resolution", "640x360"];
        Self::start_command(display, folder, &[&run, arguments].concat(), "Seaway")
    }

    /// The command that opens a window of that title.
    pub fn start_command(
        display: &Display,
        folder: Folder,
        arguments: &[&str],
        title: &str,
    ) -> Self {
        let child = command(&folder).env("DISPLAY", &display.name).args(arguments).spawn().unwrap();
        let mut process = Process(child);
        let (x, screen) = x11rb::connect(Some(&display.name)).unwrap();
        let root = x.setup().roots[screen].root;
        let xtest_opcode = x
            .extension_information("XTEST")
            .unwrap()
            .expect("Xvfb has the XTEST extension")
            .major_opcode;
        let window = wait_for("the window", PATIENCE, || {
            if let Some(status) = process.0.try_wait().unwrap() {
                let text = fs::read_to_string(folder.0.path().join("stderr")).unwrap_or_default();
                panic!("ended with {status} before its window opened:\n{text}");
            }
            find_window(&x, root, title)
        });
        let mut program = Self { process, folder, x, root, window, xtest_opcode };
        program.focus();
        program
    }

    pub fn focus(&mut self) {
        // There is no window manager to do it.
        self.x.set_input_focus(InputFocus::PARENT, self.window, x11rb::CURRENT_TIME).unwrap();
        self.x.flush().unwrap();
    }

    pub fn stderr(&self) -> String {
        fs::read_to_string(self.folder.0.path().join("stderr")).unwrap_or_default()
    }

    /// The process must still run.
    pub fn check_alive(&mut self) {
        if let Some(status) = self.process.0.try_wait().unwrap() {
            panic!("ended with {status}:\n{}", self.stderr());
        }
    }

    /// Waits for `ready`, and for nothing if the program ends.
    pub fn wait<T>(&mut self, what: &str, mut ready: impl FnMut(&Self) -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            if let Some(value) = ready(self) {
                return value;
            }
            self.check_alive();
            assert!(start.elapsed() < PATIENCE, "waited for {what}:\n{}", self.stderr());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// XTEST's FakeInput, whose request is too short to need a library for: an event's type, its
    /// key or button, and a place for where the pointer goes.
    pub fn fake(&self, event: u8, detail: u8, [x, y]: [i16; 2]) {
        let mut request = [0_u8; 36];
        request[0] = self.xtest_opcode;
        request[1] = 2;
        request[2..4].copy_from_slice(&9_u16.to_ne_bytes());
        request[4] = event;
        request[5] = detail;
        request[12..16].copy_from_slice(&self.root.to_ne_bytes());
        request[24..26].copy_from_slice(&x.to_ne_bytes());
        request[26..28].copy_from_slice(&y.to_ne_bytes());
        self.x.send_request_without_reply(&[IoSlice::new(&request)], Vec::new()).unwrap();
        self.x.flush().unwrap();
    }

    pub fn fake_key(&self, keycode: u8, pressed: bool) {
        self.fake(if pressed { 2 } else { 3 }, keycode, [0, 0]);
    }

    /// A mouse button: 1 left, 2 middle, 3 right, 4 and 5 the wheel.
    pub fn fake_button(&self, button: u8, pressed: bool) {
        self.fake(if pressed { 4 } else { 5 }, button, [0, 0]);
    }

    /// Moves the pointer to a place on the screen, at whose corner the window is.
    pub fn move_to(&self, place: [i16; 2]) {
        self.fake(6, 0, place);
    }

    pub fn click(&self, place: [i16; 2]) {
        self.move_to(place);
        // Frames in which the pointer is there, and the button down.
        for pressed in [true, false] {
            std::thread::sleep(Duration::from_millis(400));
            self.fake_button(1, pressed);
        }
    }

    /// Clicks the button of the comparison that is traced under that name, where it is now.
    pub fn click_compare(&mut self, name: &str) {
        let place = self.traced(&format!("compare: {name}"));
        self.click(place);
    }

    /// Returns the place of the widget that the program traces under `name`.
    pub fn traced(&mut self, name: &str) -> [i16; 2] {
        self.wait(name, |program| {
            let stderr = program.stderr();
            let line = stderr.lines().rfind(|line| line.contains(&format!("{name} at")))?;
            let (_, place) = line.rsplit_once('[')?;
            let mut place = place.trim_end_matches(']').split(' ').map(str::parse::<f32>);
            Some([place.next()?.ok()?, place.next()?.ok()?].map(|at| at as i16))
        })
    }

    pub fn press(&self, keycode: u8) {
        self.fake_key(keycode, true);
        self.fake_key(keycode, false);
    }

    pub fn resize(&self, width: u32, height: u32) {
        let size = ConfigureWindowAux::new().width(width).height(height);
        self.x.configure_window(self.window, &size).unwrap();
        self.x.flush().unwrap();
    }

    /// Takes a [`Program::screenshot`] when the messages about earlier ones are gone.
    pub fn clear_screenshot(&mut self) -> image::RgbaImage {
        std::thread::sleep(MESSAGE);
        self.screenshot()
    }

    /// Presses F12 and gives the picture.
    pub fn screenshot(&mut self) -> image::RgbaImage {
        let before = self.folder.files("png");
        self.press(F12);
        let path = self.wait("a screenshot", |program| {
            program.folder.files("png").into_iter().find(|path| !before.contains(path))
        });
        // The file is there before it is whole.
        self.wait("the whole screenshot", |_| image::open(&path).ok()).into_rgba8()
    }

    pub fn quit(mut self) -> (ExitStatus, String, Folder) {
        self.press(ESCAPE);
        let status = wait_for("the program to end after Esc", PATIENCE, || {
            self.process.0.try_wait().unwrap()
        });
        let stderr = self.stderr();
        let Self { folder, .. } = self;
        (status, stderr, folder)
    }
}

pub fn find_window(x: &RustConnection, root: Window, name: &str) -> Option<Window> {
    let children = x.query_tree(root).ok()?.reply().ok()?.children;
    children.into_iter().find(|window| {
        let title = x
            .get_property(false, *window, AtomEnum::WM_NAME, AtomEnum::ANY, 0, 64)
            .ok()
            .and_then(|cookie| cookie.reply().ok());
        let attributes =
            x.get_window_attributes(*window).ok().and_then(|cookie| cookie.reply().ok());
        title.is_some_and(|title| title.value == name.as_bytes())
            && attributes.is_some_and(|seen| seen.map_state == MapState::VIEWABLE)
    })
}

/// The picture shows something: its values spread.
pub fn assert_not_blank(picture: &image::RgbaImage) {
    let mut seen = std::collections::BTreeSet::new();
    for pixel in picture.pixels() {
        seen.insert([pixel[0] / 8, pixel[1] / 8, pixel[2] / 8]);
    }
    assert!(seen.len() >= 16, "a picture of {} colours", seen.len());
}

pub fn assert_clean(status: ExitStatus, stderr: &str) {
    assert!(status.success(), "{status}:\n{stderr}");
    for word in ["panicked", "GPU error", "DEVICE_LOST"] {
        assert!(!stderr.contains(word), "{word}:\n{stderr}");
    }
}
