//! The texts that differ between a page and a native program: places of files, ways to open them, keys.
//! Both are plain data, so that one test reads both.

#[derive(Debug)]
pub(crate) struct UiStrings {
    pub speed_keys: &'static str,
    pub slow_key: &'static str,
    /// The effect of Esc over the sea.
    pub escape: &'static str,
    /// The description of recording a capture.
    pub capture: &'static str,
    /// The result of recording a capture.
    pub capture_hover: &'static str,
    /// The programs that open the files of a capture.
    pub capture_opens: &'static str,
    /// The place of tables and pictures of a comparison.
    pub tables_go: &'static str,
    pub vsync: &'static str,
    /// The reason why a second start is quicker, if any.
    pub next_start: Option<&'static str>,
    /// The reason why the FFT cannot be chosen by measuring, if any.
    pub no_tuning: Option<&'static str>,
    /// The coarseness of the GPU's times, if relevant.
    pub gpu_times: Option<&'static str>,
    /// The place of the verification and timing of every FFT, if it is beside this program.
    pub laboratory: Option<&'static str>,
    /// The reason why the GPU's times are unknown.
    pub no_gpu_times: &'static str,
    /// Advice where there is no window.
    pub no_window: &'static str,
    /// The ways to open spectrum files.
    pub open_spectra: &'static str,
    /// The way to open spectrum files where windows receive none.
    pub start_with_spectra: &'static str,
    /// The reason why other visitors do not see the sea of an opened file, where there are links.
    pub record_is_not_shared: Option<&'static str>,
}

#[cfg(any(test, not(target_family = "wasm")))]
pub(crate) const NATIVE: UiStrings = UiStrings {
    speed_keys: "Shift  Ctrl",
    slow_key: "Ctrl",
    escape: "quit",
    capture: "record a capture (Perfetto, puffin, CSV)",
    capture_hover: "Records CPU scopes and GPU passes of the next frames into a folder, for \
                    Perfetto and puffin_viewer, with a table and a summary (F9).",
    capture_opens: "open its trace.json with ui.perfetto.dev, its capture.puffin with puffin_viewer",
    tables_go: "Saved to the folder that Seaway was started in.",
    vsync: "Wait for the display before each frame.",
    next_start: Some("The driver caches the shaders: the next start is faster."),
    no_tuning: None,
    gpu_times: None,
    laboratory: None,
    no_gpu_times: "This adapter has no timestamps: GPU times are unknown.",
    no_window: "Check that there is a display; `seaway render` makes pictures without one.",
    open_spectra: "Drop files of measured wave spectra on the window to see their sea.",
    start_with_spectra: "Start with `seaway run --spectrum-file FILE` to see a measured sea. Windows receive \
                         no files under Wayland.",
    record_is_not_shared: None,
};

#[cfg(any(test, target_family = "wasm"))]
pub(crate) const WEB: UiStrings = UiStrings {
    speed_keys: "Shift  X",
    slow_key: "X",
    escape: "close this help",
    capture: "record a capture (Perfetto, CSV)",
    capture_hover: "Records CPU scopes and GPU passes of the next frames and downloads them as \
                    one archive, for Perfetto, with a table and a summary (F9).",
    capture_opens: "open the trace.json in it with ui.perfetto.dev",
    tables_go: "Saved to your downloads.",
    vsync: "A browser always waits for the display.",
    // Some browsers keep them, but none reports it.
    next_start: None,
    no_tuning: Some(
        "a browser's clock is too coarse to choose an FFT by measuring, and the page would freeze \
         meanwhile: use best, the best known",
    ),
    gpu_times: Some("Browsers round GPU times; Chromium rounds to 0.1 ms."),
    laboratory: Some(
        "The page bench.html verifies and times every algorithm, and kernel.html shows the kernels.",
    ),
    no_gpu_times: "This browser has no GPU timestamps: GPU times are unknown.",
    no_window: "The page has no canvas for the sea.",
    open_spectra: "Drop files of measured wave spectra on the page, or open them, to see their sea.",
    start_with_spectra: "",
    record_is_not_shared: Some(
        "The address of this page does not carry the file: its other visitors see waves of the same wind.",
    ),
};

#[cfg(not(target_family = "wasm"))]
pub(crate) use NATIVE as STRINGS;
#[cfg(target_family = "wasm")]
pub(crate) use WEB as STRINGS;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_pages_mention_only_their_features() {
        let (native, web) = (format!("{NATIVE:?}"), format!("{WEB:?}"));
        for word in ["puffin", "folder", "Ctrl", "quit", "driver", "seaway render"] {
            assert!(native.contains(word), "{word}");
            assert!(!web.contains(word), "{word}: {web}");
        }
        assert!(web.contains("download"));
    }
}
