//! `--algorithm auto`: the fastest for the adapter and the transform, measured once.

use std::ops::ControlFlow;
use std::time::Instant;

use crate::fft::lab::{
    self, AlgorithmChoice, Configuration, Origin, Progress, Store, TuneError, TuneOptions, Tuned,
};
use crate::fft::{Descriptor, FftError};
use crate::gpu::Context;
use crate::{Ocean, OceanOptions};

use super::device::Gpu;
use super::fft_options;
use super::render::progress_bar;

// No documentation comment on what is flattened: clap would take it for the command's.

// Shared by all commands with `--algorithm auto`.
#[derive(clap::Args)]
pub struct Auto {
    /// With --algorithm auto: measure again, and neither read nor write the stored results
    #[arg(long)]
    pub no_cache: bool,
}

impl Auto {
    /// Resolves the algorithm of `task`; the planner chooses for `best`. The choice of `auto` goes to stderr,
    /// with its time and the place where it is stored.
    pub fn resolve(
        &self,
        gpu: &Gpu,
        choice: AlgorithmChoice,
        task: &Descriptor,
    ) -> anyhow::Result<Descriptor> {
        match choice {
            AlgorithmChoice::Best => Ok(Descriptor { algorithm: best(gpu, task)?, ..task.clone() }),
            AlgorithmChoice::Named(algorithm) => Ok(task.clone().by(algorithm)),
            AlgorithmChoice::Auto => {
                let [width, height] = task.size;
                let name = format!("{width}x{height}, batch {}", task.batch);
                let Context { device, queue, adapter_info, .. } = &gpu.context;
                let choose = async |options: TuneOptions<'_>, store: Option<&Store>| {
                    let tuning = lab::tune(device, queue, task, options);
                    lab::choose_tuned(store, device, adapter_info, task, tuning).await
                };
                match self.choose(gpu, &name, choose)? {
                    Ok(tuned) => Ok(tuned.apply(task)),
                    // No algorithm can: making its program finds the reason again.
                    Err(TuneError::Fft(FftError::Unsupported(_))) => {
                        Ok(Descriptor { algorithm: None, ..task.clone() })
                    }
                    Err(error) => Err(error.into()),
                }
            }
        }
    }

    /// [`Auto::resolve_ocean`] for whole frames, whose `best` has two dispatches as in the window: nothing looks
    /// whether a workgroup of one waited in vain.
    pub fn resolve_frame(
        &self,
        gpu: &Gpu,
        choice: AlgorithmChoice,
        ocean: &OceanOptions,
    ) -> anyhow::Result<OceanOptions> {
        match choice {
            AlgorithmChoice::Best => Ok(OceanOptions { algorithm: None, ..*ocean }),
            _ => self.resolve_ocean(gpu, choice, ocean),
        }
    }

    /// [`Auto::resolve`] for the transform of an ocean as it runs there.
    pub fn resolve_ocean(
        &self,
        gpu: &Gpu,
        choice: AlgorithmChoice,
        ocean: &OceanOptions,
    ) -> anyhow::Result<OceanOptions> {
        let algorithm = match choice {
            AlgorithmChoice::Best => best(gpu, &ocean.hooked_transform()?)?,
            AlgorithmChoice::Named(algorithm) => Some(algorithm.into()),
            AlgorithmChoice::Auto => {
                let name = format!("{} x {}, {}", ocean.size, ocean.cascades, ocean.path);
                let Context { device, queue, adapter_info, .. } = &gpu.context;
                let choose = async |options: TuneOptions<'_>, store: Option<&Store>| {
                    Ocean::choose_tuned(store, device, queue, adapter_info, ocean, options).await
                };
                Some(self.choose(gpu, &name, choose)??.configuration)
            }
        };
        Ok(OceanOptions { algorithm, ..*ocean })
    }

    fn choose<E>(
        &self,
        gpu: &Gpu,
        name: &str,
        choose: impl AsyncFnOnce(TuneOptions<'_>, Option<&Store>) -> Result<(Tuned, Origin), E>,
    ) -> anyhow::Result<Result<Tuned, E>> {
        let store = if self.no_cache { None } else { Store::of_user() };
        let choose = async |options: TuneOptions<'_>| choose(options, store.as_ref()).await;
        let (chosen, seconds) = searched(gpu, choose)?;
        let (tuned, origin) = match chosen {
            Ok(chosen) => chosen,
            Err(error) => return Ok(Err(error)),
        };
        let flags = fft_options::flags(&tuned.configuration);
        let from = match origin {
            Origin::Kept => "measured before".to_owned(),
            Origin::Measured => format!("the best of {} in {seconds:.1} s", tuned.candidates),
        };
        let place = match &store {
            Some(store) => format!("stored in {}", store.path().display()),
            None => "not stored".to_owned(),
        };
        eprintln!(
            "auto, {name}: {} {flags}, {}, {:.3} of the time of the best known ({from}; {place})",
            tuned.configuration.algorithm(),
            time(tuned.median_us),
            tuned.ratio_to_default
        );
        Ok(Ok(tuned))
    }
}

/// The planner's choice for `task` if that is one dispatch, for which plans do not know how many workgroups can
/// wait for each other.
fn best(gpu: &Gpu, task: &Descriptor) -> anyhow::Result<Option<Configuration>> {
    Ok(gpu.choose(task)?.filter(Configuration::is_of_one_dispatch))
}

/// Runs a search with a progress bar, and returns its result and seconds.
pub fn searched<Found>(
    gpu: &Gpu,
    search: impl AsyncFnOnce(TuneOptions<'_>) -> Found,
) -> anyhow::Result<(Found, f64)> {
    let bar = progress_bar(1, "FFTs measured");
    let mut progress = |step: Progress| {
        bar.set_length(u64::from(step.of));
        bar.set_position(u64::from(step.candidate));
        ControlFlow::Continue(())
    };
    let options =
        TuneOptions { progress: Some(&mut progress), ..TuneOptions::of(&gpu.context.device) };
    let start = Instant::now();
    let found = pollster::block_on(search(options));
    bar.finish_and_clear();
    // The GPU's own complaint comes first: it is the cause of a failed measurement.
    gpu.check()?;
    Ok((found, start.elapsed().as_secs_f64()))
}

fn time(us: f64) -> String {
    if us < 10_000.0 { format!("{us:.1} us") } else { format!("{:.1} ms", us / 1000.0) }
}
