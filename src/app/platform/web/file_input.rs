//! Spectrum files that users drop on the page or choose in the browser's dialog.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use js_sys::Uint8Array;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DragEvent, Event, File, FileList, HtmlInputElement};

use crate::app::messages::Messages;
use crate::settings::RecordedSea;
use crate::spectrum_file::{self, FILE_LIMIT_BYTES, SpectrumFileError};

/// Whether users can choose files in a dialog.
pub(crate) const CAN_CHOOSE_FILES: bool = true;

/// Whether the page receives files that are dropped on it.
pub(crate) fn receives_files() -> bool {
    true
}

/// The most bytes of files that are opened together. The page holds all of them while it reads them.
const TOTAL_LIMIT_BYTES: usize = 2 * FILE_LIMIT_BYTES;

/// Files that a user opens together: names and bytes.
pub(crate) struct OpenedFiles(Vec<(String, Vec<u8>)>);

impl OpenedFiles {
    /// Returns the name for messages.
    pub fn name(&self) -> String {
        match &self.0[..] {
            [(name, _)] => name.clone(),
            files => format!("{} files", files.len()),
        }
    }

    /// Reads the files as one record, with notes.
    ///
    /// # Errors
    /// Those of [`spectrum_file::read_all`].
    pub fn read(&self) -> Result<(RecordedSea, Vec<String>), SpectrumFileError> {
        spectrum_file::read_all(&self.0)
    }
}

/// Listens for files that are dropped on the page, and opens the browser's dialog.
pub(crate) struct FileInput {
    opened: Rc<RefCell<Option<OpenedFiles>>>,
    input: Option<HtmlInputElement>,
}

impl FileInput {
    /// Starts to listen. Files that cannot be read are reported.
    pub fn new(messages: &Messages) -> Self {
        let opened = Rc::new(RefCell::new(None));
        let mut new = Self { opened: Rc::clone(&opened), input: None };
        let Some(document) = web_sys::window().and_then(|window| window.document()) else {
            return new;
        };
        let open = {
            let messages = messages.clone();
            move |files: Option<FileList>| {
                let files =
                    files.iter().flat_map(|list| (0..list.length()).filter_map(|at| list.item(at)));
                let files: Vec<File> = files.collect();
                let (opened, messages) = (Rc::clone(&opened), messages.clone());
                spawn_local(async move {
                    match read(&files).await {
                        Ok(files) if files.is_empty() => {}
                        Ok(files) => drop(opened.replace(Some(OpenedFiles(files)))),
                        Err(reason) => messages.warn(reason),
                    }
                });
            }
        };
        // Without these listeners, a browser shows a dropped file in place of the page.
        let drag = Closure::<dyn FnMut(Event)>::new({
            let open = open.clone();
            move |event: Event| {
                let Some(data) = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer)
                else {
                    return;
                };
                if !data.types().includes(&"Files".into(), 0) {
                    return;
                }
                event.prevent_default();
                if event.type_() == "drop" {
                    open(data.files());
                } else {
                    data.set_drop_effect("copy");
                }
            }
        })
        .into_js_value();
        for kind in ["dragover", "drop"] {
            let _ = document.add_event_listener_with_callback(kind, drag.unchecked_ref());
        }
        let input = document.create_element("input").ok();
        let input = input.and_then(|input| input.dyn_into::<HtmlInputElement>().ok());
        if let Some(input) = input {
            input.set_type("file");
            input.set_multiple(true);
            let change = Closure::<dyn FnMut(Event)>::new({
                let input = input.clone();
                move |_| open(input.files())
            })
            .into_js_value();
            input.set_onchange(Some(change.unchecked_ref()));
            new.input = Some(input);
        }
        new
    }

    /// Does nothing: winit sends no files on the web.
    pub fn add(&mut self, _path: PathBuf) {}

    /// Opens the browser's dialog. Browsers allow it within a few seconds after a click or a key.
    pub fn choose(&self) {
        if let Some(input) = &self.input {
            // Otherwise the choice of the same file would be no change.
            input.set_value("");
            input.click();
        }
    }

    /// Returns the files of the last drop or choice, once they are read.
    pub fn take(&mut self) -> Option<OpenedFiles> {
        self.opened.take()
    }
}

/// Reads the names and bytes of `files`. The error is a message with the reason.
async fn read(files: &[File]) -> Result<Vec<(String, Vec<u8>)>, String> {
    let too_large = |file: &&File| file.size() > FILE_LIMIT_BYTES as f64;
    if let Some(file) = files.iter().find(too_large) {
        return Err(SpectrumFileError::TooLarge { file: file.name() }.to_string());
    }
    let total: f64 = files.iter().map(|file| file.size()).sum();
    if total > TOTAL_LIMIT_BYTES as f64 {
        return Err(format!(
            "The files hold more than {} MiB together, which is the limit of this page. Open fewer files, or pack \
             them as .gz.",
            TOTAL_LIMIT_BYTES >> 20
        ));
    }
    let mut contents = Vec::with_capacity(files.len());
    for file in files {
        let bytes = JsFuture::from(file.array_buffer()).await.map_err(|error: JsValue| {
            let reason =
                error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
            SpectrumFileError::Unreadable {
                file: file.name(),
                reason: reason.unwrap_or_else(|| format!("{error:?}")),
            }
            .to_string()
        })?;
        contents.push((file.name(), Uint8Array::new(&bytes).to_vec()));
    }
    Ok(contents)
}
