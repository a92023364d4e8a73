//! What the user is given to keep: downloads.

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
        Ok(format!("{name} in your downloads"))
    }

    /// As [`Saver::file`], a picture.
    ///
    /// # Errors
    /// As [`Saver::file`].
    pub fn picture(&self, name: &str, extension: &str, bytes: &[u8]) -> Result<String, String> {
        self.file(name, extension, bytes)
    }

    /// Gives the files of a capture to the user in one archive, and says so: of several downloads at
    /// once, browsers ask whether they are wanted.
    ///
    /// # Errors
    /// As [`Saver::file`].
    pub fn capture(&self, capture: &Capture, info: &CaptureInfo) -> Result<String, String> {
        let folder = format!("seaway-{}", stamp());
        let archive = archive(&folder, capture, info).map_err(|error| error.to_string())?;
        let name = format!("{folder}.zip");
        download(&name, &archive)?;
        Ok(format!("{name} in your downloads"))
    }
}

/// The files of a capture in `folder` of an archive.
fn archive(folder: &str, capture: &Capture, info: &CaptureInfo) -> ZipResult<Vec<u8>> {
    // Times as text shrink to a tenth, and hardly more if more time is spent on them.
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

/// The date as archives have it; nothing where that is past what they can say.
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
    offered().map_err(|error| format!("the browser could not save it: {error:?}"))
}
