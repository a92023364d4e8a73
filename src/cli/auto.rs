//! `--algorithm auto`: the fastest for the adapter and the transform, measured once.

use std::ops::ControlFlow;
use std::time::Instant;

use seaway::OceanOptions;
use seaway::fft::lab::{AlgorithmChoice, Progress, TuneError, TuneOptions, Tuned};
use seaway::fft::{Descriptor, FftError};
use seaway::gpu::Context;
use seaway::tuned::{self, Origin, Store};

use super::device::Gpu;
use super::fft_options;
use super::render::progress_bar;

// No documentation comment on what is flattened: clap would take it for the command's.

// What every command that takes `--algorithm auto` takes too.
#[derive(clap::Args)]
pub struct Auto {
    /// With --algorithm auto: measure again, and neither read nor write the stored results
    #[arg(long)]
    pub no_cache: bool,
}

impl Auto {
    /// Resolves the algorithm of `task`; the planner chooses for `best`. The choice of `auto` goes
    /// to stderr, with its time and where it is stored.
    pub fn resolve(
        &self,
        gpu: &Gpu,
        choice: AlgorithmChoice,
        task: &Descriptor,
    ) -> anyhow::Result<Descriptor> {
        match choice {
            AlgorithmChoice::Best => Ok(Descriptor { algorithm: None, ..task.clone() }),
            AlgorithmChoice::Named(algorithm) => Ok(task.clone().by(algorithm)),
            AlgorithmChoice::Auto => {
                let [width, height] = task.size;
                let name = format!("{width}x{height}, batch {}", task.batch);
                let choose = |options: TuneOptions<'_>, store: Option<&Store>| {
                    let Context { device, queue, adapter_info, .. } = &gpu.context;
                    let choosing = tuned::choose(device, queue, adapter_info, task, options, store);
                    pollster::block_on(choosing)
                };
                match self.choose(gpu, &name, choose) {
                    Ok(tuned) => Ok(tuned.apply(task)),
                    // None can: the reason is found again where its program is asked for.
                    Err(Failure::Tune(TuneError::Fft(FftError::Unsupported(_)))) => {
                        Ok(Descriptor { algorithm: None, ..task.clone() })
                    }
                    Err(Failure::Tune(error)) => Err(error.into()),
                    Err(Failure::Gpu(error)) => Err(error),
                }
            }
        }
    }

    /// As [`Auto::resolve`], for the transform of an ocean as it runs there.
    pub fn resolve_ocean(
        &self,
        gpu: &Gpu,
        choice: AlgorithmChoice,
        ocean: &OceanOptions,
    ) -> anyhow::Result<OceanOptions> {
        let algorithm = match choice {
            AlgorithmChoice::Best => None,
            AlgorithmChoice::Named(algorithm) => Some(algorithm.into()),
            AlgorithmChoice::Auto => {
                let name = format!("{} x {}, {}", ocean.size, ocean.cascades, ocean.path);
                let choose = |options: TuneOptions<'_>, store: Option<&Store>| {
                    let Context { device, queue, adapter_info, .. } = &gpu.context;
                    let choosing =
                        tuned::choose_for_ocean(device, queue, adapter_info, ocean, options, store);
                    pollster::block_on(choosing)
                };
                match self.choose(gpu, &name, choose) {
                    Ok(tuned) => Some(tuned.configuration),
                    Err(Failure::Tune(error)) => return Err(error.into()),
                    Err(Failure::Gpu(error)) => return Err(error),
                }
            }
        };
        Ok(OceanOptions { algorithm, ..*ocean })
    }

    fn choose<E>(
        &self,
        gpu: &Gpu,
        name: &str,
        choose: impl FnOnce(TuneOptions<'_>, Option<&Store>) -> Result<(Tuned, Origin), E>,
    ) -> Result<Tuned, Failure<E>> {
        let store = if self.no_cache { None } else { Store::of_user() };
        let bar = progress_bar(1, "FFTs measured");
        let mut progress = |step: Progress| {
            bar.set_length(u64::from(step.of));
            bar.set_position(u64::from(step.candidate));
            ControlFlow::Continue(())
        };
        let options =
            TuneOptions { progress: Some(&mut progress), ..TuneOptions::of(&gpu.context.device) };
        let start = Instant::now();
        let chosen = choose(options, store.as_ref());
        bar.finish_and_clear();
        // The GPU's own complaint comes first: it is the cause of a failed measurement.
        gpu.check().map_err(Failure::Gpu)?;
        let (tuned, origin) = chosen.map_err(Failure::Tune)?;

        let flags = fft_options::flags(&tuned.configuration);
        let from = match origin {
            Origin::Kept => "measured before".to_owned(),
            Origin::Measured => format!(
                "the best of {} in {:.1} s",
                tuned.candidates,
                start.elapsed().as_secs_f64()
            ),
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
        Ok(tuned)
    }
}

/// Why no algorithm was chosen.
enum Failure<E> {
    Tune(E),
    Gpu(anyhow::Error),
}

/// Formats a time, for example `12.3 us`.
fn time(us: f64) -> String {
    if us < 10_000.0 { format!("{us:.1} us") } else { format!("{:.1} ms", us / 1000.0) }
}
