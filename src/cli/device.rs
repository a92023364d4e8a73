use std::sync::{Arc, Mutex};

use crate::fft::Descriptor;
use crate::fft::lab::{self, Configuration};
use crate::gpu::{Capabilities, Context, ContextOptions, LimitsPreset};
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
    waiting_workgroups: Arc<Mutex<Option<u32>>>,
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
        Ok(Self { context, first_error, waiting_workgroups: Arc::default() })
    }

    /// Chooses for `task` as the planner does that also knows how many workgroups can wait for each other,
    /// which is measured once, and only where the choice depends on it.
    pub fn choose(&self, task: &Descriptor) -> anyhow::Result<Option<Configuration>> {
        let capabilities = &self.context.capabilities;
        let choose = |waiting_workgroups| {
            let capabilities = Capabilities { waiting_workgroups, ..capabilities.clone() };
            lab::choose(task, &capabilities).ok()
        };
        if !choose(u32::MAX).is_some_and(|best| best.is_of_one_dispatch()) {
            return Ok(choose(0));
        }
        let mut known = lock(&self.waiting_workgroups);
        let Context { device, queue, .. } = &self.context;
        let waiting = match *known {
            Some(waiting) => waiting,
            None => pollster::block_on(lab::waiting_workgroups(device, queue))?,
        };
        *known = Some(waiting);
        Ok(choose(waiting))
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
