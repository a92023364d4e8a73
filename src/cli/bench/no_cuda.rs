//! Replaces `cuda` in a build without that feature.

use std::sync::Arc;

use crate::fft::Descriptor;
use crate::fft::lab::References;
use crate::fft::lab::timing::{Measurement, Method, Regime};

use crate::bench::Peer;
use crate::cli::exit::Usage;

/// The error that names the feature.
pub fn find(peer: Peer) -> anyhow::Result<()> {
    let option = peer.option();
    let reason = format!(
        "{option} needs the feature `cuda`, which this build lacks: build seaway with `--features \
         cuda`"
    );
    Err(Usage(reason).into())
}

pub enum Cuda {}

impl Cuda {
    pub fn open(_: &wgpu::AdapterInfo, peer: Peer) -> anyhow::Result<Arc<Self>> {
        find(peer)?;
        anyhow::bail!("this build has no CUDA")
    }
}

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

pub struct Kernel {
    pub name: &'static str,
}

impl Kernel {
    pub const ALL: [Self; 0] = [];

    pub fn takes(&self, _: &Descriptor) -> bool {
        false
    }
}

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
