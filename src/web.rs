//! The functions that the pages of `web/` call.

#[cfg(not(target_family = "wasm"))]
fn main() {
    eprintln!("seaway-web only runs in browsers: build and serve its pages with scripts/web");
    std::process::exit(2);
}

#[cfg(target_family = "wasm")]
fn main() {
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        // The page can no longer call the program.
        seaway::pages::report_end(&format!("The program has failed: {info}"));
    }));
    console::log();
}

/// Logs to the browser's console, with all levels where the page's address requests them: `?log=trace`.
#[cfg(target_family = "wasm")]
mod console {
    use log::{Level, LevelFilter, Metadata, Record};

    /// Prints level and text, without the noise of other libraries.
    struct Console;

    impl log::Log for Console {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            metadata.level() <= Level::Info || metadata.target().starts_with("seaway")
        }

        fn log(&self, record: &Record<'_>) {
            if self.enabled(record.metadata()) {
                console_log::log(record);
            }
        }

        fn flush(&self) {}
    }

    pub fn log() {
        let search = web_sys::window().and_then(|window| window.location().search().ok());
        let asked = search.as_deref().and_then(|search| {
            let words = search.trim_start_matches('?').split('&');
            words.filter_map(|word| word.strip_prefix("log=")).next()?.parse().ok()
        });
        log::set_max_level(asked.unwrap_or(LevelFilter::Info));
        let _ = log::set_logger(&Console);
    }
}

#[cfg(target_family = "wasm")]
mod entries {
    use js_sys::Function;
    use seaway::pages;
    use wasm_bindgen::prelude::*;

    /// Shows the sea in the page's canvas. The error is a message for the user.
    #[wasm_bindgen]
    pub fn ocean() -> Result<(), String> {
        pages::ocean()
    }

    /// Verifies and times every algorithm on images of `size` x `size` points, and reports each to
    /// `listener`, as [`pages::laboratory`] does. The error is a message for the user.
    #[wasm_bindgen]
    pub async fn laboratory(size: u32, listener: Function) -> Result<(), String> {
        pages::laboratory(size, |text| tell(&listener, text)).await
    }

    fn tell(listener: &Function, text: String) -> Result<(), String> {
        let told = listener.call1(&JsValue::NULL, &text.into());
        told.map(drop).map_err(|error| format!("{error:?}"))
    }

    /// The papers' figures on the visitor's adapter. Its errors are messages for the user.
    #[wasm_bindgen]
    pub struct Papers(pages::Papers);

    #[wasm_bindgen]
    impl Papers {
        /// Opens the adapter for the figures of these names, separated by commas, or for all if there are none.
        pub async fn open(names: String, quick: bool, browser: String) -> Result<Papers, String> {
            Ok(Self(pages::Papers::open(&names, quick, browser).await?))
        }

        /// The sections of all figures so far, as a JSON array of `{paper, name, html}`.
        pub fn sections(&self) -> String {
            self.0.sections()
        }

        /// Measures what is left, and returns whether it is complete, as [`pages::Papers::measure`] does.
        pub async fn measure(&self, listener: Function) -> Result<bool, String> {
            self.0.measure(|text| tell(&listener, text)).await
        }

        /// Stops measuring.
        pub fn stop(&self) {
            self.0.stop();
        }

        /// The measurements so far, in the form that `seaway figures --from` reads.
        pub fn json(&self) -> String {
            self.0.json()
        }

        /// All figures so far, as one file that needs no other.
        pub fn html(&self) -> String {
            self.0.html()
        }
    }

    /// The kernel foundry on the visitor's adapter. Its errors are messages for the user.
    #[wasm_bindgen]
    pub struct Foundry(pages::Foundry);

    #[wasm_bindgen]
    impl Foundry {
        /// Opens the adapter.
        pub async fn open() -> Result<Foundry, String> {
            Ok(Self(pages::Foundry::open().await?))
        }

        /// The name of the adapter.
        pub fn adapter(&self) -> String {
            self.0.adapter()
        }

        /// The fields of the form, as JSON.
        pub fn form() -> String {
            pages::Foundry::form()
        }

        /// The kernels of the form in `address`, as [`pages::Foundry::describe`] returns them.
        pub async fn describe(
            &self,
            address: String,
            listener: Function,
        ) -> Result<String, String> {
            self.0.describe(&address, |text| tell(&listener, text)).await
        }

        /// Checks and times them by the configuration in `chosen`, and returns a row of `seaway bench`.
        pub async fn verify(&self, address: String, chosen: String) -> Result<String, String> {
            self.0.verify(&address, &chosen).await
        }
    }
}
