//! The function that kernel.html calls for kernels in other shading languages: a module of its own, since no
//! other page needs the compiler in it.

#[cfg(not(target_family = "wasm"))]
fn main() {
    eprintln!("seaway-languages only runs in browsers: build and serve its pages with scripts/web");
    std::process::exit(2);
}

#[cfg(target_family = "wasm")]
fn main() {
    std::panic::set_hook(Box::new(console_error_panic_hook::hook));
}

#[cfg(target_family = "wasm")]
mod entries {
    use seaway::foundry::Sheet;
    use wasm_bindgen::prelude::*;

    /// Adds each kernel's text in every language to `sheet`, the JSON of a [`Sheet`].
    #[wasm_bindgen]
    pub fn translate(sheet: &str) -> Result<String, String> {
        let mut sheet: Sheet = serde_json::from_str(sheet).map_err(|error| error.to_string())?;
        sheet.translate();
        serde_json::to_string(&sheet).map_err(|error| error.to_string())
    }
}
