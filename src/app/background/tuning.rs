//! Chooses the ocean's FFT for `auto`, behind the running frame.

use std::collections::HashMap;
use std::sync::Arc;

use crate::app::platform::files;
use crate::fft::lab::{
    Configuration, Origin, ProgressCallback, Store, TuneError, TuneOptions, Tuned,
};
use crate::gpu::{Context, LimitsPreset};
use crate::ocean::{Ocean, OceanError, OceanOptions};

pub(super) struct Tuner {
    limits: LimitsPreset,
    /// `None` where nothing is kept on disk.
    store: Option<Store>,
    /// The results of this session, which `--no-cache` keeps: a change of the quality must not measure the
    /// same again.
    known: HashMap<OceanOptions, Tuned>,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct Chosen {
    /// The algorithm and its parameters; `None` means the best known.
    pub configuration: Option<Configuration>,
    /// The measured choice, or why measuring failed.
    pub measured: Result<Tuned, String>,
}

impl Tuner {
    /// `limits` are those of the devices that it measures on.
    pub fn new(limits: LimitsPreset, store: Option<Store>) -> Self {
        Self { limits, store, known: HashMap::new() }
    }

    /// Finds the fastest transform for an ocean of `options`, as it runs there. Measuring has a device of its
    /// own on the adapter of `context`, so that its waits hold no lock of the drawing device, and its
    /// compilations block no other queue. Its work comes in submissions of a few milliseconds, between which
    /// the adapter draws. Fails where no algorithm can run it, or `progress` ends it. If it cannot be
    /// measured, the best known is returned instead.
    pub async fn choose(
        &mut self,
        context: &Context,
        options: &OceanOptions,
        progress: ProgressCallback<'_>,
    ) -> Result<Chosen, String> {
        let tuned = match self.known.get(options) {
            Some(tuned) => Ok(tuned.clone()),
            None => self.find(context, options, progress).await,
        };
        match tuned {
            Ok(tuned) => {
                self.known.insert(*options, tuned.clone());
                Ok(Chosen { configuration: Some(tuned.configuration), measured: Ok(tuned) })
            }
            Err(OceanError::Tune(error))
                if !matches!(error, TuneError::Fft(_) | TuneError::Cancelled) =>
            {
                Ok(Chosen { configuration: None, measured: Err(error.to_string()) })
            }
            Err(error) => Err(error.to_string()),
        }
    }

    async fn find(
        &self,
        context: &Context,
        options: &OceanOptions,
        progress: ProgressCallback<'_>,
    ) -> Result<Tuned, OceanError> {
        let opened = context.another(self.limits).await;
        let own = opened.map_err(|error| TuneError::Buffers(error.to_string()))?;
        let _on_it = own.destroy_on_drop();
        // Errors there show in the measurements, and do not concern the drawing device.
        own.device.on_uncaptured_error(Arc::new(|error: wgpu::Error| log::debug!("{error}")));
        let tune = TuneOptions { progress: Some(progress), ..TuneOptions::of(&own.device) };
        let Context { device, queue, adapter_info, .. } = &own;
        let store = self.store.as_ref();
        let choosing = Ocean::choose_tuned(store, device, queue, adapter_info, options, tune);
        let (tuned, origin) = choosing.await?;
        let algorithm = tuned.configuration.algorithm();
        match (origin, &self.store) {
            (Origin::Kept, _) => log::info!("auto: {algorithm} was measured before"),
            (Origin::Measured, store) => {
                let place = match store {
                    Some(store) => format!("stored in {}", files::place(store.path())),
                    None => "not stored".to_owned(),
                };
                log::info!(
                    "auto: {algorithm}, which takes {:.1} us, is the best of {} ({place})",
                    tuned.median_us,
                    tuned.candidates
                );
            }
        }
        Ok(tuned)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use seaway_core::testing::context;

    fn options(size: u32) -> OceanOptions {
        OceanOptions { size, cascades: 1, ..OceanOptions::default() }
    }

    #[test]
    fn it_measures_once_and_tells_how_far_it_is() {
        let context = context();
        let mut tuner = Tuner::new(LimitsPreset::Adapter, None);
        let mut reports = Vec::new();
        let mut listen = |progress| {
            reports.push(progress);
            ControlFlow::Continue(())
        };
        let chosen = pollster::block_on(tuner.choose(&context, &options(16), &mut listen)).unwrap();
        let tuned = chosen.measured.clone().unwrap();
        assert_eq!(chosen.configuration, Some(tuned.configuration));
        assert!(reports.iter().any(|progress| progress.of > 0), "{reports:?}");

        // Known now: no progress is reported, and there is nothing to cancel.
        let mut refuse = |_| panic!("measured again");
        assert_eq!(
            pollster::block_on(tuner.choose(&context, &options(16), &mut refuse)).unwrap(),
            chosen
        );
        let mut stop = |_| ControlFlow::Break(());
        let refused =
            pollster::block_on(tuner.choose(&context, &options(1 << 20), &mut stop)).unwrap_err();
        assert!(refused.contains("16 to 8192"), "{refused}");
        let stopped =
            pollster::block_on(tuner.choose(&context, &options(32), &mut stop)).unwrap_err();
        assert!(stopped.contains("cancelled"), "{stopped}");
    }
}
