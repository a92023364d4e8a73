//! The functions behind the pages of `web/`, for the binary `seaway-web`. Their errors are messages for the
//! user.

use crate::app::{self, RunOptions};
use crate::bench::laboratory::page;
use crate::figures::browser as figures;
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

/// The papers' figures on the visitor's adapter.
pub struct Papers {
    context: Context,
    page: figures::Page,
}

impl Papers {
    /// Opens the adapter for the figures of these names, separated by commas, or for all if there are none.
    pub async fn open(names: &str, quick: bool, browser: String) -> Result<Self, String> {
        let context = open().await?;
        let names = names.split(',').filter(|name| !name.is_empty());
        let names: Vec<String> = names.map(str::to_owned).collect();
        let page = figures::Page::new(&context, &names, quick, browser)?;
        Ok(Self { context, page })
    }

    /// The sections of all figures so far ([`figures::Page::sections`]).
    pub fn sections(&self) -> String {
        self.page.sections()
    }

    /// Measures what is left ([`figures::Page::measure`]).
    pub async fn measure(
        &self,
        listener: impl FnMut(String) -> Result<(), String>,
    ) -> Result<bool, String> {
        self.page.measure(&self.context, listener).await
    }

    /// Stops measuring.
    pub fn stop(&self) {
        self.page.stop();
    }

    /// The measurements so far, in the form that `seaway figures --from` reads.
    pub fn json(&self) -> String {
        self.page.json()
    }

    /// All figures so far, as one file that needs no other.
    pub fn html(&self) -> String {
        self.page.html()
    }
}

/// Shows the user that the program has ended, and why.
pub fn report_end(reason: &str) {
    app::report_end(reason);
}
