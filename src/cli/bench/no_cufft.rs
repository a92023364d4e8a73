//! In place of `cufft` in a build without the feature `cuda`.

use seaway::fft::Descriptor;
use seaway::fft::lab::timing::{Measurement, Method, Regime};

use crate::cli::exit::Usage;
use seaway::fft::lab::References;

/// There is none.
pub enum Cufft {}

/// Says how to come by it.
pub fn find() -> anyhow::Result<()> {
    let reason = "--peer cufft: this build has no `cuda` feature: build with `--features cuda`";
    Err(Usage(reason.into()).into())
}

impl Cufft {
    pub fn open(_: &wgpu::AdapterInfo) -> anyhow::Result<Self> {
        find()?;
        anyhow::bail!("cuFFT is not there")
    }

    pub fn describe(&self) -> String {
        match *self {}
    }

    pub fn measure(
        &self,
        _: &Descriptor,
        _: Regime,
        _: &Method,
        _: &mut References,
    ) -> anyhow::Result<Measurement> {
        match *self {}
    }
}
