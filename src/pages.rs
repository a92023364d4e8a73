//! The functions behind the pages of `web/`, for the binary `seaway-web`. Their errors are messages for the
//! user.

use crate::app::{self, RunOptions};
use crate::bench::laboratory::page;
use crate::gpu::{Context, ContextOptions};

/// Shows the sea in the page's canvas.
pub fn ocean() -> Result<(), String> {
    app::run(RunOptions::default()).map_err(|error| error.to_string())
}

/// Opens the adapter, and verifies and times every algorithm on it as [`page::run`] does.
pub async fn laboratory(
    size: u32,
    listener: impl FnMut(String) -> Result<(), String>,
) -> Result<(), String> {
    let opened = Context::new(Context::headless_instance(), ContextOptions::default()).await;
    page::run(&opened.map_err(|error| error.to_string())?, size, listener).await
}

/// Shows the user that the program has ended, and why.
pub fn report_end(reason: &str) {
    app::report_end(reason);
}
