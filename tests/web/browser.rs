//! A browser, and the hands and eyes of its user: Chromium over its DevTools protocol, spoken
//! through a pipe, so that it takes neither a port nor a library.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// SwiftShader compiles and draws on the processor, on a machine that may do other things.
pub const PATIENCE: Duration = Duration::from_secs(240);

/// WebGPU on SwiftShader, and a compositor that can show it.
const WEBGPU: &[&str] = &[
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
    "--use-angle=swiftshader",
    "--use-vulkan=swiftshader",
    "--enable-features=Vulkan",
];

/// A process that does not outlive its test, nor do those that it has started.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> std::io::Result<Self> {
        command.process_group(0).spawn().map(Self)
    }

    /// Sends a signal to all of them. False where none is left.
    fn signal(&self, signal: &str) -> bool {
        let group = format!("-{}", self.0.id());
        let mut kill = Command::new("kill");
        kill.args(["-s", signal, "--", &group]).stderr(Stdio::null());
        kill.status().is_ok_and(|status| status.success())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.signal("KILL");
        let _ = self.0.wait();
        // Its child processes end a little later, and write to its folder until then.
        let start = Instant::now();
        while self.signal("0") && start.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// A server of the pages that scripts/web has written.
pub struct Site {
    server: Child,
    address: String,
    pub folder: PathBuf,
}

impl Site {
    /// Serves the folder that `SEAWAY_SITE` names, as a folder of its host: not all have one to
    /// themselves.
    pub fn serve() -> Self {
        let folder = std::env::var_os("SEAWAY_SITE").map(PathBuf::from);
        let folder =
            folder.expect("SEAWAY_SITE names the folder of the pages: run scripts/test-web");
        let mut server = Command::new("python3");
        server
            .args(["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory"])
            .arg(folder.parent().expect("a folder in another"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // In the tests' own group: it goes with them where they are interrupted, as a browser does
        // whose pipe ends.
        let mut server = server.spawn().expect("python3 serves the pages");
        let mut line = String::new();
        BufReader::new(server.stdout.take().expect("piped")).read_line(&mut line).unwrap();
        let port = line.split_whitespace().skip_while(|word| *word != "port").nth(1);
        let port: u16 = port.expect("its port").parse().unwrap();
        let name = folder.file_name().expect("a folder with a name").display();
        let address = format!("http://localhost:{port}/{name}");
        Self { server, address, folder }
    }

    pub fn url(&self, page: &str) -> String {
        format!("{}/{page}", self.address)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A browser with one page.
pub struct Browser {
    _process: Process,
    stdin: ChildStdin,
    messages: Receiver<Value>,
    session: String,
    next: u64,
    /// The messages that the page has logged: level and words.
    pub console: Vec<(String, String)>,
    pub folder: tempfile::TempDir,
}

impl Browser {
    /// One with WebGPU, whose window has that many pixels.
    pub fn open(size: [u32; 2]) -> Self {
        Self::with(WEBGPU, size)
    }

    /// Opens a phone's browser, as [`Browser::open`] does, with a page of `size` pixels, each of which is
    /// `ratio` of the screen's along each side. A canvas takes no part in what the protocol pretends.
    pub fn phone(size: [u32; 2], ratio: u32) -> Self {
        let ratio = format!("--force-device-scale-factor={ratio}");
        let mut browser = Self::with(&[WEBGPU, &[ratio.as_str()]].concat(), size);
        browser.resize(size, true);
        browser
    }

    /// Opens a browser without WebGPU.
    pub fn without_webgpu(size: [u32; 2]) -> Self {
        Self::with(&["--disable-gpu"], size)
    }

    fn with(flags: &[&str], [width, height]: [u32; 2]) -> Self {
        let folder =
            tempfile::Builder::new().prefix("browser").tempdir_in(env!("CARGO_TARGET_TMPDIR"));
        let folder = folder.unwrap();
        // The protocol is spoken through descriptors 3 and 4.
        let mut process = Command::new("sh");
        process
            .args(["-c", "exec chromium \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh"])
            .args(["--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run"])
            .args(["--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio"])
            .arg(format!("--user-data-dir={}", folder.path().display()))
            .arg(format!("--window-size={width},{height}"))
            .args(flags)
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut process = Process::start(&mut process).expect("a shell");
        let pipes = (process.0.stdin.take(), process.0.stdout.take());
        let (stdin, stdout) = (pipes.0.unwrap(), pipes.1.unwrap());
        let (give, messages) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(stdout).split(0) {
                let Ok(message) = message else { break };
                let message = serde_json::from_slice(&message).expect("Chromium speaks JSON");
                if give.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Self {
            _process: process,
            stdin,
            messages,
            session: String::new(),
            next: 0,
            console: Vec::new(),
            folder,
        };
        let targets = browser.call("Target.getTargets", json!({}));
        let pages = targets["targetInfos"].as_array().unwrap();
        let page = pages.iter().find(|target| target["type"] == "page").expect("a page");
        let attach = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.resize([width, height], false);
        browser.before_pages(
            "window.tasks = [];
            new PerformanceObserver((list) => {
                for (const task of list.getEntries()) tasks.push([task.startTime, task.duration]);
            }).observe({ type: 'longtask', buffered: true });
            // Between two frames there may be no task of the page's at all: the GPU is busy.
            window.gaps = [];
            window.lastFrame = performance.now();
            requestAnimationFrame(function next(now) {
                if (now - lastFrame > 50) gaps.push([lastFrame, now - lastFrame]);
                lastFrame = now;
                requestAnimationFrame(next);
            });",
        );
        browser
    }

    /// The window has another size, in pixels of the page, and fingers for a mouse if it is `mobile`.
    pub fn resize(&mut self, [width, height]: [u32; 2], mobile: bool) {
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 0, "mobile": mobile });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": mobile }));
    }

    /// Has `script` run before those of each page.
    pub fn before_pages(&mut self, script: &str) {
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
    }

    /// Has the GPU's clock go in steps of 100 us, as it does for visitors: the flag that gives SwiftShader to
    /// pages gives them a clock of nanoseconds, too, which no other flag takes away again.
    pub fn round_gpu_clock(&mut self) {
        self.before_pages(
            "if (window.GPUBuffer) {
                const clocks = new WeakSet();
                const resolve = GPUCommandEncoder.prototype.resolveQuerySet;
                GPUCommandEncoder.prototype.resolveQuerySet = function (set, first, count, to, at) {
                    clocks.add(to);
                    return resolve.call(this, set, first, count, to, at);
                };
                const copy = GPUCommandEncoder.prototype.copyBufferToBuffer;
                GPUCommandEncoder.prototype.copyBufferToBuffer = function (from, ...rest) {
                    const to = rest.find((one) => one instanceof GPUBuffer);
                    if (clocks.has(from)) clocks.add(to);
                    return copy.call(this, from, ...rest);
                };
                const map = GPUBuffer.prototype.getMappedRange;
                GPUBuffer.prototype.getMappedRange = function (...range) {
                    const mapped = map.apply(this, range);
                    if (clocks.has(this)) {
                        const ticks = new BigUint64Array(mapped);
                        ticks.forEach((tick, at) => { ticks[at] = tick - tick % 100000n; });
                    }
                    return mapped;
                };
            }",
        );
    }

    /// Calls a method of the protocol.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.try_call(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Calls a method of the protocol, which may not be able to do it.
    fn try_call(&mut self, method: &str, parameters: Value) -> Result<Value, String> {
        self.next += 1;
        let id = self.next;
        let mut message = json!({ "id": id, "method": method, "params": parameters });
        let is_of_browser = method.starts_with("Target.") || method.starts_with("Browser.");
        if !self.session.is_empty() && !is_of_browser {
            message["sessionId"] = self.session.as_str().into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.stdin.write_all(&bytes).expect("the browser listens");
        let start = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(start.elapsed());
            let message = self.messages.recv_timeout(left);
            let message = message.unwrap_or_else(|error| panic!("{method} got no answer: {error}"));
            if message["id"] == id {
                return match &message["error"] {
                    Value::Null => Ok(message["result"].clone()),
                    error => Err(error.to_string()),
                };
            }
            self.hear(&message);
        }
    }

    fn hear(&mut self, message: &Value) {
        let parameters = &message["params"];
        match message["method"].as_str() {
            Some("Runtime.consoleAPICalled") => {
                let words = parameters["args"].as_array().unwrap().iter();
                let words = words.map(|word| match &word["value"] {
                    Value::String(text) => text.clone(),
                    Value::Null => word["description"].as_str().unwrap_or_default().to_owned(),
                    other => other.to_string(),
                });
                let words = words.collect::<Vec<_>>().join(" ");
                self.console.push((parameters["type"].as_str().unwrap().to_owned(), words));
            }
            Some("Runtime.exceptionThrown") => {
                let details = &parameters["exceptionDetails"];
                let words = format!("{} {}", details["text"], details["exception"]["description"]);
                self.console.push(("error".to_owned(), words));
            }
            Some("Log.entryAdded") => {
                let entry = &parameters["entry"];
                let level = entry["level"].as_str().unwrap().to_owned();
                self.console.push((level, entry["text"].as_str().unwrap().to_owned()));
            }
            _ => {}
        }
    }

    /// Opens a page of the site.
    pub fn visit(&mut self, url: &str) {
        self.console.clear();
        // From another sea's link, only the address would change.
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.call("Page.navigate", json!({ "url": url }));
    }

    /// Runs `script` on the page, and returns its value.
    pub fn run(&mut self, script: &str) -> Value {
        let evaluate = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        // A page that is on its way to another has no place for scripts.
        let answer = (0..20).find_map(|_| {
            let answer = self.try_call("Runtime.evaluate", evaluate.clone()).ok();
            answer.or_else(|| {
                std::thread::sleep(Duration::from_millis(100));
                None
            })
        });
        let answer = answer.unwrap_or_else(|| panic!("nothing runs {script}"));
        assert!(answer["exceptionDetails"].is_null(), "{script}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Waits until `ready` gives something.
    pub fn wait<T>(&mut self, what: &str, mut ready: impl FnMut(&mut Self) -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            if let Some(value) = ready(self) {
                return value;
            }
            let console = &self.console;
            assert!(start.elapsed() < PATIENCE, "waited for {what}; the console: {console:#?}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until the console says something with `words` in it.
    pub fn wait_for_words(&mut self, words: &str) -> String {
        self.wait(words, |browser| {
            browser.run("1");
            browser
                .console
                .iter()
                .find(|(_, said)| said.contains(words))
                .map(|(_, said)| said.clone())
        })
    }

    /// Waits until the page's address describes the sea, and returns the fields of the address.
    pub fn link(&mut self) -> HashMap<String, String> {
        let hash = self.run(
            "(() => { try { return decodeURIComponent(location.hash.slice(1)); } catch { return ''; } })()",
        );
        let words = hash.as_str().unwrap().split('&').filter_map(|word| word.split_once('='));
        words.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
    }

    /// A number of the link.
    pub fn linked(&mut self, key: &str) -> f64 {
        self.link().get(key).map_or(0.0, |text| text.parse().unwrap())
    }

    /// A key goes down or up, which is named as in `KeyboardEvent.code`.
    pub fn key(&mut self, code: &str, key: &str, is_down: bool) {
        let kind = if is_down { "keyDown" } else { "keyUp" };
        let mut event = json!({ "type": kind, "code": code, "key": key });
        if is_down && key.chars().count() == 1 {
            event["text"] = key.into();
        }
        self.call("Input.dispatchKeyEvent", event);
    }

    /// Presses a key and lets it go.
    pub fn press(&mut self, code: &str, key: &str) {
        self.key(code, key, true);
        self.key(code, key, false);
    }

    /// A key is pressed while Ctrl is held.
    pub fn press_with_control(&mut self, code: &str, key: &str) {
        // The event of Ctrl itself says that Ctrl is held, as a keyboard's does.
        let ctrl = ("ControlLeft", "Control");
        for (kind, (code, key), modifiers) in [
            ("rawKeyDown", ctrl, 2),
            ("rawKeyDown", (code, key), 2),
            ("keyUp", (code, key), 2),
            ("keyUp", ctrl, 0),
        ] {
            let event = json!({ "type": kind, "code": code, "key": key, "modifiers": modifiers });
            self.call("Input.dispatchKeyEvent", event);
            self.after_frames(2);
        }
    }

    /// Waits for the given number of frames of the page.
    pub fn after_frames(&mut self, count: u32) {
        self.run(&format!(
            "(async () => {{
                for (let frame = 0; frame < {count}; frame++) await new Promise(requestAnimationFrame);
            }})()"
        ));
    }

    /// Fingers are at these points of the page: none have been lifted.
    pub fn touch(&mut self, kind: &str, points: &[[f64; 2]]) {
        let points: Vec<_> =
            (0..).zip(points).map(|(id, [x, y])| json!({ "id": id, "x": x, "y": y })).collect();
        self.call("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
    }

    /// Allows pages to save files in the browser's folder.
    pub fn allow_downloads(&mut self) {
        let allow = json!({ "behavior": "allow", "downloadPath": self.downloads() });
        self.call("Browser.setDownloadBehavior", allow);
    }

    fn downloads(&self) -> PathBuf {
        self.folder.path().join("downloads")
    }

    /// The one file that has been saved with that extension, once it has been.
    pub fn downloaded(&mut self, extension: &str) -> PathBuf {
        let folder = self.downloads();
        self.wait(&format!("a {extension} file"), |browser| {
            browser.run("1");
            // Unfinished downloads have another extension.
            let paths = std::fs::read_dir(&folder).ok()?.map(|entry| entry.unwrap().path());
            let mut paths =
                paths.filter(|path| path.extension().is_some_and(|end| end == extension));
            let path = paths.next()?;
            assert_eq!(paths.next(), None);
            Some(path)
        })
    }

    /// Returns the canvas's picture: width, height, and 8 bits of red, green and blue for each pixel.
    pub fn canvas(&mut self) -> (u32, u32, Vec<u8>) {
        let read = self.run(
            "new Promise((resolve) => requestAnimationFrame(() => {
                const sea = document.getElementById('sea');
                const copy = new OffscreenCanvas(sea.width, sea.height);
                const context = copy.getContext('2d');
                context.drawImage(sea, 0, 0);
                const bytes = context.getImageData(0, 0, sea.width, sea.height).data;
                let text = '';
                for (let at = 0; at < bytes.length; at += 4) {
                    for (let part = 0; part < 3; part++) {
                        text += bytes[at + part].toString(16).padStart(2, '0');
                    }
                }
                resolve([sea.width, sea.height, text]);
            }))",
        );
        let [width, height] = [0, 1].map(|place| read[place].as_u64().unwrap() as u32);
        let text = read[2].as_str().unwrap().as_bytes();
        let digit = |byte: u8| char::from(byte).to_digit(16).unwrap() as u8;
        let bytes = text.chunks_exact(2).map(|pair| 16 * digit(pair[0]) + digit(pair[1]));
        (width, height, bytes.collect())
    }

    /// Returns the errors of the page.
    pub fn errors(&mut self) -> Vec<String> {
        self.run("1");
        let wrong = |(level, _): &&(String, String)| ["error", "assert"].contains(&level.as_str());
        self.console.iter().filter(wrong).map(|(_, words)| words.clone()).collect()
    }

    /// Pauses between frames of the page of more than 50 ms: when they began and how long they took, the
    /// one that is not over yet included.
    pub fn gaps(&mut self) -> Vec<[f64; 2]> {
        let gaps = self.run("[...gaps, [lastFrame, performance.now() - lastFrame]]");
        serde_json::from_value(gaps).unwrap()
    }

    /// Tasks of the page that were longer than `milliseconds`: when they began and how long they took.
    pub fn long_tasks(&mut self, milliseconds: f64) -> Vec<[f64; 2]> {
        let tasks: Vec<[f64; 2]> = serde_json::from_value(self.run("tasks")).unwrap();
        tasks.into_iter().filter(|[_, duration]| *duration > milliseconds).collect()
    }
}

/// Keeps a picture for people to look at.
pub fn keep(name: &str, (width, height, bytes): &(u32, u32, Vec<u8>)) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("web-{name}.png"));
    image::save_buffer(&path, bytes, *width, *height, image::ExtendedColorType::Rgb8).unwrap();
    path
}
