use std::sync::{Arc, Mutex};

use crate::gpu::{Context, ContextOptions, LimitsPreset};
use crate::platform::lock;

/// The values of `--limits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Limits {
    /// Everything that the adapter offers
    Adapter,
    /// Only what every WebGPU implementation guarantees
    Webgpu,
}

impl From<Limits> for LimitsPreset {
    fn from(limits: Limits) -> Self {
        match limits {
            Limits::Adapter => Self::Adapter,
            Limits::Webgpu => Self::WebGpu,
        }
    }
}

/// An open device whose errors end the command with a message. Clones share it.
#[derive(Clone)]
pub struct Gpu {
    pub context: Context,
    first_error: Arc<Mutex<Option<String>>>,
}

impl Gpu {
    /// Opens the adapter that the environment names, else the fastest, and names it on stderr.
    pub fn open(limits: Limits) -> anyhow::Result<Self> {
        let options = ContextOptions { limits: limits.into(), ..Default::default() };
        let context = pollster::block_on(Context::new(Context::headless_instance(), options))?;
        eprintln!("adapter: {}", context.describe());

        // wgpu would panic. Later errors mostly follow from the first.
        let first_error = Arc::new(Mutex::new(None));
        let slot = Arc::clone(&first_error);
        context.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let mut slot = lock(&slot);
            slot.get_or_insert_with(|| error.to_string());
        }));
        Ok(Self { context, first_error })
    }

    /// Returns the error that the GPU has reported since the last call, if there is one.
    pub fn check(&self) -> anyhow::Result<()> {
        let mut slot = lock(&self.first_error);
        match slot.take() {
            Some(error) => Err(anyhow::anyhow!("the GPU rejected a command: {error}")),
            None => Ok(()),
        }
    }
}
