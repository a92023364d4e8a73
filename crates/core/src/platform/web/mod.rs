#[cfg(feature = "files")]
pub mod files;
mod timed;
mod work;

use js_sys::{Function, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;

pub use web_time::Instant;

pub use self::timed::Timed;
pub use self::work::Task;
pub use self::work::{CAN_WAIT, Pending, sleep};

/// Whether dropped resources are freed late, and have to be destroyed to be freed at once: a browser
/// keeps buffers and textures until it collects garbage.
pub const FREES_LATE: bool = true;

/// Whether shaders are compiled in this process: the browser uses another, and reports errors later.
pub const COMPILES_HERE: bool = false;

/// Runs `work` for each number below `count`. There is one thread, so `_meanwhile` is unused.
pub fn side_by_side(count: usize, work: impl Fn(usize), _meanwhile: impl Fn()) {
    (0..count).for_each(work);
}

/// The browser's name of its adapter: a vendor and a family, mostly without a model, which would
/// identify visitors.
pub async fn adapter_name() -> String {
    let info = async || -> Result<JsValue, JsValue> {
        let navigator = web_sys::window().ok_or("no window")?.navigator();
        let gpu = Reflect::get(&navigator, &"gpu".into())?;
        let request: Function = Reflect::get(&gpu, &"requestAdapter".into())?.dyn_into()?;
        // The same request as in `Context`: a machine of two GPUs would name the other one.
        let options = js_sys::Object::new();
        Reflect::set(&options, &"powerPreference".into(), &"high-performance".into())?;
        let adapter = request.call1(&gpu, &options)?.dyn_into::<js_sys::Promise>()?;
        Reflect::get(&JsFuture::from(adapter).await?, &"info".into())
    };
    let Ok(info) = info().await else { return String::new() };
    let word = |key: &str| Reflect::get(&info, &key.into()).ok()?.as_string();
    let words =
        ["vendor", "architecture", "device", "description"].iter().filter_map(|key| word(key));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Lets other tasks run: events, timers, the next frame. A message to itself returns right after them,
/// where a timer would sleep for 4 ms.
pub async fn pause() {
    let Ok(channel) = web_sys::MessageChannel::new() else { return };
    let (sender, receiver) = (channel.port2(), channel.port1());
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        let heard = Closure::once_into_js(move || {
            let _ = resolve.call0(&JsValue::NULL);
        });
        receiver.set_onmessage(Some(heard.unchecked_ref()));
        if sender.post_message(&JsValue::NULL).is_err() {
            log::error!("the page could not send itself a message");
        }
    });
    let _ = JsFuture::from(promise).await;
    receiver.close();
}
