//! Results that users keep, as downloads.

use std::io::Cursor;
use std::time::Duration;

use chrono::{Datelike as _, Timelike as _};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Blob, HtmlAnchorElement, Url};
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::app::platform::sleep;
use crate::profile::{Capture, CaptureInfo};

/// The time in which browsers read a download after the click, in Safari's case seconds.
const READ_WITHIN: Duration = Duration::from_secs(40);

/// Saves captures and tables as downloads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exporter;

impl Exporter {
    /// Downloads `bytes` as `NAME-DATE.EXTENSION`, and returns a message. The error is a message with the
    /// reason.
    pub fn file(&self, name: &str, extension: &str, bytes: &[u8]) -> Result<String, String> {
        let name = format!("{name}-{}.{extension}", stamp());
        download(&name, bytes)?;
        Ok(format!("{name} in your downloads"))
    }

    /// Downloads a picture as [`Exporter::file`] does.
    pub fn picture(&self, name: &str, extension: &str, bytes: &[u8]) -> Result<String, String> {
        self.file(name, extension, bytes)
    }

    /// Downloads the files of a capture in one archive, and returns a message: for several downloads at once,
    /// browsers ask for permission.
    pub fn capture(&self, capture: &Capture, info: &CaptureInfo) -> Result<String, String> {
        let folder = format!("seaway-{}", stamp());
        let archive = archive(&folder, capture, info).map_err(|error| error.to_string())?;
        let name = format!("{folder}.zip");
        download(&name, &archive)?;
        Ok(format!("{name} in your downloads"))
    }
}

fn archive(folder: &str, capture: &Capture, info: &CaptureInfo) -> ZipResult<Vec<u8>> {
    // Times as text shrink to a tenth, and hardly more with slower methods.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(1))
        .last_modified_time(now().unwrap_or_default());
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, fill) in capture.files(info) {
        archive.start_file(format!("{folder}/{name}"), options)?;
        fill(&mut archive)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// The date in the format of archives, where it is in their range.
fn now() -> Option<zip::DateTime> {
    let now = chrono::Local::now();
    let [month, day, hour, minute, second] =
        [now.month(), now.day(), now.hour(), now.minute(), now.second()]
            .map(|part| u8::try_from(part).ok());
    let year = u16::try_from(now.year()).ok()?;
    zip::DateTime::from_date_and_time(year, month?, day?, hour?, minute?, second?).ok()
}

fn stamp() -> impl std::fmt::Display {
    chrono::Local::now().format("%Y-%m-%d_%H-%M-%S")
}

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
            // The page keeps an unrevoked address until it is left.
            let _ = Url::revoke_object_url(&url);
        });
        Ok(())
    };
    offered().map_err(|error| format!("the browser could not save it: {error:?}"))
}
