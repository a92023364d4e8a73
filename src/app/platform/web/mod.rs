mod file_input;
mod save;

use std::path::PathBuf;
use std::time::Duration;

use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::HtmlCanvasElement;
use winit::application::ApplicationHandler;
use winit::event_loop::{ControlFlow, EventLoop};
use winit::keyboard::KeyCode;
use winit::platform::web::{EventLoopExtWebSys as _, WindowAttributesExtWebSys as _};
use winit::window::{Window, WindowAttributes};

pub(crate) use self::file_input::{CAN_CHOOSE_FILES, FileInput, OpenedFiles, receives_files};
pub(crate) use self::save::Exporter;

/// The canvas of the page that shows the sea.
const CANVAS: &str = "sea";

/// The element for the message why there is no sea.
const MESSAGE: &str = "message";

/// Whether the program can be quit from within: users close the page.
pub(crate) const CAN_QUIT: bool = false;

/// The key for slow flight while it is held. Ctrl and W would close the page, which no page can prevent.
pub(crate) const SLOW_KEYS: &[KeyCode] = &[KeyCode::KeyX];

/// Whether a frame can be shown without waiting for the display.
pub(crate) const HAS_VSYNC_CHOICE: bool = false;

/// Whether requests give way to the adapter's limits. Users who follow a link only want a sea, and
/// cannot easily clear a browser's storage.
pub(crate) const GIVES_WAY: bool = true;

/// The frames that show the sea without objects at first. A browser compiles shaders one after another, and the
/// sea should not wait for those of objects. The first frame is on the screen after a few more.
pub(crate) const FRAMES_WITHOUT_OBJECTS: Option<u32> = Some(4);

/// Whether failed starts are counted: a visitor cannot start with other options.
pub(crate) const COUNTS_STARTS: bool = true;

/// The pixels of the screen. A browser does not report the adapter's speed, and the screens of phones
/// and laptops have more pixels than their adapters can fill.
pub(crate) fn screen_pixels() -> Option<f64> {
    let window = web_sys::window()?;
    let screen = window.screen().ok()?;
    let ratio = window.device_pixel_ratio();
    Some(f64::from(screen.width().ok()?) * f64::from(screen.height().ok()?) * ratio * ratio)
}

/// Whether the canvas can fill the screen: on phones it may not.
pub(crate) fn can_fill_screen() -> bool {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return false;
    };
    let is_enabled = |key: &str| {
        js_sys::Reflect::get(&document, &key.into()).is_ok_and(|enabled| enabled.is_truthy())
    };
    is_enabled("fullscreenEnabled") || is_enabled("webkitFullscreenEnabled")
}

/// Whether the user has a touch screen only.
pub(crate) fn has_fingers_only() -> bool {
    let asked = web_sys::window().and_then(|window| {
        window.match_media("(hover: none) and (pointer: coarse)").ok().flatten()
    });
    asked.is_some_and(|asked| asked.matches())
}

/// The interval of saving the state: a page ends without notice.
pub(crate) const REMEMBER_EVERY: Option<Duration> = Some(Duration::from_secs(1));

/// The event loop's way to the next frame, once that is requested: when the browser draws.
pub(crate) const NEXT_FRAME: ControlFlow = ControlFlow::Wait;

/// The page's canvas as a window. The style sheet sets its size, and the page decides which keys the
/// browser handles: winit would take them all.
pub(crate) fn window(_size: [u32; 2]) -> WindowAttributes {
    let canvas = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id(CANVAS))
        .and_then(|element| element.dyn_into::<HtmlCanvasElement>().ok());
    Window::default_attributes().with_canvas(canvas).with_prevent_default(false)
}

pub(crate) fn run<Program: ApplicationHandler + 'static, E>(
    event_loop: EventLoop<()>,
    program: Program,
    _end: impl FnOnce(Program) -> Result<(), E>,
    _failed: impl FnOnce(&dyn std::fmt::Display) -> E,
) -> Result<(), E> {
    event_loop.spawn_app(program);
    Ok(())
}

/// The element that shows that the page is loading.
const LOADING: &str = "loading";

/// Reports that the canvas has something to show from now on.
pub(crate) fn report_opened() {
    let document = web_sys::window().and_then(|window| window.document());
    let loading = document.and_then(|document| document.get_element_by_id(LOADING));
    loading.into_iter().for_each(|loading| loading.remove());
}

/// Reports why there is no more sea, with the page's picture for that.
pub(crate) fn report_end(reason: &str) {
    log::error!("{reason}");
    report_opened();
    let document = web_sys::window().and_then(|window| window.document());
    let message = document.as_ref().and_then(|document| document.get_element_by_id(MESSAGE));
    if let Some(message) = message {
        if let Ok(Some(text)) = message.query_selector("[data-reason]") {
            text.set_text_content(Some(reason));
        }
        let _ = message.remove_attribute("hidden");
    }
}

/// The part of the page's address after its #, decoded where possible.
pub(crate) fn address() -> Option<String> {
    let hash = web_sys::window()?.location().hash().ok()?;
    let link = hash.strip_prefix('#').filter(|link| !link.is_empty())?;
    Some(js_sys::decode_uri_component(link).map_or_else(|_| link.to_owned(), String::from))
}

/// Makes `link` the part of the page's address after its #, without another entry in its history.
pub(crate) fn set_address(link: &str) {
    let Some(window) = web_sys::window() else { return };
    let history = window.history();
    // Some browsers refuse frequent changes, until the next one.
    let _ = history.and_then(|history| {
        let url = format!("#{}", js_sys::encode_uri(link));
        history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&url))
    });
}

/// Copies `text` to the clipboard. Calls `refused` where the browser does not allow it.
pub(crate) fn copy(text: &str, refused: impl FnOnce() + 'static) {
    let clipboard = web_sys::window().map(|window| window.navigator().clipboard());
    // Pages over plain http have none.
    match clipboard.filter(|clipboard| !clipboard.is_undefined()) {
        Some(clipboard) => {
            let written = clipboard.write_text(text);
            spawn_local(async move {
                if JsFuture::from(written).await.is_err() {
                    refused();
                }
            });
        }
        None => refused(),
    }
}

/// A server of live profiles, which pages cannot run.
pub(crate) enum ProfileServer {}

/// Always fails, since pages cannot serve.
pub(crate) fn serve_profiles(_address: &str) -> Result<ProfileServer, String> {
    Err("a page cannot serve profiles".to_owned())
}

pub(crate) enum FolderWatcher {}

/// Always fails, since pages have no folders.
///
/// # Errors
/// Always.
pub(crate) fn watch_folders(
    _folders: &[PathBuf],
    _changed: impl Fn() + Send + 'static,
) -> Result<FolderWatcher, String> {
    Err("a page cannot watch a folder".to_owned())
}
