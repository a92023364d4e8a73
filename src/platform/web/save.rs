//! What the user is given to keep: downloads.

use std::time::Duration;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Blob, HtmlAnchorElement, Url};

use super::work::sleep;
use crate::profile::{Capture, CaptureInfo};

/// Browsers read what they save after the click, Safari seconds after it.
const READ_WITHIN: Duration = Duration::from_secs(40);

/// Where captures and tables go: where the browser puts downloads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Saver;

impl Saver {
    /// Gives `bytes` to the user as `NAME-DATE.EXTENSION`, and says so.
    ///
    /// # Errors
    /// Why not, in words.
    pub fn file(&self, name: &str, extension: &str, bytes: &[u8]) -> Result<String, String> {
        let name = format!("{name}-{}.{extension}", stamp());
        download(&name, bytes)?;
        Ok(format!("{name}, among your downloads"))
    }

    /// As [`Saver::file`], a picture.
    ///
    /// # Errors
    /// As [`Saver::file`].
    pub fn picture(&self, name: &str, extension: &str, bytes: &[u8]) -> Result<String, String> {
        self.file(name, extension, bytes)
    }

    /// Gives the files of a capture to the user, each by itself, and says so.
    ///
    /// # Errors
    /// As [`Saver::file`].
    pub fn capture(&self, capture: &Capture, info: &CaptureInfo) -> Result<String, String> {
        let stamp = stamp();
        for (name, fill) in capture.files(info) {
            let mut bytes = Vec::new();
            fill(&mut bytes).map_err(|error| format!("{name}: {error}"))?;
            download(&format!("seaway-{stamp}-{name}"), &bytes)?;
        }
        Ok(format!("seaway-{stamp}-.., among your downloads"))
    }
}

fn stamp() -> impl std::fmt::Display {
    chrono::Local::now().format("%Y-%m-%d_%H-%M-%S")
}

/// Has the browser save `bytes` as `name`.
fn download(name: &str, bytes: &[u8]) -> Result<(), String> {
    let offered = || -> Result<(), JsValue> {
        let parts = Array::of1(&Uint8Array::from(bytes));
        let url = Url::create_object_url_with_blob(&Blob::new_with_u8_array_sequence(&parts)?)?;
        let document = web_sys::window().and_then(|window| window.document());
        let document = document.ok_or("there is no document")?;
        let anchor: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
        anchor.set_href(&url);
        anchor.set_download(name);
        anchor.click();
        spawn_local(async move {
            sleep(READ_WITHIN).await;
            // What is not revoked is kept until the page is left: no more than that.
            let _ = Url::revoke_object_url(&url);
        });
        Ok(())
    };
    offered().map_err(|error| format!("the browser saved nothing: {error:?}"))
}
