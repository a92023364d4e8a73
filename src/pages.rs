//! The functions behind the pages of `web/`, for the binary `seaway-web`. Their errors are messages for the
//! user.

use crate::app::{self, RunOptions};
use crate::bench::laboratory::page;
use crate::foundry;
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
    page::run(&open().await?, size, listener).await
}

async fn open() -> Result<Context, String> {
    let opened = Context::new(Context::headless_instance(), ContextOptions::default()).await;
    opened.map_err(|error| error.to_string())
}

/// The kernel foundry on the visitor's adapter.
pub struct Foundry(Context);

impl Foundry {
    /// Opens the adapter.
    pub async fn open() -> Result<Self, String> {
        Ok(Self(open().await?))
    }

    /// The name of the adapter.
    pub fn adapter(&self) -> String {
        self.0.describe()
    }

    /// The fields of the form ([`foundry::page::form`]).
    pub fn form() -> String {
        foundry::page::form()
    }

    /// The kernels of the form in `address` ([`foundry::page::describe`]).
    pub async fn describe(
        &self,
        address: &str,
        listener: impl FnMut(String) -> Result<(), String>,
    ) -> Result<String, String> {
        foundry::page::describe(&self.0, address, listener).await
    }

    /// Checks and times them ([`foundry::page::verify`]).
    pub async fn verify(&self, address: &str, chosen: &str) -> Result<String, String> {
        foundry::page::verify(&self.0, address, chosen).await
    }
}

/// Shows the user that the program has ended, and why.
pub fn report_end(reason: &str) {
    app::report_end(reason);
}
