//! What the pages of `web/` call.

#[cfg(not(target_family = "wasm"))]
fn main() {
    eprintln!("seaway-web is for browsers: scripts/web builds and serves its pages");
    std::process::exit(2);
}

#[cfg(target_family = "wasm")]
fn main() {
    console_error_panic_hook::set_once();
    // It fails where there is a logger already, which will do.
    let _ = console_log::init_with_level(log::Level::Info);
}

#[cfg(target_family = "wasm")]
mod entries {
    use seaway::app::{self, RunOptions};
    use wasm_bindgen::prelude::*;

    /// Shows the sea in the page's canvas.
    ///
    /// # Errors
    /// What there is to tell the user.
    #[wasm_bindgen]
    pub fn ocean() -> Result<(), String> {
        app::run(RunOptions::default()).map_err(|error| error.to_string())
    }
}
