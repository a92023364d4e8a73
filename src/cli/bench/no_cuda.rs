//! In place of `cuda` in a build without that feature.

use std::sync::Arc;

use seaway::fft::Descriptor;
use seaway::fft::lab::References;
use seaway::fft::lab::timing::{Measurement, Method, Regime};

use super::peers::Peer;
use crate::cli::exit::Usage;

/// Says how to come by it.
pub fn find(peer: Peer) -> anyhow::Result<()> {
    let option = peer.option();
    let reason = format!(
        "{option} needs the feature `cuda`, which this build lacks: build seaway with `--features \
         cuda`"
    );
    Err(Usage(reason).into())
}

/// There is none.
pub enum Cuda {}

impl Cuda {
    pub fn open(_: &wgpu::AdapterInfo, peer: Peer) -> anyhow::Result<Arc<Self>> {
        find(peer)?;
        anyhow::bail!("this build has no CUDA")
    }
}

/// There is none.
pub enum Cufft {}

impl Cufft {
    pub fn open(cuda: Arc<Cuda>) -> anyhow::Result<Self> {
        match *cuda {}
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

/// There is none.
pub struct Kernel {
    pub name: &'static str,
}

impl Kernel {
    pub const ALL: [Self; 0] = [];

    pub fn takes(&self, _: &Descriptor) -> bool {
        false
    }
}

/// There is none.
pub enum Kernels {}

impl Kernels {
    pub fn open(cuda: Arc<Cuda>) -> anyhow::Result<Self> {
        match *cuda {}
    }

    pub fn describe(&self) -> String {
        match *self {}
    }

    pub fn measure(
        &self,
        _: &Kernel,
        _: &Descriptor,
        _: Regime,
        _: &Method,
        _: &mut References,
    ) -> anyhow::Result<Measurement> {
        match *self {}
    }
}
